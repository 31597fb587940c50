// SPDX-License-Identifier: Apache-2.0
// The SystemC level: the input-port module in lockstep with the golden model and the RTL, and whole meshes of routers
// behind TLM sockets.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "hw/arb_request/input_port_device.h"
#include "hw/arb_request/router.h"
#include "models/arb_request/mesh.h"
#include "models/common/error.h"
#include "models/common/random.h"
#include "tb/arb_request/coverage.h"
#include "tb/arb_request/rtl_sizes.h"
#include "tb/arb_request/stimulus.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/vcd_values.h"

namespace odonata::arb_request {
namespace {

using cosim::ArbCornerPins;
using cosim::ArbPortBlock;
using cosim::RunOptions;
using cosim::RunResult;

template <class Reference, class Device>
RunResult lockstep(const PortSize& size, Reference& reference, Device& device, uint64_t transactions = 20'000) {
  ArbCornerPins stimulus(size, 5);
  RunOptions options;
  options.max_transactions = transactions;
  options.max_cycles = 100 * transactions;
  return cosim::run_lockstep<ArbPortBlock>(stimulus, reference, device, options);
}

TEST(ArbSystemC, AgreesWithTheGoldenModelForManySizes) {
  for (int n = 1; n <= 8; ++n) {
    for (const auto& [v, s] :
         std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {3, 3}, {5, 2}, {8, 3}, {16, 16}, {15, 4}}) {
      const PortSize size{n, n % 2 ? 8 : 3, n % 3 ? 8 : 2, v, s};
      GoldenPort golden(size);
      InputPortDevice module(size);
      const RunResult r = lockstep(size, golden, module, 3'000);
      EXPECT_TRUE(r.passed()) << "n " << n << " V " << v << " S " << s << ": "
                              << (r.mismatch ? r.mismatch->differences.front().probe : "nothing compared");
    }
  }
}

TEST(ArbSystemC, AgreesWithTheRtl) {
  for (const cosim::ArbRtlSize& built : cosim::arb_rtl_sizes()) {
    InputPortDevice module(built.size);
    const auto rtl = cosim::make_rtl<cosim::ArbPortBlock>(cosim::rtl_parameters(built.size));
    EXPECT_TRUE(lockstep(built.size, module, *rtl, 50'000).passed()) << built.name;
  }
}

// Negative controls: units of the SystemC module with a bug are caught.
struct WindowStays : InputPortModule {
  using InputPortModule::InputPortModule;
  int next_window(const Lane* winner) const override { return winner ? winner->queue : now().window; }
};
struct AsksWhenEmpty : InputPortModule {
  using InputPortModule::InputPortModule;
  Lane lane(int k) const override {
    Lane l = InputPortModule::lane(k);
    if (l.requests.low) l.requests.low = 0, l.asks = l.requests.high != 0;
    return l;
  }
};
struct KeepsGranted : InputPortModule {
  using InputPortModule::InputPortModule;
  void store() override {
    InputPortModule::store();
    if (next().credit && now().request.eject) next().occupied[now().request.queue] = true;
  }
};
struct SamplesAlways : InputPortModule {  // input registers without a register: the credits of the pins act at once
  using InputPortModule::InputPortModule;
  Lane lane(int k) const override {
    Lane l = InputPortModule::lane(k);
    if (l.asks) {
      Query query = now().query;
      query.dest = now().dest[l.queue];
      query.credit_plus = pins().credit_plus;
      l.requests = evaluate(query, known(now().scheme));
      l.asks = l.requests.eject() || l.requests.request() != 0;
    }
    return l;
  }
};
struct SelectorStays : InputPortModule {
  using InputPortModule::InputPortModule;
  PortRequest select(const Lane& winner, Selector&) const override {
    Selector unused = now().selector;
    return InputPortModule::select(winner, unused);
  }
};

template <class Broken>
void expect_caught() {
  const PortSize size{3, 8, 8, 4, 2};
  GoldenPort golden(size);
  BasicInputPortDevice<Broken> module(size);
  EXPECT_TRUE(lockstep(size, golden, module).mismatch.has_value());
}

TEST(ArbSystemC, BrokenUnitsAreCaught) {
  expect_caught<WindowStays>();
  expect_caught<AsksWhenEmpty>();
  expect_caught<KeepsGranted>();
  expect_caught<SamplesAlways>();
  expect_caught<SelectorStays>();
}

TEST(ArbSystemC, WritesAWaveform) {
  const PortSize size{2, 8, 8, 3, 3};
  InputPortDevice module(size);
  const std::string path = ::testing::TempDir() + "arb_port.vcd";
  module.open_trace(path);
  GoldenPort golden(size);
  EXPECT_TRUE(lockstep(size, golden, module, 100).passed());
  module.close_trace();
  std::FILE* file = std::fopen(path.c_str(), "r");
  ASSERT_NE(file, nullptr);
  std::fseek(file, 0, SEEK_END);
  EXPECT_GT(std::ftell(file), 5000);
  std::fclose(file);
  EXPECT_THROW(module.open_trace("/nowhere/x.vcd"), Error);
  // A name without .vcd gets it: that file is written, and no other.
  const std::string stem = ::testing::TempDir() + "arb_stem";
  std::filesystem::remove(stem);
  module.open_trace(stem);
  module.close_trace();
  EXPECT_TRUE(std::filesystem::remove(stem + ".vcd"));
  EXPECT_FALSE(std::filesystem::exists(stem));
}

TEST(ArbSystemC, TheWaveformHasRequestsAndCreditsAsThePinsHave) {
  const PortSize size{2, 8, 8, 3, 3};
  InputPortDevice module(size);
  const std::string path = ::testing::TempDir() + "arb_pins.vcd";
  module.open_trace(path);
  ArbCornerPins stimulus(size, 5);
  PortInputs in;
  PortOutputs out;
  std::vector<uint64_t> requests{0}, credits{0};
  const auto note = [](std::vector<uint64_t>& to, bool value) {
    if (to.back() != (value ? 1 : 0)) to.push_back(value ? 1 : 0);
  };
  for (int i = 0; i < 500 && stimulus.next(out, in); ++i) {
    module.step(in, out);
    note(requests, out.request.valid);
    note(credits, out.credit);
  }
  module.close_trace();
  EXPECT_GT(credits.size(), 20u);
  EXPECT_NE(requests, credits);
  EXPECT_EQ(cosim::vcd_values(path, "request.valid"), requests);
  EXPECT_EQ(cosim::vcd_values(path, "credit"), credits);
  std::filesystem::remove(path);
}

/// A payload that is used again is as a new one, whatever has been done with it.
TEST(ArbSystemC, APayloadIsUsedAgainAsNew) {
  hw::PayloadPool<PacketExtension> pool;
  unsigned char bytes[8] = {};
  tlm::tlm_generic_payload& first = pool.allocate();
  first.set_command(tlm::TLM_WRITE_COMMAND);
  first.set_address(64);
  first.set_data_ptr(bytes);
  first.set_data_length(8);
  first.set_streaming_width(8);
  first.set_byte_enable_ptr(bytes);
  first.set_byte_enable_length(4);
  first.set_dmi_allowed(true);
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  first.release();
  tlm::tlm_generic_payload& again = pool.allocate();
  ASSERT_EQ(&again, &first);
  EXPECT_EQ(again.get_command(), tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(again.get_address(), 0u);
  EXPECT_EQ(again.get_data_ptr(), nullptr);
  EXPECT_EQ(again.get_data_length(), 0u);
  EXPECT_EQ(again.get_streaming_width(), 0u);
  EXPECT_EQ(again.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(again.get_byte_enable_length(), 0u);
  EXPECT_FALSE(again.is_dmi_allowed());
  EXPECT_EQ(again.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  again.release();
  EXPECT_EQ(pool.in_use(), 0u);
}

/// A node: injects packets through its initiator socket as fast as the router takes them, absorbs those that arrive.
class Node : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Node> out{"out"};
  tlm_utils::simple_target_socket<Node> in{"in"};
  std::vector<std::pair<uint64_t, int>> arrived;  // id, hops
  std::vector<sc_core::sc_time> arrivals;
  std::vector<PacketExtension> stays;  // of the packets in their first router
  sc_core::sc_time ahead;              // annotated delay of what it sends
  enum class Ends { completed, updated, later };
  Ends ends = Ends::completed;  // how it answers a response
  double takes = 0;             // ns that it keeps a packet before it answers; 0: absorbs it at once
  int errors = 0;

  Node(const sc_core::sc_module_name& name, Lanes at) : sc_module(name), at_(at) {
    out.register_nb_transport_bw(this, &Node::backward);
    in.register_nb_transport_fw(this, &Node::forward);
    SC_HAS_PROCESS(Node);
    SC_METHOD(answer);
    sensitive << taken_;
    dont_initialize();
    SC_METHOD(end_response);
    sensitive << end_;
    dont_initialize();
  }
  void send(Lanes dest, uint64_t id) {
    todo_.push_back({dest, id});
    if (!requesting_) begin();
  }
  /// Sends a payload of the caller; for wrong ones.
  tlm::tlm_response_status send_raw(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(out->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    return payload.get_response_status();
  }
  size_t pending() const { return todo_.size() + pool_.in_use(); }

 private:
  void begin() {
    tlm::tlm_generic_payload& payload = pool_.allocate();
    PacketExtension& packet = *payload.get_extension<PacketExtension>();
    packet.dest = todo_.front().first;
    packet.id = todo_.front().second;
    todo_.pop_front();
    requesting_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = ahead;
    EXPECT_EQ(out->nb_transport_fw(payload, phase, delay), tlm::TLM_ACCEPTED);
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      requesting_ = false;
      if (!todo_.empty()) begin();
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    errors += payload.is_response_error();
    stays.push_back(*payload.get_extension<PacketExtension>());
    if (ends != Ends::later) payload.release();
    if (ends == Ends::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    if (ends == Ends::updated) return tlm::TLM_UPDATED;
    EXPECT_EQ(open_, nullptr) << "a response before the end of the one before";
    open_ = &payload;
    end_.notify(7, sc_core::SC_NS);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    const PacketExtension& packet = *payload.get_extension<PacketExtension>();
    EXPECT_EQ(packet.dest, at_) << "a packet was ejected at the wrong router";
    EXPECT_GT(packet.requested, packet.taken) << "the stay in the last router, not in one before";
    EXPECT_GT(packet.granted, packet.requested);
    arrived.emplace_back(packet.id, packet.hops);
    arrivals.push_back(sc_core::sc_time_stamp());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (takes == 0) return tlm::TLM_COMPLETED;
    EXPECT_EQ(kept_, nullptr) << "a packet before the answer to the one before";
    kept_ = &payload;
    taken_.notify(takes, sc_core::SC_NS);
    return tlm::TLM_ACCEPTED;
  }
  void end_response() {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_generic_payload* const payload = std::exchange(open_, nullptr);
    EXPECT_EQ(out->nb_transport_fw(*payload, phase, delay), tlm::TLM_COMPLETED);
    payload->release();
  }
  /// The response is the end of the request, too.
  void answer() {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(in->nb_transport_bw(*std::exchange(kept_, nullptr), phase, delay), tlm::TLM_COMPLETED);
  }

  tlm::tlm_generic_payload *kept_ = nullptr, *open_ = nullptr;
  sc_core::sc_event taken_, end_;
  Lanes at_;
  std::deque<std::pair<Lanes, uint64_t>> todo_;
  bool requesting_ = false;
  hw::PayloadPool<PacketExtension> pool_;
};

/// Ends links at the boundary of the mesh: nothing may go there, nothing comes from there.
class WallTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<WallTarget> in{"in"};
  explicit WallTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    in.register_nb_transport_fw(this, &WallTarget::forward);
  }

 private:
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    ADD_FAILURE() << "a packet left the mesh";
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
};
class WallInitiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<WallInitiator> out{"out"};
  explicit WallInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    out.register_nb_transport_bw(this, &WallInitiator::backward);
  }

 private:
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    return tlm::TLM_ACCEPTED;
  }
};

/// A mesh of routers, nodes and walls. Edges at 1, 2, 3, ... ns.
struct Network {
  hw::Tick tick{"tick"};
  Mesh mesh;
  std::vector<std::unique_ptr<MeshRouter>> routers;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<WallTarget>> ends;
  std::vector<std::unique_ptr<WallInitiator>> starts;

  Network(const char* name, MeshRouterConfig config, const MeshRouter::CoreMaker& make) : mesh(Mesh::parse(name)) {
    config.size.dimensions = mesh.dimensions();
    for (int r = 0; r < mesh.routers(); ++r) {
      config.settings.at = mesh.lanes(r);
      routers.push_back(std::make_unique<MeshRouter>(("router_" + std::to_string(r)).c_str(), tick, config, make));
      nodes.push_back(std::make_unique<Node>(("node_" + std::to_string(r)).c_str(), config.settings.at));
    }
    for (int r = 0; r < mesh.routers(); ++r) connect(r);
  }
  void connect(int r) {
    const int node_port = routers[r]->ports() - 1;
    nodes[r]->out.bind(routers[r]->in(node_port));
    routers[r]->out(node_port).bind(nodes[r]->in);
    for (int o = 0; o < node_port; ++o) {
      const int to = mesh.neighbour(r, o / 2, o & 1), from = mesh.neighbour(r, o / 2, !(o & 1));
      if (to >= 0) {
        routers[r]->out(o).bind(routers[to]->in(o));
      } else {
        ends.push_back(std::make_unique<WallTarget>(("end_" + std::to_string(ends.size())).c_str()));
        routers[r]->out(o).bind(ends.back()->in);
      }
      if (from < 0) {
        starts.push_back(std::make_unique<WallInitiator>(("start_" + std::to_string(starts.size())).c_str()));
        starts.back()->out.bind(routers[r]->in(o));
      }
    }
  }
  uint64_t arrived() const {
    uint64_t sum = 0;
    for (const auto& node : nodes) sum += node->arrived.size();
    return sum;
  }
  void run(double ns) { sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS)); }
};

MeshRouterConfig config_of(int queues, int subset) {
  MeshRouterConfig c;
  c.size = {2, 8, 8, queues, subset};
  c.slots = queues;
  return c;
}

std::unique_ptr<PortDevice> systemc_core(int, const PortSize& size) { return std::make_unique<InputPortDevice>(size); }
std::unique_ptr<PortDevice> golden_core(int, const PortSize& size) { return std::make_unique<GoldenPort>(size); }
std::unique_ptr<PortDevice> rtl_core(int, const PortSize& size) {
  return cosim::make_rtl<cosim::ArbPortBlock>(cosim::rtl_parameters(size));
}

uint64_t counter(const MeshRouter& router, int port, reg::Counter k) {
  return router.registers().read((reg::kCounters + static_cast<uint32_t>(port) * reg::kCountersBlock) / 8 + k);
}

/// Everybody sends `each` packets to random routers; all arrive where they belong after the least number of hops.
void deliver_all(const char* name, const MeshRouterConfig& config, const MeshRouter::CoreMaker& make, int each,
                 double limit_ns) {
  Network net(name, config, make);
  Random random(3);
  std::map<uint64_t, int> distance;
  uint64_t id = 0;
  for (int r = 0; r < net.mesh.routers(); ++r) {
    for (int i = 0; i < each; ++i, ++id) {
      const int to = static_cast<int>(random.below(net.mesh.routers()));
      int hops = 1;
      for (int d = 0; d < net.mesh.dimensions(); ++d)
        hops += std::abs(net.mesh.coordinate(r, d) - net.mesh.coordinate(to, d));
      distance[id] = hops;
      net.nodes[r]->send(net.mesh.lanes(to), id);
    }
  }
  net.run(limit_ns);
  EXPECT_EQ(net.arrived(), id);
  uint64_t low = 0;
  for (const auto& node : net.nodes) {
    EXPECT_EQ(node->pending(), 0u);
    EXPECT_EQ(node->errors, 0);
    for (const auto& [packet, hops] : node->arrived) EXPECT_EQ(hops, distance[packet]);
  }
  for (const auto& router : net.routers)
    for (int p = 0; p < router->ports(); ++p) low += counter(*router, p, reg::kGrantedLow);
  if (config.settings.scheme == Scheme::kD2ra && config.slots == 1) {
    EXPECT_GT(low, 0u) << "dimension order was never needed";
  }
}

TEST(ArbRouter, DeliversEverythingSystemC) { deliver_all("3x3", config_of(2, 1), systemc_core, 200, 4000); }
TEST(ArbRouter, DeliversEverythingWithOneSlotAQueue) { deliver_all("3x3", config_of(1, 1), systemc_core, 100, 8000); }
TEST(ArbRouter, DeliversEverythingInThreeDimensions) { deliver_all("2x2x2", config_of(4, 2), systemc_core, 200, 4000); }
/// The next router has as many slots as this one, unless it is said.
TEST(ArbRouter, HasAsManySlotsBehindItsOutputsAsAnInputPortHasQueues) {
  EXPECT_EQ(MeshRouterConfig{}.slots, PortSize{}.queues);
}
TEST(ArbRouter, DeliversEverythingGolden) { deliver_all("3x3", config_of(2, 1), golden_core, 200, 4000); }
// The Verilated RTL in every port of every router, behind the same sockets.
TEST(ArbRouter, DeliversEverythingRtl) {
  MeshRouterConfig config;
  config.size = cosim::arb_rtl_size(2);
  config.slots = config.size.queues;
  deliver_all("3x3", config, rtl_core, 200, 4000);
}
TEST(ArbRouter, DeliversEverythingMixedLevels) {
  MeshRouterConfig config;
  config.size = cosim::arb_rtl_size(2);
  config.slots = config.size.queues;
  config.settings.policy = Policy::kRandom;
  deliver_all(
      "3x3", config,
      [](int port, const PortSize& size) { return port % 2 ? rtl_core(port, size) : systemc_core(port, size); }, 200,
      4000);
}

/// A packet that is offered ahead of its time is taken at the first edge after that time.
TEST(ArbRouter, AnOfferCountsFromItsAnnotatedDelay) {
  Network net("2x2", config_of(1, 1), systemc_core);
  std::vector<double> took;
  net.run(0.5);  // between two edges
  for (const double ahead : {0.0, 5.0, 0.3, 17.0}) {
    net.run(50);
    const double now = sc_core::sc_time_stamp().to_seconds() * 1e9;
    net.nodes[0]->ahead = sc_core::sc_time(ahead, sc_core::SC_NS);
    net.nodes[0]->send(net.mesh.lanes(1), took.size());
    net.run(50);
    ASSERT_EQ(net.nodes[1]->arrivals.size(), took.size() + 1);
    took.push_back(net.nodes[1]->arrivals.back().to_seconds() * 1e9 - now);
  }
  EXPECT_NEAR(took[1], took[0] + 5, 1e-6);
  EXPECT_NEAR(took[2], took[0], 1e-6) << "the same edge";
  EXPECT_NEAR(took[3], took[0] + 17, 1e-6);
}

/// A node that keeps its packets holds up the routers: no more are granted than there are slots, and all come when it
/// takes them.
TEST(ArbRouter, ASlowNodeHoldsUpWhatIsBehindIt) {
  Network net("2x2", config_of(2, 1), systemc_core);
  net.nodes[1]->takes = 100;
  for (uint64_t i = 0; i < 20; ++i) net.nodes[0]->send(net.mesh.lanes(1), i);
  net.run(90);
  EXPECT_EQ(net.arrived(), 1u);
  const auto granted = [&] {
    return counter(*net.routers[0], 4, reg::kGrantedHigh) + counter(*net.routers[0], 4, reg::kGrantedLow);
  };
  EXPECT_EQ(granted(), 3u) << "the one that is at the node, and two slots";
  EXPECT_EQ(net.routers[0]->registers().read(reg::kCredits / 8), 0u) << "no slot is free behind x+";
  net.run(2000);
  ASSERT_EQ(net.arrived(), 20u);
  EXPECT_EQ(granted(), 20u);
  for (size_t i = 1; i < 20; ++i)
    EXPECT_GE(net.nodes[1]->arrivals[i] - net.nodes[1]->arrivals[i - 1], sc_core::sc_time(100, sc_core::SC_NS));
}

/// How often a packet of 40 from corner to corner asks for another dimension than the one before it.
size_t changes_of_dimension(Policy policy) {
  MeshRouterConfig config = config_of(2, 1);
  config.settings.scheme = Scheme::kDbra;
  config.settings.policy = policy;
  Network net("3x3", config, systemc_core);
  for (uint64_t i = 0; i < 40; ++i) {
    net.nodes[0]->send(net.mesh.lanes(8), i);
    net.run(20);
  }
  const std::vector<PacketExtension>& stays = net.nodes[0]->stays;
  EXPECT_EQ(stays.size(), 40u);
  size_t changes = 0;
  for (size_t i = 1; i < stays.size(); ++i) changes += stays[i].request.dimension != stays[i - 1].request.dimension;
  return changes;
}
TEST(ArbRouter, RoundRobinTakesTheDimensionsInTurn) { EXPECT_EQ(changes_of_dimension(Policy::kRoundRobin), 39u); }
TEST(ArbRouter, ARandomChoiceDoesNot) { EXPECT_LT(changes_of_dimension(Policy::kRandom), 30u); }

/// All ends of a response that TLM knows.
TEST(ArbRouter, AResponseEndsInThreeWays) {
  Network net("2x2", config_of(2, 1), systemc_core);
  net.nodes[0]->ends = Node::Ends::updated;
  net.nodes[1]->ends = Node::Ends::later;
  for (int n : {0, 1, 2})
    for (int i = 0; i < 40; ++i) net.nodes[n]->send(net.mesh.lanes(3), static_cast<uint64_t>(100 * n + i));
  net.run(1000);
  EXPECT_EQ(net.arrived(), 120u);
  for (int n : {0, 1, 2}) EXPECT_EQ(net.nodes[n]->stays.size(), 40u) << "node " << n;
}

// docs/arb_request.md §5: head taken -> request 1..ceil(V/S) cycles, request -> grant 1, without competition.
TEST(ArbRouter, TimingUnderARotatingSubset) {
  std::map<uint64_t, int> request_latency;
  Network net("3x3", config_of(8, 2), systemc_core);
  Random random(9);
  const int from = 4;  // the middle
  for (int i = 0; i < 60; ++i) {
    net.nodes[from]->send(net.mesh.lanes(static_cast<int>(random.below(9))), i);
    net.run(20 + random.below(7));
  }
  ASSERT_EQ(net.nodes[from]->stays.size(), 60u);
  for (const PacketExtension& stay : net.nodes[from]->stays) {
    ++request_latency[stay.requested - stay.taken];
    EXPECT_EQ(stay.granted - stay.requested, 1u);
  }
  EXPECT_EQ(request_latency.begin()->first, 1u);
  EXPECT_EQ(request_latency.rbegin()->first, 4u);
  EXPECT_EQ(request_latency.size(), 4u);
}

TEST(ArbRouter, WrongTransactionsAreRefused) {
  Network net("2x2", config_of(2, 1), systemc_core);
  net.run(2);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(net.nodes[0]->send_raw(payload), tlm::TLM_GENERIC_ERROR_RESPONSE) << "no extension";
  PacketExtension packet;
  payload.set_extension(&packet);
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(net.nodes[0]->send_raw(payload), tlm::TLM_COMMAND_ERROR_RESPONSE);
  payload.clear_extension(&packet);
  net.run(50);
  EXPECT_EQ(net.arrived(), 0u);
}

/// An initiator at a configuration socket: carries out a list of operations one after the other.
class Configurer : public sc_core::sc_module {
 public:
  struct Access {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    uint64_t address = 0, data = 0;
    unsigned length = 8, streaming = 8;
    bool byte_enables = false, no_data = false;
    long ahead = 0;  // ns that the caller is ahead of the simulation
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    long ended = 0;  // ns
  };
  tlm_utils::simple_initiator_socket<Configurer, hw::kBusWidth> socket{"socket"};
  std::vector<Access> list;

