// SPDX-License-Identifier: Apache-2.0
// A list that is filled, read and cleared again and again.
#pragma once

#include <cstddef>
#include <vector>

namespace odonata {

/// Keeps its memory; adding is a store and an increment.
template <class Item>
class AppendList {
 public:
  [[gnu::always_inline]] void add(const Item& item) { room() = item; }
  /// A new item at the end, to be written.
  [[gnu::always_inline]] Item& room() {
    if (size_ == items_.size()) [[unlikely]]
      grow();
    return items_[size_++];
  }
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  /// Where the next items go, with room for n; finish() tells where the one after the last goes then.
  Item* open(size_t n) {
    if (size_ + n > items_.size()) items_.resize(2 * (size_ + n));
    return items_.data() + size_;
  }
  void finish(const Item* end) { size_ = static_cast<size_t>(end - items_.data()); }
  const Item* begin() const { return items_.data(); }
  const Item* end() const { return items_.data() + size_; }

 private:
  [[gnu::noinline]] void grow() { items_.resize(size_ < 32 ? 64 : 2 * size_); }

  std::vector<Item> items_;
  size_t size_ = 0;
};

}  // namespace odonata
