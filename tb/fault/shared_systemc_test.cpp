// SPDX-License-Identifier: Apache-2.0
// Route compute and the fault plane's port unit on one single-port table RAM, in SystemC: route reads win, the action
// uses the cycles that are left, look-ups see the marks, and diagnosis slows under load as docs/fault.md §5 says.
#include <gtest/gtest.h>

#include "hw/common/own_kernel.h"
#include "hw/fault/port_unit_module.h"
#include "hw/fault/shared_table_ram.h"
#include "models/common/random.h"
#include "models/fault/plane_network.h"

namespace odonata::fault {
namespace {

using route_compute::RouteComputePipeline;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

/// One port of a router: the pipeline under route traffic, the port unit beside it, and a golden port unit at the same
/// pins.
class SharedPort : public route_compute::UnitPins {
 public:
  SharedPort(const Dragonfly& d, RouterId own, int port, Mode mode, double load)
      : d_(d),
        own_(own),
        mode_(mode),
        load_(load),
        random_(7),
        tick_("clock"),
        pipeline_("route_compute", tick_, d, *this),
        ram_(pipeline_, d, port),
        unit_("fault_port", tick_, d, ram_, [this]() -> const PortInputs& { return drive_unit(); }),
        golden_(d) {
    base_.own_gid = static_cast<uint16_t>(own.gid);
    base_.own_bid = static_cast<uint8_t>(own.bid);
    base_.own_port = static_cast<uint8_t>(port);
    base_.port_class = static_cast<uint8_t>(d.port_class(port));
    base_.safe = mode == Mode::safe;
    base_.out_ready = 1;
    ram_.set_unit(unit_);
    configure(port);
    run(10);
  }
  void run(int cycles) { sc_core::sc_start(tick_.period() * cycles); }
  /// Puts a command on the pins and runs to its end; returns the busy cycles.
  int serve(CommandKind kind, int fp, const Message& message = {}) {
    command_.valid = true;
    command_.kind = static_cast<uint8_t>(kind);
    command_.port = static_cast<uint8_t>(fp);
    command_.message = encode_message(message);
    int busy = 0;
    run(1);
    for (command_.valid = false; unit_.out().busy; ++busy) run(1);
    run(8);
    return busy;
  }
  uint64_t chosen(int port) const { return chosen_[port]; }
  void clear_choices() { chosen_ = {}; }
  SharedTableRam& ram() { return ram_; }
  uint64_t different() const { return different_; }
  uint64_t answers() const { return answers_; }
  bool clean() const {
    for (int row = 0; row < num_rows(d_); ++row) {
      if (!(ram_.peek(row).marks == Marks{})) return false;
    }
    return true;
  }

 private:
  struct Command {
    bool valid = false;
    uint8_t kind = 0, port = 0;
    uint32_t message = 0;
  };
  void configure(int port) {
    table::PortTables tables = table::configure(d_, own_, port);
    for (int row = 0; row < num_rows(d_); ++row) {  // the emergency detours of mode safe are not in the paper's tables
      const Options o = row_config(d_, own_, entry_of_row(d_, row), mode_).at(d_, port);
      if (entry_of_row(d_, row).zone == Zone::group_local && d_.port_class(port) == PortClass::global)
        tables.b[row - d_.p()] = o.b;
      PortInputs in = base_;
      in.cfg_valid = 1;
      in.cfg_row = static_cast<uint16_t>(row);
      in.cfg_has_a = o.a != 0;
      in.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
      in.cfg_b = o.b;
      golden_.step(in, expected_);
    }
    golden_.step(base_, expected_);
    for (const auto& w : route_compute::configuration_writes(d_, own_, port, tables, 0x1234)) {
      ASSERT_TRUE(pipeline_.debug_write(w.address / 8, w.data)) << w.address;
    }
  }
  /// The port unit's pins; the golden unit steps along.
  const PortInputs& drive_unit() {
    different_ += started_ && !(unit_.out() == expected_);
    started_ = true;
    pins_ = base_;
    pins_.cmd_valid = command_.valid;
    pins_.cmd_kind = command_.kind;
    pins_.cmd_port = command_.port;
    pins_.cmd_message = command_.message;
    pins_.route_read = ram_.route_reads_next();
    golden_.step(pins_, expected_);
    return pins_;
  }
  const UnitInputs& drive() override {
    in_ = {};
    in_.req_valid = random_.chance(load_);
    const RouterId to = d_.router(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_routers()))));
    const bool foreign = random_.below(2) != 0;
    in_.req_dest =
        route_compute::pack_address({to.gid, to.bid, static_cast<int>(random_.below(static_cast<uint32_t>(d_.p())))});
    in_.req_src_gid = static_cast<uint16_t>(foreign && base_.port_class != 0 ? (own_.gid + 1) % d_.g() : own_.gid);
    return in_;
  }
  void deliver(const UnitOutputs& out) override {
    if (!out.resp_valid) return;
    ++answers_;
    if (static_cast<route_compute::HopClass>(out.resp_hop_class) != route_compute::HopClass::unroutable)
      ++chosen_[out.resp_port];
  }

  const Dragonfly d_;
  const RouterId own_;
  const Mode mode_;
  const double load_;
  Random random_;
  UnitInputs in_;
  hw::Tick tick_;
  RouteComputePipeline pipeline_;
  SharedTableRam ram_;
  PortInputs base_, pins_;
  Command command_;
  FaultPortModule unit_;
  PortUnit golden_;
  PortOutputs expected_;
  bool started_ = false;
  uint64_t different_ = 0, answers_ = 0;
  std::array<uint64_t, 64> chosen_{};
};

