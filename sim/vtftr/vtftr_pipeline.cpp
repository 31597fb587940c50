// SPDX-License-Identifier: Apache-2.0
#include "sim/vtftr/vtftr_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>

#include "hw/vtftr/block_device.h"
#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/common/interrupt.h"
#include "sim/common/program.h"
#include "sim/pipeline/expectation.h"
#include "sim/pipeline/spread.h"
#include "tb/harness/own_device.h"
#include "tb/vtftr/campaign.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"

namespace odonata::cli {

namespace {

using namespace vtftr;

/// A unit seen as a pipeline: bit k of its probe says that stage k holds a request; the last one holds the answer.
template <class In, class Out>
struct Subject {
  std::vector<std::string> stages;
  std::vector<int> probe_bits;  ///< a stage each
  std::vector<std::pair<std::string, std::function<std::unique_ptr<CycleDevice<In, Out>>()>>> levels;
  bool probed = true;  ///< the last level has the probe, too
  std::function<In(Random&)> request;
  std::function<void(In&, Random&)> disturb;  ///< what else may happen beside requests
};

Subject<LeafInputs, LeafOutputs> leaf_subject(const std::string& tree) {
  const cosim::VtftrSize s = cosim::vtftr_leaf_size(tree);
  const UnitSize size = s.size;
  Subject<LeafInputs, LeafOutputs> out;
  out.stages = {"sample", "look_up", "decide"};
  out.probe_bits = {0, 1, 2};
  out.levels = {
      {"golden", [size] { return std::make_unique<GoldenLeaf>(size); }},
      {"systemc", [size] { return make_leaf_systemc(size); }},
      {"rtl", [s] { return cosim::make_rtl<cosim::VtftrLeafBlock>(s.parameters, cosim::RtlVariant::fast, 0); }}};
  out.request = [size](Random& random) {
    const auto below = [&random](int n) { return static_cast<int>(random.below(static_cast<uint32_t>(n))); };
    LeafInputs in;
    in.safe = in.req_valid = true;
    in.req_dest = fat_tree_address(below(size.columns), below(size.rows), below(size.nodes));
    return in;
  };
  out.disturb = [size](LeafInputs& in, Random& random) {
    in.fr = LineMap::first(size.columns) & LineMap{random.next(), random.next()};
    in.fc = LineMap::first(size.rows) & LineMap{random.next(), random.next()};
    in.cf = random.chance(0.5);
  };
  return out;
}

Subject<RootInputs, RootOutputs> root_subject(const std::string& tree) {
  const cosim::VtftrSize s = cosim::vtftr_root_size(tree);
  const UnitSize size = s.size;
  const bool mask_form = s.mask_form;
  Subject<RootInputs, RootOutputs> out;
  out.stages = {"decode", "table_read", "candidates"};
  out.probe_bits = {0, 1, 2};
  if (size.ports() > 32) {
    out.stages.emplace_back("rank");
    out.probe_bits.push_back(3);
  }
  out.stages.emplace_back("pick");
  out.probe_bits.push_back(4);
  out.levels = {
      {"golden", [=] { return std::make_unique<GoldenRoot>(size, mask_form); }},
      {"systemc", [=] { return make_root_systemc(size, mask_form); }},
      {"rtl", [s] { return cosim::make_rtl<cosim::VtftrRootBlock>(s.parameters, cosim::RtlVariant::fast, 0); }}};
  out.request = [size](Random& random) {
    RootInputs in;
    in.safe = in.exclude = in.req_valid = true;
    in.req_leaf = static_cast<uint16_t>(random.below(static_cast<uint32_t>(size.rows)) << 7 |
                                        random.below(static_cast<uint32_t>(size.columns)));
    return in;
  };
  out.disturb = [size](RootInputs& in, Random& random) {
    in.dead = LineMap::first(size.columns) & LineMap{random.next(), random.next()};
    in.upd_valid = random.chance(0.5);
    in.upd_row = static_cast<uint8_t>(random.below(static_cast<uint32_t>(size.ports())));
    in.upd_data = LineMap::first(size.ports());
    in.lfsr_load = random.chance(0.1);
    in.lfsr_value = static_cast<uint16_t>(random.next() | 1);
  };
  return out;
}

/// Adds a unit of somebody else as the last level; without other levels it stays alone.
template <class Block>
Subject<typename Block::Inputs, typename Block::Outputs> with_own(
    Subject<typename Block::Inputs, typename Block::Outputs> subject, const VtftrPipelineOptions& o,
    const cosim::RtlParameters& parameters) {
  if (o.device_lib.empty()) return subject;
  const cosim::PinWords<Block> pins(parameters);
  const cosim::DeviceLibrary library(o.device_lib, pins);
  if (o.levels.empty()) subject.levels.clear();
  subject.levels.emplace_back(std::filesystem::path(o.device_lib).stem().string(),
                              [pins, library] { return std::make_unique<cosim::LibraryDevice<Block>>(library, pins); });
  subject.probed = library.absent().empty();
  return subject;
}

constexpr int kFarApart = 9;  // cycles between requests that do not meet in a unit of this project
constexpr int kDrain = 64;    // cycles after which nothing is under way in any unit

/// What a stream of requests showed.
struct Stream {
  std::vector<Spread> stage;
  Spread latency, interval;
  uint64_t requests = 0, answers = 0;
};

/// Requests with `gap` idle edges between them. The n-th time that a stage is occupied belongs to the n-th request.
template <class In, class Out>
Stream run_stream(CycleDevice<In, Out>& device, const Subject<In, Out>& subject, uint64_t requests, int gap,
                  bool disturbed, Random& random) {
  Stream out;
  const size_t stages = subject.stages.size();
  out.stage.resize(stages);
  std::vector<std::deque<int64_t>> at(stages + 1);  // edges at which requests entered a stage; 0: the pins
  int64_t last_answer = -1;
  Out pins{};
  for (int64_t edge = 0; out.answers < requests && edge < static_cast<int64_t>(requests + 100) * (gap + 2); ++edge) {
    if (edge % 4096 == 0) stop_if_interrupted();
    In in = subject.request(random);
    in.req_valid = out.requests < requests && edge % (gap + 1) == 0;
    if (disturbed) subject.disturb(in, random);
    device.step(in, pins);
    if (in.req_valid) {
      ++out.requests;
      at[0].push_back(edge - 1);  // it is at the pins before the edge that samples it
    }
    for (size_t k = 0; k < stages; ++k) {
      if ((pins.probe >> subject.probe_bits[k] & 1) == 0 || at[k].empty()) continue;
      const int64_t before = k == 0 ? at[0].front() : at[k].front();
      if (before == edge) continue;  // entered the stage before it at this very edge
      at[k].pop_front();
      out.stage[k].add(edge - before);
      at[k + 1].push_back(edge);
    }
    if (!pins.resp_valid) continue;
    ++out.answers;
    if (last_answer >= 0) out.interval.add(edge - last_answer);
    last_answer = edge;
  }
  return out;
}

/// What was measured of a level, and what is wrong with it.
struct Level {
  Stream alone, dense, disturbed;
  Spread latency[3];
  std::vector<std::string> problems;
};

/// Edges from the one that samples a request to its answer, both included.
template <class In, class Out>
Spread latency_of(CycleDevice<In, Out>& device, const Subject<In, Out>& subject, uint64_t requests, int gap,
                  bool disturbed, Random& random) {
  std::deque<int64_t> asked;
  Spread out;
  Out pins{};
  uint64_t sent = 0;
  for (int64_t edge = 0; edge < static_cast<int64_t>(requests) * (gap + 1) + kDrain; ++edge) {
    In in = subject.request(random);
    in.req_valid = sent < requests && edge % (gap + 1) == 0;
    if (disturbed) subject.disturb(in, random);
    device.step(in, pins);
    if (in.req_valid) {
      ++sent;
      asked.push_back(edge);
    }
    if (!pins.resp_valid || asked.empty()) continue;
    out.add(edge - asked.front() + 1);
    asked.pop_front();
  }
  if (!asked.empty()) out.add(-1);  // a request without an answer
  return out;
}

template <class In, class Out>
void drain(CycleDevice<In, Out>& device, const Subject<In, Out>& subject, Random& random) {
  Out pins{};
  for (int i = 0; i < kDrain; ++i) {
    In idle = subject.request(random);
    idle.req_valid = false;
    device.step(idle, pins);
  }
}

/// The smallest distance of requests at which every one is answered.
template <class In, class Out>
int find_interval(CycleDevice<In, Out>& device, const Subject<In, Out>& subject, Random& random) {
  int interval = 1;
  while (interval < kLongestInterval &&
         run_stream(device, subject, kIntervalTries, interval - 1, false, random).answers != kIntervalTries)
    ++interval;
  drain(device, subject, random);
  return interval;
}

template <class In, class Out>
Level measure_level(CycleDevice<In, Out>& device, const Subject<In, Out>& subject, const VtftrPipelineOptions& o,
                    bool own, const Expectation& want) {
  Level level;
  const bool probed = !own || subject.probed;
  Random random(o.seed);
  In reset;
  reset.reset = true;
  Out pins{};
  device.step(reset, pins);
  const int gap = (own ? find_interval(device, subject, random) : 1) - 1;
  level.alone = run_stream(device, subject, o.requests / 10 + 1, kFarApart, false, random);
  level.dense = run_stream(device, subject, o.requests, gap, false, random);
  level.disturbed = run_stream(device, subject, o.requests, gap, true, random);
  drain(device, subject, random);
  level.latency[0] = latency_of(device, subject, o.requests / 10 + 1, kFarApart, false, random);
  level.latency[1] = latency_of(device, subject, o.requests, gap, false, random);
  level.latency[2] = latency_of(device, subject, o.requests, std::max(1, gap), true, random);
  const std::pair<const char*, const Stream*> phases[] = {{"isolated requests", &level.alone},
                                                          {"back-to-back requests", &level.dense},
                                                          {"requests beside table changes", &level.disturbed}};
  for (size_t p = 0; p < std::size(phases); ++p) {
    const auto& [phase, times] = phases[p];
    const auto check = [&level, phase = phase](bool good, const std::string& what) {
      if (!good) level.problems.push_back(fmt::format("{}: {}", phase, what));
    };
    const Spread& latency = level.latency[p];
    check(times->answers == times->requests,
          fmt::format("{} requests, but {} answers", times->requests, times->answers));
    check(latency.always(want.latency),
          fmt::format("latency {} cycles, {} {}", latency.text(), want.says, want.latency));
    for (size_t k = 0; k < subject.stages.size() && probed; ++k)
      check(times->stage[k].always(want.stages[k]), fmt::format("stage {} takes {} cycles, {} {}", subject.stages[k],
                                                                times->stage[k].text(), want.says, want.stages[k]));
    if (times != &level.alone)
      check(times->interval.always(want.interval),
            fmt::format("initiation interval {} cycles, {} {}", times->interval.text(), want.says, want.interval));
  }
  return level;
}

/// A cycle a stage, a request a cycle.
template <class In, class Out>
Expectation expectation_of(const Subject<In, Out>& subject, const std::string& path) {
  const size_t stages = subject.stages.size();
  return read_expectation(path, {.latency = static_cast<int>(stages), .stages = std::vector<int>(stages, 1)});
}

struct Measured {
  Json json;
  /// By level, what its column of the table shows: stages, latencies, interval.
  std::map<std::string, std::vector<std::string>> columns;
};

template <class In, class Out>
Measured measure_all(const Subject<In, Out>& subject, const VtftrPipelineOptions& o) {
  const Expectation want = expectation_of(subject, o.expect);
  Measured all;
  Json& out = all.json;
  Json stages;
  for (size_t k = 0; k < subject.stages.size(); ++k) stages[subject.stages[k]] = want.stages[k];
  out["specification"] = {{"latency_cycles", want.latency}, {"initiation_interval", want.interval}, {"stages", stages}};
  for (const std::string& wanted : o.levels) {
    if (wanted != "golden" && wanted != "systemc" && wanted != "rtl") refuse_level(wanted);
  }
  bool good = true;
  for (const auto& [name, make] : subject.levels) {
    const bool own = !o.device_lib.empty() && &name == &subject.levels.back().first;
    if (!own && !o.levels.empty() && std::find(o.levels.begin(), o.levels.end(), name) == o.levels.end()) continue;
    const auto device = make();
    const Level level = measure_level(*device, subject, o, own, want);
    Json measured;
    for (size_t k = 0; k < subject.stages.size(); ++k) measured[subject.stages[k]] = level.dense.stage[k].cycles();
    std::vector<std::string>& column = all.columns[name];
    for (const Spread& stage : level.dense.stage) column.push_back(stage.text());
    for (const Spread& latency : level.latency) column.push_back(latency.text());
    column.push_back(level.dense.interval.text());
    out["levels"][name] = {{"latency_cycles", level.latency[0].cycles()},
                           {"latency_back_to_back", level.latency[1].cycles()},
                           {"latency_beside_writes", level.latency[2].cycles()},
                           {"initiation_interval", level.dense.interval.cycles()},
                           {"stages", measured},
                           {"requests", level.dense.requests},
                           {"probed", !own || subject.probed},
                           {"problems", level.problems},
                           {"verdict", level.problems.empty() ? "pass" : "fail"}};
    good = good && level.problems.empty();
  }
  out["verdict"] = good ? "pass" : "fail";
  return all;
}

Measured measure(const VtftrPipelineOptions& o) {
  if (o.block == "vtftr_leaf")
    return measure_all(
        with_own<cosim::VtftrLeafBlock>(leaf_subject(o.tree), o, cosim::vtftr_leaf_size(o.tree).parameters), o);
  return measure_all(
      with_own<cosim::VtftrRootBlock>(root_subject(o.tree), o, cosim::vtftr_root_size(o.tree).parameters), o);
}

}  // namespace

Json vtftr_pipeline(const VtftrPipelineOptions& o) { return measure(o).json; }

void run_vtftr_pipeline(const VtftrPipelineOptions& o, const std::string& json) {
  const JsonFile file(json);
  const InterruptGuard guard;
  const auto [result, columns] = measure(o);
  std::vector<std::string> header{"cycles", "specification"};
  for (const auto& [name, level] : result["levels"].items()) header.push_back(name);
  Table table(header);
  std::vector<std::pair<std::string, Json>> quantities;
  for (const auto& [stage, cycles] : result["specification"]["stages"].items())
    quantities.emplace_back("stage " + stage, cycles);
  for (const char* latency : {"isolated requests", "back to back", "beside table changes"})
    quantities.emplace_back(std::string("latency, ") + latency, result["specification"]["latency_cycles"]);
  quantities.emplace_back("initiation interval", result["specification"]["initiation_interval"]);
  for (size_t k = 0; k < quantities.size(); ++k) {
    std::vector<std::string> cells{quantities[k].first, quantities[k].second.dump()};
    for (const auto& [name, level] : result["levels"].items()) cells.push_back(columns.at(name)[k]);
    table.add(cells);
  }
  std::vector<std::string> verdicts{"verdict", ""};
  for (const auto& [name, level] : result["levels"].items())
    verdicts.emplace_back(level["verdict"] == "pass" ? "pass" : "FAIL");
  table.add(verdicts);
  Json out = result_head("pipeline");
  out.update({{"block", o.block}, {"tree", o.tree}, {"seed", o.seed}});
  out.update(result);
  file.write(out);
  fmt::print("{}, fat-tree size {}, seed {}\n\n{}", o.block, o.tree, o.seed, table.text());
  for (const auto& [name, level] : result["levels"].items())
    if (!level["probed"]) fmt::print("{}: no probe bits: measured at the pins only, stages are not judged\n", name);
  for (const auto& [name, level] : result["levels"].items())
    for (const Json& problem : level["problems"]) fmt::print("{}: {}\n", name, problem.get<std::string>());
  if (result["verdict"] != "pass") finish_with(kFailed);
}

}  // namespace odonata::cli
