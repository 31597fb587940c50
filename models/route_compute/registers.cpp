// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/registers.h"

#include "models/common/random.h"

namespace odonata::route_compute {

namespace {

uint32_t index_in(uint32_t word_address, uint32_t base) { return word_address - base / 8; }
bool inside(uint32_t word_address, uint32_t base, size_t entries) {
  return word_address >= base / 8 && word_address < base / 8 + entries;
}

}  // namespace

Registers::Registers(const Dragonfly& d)
    : config_(d),
      absolute_at_reset_(d.arrangement() == Arrangement::absolute),
      table_a_(table::size_a(d)),
      table_b_(table::size_b(d)) {}

void Registers::reset() {
  config_.set_own({0, 0});
  config_.set_port(PortClass::node, absolute_at_reset_);
  config_.set_rule({});
  for (int r = 0; r < dragonfly().a(); ++r) config_.set_table_c(r, 0);
  lfsr_ = kLfsrReset;
  threshold_ = reg::kThresholdReset;
  counters_.fill(0);
}

Target Registers::target(bool write, uint32_t word_address, uint64_t data) const {
  const Dragonfly& d = dragonfly();
  const auto check = [write](Target t, bool valid) { return !write || valid ? t : Target::refused; };
  const bool node = config_.port_class() == PortClass::node;
  if (inside(word_address, reg::kTableA, table_a_.size())) {
    const bool global = node && index_in(word_address, reg::kTableA) >= static_cast<uint32_t>(d.p() + d.a());
    return check(Target::table_a, global ? table::valid_global_a(d, data) : table::valid_default_entry(d, data));
  }
  if (inside(word_address, reg::kTableB, table_b_.size())) {
    const bool global = node && index_in(word_address, reg::kTableB) >= static_cast<uint32_t>(d.a());
    return check(Target::table_b, global ? table::valid_global_b(d, data) : table::valid_default_entry(d, data));
  }
  if (inside(word_address, reg::kTableC, d.a())) return check(Target::table_c, table::valid_c(d, data));
  if (inside(word_address, reg::kCounters, reg::kNumCounters)) return check(Target::counter, false);
  switch (word_address * 8) {
    case reg::kId:
    case reg::kSize:
      return check(Target::constant, false);
    case reg::kRouterId:
      return check(Target::router_id, (data & ~reg::kRouterIdBits) == 0 && static_cast<int>(data & 31) < d.a() &&
                                          static_cast<int>(data >> 5) < d.g());
    case reg::kPort:
      return check(Target::port, (data & ~reg::kPortBits) == 0 && (data & 3) != 3);
    case reg::kThreshold:
      return check(Target::threshold, (data & ~reg::kThresholdBits) == 0);
    case reg::kLfsr:
      return check(Target::lfsr, (data & ~reg::kLfsrBits) == 0 && data != 0);
    case reg::kRule:
      return check(Target::rule, (data & ~reg::kRuleBits) == 0);
    default:
      return Target::refused;
  }
}

uint64_t Registers::read(Target target, uint32_t word_address) const {
  const Dragonfly& d = dragonfly();
  switch (target) {
    case Target::table_a:
      return table_a_[index_in(word_address, reg::kTableA)];
    case Target::table_b:
      return table_b_[index_in(word_address, reg::kTableB)];
    case Target::table_c:
      return config_.table_c(static_cast<int>(index_in(word_address, reg::kTableC)));
    case Target::router_id:
      return static_cast<uint64_t>(config_.own().gid << 5 | config_.own().bid);
    case Target::port:
      return static_cast<uint64_t>(config_.port_class()) | (config_.absolute() ? 4 : 0);
    case Target::threshold:
      return threshold_;
    case Target::lfsr:
      return lfsr_;
    case Target::rule:
      return config_.rule().word();
    case Target::counter:
      return counters_[index_in(word_address, reg::kCounters)];
    case Target::constant:
      if (word_address * 8 == reg::kId) return reg::kIdValue;
      return static_cast<uint64_t>(d.p()) | static_cast<uint64_t>(d.a()) << 8 | static_cast<uint64_t>(d.h()) << 16 |
             static_cast<uint64_t>(d.g()) << 24 | static_cast<uint64_t>(table::kNeighboursB) << 40;
    default:
      return 0;
  }
}

void Registers::write(Target target, uint32_t word_address, uint64_t data) {
  switch (target) {
    case Target::table_a:
      table_a_[index_in(word_address, reg::kTableA)] = data;
      break;
    case Target::table_b:
      table_b_[index_in(word_address, reg::kTableB)] = data;
      break;
    case Target::table_c:
      config_.set_table_c(static_cast<int>(index_in(word_address, reg::kTableC)), data);
      break;
    case Target::router_id:
      config_.set_own({static_cast<int>(data >> 5), static_cast<int>(data & 31)});
      break;
    case Target::port:
      config_.set_port(static_cast<PortClass>(data & 3), (data & 4) != 0);
      break;
    case Target::threshold:
      threshold_ = static_cast<uint32_t>(data);
      break;
    case Target::lfsr:
      lfsr_ = static_cast<uint16_t>(data);
      break;
    case Target::rule:
      config_.set_rule({(data & 1) != 0, (data & 2) != 0, (data & 4) != 0});
      break;
    default:
      break;
  }
}

Entries Registers::entries(const Decoded& decoded) const {
  switch (decoded.zone) {
    case table::Zone::invalid:
      return {};
    case table::Zone::node:
      return {table_a_[decoded.index_a], 0};
    default:
      return {table_a_[decoded.index_a], table_b_[decoded.index_b]};
  }
}

std::vector<RegisterWrite> configuration_writes(const Dragonfly& d, RouterId own, int port,
                                                const table::PortTables& tables, uint16_t lfsr_seed) {
  std::vector<RegisterWrite> out;
  out.reserve(tables.a.size() + tables.b.size() + tables.c.size() + 3);
  const uint64_t absolute = d.arrangement() == Arrangement::absolute ? 4 : 0;
  out.push_back({reg::kRouterId, static_cast<uint64_t>(own.gid << 5 | own.bid)});
  out.push_back({reg::kPort, static_cast<uint64_t>(d.port_class(port)) | absolute});
  out.push_back({reg::kLfsr, lfsr_seed});
  const auto add = [&out](uint32_t base, const std::vector<uint64_t>& words) {
    for (size_t i = 0; i < words.size(); ++i) out.push_back({base + static_cast<uint32_t>(8 * i), words[i]});
  };
  add(reg::kTableA, tables.a);
  add(reg::kTableB, tables.b);
  add(reg::kTableC, tables.c);
  return out;
}

uint16_t lfsr_seed(uint64_t seed, const Dragonfly& d, RouterId own, int port) {
  const uint64_t mixed = mix_seed(seed, static_cast<uint64_t>(d.router_index(own)), static_cast<uint64_t>(port));
  return static_cast<uint16_t>(mixed % 65535 + 1);
}

}  // namespace odonata::route_compute
