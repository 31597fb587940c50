// SPDX-License-Identifier: Apache-2.0
#include "sim/cosim/blocks.h"

#include <fmt/format.h>

#include "models/common/error.h"

namespace odonata::cli {

std::vector<std::string> block_names(std::span<const cosim::Unit> units) {
  std::vector<std::string> names;
  for (const cosim::Unit& unit : units) names.push_back(unit.name);
  return names;
}

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& set,
                                                    const std::map<std::string, std::string>& options) {
  std::map<std::string, std::string> out;
  for (const std::string& item : set) {
    const size_t equal = item.find('=');
    if (equal == std::string::npos || equal == 0) throw Error("--set: '" + item + "', expected KEY=VALUE");
    const std::string key = item.substr(0, equal);
    if (!out.emplace(key, item.substr(equal + 1)).second) throw Error("--set " + item + ": " + key + " is given twice");
  }
  for (const auto& [key, value] : options) {
    if (value.empty()) continue;
    if (!out.emplace(key, value).second)
      throw Error("--" + key + " " + value + ": --set names " + key + ", too, expected one of them");
  }
  return out;
}

cosim::CampaignRequest request_of(const Dragonfly& dragonfly, const std::string& given,
                                  const std::vector<std::string>& set, const std::string& dims) {
  cosim::CampaignRequest request;
  request.dragonfly = dragonfly;
  request.dragonfly_given = given;
  request.traffic = "corner";  // every unit knows it
  request.parameters = parse_parameters(set, {{"dims", dims}});
  return request;
}

void check_load(const Command& command, const cosim::Unit& unit, const cosim::CampaignRequest& request) {
  if (unit.uses_load(request)) return;
  const bool corner = unit.loaded != nullptr && request.traffic == "corner";
  const auto part = request.parameters.find("part");
  command.refuse({"--load"}, corner ? "the corner cases look at no load, expected another --traffic"
                                    : fmt::format("the stimulus of {}{} looks at no load", unit.name,
                                                  part == request.parameters.end() ? "" : ", part " + part->second));
}

}  // namespace odonata::cli
