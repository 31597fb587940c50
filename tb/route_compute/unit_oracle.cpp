// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/unit_oracle.h"

namespace odonata::route_compute::oracle {
namespace {

// Word addresses (byte address / 8).
constexpr int kA = 0x0000 / 8, kB = 0x2000 / 8, kC = 0x4000 / 8, kId = 0x6000 / 8, kRouter = 0x6008 / 8,
              kPort = 0x6010 / 8, kThreshold = 0x6018 / 8, kLfsr = 0x6020 / 8, kSize = 0x6028 / 8, kRule = 0x6030 / 8,
              kCounter = 0x6040 / 8;

uint64_t bits(uint64_t word, int high, int low) { return (word >> low) & ((1ull << (high - low + 1)) - 1); }

}  // namespace

UnitOracle::UnitOracle(DragonflySize size, bool absolute_at_reset)
    : size_(size), absolute_at_reset_(absolute_at_reset) {
  reset();
}

void UnitOracle::reset() {
  flights_.clear();
  operation_.reset();
  acknowledge_.reset();
  memory_[kRouter] = 0;
  memory_[kPort] = absolute_at_reset_ ? 4 : 0;
  memory_[kThreshold] = 30 * 65536 + 10;
  memory_[kLfsr] = 0xACE1;
  memory_[kRule] = 0;
  for (int r = 0; r < size_.a; ++r) memory_[kC + r] = 0;
  counter_.fill(0);
}

UnitOutputs UnitOracle::step(const UnitInputs& in) {
  if (in.reset) {
    reset();
    return outputs({}, {});
  }
  // Everything below sees the state before the edge; so later stages first, then the operation, then the inputs.
  std::optional<Flight> leaving;
  if (Flight* flight = in_stage(4)) leaving = *flight;
  if (Flight* flight = in_stage(3)) stage3(*flight);
  if (Flight* flight = in_stage(2)) stage2(*flight);
  if (Flight* flight = in_stage(1)) stage1(*flight);
  const bool ready = !operation_ || !waits(*operation_);
  const std::optional<Acknowledge> acknowledged = acknowledge_;
  acknowledge_.reset();
  if (operation_) execute();
  if (busy(1)) {
    const uint64_t x = memory_[kLfsr];
    memory_[kLfsr] = x % 2 == 1 ? (x / 2) ^ 0xB400 : x / 2;
    ++counter_[0];
  }
  if (leaving) ++counter_[1 + static_cast<int>(leaving->answer.decision.hop_class)];

  flights_.erase(edge_ - 4);
  if (in.req_valid) {
    Flight flight;
    flight.situation.request = {{static_cast<int>(bits(in.req_dest, 17, 9)), static_cast<int>(bits(in.req_dest, 8, 4)),
                                 static_cast<int>(bits(in.req_dest, 3, 0))},
                                in.req_src_gid,
                                in.req_vc};
    flights_[edge_] = flight;
  }
  cong_local_.clear();
  cong_global_.clear();
  busy_local_.clear();
  busy_global_.clear();
  for (int k = 0; k < size_.p + size_.a - 1 + size_.h; ++k) {
    if (in.congestion.local >> k & 1) cong_local_.insert(k);
    if (in.congestion.busy_local >> k & 1) busy_local_.insert(k);
  }
  for (int j = 0; j < size_.a * size_.h; ++j) {
    if (in.congestion.global.test(j)) cong_global_.insert(j);
    if (in.congestion.busy_global.test(j)) busy_global_.insert(j);
  }
  if (in.cfg_valid && ready) operation_ = Operation{in.cfg_write, in.cfg_addr, in.cfg_wdata};
  ++edge_;
  return outputs(leaving, acknowledged);
}

void UnitOracle::stage1(Flight& flight) {
  Situation& s = flight.situation;
  s.size = size_;
  s.own = {static_cast<int>(bits(memory_[kRouter], 13, 5)), static_cast<int>(bits(memory_[kRouter], 4, 0))};
  s.port_class = static_cast<PortClass>(bits(memory_[kPort], 1, 0));
  s.absolute = bits(memory_[kPort], 2, 2) == 1;
  s.lfsr = static_cast<uint16_t>(memory_[kLfsr]);
  s.table_c.assign(size_.a, 0);
  flight.answer = answer(s);  // for the zone
  const Address& to = s.request.dest;
  switch (flight.answer.zone) {
    case 'N':
      flight.index_a = to.nid;
      break;
    case 'B':
      flight.index_a = size_.p + to.bid, flight.index_b = to.bid;
      break;
    case 'G':
      flight.index_a = size_.p + size_.a + to.gid, flight.index_b = size_.a + to.gid;
      break;
    default:
      break;
  }
}

void UnitOracle::stage2(Flight& flight) {
  flight.situation.entry_a = memory_[kA + flight.index_a];
  flight.situation.entry_b = memory_[kB + flight.index_b];
}

void UnitOracle::stage3(Flight& flight) {
  Situation& s = flight.situation;
  for (int r = 0; r < size_.a; ++r) s.table_c[r] = memory_[kC + r];
  s.cong_local = cong_local_;
  s.cong_global = cong_global_;
  s.busy_local = busy_local_;
  s.busy_global = busy_global_;
  const uint64_t rule = memory_[kRule];
  s.rule = {bits(rule, 0, 0) == 1, bits(rule, 1, 1) == 1, bits(rule, 2, 2) == 1};
  flight.answer = answer(s);
}

bool UnitOracle::waits(const Operation& op) const {
  if (refused(op)) return false;
  if (op.word < kC) return busy(2);
  if (op.word < kId) return op.write && busy(3);
  if (op.word == kRouter || op.word == kPort || op.word == kRule) return op.write && (busy(1) || busy(2) || busy(3));
  if (op.word == kLfsr) return op.write && busy(1);
  return false;
}

bool UnitOracle::defined(int word) const {
  return (kA <= word && word < kA + size_.p + size_.a + size_.g) || (kB <= word && word < kB + size_.a + size_.g) ||
         (kC <= word && word < kC + size_.a) || (kId <= word && word <= kRule) ||
         (kCounter <= word && word < kCounter + 11);
}

bool UnitOracle::refused_entry(int word, uint64_t data) const {
  const auto local = [this](uint64_t port) {
    return port >= static_cast<uint64_t>(size_.p) && port < static_cast<uint64_t>(size_.p + size_.a - 1);
  };
  if (word >= kC) {
    for (int k = 0; k < 6; ++k) {
      const uint64_t byte = bits(data, 8 * k + 7, 8 * k);
      if (byte != 0 && !(byte >= 128 && local(byte - 128))) return true;
    }
    return bits(data, 63, 48) != 0;
  }
  const bool node = bits(memory_.at(kPort), 1, 0) == 0;
  if (word < kB && node && word >= kA + size_.p + size_.a) {
    const uint64_t lpc0 = bits(data, 21, 16);
    return bits(data, 15, 0) >= 1ull << size_.h || bits(data, 63, 23) != 0 || !(local(lpc0) || lpc0 == 63);
  }
  if (word >= kB && node && word >= kB + size_.a) {
    for (int k = 1; k <= 8; ++k) {
      const uint64_t lpc = bits(data, 6 * k - 1, 6 * k - 6);
      if (!local(lpc) && lpc != 63) return true;
    }
    return bits(data, 63, 48) >= 1ull << size_.h;
  }
  return (data >> (size_.p + size_.a - 1 + size_.h)) != 0;
}

bool UnitOracle::refused(const Operation& op) const {
  if (!defined(op.word)) return true;
  if (!op.write) return false;
  if (op.word < kId) return refused_entry(op.word, op.data);
  switch (op.word) {
    case kRouter:
      return op.data >> 14 != 0 || bits(op.data, 4, 0) >= static_cast<uint64_t>(size_.a) ||
             bits(op.data, 13, 5) >= static_cast<uint64_t>(size_.g);
    case kPort:
      return op.data >> 3 != 0 || bits(op.data, 1, 0) == 3;
    case kThreshold:
      return op.data >> 32 != 0;
    case kLfsr:
      return op.data >> 16 != 0 || op.data == 0;
    case kRule:
      return op.data >> 3 != 0;
    default:
      return true;
  }
}

void UnitOracle::execute() {
  const Operation op = *operation_;
  if (waits(op)) {
    ++counter_[10];
    return;
  }
  operation_.reset();
  acknowledge_ = Acknowledge{refused(op), 0};
  if (acknowledge_->error) return;
  if (op.write) {
    memory_[op.word] = op.data;
    ++counter_[9];
  } else if (op.word == kId) {
    acknowledge_->data = 0x14F445243ull;
  } else if (op.word == kSize) {
    acknowledge_->data = static_cast<uint64_t>(size_.p) + (static_cast<uint64_t>(size_.a) << 8) +
                         (static_cast<uint64_t>(size_.h) << 16) + (static_cast<uint64_t>(size_.g) << 24) + (8ull << 40);
  } else {
    acknowledge_->data = op.word >= kCounter ? counter_[op.word - kCounter] : memory_[op.word];
  }
}

UnitOutputs UnitOracle::outputs(const std::optional<Flight>& leaving,
                                const std::optional<Acknowledge>& acknowledged) const {
  UnitOutputs out;
  if (leaving) {
    const Decision& decision = leaving->answer.decision;
    out.resp_valid = 1;
    out.resp_hop_class = static_cast<uint8_t>(decision.hop_class);
    out.resp_port = decision.port;
    out.resp_vc = decision.vc;
    out.resp_router = decision.router;
  }
  if (acknowledged) {
    out.cfg_ack = 1;
    out.cfg_err = acknowledged->error;
    out.cfg_rdata = acknowledged->data;
  }
  out.cfg_ready = !operation_ || !waits(*operation_);
  out.threshold = static_cast<uint32_t>(memory_.at(kThreshold));
  out.probe = probe();
  return out;
}

uint32_t UnitOracle::probe() const {
  uint32_t out = 0;
  if (busy(1)) out |= 1;
  if (busy(2)) {
    const Flight& f = flights_.at(edge_ - 2);
    const int zone = static_cast<int>(std::string("NBG-").find(f.answer.zone));
    out |= 1u << 1 | static_cast<uint32_t>(zone) << 2 | static_cast<uint32_t>(f.answer.rta) << 4 |
           static_cast<uint32_t>(f.index_a) << 5;
  }
  if (busy(3)) out |= 1u << 15;
  if (busy(4)) {
    const Answer& a = flights_.at(edge_ - 4).answer;
    out |= 1u << 16;
    const Ports* const sets[] = {&a.ga, &a.gb, &a.gc, &a.gd, &a.s1, &a.s2, &a.any};
    for (int k = 0; k < 7; ++k) out |= static_cast<uint32_t>(!sets[k]->empty()) << (17 + k);
  }
  return out;
}

}  // namespace odonata::route_compute::oracle
