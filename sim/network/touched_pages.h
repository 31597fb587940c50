// SPDX-License-Identifier: Apache-2.0
// Which pages of this process have memory. Some kernels give it to a page that is only read, so whoever looks for what
// is not zero in a large array must not read pages that nobody has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <vector>

namespace odonata::network {

/// As it is when a page is first asked for, some thousand pages at a time: not for longer than a look.
class TouchedPages {
 public:
  TouchedPages();
  /// Whether one of these bytes lies in a page that is in memory or swapped out. Where the kernel does not tell: true.
  bool any(const void* first, size_t bytes);

 private:
  bool has_memory(uint64_t page);
  std::ifstream map_;
  uint64_t page_bytes_, first_ = 0;
  std::vector<uint64_t> entries_;  // of pages from first_ on
};

}  // namespace odonata::network
