// SPDX-License-Identifier: Apache-2.0
// t_ld, t_gd and t_r of one router, measured at its pins: from the event to the cycle in which the scheduler may look
// again.
#pragma once

#include "models/fault/router_unit.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// Cycles of a service, t1 and t2 included.
struct ServiceTimes {
  int64_t link_down = 0;      ///< t_ld
  int64_t link_up = 0;        ///< t_r
  int64_t message_least = 0;  ///< t_gd over all positions of the poll pointer
  int64_t message_most = 0;
  double message_mean = 0;
  int64_t work_down = 0, work_message = 0, work_up = 0;  ///< busy cycles of a port unit: t without t1 and t2

  bool operator==(const ServiceTimes&) const = default;
};

/// Measures a router that has just been made. `d` is its dragonfly, `stations` the length of the poll round.
ServiceTimes measure_service_times(CycleDevice<fault::RouterInputs, fault::RouterOutputs>& router, const Dragonfly& d,
                                   int stations);

}  // namespace odonata::cli
