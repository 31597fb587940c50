// SPDX-License-Identifier: Apache-2.0
#include "sim/network/touched_pages.h"

#include <unistd.h>

namespace odonata::network {

TouchedPages::TouchedPages()
    : map_("/proc/self/pagemap", std::ios::binary), page_bytes_(static_cast<uint64_t>(sysconf(_SC_PAGESIZE))) {}

bool TouchedPages::any(const void* first, size_t bytes) {
  const uint64_t start = reinterpret_cast<uintptr_t>(first) / page_bytes_,
                 last = (reinterpret_cast<uintptr_t>(first) + bytes - 1) / page_bytes_;
  for (uint64_t page = start; page <= last; ++page) {
    if (has_memory(page)) return true;
  }
  return false;
}

/// The map has 64 bits a page: 63 is set when it is in memory, 62 when it is swapped out.
bool TouchedPages::has_memory(uint64_t page) {
  constexpr uint64_t kHasMemory = uint64_t{3} << 62;
  constexpr size_t kAtATime = 4096;
  if (page - first_ >= entries_.size()) {
    first_ = page;
    entries_.resize(kAtATime);
    map_.seekg(static_cast<std::streamoff>(page * sizeof(uint64_t)));
    map_.read(reinterpret_cast<char*>(entries_.data()), static_cast<std::streamsize>(kAtATime * sizeof(uint64_t)));
    if (!map_) entries_.clear();
  }
  return entries_.empty() || (entries_[page - first_] & kHasMemory) != 0;
}

}  // namespace odonata::network
