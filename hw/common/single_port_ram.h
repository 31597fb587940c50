// SPDX-License-Identifier: Apache-2.0
// A single-port synchronous RAM of 64-bit words: at most one access a cycle, which is checked.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace odonata::hw {

/// Reads give the word as it was before the edge; writes take effect at clock(). Content survives a reset.
class SinglePortRam {
 public:
  SinglePortRam(std::string name, size_t words) : name_(std::move(name)), word_(words) {}

  /// The access of this cycle: a read. Throws std::logic_error when the port has been used in this cycle.
  uint64_t read(uint32_t index) {
    claim();
    return word_[index];
  }
  /// The access of this cycle: a write, which clock() performs.
  void write(uint32_t index, uint64_t data) {
    claim();
    writes_ = true;
    index_ = index;
    data_ = data;
  }
  /// The rising edge; `enable` is false while the reset is active (no write takes place then).
  void clock(bool enable) {
    if (writes_ && enable) word_[index_] = data_;
    busy_ = writes_ = false;
  }

  /// Content without time or port, for transport_dbg.
  uint64_t peek(uint32_t index) const { return word_[index]; }
  void poke(uint32_t index, uint64_t data) { word_[index] = data; }
  size_t size() const { return word_.size(); }

 private:
  void claim() {
    if (busy_) throw std::logic_error(name_ + ": second access to a single-port RAM in one cycle");
    busy_ = true;
  }

  std::string name_;
  std::vector<uint64_t> word_;
  bool busy_ = false, writes_ = false;
  uint32_t index_ = 0;
  uint64_t data_ = 0;
};

}  // namespace odonata::hw
