// SPDX-License-Identifier: Apache-2.0
#include "tb/router/golden_router.h"

#include <algorithm>

#include "models/congestion/congestion_plane_registers.h"
#include "models/congestion/frame.h"
#include "models/route_compute/decide.h"
#include "models/route_compute/registers.h"
#include "models/table/configuration.h"
#include "tb/route_compute/operations.h"

namespace odonata::cosim {

using namespace router;

GoldenRouter::GoldenRouter(const Dragonfly& d, const DataConfig& config, WrongWire wrong)
    : d_(d),
      ports_(d.num_ports()),
      in_words_(config.words),
      wrong_(wrong),
      data_(config),
      plane_(d),
      route_out_(static_cast<size_t>(ports_)),
      in_use_(static_cast<size_t>(ports_)) {
  for (int k = 0; k < ports_; ++k) route_.emplace_back(d);
}

/// The unit of the operation under way: a port, or `ports_` for the plane; -1: there is none.
int GoldenRouter::chosen() const { return operation_.unit == 64 ? ports_ : operation_.unit < ports_ ? operation_.unit : -1; }

route_compute::UnitInputs GoldenRouter::route_pins(const RouterInputs& in, int port) const {
  route_compute::UnitInputs u;
  const uint64_t flit = header(in, port);
  u.reset = in.reset;
  u.req_valid = (in.in_valid >> port & 1) && (flit >> 2 & 1) && (!(in.in_cut >> port & 1) || wrong_ == WrongWire::cut_asks) &&
                (in.alive || wrong_ == WrongWire::dead_asks);
  u.req_dest = static_cast<uint32_t>(flit >> 11 & 0x3FFFF);
  u.req_src_gid = static_cast<uint16_t>(flit >> 38 & 0x1FF);
  u.req_vc = static_cast<uint8_t>(port < d_.p() ? 0 : flit & 3);
  u.congestion.local = plane_out_.cong_local;
  u.congestion.global = plane_out_.collector.map[static_cast<size_t>(wrong_ == WrongWire::next_map ? (port + 1) % ports_ : port)];
  u.congestion.busy_local = plane_out_.busy_local;
  u.congestion.busy_global = plane_out_.collector.busy_map[static_cast<size_t>(wrong_ == WrongWire::next_busy_map ? (port + 1) % ports_ : port)];
  u.cfg_valid = offered(wrong_ == WrongWire::next_port_configured ? (port + 1) % ports_ : port);
  u.cfg_write = operation_.write;
  u.cfg_addr = operation_.address;
  u.cfg_wdata = operation_.data;
  return u;
}

/// Packets and credits that this edge samples, spread over the counters of their port so that each finds a slot or a packet.
void GoldenRouter::count(const RouterInputs& in, congestion::RouterEvents& events) {
  for (int k = d_.p(); k < ports_; ++k) {
    std::array<int, 4>& use = in_use_[static_cast<size_t>(k)];
    const std::array<int, 4> before = use;
    int sent = 0, credit = 0;
    for (int v = 0; v < 4; ++v) {
      sent += data_out_.sent[static_cast<size_t>(4 * k + v)];
      credit += in.credit[static_cast<size_t>(4 * k + v)];
    }
    std::array<int, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(), [&](int a, int b) { return before[static_cast<size_t>(a)] < before[static_cast<size_t>(b)]; });
    for (int n = 0; n < sent; ++n) {
      const int v = order[static_cast<size_t>(n)];
      events.sent[static_cast<size_t>(v)] |= PortMap{1} << k;
      ++use[static_cast<size_t>(v)];
    }
    for (int n = 0; n < credit; ++n) {
      const int v = order[static_cast<size_t>(3 - n)];
      events.credit[static_cast<size_t>(v)] |= PortMap{1} << k;
      --use[static_cast<size_t>(v)];
    }
  }
}

