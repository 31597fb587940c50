// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/operations.h"

#include <bit>

namespace odonata::cosim {

using table::EntryC;
using table::GlobalEntryA;
using table::GlobalEntryB;
namespace reg = route_compute::reg;

namespace {

uint32_t draw(Random& random, int n) { return random.below(static_cast<uint32_t>(n)); }
int random_local_port(const Dragonfly& d, Random& random) {
  return d.first_local() + static_cast<int>(draw(random, d.a() - 1));
}
int random_bit(uint64_t word, Random& random) {
  for (uint32_t skip = draw(random, std::popcount(word)); skip > 0; --skip) word &= word - 1;
  return std::countr_zero(word);
}

/// A map of n ports: none, one, all, few, many.
uint64_t random_map(int n, Random& random) {
  const uint64_t all = low_mask(n);
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return all;
    case 2:
      return random.next() & random.next() & random.next() & all;
    case 3:
      return random.next() & all;
    default:
      return 1ull << draw(random, n);
  }
}

}  // namespace

uint64_t random_default_entry(const Dragonfly& d, Random& random) {
  const uint64_t map = random_map(d.num_ports(), random);
  switch (random.below(8)) {
    case 0:
      return random_map(d.p(), random);
    case 1:
      return random_map(d.a() - 1, random) << d.first_local();
    case 2:
      return random_map(d.h(), random) << d.first_global();
    default:
      return map;
  }
}

uint64_t random_global_a(const Dragonfly& d, Random& random) {
  GlobalEntryA e;
  e.own_router = random.below(4) == 0;
  if (random.below(8) != 0) e.port = random_local_port(d, random);
  e.global_ports = static_cast<uint32_t>(random_map(d.h(), random));
  return e.encode();
}

uint64_t random_global_b(const Dragonfly& d, Random& random) {
  GlobalEntryB e;
  const uint32_t density = random.below(9);
  for (int& port : e.port) {
    if (random.below(8) < density) port = random_local_port(d, random);
  }
  e.own_global_ports = static_cast<uint32_t>(random_map(d.h(), random));
  return e.encode();
}

uint64_t random_entry_c(const Dragonfly& d, Random& random) {
  EntryC e;
  const uint32_t density = random.below(9);
  for (int& port : e.port) {
    if (random.below(8) < density) port = random_local_port(d, random);
  }
  if (random.below(3) == 0) {
    e = {};
    e.port[draw(random, table::kPortsC)] = random_local_port(d, random);
  }
  return e.encode();
}

uint64_t without_an_option(uint64_t word, Random& random) {
  return word == 0 ? 0 : word & ~(1ull << random_bit(word, random));
}

uint64_t global_a_without_an_option(uint64_t word, Random& random) {
  GlobalEntryA e = GlobalEntryA::decode(word);
  e.global_ports = static_cast<uint32_t>(without_an_option(e.global_ports, random));
  return e.global_ports == 0 ? GlobalEntryA{}.encode() : e.encode();
}

uint64_t global_b_without_an_option(uint64_t word, Random& random) {
  GlobalEntryB e = GlobalEntryB::decode(word);
  if (random.below(3) == 0) {
    e.own_global_ports = static_cast<uint32_t>(without_an_option(e.own_global_ports, random));
  } else {
    e.port[draw(random, table::kNeighboursB)] = kNoPort;
  }
  return e.encode();
}

ConfigOperation random_read(const Dragonfly& d, Random& random) {
  const auto word = [&random](uint32_t base, int n) { return ConfigOperation{false, base + 8 * draw(random, n), 0}; };
  switch (random.below(8)) {
    case 0:
      return word(reg::kTableA, table::size_a(d));
    case 1:
      return word(reg::kTableB, table::size_b(d));
    case 2:
      return word(reg::kTableC, d.a());
    case 3:
      return word(reg::kId, 7);
    default:
      return word(reg::kCounters, reg::kNumCounters);
  }
}

