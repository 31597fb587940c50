// SPDX-License-Identifier: Apache-2.0
// The SystemC congestion plane of a router and of a group: configuration over TLM, equality with the golden planes,
// exchange of routers for RTL.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "hw/congestion/congestion_plane.h"
#include "models/congestion/golden_device.h"
#include "models/congestion/group_load.h"
#include "tb/congestion/congestion_plane_block.h"

namespace odonata::congestion {
namespace {

using tlm::tlm_response_status;

/// A bus master of its own thread.
class Master : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Master, hw::kBusWidth> socket{"socket"};
  std::function<void(Master&)> program;

  explicit Master(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Master);
    SC_THREAD(run);
  }
  tlm_response_status access(bool write, uint64_t address, uint64_t& data, unsigned length = 8) {
    sc_core::sc_time delay;
    return access_after(delay, write, address, data, length);
  }
  tlm_response_status access_after(sc_core::sc_time& delay, bool write, uint64_t address, uint64_t& data,
                                   unsigned length = 8) {
    tlm::tlm_generic_payload payload;
    fill(payload, write, address, data, length);
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  tlm_response_status write(uint64_t address, uint64_t data) { return access(true, address, data); }
  unsigned debug(uint64_t address, uint64_t& data, bool write = false) {
    tlm::tlm_generic_payload payload;
    fill(payload, write, address, data, 8);
    return socket->transport_dbg(payload);
  }

 private:
  static void fill(tlm::tlm_generic_payload& payload, bool write, uint64_t address, uint64_t& data, unsigned length) {
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
  }
  void run() {
    if (program) program(*this);
  }
};

/// A group whose routers are configured over TLM, fed with events from a clocked method; compared with the fast golden
/// plane.
class GroupBench : public sc_core::sc_module {
 public:
  GroupBench(const sc_core::sc_module_name& name, const Dragonfly& d, const PlaneConfig& config,
             const GroupCongestionPlane::MakePlane& make)
      : sc_module(name),
        tick("tick", {1, sc_core::SC_NS}),
        group("group", tick, d, config, make),
        golden(d, config),
        load(d, config, {.load = 0.8, .packet_flits = 4, .hot_share = 0.5, .local_hot_share = 0.3, .hot_cycles = 300}),
        idle(d.a()) {
    for (int r = 0; r < d.a(); ++r) {
      masters.push_back(std::make_unique<Master>(("master_" + std::to_string(r)).c_str()));
      masters[r]->socket.bind(group.router(r).config_socket);
      masters[r]->program = [&d, r](Master& m) {
        EXPECT_EQ(m.write(reg::kRouterId, r), tlm::TLM_OK_RESPONSE);
        for (int k = 0; k < d.a() - 1; ++k)
          EXPECT_EQ(m.write(reg::kNeighbour + 8 * k, k < r ? k : k + 1), tlm::TLM_OK_RESPONSE);
      };
    }
    SC_HAS_PROCESS(GroupBench);
    SC_METHOD(drive);
    sensitive << tick.edge();
    dont_initialize();
    SC_METHOD(compare);
    // In the middle between edges, when everything has settled.
    sensitive << middle;
    dont_initialize();
  }
  uint64_t compared = 0, congested = 0;
  std::string difference;

 private:
  // What is driven at an edge is sampled by the next one.
  void drive() {
    ++edge;
    const bool started = edge > 300;
    golden.step(last ? last : idle.data());
    last = started ? load.next() : idle.data();
    for (int r = 0; r < golden.dragonfly().a(); ++r) group.router(r).set_events(last[r]);
    middle.notify(tick.period() / 2);
  }
  void compare() {
    if (edge <= 301 || !difference.empty()) return;  // configured, and the first frames with right CRCs have come
    const Dragonfly& d = golden.dragonfly();
    ++compared;
    for (int r = 0; r < d.a(); ++r) {
      congested += group.cong_local(r) != 0;
      bool same = group.cong_local(r) == golden.cong_local(r) && group.busy_local(r) == golden.busy_local(r) &&
                  group.router(r).out().collector.stale == golden.stale(r);
      for (int k = 0; k < d.num_ports(); ++k) {
        same &=
            group.cong_global(r, k) == golden.cong_global(r, k) && group.busy_global(r, k) == golden.busy_global(r, k);
      }
      if (!same) difference = "router " + std::to_string(r) + " edge " + std::to_string(edge);
    }
  }

