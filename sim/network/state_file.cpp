// SPDX-License-Identifier: Apache-2.0
#include "sim/network/state_file.h"

#include <zstd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include "models/common/frame.h"
#include "models/common/version.h"
#include "sim/network/parameters.h"

namespace odonata::network {

namespace {

constexpr std::string_view kMark = "ODCHECK5", kEndMark = "ODCKEND5";
constexpr size_t kEnd =
    8 + 8 + 4 + 8;         // offset of the directory, number of pieces, CRC of head and directory and these two, mark
constexpr int kLevel = 1;  // most of a state is zeros
// How many times longer a piece may be than it is packed: what is read takes no more memory than so many files. Of all
// networks idle ones come closest, with 27.
constexpr uint64_t kMostPacked = 1000;

const std::string kProgram = "program=";  // first line of the head: who wrote it

[[noreturn]] void damaged() { throw Error("checkpoint: damaged, length and CRC do not fit"); }
[[noreturn]] void foreign() { throw Error("checkpoint: the state of another program"); }

/// Of what the file and this run say.
void refuse_difference(const Difference& d) {
  if (d.name.empty()) return;
  const std::string here = d.right.empty() ? "none" : "'" + d.right + "'";
  if (d.left.empty()) throw Error("checkpoint: made without --" + d.name + ", this run has " + here);
  throw Error("checkpoint: made with another --" + d.name + ": '" + d.left + "', this run has " + here);
}

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
T value_at(std::string_view text, size_t at) {
  T out;
  std::memcpy(&out, text.data() + at, sizeof out);
  return out;
}

std::string name_of(uint64_t piece) {
  return piece == 0 ? "the common piece" : "the piece of domain " + std::to_string(piece - 1);
}

}  // namespace

void StateReader::read(void* data, size_t bytes) {
  expect_state(bytes <= bytes_.size() - at_, "the length of a piece");
  if (bytes != 0) std::memcpy(data, bytes_.data() + at_, bytes);
  at_ += bytes;
}

void StateReader::finish() const { expect_state(at_ == bytes_.size(), "the length of a piece"); }

Piece pack_piece(uint64_t number, const StateWriter& state) {
  const std::string& raw = state.bytes();
  Piece out{number, raw.size(), std::string(ZSTD_compressBound(raw.size()), '\0')};
  const size_t size = ZSTD_compress(out.packed.data(), out.packed.size(), raw.data(), raw.size(), kLevel);
  if (ZSTD_isError(size)) throw Error(std::string("checkpoint: zstd: ") + ZSTD_getErrorName(size));
  out.packed.resize(size);
  return out;
}

CheckpointWriter::CheckpointWriter(std::ostream& to, const std::string& configuration, uint64_t pieces,
                                   Exchange* exchange)
    : to_(to), exchange_(exchange), places_(pieces) {
  const std::string text = kProgram + version_text() + "\n" + configuration;
  head_ = std::string(kMark) + bytes_of(static_cast<uint64_t>(text.size())) + text;
  if (first()) write(0, {head_});
  written_ = head_.size();
}

void CheckpointWriter::write(uint64_t offset, const std::vector<std::string_view>& parts) {
  if (exchange_ != nullptr) to_.seekp(static_cast<std::streamoff>(offset));
  for (const std::string_view part : parts) to_.write(part.data(), static_cast<std::streamsize>(part.size()));
}

/// All ranks hear how long everybody's pieces are, so each knows where its own belong.
void CheckpointWriter::add(const std::vector<Piece>& own) {
  std::vector<Entry> entries;
  std::vector<std::string_view> parts;
  for (const Piece& piece : own) {
    entries.push_back({piece.number, {0, piece.packed.size(), piece.size, crc32(piece.packed), 0}});
    parts.emplace_back(piece.packed);
  }
  StateWriter note;
  note(entries);
  const auto* bytes = reinterpret_cast<const std::byte*>(note.bytes().data());
  std::vector<Exchange::Bytes> notes{{bytes, bytes + note.bytes().size()}};
  if (exchange_ != nullptr) notes = exchange_->gather(notes[0]);
  const size_t rank = exchange_ == nullptr ? 0 : static_cast<size_t>(exchange_->own());
  for (size_t r = 0; r < notes.size(); ++r) {
    if (r == rank) write(written_, parts);
    StateReader from(std::string(reinterpret_cast<const char*>(notes[r].data()), notes[r].size()));
    from(entries);
    for (Entry& e : entries) {
      e.place.offset = written_;
      places_.at(e.piece) = e.place;
      written_ += e.place.packed;
    }
  }
}

void CheckpointWriter::finish() {
  if (!first()) return;
  std::string end;
  for (const Place& place : places_) end += bytes_of(place);
  end += bytes_of(written_) + bytes_of(static_cast<uint64_t>(places_.size()));
  Crc32 crc;
  crc.add(head_);
  crc.add(end);
  const std::string check = bytes_of(crc.value());
  write(written_, {end, check, kEndMark});
  to_.flush();
}

CheckpointReader::CheckpointReader(std::istream& from, const std::string& configuration)
    : from_(from), begin_(from.tellg()) {
  std::string mark(kMark.size(), '\0');
  from_.read(mark.data(), static_cast<std::streamsize>(mark.size()));
  constexpr size_t kVersion = kMark.size() - 1;  // its place
  if (from_ && mark != kMark && mark.starts_with(kMark.substr(0, kVersion)))
    throw Error("checkpoint: of version " + mark.substr(kVersion) + " of the format, expected " +
                std::string(kMark.substr(kVersion)));
  if (!from_ || mark != kMark) throw Error("checkpoint: not a checkpoint of the network engine");
  from_.seekg(0, std::ios::end);
  size_ = static_cast<uint64_t>(from_.tellg() - begin_);
  if (!from_ || size_ < kMark.size() + 8 + kEnd) damaged();
  const std::string end = bytes(size_ - kEnd, kEnd);
  const auto directory = value_at<uint64_t>(end, 0), count = value_at<uint64_t>(end, 8);
  if (end.substr(20) != kEndMark || directory > size_ - kEnd ||
      count != (size_ - kEnd - directory) / sizeof(CheckpointWriter::Place) ||
      count * sizeof(CheckpointWriter::Place) != size_ - kEnd - directory) {
    damaged();
  }
  const auto length = value_at<uint64_t>(bytes(kMark.size(), 8), 0);
  if (length > directory - std::min<uint64_t>(directory, kMark.size() + 8)) damaged();
  const std::string head = bytes(0, kMark.size() + 8 + length),
                    list = bytes(directory, count * sizeof(CheckpointWriter::Place));
  Crc32 crc;
  crc.add(head);
  crc.add(list);
  crc.add(std::string_view(end).substr(0, 16));
  if (crc.value() != value_at<uint32_t>(end, 16)) damaged();
  const std::string text = head.substr(kMark.size() + 8);
  if (!text.starts_with(kProgram) || text.find('\n') == std::string::npos) foreign();
  refuse_difference(first_difference(text.substr(text.find('\n') + 1), configuration));
  if (count < 2 || count > INT_MAX) foreign();
  for (uint64_t i = 0; i < count; ++i) {
    places_.push_back(value_at<CheckpointWriter::Place>(list, i * sizeof(CheckpointWriter::Place)));
    if (places_.back().packed == 0) throw Error("checkpoint: damaged: " + name_of(i) + " is missing");
    if (places_.back().size / kMostPacked > places_.back().packed)
      throw Error("checkpoint: damaged: " + name_of(i) + " is longer than what is packed of it can say");
    if (places_.back().offset > directory || places_.back().packed > directory - places_.back().offset) damaged();
  }
}

std::string CheckpointReader::bytes(uint64_t offset, uint64_t count) {
  std::string out(count, '\0');
  from_.seekg(begin_ + static_cast<std::streamoff>(offset));
  from_.read(out.data(), static_cast<std::streamsize>(count));
  if (!from_) damaged();
  return out;
}

void CheckpointReader::check(uint64_t piece) {
  const CheckpointWriter::Place& place = places_.at(piece);
  if (crc32(bytes(place.offset, place.packed)) != place.crc)
    throw Error("checkpoint: damaged: " + name_of(piece) + " does not fit its CRC");
}

StateReader CheckpointReader::read(uint64_t piece) {
  const CheckpointWriter::Place& place = places_.at(piece);
  const std::string packed = bytes(place.offset, place.packed);
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  std::string out;
  std::vector<char> block(std::min<uint64_t>(place.size, 1u << 20) +
                          1);  // as much as there is, whatever the directory says
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  size_t more = 1;
  while (more != 0) {
    ZSTD_outBuffer to{block.data(), block.size(), 0};
    more = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(more) || out.size() + to.pos > place.size || (to.pos == 0 && in.pos == in.size && more != 0))
      foreign();
    out.append(block.data(), to.pos);
  }
  if (out.size() != place.size || in.pos != in.size) foreign();
  return StateReader(std::move(out));
}

}  // namespace odonata::network
