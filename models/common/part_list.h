// SPDX-License-Identifier: Apache-2.0
// A list over all of something of which only some blocks are here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata {

/// Items by their number over all; those of blocks that are not here take no memory and may not be asked for.
template <class Item>
class PartList {
 public:
  /// `block` items for every entry of `here`, where that is not 0.
  void lay(const std::vector<uint8_t>& here, size_t block) {
    block_ = block;
    first_.clear();
    whole_ = std::find(here.begin(), here.end(), 0) == here.end();
    size_t count = 0;
    for (const uint8_t is : here) {
      first_.push_back(count);
      count += is != 0 ? block : 0;
    }
    items_ = std::vector<Item>(count);
  }
  Item& operator[](size_t i) { return items_[place_of(i)]; }
  const Item& operator[](size_t i) const { return items_[place_of(i)]; }
  /// The items of a block that is here.
  const Item* block(size_t b) const { return items_.data() + first_[b]; }
  /// Those that are here, in their order.
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  size_t place_of(size_t i) const { return whole_ ? i : first_[i / block_] + i % block_; }

  bool whole_ = true;  // all are here
  size_t block_ = 1;
  std::vector<size_t> first_;  // by block
  std::vector<Item> items_;
};

}  // namespace odonata