congestion::PlaneInputs GoldenRouter::plane_pins(const RouterInputs& in) {
  congestion::PlaneInputs p;
  p.reset = in.reset;
  count(in, p.events);
  p.events.departed = data_out_.departed;
  if (wrong_ == WrongWire::departed_as_sent) {
    p.events.departed = 0;
    for (int k = d_.p(); k < ports_; ++k)
      for (int v = 0; v < 4; ++v)
        if (data_out_.sent[static_cast<size_t>(4 * k + v)]) p.events.departed |= PortMap{1} << k;
  }
  const PortMap network = low_mask(ports_) & ~low_mask(d_.p());
  p.events.departed &= network;
  p.events.failed = wrong_ == WrongWire::live_links ? 0 : ~in.link_up & low_mask(ports_);
  for (int k = d_.p(); k < d_.p() + d_.a() - 1; ++k) {
    p.events.flit |= (data_out_.out_valid >> k & 1) << k;
    if (wrong_ != WrongWire::no_tails) p.events.tail |= PortMap{data_out_.out_flit[static_cast<size_t>(in_words_ * k)] >> 3 & 1} << k;
  }
  std::copy(in.rx.begin(), in.rx.end(), p.rx.begin());
  p.cfg_valid = offered(ports_);
  p.cfg_write = operation_.write;
  p.cfg_addr = operation_.address;
  p.cfg_wdata = operation_.data;
  return p;
}

/// After the route-compute units: the data path samples an answer at the edge that puts it into their response registers.
DataInputs GoldenRouter::data_pins(const RouterInputs& in) const {
  DataInputs d;
  d.reset = in.reset;
  d.alive = in.alive;
  d.packet_last = in.packet_last;
  d.in_valid = in.in_valid;
  d.in_cut = in.in_cut;
  d.in_flit = in.in_flit;
  d.credit = in.credit;
  d.slot_taken = in.slot_taken;
  for (size_t k = 0; k < route_out_.size(); ++k) {
    d.ans_port[k] = route_out_[k].resp_port;
    d.ans_vc[k] = route_out_[k].resp_vc;
  }
  return d;
}

void GoldenRouter::step(const RouterInputs& in, RouterOutputs& out) {
  const congestion::PlaneInputs plane = plane_pins(in);
  std::vector<route_compute::UnitInputs> route;
  for (int k = 0; k < ports_; ++k) route.push_back(route_pins(in, k));
  const int unit = chosen();
  const bool ready = unit < 0 || (unit == ports_ ? plane_out_.cfg_ready : route_out_[static_cast<size_t>(unit)].cfg_ready);
  const bool free = !busy_ || acknowledged_;
  refused_ = !in.reset && operation_.valid && unit < 0;
  if (in.reset) {
    operation_ = {};
    busy_ = false;
  } else if (free) {
    operation_ = {in.cfg_valid, in.cfg_write, in.cfg_unit, in.cfg_addr, in.cfg_wdata};
    busy_ = in.cfg_valid;
  } else if (ready) {
    operation_.valid = false;
  }
  if (in.reset) in_use_.assign(in_use_.size(), {});

  for (size_t k = 0; k < route.size(); ++k) route_[k].step(route[k], route_out_[k]);
  plane_.step(plane, plane_out_);
  data_.step(data_pins(in), data_out_);

  out.out_valid = data_out_.out_valid;
  out.out_flit = data_out_.out_flit;
  out.credit = data_out_.credit;
  out.sent = data_out_.sent;
  out.departed = data_out_.departed;
  out.grant = data_out_.grant;
  out.frame_valid = plane_out_.sender.valid;
  out.frame_idle = plane_out_.sender.idle;
  out.frame_stolen = plane_out_.sender.stolen;
  out.frame_bits = plane_out_.sender.bits;
  out.frame_crc = plane_out_.sender.crc;
  out.frame_phase = plane_out_.sender.phase;
  out.cong_local = plane_out_.cong_local;
  out.cfg_ack = refused_ || plane_out_.cfg_ack;
  out.cfg_err = refused_ || (plane_out_.cfg_ack && plane_out_.cfg_err);
  out.cfg_rdata = plane_out_.cfg_ack ? plane_out_.cfg_rdata : 0;
  out.answer = 0;
  for (size_t k = 0; k < route_out_.size(); ++k) {
    const route_compute::UnitOutputs& r = route_out_[k];
    out.answer |= PortMap{r.resp_valid} << k;
    out.answer_port[k] = r.resp_port;
    out.cfg_ack |= r.cfg_ack;
    out.cfg_err |= r.cfg_ack && r.cfg_err;
    if (r.cfg_ack) out.cfg_rdata |= r.cfg_rdata;
  }
  acknowledged_ = out.cfg_ack;
  out.cfg_ready = !busy_ || acknowledged_;
}

