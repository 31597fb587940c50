// SPDX-License-Identifier: Apache-2.0
#include "sim/cosim/blocks.h"

#include "tb/arb_request/campaign.h"
#include "tb/congestion/campaign.h"
#include "tb/fault/campaign.h"
#include "tb/route_compute/campaign.h"

namespace odonata::cosim {

std::span<const CampaignBlock> campaign_blocks() {
  static const CampaignBlock kBlocks[] = {
      {"route_compute", route_compute_plants(), run_route_compute_campaign},
      {"credit_monitor", congestion_plants("credit_monitor"), run_credit_monitor_campaign},
      {"bitmap_sender", congestion_plants("bitmap_sender"), run_bitmap_sender_campaign},
      {"bitmap_collector", congestion_plants("bitmap_collector"), run_bitmap_collector_campaign},
      {"pcs_transport", congestion_plants("pcs_transport"), run_pcs_transport_campaign},
      {"fault_port", fault_plants(), run_fault_port_campaign},
      {"fault_scheduler", fault_plants(), run_fault_scheduler_campaign},
      {"fault_router", fault_plants(), run_fault_router_campaign},
      {"fault_link", fault_plants(), run_fault_link_campaign},
      {"arb_request", arb_request_plants(), run_arb_request_campaign},
  };
  return kBlocks;
}

}  // namespace odonata::cosim
