// SPDX-License-Identifier: Apache-2.0
#include "sim/network/state_file.h"

#include <algorithm>
#include <array>

#include "sim/network/parameters.h"
#include "models/common/version.h"

namespace odonata::network {

namespace {

constexpr std::string_view kMark = "ODCHECK2";  // kFrameMark bytes

const std::string kProgram = "program=";  // first line of the head: who wrote it

[[noreturn]] void damaged() { throw Error("checkpoint: damaged, length and CRC do not fit"); }

}  // namespace

StateWriter::StateWriter(std::ostream& to, const std::string& configuration) : to_(to) {
  write(kMark.data(), kMark.size());
  const std::string head = kProgram + version_text() + "\n" + configuration;
  (*this)(std::vector<char>(head.begin(), head.end()));
}

void StateWriter::write(const void* data, size_t bytes) {
  const std::string_view text(static_cast<const char*>(data), bytes);
  crc_.add(text);
  written_ += bytes;
  to_.write(text.data(), static_cast<std::streamsize>(bytes));
}

void StateWriter::finish() {
  const std::string end = frame_end(written_ - kMark.size(), crc_);
  to_.write(end.data(), static_cast<std::streamsize>(end.size()));
  to_.flush();
}

StateReader::StateReader(std::istream& from, const std::string& configuration) : from_(from) {
  check_frame();
  std::vector<char> stored;
  (*this)(stored);
  const std::string head(stored.begin(), stored.end());
  if (!head.starts_with(kProgram) || head.find('\n') == std::string::npos) throw Error("checkpoint: the state of another program");
  const Difference d = first_difference(head.substr(head.find('\n') + 1), configuration);
  if (!d.name.empty()) throw Error("checkpoint: made with another --" + d.name + ": '" + d.left + "', this run has '" + d.right + "'");
}

/// Goes over the whole file once, then back to the begin of its content.
void StateReader::check_frame() {
  const std::streampos begin = from_.tellg();
  std::array<char, 1 << 16> block;
  const auto next = [&](uint64_t most) {
    from_.read(block.data(), static_cast<std::streamsize>(std::min<uint64_t>(most, block.size())));
    return std::string_view(block.data(), static_cast<size_t>(from_.gcount()));
  };
  Crc32 crc;
  const std::string_view mark = next(kMark.size());
  if (mark != kMark) throw Error("checkpoint: not a checkpoint of the network engine");
  crc.add(mark);
  from_.seekg(0, std::ios::end);
  const auto size = static_cast<uint64_t>(from_.tellg() - begin);
  if (!from_ || size < kMark.size() + kFrameEnd) damaged();
  left_ = size - kMark.size() - kFrameEnd;
  const std::streampos content = begin + static_cast<std::streamoff>(kMark.size());
  from_.seekg(content);
  for (uint64_t left = left_; left != 0;) {
    const std::string_view piece = next(left);
    if (piece.empty()) damaged();
    crc.add(piece);
    left -= piece.size();
  }
  if (next(kFrameEnd) != frame_end(left_, crc)) damaged();
  from_.seekg(content);
}

void StateReader::read(void* data, size_t bytes) {
  if (bytes > left_) throw Error("checkpoint: the state of another program");
  from_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
  left_ -= bytes;
  if (!from_) damaged();
}

void StateReader::finish() {
  if (left_ != 0) throw Error("checkpoint: the state of another program");
}

}  // namespace odonata::network
