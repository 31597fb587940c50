// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/link_block.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/fault/shared_block.h"

namespace odonata::cosim {

// fault_rtl.inc has a line ODONATA_RTL(block, prefix, planted, banks, pipelined, p, a, h, g) a Verilated library.
#define ODONATA_RTL(block, prefix, planted, banks, pipelined, p, a, h, g) std::unique_ptr<Fault##block##Device> make_##prefix(int plant);
#include "fault_rtl.inc"
#undef ODONATA_RTL

namespace {

enum class Kind { Port, Scheduler, Router, Link, Shared };

/// With planted bugs; with two or more banks; with the pipelined scheduler and one bank.
struct Build {
  bool planted, beyond, pipelined;
  bool operator==(const Build&) const = default;
};

struct Built {
  Kind kind;
  Build build;
  DragonflySize size;
  std::unique_ptr<FaultPortDevice> (*port)(int plant);
  std::unique_ptr<FaultSchedulerDevice> (*scheduler)(int plant);
  std::unique_ptr<FaultRouterDevice> (*router)(int plant);
  std::unique_ptr<FaultLinkDevice> (*link)(int plant);
  std::unique_ptr<FaultSharedDevice> (*shared)(int plant);
};

constexpr Built built(Build build, DragonflySize size, std::unique_ptr<FaultPortDevice> (*make)(int)) {
  return {Kind::Port, build, size, make, nullptr, nullptr, nullptr, nullptr};
}
constexpr Built built(Build build, DragonflySize size, std::unique_ptr<FaultSchedulerDevice> (*make)(int)) {
  return {Kind::Scheduler, build, size, nullptr, make, nullptr, nullptr, nullptr};
}
constexpr Built built(Build build, DragonflySize size, std::unique_ptr<FaultRouterDevice> (*make)(int)) {
  return {Kind::Router, build, size, nullptr, nullptr, make, nullptr, nullptr};
}

constexpr Built built(Build build, DragonflySize size, std::unique_ptr<FaultLinkDevice> (*make)(int)) {
  return {Kind::Link, build, size, nullptr, nullptr, nullptr, make, nullptr};
}

constexpr Built built(Build build, DragonflySize size, std::unique_ptr<FaultSharedDevice> (*make)(int)) {
  return {Kind::Shared, build, size, nullptr, nullptr, nullptr, nullptr, make};
}

#define ODONATA_RTL(block, prefix, planted, banks, pipelined, p, a, h, g) \
  built({planted != 0, banks > 1, pipelined != 0}, {p, a, h, g}, make_##prefix),
constexpr Built kBuilt[] = {
#include "fault_rtl.inc"
};
#undef ODONATA_RTL

const Built& find(Kind kind, const Dragonfly& d, Build build) {
  for (const Built& b : kBuilt) {
    if (b.kind == kind && b.size == d.size() && b.build == build) return b;
  }
  throw Error("no RTL of this part of the fault plane was built for " + d.name() + (build.planted ? " with planted bugs" : "") +
              (build.pipelined ? " with the pipelined scheduler" : "") + " (CMake variable ODONATA_RTL_SIZES)");
}

}  // namespace

std::unique_ptr<FaultPortDevice> make_fault_port_rtl(const Dragonfly& d, bool planted, int plant) {
  return find(Kind::Port, d, {planted, false, false}).port(plant);
}

std::unique_ptr<FaultPortDevice> make_fault_port_beyond_rtl(const Dragonfly& d, int plant) {
  return find(Kind::Port, d, {true, true, false}).port(plant);
}

std::unique_ptr<FaultSchedulerDevice> make_fault_scheduler_rtl(const Dragonfly& d, bool planted, int plant) {
  return find(Kind::Scheduler, d, {planted, false, false}).scheduler(plant);
}

std::unique_ptr<FaultRouterDevice> make_fault_router_rtl(const Dragonfly& d, RouterVariant variant, int plant) {
  const bool beyond = variant == RouterVariant::beyond;
  return find(Kind::Router, d, {variant == RouterVariant::planted || beyond, beyond, variant == RouterVariant::pipelined}).router(plant);
}

std::unique_ptr<FaultLinkDevice> make_fault_link_rtl(const Dragonfly& d, int plant) { return find(Kind::Link, d, {true, false, false}).link(plant); }

std::unique_ptr<FaultSharedDevice> make_fault_shared_rtl(const Dragonfly& d, int plant) {
  return find(Kind::Shared, d, {true, false, false}).shared(plant);
}

fault::FaultRouterConfig router_config(const Dragonfly& d, RouterVariant variant) {
  fault::FaultRouterConfig c;
  c.scheduler.stations = d.num_ports();
  const bool planted = variant == RouterVariant::planted || variant == RouterVariant::beyond;
  c.input_depth = planted && d.size() == DragonflySize{2, 4, 2, 8} ? 4 : fault::input_depth(d);
  c.scheduler.pipelined = variant == RouterVariant::pipelined;
  if (variant != RouterVariant::beyond) return c;
  c.banks = 2;
  c.scheduler = {d.num_ports(), 2, 2, true, true};
  return c;
}

fault::SchedulerConfig scheduler_config(const Dragonfly& d) {
  fault::SchedulerConfig c;
  if (d.num_ports() < 64 / 2)
    c.stations = d.num_ports();
  else
    c.poll_width = 4;
  return c;
}

}  // namespace odonata::cosim
