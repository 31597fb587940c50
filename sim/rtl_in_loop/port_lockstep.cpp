// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/port_lockstep.h"

#include "tb/harness/plant.h"
#include "tb/route_compute/campaign.h"

namespace odonata::network {

namespace reg = route_compute::reg;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

namespace {

constexpr int kPipeline = 5;  // idle cycles after which no request and no operation is in the golden unit
constexpr size_t kLongestLog = size_t{1} << 17;  // cycles that are kept for a report

}  // namespace

PortLockstep::PortLockstep(const Options& options)
    : options_(options),
      plant_(cosim::plant_number(cosim::route_compute_plants(), options.plant)),
      bench_(cosim::route_compute_bench(request())),
      own_(request(), bench_),
      drain_(kPipeline + std::max(0, own_.delay)),
      reference_(options.dragonfly),
      shown_(own_.reference(bench_, false)),
      device_(options.rtl ? make_device() : nullptr),
      comparator_(Block::probes(), 0),
      written_(table::configure(options.dragonfly, options.router, options.port, options.tables)),
      snapshots_(2) {}

cosim::CampaignRequest PortLockstep::request() const {
  cosim::CampaignRequest out;
  out.dragonfly = options_.dragonfly;
  out.plant = options_.plant;
  out.traffic = "corner";
  out.device_lib = options_.device_lib;
  if (!out.device_lib.empty()) out.latency = out.interval = "auto";
  return out;
}

std::unique_ptr<cosim::RouteComputeDevice> PortLockstep::make_device() const {
  if (own_.library) return own_.make();
  return cosim::make_rtl<cosim::RouteComputeBlock>(
      options_.dragonfly, plant_ != 0 ? cosim::RtlVariant::debug : cosim::RtlVariant::fast, plant_);
}

void PortLockstep::configure(uint16_t lfsr) {
  configured_ = true;
  auto writes = route_compute::configuration_writes(options_.dragonfly, options_.router, options_.port, written_, lfsr);
  if (!(options_.rule == route_compute::Rule{})) writes.push_back({reg::kRule, options_.rule.word()});
  for (const UnitInputs& in : cosim::configuration_cycles(writes)) waiting_.push_back({in, {}});
  push_idle(drain_);
}

void PortLockstep::push_idle(int cycles) {
  for (int i = 0; i < cycles; ++i) waiting_.push_back({});
}

/// Brings the row that a request hits to the words that the engine decided with, between the requests before and after.
void PortLockstep::write_row(const Seen& seen) {
  const auto row = static_cast<size_t>(seen.row);
  const auto nodes = static_cast<size_t>(options_.dragonfly.p());
  const bool new_a = written_.a[row] != seen.entries.a,
             new_b = row >= nodes && written_.b[row - nodes] != seen.entries.b;
  if (!new_a && !new_b) return;
  push_idle(drain_);
  if (new_a)
    waiting_.push_back({cosim::configuration_cycle(reg::kTableA + static_cast<uint32_t>(8 * row), seen.entries.a), {}});
  if (new_b)
    waiting_.push_back(
        {cosim::configuration_cycle(reg::kTableB + static_cast<uint32_t>(8 * (row - nodes)), seen.entries.b), {}});
  push_idle(drain_);
  written_.a[row] = seen.entries.a;
  if (new_b) written_.b[row - nodes] = seen.entries.b;
}

void PortLockstep::decided(const Seen& seen) {
  if (failed_) return;
  if (!configured_) configure(seen.lfsr);
  write_row(seen);
  Step s;
  s.in.req_valid = true;
  s.in.req_dest = route_compute::pack_address(seen.request.dest);
  s.in.req_src_gid = static_cast<uint16_t>(seen.request.src_gid);
  s.in.req_vc = static_cast<uint8_t>(seen.request.vc);
  s.snapshot = seen.congestion;
  waiting_.push_back(s);
  push_idle(own_.interval - 1);
  expected_.push_back(seen.decision);
}

void PortLockstep::cycle(uint32_t) {
  if (failed_ || !configured_) return;
  if (waiting_.empty()) return step({});
  const Step next = waiting_.front();
  waiting_.pop_front();
  step(next);
}

void PortLockstep::finish() {
  while (!failed_ && configured_ && !waiting_.empty()) cycle(0);
  for (int i = 0; i < drain_; ++i) cycle(0);
}

/// One clock cycle of all units. A request that is sampled now reads the maps that are sampled two edges later.
void PortLockstep::step(const Step& next) {
  UnitInputs in = next.in;
  if (log_.size() == kLongestLog && !options_.keep) log_ = Block::preload(reference_);
  snapshots_.push_back(next.in.req_valid ? next.snapshot : snapshots_.back());
  in.congestion = snapshots_.front();
  snapshots_.pop_front();
  log_.push_back(in);
  compare(in);
}

void PortLockstep::compare(const UnitInputs& in) {
  UnitOutputs expected{}, shown{}, got{};
  reference_.step(in, expected);
  if (device_) {
    if (own_.library) shown_->step(in, shown);
    device_->step(in, got);
    if (!comparator_.equal(log_.size() - 1, own_.library ? shown : expected, got))
      return fail(comparator_.differences());
  }
  if (expected.resp_valid == 0) return;
  const route_compute::Decision engine = expected_.front();
  expected_.pop_front();
  ++compared_;
  const auto word = [](int hop_class, int port, int vc) {
    return static_cast<uint64_t>(hop_class << 16 | port << 8 | vc);
  };
  const uint64_t is = word(static_cast<int>(engine.hop_class), engine.port, engine.vc);
  const uint64_t should = word(expected.resp_hop_class, expected.resp_port, expected.resp_vc);
  if (is == should) return;
  engine_differs_ = true;
  fail({{"hop class, port, virtual channel of the engine", "network engine", should, is, ""}});
}

void PortLockstep::fail(const std::vector<cosim::Difference>& differences) {
  mismatch_ = {log_.size() - 1, differences, reference_.describe()};
  failed_ = true;
}

std::map<std::string, std::string> PortLockstep::meta() const { return cosim::dragonfly_meta(options_.dragonfly); }

std::vector<std::string> PortLockstep::report(const std::string& artifacts) const {
  if (engine_differs_) return cosim::detail::mismatch_words(mismatch_);
  cosim::CampaignRequest request = this->request();
  request.artifacts = artifacts;
  cosim::CampaignParts<cosim::detail::CampaignBlock<Block>> parts;
  parts.bench.stimulus = [this] { return std::make_unique<cosim::Recorded<UnitInputs, UnitOutputs>>(log_); };
  parts.bench.reference = [this] { return own_.reference(bench_, false); };
  parts.bench.device = [this] { return make_device(); };
  parts.meta = meta();
  cosim::CampaignResult result;
  cosim::detail::explain_mismatch(request, parts, mismatch_, result);
  return result.report;
}

std::string PortLockstep::record() const { return cosim::write_trace<Block>(meta(), log_); }

}  // namespace odonata::network
