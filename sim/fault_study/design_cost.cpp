// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_study/design_cost.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "sim/fault_study/area_table.h"  // generated: kAreaTable, docs/area.md

namespace odonata::cli {

namespace {

constexpr int kMeasuredStations = 64, kMeasuredPollWidth = 64;
constexpr int kRingBits = 32;  // of a station: valid, kind, port, message, isolated

struct Part {
  int64_t cells = 0, flip_flops = 0, ram_bits = 0;
};

int64_t number(std::string text) {
  std::erase(text, ',');
  return std::stoll(text);
}

/// The parts of the block of docs/area.md that begins with "tiny: P, A, H, G = 2, 4, 2, 8"; their names are the
/// beginnings of the lines.
std::map<std::string, Part> parts_of(const Dragonfly& d) {
  const std::string head = "P, A, H, G = " + std::to_string(d.p()) + ", " + std::to_string(d.a()) + ", " +
                           std::to_string(d.h()) + ", " + std::to_string(d.g()) + "; " + std::to_string(d.num_ports()) +
                           " ports";
  std::map<std::string, Part> parts;
  const std::string text = kAreaTable;
  std::istringstream lines(text.substr(std::min(text.find(head), text.size())));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with(' ')) {
    std::istringstream words(line);
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    if (all.size() < 5 || all.front() == "cells" || all.front() == "marks") continue;
    std::string name = all[0];
    for (size_t i = 1; i + 4 < all.size(); ++i) name += " " + all[i];
    const size_t n = all.size();
    parts[name] = {number(all[n - 4]), number(all[n - 3]), number(all[n - 2])};
  }
  return parts;
}

}  // namespace

std::optional<DesignCost> design_cost(const Dragonfly& d, const fault::Timing& t) {
  const std::map<std::string, Part> parts = parts_of(d);
  const std::string banked = "Banks=" + std::to_string(t.banks);
  if (parts.empty() || (t.banks > 1 && !parts.contains(banked))) return std::nullopt;
  const Part &unit = parts.at(t.banks > 1 ? banked : "port unit"), &plain = parts.at("port unit"),
             &queue = parts.at("CommandDepth=17");
  const Part &scheduler = parts.at("scheduler, " + std::to_string(kMeasuredStations) + " stations"),
             &wide = parts.at("PollWidth=64"), &pipelined = parts.at("Pipelined=1");
  const int64_t ports = d.num_ports(), queued = t.pipelined ? ports : 0;
  const auto sum = [&](int64_t Part::*what) {
    const int64_t steps = (t.poll_width - 1) * (wide.*what - scheduler.*what) / (kMeasuredPollWidth - 1);
    const int64_t look = scheduler.*what + steps + (t.pipelined ? pipelined.*what - scheduler.*what : 0);
    return ports * (unit.*what) + queued * (queue.*what - plain.*what) + look;
  };
  DesignCost cost;
  cost.cells = sum(&Part::cells);
  cost.flip_flops = sum(&Part::flip_flops) + ports * t.ring_hop * kRingBits;
  cost.ram_bits = sum(&Part::ram_bits);
  cost.measured = t.poll_width == 1 || t.poll_width == kMeasuredPollWidth;
  return cost;
}

}  // namespace odonata::cli
