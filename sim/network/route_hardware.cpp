// SPDX-License-Identifier: Apache-2.0
#include "sim/network/route_hardware.h"

#include <fmt/format.h>

#include "models/vtftr/knowledge.h"
#include "sim/network/device_wait.h"

namespace odonata::network {

namespace {

constexpr int kReset = 4;  // cycles

template <class In, class Out>
std::vector<std::unique_ptr<CycleDevice<In, Out>>> reset_units(
    const std::function<std::unique_ptr<CycleDevice<In, Out>>()>& make, int ports) {
  std::vector<std::unique_ptr<CycleDevice<In, Out>>> units;
  for (int port = 0; port < ports; ++port) {
    units.push_back(make());
    In reset{};
    reset.reset = true;
    Out out{};
    for (int i = 0; i < kReset; ++i) units.back()->step(reset, out);
  }
  return units;
}

[[noreturn]] void mismatch(uint64_t compared, int port, const std::string& asked, const std::string& expected,
                           const std::string& got) {
  throw DeviceMismatch(
      fmt::format("Mismatch after {} equal answers, at input port {}: {}\n  expected {}\n  got      {}\n", compared,
                  port, asked, expected, got));
}

/// Steps with idle pins until the unit answers.
template <class In, class Out, class Answered>
Out answer_of(CycleDevice<In, Out>& unit, In pins, bool In::*valid, Answered answered) {
  Out out{};
  unit.step(pins, out);
  pins.*valid = false;
  for (int i = 0; i < kLongestAnswer && !answered(out); ++i) unit.step(pins, out);
  return out;
}

/// Of both kinds of torus.
template <class Outputs>
std::string in_words(const Outputs& o) {
  return fmt::format("valid {} eject {} drop {} port {} channel {} header {:#x}", o.valid, o.eject, o.drop, o.port,
                     o.vc, o.header);
}

}  // namespace

TorusLockstep::TorusLockstep(const RouteHardware& hardware, int ports) : units_(reset_units(hardware.torus, ports)) {}

void TorusLockstep::decide(int port, const torus::RouteInputs& asked, const torus::Answer& golden) {
  torus::RouteOutputs expected;
  expected.valid = 1;
  expected.eject = golden.action == torus::Action::kEject;
  expected.drop = golden.action != torus::Action::kEject && golden.action != torus::Action::kForward;
  if (golden.action == torus::Action::kForward) {
    expected.port = golden.port;
    expected.vc = static_cast<uint8_t>(golden.vc / 3 << 2 | golden.vc % 3);  // {r, j}
    expected.header = golden.header;
  }
  const auto got = answer_of(*units_[static_cast<size_t>(port)], asked, &torus::RouteInputs::valid,
                             [](const auto& o) { return o.valid != 0; });
  if (!(got == expected)) {
    mismatch(compared_, port,
             fmt::format("({},{}) to ({},{}), header {:#x}, fresh {}, blocked {:#x}, walls {:#x} {:#x}",
                         asked.ask.at[0], asked.ask.at[1], asked.ask.dest[0], asked.ask.dest[1], asked.ask.header,
                         asked.ask.fresh, asked.ask.blocked, asked.wall_x, asked.wall_y),
             in_words(expected), in_words(got));
  }
  ++compared_;
}

BoxLockstep::BoxLockstep(const RouteHardware& hardware, int ports) : units_(reset_units(hardware.box, ports)) {}

void BoxLockstep::decide(int port, const torus::BoxInputs& asked, const torus::BoxAnswer& golden) {
  const torus::BoxOutputs expected = torus::box_outputs(golden);
  const auto got = answer_of(*units_[static_cast<size_t>(port)], asked, &torus::BoxInputs::valid,
                             [](const auto& o) { return o.valid != 0; });
  if (!(got == expected)) {
    mismatch(compared_, port,
             fmt::format("({},{},{}) to ({},{},{}), header {:#x}, fresh {}, blocked {:#x}, walls {:#x} {:#x} {:#x}",
                         asked.at_x, asked.at_y, asked.at_z, asked.dest_x, asked.dest_y, asked.dest_z, asked.header,
                         asked.fresh, asked.blocked, asked.wall_x, asked.wall_y, asked.wall_z),
             in_words(expected), in_words(got));
  }
  ++compared_;
}

namespace {

template <class Outputs>
bool is_answer(const Outputs& got, const SwitchAnswer& golden) {
  return got.resp_valid == 1 && got.resp_port == golden.port && got.resp_kind == golden.kind &&
         (golden.port == vtftr::kNoPort || got.resp_vc == golden.vc);
}
std::string switch_words(int valid, const SwitchAnswer& a) {
  return fmt::format("valid {} port {} VC {} kind {}", valid, a.port, a.vc, a.kind);
}
template <class Outputs>
std::string answer_words(const Outputs& got) {
  return switch_words(got.resp_valid, {got.resp_port, got.resp_vc, got.resp_kind});
}

}  // namespace

LeafLockstep::LeafLockstep(const RouteHardware& hardware, int ports) : units_(reset_units(hardware.leaf, ports)) {}

void LeafLockstep::decide(int port, const vtftr::LeafInputs& asked, const SwitchAnswer& golden) {
  const auto got = answer_of(*units_[static_cast<size_t>(port)], asked, &vtftr::LeafInputs::req_valid,
                             [](const auto& o) { return o.resp_valid != 0; });
  if (!is_answer(got, golden)) {
    mismatch(compared_, port,
             fmt::format("leaf ({},{}), destination {:#x}, VC {}", asked.own_x, asked.own_y, asked.req_dest,
                         int{asked.req_vc}),
             switch_words(1, golden), answer_words(got));
  }
  ++compared_;
}

RootLockstep::RootLockstep(const RouteHardware& hardware, int line) : line_(line) {
  for (auto& device : reset_units(hardware.root, line)) units_.push_back({std::move(device), {}, false});
}

void RootLockstep::write_table(Unit& unit, const vtftr::RootInputs& pins) {
  if (unit.written && unit.mask == vtftr::LineMap(pins.mask)) return;
  vtftr::RootInputs in = pins;
  in.req_valid = false;
  vtftr::RootOutputs out;
  in.upd_valid = true;
  for (int t = 0; t < line_; ++t) {
    in.upd_row = static_cast<uint8_t>(t);
    in.upd_data = vtftr::alternatives(line_, t, pins.mask);
    unit.device->step(in, out);
  }
  in.upd_valid = false;
  for (int i = 0; i < 2; ++i) unit.device->step(in, out);
  unit.mask = pins.mask;
  unit.written = true;
}

void RootLockstep::decide(int port, const vtftr::RootInputs& asked, uint16_t lfsr, const SwitchAnswer& golden,
                          uint16_t next) {
  Unit& unit = units_[static_cast<size_t>(port)];
  write_table(unit, asked);
  vtftr::RootInputs load = asked;
  load.req_valid = false;
  load.lfsr_load = true;
  load.lfsr_value = lfsr;
  vtftr::RootOutputs out;
  unit.device->step(load, out);
  const auto got =
      answer_of(*unit.device, asked, &vtftr::RootInputs::req_valid, [](const auto& o) { return o.resp_valid != 0; });
  if (!is_answer(got, golden) || got.lfsr != next) {
    mismatch(compared_, port,
             fmt::format("{} root {}, leaf {:#x}, VC {}, LFSR {:#x}", asked.dim ? "column" : "row", asked.own,
                         asked.req_leaf, int{asked.req_vc}, lfsr),
             switch_words(1, golden) + fmt::format(", next LFSR {:#x}", next),
             answer_words(got) + fmt::format(", next LFSR {:#x}", got.lfsr));
  }
  ++compared_;
}

}  // namespace odonata::network
