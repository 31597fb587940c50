// SPDX-License-Identifier: Apache-2.0
// What tests ask of a campaign, and what they tell of its result.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "tb/harness/campaign.h"

namespace odonata::cosim {

/// Whatever differs is written to the folder of the tests.
inline CampaignRequest test_request(const std::string& traffic, uint64_t transactions,
                                    std::map<std::string, std::string> parameters = {}, uint64_t seed = 1) {
  CampaignRequest r;
  r.parameters = std::move(parameters);
  r.traffic = traffic;
  r.transactions = transactions;
  r.seed = seed;
  r.artifacts = testing::TempDir();
  return r;
}
/// Of a unit that is part of the dragonfly `d`.
inline CampaignRequest test_request(const Dragonfly& d, const std::string& traffic, uint64_t transactions,
                                    std::map<std::string, std::string> parameters = {}, uint64_t seed = 1) {
  CampaignRequest r = test_request(traffic, transactions, std::move(parameters), seed);
  r.dragonfly = d;
  return r;
}

/// The report of a campaign; empty: nothing differed.
inline std::string report_text(const CampaignResult& r) {
  std::string out;
  for (const std::string& line : r.report) out += line + "\n";
  return out;
}

}  // namespace odonata::cosim
