// SPDX-License-Identifier: Apache-2.0
// Checkpoints: one list of the state (visit_state of every class) serves writing and reading. A file is a head, packed
// pieces (number 0: what all domains share; d + 1: domain d) in any order, and a directory of them; every piece has a
// checksum. For the machine that wrote it, not an exchange format.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/common/error.h"
#include "models/common/state_check.h"
#include "sim/network/exchange.h"

namespace odonata::network {

/// Takes down the state of a piece.
class StateWriter {
 public:
  static constexpr bool kReads = false;
  template <class T>
  void operator()(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(static_cast<uint64_t>(list.size()));
    write(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& number) { write(&number, sizeof number); }
  const std::string& bytes() const { return bytes_; }
  /// Takes down bytes as they are, such as those of a piece that a reader has.
  void raw(std::string_view bytes) { bytes_ += bytes; }

 private:
  void write(const void* data, size_t bytes) { bytes_.append(static_cast<const char*>(data), bytes); }
  std::string bytes_;
};

/// Gives it back. Throws Error when it is the state of something else.
class StateReader {
 public:
  static constexpr bool kReads = true;
  explicit StateReader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  void operator()(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    uint64_t size = 0;
    (*this)(size);
    expect_state(size <= (bytes_.size() - at_) / sizeof(T), "the length of a list");
    list.resize(size);
    read(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& number) { read(&number, sizeof number); }
  bool at_end() const { return at_ == bytes_.size(); }
  const std::string& bytes() const { return bytes_; }  ///< all of them
  /// Throws Error when something is left.
  void finish() const;

 private:
  void read(void* data, size_t bytes);
  std::string bytes_;
  size_t at_ = 0;
};

/// A piece as it lies in the file.
struct Piece {
  uint64_t number = 0;
  uint64_t size = 0;  ///< before packing
  std::string packed;
};
Piece pack_piece(uint64_t number, const StateWriter& state);

/// Every rank has one, and calls the same functions in the same order: each writes its own pieces into the one file,
/// the first one head and directory too.
class CheckpointWriter {
 public:
  /// `configuration`: what the reader must have in common. With an `exchange` every rank's stream is one of its own,
  /// which can seek, to the same file; without one it need not.
  CheckpointWriter(std::ostream& to, const std::string& configuration, uint64_t pieces, Exchange* exchange = nullptr);
  /// The pieces that this rank has ready, or none.
  void add(const std::vector<Piece>& own);
  /// The directory and the end. What a stream could not write is the stream's to tell.
  void finish();

 private:
  friend class CheckpointReader;
  /// Where a piece is.
  struct Place {
    uint64_t offset = 0, packed = 0, size = 0;
    uint32_t crc = 0, unused = 0;
  };
  /// What a rank says of a piece.
  struct Entry {
    uint64_t piece = 0;
    Place place;
  };
  bool first() const { return exchange_ == nullptr || exchange_->own() == 0; }
  /// Writes the parts behind each other, from `offset` on.
  void write(uint64_t offset, const std::vector<std::string_view>& parts);
  std::ostream& to_;
  Exchange* exchange_;
  uint64_t written_ = 0;  // by all ranks
  std::string head_;
  std::vector<Place> places_;
};

class CheckpointReader {
 public:
  /// Reads head and directory (the stream has to know its end). Throws Error when the file is no checkpoint, damaged,
  /// or one of another configuration.
  CheckpointReader(std::istream& from, const std::string& configuration);
  uint64_t pieces() const { return places_.size(); }  ///< 2 at least
  /// Throws Error when the piece is damaged.
  void check(uint64_t piece);
  /// The state in it.
  StateReader read(uint64_t piece);

 private:
  std::string bytes(uint64_t offset, uint64_t count);
  std::istream& from_;
  std::streampos begin_;
  uint64_t size_ = 0;
  std::vector<CheckpointWriter::Place> places_;
};

}  // namespace odonata::network
