// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_box.h"

#include "models/common/error.h"

namespace odonata::torus {

namespace {

/// Two of the three dimensions as a torus.
Torus plane(const Torus& torus, int first) {
  if (torus.dimensions() != 3) throw Error("torus " + torus.name() + ": torus_box has three dimensions");
  return Torus({torus.radix(first), torus.radix(first + 1)});
}

}  // namespace

TorusBoxModule::TorusBoxModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Torus& torus,
                               hw::Drive<BoxInputs> pins)
    : ClockedModule(name, tick),
      pins_(std::move(pins)),
      first_("xy", tick, plane(torus, 0), Variant::kSafe6Ring,
             [this]() -> const RouteInputs& { return pins_of_first(); }),
      second_("yz", tick, plane(torus, 1), Variant::kSafe6Ring,
              [this]() -> const RouteInputs& { return pins_of_second(); }) {
  SC_HAS_PROCESS(TorusBoxModule);
  SC_METHOD(choose);
  sensitive << edge();
  dont_initialize();
}

void TorusBoxModule::choose() {
  next().second[0] = in_second(pins_());
  next().second[1] = now().second[0];
}

/// The plane (x, y): phase x never ends here, so walls of y do not matter.
const RouteInputs& TorusBoxModule::pins_of_first() const {
  const BoxInputs& in = pins_();
  first_pins_ = {};
  first_pins_.reset = in.reset;
  first_pins_.valid = in.valid;
  first_pins_.ask = {.at = {in.at_x, in.at_y},
                     .dest = {in.dest_x, in.dest_y},
                     .header = static_cast<uint8_t>(in.header & 15),
                     .blocked = static_cast<uint8_t>(in.blocked & 15),
                     .fresh = in.fresh != 0};
  first_pins_.wall_x = in.wall_x;
  return first_pins_;
}

/// The plane (y, z), in which a packet begins as from a source.
const RouteInputs& TorusBoxModule::pins_of_second() const {
  const BoxInputs& in = pins_();
  second_pins_ = {};
  second_pins_.reset = in.reset;
  second_pins_.valid = in.valid;
  second_pins_.ask = {.at = {in.at_y, in.at_z},
                      .dest = {in.dest_y, in.dest_z},
                      .header = static_cast<uint8_t>(in.header & 15),
                      .blocked = static_cast<uint8_t>(in.blocked >> 2 & 15),
                      .fresh = begins_second(in)};
  second_pins_.wall_x = in.wall_y;
  second_pins_.wall_y = in.wall_z;
  return second_pins_;
}

BoxOutputs TorusBoxModule::out() const {
  const bool second = now().second[1];
  const RouteOutputs& a = second ? second_.out() : first_.out();
  BoxOutputs out;
  out.valid = a.valid;
  out.eject = a.eject;
  out.drop = a.drop;
  if (a.valid == 0 || a.eject != 0 || a.drop != 0) return out;
  out.port = static_cast<uint8_t>(a.port + (second ? 2 : 0));
  out.vc = static_cast<uint8_t>(a.vc | (!second && (a.vc & 3) != 0 ? 8 : 0));
  out.header = static_cast<uint8_t>(a.header | (second ? kSecondPlane : 0));
  return out;
}

void TorusBoxModule::trace(sc_core::sc_trace_file* file) const {
  trace_signal(file, now().second[0], "second_plane.0", 1);
  trace_signal(file, now().second[1], "second_plane.1", 1);
  first_.trace(file);
  second_.trace(file);
}

}  // namespace odonata::torus
