// SPDX-License-Identifier: Apache-2.0
// An array of zeros whose pages cost nothing until they are written: the rings of a domain, most of which never fill
// (docs/network.md §3).
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/touched_pages.h"

namespace odonata::network {

/// Of constant size, set once by allot(). It lies in pages of its own, because what malloc gives may have been used
/// before.
template <class T>
class UntouchedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// Throws bad_alloc.
  void allot(size_t size) {
    memory_.reset();
    size_ = size;
    if (size == 0) return;
    void* const memory =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, bytes(), MADV_NOHUGEPAGE);  // a huge page would be all touched; where there are none it may fail
    memory_ = Memory(static_cast<T*>(memory), Unmap{bytes()});
  }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }  ///< that it may come to use
  T* data() { return memory_.get(); }
  T& operator[](size_t i) { return memory_.get()[i]; }
  const T& operator[](size_t i) const { return memory_.get()[i]; }

  /// Saves or restores the state: which blocks are not all zeros, and those. Throws Error when it is not that of such
  /// an array.
  template <class Visit>
  void visit_state(Visit& visit) {
    std::vector<uint32_t> blocks;
    std::vector<T> items;
    if constexpr (!Visit::kReads) {
      TouchedPages touched;
      for (size_t first = 0; first < size_; first += kBlock) {
        const T* const begin = data() + first;
        const size_t count = std::min(kBlock, size_ - first);
        if (!touched.any(begin, count * sizeof(T)) || is_zero(begin, count * sizeof(T))) continue;
        blocks.push_back(static_cast<uint32_t>(first / kBlock));
        items.insert(items.end(), begin, begin + count);
      }
    }
    visit(blocks), visit(items);
    if constexpr (Visit::kReads) {
      allot(size_);  // what is not listed is zero
      size_t at = 0;
      for (const uint32_t block : blocks) {
        const size_t first = block * kBlock, count = first < size_ ? std::min(kBlock, size_ - first) : 0;
        expect_state(count != 0 && count <= items.size() - at, "blocks of flits");
        std::memcpy(static_cast<void*>(data() + first), items.data() + at, count * sizeof(T));
        at += count;
      }
      expect_state(at == items.size(), "blocks of flits");
    }
  }

 private:
  static constexpr size_t kBlock = 4096 / sizeof(T);
  static bool is_zero(const T* items, size_t bytes) {
    const char* const first = reinterpret_cast<const char*>(items);
    return *first == 0 && std::memcmp(first, first + 1, bytes - 1) == 0;
  }
  struct Unmap {
    size_t bytes = 0;
    void operator()(T* memory) const { munmap(memory, bytes); }
  };
  using Memory = std::unique_ptr<T[], Unmap>;

  Memory memory_;
  size_t size_ = 0;
};

}  // namespace odonata::network
