// SPDX-License-Identifier: Apache-2.0
// The network and the port unit say the same: every command that the network model serves is given to the port units of
// that router, in the cycle in which the ring brings it, and every message has to leave in the cycle that the network
// model computed. Once with golden units for all routers, once with Verilated ones for a router of choice.
#include <gtest/gtest.h>

#include <map>

#include "tb/fault/network_helpers.h"
#include "tb/fault/port_block.h"

namespace odonata::cosim {
namespace {

using namespace fault;

/// What left a port, by cycle.
using Sent = std::map<int64_t, uint32_t>;

/// The messages that the unit of `port` sends when it gets the services of its router.
template <class Make>
Sent replay_port(const FaultPlaneNetwork& n, int router, int port, Make&& make) {
  const Dragonfly& d = n.dragonfly();
  const auto unit = make(d);
  PortInputs base;
  base.own_gid = static_cast<uint16_t>(d.router(router).gid);
  base.own_bid = static_cast<uint8_t>(d.router(router).bid);
  base.own_port = static_cast<uint8_t>(port);
  base.port_class = static_cast<uint8_t>(d.port_class(port));
  base.safe = n.parameters().mode == Mode::safe;
  base.port_level = n.parameters().recovery == Recovery::port_level;
  base.out_ready = 1;
  PortOutputs out;
  PortInputs in = base;
  in.reset = 1;
  unit->step(in, out);
  for (int row = 0; row < num_rows(d); ++row) {
    const Options o = n.config(router, row).at(d, port);
    in = base;
    in.cfg_valid = 1;
    in.cfg_row = static_cast<uint16_t>(row);
    in.cfg_has_a = o.a != 0;
    in.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
    in.cfg_b = o.b;
    unit->step(in, out);
  }
  unit->step(base, out);
  Sent sent;
  int64_t cycle = -1;  // the cycle after the last edge
  const auto step = [&](const PortInputs& pins) {
    unit->step(pins, out);
    ++cycle;
    if (out.msg_valid) sent[cycle] = out.msg;  // out_ready is 1: it leaves in this cycle
  };
  for (const Service& s : n.services()) {
    if (s.router != router) continue;
    const int64_t arrives = s.start + 1 + static_cast<int64_t>(port) * n.parameters().timing.ring_hop;
    while (cycle + 1 < arrives && (out.busy || out.msg_valid)) step(base);
    cycle = std::max(cycle, arrives - 1);  // nothing happens in between
    in = base;
    in.cmd_valid = 1;
    in.cmd_kind = static_cast<uint8_t>(s.kind);
    in.cmd_port = static_cast<uint8_t>(s.port);
    in.cmd_message = encode_message(s.message);
    in.cmd_isolated = s.isolated;
    step(in);
  }
  while (out.busy || out.msg_valid) step(base);
  return sent;
}

template <class Make>
void compare(const FaultPlaneNetwork& n, int router, Make&& make, uint64_t& messages, uint64_t& lost) {
  const Dragonfly& d = n.dragonfly();
  for (int port = 0; port < d.num_ports(); ++port) {
    Sent want;
    for (const Transfer& t : n.transfers()) {
      if (t.from == router && t.from_port == port) want[t.sent] = encode_message(t.message);
    }
    Sent have = replay_port(n, router, port, make);
    // What the unit sends over a dead cable nobody receives; the caller checks that the network has lost just as many.
    const bool cabled = d.peer(d.router(router), port).connected;
    for (auto it = have.begin(); it != have.end();) {
      const bool received = want.count(it->first) > 0;
      lost += cabled && !received;
      it = received ? std::next(it) : have.erase(it);
    }
    ASSERT_EQ(have, want) << "G" << d.router(router).gid << ".s" << d.router(router).bid << " port " << port;
    messages += want.size();
  }
}

/// A run with flapping and repairs; routers stay alive (a repaired router would need a reset of its units).
void run(FaultPlaneNetwork& n, uint64_t seed) {
  const std::vector<Fault> links = all_links(n.dragonfly());
  Random random(seed);
  std::vector<uint8_t> failed(links.size(), 0);
  int64_t time = 0;
  for (int i = 0; i < 12; ++i) {
    const uint32_t k = random.below(random.below(2) ? 4 : static_cast<uint32_t>(links.size()));
    apply(n, links[k], failed[k], time);
    failed[k] ^= 1;
    time += random.below(400);
  }
  n.run();
  for (size_t k = 0; k < links.size(); ++k) {
    if (failed[k]) apply(n, links[k], true, n.now() + 10);
  }
  n.run();
}

TEST(FaultReplay, NetworkEqualsGoldenPortUnitsMessageByMessage) {
  uint64_t messages = 0;
  for (Mode mode : {Mode::paper, Mode::safe}) {
    for (Recovery recovery : {Recovery::per_entry, Recovery::port_level}) {
      const Dragonfly d = Dragonfly::named("tiny");
      Parameters p;
      p.mode = mode;
      p.recovery = recovery;
      p.timing = Timing::native(d);
      p.record = true;
      for (uint64_t seed = 1; seed <= 4; ++seed) {
        FaultPlaneNetwork n(d, p);
        run(n, seed);
        uint64_t lost = 0;
        for (int r = 0; r < d.num_routers(); ++r) {
          ASSERT_NO_FATAL_FAILURE(compare(
              n, r, [](const Dragonfly& x) { return std::make_unique<PortUnit>(x); }, messages, lost))
              << to_string(mode) << " " << to_string(recovery) << " seed " << seed;
        }
        EXPECT_EQ(lost, n.statistics().fd_dropped);
      }
    }
  }
  EXPECT_GT(messages, 2000u);
}

TEST(FaultReplay, NetworkEqualsRtlPortUnitsMessageByMessage) {
  uint64_t messages = 0, lost = 0;
  const Dragonfly d = Dragonfly::named("tiny");
  Parameters p;
  p.timing = Timing::native(d);
  p.record = true;
  FaultPlaneNetwork n(d, p);
  run(n, 9);
  for (int r : {0, 1, 9, 31}) {
    ASSERT_NO_FATAL_FAILURE(compare(
        n, r, [](const Dragonfly& x) { return make_rtl<FaultPortBlock>(x); }, messages, lost))
        << r;
  }
  EXPECT_GT(messages, 20u);
}

}  // namespace
}  // namespace odonata::cosim