  hw::Tick tick;
  GroupCongestionPlane group;
  GroupPlane golden;
  GroupLoad load;
  std::vector<RouterEvents> idle;
  std::vector<std::unique_ptr<Master>> masters;
  const RouterEvents* last = nullptr;
  sc_core::sc_event middle;
  int edge = 0;
};

void expect_equal(const char* size, int cycles, const PlaneConfig& config,
                  const GroupCongestionPlane::MakePlane& make = {}) {
  const Dragonfly d = Dragonfly::named(size);
  GroupBench bench("bench", d, config, make);
  sc_core::sc_start(cycles, sc_core::SC_NS);
  EXPECT_EQ(bench.difference, "");
  EXPECT_GT(bench.compared, static_cast<uint64_t>(cycles) / 2);
  EXPECT_GT(bench.congested, 0u);
}

TEST(SystemcCongestion, AGroupOfModulesEqualsTheGoldenPlane) { expect_equal("tiny", 6000, {}); }

TEST(SystemcCongestion, APaperSizeGroupEqualsTheGoldenPlane) { expect_equal("paper", 3000, {}); }

TEST(SystemcCongestion, LostAndDamagedFrames) {
  PlaneConfig c;
  c.pcs = 7;
  c.link = 0;
  // The draws are those of the golden plane, so even the losses agree; the first frames have wrong CRCs on one side
  // only, so the silence of the beginning must be over when the comparison starts.
  c.faults = {0.05, 0.05};
  expect_equal("tiny", 6000, c);
}

TEST(SystemcCongestion, EachRouterCanBeVerilatedRtlOrGolden) {
  expect_equal("tiny", 6000, {},
               [](const char* name, hw::Tick& tick, const Dragonfly& d, int r) -> std::unique_ptr<CongestionPlane> {
                 if (r % 3 == 0) return std::make_unique<StructuralPlane>(name, tick, d);
                 if (r % 3 == 1)
                   return std::make_unique<DevicePlane>(name, tick, d, cosim::make_rtl<cosim::CongestionPlaneBlock>(d));
                 return std::make_unique<DevicePlane>(name, tick, d, std::make_unique<GoldenPlane>(d));
               });
}

TEST(SystemcCongestion, AllRoutersOfAPaperSizeGroupAsRtl) {
  expect_equal("paper", 3000, {},
               [](const char* name, hw::Tick& tick, const Dragonfly& d, int) -> std::unique_ptr<CongestionPlane> {
                 return std::make_unique<DevicePlane>(name, tick, d, cosim::make_rtl<cosim::CongestionPlaneBlock>(d));
               });
}

/// The same operations, reads and writes, good and refused, on every register over the bus of each of three groups: of
/// modules, of Verilated RTL and of golden planes. Every pin of every router is equal in every cycle, while traffic
/// runs and resets come, and what the bus answers is equal too.
class ThreeGroups : public sc_core::sc_module {
 public:
  static constexpr int kLevels = 3;
  ThreeGroups(const sc_core::sc_module_name& name, const Dragonfly& dragonfly)
      : sc_module(name),
        d(dragonfly),
        tick("tick", {1, sc_core::SC_NS}),
        load(d, {}, {.load = 0.9, .packet_flits = 3, .hot_share = 0.5, .hot_cycles = 200}) {
    for (int level = 0; level < kLevels; ++level) {
      const std::string unit = "group_" + std::to_string(level);
      answers[level].resize(d.a());
      groups.push_back(std::make_unique<GroupCongestionPlane>(
          unit.c_str(), tick, d, PlaneConfig{},
          [level](const char* n, hw::Tick& t, const Dragonfly& size, int) { return make(level, n, t, size); }));
      for (int r = 0; r < d.a(); ++r) {
        masters.push_back(
            std::make_unique<Master>(("master_" + std::to_string(level) + "_" + std::to_string(r)).c_str()));
        masters.back()->socket.bind(groups[level]->router(r).config_socket);
        masters.back()->program = [this, level, r](Master& m) { configure(m, answers[level][r], r); };
      }
    }
    SC_HAS_PROCESS(ThreeGroups);
    SC_METHOD(drive);
    sensitive << tick.edge();
    dont_initialize();
    SC_METHOD(compare);
    sensitive << middle;
    dont_initialize();
  }
  const Dragonfly d;
  uint64_t compared = 0, acknowledged = 0;
  std::string difference;
  std::array<std::vector<std::vector<uint64_t>>, kLevels> answers;  // by router: status and data of every operation

