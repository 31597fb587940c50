// SPDX-License-Identifier: Apache-2.0
// Asks for memory before it is needed: while one domain runs, what the next one will touch comes into the cache, a
// little in every cycle (docs/network.md §4). Changes nothing but the time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata::network {

/// Asks for the element `n` behind p, which need not exist; p may be null.
template <class T>
[[gnu::always_inline]] inline void prefetch_behind(const T* p, std::size_t n) {
  const auto address = reinterpret_cast<std::uintptr_t>(p) + n * sizeof(T);  // not p + n, which null has not
  __builtin_prefetch(reinterpret_cast<const void*>(address));                // NOLINT(performance-no-int-to-ptr)
}

class Prefetch {
 public:
  static constexpr size_t kLine = 64;  ///< bytes of a cache line

  /// Forgets what is left.
  void clear() {
    ranges_.clear();
    at_ = nullptr, end_ = nullptr;
    next_ = lines_ = 0;
  }
  void add(const void* first, size_t bytes) {
    if (bytes == 0) return;
    const char* const from = static_cast<const char*>(first);
    ranges_.push_back({from, from + bytes});
    lines_ += bytes / kLine + 1;
  }
  /// So that it can visit state: adds containers, passes over numbers.
  template <class T>
  void operator()(const std::vector<T>& list) {
    add(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  void operator()(const T&) {}

  size_t lines() const { return lines_; }
  /// Asks for the next `lines` cache lines.
  void ask(size_t lines) {
    while (lines != 0) {
      if (at_ >= end_) {
        if (next_ == ranges_.size()) return;
        at_ = ranges_[next_].first, end_ = ranges_[next_].end;
        ++next_;
      }
      const size_t here = std::min(lines, (static_cast<size_t>(end_ - at_) + kLine - 1) / kLine);
      lines -= here;
      for (const char* const last = at_ + here * kLine; at_ != last; at_ += kLine) __builtin_prefetch(at_);
    }
  }

 private:
  struct Range {
    const char *first, *end;
  };
  std::vector<Range> ranges_;
  const char *at_ = nullptr, *end_ = nullptr;
  size_t next_ = 0, lines_ = 0;
};

}  // namespace odonata::network
