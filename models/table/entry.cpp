// SPDX-License-Identifier: Apache-2.0
#include "models/table/entry.h"

namespace odonata::table {

namespace {

bool local_or_none(const Dragonfly& d, int port) { return port == kNoPort || d.is_local_port(port); }

}  // namespace

bool valid_default_entry(const Dragonfly& d, uint64_t word) { return (word & ~low_mask(d.num_ports())) == 0; }

bool valid_global_a(const Dragonfly& d, uint64_t word) {
  const GlobalEntryA e = GlobalEntryA::decode(word);
  return word >> 23 == 0 && e.global_ports >> d.h() == 0 && local_or_none(d, e.port);
}

bool valid_global_b(const Dragonfly& d, uint64_t word) {
  const GlobalEntryB e = GlobalEntryB::decode(word);
  for (int port : e.port) {
    if (!local_or_none(d, port)) return false;
  }
  return e.own_global_ports >> d.h() == 0;
}

bool valid_c(const Dragonfly& d, uint64_t word) {
  if (word >> 48 != 0) return false;
  for (int k = 0; k < kPortsC; ++k) {
    const int byte = static_cast<int>(word >> (8 * k) & 0xFF);
    if (byte & 0x80 ? (byte & 0x40) != 0 || !d.is_local_port(byte & 63) : byte != 0) return false;
  }
  return true;
}

}  // namespace odonata::table