struct Case {
  const char* name;
  int port, fp;
  Mode mode;
};

class FaultSharedRam : public ::testing::TestWithParam<Case> {
 protected:
  const Dragonfly d_ = Dragonfly::named("paper");
  const RouterId own_{3, 1};
};

/// A port dies and comes back under half load: look-ups leave it alone after the travel and use it again after the end
/// mark.
TEST_P(FaultSharedRam, LookUpsFollowTheMarks) {
  const Case& c = GetParam();
  SharedPort port(d_, own_, c.port, c.mode, 0.5);
  port.run(20'000);
  EXPECT_GT(port.chosen(c.fp), 20u) << "the port is in use";
  const int travel = port.serve(CommandKind::link_down, c.fp);
  EXPECT_GT(travel, 2 * num_rows(d_) + 20) << "route reads win";
  port.clear_choices();
  port.run(20'000);
  EXPECT_EQ(port.chosen(c.fp), 0u);
  EXPECT_FALSE(port.clean());
  port.serve(CommandKind::link_up, c.fp);
  EXPECT_TRUE(port.clean());
  port.run(20'000);
  EXPECT_EQ(port.chosen(c.fp), 0u) << "the neighbour has not said everything";
  port.serve(CommandKind::recovery, c.fp, kWholePort);
  port.run(20'000);
  EXPECT_GT(port.chosen(c.fp), 20u);
  EXPECT_EQ(port.different(), 0u) << "the unit on the shared RAM is the golden unit, cycle by cycle";
  EXPECT_GT(port.answers(), 25'000u);
}

/// With the immediate port mask no look-up after the event uses the port, long before its travel is done.
TEST_P(FaultSharedRam, ImmediatePortMask) {
  const Case& c = GetParam();
  SharedPort port(d_, own_, c.port, c.mode, 0.9);
  port.run(5'000);
  port.ram().set_port_mask(1ull << c.fp);
  port.run(4);  // what is in the pipeline
  port.clear_choices();
  port.serve(CommandKind::link_down, c.fp);
  port.run(5'000);
  EXPECT_EQ(port.chosen(c.fp), 0u);
  EXPECT_EQ(port.different(), 0u);
}

TEST_P(FaultSharedRam, WithoutTheMaskPacketsGoToTheDeadPortDuringTheTravel) {
  const Case& c = GetParam();
  SharedPort port(d_, own_, c.port, c.mode, 0.95);
  port.run(5'000);
  port.clear_choices();
  port.serve(CommandKind::link_down, c.fp);
  EXPECT_GT(port.chosen(c.fp), 0u);
}

// In group 3 of the absolute arrangement router 1 has the global ports to groups 7..12.
INSTANTIATE_TEST_SUITE_P(Ports, FaultSharedRam,
                         ::testing::Values(Case{"node_port_loses_global", 0, 17, Mode::safe},
                                           Case{"node_port_loses_local", 2, 8, Mode::paper},
                                           Case{"local_port_loses_global", 6, 18, Mode::safe},
                                           Case{"global_port_loses_local", 20, 9, Mode::safe}),
                         [](const auto& info) { return std::string(info.param.name); });

/// Diagnosis slows under load: a row takes its read's wait (mean 1 / (1 - load)) and one cycle, a changed row waits
/// once more.
TEST(FaultSharedRamLoad, TravelSlowsDown) {
  const Dragonfly d = Dragonfly::named("full");
  const int rows = num_rows(d);
  for (const double load : {0.0, 0.5, 0.8}) {
    hw::OwnKernel kernel;
    const hw::OwnKernel::Scope scope(kernel);
    SharedPort port(d, {5, 3}, 20, Mode::safe, load);
    const int travel = port.serve(CommandKind::link_down, 50);
    int changed = 0;
    for (int row = 0; row < rows; ++row) changed += !(port.ram().peek(row).marks == Marks{});
    const double mean = rows * (1 / (1 - load) + 1) + changed * load / (1 - load);
    EXPECT_GT(changed, 400);
    EXPECT_NEAR(travel, mean, 0.1 * mean * load + 0.5) << load;
    if (load == 0) {
      EXPECT_EQ(travel, 2 * rows);
    }
    EXPECT_EQ(port.different(), 0u);
  }
}

}  // namespace
}  // namespace odonata::fault
