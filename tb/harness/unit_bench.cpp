// SPDX-License-Identifier: Apache-2.0
#include "tb/harness/unit_bench.h"

#include <algorithm>
#include <charconv>

#include "models/common/joined.h"
#include "models/traffic/pattern.h"

namespace odonata::cosim {

std::map<std::string, std::string> dragonfly_meta(const Dragonfly& d) {
  return {{"dragonfly", std::to_string(d.p()) + "," + std::to_string(d.a()) + "," + std::to_string(d.h()) + "," +
                            std::to_string(d.g())},
          {"arrangement", std::string(to_string(d.arrangement()))}};
}

std::map<std::string, std::string> recorded_meta(const CampaignRequest& request) {
  if (request.trace_in.empty()) return {};
  return parse_trace_header(request.trace_in, read_file(request.trace_in)).meta;
}

std::string parameter_of(const CampaignRequest& request, const std::string& parameter, const std::string& otherwise) {
  const std::map<std::string, std::string> meta = recorded_meta(request);
  const auto given = request.parameters.find(parameter), recorded = meta.find(parameter);
  return given != request.parameters.end() ? given->second : recorded != meta.end() ? recorded->second : otherwise;
}

void check_parameters(const CampaignRequest& request, std::string_view unit,
                      const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : request.parameters) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw Error("--set " + key + "=" + value + ": " + std::string(unit) + " knows no such parameter, expected " +
                (known.empty() ? "none" : joined(known, {}, " or ")));
  }
}

const Unit& find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit;
  throw Error("--block: '" + std::string(name) + "' is unknown, expected one of " + joined(units, &Unit::name));
}

void check_size(const CampaignRequest& request, const UnitPins& pins) {
  if (request.dragonfly_given.empty() || pins.size == "dragonfly") return;
  const std::string set = request.dragonfly_given.starts_with("--") ? "--set " : "";
  const bool three = std::any_of(pins.parameters.begin(), pins.parameters.end(),
                                 [](const auto& parameter) { return parameter.first == "KZ"; });
  const std::string own = pins.size == "mesh" ? set + "dims=2, 3 or 4"
                          : pins.size == "torus"
                              ? set + "torus=KXxKY" + (three ? "xKZ" : "") + " or the name of a torus"
                          : pins.size == "fat_tree" ? set + "tree=N,M,P,U or the name of a tree"
                                                    : "nothing: it has one size";
  throw Error(request.dragonfly_given + ": " + pins.unit + " is no part of a dragonfly, expected " + own);
}

std::unique_ptr<WordBench> Unit::open(const CampaignRequest& request) const {
  auto bench = opener(request);
  check_size(request, bench->pins());
  return bench;
}

void check_traffic(const CampaignRequest& request, std::string_view unit) {
  if (request.traffic != "ur" && request.traffic != "corner")
    throw Error("traffic is '" + request.traffic + "', " + std::string(unit) + " knows ur and corner");
}

void check_pattern(const CampaignRequest& request) {
  if (request.traffic == "corner" || request.traffic == "all") return;
  try {
    traffic::Pattern::parse(request.dragonfly, request.traffic, request.seed);
  } catch (const Error& e) {
    throw Error(std::string(e.what()) + ", corner or all");
  }
}

namespace detail {

void check_request(const CampaignRequest& r, std::string_view unit, bool has_systemc) {
  if (!r.device_lib.empty() && (!r.plant.empty() || r.device != "rtl"))
    throw Error("--device-lib: the device is the library, expected neither --device nor --plant");
  if (!r.plant.empty() && r.device != "rtl") throw Error("--plant: bugs are planted in the RTL, expected --device rtl");
  if (r.reference == "systemc" && r.device == "systemc")
    throw Error("--reference systemc: expected --device rtl or netlist");
  if (!has_systemc && (r.reference == "systemc" || r.device == "systemc"))
    throw Error(std::string(unit) + " has no SystemC module to run");
  if (!r.trace.empty() && r.device == "netlist")
    throw Error("--trace: waveforms come from RTL (FST) or SystemC (VCD), expected --device rtl or systemc");
}

std::string other_timing_words(const Timing& measured, const Timing& compared) {
  const bool late = measured.latency != compared.latency, slow = measured.interval != compared.interval;
  if (!late && !slow) return "";
  const auto words = [](const Timing& t) {
    return "latency " + std::to_string(t.latency) + ", a request every " +
           (t.interval == 1 ? "cycle" : std::to_string(t.interval) + " cycles");
  };
  return "The device measures " + words(measured) + "; compared as " + words(compared) +
         ". As it is:" + (late ? " --latency " + std::to_string(measured.latency) : "") +
         (slow ? " --interval " + std::to_string(measured.interval) : "");
}

int timing_number(const char* option, const std::string& text, int otherwise, int measured, int low) {
  if (text.empty()) return otherwise;
  if (text == "auto") return measured;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < low || number > 64) {
    throw Error(std::string(option) + ": '" + text + "' is no number of cycles, expected " + std::to_string(low) +
                "..64 or auto");
  }
  return number;
}

}  // namespace detail

}  // namespace odonata::cosim
