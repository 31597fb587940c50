// SPDX-License-Identifier: Apache-2.0
// The four routers of a group in RTL behind wires that lose and damage what has a CRC: frames of the fault plane,
// congestion bits, credits. Nothing is lost, nothing comes twice, and every message arrives once and in order.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/common/random.h"
#include "models/congestion/pcs_transport.h"
#include "models/fault/packet.h"
#include "models/route_compute/registers.h"
#include "models/route_compute/unit.h"
#include "models/router/data_config.h"
#include "models/table/configuration.h"
#include "tb/harness/rtl_library.h"
#include "tb/router/golden_router.h"
#include "tb/router/router_block.h"

namespace odonata::cosim {
namespace {

using router::RouterInputs;
using router::RouterOutputs;
using Device = CycleDevice<RouterInputs, RouterOutputs>;

constexpr int kWords = 2, kLatency = 10;

struct Noise {
  double frames = 0.1;   ///< of the fault plane: a third of them is lost, the others have a wrong bit
  double bits = 0.1;     ///< congestion frames, lost or damaged
  double credits = 0.3;  ///< words with credits, lost
};

/// One direction of a link. Credits are absolute counts, so that one that is lost is made up for by the next.
class Wire {
 public:
  explicit Wire(uint64_t seed) : random_(seed), pcs_(kLatency) {}

  void send(int kind, const uint64_t* flit, const std::array<uint16_t, 4>& freed, congestion::Frame frame,
            const Noise& noise, int h) {
    Slot s;
    s.kind = kind;
    std::copy_n(flit, kWords, s.flit.begin());
    if (kind == router::kSlotMessage && random_.chance(noise.frames)) {
      ++damaged_;
      if (random_.below(3) == 0) s.kind = router::kSlotIdle;
      s.flit[0] ^= uint64_t{1} << random_.below(40);
    }
    for (size_t v = 0; v < 4; ++v) total_[v] = static_cast<uint16_t>(total_[v] + freed[v]);
    s.total = total_;
    s.credits = !random_.chance(noise.credits);
    s.cut = down_;
    slots_.push_back(s);
    frame_ = pcs_.step(pass_link(down_ ? congestion::Frame{} : frame, h, {noise.bits / 2, noise.bits / 2}, random_));
  }

  /// What is on its way while the link is down does not arrive; credits do (docs/network.md §8).
  void set_down(bool down) {
    down_ = down;
    for (Slot& s : slots_) s.cut |= down;
  }

  /// What the other end's next edge samples.
  void receive(int port, int local, RouterInputs& in) {
    if (static_cast<int>(slots_.size()) < kLatency) return;
    const Slot s = slots_.front();
    slots_.pop_front();
    in.in_kind[static_cast<size_t>(port)] = static_cast<uint8_t>(s.kind);
    if (s.cut) in.in_cut |= PortMap{1} << port;
    cut_ += s.cut && s.kind == router::kSlotFlit;
    std::copy_n(s.flit.begin(), kWords, &in.in_flit[static_cast<size_t>(kWords * port)]);
    in.rx[static_cast<size_t>(local)] = frame_;
    for (size_t v = 0; v < 4 && s.credits; ++v) {
      in.credit[static_cast<size_t>(4 * port) + v] = static_cast<uint16_t>(s.total[v] - seen_[v]);
      seen_[v] = s.total[v];
    }
  }
  uint64_t damaged() const { return damaged_; }
  uint64_t cut() const { return cut_; }  ///< flits

