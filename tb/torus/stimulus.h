// SPDX-License-Identifier: Apache-2.0
// Random pins for the torus units, in phases that make the rare things frequent.
#pragma once

#include "models/common/random.h"
#include "models/torus/path.h"
#include "models/torus/units.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// Requests of torus_route: packets anywhere in the torus, often in their column or row, over the wrap, half a ring away; any header; no
/// blocked port, one, or any; no wall, one, two, or any. Sometimes no request, sometimes a reset.
class TorusRoutePins final : public Stimulus<torus::RouteInputs, torus::RouteOutputs> {
 public:
  TorusRoutePins(int kx, int ky, uint64_t seed) : radix_{kx, ky}, random_(seed) {}
  bool next(const torus::RouteOutputs& last, torus::RouteInputs& in) override;

 private:
  uint8_t below(int n) { return static_cast<uint8_t>(random_.below(static_cast<uint32_t>(n))); }
  uint64_t wall(int radix);

  int radix_[2];
  Random random_;
  uint64_t cycle_ = 0, wall_[2] = {};
};

/// Requests of torus_route as a network makes them: packets between healthy nodes, hop by hop, under fault maps of a few random nodes and links.
class TorusTrafficPins final : public Stimulus<torus::RouteInputs, torus::RouteOutputs> {
 public:
  /// `load`: requests a cycle, 0..1.
  TorusTrafficPins(const Torus& torus, torus::Variant variant, double load, uint64_t seed);
  bool next(const torus::RouteOutputs& last, torus::RouteInputs& in) override;

 private:
  void draw_map();
  void send_packet();

  const Torus torus_;
  const torus::Variant variant_;
  const double load_;
  Random random_;
  torus::FaultMap map_;
  torus::Ask ask_;  // of the packet under way, at node_
  int node_ = 0, packets_ = 0;
  bool under_way_ = false;
  uint64_t cycle_ = 0;
};

/// Pins of fault_region: faults come one by one and stay, neighbours are marked, all is cleared or reset now and then.
class FaultRegionPins final : public Stimulus<torus::RegionInputs, torus::RegionOutputs> {
 public:
  explicit FaultRegionPins(uint64_t seed) : random_(seed) {}
  bool next(const torus::RegionOutputs& last, torus::RegionInputs& in) override;

 private:
  Random random_;
  torus::RegionInputs now_;
  uint64_t cycle_ = 0;
};

}  // namespace odonata::cosim
