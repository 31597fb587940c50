// SPDX-License-Identifier: Apache-2.0
// A mesh (k-ary n-mesh, or a different k in each dimension), its input queues, and the rule by which a packet may enter
// the next queue: what the deadlock checks are about (D2RA Def. 1-2, eq. 5-12).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/arb_request/request.h"

namespace odonata::arb_request {

/// Flow-control rule under examination.
enum class Rule : uint8_t {
  kDor,          ///< eq. 9, 10
  kDbra,         ///< eq. 6-8
  kD2ra,         ///< eq. 11-13
  kMixedDor,     ///< Fig. 5: ascending and descending dimension order in one network (deadlocks)
  kD2raLowered,  ///< D2RA with z - 1 in place of z (deadlocks): a planted bug
  kDbraLowered,  ///< DBRA with z - 1, at least 1 (deadlocks)
};

/// "dor", "dbra", "d2ra", "mixed-dor", "d2ra-lowered", "dbra-lowered"; throws Error for another word.
Rule rule_from_name(std::string_view name);
std::string_view name_of(Rule rule);

/// One hop that a packet at a router may take.
struct Hop {
  int dimension = 0;
  bool minus = false;
  int router = 0;     ///< next router
  int queue = 0;      ///< its input queue
  int need = 0;       ///< least credit that raises a request
  int need_high = 0;  ///< least credit that makes the request high
};

/// Geometry only; routers are numbered with dimension 0 fastest.
class Mesh {
 public:
  /// Radices of 1..8 dimensions, each 2..255; throws Error otherwise, or above 65,536 routers.
  explicit Mesh(std::vector<int> radix);
  /// From "3x3"; throws Error on anything else.
  static Mesh parse(const std::string& text);

  int dimensions() const { return static_cast<int>(radix_.size()); }
  int radix(int dimension) const { return radix_[dimension]; }
  int routers() const { return routers_; }
  /// Input queues are numbered router * 2n + 2 * dimension + minus; those at which no link ends are never used.
  int queues() const { return routers_ * 2 * dimensions(); }
  int queue(int router, int dimension, bool minus) const { return router * 2 * dimensions() + 2 * dimension + minus; }
  int queue_router(int queue) const { return queue / (2 * dimensions()); }
  int queue_dimension(int queue) const { return queue % (2 * dimensions()) / 2; }
  bool queue_minus(int queue) const { return queue & 1; }

  int coordinate(int router, int dimension) const { return router / stride_[dimension] % radix_[dimension]; }
  /// Coordinates as lanes of the request logic.
  Lanes lanes(int router) const;
  /// The router one hop away, or -1 beyond the boundary.
  int neighbour(int router, int dimension, bool minus) const;
  /// "(1,0)"
  std::string router_name(int router) const;
  /// "queue x+ of (1,0)": packets that came in positive x direction.
  std::string queue_name(int queue) const;
  /// "3x3"
  std::string name() const;

  /// Every hop that the rule can ever allow to a packet at `router` for `dest`; empty when they are equal.
  /// The thresholds of DOR, DBRA and D2RA are asked from the request logic itself, not stated again.
  std::vector<Hop> hops(int router, int dest, Rule rule) const;

 private:
  std::vector<int> radix_, stride_;
  int routers_ = 1;
};

/// Lemma 1: at a router on the boundary in a direction no destination leaves that direction remaining, asked from the
/// request logic with full credits. Returns the number of (boundary, destination) pairs looked at; throws Error at a
/// violation (which would be a bug of the request logic).
int64_t check_lemma_1(const Mesh& mesh);

}  // namespace odonata::arb_request