 private:
  struct Slot {
    int kind = 0;
    bool credits = true, cut = false;
    std::array<uint64_t, kWords> flit{};
    std::array<uint16_t, 4> total{};
  };
  Random random_;
  congestion::PcsTransport pcs_;
  congestion::Frame frame_;
  std::deque<Slot> slots_;
  std::array<uint16_t, 4> total_{}, seen_{};
  uint64_t damaged_ = 0, cut_ = 0;
  bool down_ = false;
};

/// Messages of one direction of a link since it came up: what the sender put into frames, each number once, and what
/// the other router served.
struct Messages {
  std::vector<uint32_t> told, heard;
  uint64_t again = 0, before = 0;  ///< before: told before the link went down
  /// The link comes up again: numbers begin at 0. What was told before had been heard in its order up to some message.
  void restart() {
    ASSERT_LE(heard.size(), told.size());
    EXPECT_TRUE(std::equal(heard.begin(), heard.end(), told.begin()));
    before += told.size();
    told.clear();
    heard.clear();
  }
  void frame(uint64_t word) {
    const std::optional<fault::Frame> f = fault::decode_frame(word);
    ASSERT_TRUE(f) << "a router sends a frame that is none";
    if (f->type != fault::FrameType::message) return;
    if (f->sequence == told.size() % 16) {
      told.push_back(fault::encode_message(f->message));
    } else {
      ++again;
    }
  }
};

/// Group 0 without its global links, whose loss the fault planes tell each other. Traffic between the first nodes of
/// the routers. The links between routers 0 and 1 and between 2 and 3 come and go.
class Group {
 public:
  Group(const std::function<std::unique_ptr<Device>()>& make, const Noise& noise, uint64_t seed)
      : noise_(noise), random_(seed) {
    for (int r = 0; r < d_.a(); ++r) {
      routers_.push_back({make(), {}, {}, {}, 0});
      routers_.back().room.fill(router::DataConfig(d_).node_depth);
      for (int k = 0; k < d_.a() - 1; ++k) wires_.emplace_back(seed * 100 + static_cast<uint64_t>(r * 8 + k));
    }
    messages_.resize(wires_.size());
    configure();
  }

  void run(int cycles, double load, double flaps) {
    for (int n = 0; n < cycles; ++n) {
      for (const auto& [r, local] : {std::pair{0, 0}, std::pair{2, 2}})
        if (random_.chance(flaps)) flap(r, local);
      for (int r = 0; r < d_.a(); ++r) drive(r, load);
      for (int r = 0; r < d_.a(); ++r) step(r);
      ++now_;
    }
  }

  /// All links work from now on.
  void repair() {
    for (const auto& [r, local] : {std::pair{0, 0}, std::pair{2, 2}})
      if (routers_[static_cast<size_t>(r)].down != 0) flap(r, local);
  }

  uint64_t sent() const { return sent_; }
  uint64_t dropped() const { return dropped_; }  ///< without an option
  uint64_t cut() const {
    uint64_t n = 0;
    for (const Wire& w : wires_) n += w.cut();
    return n;
  }
  uint64_t delivered() const { return seen_.size(); }
  const std::vector<Messages>& messages() const { return messages_; }
  uint64_t damaged() const {
    uint64_t n = 0;
    for (const Wire& w : wires_) n += w.damaged();
    return n;
  }

 private:
  struct Router {
    std::unique_ptr<Device> device;
    RouterInputs in;
    RouterOutputs out;
    std::array<int, 4> room{};
    PortMap down = 0;
  };
  RouterId id(int r) const { return {0, r}; }
  Wire& from(int r, int local) { return wires_[static_cast<size_t>(r * (d_.a() - 1) + local)]; }
  Messages& messages(int r, int local) { return messages_[static_cast<size_t>(r * (d_.a() - 1) + local)]; }

  void base(int r) {
    RouterInputs& in = routers_[static_cast<size_t>(r)].in;
    in = {};
    in.own_gid = 0;
    in.own_bid = static_cast<uint8_t>(r);
    if (configured_) in.link_up = low_mask(d_.first_global()) & ~routers_[static_cast<size_t>(r)].down;
  }

