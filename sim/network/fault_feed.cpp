// SPDX-License-Identifier: Apache-2.0
#include "sim/network/fault_feed.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <tuple>

#include "models/fault/closed_form.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

namespace {

fault::Parameters parameters(const Config& config, const Share* share) {
  fault::Parameters p;
  for (int group = 0; share != nullptr && group < dragonfly_of(config).g(); ++group)
    p.groups.push_back(share->here(group));
  p.mode = config.faults.mode;
  p.recovery = config.faults.recovery;
  p.timing = fault_timing(config);
  if (config.piped()) {  // the edge that would write a flit of the slot takes a message, too
    ++p.timing.local_latency;
    ++p.timing.global_latency;
  }
  p.policy = config.tables;
  return p;
}

/// Cycles by which a flit's departure can lie ahead of its grant: all credits of an output, and the messages among
/// them.
uint32_t longest_queue(const Config& config) {
  const int buffer = std::max(config.link("local").buffer, config.link("global").buffer);
  const auto credits = static_cast<uint32_t>(buffer * config.router.packet_flits() * config.router.vcs);
  return 2 * credits + 4096;
}

}  // namespace

fault::Timing fault_timing(const Config& config) {
  const FaultPlan& plan = config.faults;
  fault::Timing t;
  try {
    t = fault::Timing::of(dragonfly_of(config), plan.hardware);
  } catch (const Error& e) {
    throw Error(std::string("--hardware ") + e.what());
  }
  if (!std::has_single_bit(static_cast<unsigned>(plan.banks)))
    throw Error("--banks: '" + std::to_string(plan.banks) + "' is unknown, expected 1, 2, 4, 8");
  t.poll_width = plan.poll_width;
  t.ring_hop = plan.ring_hop;
  t.banks = plan.banks;
  t.pipelined = plan.pipelined;
  t.local_latency = config.link("local").latency;
  t.global_latency = config.link("global").latency;
  return t;
}

std::vector<uint64_t> traffic_cycles(const Config& config) {
  std::vector<uint64_t> out;
  bool joins = false;
  for (const TimedFault& f : config.faults.events) {
    out.push_back(f.cycle);
    joins |= f.repair && f.fault.is_router;
  }
  if (!joins || config.topology->kind() != "dragonfly") return out;
  fault::FaultPlaneNetwork network(dragonfly_of(config), parameters(config, nullptr));
  std::vector<int> incidents;
  for (const TimedFault& f : config.faults.events)
    incidents.push_back(fault::apply(network, f.fault, f.repair, static_cast<int64_t>(f.cycle)));
  network.run();
  for (size_t i = 0; i < out.size(); ++i) {
    const TimedFault& f = config.faults.events[i];
    if (!f.repair || !f.fault.is_router) continue;
    out[i] = static_cast<uint64_t>(
        std::max(static_cast<int64_t>(f.cycle), network.incidents()[static_cast<size_t>(incidents[i])].last_service));
  }
  return out;
}

FaultFeed::FaultFeed(const Config& config, const Share* share)
    : config_(config),
      dragonfly_(dragonfly_of(config_)),
      exchange_(share == nullptr ? nullptr : share->exchange()),
      margin_(longest_queue(config)),
      lookahead_(config.link("global").latency),
      network_(std::make_unique<fault::FaultPlaneNetwork>(dragonfly_of(config), parameters(config, share))),
      pending_(static_cast<size_t>(dragonfly_of(config).g())),
      due_(pending_.size()),
      tap_(config.faults.tap) {
  std::vector<uint8_t> here;
  for (int group = 0; group < dragonfly_.g(); ++group) here.push_back(share == nullptr || share->here(group));
  const auto routers = static_cast<size_t>(dragonfly_.a()),
             outputs = routers * static_cast<size_t>(dragonfly_.num_ports());
  slots_.lay(here, outputs);
  node_changes_.lay(here, outputs);
  tables_.lay(here, outputs);
  life_.lay(here, routers);
  network_->set_observer(this);
  for (const TimedFault& f : config.faults.events)
    fault::apply(*network_, f.fault, f.repair, static_cast<int64_t>(f.cycle));
}

void FaultFeed::advance(uint32_t first, uint32_t last) {
  known_ = last + margin_;
  done_ = run(known_);
  if (tap_ != nullptr) tap_->known(last);
  const auto before = [](const FaultEvent& a, const FaultEvent& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.kind < b.kind;
  };
  for (size_t g = 0; g < pending_.size(); ++g) {
    std::stable_sort(pending_[g].begin(), pending_[g].end(), before);
    const auto from =
        std::find_if(pending_[g].begin(), pending_[g].end(), [&](const FaultEvent& e) { return e.cycle >= first; });
    const auto to = std::find_if(from, pending_[g].end(), [&](const FaultEvent& e) { return e.cycle >= last; });
    due_[g].assign(from, to);
    pending_[g].erase(pending_[g].begin(), to);
  }
  for (auto& slots : slots_) {
    if (!slots.empty() && slots.front() < first) std::erase_if(slots, [&](uint32_t cycle) { return cycle < first; });
  }
  std::erase_if(arrivals_, [&](const auto& a) {
    if (a.first < first) ++(a.second == fault::Kind::diagnosis ? fd_ : fr_);
    return a.first < first;
  });
}