  explicit Configurer(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Configurer);
    SC_THREAD(run);
  }
  void read(uint64_t address) { list.push_back({tlm::TLM_READ_COMMAND, address}); }
  void write(uint64_t address, uint64_t data) { list.push_back({tlm::TLM_WRITE_COMMAND, address, data}); }
  static unsigned debug(decltype(socket)& socket, tlm::tlm_command command, uint64_t address, uint64_t* data,
                        unsigned words) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data));
    payload.set_data_length(words * 8);
    return socket->transport_dbg(payload);
  }

 private:
  void run() {
    for (Access& a : list) {
      tlm::tlm_generic_payload payload;
      unsigned char enable[8] = {};
      payload.set_command(a.command);
      payload.set_address(a.address);
      payload.set_data_ptr(a.no_data ? nullptr : reinterpret_cast<unsigned char*>(&a.data));
      payload.set_data_length(a.length);
      payload.set_streaming_width(a.streaming);
      if (a.byte_enables) payload.set_byte_enable_ptr(enable);
      sc_core::sc_time delay(static_cast<double>(a.ahead), sc_core::SC_NS);
      socket->b_transport(payload, delay);
      EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
      a.status = payload.get_response_status();
      a.ended = std::lround(sc_core::sc_time_stamp().to_seconds() * 1e9);
    }
  }
};