  /// All routers at once, before any link fails.
  void configure() {
    for (int r = 0; r < d_.a(); ++r) {
      Router& router = routers_[static_cast<size_t>(r)];
      base(r);
      router.in.reset = true;
      router.device->step(router.in, router.out);
      for (int k = 0; k < d_.num_ports(); ++k) {
        for (const route_compute::RegisterWrite& w : route_compute::configuration_writes(
                 d_, id(r), k, table::configure(d_, id(r), k), route_compute::lfsr_seed(1, d_, id(r), k)))
          write(r, k, w);
      }
    }
    configured_ = true;
  }
  void write(int r, int unit, const route_compute::RegisterWrite& w) {
    Router& router = routers_[static_cast<size_t>(r)];
    for (bool taken = false; !taken;) {
      base(r);
      router.in.cfg_valid = router.in.cfg_write = true;
      router.in.cfg_unit = static_cast<uint8_t>(unit);
      router.in.cfg_addr = static_cast<uint16_t>(w.address / 8);
      router.in.cfg_wdata = w.data;
      taken = router.out.cfg_ready;
      router.device->step(router.in, router.out);
    }
    for (base(r); !router.out.cfg_ack; base(r)) router.device->step(router.in, router.out);
    ASSERT_FALSE(router.out.cfg_err);
  }

  /// A link goes down, or comes up, at both its ends.
  void flap(int r, int local) {
    const int port = d_.first_local() + local;
    const Dragonfly::Peer peer = d_.peer(id(r), port);
    const int other = peer.router.bid, back = peer.port - d_.first_local();
    routers_[static_cast<size_t>(r)].down ^= PortMap{1} << port;
    routers_[static_cast<size_t>(other)].down ^= PortMap{1} << peer.port;
    const bool down = routers_[static_cast<size_t>(r)].down != 0;
    from(r, local).set_down(down);
    from(other, back).set_down(down);
    if (down) return;
    messages(r, local).restart();
    messages(other, back).restart();
  }

  void drive(int r, double load) {
    Router& router = routers_[static_cast<size_t>(r)];
    base(r);
    for (int k = 0; k < d_.a() - 1; ++k) {
      const int port = d_.first_local() + k;
      const Dragonfly::Peer peer = d_.peer(id(r), port);
      from(peer.router.bid, peer.port - d_.first_local()).receive(port, k, router.in);
    }
    for (size_t v = 0; v < 4; ++v) router.room[v] += router.out.credit[v];  // of port 0, in the cycle that is over
    const auto v = static_cast<size_t>(random_.below(4));
    if (!random_.chance(load) || router.room[v] == 0) return;
    --router.room[v];
    const int to = random_.below(2) == 0 ? 3 : static_cast<int>(random_.below(static_cast<uint32_t>(d_.a())));
    const uint64_t dest = route_compute::pack_address({0, to, 0}), source = route_compute::pack_address({0, r, 0});
    router.in.in_kind[0] = router::kSlotFlit;
    router.in.in_flit[0] = v | 12u | dest << 11 | source << 29 | now_ << 47;
    router.in.in_flit[1] = now_ >> 17;
    ++sent_;
  }

  void step(int r) {
    Router& router = routers_[static_cast<size_t>(r)];
    router.device->step(router.in, router.out);
    const RouterOutputs& out = router.out;
    for (int k = 0; k < d_.a() - 1; ++k) {
      const auto port = static_cast<size_t>(d_.first_local() + k);
      std::array<uint16_t, 4> freed;
      std::copy_n(&out.credit[4 * port], 4, freed.begin());
      congestion::Frame frame;
      if (out.frame_valid >> k & 1) {
        frame.valid = true;
        frame.bits = out.frame_bits;
        frame.crc = out.frame_crc;
        frame.phase = out.frame_phase;
      }
      if (out.out_kind[port] == router::kSlotMessage) messages(r, k).frame(out.out_flit[kWords * port]);
      from(r, k).send(out.out_kind[port], &out.out_flit[kWords * port], freed, frame, noise_, d_.h());
    }
    for (int n = 0; n < 2 * d_.num_ports(); ++n) dropped_ += out.grant[static_cast<size_t>(n)] >> 10 & 1;
    if (out.serve && out.serve_kind >= 2) {
      const Dragonfly::Peer peer = d_.peer(id(r), out.serve_port);
      messages(peer.router.bid, peer.port - d_.first_local()).heard.push_back(out.serve_message);
    }
    for (size_t port = 0; port < static_cast<size_t>(d_.p()); ++port) {
      if (out.out_kind[port] == router::kSlotFlit) deliver(r, static_cast<int>(port), &out.out_flit[kWords * port]);
    }
    for (int port = d_.first_global(); port < d_.num_ports(); ++port)
      EXPECT_NE(out.out_kind[static_cast<size_t>(port)], router::kSlotFlit) << "a packet leaves on a dead link";
  }

