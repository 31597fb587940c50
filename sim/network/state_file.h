// SPDX-License-Identifier: Apache-2.0
// Checkpoints: one list of the state (visit_state of every class) serves writing and reading. For the machine that wrote it, not an exchange format.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

#include "models/common/error.h"
#include "models/common/frame.h"

namespace odonata::network {

class StateWriter {
 public:
  /// `configuration`: what the reader must have in common.
  StateWriter(std::ostream& to, const std::string& configuration);
  template <class T>
  void operator()(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(static_cast<uint64_t>(list.size()));
    write(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& number) { write(&number, sizeof number); }
  /// The end of the frame (models/common/frame.h). What the stream could not write is the stream's to tell.
  void finish();

 private:
  void write(const void* data, size_t bytes);
  std::ostream& to_;
  Crc32 crc_;
  uint64_t written_ = 0;
};

class StateReader {
 public:
  /// Checks the whole frame first (the stream has to know its end). Throws Error when the file is no checkpoint, damaged, or one of another
  /// configuration.
  StateReader(std::istream& from, const std::string& configuration);
  template <class T>
  void operator()(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    uint64_t size = 0;
    (*this)(size);
    if (size > left_ / sizeof(T)) throw Error("checkpoint: the state of another program");
    list.resize(size);
    read(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& number) { read(&number, sizeof number); }
  /// Throws Error when something is left.
  void finish();

 private:
  void check_frame();
  void read(void* data, size_t bytes);
  std::istream& from_;
  uint64_t left_ = 0;  ///< bytes of the content
};

}  // namespace odonata::network
