// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/corner_stimulus.h"

#include <algorithm>

#include "tb/route_compute/operations.h"

namespace odonata::cosim {

using route_compute::UnitInputs;
using route_compute::UnitOutputs;
using table::Zone;
namespace reg = route_compute::reg;

namespace {

uint32_t draw(Random& random, int n) { return random.below(static_cast<uint32_t>(n)); }
template <size_t N>
uint32_t one_of(Random& random, const std::array<uint32_t, N>& values) {
  return values[random.below(N)];
}

}  // namespace

CornerStimulus::CornerStimulus(const Dragonfly& d, const CornerOptions& options)
    : d_(d), options_(options), random_(mix_seed(options.seed, 0x636f)) {
  own_ = d_.router(static_cast<int>(draw(random_, d_.num_routers())));
  const auto seed = static_cast<uint16_t>(1 + random_.below(65535));
  driver_.push(route_compute::configuration_writes(d_, own_, 0, table::configure(d_, own_, 0), seed));
}

bool CornerStimulus::next(const UnitOutputs& last, UnitInputs& in) {
  if (options_.cycles != 0 && cycle_ >= options_.cycles) return false;
  ++cycle_;
  if (configured_ && cycle_ >= scene_end_) begin_scene();
  if (++congestion_age_ >= congestion_hold_) draw_congestion();
  if (configured_) drive_request();
  pins_.reset = reset_cycles_ > 0;
  if (pins_.reset) {
    --reset_cycles_;
    // Whatever is on the pins in reset has to be ignored.
    pins_.cfg_valid = random_.below(2) == 0;
    pins_.req_valid = random_.below(2) == 0;
  } else {
    if (!configured_) pins_.req_valid = false;  // what stood there in reset would keep the configuration waiting
    if (configured_ && driver_.size() < 4 && due(operation_rate_)) random_operation();
    driver_.drive(last, pins_);
    configured_ = configured_ || driver_.empty();
  }
  in = pins_;
  return true;
}

void CornerStimulus::begin_scene() {
  scene_end_ = cycle_ + 1 + draw(random_, 2 * options_.scene_cycles);
  request_rate_ = one_of<8>(random_, {0, 1, 4, 8, 12, 15, 16, 16});
  operation_rate_ = one_of<6>(random_, {0, 0, 1, 4, 8, 16});
  congestion_ = static_cast<CongestionKind>(draw(random_, static_cast<int>(CongestionKind::count)));
  congestion_hold_ = 1 + static_cast<int>(random_.below(12));
  const bool reset = random_.below(8) == 0;
  if (reset) {
    reset_cycles_ = 1 + static_cast<int>(random_.below(3));
    driver_.clear();
    own_ = {0, 0};
    class_ = PortClass::node;
  }
  if (driver_.size() > 64) return;  // a scene of back-to-back requests left operations behind
  if (reset || random_.below(2) == 0) write_identity(reset);
  if (random_.below(2) == 0) write(reg::kRule, 0, random_.below(8));
  choose_focus();
  write_entries();
}

/// Some or all of ROUTER_ID, PORT and, after a reset, table C. The tables A and B stay: entries of another class,
/// router or arrangement.
void CornerStimulus::write_identity(bool all) {
  const bool bare = all && options_.bare && random_.below(4) != 0;
  if (!bare && (all || random_.below(2) == 0)) {
    own_ = d_.router(static_cast<int>(draw(random_, d_.num_routers())));
    write(reg::kRouterId, 0, static_cast<uint64_t>(own_.gid << 5 | own_.bid));
  }
  if (!bare && (all || random_.below(2) == 0)) {
    class_ = static_cast<PortClass>(random_.below(3));
    write(reg::kPort, 0, static_cast<uint64_t>(class_) | random_.below(2) << 2);
  }
  if (!all || random_.below(4) == 0) return;
  for (int r = 0; r < d_.a(); ++r) {
    table::EntryC c;
    c.port[draw(random_, table::kPortsC)] = d_.local_port(0, r == 0 ? 1 : r);
    write(reg::kTableC, r, c.encode());
  }
}

/// One destination in each zone and one anywhere; the own router number also in other groups (class GB).
void CornerStimulus::choose_focus() {
  const auto nid = [this] { return static_cast<int>(draw(random_, d_.p())); };
  const auto bid = [this] { return random_.below(3) == 0 ? own_.bid : static_cast<int>(draw(random_, d_.a())); };
  focus_[0] = {own_.gid, own_.bid, nid()};
  focus_[1] = {own_.gid, static_cast<int>(draw(random_, d_.a())), nid()};
  focus_[2] = {static_cast<int>(draw(random_, d_.g())), bid(), nid()};
  focus_[3] = {static_cast<int>(draw(random_, d_.g())), bid(), nid()};
}

void CornerStimulus::write_entries() {
  for (const Address& to : focus_) {
    if (random_.below(4) != 0) write_focus_entry(to);
  }
  for (uint32_t n = random_.below(4); n > 0; --n)
    write(reg::kTableC, static_cast<int>(draw(random_, d_.a())), random_entry_c(d_, random_));
}

void CornerStimulus::write_focus_entry(const Address& to) {
  const Zone zone = table::zone_of(d_, own_, to);
  const bool global = class_ == PortClass::node && zone == Zone::global;
  const int a = table::index_a(d_, zone, to), b = table::index_b(d_, zone, to);
  const uint32_t which = random_.below(4);
  const uint64_t none_a = global ? table::GlobalEntryA{}.encode() : 0,
                 none_b = global ? table::GlobalEntryB{}.encode() : 0;
  if (a >= 0 && which != 0) {
    const uint64_t word = global ? random_global_a(d_, random_) : random_default_entry(d_, random_);
    write(reg::kTableA, a, random_.below(4) == 0 ? none_a : word);
  }
  if (b >= 0 && which != 1) {
    const uint64_t word = global ? random_global_b(d_, random_) : random_default_entry(d_, random_);
    write(reg::kTableB, b, random_.below(4) == 0 ? none_b : word);
  }
}

void CornerStimulus::random_operation() {
  switch (random_.below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return write_focus_entry(focus_[random_.below(4)]);
    case 5:
    case 6:
      return random_entry_write();
    case 7:
    case 8:
      return write(reg::kTableC, static_cast<int>(draw(random_, d_.a())), random_entry_c(d_, random_));
    case 9:
    case 10:
      return random_register_write();
    case 11:
    case 12:
      return driver_.push(refused_operation(d_, static_cast<int>(random_.below(kRefusals)), class_, random_));
    default:
      return driver_.push(random_read(d_, random_));
  }
}

void CornerStimulus::random_register_write() {
  switch (random_.below(5)) {
    case 0:
      return write(reg::kThreshold, 0, random_.next() >> 32);
    case 2:
      return write(reg::kRule, 0, random_.below(8));
    case 1:
      return write(reg::kLfsr, 0, 1 + random_.below(65535));
    default:
      return write_identity(false);
  }
}

void CornerStimulus::random_entry_write() {
  const bool table_a = random_.below(2) == 0, node = class_ == PortClass::node;
  const int index = static_cast<int>(draw(random_, table_a ? table::size_a(d_) : table::size_b(d_)));
  const bool global = node && index >= (table_a ? d_.p() + d_.a() : d_.a());
  const uint64_t word = !global   ? random_default_entry(d_, random_)
                        : table_a ? random_global_a(d_, random_)
                                  : random_global_b(d_, random_);
  write(table_a ? reg::kTableA : reg::kTableB, index, word);
}

/// Mostly to the focus, now and then anywhere, inside the network or not; any VC, source group of its own or not.
void CornerStimulus::drive_request() {
  pins_.req_valid = due(request_rate_);
  if (!pins_.req_valid) return;
  const uint32_t kind = random_.below(16);
  if (kind < 11) {
    pins_.req_dest = route_compute::pack_address(focus_[kind & 3]);
  } else if (kind < 15) {
    pins_.req_dest = route_compute::pack_address(d_.node(static_cast<int>(draw(random_, d_.num_nodes()))));
  } else if (random_.below(2) == 0) {
    pins_.req_dest = random_.below(1u << 18);
  } else {
    pins_.req_dest = route_compute::pack_address(just_outside());
  }
  pins_.req_src_gid = static_cast<uint16_t>(random_.below(2) == 0 ? own_.gid : static_cast<int>(random_.below(512)));
  pins_.req_vc = static_cast<uint8_t>(random_.below(4));
}

/// A node whose group, router or node number is the first that does not exist, where the field can hold it.
Address CornerStimulus::just_outside() {
  Address a = d_.node(static_cast<int>(draw(random_, d_.num_nodes())));
  switch (random_.below(3)) {
    case 0:
      a.gid = std::min(d_.g(), 511);
      break;
    case 1:
      a.bid = std::min(d_.a(), 31);
      break;
    default:
      a.nid = std::min(d_.p(), 15);
      break;
  }
  return a;
}

void CornerStimulus::draw_congestion() {
  congestion_age_ = 0;
  const auto word = [this] {
    switch (congestion_) {
      case CongestionKind::none:
        return uint64_t{0};
      case CongestionKind::half:
        return random_.next();
      case CongestionKind::dense:
        return random_.next() | random_.next() | random_.next();
      case CongestionKind::sparse:
        return random_.next() & random_.next() & random_.next();
      default:
        return ~uint64_t{0};
    }
  };
  route_compute::Congestion& c = pins_.congestion;
  c.local = word();
  for (uint64_t& w : c.global.word) w = word();
  if (congestion_ == CongestionKind::global_all || congestion_ == CongestionKind::one_global_free) c.local = 0;
  if (congestion_ == CongestionKind::local_all || congestion_ == CongestionKind::one_local_free) c.global = {};
  if (congestion_ == CongestionKind::one_local_free) c.local &= ~(1ull << draw(random_, d_.num_ports()));
  if (congestion_ == CongestionKind::one_global_free) c.global.clear(static_cast<int>(draw(random_, d_.group_ports())));
  // The second maps: as the first ones with more bits set, as a lower threshold has it; as the first ones; or anything.
  const uint32_t second = random_.below(4);
  c.busy_local = second == 0 ? word() : c.local | (second == 1 ? 0 : random_.next());
  for (size_t w = 0; w < c.global.word.size(); ++w)
    c.busy_global.word[w] = second == 0 ? word() : c.global.word[w] | (second == 1 ? 0 : random_.next());
  c.local &= low_mask(d_.num_ports());
  c.busy_local &= low_mask(d_.num_ports());
  c.global = c.global & GroupMap::low(d_.group_ports());
  c.busy_global = c.busy_global & GroupMap::low(d_.group_ports());
}

}  // namespace odonata::cosim