  void deliver(int r, int node, const uint64_t* flit) {
    const auto dest = route_compute::unpack_address(static_cast<uint32_t>(flit[0] >> 11 & 0x3FFFF));
    EXPECT_EQ(dest.bid, r);
    EXPECT_EQ(dest.nid, node);
    const uint64_t source = flit[0] >> 29 & 0x3FFFF, born = flit[0] >> 47 | flit[1] << 17;
    EXPECT_EQ((++seen_[{source, born}]), 1) << "a packet comes twice";
  }

  const Dragonfly d_ = Dragonfly::named("tiny");
  const Noise noise_;
  Random random_;
  std::vector<Router> routers_;
  std::vector<Wire> wires_;  ///< by router and local port: what leaves there
  std::vector<Messages> messages_;
  std::map<std::pair<uint64_t, uint64_t>, int> seen_;
  bool configured_ = false;
  uint64_t now_ = 0, sent_ = 0, dropped_ = 0;
};

std::unique_ptr<Device> linked_rtl() {
  RtlParameters parameters = rtl_parameters(Dragonfly::named("tiny"));
  parameters["TablePorts"] = 1;
  return make_rtl<RouterBlock>(parameters, RtlVariant::debug);
}

/// Packets are delivered once, or where they were is known; messages arrive. At least `told` of them were.
void expect_nothing_lost(const Group& group, uint64_t least) {
  EXPECT_EQ(group.delivered() + group.cut() + group.dropped(), group.sent());
  uint64_t told = 0, again = 0;
  for (const Messages& m : group.messages()) {
    EXPECT_EQ(m.told, m.heard);
    told += m.before + m.told.size();
    again += m.again;
  }
  EXPECT_GE(told, least);
  EXPECT_GE(again, least / 10);
  EXPECT_GE(group.damaged(), least / 10);
}

TEST(RouterLinks, NothingIsLostOrDoubledOverNoisyWires) {
  Group group(linked_rtl, {}, 5);
  group.run(20'000, 0.45, 0);
  group.run(4'000, 0, 0);  // longer than the time-outs of the link ends
  EXPECT_GT(group.sent(), 20'000u);
  EXPECT_EQ(group.delivered(), group.sent());
  expect_nothing_lost(group, 100);
}

TEST(RouterLinks, NothingElseIsLostWhenLinksComeAndGo) {
  Group group(linked_rtl, {}, 6);
  group.run(20'000, 0.3, 0.003);
  group.repair();
  group.run(6'000, 0, 0);
  EXPECT_GT(group.cut(), 10u);
  expect_nothing_lost(group, 1'000);
}

/// The checks see what does not arrive: without any credits the traffic stops.
TEST(RouterLinks, WithoutCreditsPacketsStay) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto golden = [&] {
    return std::make_unique<GoldenRouter>(d, router::DataConfig(d), WrongWire::none, GoldenRouter::Options{1, true});
  };
  Group group(golden, {0.1, 0.1, 1.0}, 6);  // no word with credits arrives
  group.run(3'000, 0.45, 0);
  group.run(2'000, 0, 0);
  EXPECT_LT(group.delivered(), group.sent());
}

}  // namespace
}  // namespace odonata::cosim
