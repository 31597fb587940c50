// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/campaign.h"

#include "models/common/shell_word.h"

namespace odonata::cosim::detail {

std::vector<std::string> mismatch_words(const Mismatch& m) {
  std::vector<std::string> out;
  for (const Difference& d : m.differences) {
    out.push_back("Mismatch in cycle " + std::to_string(m.cycle) + ": " + d.probe + ", from " + d.stage +
                  ": expected 0x" + to_hex(d.expected) + ", got 0x" + to_hex(d.got) +
                  (d.note.empty() ? "" : " (" + d.note + ")"));
  }
  for (const std::string& reason : m.reasons) out.push_back("  " + reason);
  return out;
}

std::string device_words(const CampaignRequest& request) {
  const std::string rest = (request.reference == "golden" ? "" : " --reference " + request.reference) +
                           (request.plant.empty() ? "" : " --plant " + request.plant);
  if (request.device_lib.empty()) return (request.device == "rtl" ? "" : " --device " + request.device) + rest;
  return " --device-lib " + quoted(request.device_lib) +
         (request.latency.empty() ? "" : " --latency " + request.latency) +
         (request.interval.empty() ? "" : " --interval " + request.interval) + rest;
}

nlohmann::json mismatch_json(const Mismatch& m) {
  nlohmann::json differences = nlohmann::json::array();
  for (const Difference& d : m.differences) {
    differences.push_back({{"probe", d.probe},
                           {"stage", d.stage},
                           {"expected", "0x" + to_hex(d.expected)},
                           {"got", "0x" + to_hex(d.got)},
                           {"note", d.note}});
  }
  return {{"cycle", m.cycle}, {"differences", differences}, {"reasons", m.reasons}};
}

}  // namespace odonata::cosim::detail