 private:
  static std::unique_ptr<CongestionPlane> make(int level, const char* name, hw::Tick& tick, const Dragonfly& d) {
    if (level == 0) return std::make_unique<StructuralPlane>(name, tick, d);
    if (level == 1)
      return std::make_unique<DevicePlane>(name, tick, d, cosim::make_rtl<cosim::CongestionPlaneBlock>(d));
    return std::make_unique<DevicePlane>(name, tick, d, std::make_unique<GoldenPlane>(d));
  }
  void configure(Master& m, std::vector<uint64_t>& to, int r) {
    Random random(mix_seed(9, r));
    m.write(reg::kRouterId, r);
    for (int k = 0; k < d.a() - 1; ++k) m.write(reg::kNeighbour + 8 * k, k < r ? k : k + 1);
    for (int i = 0; i < 400; ++i) {
      sc_core::wait(1 + random.below(20), sc_core::SC_NS);
      const uint64_t interval = (1 + random.below(12)) | random.below(2) << 8,
                     window = random.below(64) | random.below(2) << 16, threshold = random.below(20);
      const std::pair<uint64_t, uint64_t> writes[] = {
          {reg::kInterval, interval},
          {reg::kWindow, window | window << 32},
          {reg::kThreshold, threshold | threshold << 16 | threshold / 2 << 32 | threshold / 3 << 48},
          {reg::kCapacity, (8 + random.below(60)) | (8 + random.below(249)) << 16},
          {reg::kStale, (1 + random.below(9)) | random.below(2) << 8},
          {reg::kInterval, 512},
          {reg::kCounters + 8 * random.below(reg::kNumCounters), 1},
          {8 * random.below(80), random.below(9)}};
      auto [address, data] = writes[random.below(8)];
      const bool write = random.below(3) != 0;
      const tlm_response_status status = m.access(write, address, data);
      to.push_back(static_cast<uint64_t>(static_cast<int64_t>(status)));
      to.push_back(write ? 0 : data);
    }
  }
  // What is driven at an edge is sampled by the next one.
  void drive() {
    ++edge;
    const RouterEvents* events = load.next();
    for (auto& group : groups) {
      for (int r = 0; r < d.a(); ++r) {
        RouterEvents seen = events[r];
        // Of a node and of a neighbour the links are down now and then, at resets, too.
        if (edge / 90 % 2 == 0) seen.failed |= PortMap{1} | PortMap{1} << d.first_local();
        group->router(r).set_events(seen);
        group->router(r).set_reset(edge % 977 == 0 && r == edge / 977 % d.a());
      }
    }
    middle.notify(tick.period() / 2);
  }
  void compare() {
    if (!difference.empty()) return;
    ++compared;
    for (int r = 0; r < d.a(); ++r) {
      const PlaneOutputs& first = groups[0]->router(r).out();
      acknowledged += first.cfg_ack;
      for (int level = 1; level < kLevels; ++level) {
        if (groups[level]->router(r).out() == first) continue;
        difference =
            "router " + std::to_string(r) + " level " + std::to_string(level) + " edge " + std::to_string(edge);
      }
    }
  }