namespace {

ConfigOperation hole(const Dragonfly& d, int which, bool write, Random& random) {
  // A range check that is off by one shows only at the first and the last word of a hole, with data that would be good
  // elsewhere.
  const auto between = [&](uint32_t first, uint32_t end) {
    const uint32_t edge = random.below(4), words = (end - first) / 8;
    const uint32_t word = edge == 0 ? 0 : edge == 1 ? words - 1 : random.below(words);
    return ConfigOperation{write, first + 8 * word, random.below(2) == 0 ? 0 : random.next()};
  };
  switch (which) {
    case 0:
      return between(reg::kTableA + 8 * static_cast<uint32_t>(table::size_a(d)), reg::kTableB);
    case 1:
      return between(reg::kTableB + 8 * static_cast<uint32_t>(table::size_b(d)), reg::kTableC);
    case 2:
      return between(reg::kTableC + 8 * static_cast<uint32_t>(d.a()), reg::kId);
    case 3:
      return between(reg::kRule + 8, reg::kCounters);
    default:
      return between(reg::kCounters + 8 * reg::kNumCounters, reg::kEnd);
  }
}

ConfigOperation refused_entry(const Dragonfly& d, int kind, PortClass port_class, Random& random) {
  const bool node = port_class == PortClass::node;
  const uint32_t first_a = static_cast<uint32_t>(node ? d.p() + d.a() : table::size_a(d));
  const uint32_t first_b = static_cast<uint32_t>(node ? d.a() : table::size_b(d));
  const ConfigOperation a_default{true, reg::kTableA + 8 * random.below(first_a), 0},
      b_default{true, reg::kTableB + 8 * random.below(first_b), 0};
  const ConfigOperation a_global{true, reg::kTableA + 8 * (static_cast<uint32_t>(d.p() + d.a()) + draw(random, d.g())),
                                 0};
  const ConfigOperation b_global{true, reg::kTableB + 8 * (static_cast<uint32_t>(d.a()) + draw(random, d.g())), 0};
  const auto with = [](ConfigOperation op, uint64_t data) {
    op.data = data;
    return op;
  };
  const uint64_t bad_bit = 1ull << (d.num_ports() + static_cast<int>(draw(random, 64 - d.num_ports())));
  const int bad_port = random.below(2) == 0 ? static_cast<int>(draw(random, d.p())) : d.first_global();
  GlobalEntryA a = GlobalEntryA::decode(random_global_a(d, random));
  GlobalEntryB b = GlobalEntryB::decode(random_global_b(d, random));
  if (kind >= 2 && !node) kind &= 1;
  switch (kind) {
    case 0:
      return with(a_default, random_default_entry(d, random) | bad_bit);
    case 1:
      return with(b_default, random_default_entry(d, random) | bad_bit);
    case 2:
      return with(a_global, a.encode() | 1ull << (23 + draw(random, 41)));
    case 3:
      if (d.h() == kMaxGlobalPorts) return hole(d, 0, true, random);
      a.global_ports |= 1u << (d.h() + static_cast<int>(draw(random, 16 - d.h())));
      return with(a_global, a.encode());
    case 4:
      a.port = bad_port;
      return with(a_global, a.encode());
    case 5:
      if (d.h() == kMaxGlobalPorts) return hole(d, 1, true, random);
      b.own_global_ports |= 1u << (d.h() + static_cast<int>(draw(random, 16 - d.h())));
      return with(b_global, b.encode());
    default:
      b.port[draw(random, table::kNeighboursB)] = bad_port;
      return with(b_global, b.encode());
  }
}

ConfigOperation refused_c(const Dragonfly& d, int kind, Random& random) {
  const uint32_t address = reg::kTableC + 8 * draw(random, d.a());
  const int shift = 8 * static_cast<int>(draw(random, table::kPortsC));
  const uint64_t others = random_entry_c(d, random) & ~(0xFFull << shift);
  const uint64_t local = static_cast<uint64_t>(random_local_port(d, random));
  switch (kind) {
    case 0:
      return {true, address, others | 1ull << (48 + draw(random, 16))};
    case 1:
      return {true, address, others | (0xC0 | local) << shift};
    case 2:
      return {true, address, others | (local | (random.below(2) ? 0x40 : 0)) << shift};
    default:
      return {true, address, others | static_cast<uint64_t>(0x80 | (random.below(2) ? d.first_global() : 0)) << shift};
  }
}

ConfigOperation refused_register(const Dragonfly& d, int kind, Random& random) {
  const auto high_bit = [&random](int from) { return 1ull << (from + static_cast<int>(draw(random, 64 - from))); };
  const uint64_t last_group = static_cast<uint64_t>(d.g() - 1) << 5;
  switch (kind) {
    case 0:
      return {true, reg::kId, reg::kIdValue};
    case 1:
      return {true, reg::kSize, random.next()};
    case 2:
      return {true, reg::kCounters + 8 * random.below(reg::kNumCounters), 0};
    case 3:
      return {true, reg::kRouterId, high_bit(14)};
    case 4:
      return d.a() == kMaxRoutersPerGroup
                 ? hole(d, 2, true, random)
                 : ConfigOperation{true, reg::kRouterId, last_group | static_cast<uint64_t>(d.a())};
    case 5:
      return d.g() == kMaxGroups ? hole(d, 3, true, random) : ConfigOperation{true, reg::kRouterId, last_group + 32};
    case 6:
      return {true, reg::kPort, high_bit(3) | random.below(3)};
    case 7:
      return {true, reg::kPort, 3 | (random.below(2) << 2)};
    case 8:
      return {true, reg::kThreshold, high_bit(32) | random.below(1u << 16)};
    case 9:
      return {true, reg::kLfsr, high_bit(16) | 1};
    case 10:
      return {true, reg::kLfsr, 0};
    default:
      return {true, reg::kRule, high_bit(3) | random.below(8)};
  }
}

}  // namespace

ConfigOperation refused_operation(const Dragonfly& d, int kind, PortClass port_class, Random& random) {
  if (kind < 10) return hole(d, kind % 5, kind >= 5, random);
  if (kind < 17) return refused_entry(d, kind - 10, port_class, random);
  if (kind < 21) return refused_c(d, kind - 17, random);
  return refused_register(d, kind - 21, random);
}

}  // namespace odonata::cosim
