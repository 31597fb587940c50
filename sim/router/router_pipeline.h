// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block router`: cycles of a packet through the router, measured at the pins of its data path
// (docs/router.md §2.5).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/router/golden_device.h"
#include "sim/pipeline/measure.h"

namespace odonata::cli {

/// What docs/router.md §2.5 promises; cycles are counted from the edge that writes the flit into its buffer.
inline constexpr int kRouterGrant = 4;  ///< route compute, then granted at once
inline constexpr int kRouterLink = 5;   ///< on the link, nothing in the way

/// Cycles of packets of one flit, by what is measured.
struct RouterTimes {
  std::string level;
  Spread grant, link;                 ///< isolated: edge to grant, to the link
  Spread credit;                      ///< isolated: grant to the pulse of its credit
  Spread streamed;                    ///< every port sends in every cycle, each to another output: edge to the link
  double stream_rate = 0;             ///< flits a cycle and link there
  Spread contended;                   ///< all ports at once to one output: edge to the link
  Spread last_grant;                  ///< ... edge to the grant of the last
  double contended_rate = 0;          ///< flits a cycle of that link, from the first to the last
  Spread dropped;                     ///< no option: edge to the freed slot
  Spread message;                     ///< an FD has the slot for one cycle: edge to the link
  Spread starved;                     ///< no credits are left: edge that counts the credit to the grant
  std::vector<std::string> problems;  ///< every deviation from the specification
};

/// Figures by their key in the JSON, as the table shows them, and who wants them.
struct RouterExpectation {
  std::string says = "the specification says";
  std::map<std::string, std::string> figures;
};
/// What the specification promises; from a TOML file (a key a figure) what that says in its place. Throws Error "FILE:
/// ...".
RouterExpectation router_expectation(const router::DataConfig& config, const std::string& path = "");

/// Measures one device, every case `rounds` times.
RouterTimes measure_router(const std::string& level, router::DataDevice& device, const router::DataConfig& config,
                           uint64_t rounds, uint64_t seed, const RouterExpectation& want);

struct RouterPipelineOptions {
  Dragonfly dragonfly;
  std::vector<std::string> levels;
  uint64_t requests = 0, seed = 1;
  std::string json;
  std::string device_lib;  ///< a data path of somebody else, measured, too; without `levels` alone
  std::string expect;      ///< file in the place of the specification
};
/// Measures, prints and writes the result. Throws Error.
void run_router_pipeline(const RouterPipelineOptions& options);

}  // namespace odonata::cli