/// All parts up to a cycle. Until the next event of any rank nothing happens, and what it causes reaches another group
/// a link later.
bool FaultFeed::run(int64_t limit) {
  if (exchange_ == nullptr) return network_->run(limit);
  while (next_ <= limit) {
    network_->run(std::min(limit, next_ + lookahead_));
    int64_t first = network_->next();
    const std::vector<std::byte> leaving = network_->take_leaving();
    Exchange::Bytes own(sizeof first);
    std::memcpy(own.data(), &first, sizeof first);
    own.insert(own.end(), leaving.begin(), leaving.end());
    next_ = INT64_MAX;
    for (const Exchange::Bytes& part : exchange_->gather(own)) {
      std::memcpy(&first, part.data(), sizeof first);
      next_ = std::min(next_, first);
      network_->bring(std::span(part).subspan(sizeof first));
    }
  }
  network_->run(limit);
  return next_ == INT64_MAX;
}

uint64_t FaultFeed::sum(uint64_t n) const {
  if (exchange_ != nullptr) exchange_->sum({&n, 1});
  return n;
}

size_t FaultFeed::bytes() const {
  const auto size = [](const auto& list) {
    return static_cast<size_t>(list.end() - list.begin()) * sizeof(*list.begin());
  };
  return size(slots_) + size(node_changes_) + size(life_) + size(tables_);
}

uint32_t FaultFeed::free_slot(int group, size_t output, uint32_t cycle) const {
  const std::vector<uint32_t>& slots = slots_.block(static_cast<size_t>(group))[output];
  if (slots.empty()) return cycle;
  for (auto at = std::lower_bound(slots.begin(), slots.end(), cycle); at != slots.end() && *at == cycle; ++at) ++cycle;
  if (cycle >= known_) throw std::logic_error("network engine: a flit leaves later than the fault planes are known");
  return cycle;
}

int FaultFeed::taken_slots(int group, size_t output, uint32_t first, uint32_t last) const {
  const std::vector<uint32_t>& slots = slots_.block(static_cast<size_t>(group))[output];
  return static_cast<int>(
      std::count_if(slots.begin(), slots.end(), [&](uint32_t cycle) { return cycle >= first && cycle < last; }));
}

bool FaultFeed::node_link_up(int group, size_t output, uint32_t cycle) const {
  const std::vector<uint32_t>& changes = node_changes_.block(static_cast<size_t>(group))[output];
  const auto after = std::upper_bound(changes.begin(), changes.end(), cycle);
  return (after - changes.begin()) % 2 == 0;
}

const table::PortTables& FaultFeed::tables(int router, int port) const {
  const Dragonfly& d = dragonfly_;
  if (port < d.p()) port = 0;
  auto& t = tables_[static_cast<size_t>(router) * d.num_ports() + port];
  if (!t) t = std::make_unique<table::PortTables>(table::configure(d, d.router(router), port, config_.tables));
  return *t;
}

SidedEntries FaultFeed::words(int router, int port, int row) const {
  const Dragonfly& d = dragonfly_;
  const fault::Marks marks = network_->marks(router, row, port);
  const table::PortTables& t = tables(router, port);
  const fault::RowConfig config = network_->config(router, row);
  const PortClass at = d.port_class(port);
  fault::EntryWords words{t.a[row], row < d.p() ? 0 : t.b[row - d.p()]};
  const bool configured = marks.lost_b == 0 && marks.partial_b == 0 && marks.a == fault::Level::full;
  SidedEntries out;
  if (at == PortClass::global && config.id.zone == fault::Zone::group_local && !configured)
    words.b = config.at(d, port).b;  // emergency detours
  for (int side : {0, 1}) {
    const fault::EntryWords shown =
        configured
            ? words
            : fault::masked_words(d, at, config.id, words, network_->effective_options(router, row, port, side != 0));
    out.side[side] = {shown.a, shown.b};
  }
  return out;
}

bool FaultFeed::quiet(uint32_t now) const {
  const bool none = std::all_of(pending_.begin(), pending_.end(), [](const auto& list) { return list.empty(); });
  return !any(exchange_, !none || !done_ || std::any_of(arrivals_.begin(), arrivals_.end(), [&](const auto& a) {
                return a.first >= now;
              }));
}

std::pair<uint64_t, uint64_t> FaultFeed::messages(uint32_t now) const {
  std::pair<uint64_t, uint64_t> out{fd_, fr_};
  for (const auto& [cycle, kind] : arrivals_) {
    if (cycle < now) ++(kind == fault::Kind::diagnosis ? out.first : out.second);
  }
  return {sum(out.first), sum(out.second)};
}

