// SPDX-License-Identifier: Apache-2.0
#include "hw/fabric/network_module.h"

namespace odonata::fabric {

using sc_core::SC_NS;
using sc_core::sc_time;

NetworkModule::NetworkModule(const sc_core::sc_module_name& name, int edges, int64_t lead)
    : sc_module(name),
      lead_(lead),
      units_("unit_clock", sc_time(1, SC_NS)),
      cycles_("cycle_clock", sc_time(edges, SC_NS)) {
  SC_HAS_PROCESS(NetworkModule);
  SC_METHOD(work);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(ask);
  sensitive << ask_;
  dont_initialize();
  work_.notify(sc_time(edges + kWork, SC_NS));
  ask_.notify(sc_time(edges + kAsk, SC_NS));
}

void NetworkModule::work() {
  work_.notify(period());
  if (cycle() >= 0) work_in(cycle());
}

void NetworkModule::ask() {
  ask_.notify(period());
  if (cycle() >= 0) ask_in(cycle());
}

}  // namespace odonata::fabric
