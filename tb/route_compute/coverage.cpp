// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/coverage.h"

#include <algorithm>
#include <bit>

#include "models/route_compute/units.h"

namespace odonata::cosim {

using route_compute::HopClass;
using route_compute::Registers;
using route_compute::UnitConfig;
using table::Zone;
namespace reg = route_compute::reg;
namespace probe = route_compute::probe;

namespace {

using Value = std::span<const int>;
const std::vector<std::string> kClasses{"node", "local", "global"};
const std::vector<std::string> kHopClasses{"unroutable", "GA", "GB", "GC", "GD", "LE", "LF", "fallback"};
const std::vector<std::string> kArrangements{"direct", "absolute"};
constexpr int kNode = 0, kLocal = 1, kGlobal = 2;                                           // port class
constexpr int kZoneN = 0, kZoneG = 2, kOutside = 3;                                         // zone
constexpr int kUnroutable = 0, kGa = 1, kGb = 2, kGd = 4, kLe = 5, kLf = 6, kFallback = 7;  // hop class
constexpr uint64_t kLow48 = low_mask(48);

// Targets of an operation.
enum {
  kADefault,
  kAGlobal,
  kBDefault,
  kBGlobal,
  kC,
  kRouterId,
  kPort,
  kThreshold,
  kLfsr,
  kRule,
  kId,
  kSize,
  kCounter,
  kNowhere
};
const std::vector<std::string> kTargets{"table A default",
                                        "table A global",
                                        "table B default",
                                        "table B global",
                                        "table C",
                                        "ROUTER_ID",
                                        "PORT",
                                        "THRESHOLD",
                                        "LFSR",
                                        "RULE",
                                        "ID",
                                        "SIZE",
                                        "counter",
                                        "nowhere"};
enum { kImmediate, kWaited, kRefused };

// Why a write to an existing word is refused.
enum {
  kReadOnly,
  kDefaultBit,
  kABit,
  kAGp,
  kALpc,
  kBGp,
  kBLpc,
  kCUpper,
  kCBit6,
  kCInvalid,
  kCPort,
  kIdBit,
  kIdBid,
  kIdGid,
  kPortBit,
  kPortClass,
  kThresholdBit,
  kLfsrBit,
  kLfsrZero,
  kRuleBit
};
const std::vector<std::string> kReasons{"read-only word",
                                        "default entry: port that does not exist",
                                        "entry A: undefined bit",
                                        "entry A: GP beyond h",
                                        "entry A: lpc0 not local",
                                        "entry B: own map beyond h",
                                        "entry B: lpc not local",
                                        "table C: bits 63:48",
                                        "table C: bit 6",
                                        "table C: invalid byte not zero",
                                        "table C: port not local",
                                        "ROUTER_ID: undefined bit",
                                        "ROUTER_ID: bid",
                                        "ROUTER_ID: gid",
                                        "PORT: undefined bit",
                                        "PORT: class 3",
                                        "THRESHOLD: undefined bit",
                                        "LFSR: undefined bit",
                                        "LFSR: 0",
                                        "RULE: undefined bit"};

// States of the minimal ports.
enum { kFree, kNoOption, kUnusable, kUnreachable, kGloballyCongested, kLocallyCongested, kBothCongested };

std::string outside_rule(const Dragonfly& d, int field) {
  const bool full[] = {d.g() == kMaxGroups, d.a() == kMaxRoutersPerGroup, d.p() == kMaxNodesPerRouter};
  return full[field] ? "every value of this address field is inside the network at this size" : "";
}

/// The cross of zone, port class, hop class, VC, filter side and options: what the specification excludes.
std::string decision_rule(const Dragonfly& d, Value v) {
  const int port_class = v[0], zone = v[1], vc = v[3], options = v[4], hop = v[5];
  const bool source_side = v[2] == 0, rta = port_class == kNode && zone == kZoneG, b_only = options == 2;
  if (zone == kOutside) {
    if (!outside_rule(d, 0).empty() && !outside_rule(d, 1).empty() && !outside_rule(d, 2).empty()) {
      return "every 18-bit address is inside the network at this size";
    }
    return options != 0 || hop != kUnroutable ? "an address outside the network reads no entry and is unroutable" : "";
  }
  if (zone == kZoneN && (options & 2) != 0) return "zone N has no entry in table B";
  if (hop >= kGa && hop <= kGd && !rta) return "classes GA..GD exist only in RTA: node port, zone G";
  if ((hop == kLe || hop == kLf) && rta) return "classes LE, LF exist only in RTB";
  if (options == 0) return hop != kUnroutable ? "without an option the answer is unroutable" : "";
  if ((hop == kGa || hop == kLe) && (options & 1) == 0) return "the class needs an option of table A";
  if (((hop >= kGb && hop <= kGd) || hop == kLf) && (options & 2) == 0) return "the class needs an option of table B";
  if (rta) return "";
  if (hop == kUnroutable && (port_class == kNode || vc < 3))
    return "only a packet on VC 3 of a local or global port can run out of VCs";
  if (zone != kZoneG || vc < 3) return "";
  // Filter F fixes the level of the output for options of table B.
  const bool from_b = hop == kLf || (b_only && hop == kFallback);
  const bool rises = port_class == kLocal || (port_class == kGlobal && source_side);
  if (rises && from_b) return "filter F keeps outputs of equal or higher level, which on VC 3 are unroutable";
  if (port_class == kGlobal && !source_side && b_only && hop == kUnroutable)
    return "filter F keeps local ports: the level falls, VC 3 stays";
  return "";
}

std::string vc_rule(Value v) {
  const int in = v[0], out = v[1], vc = v[2];
  const bool overflow = out == 3;
  if (in == kNode) return overflow ? "a node input always enters VC 0" : "";
  if (overflow) return vc < 3 ? "only VC 3 overflows" : "";
  return vc == 3 && out >= in ? "VC 4 does not exist: unroutable" : "";
}

std::string winner_rule(Value v) {
  const int hop = v[0] < 4 ? v[0] + kGa : kFallback;
  const bool own = v[1] == 0;
  if (hop == kGb && !own) return "GB holds own global ports only";
  return hop == kGd && own ? "own global ports are in GB or GC" : "";
}

std::string cabled_rule(const Dragonfly& d, int j) {
  return j >= d.g() ? "no arrangement cables this port at this size" : "";
}

std::string operation_rule(Value v) {
  const int target = v[0], outcome = v[2];
  const bool write = v[1] == 1, read_only = target >= kId && target <= kCounter;
  if (target == kNowhere) return outcome != kRefused ? "nothing there: refused at once" : "";
  if (!write && outcome == kRefused) return "a read of an existing word is never refused";
  if (write && read_only && outcome != kRefused) return "a write to a read-only word is refused at once";
  if (outcome != kWaited) return "";
  if (write ? target == kThreshold : target > kBGlobal) return "nothing in the pipeline uses this word: never waits";
  return "";
}

std::string refused_rule(const Dragonfly& d, Value v) {
  const bool excluded = ((v[0] == kAGp || v[0] == kBGp) && d.h() == kMaxGlobalPorts) ||
                        (v[0] == kIdBid && d.a() == kMaxRoutersPerGroup) || (v[0] == kIdGid && d.g() == kMaxGroups);
  return excluded ? "every value of this field is defined at this size" : "";
}

/// Number of the hop class on the axis of RTA winners: GA..GD, fallback.
int rta_class(HopClass hop_class) { return hop_class == HopClass::fallback ? 4 : static_cast<int>(hop_class) - kGa; }

/// Whether some 6-bit field of 48 bits is all ones (lpc "none").
bool has_none(uint64_t fields) {
  constexpr uint64_t kOnes = 0x41041041041ull;  // bit 0 of every field
  const uint64_t x = ~fields & kLow48;
  return ((x - kOnes) & ~x & (kOnes << 5)) != 0;
}

}  // namespace

RouteComputeCoverage::RouteComputeCoverage(const Dragonfly& d, int stride)
    : d_(d), stride_(stride), config_(d), all_global_(GroupMap::low(d.group_ports())) {
  declare_decisions();
  declare_rta();
  declare_rtb();
  declare_configuration();
  declare_reset();
}

void RouteComputeCoverage::declare_decisions() {
  const Dragonfly d = d_;
  at_.unit = bins_.declare("unit", {{"class", kClasses}, {"arrangement", kArrangements}});
  at_.decision = bins_.declare("decision",
                               {{"class", kClasses},
                                {"zone", {"N", "B", "G", "outside"}},
                                {"side", {"source", "transit"}},
                                number_axis("vc", 4),
                                {"options", {"none", "A", "B", "AB"}},
                                {"hop", kHopClasses}},
                               [d](Value v) { return decision_rule(d, v); });
  at_.vc = bins_.declare("virtual channel",
                         {{"in", kClasses}, {"out", {"node", "local", "global", "overflow"}}, number_axis("vc", 4)},
                         vc_rule);
  at_.outside = bins_.declare("address outside", {{"field", {"gid", "bid", "nid"}}},
                              [d](Value v) { return outside_rule(d, v[0]); });
  at_.rule = bins_.declare("rule",
                           {{"path", {"RTA", "RTB"}},
                            number_axis("minimal local, minimal global, second", 8),
                            {"answer", {"as printed", "another"}}},
                           [](Value v) {
                             const bool matters = (v[1] & 1) != 0 || (v[0] == 0 ? (v[1] & 2) != 0 : (v[1] & 4) != 0);
                             return v[2] == 1 && !matters ? std::string("no bit of this rule changes this path") : "";
                           });
  at_.window = bins_.declare("responses of six cycles", {number_axis("pattern", 64)});
  at_.output =
      bins_.declare("output port", {{"path", {"RTA", "RTB"}}, number_axis("port", d.num_ports())}, [d](Value v) {
        return v[0] == 0 && v[1] < d.first_local() ? std::string("RTA leaves the router through local and global ports")
                                                   : "";
      });
  at_.entry = bins_.declare(
      "entry read", {{"path", {"RTA", "RTB"}}, number_axis("index A", table::size_a(d))},
      [d](Value v) { return v[0] == 0 && v[1] < d.p() + d.a() ? std::string("RTA reads zone G only") : ""; });
  at_.pick = bins_.declare("pick", {{"pick", {"router", "own port", "table C byte", "RTB port"}},
                                    {"result", {"only one", "lowest of several", "highest of several"}}});
}

void RouteComputeCoverage::declare_rta() {
  const Dragonfly d = d_;
  const auto cabled = [d](Value v) { return cabled_rule(d, v[0]); };
  at_.winner = bins_.declare(
      "RTA winner",
      {{"hop", {"GA", "GB", "GC", "GD", "fallback"}}, {"router", {"own", "remote"}}, {"arrangement", kArrangements}},
      winner_rule);
  at_.free_classes =
      bins_.declare("RTA free classes", {number_axis("GD GC GB GA", 16), {"fallback vector", {"empty", "set"}}},
                    [](Value v) { return v[0] != 0 && v[1] == 0 ? std::string("a free option is an option") : ""; });
  at_.minimal = bins_.declare(
      "RTA minimal",
      {{"state", {"free", "no option", "unusable", "unreachable", "globally congested", "locally congested", "both"}},
       {"router", {"own", "remote"}}},
      [](Value v) {
        return v[0] == kUnreachable && v[1] == 0 ? std::string("the own router is always reachable") : "";
      });
  at_.minimal_port = bins_.declare("RTA minimal port",
                                   {number_axis("port", d.group_ports()), {"state", {"free", "congested"}}}, cabled);
  at_.own_port = bins_.declare("RTA own global port won", {number_axis("port", d.group_ports())}, cabled);
  at_.remote_router = bins_.declare("RTA remote router won", {number_axis("router", d.a())});
  at_.table_c =
      bins_.declare("RTA table C of the winner", {{"ports", {"1", "2", "3-5", "6"}}, {"free", {"some", "none"}}});
  at_.table_c_byte = bins_.declare("RTA table C byte", {number_axis("byte", table::kPortsC)});
  at_.forms_a = bins_.declare("global entry A",
                              {{"next", {"none", "own", "remote", "own and lpc0"}}, {"GP ports", {"0", "1", "2+"}}});
  at_.forms_b =
      bins_.declare("global entry B", {{"neighbours", {"none", "some", "all"}}, {"own map", {"empty", "set"}}});
  at_.extremes =
      bins_.declare("congestion in RTA", {{"global", {"none", "some", "all"}}, {"local", {"none", "some", "all"}}});
}

void RouteComputeCoverage::declare_rtb() {
  at_.free_local = bins_.declare("RTB free options", {number_axis("fallback S2 S1", 8)}, [](Value v) {
    return v[0] != 0 && v[0] < 4 ? std::string("a free option is an option") : "";
  });
  at_.options_local =
      bins_.declare("RTB options of table A",
                    {{"ports", {"1", "2", "3+"}}, {"free", {"none", "one", "several", "all"}}}, [](Value v) {
                      const bool excluded = (v[0] == 0 && (v[1] == 1 || v[1] == 2)) || (v[0] == 1 && v[1] == 2);
                      return excluded ? std::string("fewer options than that") : "";
                    });
  at_.filter = bins_.declare(
      "filter F",
      {{"class", {"local", "global"}}, {"side", {"source", "transit"}}, {"keeps", {"all", "some", "nothing"}}});
}

void RouteComputeCoverage::declare_configuration() {
  const Dragonfly d = d_;
  at_.operation = bins_.declare(
      "operation", {{"target", kTargets}, {"kind", {"read", "write"}}, {"outcome", {"immediate", "waited", "refused"}}},
      operation_rule);
  at_.wait = bins_.declare("operation waits", {{"cycles", {"1", "2", "3", "4-7", "8-15", "16-31", "32+"}}});
  at_.refused = bins_.declare("write refused", {{"reason", kReasons}}, [d](Value v) { return refused_rule(d, v); });
  at_.hole = bins_.declare(
      "no word there",
      {{"hole", {"after A", "after B", "after C", "after RULE", "after counters"}}, {"kind", {"read", "write"}}});
  at_.counter = bins_.declare("counter read, not 0", {number_axis("counter", reg::kNumCounters)});
  at_.fresh = bins_.declare("entry written near its read",
                            {{"table", {"A", "B"}}, {"written", {"1 after", "1 before", "2 before"}}});
  at_.fresh_c =
      bins_.declare("winner's table C written near stage 3", {{"written", {"1 after", "1 before", "2 before"}}});
  at_.class_change = bins_.declare("PORT written: class", {{"from", kClasses}, {"to", kClasses}});
  at_.arrangement_change = bins_.declare("PORT written: arrangement", {{"from", kArrangements}, {"to", kArrangements}});
  at_.in_traffic = bins_.declare("written in traffic", {{"target", kTargets}},
                                 [](Value v) { return v[0] >= kId ? std::string("not writable") : ""; });
}

void RouteComputeCoverage::declare_reset() {
  at_.reset = bins_.declare(
      "reset", {{"while",
                 {"stage 1", "stage 2", "stage 3", "stage 4", "response", "operation waits", "operation in c0 or c1",
                  "a request is offered", "an operation is offered", "idle", "reset already"}}});
}

void RouteComputeCoverage::sample(const UnitInputs& in, const Unit& unit) {
  ++cycle_;
  const route_compute::UnitOutputs& out = unit.out();
  if (in.reset) {
    sample_reset(in, unit);
  } else {
    reset_ = false;
    history_ = history_ << 1 | out.resp_valid;
    bins_.hit(at_.window + static_cast<int>(history_ & 63));
    if (taken_ != acknowledged_ || in.cfg_valid) sample_operations(in, unit);
    last_winner_ = -1;
    if (out.resp_valid && ++skipped_ >= stride_) {
      skipped_ = 0;
      sample_response(unit.response_record());
    }
  }
  if (taken_ != acknowledged_) config_ = unit.registers().config();
  ready_ = out.cfg_ready != 0;
  probe_ = out.probe;
  responded_ = out.resp_valid != 0;
}

void RouteComputeCoverage::sample_reset(const UnitInputs& in, const Unit& unit) {
  const bool pending = taken_ != acknowledged_;
  const uint32_t stages = probe_ & (probe::kStage1 | probe::kStage2 | probe::kStage3 | probe::kStage4);
  const bool seen[] = {(probe_ & probe::kStage1) != 0,
                       (probe_ & probe::kStage2) != 0,
                       (probe_ & probe::kStage3) != 0,
                       (probe_ & probe::kStage4) != 0,
                       responded_,
                       pending && !ready_,
                       pending && ready_,
                       in.req_valid,
                       in.cfg_valid,
                       stages == 0 && !responded_ && !pending,
                       reset_};
  for (int k = 0; k < static_cast<int>(std::size(seen)); ++k) {
    if (seen[k]) bins_.hit(at_.reset + k);
  }
  reset_ = true;
  history_ = 0;
  acknowledged_ = taken_;
  last_winner_ = -1;
  written_a_ = written_b_ = written_c_ = {};
  config_ = unit.registers().config();
}

void RouteComputeCoverage::sample_operations(const UnitInputs& in, const Unit& unit) {
  const route_compute::UnitOutputs& out = unit.out();
  if (out.cfg_ack && taken_ != acknowledged_)
    acknowledge(operations_[acknowledged_++ & 3], out.cfg_err != 0, out.cfg_rdata);
  if (!in.cfg_valid || !ready_) return;
  const UnitConfig& config = unit.registers().config();
  operations_[taken_++ & 3] = {in.cfg_write, config.port_class(), config.absolute(), in.cfg_addr, in.cfg_wdata, cycle_};
}

void RouteComputeCoverage::acknowledge(const Operation& op, bool refused, uint64_t rdata) {
  const int target = target_of(op), waited = static_cast<int>(cycle_ - op.taken) - 2;
  const int outcome = refused ? kRefused : waited > 0 ? kWaited : kImmediate;
  bins_.hit(at_.operation + (target * 2 + op.write) * 3 + outcome);
  if (waited > 0)
    bins_.hit(at_.wait + (waited <= 3 ? waited - 1
                                      : std::min(static_cast<int>(std::bit_width(static_cast<unsigned>(waited))), 6)));
  if (refused) return sample_refused(op);
  if (op.write) return executed_write(op);
  if (target == kCounter && rdata != 0) bins_.hit(at_.counter + static_cast<int>(op.address - reg::kCounters / 8));
}

void RouteComputeCoverage::executed_write(const Operation& op) {
  const int target = target_of(op);
  // The acknowledgement comes one cycle after the execution.
  const Written written{static_cast<int>(op.address & 0x3FF), cycle_ - 1};
  if (target <= kAGlobal) written_a_ = written;
  if (target == kBDefault || target == kBGlobal) written_b_ = written;
  if (target == kC) {
    written_c_ = written;
    if (last_winner_ == written.index) bins_.hit(at_.fresh_c);  // stage 3 was one cycle before
  }
  const uint32_t stages = probe::kStage1 | probe::kStage2 | probe::kStage3 | probe::kStage4;
  if ((probe_ & stages) != 0 || (history_ & 3) != 0) bins_.hit(at_.in_traffic + target);
  if (target != kPort) return;
  bins_.hit(at_.class_change + static_cast<int>(op.port_class) * 3 + static_cast<int>(op.data & 3));
  bins_.hit(at_.arrangement_change + op.absolute * 2 + static_cast<int>(op.data >> 2 & 1));
}

void RouteComputeCoverage::sample_refused(const Operation& op) {
  if (target_of(op) == kNowhere) {
    bins_.hit(at_.hole + hole_of(op.address) * 2 + op.write);
    return;
  }
  bins_.hit(at_.refused + refusal_of(op));
}

int RouteComputeCoverage::target_of(const Operation& op) const {
  const int page = static_cast<int>(op.address >> 10), offset = static_cast<int>(op.address & 0x3FF);
  const bool node = op.port_class == PortClass::node;
  if (page == 0 && offset < table::size_a(d_)) return node && offset >= d_.p() + d_.a() ? kAGlobal : kADefault;
  if (page == 1 && offset < table::size_b(d_)) return node && offset >= d_.a() ? kBGlobal : kBDefault;
  if (page == 2 && offset < d_.a()) return kC;
  if (page != 3) return kNowhere;
  constexpr std::array<int, 7> kRegisters{kId, kRouterId, kPort, kThreshold, kLfsr, kSize, kRule};
  if (offset < static_cast<int>(kRegisters.size())) return kRegisters[offset];
  const int counter = offset - static_cast<int>((reg::kCounters - reg::kId) / 8);
  return counter >= 0 && counter < reg::kNumCounters ? kCounter : kNowhere;
}

int RouteComputeCoverage::hole_of(uint32_t word_address) const {
  const int page = static_cast<int>(word_address >> 10);
  if (page < 3) return page;
  return word_address < reg::kCounters / 8 ? 3 : 4;
}

int RouteComputeCoverage::refusal_of(const Operation& op) const {
  const uint64_t data = op.data;
  const auto bad_port = [this](int port) { return port != kNoPort && !d_.is_local_port(port); };
  switch (target_of(op)) {
    case kADefault:
    case kBDefault:
      return kDefaultBit;
    case kAGlobal:
      if (data >> 23 != 0) return kABit;
      return bad_port(static_cast<int>(data >> 16 & 63)) ? kALpc : kAGp;
    case kBGlobal:
      return data >> 48 >> d_.h() != 0 ? kBGp : kBLpc;
    case kC:
      if (data >> 48 != 0) return kCUpper;
      for (int k = 0; k < table::kPortsC; ++k) {
        const int byte = static_cast<int>(data >> (8 * k) & 0xFF);
        if (byte != 0 && (byte & 0x80) == 0) return kCInvalid;
        if ((byte & 0xC0) == 0xC0) return kCBit6;
      }
      return kCPort;
    case kRouterId:
      if (data >> 14 != 0) return kIdBit;
      return static_cast<int>(data & 31) >= d_.a() ? kIdBid : kIdGid;
    case kPort:
      return data >> 3 != 0 ? kPortBit : kPortClass;
    case kThreshold:
      return kThresholdBit;
    case kRule:
      return kRuleBit;
    case kLfsr:
      return data == 0 ? kLfsrZero : kLfsrBit;
    default:
      return kReadOnly;
  }
}

void RouteComputeCoverage::sample_response(const Record& r) {
  const int port_class = static_cast<int>(config_.port_class()), zone = static_cast<int>(r.decoded.zone);
  const int hop = static_cast<int>(r.decision.hop_class), vc = r.request.vc;
  int options = 0;
  if (r.decoded.rta) {
    options = options_rta(r.entries);
    sample_rta(r);
  } else if (zone != kOutside) {
    const PortMap keep = zone != kZoneG ? ~0ull : r.decoded.transit ? config_.local_ports() : config_.global_ports();
    options =
        ((r.entries.a & config_.all_ports()) != 0 ? 1 : 0) | ((r.entries.b & keep & config_.all_ports()) != 0 ? 2 : 0);
    sample_rtb(r);
  } else {
    const Address& to = r.request.dest;
    if (to.gid >= d_.g()) bins_.hit(at_.outside);
    if (to.bid >= d_.a()) bins_.hit(at_.outside + 1);
    if (to.nid >= d_.p()) bins_.hit(at_.outside + 2);
  }
  bins_.hit(at_.unit + port_class * 2 + config_.absolute());
  bins_.hit(at_.decision + ((((port_class * 4 + zone) * 2 + r.decoded.transit) * 4 + vc) * 4 + options) * 8 + hop);
  const int path = r.decoded.rta ? 0 : 1;
  if (zone != kOutside) bins_.hit(at_.entry + path * table::size_a(d_) + r.decoded.index_a);
  sample_fresh(r);
  sample_rule(r);
  if (hop == kUnroutable) {
    if (!r.decoded.rta && (r.decision.nonempty & 64) != 0) bins_.hit(at_.vc + (port_class * 4 + 3) * 4 + vc);
    return;
  }
  bins_.hit(at_.vc + (port_class * 4 + static_cast<int>(d_.port_class(r.decision.port))) * 4 + vc);
  bins_.hit(at_.output + path * d_.num_ports() + r.decision.port);
}

/// Whether the answer is the one of the printed rule.
void RouteComputeCoverage::sample_rule(const Record& r) {
  const route_compute::Rule rule = config_.rule();
  if (r.decoded.zone == Zone::invalid) return;
  bool another = false;
  if (!(rule == route_compute::Rule{})) {
    config_.set_rule({});
    another = !(route_compute::decide(config_, r.request, r.decoded, r.entries, r.congestion, r.lfsr) == r.decision);
    config_.set_rule(rule);
  }
  bins_.hit(at_.rule + ((r.decoded.rta ? 0 : 8) + static_cast<int>(rule.word())) * 2 + another);
}

/// Which of the two global entries names something.
int RouteComputeCoverage::options_rta(const route_compute::Entries& entries) const {
  const int port_a = static_cast<int>(entries.a >> 16 & 63);
  const bool own = (entries.a >> 22 & 1) != 0;
  const bool a = (entries.a & 0xFFFF) != 0 && (own || port_a != kNoPort);
  const bool b = (entries.b & kLow48) != kLow48 || entries.b >> 48 != 0;
  return (a ? 1 : 0) | (b ? 2 : 0);
}

void RouteComputeCoverage::sample_rta(const Record& r) {
  const uint64_t a = r.entries.a, b = r.entries.b;
  const int gp = std::popcount(a & 0xFFFF), lpc = (a >> 16 & 63) != kNoPort ? 2 : 0;
  bins_.hit(at_.forms_a + (lpc + static_cast<int>(a >> 22 & 1)) % 4 * 3 + std::min(gp, 2));
  const int neighbours = (b & kLow48) == kLow48 ? 0 : has_none(b) ? 1 : 2;
  bins_.hit(at_.forms_b + neighbours * 2 + (b >> 48 != 0));
  bins_.hit(at_.free_classes + (r.decision.nonempty & 15) * 2 + (r.decision.nonempty >> 6 & 1));
  const int global = !r.congestion.global.any() ? 0 : r.congestion.global == all_global_ ? 2 : 1;
  const int local = r.congestion.local == 0 ? 0 : r.congestion.local == config_.all_ports() ? 2 : 1;
  bins_.hit(at_.extremes + global * 3 + local);
  sample_minimal(r);
  if (r.decision.hop_class == HopClass::unroutable) return;
  const bool remote = r.decision.router != config_.own().bid;
  bins_.hit(at_.winner + (rta_class(r.decision.hop_class) * 2 + remote) * 2 + config_.absolute());
  const GroupMap chosen = chosen_ports(r);
  hit_pick(0, r.decision.router, route_compute::routers_of_ports(d_, chosen));
  if (remote) return sample_remote_winner(r);
  const int i = r.decision.port - d_.first_global();
  hit_pick(1, i, chosen.field(r.decision.router * d_.h(), d_.h()));
  bins_.hit(at_.own_port + r.decision.router * d_.h() + i);
}

void RouteComputeCoverage::sample_minimal(const Record& r) {
  const int port = static_cast<int>(r.entries.a >> 16 & 63), own = config_.own().bid, h = d_.h();
  const bool own_flag = (r.entries.a >> 22 & 1) != 0;
  const int router = own_flag ? own : d_.is_local_port(port) ? d_.neighbour(own, port) : -1;
  int state = kNoOption;
  if (router >= 0 && (r.entries.a & 0xFFFF) != 0) {
    const uint32_t field = static_cast<uint32_t>(r.entries.a & 0xFFFF) & config_.usable().field(router * h, h);
    const uint64_t ports = config_.ports_c(router);
    const uint32_t open = field & ~r.congestion.global.field(router * h, h);
    const uint32_t near = own_flag ? field & ~static_cast<uint32_t>(r.congestion.local >> d_.first_global())
                          : (ports & ~r.congestion.local) != 0 ? field
                                                               : 0;
    if (field == 0) {
      state = kUnusable;
    } else if (!own_flag && ports == 0) {
      state = kUnreachable;
    } else {
      state = (open & near) != 0       ? kFree
              : open == 0 && near != 0 ? kGloballyCongested
              : open != 0 && near == 0 ? kLocallyCongested
                                       : kBothCongested;
      const bool single = (field & (field - 1)) == 0;
      if (single && (state == kFree || open == 0))
        bins_.hit(at_.minimal_port + (router * h + std::countr_zero(field)) * 2 + (state != kFree));
    }
  }
  bins_.hit(at_.minimal + state * 2 + !own_flag);
}

void RouteComputeCoverage::sample_remote_winner(const Record& r) {
  const int router = r.decision.router;
  last_winner_ = router;
  bins_.hit(at_.remote_router + router);
  const uint64_t word = config_.table_c(router), ports = config_.ports_c(router);
  const int valid = std::popcount(word & 0x808080808080ull);
  const int size = valid <= 2 ? valid - 1 : valid < table::kPortsC ? 2 : 3;
  bins_.hit(at_.table_c + size * 2 + ((ports & ~r.congestion.local) == 0));
  if (written_c_.index == router && cycle_ - written_c_.cycle >= 2 && cycle_ - written_c_.cycle <= 3) {
    bins_.hit(at_.fresh_c + static_cast<int>(cycle_ - written_c_.cycle) - 1);
  }
  if (std::popcount(ports) != valid) return;  // a port named twice: which byte won does not show
  const bool blocked = (ports & ~r.congestion.local) == 0;
  uint64_t requests = 0;
  for (int k = 0; k < table::kPortsC; ++k) {
    const int byte = static_cast<int>(word >> (8 * k) & 0xFF);
    if (byte >= 0x80 && (blocked || (r.congestion.local >> (byte & 63) & 1) == 0)) requests |= 1ull << k;
  }
  for (int k = 0; k < table::kPortsC; ++k) {
    if ((word >> (8 * k) & 0xFF) != (0x80u | r.decision.port)) continue;
    bins_.hit(at_.table_c_byte + k);
    hit_pick(2, k, requests);
  }
}

void RouteComputeCoverage::sample_rtb(const Record& r) {
  bins_.hit(at_.free_local + (r.decision.nonempty >> 4 & 7));
  const PortMap le = r.entries.a & config_.all_ports(), s1 = le & ~r.congestion.local;
  const int options = std::popcount(le), open = std::popcount(s1);
  if (options > 0)
    bins_.hit(at_.options_local + std::min(options - 1, 2) * 4 + (open == options ? 3 : std::min(open, 2)));
  if (r.decoded.zone == Zone::global) {
    const PortMap all = r.entries.b & config_.all_ports(),
                  kept = all & (r.decoded.transit ? config_.local_ports() : config_.global_ports());
    const int keeps = kept == all ? 0 : kept != 0 ? 1 : 2;
    if (all != 0)
      bins_.hit(at_.filter + ((static_cast<int>(config_.port_class()) - 1) * 2 + r.decoded.transit) * 3 + keeps);
  }
  if (r.decision.port == kNoPort) return;
  const auto requests = route_compute::stage3_rtb(config_, r.decoded, r.entries, r.congestion);
  hit_pick(3, r.decision.port, requests.s1 != 0 ? requests.s1 : requests.s2 != 0 ? requests.s2 : requests.any);
}

/// A table written next to the cycle in which this request read it (stage 2, two cycles ago).
void RouteComputeCoverage::sample_fresh(const Record& r) {
  const auto check = [this](int table, const Written& written, int index) {
    if (written.index != index) return;
    const int before = static_cast<int>(cycle_ - 2 - written.cycle);
    if (before >= -1 && before <= 2 && before != 0) bins_.hit(at_.fresh + table * 3 + (before < 0 ? 0 : before));
  };
  if (r.decoded.zone == Zone::invalid) return;
  check(0, written_a_, r.decoded.index_a);
  if (r.decoded.zone != Zone::node) check(1, written_b_, r.decoded.index_b);
}

/// The vector of P1 that the decision was taken from.
GroupMap RouteComputeCoverage::chosen_ports(const Record& r) const {
  const auto requests = route_compute::stage3_rta(config_, r.request.dest, r.entries, r.congestion);
  switch (r.decision.hop_class) {
    case HopClass::ga:
      return requests.ga;
    case HopClass::gb:
      return requests.gb;
    case HopClass::gc:
      return requests.gc;
    case HopClass::gd:
      return requests.gd;
    default:
      return requests.any;
  }
}

void RouteComputeCoverage::hit_pick(int pick, int chosen, uint64_t requests) {
  const uint64_t bit = 1ull << chosen;
  const bool lowest = (requests & (bit - 1)) == 0, highest = requests >> chosen == 1;
  if (lowest || highest) bins_.hit(at_.pick + pick * 3 + (lowest && highest ? 0 : lowest ? 1 : 2));
}

}  // namespace odonata::cosim
