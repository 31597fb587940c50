// SPDX-License-Identifier: Apache-2.0
// An open-addressing hash set of packed configurations: linear probing, power-of-two size, no erase. Key 0 is reserved.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace odonata::arb_request {

template <class Key>
class StateSet {
 public:
  explicit StateSet(int log2_size = 16) : log2_size_(log2_size), slot_(allocate(log2_size)) {}

  uint64_t size() const { return used_; }
  uint64_t bytes() const { return (1ull << log2_size_) * sizeof(Key); }
  /// Bytes in use while `more` keys are inserted; during a growth the old and the new table exist together.
  uint64_t bytes_to_go_on(uint64_t more) const { return bytes() * (full(more) ? 3 : 1); }
  void prefetch(Key key) const { __builtin_prefetch(&slot_[place(key)], 1); }
  /// True if the key was new; key != 0.
  bool insert(Key key) {
    if (full()) grow();
    return insert_in(key);
  }

 private:
  struct Free {
    void operator()(Key* p) const { std::free(p); }
  };
  using Array = std::unique_ptr<Key[], Free>;

  bool full(uint64_t more = 0) const { return (used_ + more) * 8 >= (5ull << log2_size_); }
  static Array allocate(int log2_size) {
    const size_t bytes = (size_t{1} << log2_size) * sizeof(Key);
    constexpr size_t kHugePage = size_t{1} << 21;
    void* p = std::aligned_alloc(bytes < kHugePage ? 4096 : kHugePage, bytes);
    if (!p) throw std::bad_alloc();
#if defined(__linux__)
    if (bytes >= kHugePage) madvise(p, bytes, MADV_HUGEPAGE);  // random access all over: spare the TLB
#endif
    Array array(static_cast<Key*>(p));
    for (size_t i = 0; i < (size_t{1} << log2_size); ++i) array[i] = 0;
    return array;
  }
  size_t place(Key key) const {
    uint64_t h = static_cast<uint64_t>(key);
    if constexpr (sizeof(Key) > 8) h ^= static_cast<uint64_t>(key >> 64) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ull;
    return static_cast<size_t>((h ^ (h << 27)) >> (64 - log2_size_));
  }
  bool insert_in(Key key) {
    const size_t mask = (size_t{1} << log2_size_) - 1;
    size_t i = place(key);
    while (slot_[i] != 0) {
      if (slot_[i] == key) return false;
      i = (i + 1) & mask;
    }
    slot_[i] = key;
    ++used_;
    return true;
  }
  void grow() {
    const size_t old_size = size_t{1} << log2_size_;
    Array old = std::move(slot_);
    slot_ = allocate(++log2_size_);
    used_ = 0;
    for (size_t i = 0; i < old_size; ++i)
      if (old[i] != 0) insert_in(old[i]);
  }

  int log2_size_;
  Array slot_;
  uint64_t used_ = 0;
};

}  // namespace odonata::arb_request