  hw::Tick tick;
  GroupLoad load;
  std::vector<std::unique_ptr<GroupCongestionPlane>> groups;
  std::vector<std::unique_ptr<Master>> masters;
  sc_core::sc_event middle;
  int edge = 0;
};

TEST(SystemcCongestion, ReconfiguredOverTlmWhileItRunsAllLevelsAgreeOnEveryPin) {
  ThreeGroups bench("bench", Dragonfly::named("tiny"));
  sc_core::sc_start(9000, sc_core::SC_NS);
  EXPECT_EQ(bench.difference, "");
  EXPECT_GE(bench.compared, 8900u);
  EXPECT_GT(bench.acknowledged, 1000u);
  for (const auto& of_router : bench.answers[0]) EXPECT_GE(of_router.size(), 800u);
  EXPECT_EQ(bench.answers[0], bench.answers[1]);
  EXPECT_EQ(bench.answers[0], bench.answers[2]);
}

void check_registers(Master& m) {
  uint64_t data = 0;
  EXPECT_EQ(m.access(false, reg::kId, data), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data, reg::kIdValue);
  EXPECT_EQ(m.write(reg::kInterval, 7), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(m.access(false, reg::kInterval, data), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data, 7u);
  EXPECT_EQ(m.write(reg::kInterval, 0), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(m.write(reg::kWindow, 513), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(m.write(reg::kId, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(m.write(reg::kSize, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(m.write(reg::kCounters, 0), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(m.write(0x7F0, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(m.write(0x8000, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(m.write(4, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(m.access(false, reg::kId, data, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(m.access(false, reg::kInterval, data), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data, 7u) << "nothing changed";
  EXPECT_EQ(m.debug(reg::kInterval, data), 8u);
  EXPECT_EQ(data, 7u);
  EXPECT_EQ(m.debug(0x7F0, data), 0u);
  data = 9;
  EXPECT_EQ(m.debug(reg::kInterval, data, true), 0u) << "debug transport only reads";
  EXPECT_EQ(m.access(false, reg::kInterval, data), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data, 7u);
}

TEST(SystemcCongestion, RegistersOverTlm) {
  const Dragonfly d = Dragonfly::named("tiny");
  hw::Tick tick("tick");
  StructuralPlane modules("modules", tick, d);
  DevicePlane rtl("rtl", tick, d, cosim::make_rtl<cosim::CongestionPlaneBlock>(d));
  Master a("a"), b("b");
  a.socket.bind(modules.config_socket);
  b.socket.bind(rtl.config_socket);
  int done = 0;
  uint64_t data = 0;
  const auto after_a_reset = [&](Master& m, CongestionPlane& plane) {
    plane.set_reset(true);
    sc_core::wait(5, sc_core::SC_NS);
    plane.set_reset(false);
    sc_core::wait(5, sc_core::SC_NS);
    uint64_t over_the_bus = 0;
    EXPECT_EQ(m.access(false, reg::kInterval, over_the_bus), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(m.debug(reg::kInterval, data), 8u);
    EXPECT_EQ(over_the_bus, 10u);
    EXPECT_EQ(data, 10u) << "a debug read sees the reset, too";
    EXPECT_EQ(m.access(false, reg::kNeighbour, over_the_bus), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(m.debug(reg::kNeighbour, data), 8u) << "behind the counters";
    EXPECT_EQ(data, over_the_bus);
  };
  /// A caller that is ahead of the simulation: its delay passes first.
  const auto after_a_delay = [](Master& m) {
    uint64_t word = 0;
    const auto cycles = [&](double ahead) {
      sc_core::sc_time delay(ahead, sc_core::SC_NS);
      const double called = sc_core::sc_time_stamp().to_seconds();
      EXPECT_EQ(m.access_after(delay, false, reg::kInterval, word), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
      return (sc_core::sc_time_stamp().to_seconds() - called) * 1e9;
    };
    EXPECT_NEAR(cycles(13), cycles(0) + 13, 1e-6);
  };
  a.program = [&](Master& m) {
    check_registers(m);
    EXPECT_EQ(m.debug(reg::kCounters, data), 8u);
    after_a_reset(m, modules);
    after_a_delay(m);
    ++done;
  };
  b.program = [&](Master& m) {
    check_registers(m);
    EXPECT_EQ(m.debug(reg::kCounters, data), 0u) << "counters are only in the device";
    after_a_reset(m, rtl);
    after_a_delay(m);
    ++done;
  };
  sc_core::sc_start(1000, sc_core::SC_NS);
  EXPECT_EQ(done, 2);
}

}  // namespace
}  // namespace odonata::congestion
