// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/situation.h"

#include <algorithm>
#include <sstream>

#include "tb/common/property.h"

namespace odonata::route_compute::oracle {
namespace {

int number(int first, int last) { return test::uniform(first, last); }
bool coin() { return number(0, 1) == 1; }
/// Over first..last, the two ends much more often than the rest.
int edgy(int first, int last) {
  const int kind = number(0, 5);
  return kind == 4 ? first : kind == 5 ? last : number(first, last);
}
uint64_t word() { return test::uniform_word(); }

DragonflySize any_size() {
  switch (number(0, 5)) {
    case 0:
      return {2, 4, 2, 8};
    case 1:
      return {6, 12, 6, 73};
    case 2:
      return {16, 32, 16, 512};
    default:
      break;
  }
  DragonflySize size;
  size.p = number(1, 16);
  size.a = number(2, 32);
  size.h = number(1, 16);
  size.g = number(2, std::min(512, size.a * size.h + 1));
  return size;
}

int any_local_port(const DragonflySize& size) { return edgy(size.p, size.p + size.a - 2); }

uint64_t any_word_c(const DragonflySize& size, int ports) {
  uint64_t result = 0;
  for (int k = 0; k < 6; ++k) {
    if (number(0, 5) < ports) result |= static_cast<uint64_t>(0x80 | any_local_port(size)) << (8 * k);
  }
  return result;
}

/// Table C as it is configured, with gaps, or with several ports a router.
std::vector<uint64_t> any_table_c(const DragonflySize& size, int own) {
  std::vector<uint64_t> result(size.a);
  const int style = number(0, 3), missing = number(0, 40);
  for (int r = 0; r < size.a; ++r) {
    if (style <= 1) {
      if (r != own)
        result[r] = static_cast<uint64_t>(0x80 | (size.p + (r < own ? r : r - 1)))
                    << (style == 0 ? 0 : 8 * number(0, 5));
    } else {
      result[r] = any_word_c(size, style == 2 ? 2 : 5);
    }
    if (r == missing) result[r] = 0;
  }
  return result;
}

/// 64 bits of the given density: 0 none, 1 sparse, 2 half, 3 dense, 4 all.
uint64_t bits_of(int density) {
  switch (density) {
    case 0:
      return 0;
    case 1:
      return word() & word() & word() & word();
    case 2:
      return word();
    case 3:
      return word() | word() | word();
    default:
      return ~0ull;
  }
}

Ports any_ports(int count, int density) {
  Ports result;
  uint64_t bits = 0;
  for (int k = 0; k < count; ++k) {
    if (k % 64 == 0) bits = bits_of(density);
    if (bits >> (k % 64) & 1) result.insert(k);
  }
  return result;
}

int any_density() { return number(0, 4); }

uint64_t any_global_entry_a(const DragonflySize& size) {
  const bool own = number(0, 3) == 0;
  const int port = number(0, 9) == 0 ? 63 : any_local_port(size);
  const uint64_t ports = coin() ? 1ull << edgy(0, size.h - 1) : word() & ((1ull << size.h) - 1);
  return ports | static_cast<uint64_t>(port) << 16 | (own ? 1ull << 22 : 0);
}

uint64_t any_global_entry_b(const DragonflySize& size) {
  uint64_t result = (word() & ((1ull << size.h) - 1)) << 48;
  if (number(0, 3) == 0) result = 0;
  const int listed = number(0, 8);
  for (int k = 0; k < 8; ++k) result |= static_cast<uint64_t>(k < listed ? any_local_port(size) : 63) << (6 * k);
  return result;
}

uint64_t any_default_entry(const DragonflySize& size) {
  return bits_of(any_density()) & low_mask(size.p + size.a - 1 + size.h);
}

void any_entries(Situation& s, bool rta) {
  if (number(0, 4) == 0) {  // words of the other kind, as after a change of class
    s.entry_a = word();
    s.entry_b = word();
    return;
  }
  s.entry_a = rta ? any_global_entry_a(s.size) : any_default_entry(s.size);
  s.entry_b = rta ? any_global_entry_b(s.size) : any_default_entry(s.size);
}

/// `distance`: 0 own router, 1 own group, 2 other group, 3 anything that fits into 18 bits.
Address any_address(const DragonflySize& size, RouterId own, int distance) {
  if (distance == 3) return {number(0, 511), number(0, 31), number(0, 15)};
  Address to{own.gid, own.bid, number(0, size.p - 1)};
  if (distance >= 1) to.bid = edgy(0, size.a - 1);
  if (distance == 2) to.gid = (own.gid + number(1, size.g - 1)) % size.g;
  return to;
}

Situation situation(bool rta) {
  Situation s;
  s.size = any_size();
  s.absolute = coin();
  s.own = {edgy(0, s.size.g - 1), edgy(0, s.size.a - 1)};
  s.port_class = rta ? PortClass::node : static_cast<PortClass>(number(0, 2));
  s.table_c = any_table_c(s.size, s.own.bid);
  const int distance = rta ? 2 : std::min(number(0, 5), 3);
  s.request.dest = any_address(s.size, s.own, distance);
  s.request.src_gid = coin() ? s.own.gid : number(0, 511);
  s.request.vc = number(0, 3);
  any_entries(s, rta || (s.port_class == PortClass::node && distance >= 2));
  s.cong_local = any_ports(s.size.p + s.size.a - 1 + s.size.h, any_density());
  s.cong_global = any_ports(s.size.a * s.size.h, any_density());
  s.lfsr = static_cast<uint16_t>(word());
  s.busy_local = any_ports(s.size.p + s.size.a - 1 + s.size.h, any_density());
  s.busy_global = any_ports(s.size.a * s.size.h, any_density());
  if (coin()) s.rule = {coin(), coin(), coin()};
  return s;
}

UnitConfig config_of(const Situation& s) {
  UnitConfig config(
      Dragonfly(s.size, s.size.g == s.size.a * s.size.h + 1 ? Arrangement::absolute : Arrangement::direct));
  config.set_own(s.own);
  config.set_port(s.port_class, s.absolute);
  for (int r = 0; r < s.size.a; ++r) config.set_table_c(r, s.table_c[r]);
  config.set_rule(s.rule);
  return config;
}

Entries entries_of(const Situation& s, const Decoded& decoded) {
  if (decoded.zone == table::Zone::invalid) return {};
  return {s.entry_a, decoded.zone == table::Zone::node ? 0 : s.entry_b};
}

Congestion congestion_of(const Situation& s) {
  Congestion congestion;
  for (int port : s.cong_local) congestion.local |= 1ull << port;
  for (int port : s.cong_global) congestion.global.set(port);
  for (int port : s.busy_local) congestion.busy_local |= 1ull << port;
  for (int port : s.busy_global) congestion.busy_global.set(port);
  return congestion;
}

std::string in_words(const Decision& d) {
  std::ostringstream out;
  out << "class " << to_string(d.hop_class) << ", port " << int{d.port} << ", VC " << int{d.vc} << ", router "
      << int{d.router} << ", nonempty 0x" << std::hex << int{d.nonempty};
  return out.str();
}

}  // namespace

rc::Gen<Situation> any_situation() {
  return rc::gen::exec([] { return situation(false); });
}
rc::Gen<Situation> any_rta_situation() {
  return rc::gen::exec([] { return situation(true); });
}

Arguments::Arguments(const Situation& s)
    : config(config_of(s)),
      request(s.request),
      decoded(decode(config, request)),
      entries(entries_of(s, decoded)),
      congestion(congestion_of(s)),
      lfsr(s.lfsr) {}

std::string difference(const Decision& expected, const Decision& got) {
  return expected == got ? "" : "expected " + in_words(expected) + "; got " + in_words(got);
}

Ports to_ports(const GroupMap& map) {
  Ports out;
  for (int bit = 0; bit < 512; ++bit) {
    if (map.test(bit)) out.insert(bit);
  }
  return out;
}

Ports to_ports(PortMap map) {
  Ports out;
  for (int bit = 0; bit < 64; ++bit) {
    if (map >> bit & 1) out.insert(bit);
  }
  return out;
}

}  // namespace odonata::route_compute::oracle
