// SPDX-License-Identifier: Apache-2.0
// PAR and PAR_PH: the policy of nonminimal.h with a second decision.
#include "sim/network/make_engine.h"
#include "sim/network/parameters.h"
#include "sim/network/policies/nonminimal.h"

namespace odonata::network {

std::vector<Routing> routings_progressive() {
  const Routing par{.name = "par",
                    .topology = "dragonfly",
                    .text = "ugal_l, and while minimal once more at the second router",
                    .vcs = Nonminimal<5>::kVcs,
                    .order = kDragonflyOrder,
                    .bias = 0,
                    .ignores = of_hardware,
                    .make = make_engine<Nonminimal<5>, DragonflyTopology>};
  Routing par_ph = par;
  par_ph.name = "par_ph";
  par_ph.text = "par with the history window taken off the queues";
  par_ph.ignores = [](const Parameter& p) { return of_hardware(p) && p.name.find("-window") == std::string::npos; };
  par_ph.bias = 10;  // fits the latencies of DOAR Fig. 10 and 13 (docs/network.md §10)
  return {par, par_ph};
}

}  // namespace odonata::network
