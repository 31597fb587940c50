// SPDX-License-Identifier: Apache-2.0
// A group wired together from the golden units, pin by pin: the slow reference of the fast GroupPlane.
#pragma once

#include <bit>
#include <vector>

#include "models/congestion/group_plane.h"

namespace odonata::congestion::test {

class UnitGroup {
 public:
  UnitGroup(const Dragonfly& d, const PlaneConfig& c) : d_(d), c_(c) {
    for (int r = 0; r < d.a(); ++r) {
      monitors_.emplace_back(d.num_ports() - d.p());
      senders_.emplace_back(d.a() - 1);
      collectors_.emplace_back(d.a(), d.h(), d.num_ports());
      for (int k = 0; k < d.a() - 1; ++k) {
        pipes_.emplace_back(c.pcs);
        links_.emplace_back(c.link);
        random_.emplace_back(mix_seed(c.seed, r, k));
      }
    }
    failed_nodes_.resize(d.a());
    cong_local_.resize(d.a());
    busy_local_.resize(d.a());
  }

  void step(const RouterEvents* events) {
    // What the pins show before the edge.
    const std::vector<PortMap> congested = cong_local_, busy = busy_local_;
    std::vector<std::vector<Frame>> rx(d_.a(), std::vector<Frame>(d_.a()));
    std::vector<Frame> from_pcs, sent;
    for (int r = 0; r < d_.a(); ++r) {
      for (int k = 0; k < d_.a() - 1; ++k) {
        const int to = k < r ? k : k + 1;
        const int link = r * (d_.a() - 1) + k;
        const SenderOutputs& o = senders_[r].out();
        sent.push_back(o.valid >> k & 1 ? Frame{o.bits, o.crc, true, o.phase} : Frame{});
        rx[to][r < to ? r : r - 1] = c_.link == 0 ? faulty_[link] : links_[link].out();
        from_pcs.push_back(pipes_[link].out());
      }
    }
    for (int r = 0; r < d_.a(); ++r) step_router(r, events[r], congested[r], busy[r], rx[r]);
    for (size_t link = 0; link < pipes_.size(); ++link) {
      // Faults are drawn when the frame enters the PCS, in the order of the link's frames; where does not matter.
      const Frame in = pass_link(sent[link], d_.h(), c_.faults, random_[link]);
      if (sent[link].valid) {
        lost_ += !in.valid;
        corrupted_ += in.valid && !(in == sent[link]);
      }
      faulty_[link] = pipes_[link].step(in);
      if (c_.link > 0) links_[link].step(from_pcs[link]);
    }
  }
  PortMap cong_local(int r) const { return cong_local_[r]; }
  const GroupMap& cong_global(int r, int port) const { return collectors_[r].out().map[port]; }
  PortMap busy_local(int r) const { return busy_local_[r]; }
  const GroupMap& busy_global(int r, int port) const { return collectors_[r].out().busy_map[port]; }
  uint32_t stale(int r) const { return collectors_[r].out().stale; }
  bool same_counters(const GroupCounters& n) const {
    return n.frames_in_tails == tails_ && n.idle_frames == idle_ && n.stolen_slots == stolen_ &&
           n.good_frames == good_ && n.bad_frames == bad_ && n.underflows == underflows_ && n.overflows == overflows_;
  }

 private:
  void step_router(int r, const RouterEvents& e, PortMap congested, PortMap busy, const std::vector<Frame>& rx) {
    const auto own = static_cast<uint16_t>(congested >> d_.first_global()),
               own_busy = static_cast<uint16_t>(busy >> d_.first_global());
    const auto local = [&](PortMap m) { return static_cast<uint32_t>(m >> d_.p() & low_mask(d_.a() - 1)); };
    SenderInputs s;
    s.interval = static_cast<uint8_t>(c_.interval);
    s.own_bid = static_cast<uint8_t>(r);
    s.alternate = c_.alternate;
    s.congested = own;
    s.busy = own_busy;
    s.flit = local(e.flit);
    s.tail = local(e.tail);
    senders_[r].step(s);
    tails_ += std::popcount(senders_[r].out().valid & ~senders_[r].out().idle);
    idle_ += std::popcount(senders_[r].out().idle);
    stolen_ += std::popcount(senders_[r].out().stolen);

    CollectorInputs in;
    in.interval = static_cast<uint8_t>(c_.interval);
    in.stale_enable = c_.stale_enable;
    in.stale_limit = static_cast<uint8_t>(c_.stale_limit);
    in.own_bid = static_cast<uint8_t>(r);
    in.own_bits = own;
    in.own_busy = own_busy;
    in.failed = local(e.failed);
    for (int k = 0; k < d_.a() - 1; ++k) {
      in.neighbour[k] = static_cast<uint8_t>(k < r ? k : k + 1);
      in.valid |= static_cast<uint32_t>(rx[k].valid) << k;
      in.bits[k] = rx[k].bits;
      in.crc[k] = rx[k].crc;
      in.phase |= static_cast<uint32_t>(rx[k].phase) << k;
    }
    collectors_[r].step(in);
    good_ += std::popcount(collectors_[r].out().good);
    bad_ += std::popcount(collectors_[r].out().bad);

    cong_local_[r] = busy_local_[r] = failed_nodes_[r];
    failed_nodes_[r] = e.failed & low_mask(d_.p());
    for (int port = d_.p(); port < d_.num_ports(); ++port) {
      MonitorInputs m;
      c_.fill(m, port >= d_.first_global());
      m.departed = e.departed >> port & 1;
      m.failed = e.failed >> port & 1;
      for (int v = 0; v < kNumVcs; ++v) {
        m.sent |= static_cast<uint8_t>((e.sent[v] >> port & 1) << v);
        m.credit |= static_cast<uint8_t>((e.credit[v] >> port & 1) << v);
      }
      CreditMonitor& monitor = monitors_[r][port - d_.p()];
      monitor.step(m);
      cong_local_[r] |= static_cast<PortMap>(monitor.out().congested) << port;
      busy_local_[r] |= static_cast<PortMap>(monitor.out().busy) << port;
      underflows_ += std::popcount(monitor.out().underflow);
      overflows_ += std::popcount(monitor.out().overflow);
    }
  }

  Dragonfly d_;
  PlaneConfig c_;
  std::vector<std::vector<CreditMonitor>> monitors_;
  std::vector<BitmapSender> senders_;
  std::vector<BitmapCollector> collectors_;
  std::vector<PcsTransport> pipes_, links_;
  std::vector<Frame> faulty_ = std::vector<Frame>(32 * 31);
  std::vector<Random> random_;
  std::vector<PortMap> failed_nodes_, cong_local_, busy_local_;
  uint64_t tails_ = 0, idle_ = 0, stolen_ = 0, good_ = 0, bad_ = 0, lost_ = 0, corrupted_ = 0, underflows_ = 0,
           overflows_ = 0;
};

}  // namespace odonata::congestion::test
