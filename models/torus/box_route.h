// SPDX-License-Identifier: Apache-2.0
// Routing round box-shaped fault regions of a torus of three dimensions (docs/torus.md §13): phase x of the
// two-dimensional route in the plane (x, y) of the source, then the whole two-dimensional route in the plane (y, z) of
// the destination. Rule dim; mode safe6_ring in each plane.
#pragma once

#include <string>
#include <vector>

#include "models/torus/dependency.h"

namespace odonata::torus {

/// Virtual channels of a link: x links use two of them, z links six, y links all ten.
inline constexpr int kBoxVcs = 10;

/// The boxes of a set of faults, and the walls of every plane that packets turn in: a plane of a closed set is a closed
/// set of two dimensions.
class BoxMap {
 public:
  /// Throws Error unless the torus has three dimensions.
  BoxMap(const Torus& torus, const Faults& faults);

  const Torus& torus() const { return map_.torus(); }
  const FaultMap& map() const { return map_; }
  bool healthy(int node) const { return map_.healthy(node); }
  /// What a router knows beside its place: blocked ports, and the walls of the two planes that it lies in.
  struct View {
    uint64_t wall_x = 0;       ///< of the plane (x, y) with its z
    uint64_t wall_yz[2] = {};  ///< of the plane (y, z) with its x
    uint8_t blocked = 0;       ///< bit p: port p, six of them
  };
  View view(int node) const;

 private:
  uint64_t wall(int dimension, int fixed, int at) const;
  FaultMap map_;
  std::vector<uint64_t> wall_x_, wall_y_, wall_z_;  // by z, by x, by x
};

/// A head flit at a router.
struct BoxAsk {
  Torus::Coordinates at{}, dest{};
  uint8_t header = 0;  ///< as it came; ignored when fresh
  bool fresh = false;
};
struct BoxAnswer {
  Action action = Action::kForward;
  uint8_t port = 0;
  uint8_t vc = 0;      ///< 0..5: 3 * r + j of the plane; y links, detours of phase x: 6 + 2 * r + j - 1
  uint8_t header = 0;  ///< of the plane's route (types.h), and kBoxPlane
  bool operator==(const BoxAnswer&) const = default;
};
inline constexpr uint8_t kBoxPlane = 16;  ///< the packet is in its second plane

BoxAnswer route_box(const Torus& torus, const BoxMap::View& view, const BoxAsk& ask);

/// The whole way; throws Error when the source is not healthy.
Path find_box_path(const BoxMap& map, int from, int to);

/// Who is served, and the channel dependency graph of all ways.
struct BoxReport {
  int64_t channels = 0, dependencies = 0;
  std::vector<std::string> cycle;  ///< names of channels; empty: free of deadlock
  Service service;                 ///< `unreachable`: walls of a plane are in the way, which need not part the two
};
/// `merge_detours`: a negative control, phase x takes the channels of the second plane for its detours.
BoxReport explore_boxes(const BoxMap& map, Destinations destinations = Destinations::kHealthy,
                        bool merge_detours = false);
/// "y5+ of (1,0,2)"
std::string box_channel_name(const Torus& torus, int node, int port, int vc);

}  // namespace odonata::torus
