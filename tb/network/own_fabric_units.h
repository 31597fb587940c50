// SPDX-License-Identifier: Apache-2.0
// Route units of somebody else (--device-lib) in the routers of a torus or the switches of a fat-tree that is compared
// with the engine: each gets the pins of its port's SystemC unit, edge by edge, and has to show what the golden unit
// shows (docs/crosscheck.md §5).
#pragma once

#include <functional>
#include <string>

#include "hw/torus/torus_module.h"
#include "hw/vtftr/fat_tree_module.h"
#include "sim/network/config.h"
#include "tb/network/own_route_units.h"

namespace odonata::cosim {

class OwnFabricUnits {
 public:
  /// Loads and measures a library: torus_route, vtftr_leaf or vtftr_root. `at`: "all", or routers with ; between them,
  /// "X,Y" of a torus, "leaf:X,Y", "row:LINE,RAIL", "column:LINE,RAIL" of a fat-tree. Throws Error: it does not fit, or
  /// its latency or interval are more than a cycle has edges for.
  OwnFabricUnits(const std::string& library, const std::string& at, const network::Config& config);
  const std::string& library() const { return path_; }
  /// Puts a unit beside each one of the chosen routers. `answers` must outlive the network.
  void put_into(torus::TorusMakers& makers, OwnRouteAnswers& answers) const;
  void put_into(vtftr::FatTreeMakers& makers, OwnRouteAnswers& answers) const;

 private:
  /// Makes the unit of an input port, as what has to be told of every edge; null where there is none.
  template <class In>
  using Make = std::function<std::function<void(const In&)>(int router, int port, OwnRouteAnswers& answers)>;
  void load_torus(const std::string& at, const network::Config& config);
  void load_fat_tree(const std::string& at, const network::Config& config);

  std::string path_;
  Make<torus::RouteInputs> torus_;
  Make<vtftr::LeafInputs> leaf_;
  Make<vtftr::RootInputs> root_;
};

}  // namespace odonata::cosim
