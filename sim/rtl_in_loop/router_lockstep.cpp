// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/router_lockstep.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "tb/fault/campaign.h"
#include "tb/harness/plant.h"

namespace odonata::network {

using fault::Message;
using fault::RouterInputs;
using fault::RouterOutputs;

namespace {

constexpr size_t kLongestLog = size_t{1} << 16;  // cycles that are kept for a report when not all are

enum class What : uint64_t { service, message, write, heard };

uint64_t word(What what, int port, uint64_t value) {
  return static_cast<uint64_t>(what) << 40 | static_cast<uint64_t>(port) << 32 | value;
}
uint64_t service_word(int kind, int port, uint32_t message) {
  return word(What::service, port, static_cast<uint64_t>(kind) << 24 | (kind >= 2 ? message : 0));
}

uint64_t heard_word(int port, int fp, bool unheard) {
  return word(What::heard, port, static_cast<uint64_t>(fp) * 2 + unheard);
}

}  // namespace

RouterLockstep::RouterLockstep(const Options& options)
    : options_(options),
      index_(options.dragonfly.router_index(options.router)),
      plant_(cosim::plant_number(cosim::fault_plants(), options.plant)),
      config_(cosim::router_config(options.dragonfly, options.variant)),
      reference_(options.dragonfly, config_),
      device_(cosim::make_fault_router_rtl(options.dragonfly, options.variant, plant_)),
      comparator_(Block::probes(), 0),
      now_(1 - config_.scheduler.stations) {
  base_.own_gid = static_cast<uint16_t>(options.router.gid);
  base_.own_bid = static_cast<uint8_t>(options.router.bid);
  base_.safe = options.mode == fault::Mode::safe;
  base_.port_level = options.recovery == fault::Recovery::port_level;
  load();
}

/// Reset, all tables as configured, and reset again: the poll begins anew.
void RouterLockstep::load() {
  const Dragonfly& d = options_.dragonfly;
  RouterInputs reset = base_, idle = base_;
  reset.reset = 1;
  reset.joins = 0;
  reset.link_up = idle.link_up = ~0ull;
  step(reset);
  for (int row = 0; row < fault::num_rows(d); ++row) {
    const fault::RowConfig config =
        row_config(d, options_.router, fault::entry_of_row(d, row), options_.mode, options_.tables);
    for (int port = 0; port < d.num_ports(); ++port) step(configuration_write(idle, port, row, config.at(d, port)));
  }
  step(idle);
  reset.joins = base_.joins;
  step(reset);
}

void RouterLockstep::link(int router, int port, bool up, int64_t cycle) {
  if (own(router)) links_[cycle].emplace_back(port, up);
}

/// A dead router shows nothing more, whatever was decided before.
void RouterLockstep::router(int router, bool alive, int64_t cycle) {
  if (!own(router)) return;
  lives_[cycle] = alive;
  if (!alive) engine_.erase(engine_.lower_bound(cycle), engine_.end());
}

void RouterLockstep::written(int router, int row, int port, int64_t cycle) {
  if (own(router)) engine_[cycle + 1].push_back(word(What::write, port, static_cast<uint64_t>(row)));
}

/// A router that joins comes out of reset having heard nobody.
void RouterLockstep::heard(int router, int port, int fp, bool unheard, int64_t cycle) {
  if (own(router) && !lives_.contains(cycle + 1)) engine_[cycle + 1].push_back(heard_word(port, fp, unheard));
}

void RouterLockstep::sent(int router, int port, const Message& message, int64_t cycle) {
  if (own(router)) engine_[cycle].push_back(word(What::message, port, encode_message(message)));
}

void RouterLockstep::arrived(int router, int port, const Message& message, int64_t cycle) {
  if (!own(router)) return;
  RouterInputs& in = arrivals_[cycle];
  in.in_valid |= 1ull << port;
  in.in_message[static_cast<size_t>(port)] = encode_message(message);
}

void RouterLockstep::served(int router, fault::ServiceKind kind, int port, const Message& message, int64_t cycle) {
  if (own(router)) engine_[cycle].push_back(service_word(static_cast<int>(kind), port, encode_message(message)));
}

void RouterLockstep::known(int64_t last) {
  while (!failed_ && now_ < last) cycle();
}

/// One edge, and the cycle that begins with it.
void RouterLockstep::cycle() {
  if (const auto at = lives_.find(now_); at != lives_.end()) {
    if (!at->second) join_next_time();
    if (at->second && !alive_) load();
    alive_ = at->second;
  }
  if (const auto at = links_.find(now_); at != links_.end()) {
    for (const auto& [port, up] : at->second)
      base_.link_up = up ? base_.link_up | 1ull << port : base_.link_up & ~(1ull << port);
    links_.erase(at);
  }
  RouterInputs in = base_;
  in.reset = !alive_;
  if (const auto at = arrivals_.find(now_); at != arrivals_.end()) {
    in.in_valid = at->second.in_valid;
    in.in_message = at->second.in_message;
    arrivals_.erase(at);
  }
  step(in);
  if (!failed_) compare_with_engine();
  ++now_;
}

/// A router that has died joins a running network; ports without a cable stay down, so that they are no link events.
void RouterLockstep::join_next_time() {
  base_.joins = !base_.port_level;
  for (int port = options_.dragonfly.p(); base_.joins && port < options_.dragonfly.num_ports(); ++port) {
    if (!options_.dragonfly.peer(options_.router, port).connected) base_.link_up &= ~(1ull << port);
  }
}

void RouterLockstep::step(const RouterInputs& in) {
  if (options_.keep || log_.size() < kLongestLog) log_.push_back(in);
  reference_.step(in, expected_);
  device_->step(in, got_);
  if (!comparator_.equal(log_.size() - 1, expected_, got_)) fail(comparator_.differences());
}

RouterLockstep::Happenings RouterLockstep::shown() {
  const Dragonfly& d = options_.dragonfly;
  Happenings out;
  unheard_.resize(static_cast<size_t>(d.num_ports()));
  for (int port = 0; port < d.num_ports(); ++port) {
    const PortMap now = expected_.unit[static_cast<size_t>(port)].unheard;
    const PortMap before = std::exchange(unheard_[static_cast<size_t>(port)], now);
    for (PortMap left = alive_ ? now ^ before : 0; left != 0; left &= left - 1) {
      const int fp = std::countr_zero(left);
      out.push_back(heard_word(port, fp, (now >> fp & 1) != 0));
    }
  }
  if (expected_.serve) out.push_back(service_word(expected_.serve_kind, expected_.serve_port, expected_.serve_message));
  for (int port = 0; port < d.num_ports(); ++port) {
    const fault::PortOutputs& unit = expected_.unit[static_cast<size_t>(port)];
    if (unit.write) out.push_back(word(What::write, port, unit.write_row));
    if (unit.msg_valid && port >= d.p() && d.peer(options_.router, port).connected)
      out.push_back(word(What::message, port, unit.msg));
  }
  return out;
}

void RouterLockstep::compare_with_engine() {
  Happenings is = shown(), should;
  if (const auto at = engine_.find(now_); at != engine_.end()) {
    should = at->second;
    engine_.erase(at);
  }
  std::sort(is.begin(), is.end());
  std::sort(should.begin(), should.end());
  compared_ += is.size();
  if (is == should) return;
  const auto [a, b] = std::mismatch(is.begin(), is.end(), should.begin(), should.end());
  engine_differs_ = true;
  fail({{"service, message or write of cycle " + std::to_string(now_), "fault planes of the engine",
         a == is.end() ? 0 : *a, b == should.end() ? 0 : *b, ""}});
}

void RouterLockstep::fail(const std::vector<cosim::Difference>& differences) {
  mismatch_ = {log_.size() - 1, differences, reference_.describe()};
  failed_ = true;
}

std::map<std::string, std::string> RouterLockstep::meta() const {
  std::map<std::string, std::string> out = cosim::dragonfly_meta(options_.dragonfly);
  out["pipelined"] = options_.variant == cosim::RouterVariant::pipelined ? "1" : "0";
  return out;
}

std::string RouterLockstep::record() const { return cosim::write_trace<Block>(meta(), log_); }

std::vector<std::string> RouterLockstep::report(const std::string& artifacts) const {
  if (engine_differs_ || (!options_.keep && log_.size() == kLongestLog))
    return cosim::detail::mismatch_words(mismatch_);
  cosim::CampaignRequest request;
  request.dragonfly = options_.dragonfly;
  request.plant = options_.plant;
  request.artifacts = artifacts;
  cosim::CampaignParts<Block> parts;
  parts.bench.stimulus = [this] { return std::make_unique<cosim::Recorded<RouterInputs, RouterOutputs>>(log_); };
  parts.bench.reference = [this] { return std::make_unique<fault::RouterUnit>(options_.dragonfly, config_); };
  parts.bench.device = [this] { return cosim::make_fault_router_rtl(options_.dragonfly, options_.variant, plant_); };
  parts.meta = meta();
  cosim::CampaignResult result;
  cosim::detail::explain_mismatch(request, parts, mismatch_, result);
  return result.report;
}

}  // namespace odonata::network