RouterTraffic::RouterTraffic(const Dragonfly& d, const DataConfig& config, const DataDemand& demand, uint64_t seed)
    : d_(d), ports_(d.num_ports()), words_(config.words), data_(config, demand, false, seed), random_(seed + 1) {
  const RouterId own{1, 0};
  for (int k = 0; k < ports_; ++k)
    for (const route_compute::RegisterWrite& w :
         route_compute::configuration_writes(d, own, k, table::configure(d, own, k), route_compute::lfsr_seed(seed, d, own, k)))
      writes_.push_back({k, {true, w.address, w.data}});
  // Every second port decides by the second maps, too; frames alternate.
  for (int k = 0; k < ports_; k += 2) writes_.push_back({k, {true, route_compute::reg::kRule, route_compute::kStableRule.word()}});
  writes_.push_back({64, {true, congestion::reg::kInterval, congestion::reg::kIntervalReset | 256}});
}

bool RouterTraffic::next(const RouterOutputs& last, RouterInputs& in) {
  in = {};
  if (!started_) {
    started_ = in.reset = true;
    return true;
  }
  // The offered operation stays until it is taken.
  const auto below = [&](int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); };
  if (at_ == writes_.size() && below(50) == 0) writes_.push_back({below(4) == 0 ? 64 : below(ports_ + 1), random_read(d_, random_)});
  if (at_ < writes_.size()) {
    const Write& w = writes_[at_];
    in.cfg_valid = true;
    in.cfg_unit = static_cast<uint8_t>(w.unit);
    in.cfg_write = w.operation.write;
    in.cfg_addr = static_cast<uint16_t>(w.operation.address / 8);
    in.cfg_wdata = w.operation.data;
    at_ += last.cfg_ready;
    if (w.operation.write) return true;  // no traffic yet
  }

  DataOutputs data;
  data.out_valid = last.out_valid;
  data.out_flit = last.out_flit;
  data.departed = last.departed;
  data.credit = last.credit;
  data.grant = last.grant;
  data.sent = last.sent;
  DataInputs pins;
  if (!data_.next(data, pins)) return false;  // its reset, the first cycle, would take the configuration away
  in.alive = pins.alive;
  in.packet_last = pins.packet_last;
  in.in_valid = pins.in_valid;
  in.in_cut = pins.in_cut;
  in.in_flit = pins.in_flit;
  in.credit = pins.credit;
  in.slot_taken = pins.slot_taken;

  // Heads: mostly to a node that exists, half of them in this group.
  for (int k = 0; k < ports_; ++k) {
    uint64_t& word = in.in_flit[static_cast<size_t>(words_ * k)];
    if (!(in.in_valid >> k & 1) || !(word >> 2 & 1)) continue;
    const auto address = [&] {
      const int group = below(2) ? 1 : below(d_.g());
      return static_cast<uint64_t>(group << 9 | below(d_.a()) << 4 | below(d_.p()));
    };
    const uint64_t dest = below(40) == 0 ? static_cast<uint64_t>(below(1 << 18)) : address();
    word = (word & ~(0xFFFFFFFFFull << 11)) | dest << 11 | address() << 29;
  }
  for (int k = 0; k < d_.a() - 1; ++k) {
    if (below(6) != 0) continue;
    congestion::Frame& frame = in.rx[static_cast<size_t>(k)];
    frame.valid = true;
    frame.bits = static_cast<uint16_t>(random_.next() & low_mask(d_.h()));
    frame.phase = static_cast<uint16_t>(below(2));
    frame.crc = static_cast<uint8_t>(congestion::frame_crc(k + 1, frame.bits, frame.phase) ^ (below(10) == 0));
  }
  if (below(60) == 0) down_ ^= PortMap{1} << below(ports_);
  if (below(300) == 0) down_ = 0;
  in.link_up = ~down_;
  return true;
}

}  // namespace odonata::cosim
