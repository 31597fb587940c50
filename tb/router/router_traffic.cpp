// SPDX-License-Identifier: Apache-2.0
#include "tb/router/router_traffic.h"

#include "models/congestion/congestion_plane_registers.h"
#include "models/congestion/frame.h"
#include "models/fault/entry.h"
#include "models/fault/packet.h"
#include "models/route_compute/decide.h"
#include "models/route_compute/registers.h"
#include "models/table/configuration.h"
#include "tb/route_compute/operations.h"

namespace odonata::cosim {

using namespace router;

namespace {

constexpr RouterId kOwn{1, 1};  // all of its global ports have cables

/// The tables of a port; in mode safe the emergency detours, too (docs/fault.md §4).
table::PortTables tables_of(const Dragonfly& d, int port, bool safe) {
  table::PortTables tables = table::configure(d, kOwn, port);
  for (int row = d.p(); safe && d.port_class(port) == PortClass::global && row < d.p() + d.a(); ++row)
    tables.b[static_cast<size_t>(row - d.p())] =
        fault::row_config(d, kOwn, fault::entry_of_row(d, row), fault::Mode::safe).at(d, port).b;
  return tables;
}

}  // namespace

RouterTraffic::RouterTraffic(const Dragonfly& d, const DataConfig& config, const DataDemand& demand,
                             const FaultDemand& faults, uint64_t seed)
    : d_(d),
      ports_(d.num_ports()),
      words_(config.words),
      data_(config, demand, false, seed),
      faults_(faults),
      random_(seed + 1),
      ends_(static_cast<size_t>(ports_), {fault::LinkUnit(d), {}}) {
  for (int k = 0; k < ports_; ++k)
    for (const route_compute::RegisterWrite& w : route_compute::configuration_writes(
             d, kOwn, k, tables_of(d, k, faults.safe), route_compute::lfsr_seed(seed, d, kOwn, k)))
      tables_.push_back({k, {true, w.address, w.data}});
  writes_ = tables_;
  // Every second port decides by the second maps, too; frames alternate.
  for (int k = 0; k < ports_; k += 2)
    writes_.push_back({k, {true, route_compute::reg::kRule, route_compute::kStableRule.word()}});
  writes_.push_back({64, {true, congestion::reg::kInterval, congestion::reg::kIntervalReset | 256}});
}

/// A read, or a word of the tables as it was or without an option; one port's more often than the others'.
void RouterTraffic::new_operation() {
  if (below(3) == 0) {
    writes_.push_back({below(4) == 0 ? 64 : below(ports_ + 1), random_read(d_, random_)});
    return;
  }
  Write w = tables_[static_cast<size_t>(below(static_cast<int>(tables_.size())))];
  const uint32_t a = route_compute::reg::kTableA, b = route_compute::reg::kTableB, c = route_compute::reg::kTableC;
  if (w.operation.address < a || w.operation.address >= c) return;
  const bool at_b = w.operation.address >= b;
  const int index = static_cast<int>(w.operation.address - (at_b ? b : a)) / 8;
  const bool global = w.unit < d_.p() && index >= (at_b ? d_.a() : d_.p() + d_.a());
  if (below(3) == 0) {
    uint64_t& word = w.operation.data;
    word = !global ? without_an_option(word, random_)
           : at_b  ? global_b_without_an_option(word, random_)
                   : global_a_without_an_option(word, random_);
  }
  writes_.push_back(w);
}

/// The offered operation stays until it is taken. False while the first configuration is under way.
bool RouterTraffic::configure(const RouterOutputs& last, RouterInputs& in) {
  if (at_ == writes_.size()) {
    configured_ = true;
    writes_.clear();
    at_ = 0;
    if (random_.chance(faults_.rewrites)) new_operation();
  }
  if (at_ < writes_.size()) {
    const Write& w = writes_[at_];
    in.cfg_valid = true;
    in.cfg_unit = static_cast<uint8_t>(w.unit);
    in.cfg_write = w.operation.write;
    in.cfg_addr = static_cast<uint16_t>(w.operation.address / 8);
    in.cfg_wdata = w.operation.data;
    at_ += last.cfg_ready;
  }
  return configured_;
}

bool RouterTraffic::move_flits(const RouterOutputs& last, RouterInputs& in) {
  DataOutputs data;
  for (int k = 0; k < ports_; ++k) data.out_valid |= PortMap{last.out_kind[static_cast<size_t>(k)] == kSlotFlit} << k;
  data.out_flit = last.out_flit;
  data.departed = last.departed;
  data.credit = last.credit;
  data.grant = last.grant;
  data.sent = last.sent;
  DataInputs pins;
  if (!data_.next(data, pins)) return false;
  if (pins.reset) pins = {};  // the first cycle; its reset would take the configuration away
  in.alive = pins.alive;
  in.packet_last = pins.packet_last;
  for (int k = 0; k < ports_; ++k) in.in_kind[static_cast<size_t>(k)] = pins.in_valid >> k & 1 ? kSlotFlit : kSlotIdle;
  in.in_cut = pins.in_cut;
  in.in_flit = pins.in_flit;
  in.credit = pins.credit;

  // Heads: mostly to a node that exists, half of them in this group.
  for (int k = 0; k < ports_; ++k) {
    uint64_t& word = in.in_flit[static_cast<size_t>(words_ * k)];
    if (in.in_kind[static_cast<size_t>(k)] != kSlotFlit || !(word >> 2 & 1)) continue;
    const auto address = [&] {
      const int group = below(2) ? kOwn.gid : below(d_.g());
      return static_cast<uint64_t>(group << 9 | below(d_.a()) << 4 | below(d_.p()));
    };
    const uint64_t dest = below(40) == 0 ? static_cast<uint64_t>(below(1 << 18)) : address();
    word = (word & ~(0xFFFFFFFFFull << 11)) | dest << 11 | address() << 29;
  }
  return true;
}

void RouterTraffic::change_links(RouterInputs& in) {
  if (random_.chance(faults_.falls)) down_ ^= PortMap{1} << below(ports_);
  if (random_.chance(faults_.repairs)) down_ = 0;
  in.link_up = ~down_;
}

/// An FD or FR that may be applied: any address and prefix, mostly what has an effect.
uint32_t RouterTraffic::message() {
  for (;;) {
    fault::Message m;
    m.kind = below(2) ? fault::Kind::recovery : fault::Kind::diagnosis;
    m.prefix = static_cast<uint8_t>(m.kind == fault::Kind::recovery && below(6) == 0 ? 0 : 1 + below(3));
    m.message_class = m.prefix != 0 && below(3) == 0 ? fault::MessageClass::s : fault::MessageClass::d;
    if (m.prefix >= 1) m.gid = static_cast<uint16_t>(below(3) == 0 ? kOwn.gid : below(d_.g()));
    if (m.prefix >= 2) m.bid = static_cast<uint8_t>(below(d_.a()));
    if (m.prefix == 3) m.nid = static_cast<uint8_t>(below(d_.p()));
    if (m.prefix == 2 && m.kind == fault::Kind::diagnosis && below(3) == 0) m.nid = fault::kGatewayOnly;
    if (fault::well_formed(m, d_)) return fault::encode_message(m);
  }
}

/// In slots without a flit. A port that has not been heard says its end mark soon. Now and then a message comes from a
/// dead link, is cut, or a slot holds the code without a meaning.
void RouterTraffic::send_messages(const RouterOutputs& last, RouterInputs& in) {
  for (int k = d_.p(); k < ports_; ++k) {
    const size_t port = static_cast<size_t>(k);
    if (in.in_kind[port] != kSlotIdle) continue;
    const bool unheard = last.unheard[0] >> k & 1;
    if (unheard && below(40) == 0) {
      in.in_kind[port] = kSlotMessage;
      in.in_flit[static_cast<size_t>(words_ * k)] = fault::encode_message(fault::kWholePort);
    } else if (random_.chance(faults_.messages)) {
      in.in_kind[port] = kSlotMessage;
      in.in_flit[static_cast<size_t>(words_ * k)] = message() | (random_.next() << 22);
    } else if (below(50) == 0) {
      in.in_kind[port] = 3;
      in.in_flit[static_cast<size_t>(words_ * k)] = message();
    }
  }
}

/// The neighbours' link ends: a frame that finds a flit in its slot is lost, others are damaged now and then.
void RouterTraffic::send_in_frames(const RouterOutputs& last, RouterInputs& in) {
  for (int k = d_.p(); k < ports_; ++k) {
    const size_t port = static_cast<size_t>(k);
    LinkEnd& end = ends_[port];
    fault::LinkInputs pins;
    pins.reset = !in.alive;
    pins.link_up = in.link_up >> k & 1;
    const bool unheard = last.unheard[0] >> k & 1;
    pins.msg_valid = (unheard && below(40) == 0) || random_.chance(faults_.messages);
    pins.msg = unheard && below(2) == 0 ? fault::encode_message(fault::kWholePort) : message();
    pins.frame_valid = last.out_kind[port] == kSlotMessage && below(30) != 0;
    pins.frame = last.out_flit[static_cast<size_t>(words_ * k)];
    end.unit.step(pins, end.out);
    if (!end.out.frame_valid || in.in_kind[port] != kSlotIdle) continue;
    const uint64_t noise = below(30) == 0 ? uint64_t{1} << below(40) : 0;
    in.in_kind[port] = kSlotMessage;
    in.in_flit[static_cast<size_t>(words_ * k)] = (end.out.frame ^ noise) | random_.next() << 40;
  }
}

void RouterTraffic::send_frames(RouterInputs& in) {
  for (int k = 0; k < d_.a() - 1; ++k) {
    if (below(6) != 0) continue;
    congestion::Frame& frame = in.rx[static_cast<size_t>(k)];
    frame.valid = true;
    frame.bits = static_cast<uint16_t>(random_.next() & low_mask(d_.h()));
    frame.phase = static_cast<uint16_t>(below(2));
    frame.crc = static_cast<uint8_t>(congestion::frame_crc(k + 1, frame.bits, frame.phase) ^ (below(10) == 0));
  }
}

bool RouterTraffic::next(const RouterOutputs& last, RouterInputs& in) {
  in = {};
  in.own_gid = kOwn.gid;
  in.own_bid = kOwn.bid;
  in.safe = faults_.safe;
  in.port_level = faults_.port_level;
  if (!started_) {
    started_ = in.reset = true;
    return true;
  }
  if (!configure(last, in)) return true;  // no traffic yet
  if (!move_flits(last, in)) return false;
  change_links(in);
  faults_.frames ? send_in_frames(last, in) : send_messages(last, in);
  send_frames(in);
  return true;
}

DataDemand steady_traffic(double load, int packet, int credit_delay) {
  DataDemand d;
  d.load = load;
  d.packet = packet;
  d.all_long = false;
  d.credit_delay = credit_delay;
  return d;
}

DataDemand dying_traffic(double load, double deaths, double repairs) {
  DataDemand d = steady_traffic(load, 1, 30);
  d.deaths = deaths;
  d.repairs = repairs;
  d.cuts = 0.05;
  return d;
}

FaultDemand trouble(double falls, double repairs, double messages, double rewrites, bool safe, bool port_level) {
  return {falls, repairs, messages, rewrites, safe, port_level};
}

std::vector<RouterDemand> troubled() {
  return {{steady_traffic(0.5, 1, 20), trouble(1.0 / 200, 1.0 / 2000, 0.01, 0.2)},
          {steady_traffic(0.3, 4, 20), trouble(1.0 / 400, 1.0 / 800, 0.05, 0.05)},
          {steady_traffic(0.9, 1, 40), trouble(1.0 / 50, 1.0 / 500, 0.3, 0.5)},
          {steady_traffic(0.2, 1, 10), trouble(0.3, 1.0 / 50, 0.02, 0.5)},  // flapping
          {steady_traffic(0.4, 1, 10), trouble(1.0 / 300, 1.0 / 3000, 0.02, 0.1, false)},
          {steady_traffic(0.4, 1, 10), trouble(1.0 / 300, 1.0 / 1000, 0.02, 0.1, true, true)},
          {dying_traffic(0.5, 0.001, 0.02), trouble(1.0 / 300, 1.0 / 1000, 0.02, 0.3)},
          {dying_traffic(0.3, 0.01, 0.1), trouble(1.0 / 30, 1.0 / 300, 0.05, 0.3)},
          {dying_traffic(0.3, 0.002, 0.1), trouble(1.0 / 200, 1.0 / 500, 0.05, 0.1, true, true)}};
}

RouterEpisodes::RouterEpisodes(const Dragonfly& d, const DataConfig& config, uint64_t cycles, uint64_t seed)
    : d_(d), config_(config), cycles_(cycles), seed_(seed), demands_(troubled()) {}

bool RouterEpisodes::next(const RouterOutputs& last, RouterInputs& in) {
  if (left_ == 0) {
    const RouterDemand& demand = demands_[episodes_ % demands_.size()];
    now_ = std::make_unique<RouterTraffic>(d_, config_, demand.data, demand.faults, seed_ + episodes_++);
    left_ = cycles_;
  }
  left_ -= now_->configured();
  return now_->next(last, in);
}

}  // namespace odonata::cosim