FaultResult FaultFeed::result(uint32_t now) const {
  FaultResult out;
  std::tie(out.fd_total, out.fr_total) = messages(now);
  const fault::Phases p = phases();
  const auto seen = [now](int64_t cycle) { return cycle < static_cast<int64_t>(now) ? cycle : -1; };
  out.detected = seen(p.detected);
  out.local_done = seen(p.local_done);
  out.last_fd = seen(p.last_fd);
  out.diagnosis_done = seen(p.diagnosis_done);
  out.last_write = seen(p.last_write);
  out.recovery_done = seen(p.recovery_done);
  out.recovery_write = seen(p.recovery_write);
  out.quiet = quiet(now);
  if (!out.quiet) return out;
  out.restored = !any(exchange_, !network_->restored());
  out.closed_form = first_text(exchange_, fault::compare_with_closed_form(*network_));
  return out;
}

/// Of all ranks: the first link event, and the last of everything else.
fault::Phases FaultFeed::phases() const {
  fault::Phases out = network_->statistics().phases;
  if (exchange_ == nullptr) return out;
  const auto* bytes = reinterpret_cast<const std::byte*>(&out);
  for (const Exchange::Bytes& part : exchange_->gather({bytes, bytes + sizeof out})) {
    fault::Phases p;
    std::memcpy(static_cast<void*>(&p), part.data(), sizeof p);
    if (p.detected >= 0 && (out.detected < 0 || p.detected < out.detected)) out.detected = p.detected;
    for (const auto last :
         {&fault::Phases::local_done, &fault::Phases::last_fd, &fault::Phases::diagnosis_done,
          &fault::Phases::last_write, &fault::Phases::recovery_done, &fault::Phases::recovery_write}) {
      out.*last = std::max(out.*last, p.*last);
    }
  }
  return out;
}

void FaultFeed::add(int router, FaultEvent event) {
  event.router = static_cast<uint16_t>(router % dragonfly_.a());
  pending_[static_cast<size_t>(router / dragonfly_.a())].push_back(event);
}

void FaultFeed::link(int router, int port, bool up, int64_t cycle) {
  if (tap_ != nullptr) tap_->link(router, port, up, cycle);
  FaultEvent e;
  e.cycle = static_cast<uint32_t>(cycle);
  e.kind = FaultEvent::Kind::link;
  e.port = static_cast<uint8_t>(port);
  e.up = up;
  add(router, e);
  if (port >= dragonfly_.p()) return;
  auto& changes = node_changes_[static_cast<size_t>(router) * dragonfly_.num_ports() + port];
  if ((changes.size() % 2 == 0) != up) changes.push_back(e.cycle);
}

void FaultFeed::router(int router, bool alive, int64_t cycle) {
  if (tap_ != nullptr) tap_->router(router, alive, cycle);
  FaultEvent e;
  e.cycle = static_cast<uint32_t>(cycle);
  e.kind = FaultEvent::Kind::router;
  e.up = alive;
  if (!alive) ++life_[static_cast<size_t>(router)];
  add(router, e);
}

void FaultFeed::written(int router, int row, int port, int64_t cycle) {
  if (tap_ != nullptr) tap_->written(router, row, port, cycle);
  entry(router, row, port, cycle);
}

/// Every entry that has the port among its options looks different.
void FaultFeed::heard(int router, int port, int fp, bool unheard, int64_t cycle) {
  if (tap_ != nullptr) tap_->heard(router, port, fp, unheard, cycle);
  const PortMap bit = PortMap{1} << fp;
  for (int row = 0; row < fault::num_rows(dragonfly_); ++row) {
    const fault::Options o = network_->config(router, row).at(dragonfly_, port);
    if (((o.a | o.b) & bit) != 0) entry(router, row, port, cycle);
  }
}

void FaultFeed::opened(int router, int port, int64_t cycle) {
  if (tap_ != nullptr) tap_->opened(router, port, cycle);
  FaultEvent e;
  e.cycle = static_cast<uint32_t>(cycle);
  e.kind = FaultEvent::Kind::open;
  e.port = static_cast<uint8_t>(port);
  e.life = life_[static_cast<size_t>(router)];
  add(router, e);
}

/// Changed in `cycle`: decisions from the next cycle on see it.
void FaultFeed::entry(int router, int row, int port, int64_t cycle) {
  FaultEvent e;
  e.cycle = static_cast<uint32_t>(cycle) + 1;
  e.kind = FaultEvent::Kind::entry;
  e.port = static_cast<uint8_t>(port);
  e.row = static_cast<uint16_t>(row);
  e.life = life_[static_cast<size_t>(router)];
  e.words = words(router, port, row);
  add(router, e);
}

void FaultFeed::sent(int router, int port, const fault::Message& message, int64_t cycle) {
  if (tap_ != nullptr) tap_->sent(router, port, message, cycle);
  auto& slots = slots_[static_cast<size_t>(router) * dragonfly_.num_ports() + port];
  const auto at = static_cast<uint32_t>(cycle);
  slots.insert(std::upper_bound(slots.begin(), slots.end(), at), at);
}

void FaultFeed::arrived(int router, int port, const fault::Message& message, int64_t cycle) {
  if (tap_ != nullptr) tap_->arrived(router, port, message, cycle);
  arrivals_.push_back({static_cast<uint32_t>(cycle), message.kind});
}

void FaultFeed::served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) {
  if (tap_ != nullptr) tap_->served(router, kind, port, message, cycle);
}

}  // namespace odonata::network
