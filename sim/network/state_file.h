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
  /// The end mark, with a checksum. Throws Error when something could not be written.
  void finish();

 private:
  void write(const void* data, size_t bytes);
  std::ostream& to_;
  uint64_t sum_ = 0;
};

class StateReader {
 public:
  /// Throws Error when the file is no checkpoint, or one of another configuration.
  StateReader(std::istream& from, const std::string& configuration);
  template <class T>
  void operator()(std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    uint64_t size = 0;
    (*this)(size);
    if (size > (uint64_t{1} << 36) / sizeof(T)) throw Error("checkpoint: damaged");
    list.resize(size);
    read(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& number) { read(&number, sizeof number); }
  /// Throws Error when the checksum is wrong.
  void finish();

 private:
  void read(void* data, size_t bytes);
  std::istream& from_;
  uint64_t sum_ = 0;
};

}  // namespace odonata::network
