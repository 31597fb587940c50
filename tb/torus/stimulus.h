// SPDX-License-Identifier: Apache-2.0
// Random pins for the torus units, in phases that make the rare things frequent.
#pragma once

#include "models/common/random.h"
#include "models/torus/path.h"
#include "models/torus/units.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// Requests of torus_route: packets anywhere in the torus, often in their column or row, over the wrap, half a ring
/// away; any header; no blocked port, one, or any; no wall, one, two, or any. Sometimes no request, sometimes a reset.
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

/// Requests of torus_route as a network makes them: packets between healthy nodes, hop by hop, under fault maps of a
/// few random nodes and links.
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

/// Requests of torus_box: packets anywhere in the torus, often in the destination's column, row or both, over the wrap,
/// half a ring away; any header; blocked ports none, of one dimension, or any; few walls. Sometimes no request,
/// sometimes a reset.
class TorusBoxPins final : public Stimulus<torus::BoxInputs, torus::BoxOutputs> {
 public:
  TorusBoxPins(const Torus& torus, uint64_t seed) : torus_(torus), random_(seed) {}
  bool next(const torus::BoxOutputs& last, torus::BoxInputs& in) override;

 private:
  uint8_t below(int n) { return static_cast<uint8_t>(random_.below(static_cast<uint32_t>(n))); }

  const Torus torus_;
  Random random_;
  uint64_t cycle_ = 0, wall_[3] = {};
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

/// Pins of torus_walls: a node for a while, ports blocked and free, runs of the node before short, one below the ring,
/// or any; few walls of neighbours, so that one more is seen; all is cleared or reset now and then.
class TorusWallsPins final : public Stimulus<torus::WallInputs, torus::WallOutputs> {
 public:
  TorusWallsPins(int kx, int ky, uint64_t seed) : radix_{kx, ky}, random_(seed) {}
  bool next(const torus::WallOutputs& last, torus::WallInputs& in) override;

 private:
  int radix_[2];
  Random random_;
  uint8_t at_[2] = {};
  uint64_t cycle_ = 0;
};

/// Pins of torus_sides: runs of both directions, often alike or one apart.
class TorusSidesPins final : public Stimulus<torus::SideInputs, torus::SideOutputs> {
 public:
  TorusSidesPins(int kx, int ky, uint64_t seed) : radix_{kx, ky}, random_(seed) {}
  bool next(const torus::SideOutputs& last, torus::SideInputs& in) override;

 private:
  int radix_[2];
  Random random_;
  uint64_t cycle_ = 0;
};

/// Pins of torus_output: flits of any kind for any channel, in phases in which one channel is preferred and slots come
/// back never, rarely or at once.
class TorusOutputPins final : public Stimulus<torus::OutputInputs, torus::OutputOutputs> {
 public:
  TorusOutputPins(int slots, int inputs, uint64_t seed) : slots_(slots), inputs_(inputs), random_(seed) {}
  bool next(const torus::OutputOutputs& last, torus::OutputInputs& in) override;

 private:
  const int slots_, inputs_;
  Random random_;
  uint64_t cycle_ = 0;
  double load_ = 0, back_ = 0;
  uint8_t preferred_ = 0;
};

}  // namespace odonata::cosim