// Registers over TLM: written while nothing runs, then the routers know who they are, and the counters say what
// happened.
TEST(ArbConfig, WritesReachThePortsAndCountersCount) {
  MeshRouterConfig config = config_of(2, 1);
  Network net("2x2", config, systemc_core);
  std::vector<std::unique_ptr<Configurer>> users;
  for (size_t r = 0; r < net.routers.size(); ++r) {
    users.push_back(std::make_unique<Configurer>(("user_" + std::to_string(r)).c_str()));
    users[r]->socket.bind(net.routers[r]->config_socket);
    users[r]->write(reg::kPolicy, 2);
    users[r]->write(reg::kScheme, 1);
    users[r]->read(reg::kScheme);
    users[r]->read(reg::kAt);
  }
  net.run(20);
  for (size_t r = 0; r < users.size(); ++r) {
    long last = 0;
    for (const Configurer::Access& a : users[r]->list) {
      EXPECT_EQ(a.status, tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(a.ended - last, 1) << "one operation an edge";
      last = a.ended;
    }
    EXPECT_EQ(users[r]->list[2].data, 1u);
    EXPECT_EQ(users[r]->list[3].data, net.mesh.lanes(static_cast<int>(r)));
    EXPECT_EQ(net.routers[r]->registers().settings().policy, Policy::kMostCredits);
  }
  for (int i = 0; i < 40; ++i) net.nodes[0]->send(net.mesh.lanes(3), i);
  net.run(400);
  EXPECT_EQ(net.arrived(), 40u);
  EXPECT_EQ(counter(*net.routers[0], 4, reg::kTaken), 40u);
  EXPECT_EQ(counter(*net.routers[0], 4, reg::kGrantedHigh), 40u);
  EXPECT_EQ(counter(*net.routers[0], 4, reg::kGrantedLow), 0u) << "the scheme is DBRA now";
  EXPECT_GE(counter(*net.routers[0], 4, reg::kRequests), 40u);
  EXPECT_GT(counter(*net.routers[0], 4, reg::kWaits), 0u);
  uint64_t ejected = 0;
  for (int p = 0; p < 5; ++p) ejected += counter(*net.routers[3], p, reg::kEjected);
  EXPECT_EQ(ejected, 40u);
  uint64_t words[5] = {};
  EXPECT_EQ(Configurer::debug(users[0]->socket, tlm::TLM_READ_COMMAND, reg::kId, words, 5), 40u);
  EXPECT_EQ(words[0], reg::kIdValue);
  EXPECT_EQ(words[1], 0x0201'0208'0802ull) << "slots, S, V, KW, CW, N";
  EXPECT_EQ(words[3], 1u);
  words[0] = 2;
  EXPECT_EQ(Configurer::debug(users[0]->socket, tlm::TLM_WRITE_COMMAND, reg::kScheme, words, 1), 8u);
  EXPECT_EQ(net.routers[0]->registers().settings().scheme, Scheme::kD2ra);
  words[0] = 3;
  EXPECT_EQ(Configurer::debug(users[0]->socket, tlm::TLM_WRITE_COMMAND, reg::kScheme, words, 1), 0u);
  net.routers[0]->set_reset(true);
  net.run(2);
  EXPECT_EQ(net.routers[0]->registers().settings(), (Settings{net.mesh.lanes(0), Scheme::kD2ra, Policy::kRoundRobin}));
  EXPECT_EQ(counter(*net.routers[0], 4, reg::kTaken), 0u);
}

TEST(ArbConfig, WrongOperationsAreRefusedAndChangeNothing) {
  Network net("2x2", config_of(2, 1), golden_core);
  Configurer user("user");
  user.socket.bind(net.routers[0]->config_socket);
  using A = Configurer::Access;
  const auto w = tlm::TLM_WRITE_COMMAND, r = tlm::TLM_READ_COMMAND;
  const std::pair<A, tlm::tlm_response_status> cases[] = {
      {A{w, reg::kScheme, 3}, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1ull << 40}, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {A{w, reg::kPolicy, 3}, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {A{w, reg::kAt, 0x10000}, tlm::TLM_GENERIC_ERROR_RESPONSE},  // a third dimension
      {A{w, reg::kId, 0}, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {A{w, reg::kSize, 0}, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {A{w, reg::kCounters, 0}, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {A{w, reg::kCredits, 0}, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {A{r, 0x28}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{w, 0x28, 1}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{r, reg::kScheme + 4}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{r, reg::kCounters + 5 * reg::kCountersBlock}, tlm::TLM_ADDRESS_ERROR_RESPONSE},  // five input ports
      {A{r, reg::kCounters + 8 * reg::kNumCounters}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{r, reg::kCredits + 8 * 4}, tlm::TLM_ADDRESS_ERROR_RESPONSE},  // the ejection port has no credit
      {A{r, reg::kEnd}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{r, 1ull << 36}, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1, 4, 4}, tlm::TLM_BURST_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1, 16, 16}, tlm::TLM_BURST_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1, 8, 4}, tlm::TLM_BURST_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1, 8, 8, true}, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {A{w, reg::kScheme, 1, 8, 8, false, true}, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {A{tlm::TLM_IGNORE_COMMAND, reg::kScheme, 1}, tlm::TLM_COMMAND_ERROR_RESPONSE},
  };
  for (const auto& [access, status] : cases) {
    user.list.push_back(access);
    if (access.command == r) user.list.back().data = 0xAB;
  }
  net.run(100);
  for (size_t i = 0; i < std::size(cases); ++i) {
    EXPECT_EQ(user.list[i].status, cases[i].second) << "case " << i;
    if (cases[i].first.command == r) {
      EXPECT_EQ(user.list[i].data, 0xABu) << "case " << i << ": a refused read delivers nothing";
    }
  }
  EXPECT_EQ(net.routers[0]->registers().settings(), Settings{});
}

TEST(ArbConfig, AnOperationDuringAResetWaits) {
  Network net("2x2", config_of(2, 1), golden_core);
  Configurer user("user");
  user.socket.bind(net.routers[0]->config_socket);
  user.write(reg::kScheme, 0);
  net.routers[0]->set_reset(true);
  net.run(5.5);
  EXPECT_EQ(user.list[0].status, tlm::TLM_INCOMPLETE_RESPONSE);
  net.routers[0]->set_reset(false);
  net.run(2);
  EXPECT_EQ(user.list[0].status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(net.routers[0]->registers().settings().scheme, Scheme::kDor);
}

/// An operation of a caller that is ahead of the simulation is carried out by the first edge after its time.
TEST(ArbConfig, AnOperationCountsFromItsAnnotatedDelay) {
  Network net("2x2", config_of(2, 1), golden_core);
  Configurer user("user");
  user.socket.bind(net.routers[0]->config_socket);
  user.read(reg::kId);
  user.write(reg::kScheme, 1);
  user.list.back().ahead = 12;
  user.read(reg::kScheme);
  net.run(50);
  EXPECT_EQ(user.list[0].ended, 1);
  EXPECT_EQ(user.list[1].ended, 1 + 12 + 1);
  EXPECT_EQ(user.list[2].ended, 1 + 12 + 2);
  EXPECT_EQ(user.list[2].data, 1u);
}

TEST(ArbRouter, ResetEndsPacketsWithAnError) {
  Network net("2x2", config_of(2, 1), systemc_core);
  for (int i = 0; i < 50; ++i) net.nodes[0]->send(net.mesh.lanes(3), i);
  net.run(8.5);
  for (auto& router : net.routers) router->set_reset(true);
  net.run(3);
  EXPECT_GT(net.nodes[0]->errors, 0);
  for (auto& router : net.routers) router->set_reset(false);
  const uint64_t before = net.arrived();
  net.run(300);
  EXPECT_GT(net.arrived(), before);
  EXPECT_EQ(net.nodes[0]->pending(), 0u);
}

/// A reset takes packets and counters together: a packet that it destroyed gives no credit beyond those of the slots.
TEST(ArbRouter, AResetLeavesAllCreditsOnce) {
  Network net("2x2", config_of(2, 1), systemc_core);
  int errors = 0;
  for (const int cycles : {1, 2, 5}) {
    for (int i = 0; i < 50; ++i) net.nodes[0]->send(net.mesh.lanes(3), i), net.nodes[1]->send(net.mesh.lanes(2), i);
    net.run(20.5 + cycles);
    for (auto& router : net.routers) router->set_reset(true);
    net.run(cycles);
    for (auto& router : net.routers) router->set_reset(false);
    EXPECT_GT(net.nodes[0]->errors, errors) << "the reset destroys nothing";
    errors = net.nodes[0]->errors;
    net.run(600);
    EXPECT_EQ(net.nodes[0]->pending() + net.nodes[1]->pending(), 0u);
    for (size_t r = 0; r < net.routers.size(); ++r)
      for (uint32_t o = 0; o < 4; ++o)
        EXPECT_EQ(net.routers[r]->registers().read(reg::kCredits / 8 + o), 2u) << cycles << ' ' << r << ' ' << o;
  }
}

}  // namespace
}  // namespace odonata::arb_request
