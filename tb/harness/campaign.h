// SPDX-License-Identifier: Apache-2.0
// A co-simulation campaign as a user asks for it: run in lockstep, count, and on a mismatch shrink, record, draw and
// explain.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "models/common/shell_word.h"
#include "models/topology/dragonfly.h"
#include "tb/harness/files.h"
#include "tb/harness/excerpt.h"
#include "tb/harness/shrink.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {

/// Cycles of the reference in a row, in a campaign. The pins of a router are 8 KB a cycle; 16 to 128 are equally fast.
inline constexpr size_t kAhead = 32;

/// What to run. Blocks ignore what does not concern them.
struct CampaignRequest {
  Dragonfly dragonfly = Dragonfly::named("tiny");
  std::string dragonfly_given;        ///< the words that chose it, such as "--size tiny"; empty: nobody asked for it
  std::string traffic = "ur";         ///< traffic pattern, or "corner" for random corner cases
  double load = 0.8;                  ///< requests a cycle, 0..1
  uint64_t transactions = 1'000'000;  ///< compared transactions at which the run stops
  uint64_t seed = 1;
  bool one_reset = false;                         ///< leave out all resets but the first one
  std::string reference = "golden";               ///< golden | systemc
  std::string device = "rtl";                     ///< systemc | rtl | netlist
  std::string device_lib;                         ///< a shared library (odonata_device.h) in the place of `device`
  std::string latency, interval;                  ///< of that device: cycles, "auto" or empty (as the golden unit)
  std::string plant;                              ///< a planted bug by name
  std::string trace;                              ///< waveform file (FST) of the run, or of the shrunk mismatch
  std::string trace_in;                           ///< stimulus file to play instead of traffic
  std::string trace_out;                          ///< record the stimulus to this file
  std::string artifacts = "out";                  ///< folder for the shrunk stimulus of a mismatch
  std::map<std::string, std::string> parameters;  ///< what only one block knows, such as dims
  std::function<bool(uint64_t cycles, uint64_t transactions)> progress;  ///< false stops the run
};

/// What came out.
struct CampaignResult {
  std::string size;  ///< of the block that ran; empty: the dragonfly of the request
  uint64_t cycles = 0;
  uint64_t compared = 0;
  uint64_t mismatches = 0;
  uint64_t wanted = 0;  ///< that were to be compared; 0: as many as a recorded stimulus has
  bool interrupted = false;
  double seconds = 0;       ///< wall-clock time of the lockstep loop; never part of a decision
  nlohmann::json coverage;  ///< Coverage::to_json() of the block
  std::string coverage_text;
  std::vector<std::string> report;  ///< a mismatch in words
  nlohmann::json mismatch;          ///< the same for machines; null when there is none
  bool contradicted = false;        ///< a bin that was declared unreachable was hit
  bool drawn = false;               ///< the waveform of the whole run is there
  std::string unwritten;            ///< why files that were asked for are not there
  /// One more of them.
  void miss(const std::string& why) { unwritten += (unwritten.empty() ? "" : "; ") + why; }
  bool passed() const { return compared > 0 && compared >= wanted && mismatches == 0 && !contradicted && !interrupted; }
};

/// What a run needs: instances, names for the report, and a maker of a device that can write waveforms.
template <class Block>
struct CampaignParts {
  Bench<Block> bench;
  std::function<std::unique_ptr<DeviceOf<Block>>()> tracing_device;  ///< may be null
  std::function<void(const typename Block::Inputs&, const typename Block::Outputs&, const typename Block::Reference&)>
      cover;
  std::map<std::string, std::string> meta;  ///< goes into recorded stimuli
};

namespace detail {

/// Passes a stimulus on and keeps what it made.
template <class In, class Out>
class Recorder final : public Stimulus<In, Out> {
 public:
  Recorder(Stimulus<In, Out>& inner, bool keep) : inner_(inner), keep_(keep) {}
  bool next(const Out& last, In& in) override {
    if (!inner_.next(last, in)) return false;
    if (keep_) cycles_.push_back(in);
    return true;
  }
  const std::vector<In>& cycles() const { return cycles_; }
  /// Only the first `cycles`.
  void cut(uint64_t cycles) {
    if (cycles < cycles_.size()) cycles_.resize(static_cast<size_t>(cycles));
  }

 private:
  Stimulus<In, Out>& inner_;
  bool keep_;
  std::vector<In> cycles_;
};

std::vector<std::string> mismatch_words(const Mismatch& m);
/// Options of `odonata cosim` that choose reference, device and planted bug.
std::string device_words(const CampaignRequest& request);
nlohmann::json mismatch_json(const Mismatch& m);

/// Throws Error that names `target` when a waveform (FST) at `path` has no end, or not all of its parts.
void expect_whole_waveform(const std::string& path, const std::string& target);

/// Replays cycles on the tracing device and writes its waveform. False: `go_on`, asked now and then, ended it.
template <class Block>
bool draw_waveform(const CampaignParts<Block>& parts, const std::vector<typename Block::Inputs>& cycles,
                   const std::string& path, const std::function<bool()>& go_on) {
  // Inner signals and times are many times the pins.
  const uint64_t bytes = cycles.size() * 64 * (sizeof(typename Block::Inputs) + sizeof(typename Block::Outputs));
  const OutputFile file(path);
  const ScratchFile scratch(file, "wave.vcd");
  scratch.expect_room(bytes);
  auto device = parts.tracing_device();
  device->open_trace(scratch.path());
  typename Block::Outputs out{};
  for (size_t i = 0; i < cycles.size(); ++i) {
    if (i % 4096 == 4095) {
      if (!go_on()) return false;
      scratch.expect_room(bytes);
    }
    device->step(cycles[i], out);
  }
  scratch.expect_room(bytes);
  typename Block::Inputs idle{};
  for (int i = 0; i < 8; ++i) device->step(Block::idle(idle), out);
  device->close_trace();
  expect_whole_waveform(scratch.path(), path);
  scratch.finish();
  return true;
}

/// Shrinks, records and draws a mismatch; adds all that to the result.
template <class Block>
void explain_mismatch(const CampaignRequest& request, const CampaignParts<Block>& parts, const Mismatch& m,
                      CampaignResult& result) {
  result.mismatches = 1;
  result.report = mismatch_words(m);
  result.mismatch = mismatch_json(m);
  const Shrunk<Block> s = shrink(parts.bench, m);
  if (s.cycles.empty()) {
    result.report.push_back(
        "The mismatch could not be shown again from reset; run the same command with the same seed to see it.");
    return;
  }
  result.report.push_back("Shrunk to " + std::to_string(s.cycles.size() - s.preload) + " cycles after " +
                          std::to_string(s.preload) + " cycles of reset and configuration. The short run:");
  for (const std::string& line : mismatch_words(s.mismatch)) result.report.push_back("  " + line);
  result.mismatch["shrunk"] = {{"cycles", s.cycles.size() - s.preload},
                               {"preload", s.preload},
                               {"mismatch", mismatch_json(s.mismatch)},
                               {"waves", excerpt(parts.bench, s.cycles, s.mismatch)}};
  // A mismatch is told wherever its files cannot be.
  const std::string file = request.artifacts + "/mismatch_" + std::string(Block::kName);
  try {
    std::error_code ignored;
    std::filesystem::create_directories(request.artifacts, ignored);
    write_file(file + ".trace", write_trace<Block>(parts.meta, s.cycles));
    const std::string command = "odonata cosim --block " + std::string(Block::kName) + " --trace-in " +
                                quoted(file + ".trace") + device_words(request);
    result.report.push_back("Replay: " + command);
    result.mismatch["shrunk"].update({{"file", file + ".trace"}, {"replay", command}});
  } catch (const Error& e) {
    result.report.push_back(std::string("No stimulus to replay: ") + e.what());
  }
  if (!parts.tracing_device) return;
  bool asked = false;  // and there is a library with waveforms at this size
  try {
    parts.tracing_device();
    asked = !request.trace.empty();
    const std::string wave = asked ? request.trace : file + (request.device == "systemc" ? ".vcd" : ".fst");
    draw_waveform<Block>(parts, s.cycles, wave, [] { return true; });
    result.report.push_back("Waveform of the short run: " + wave);
    result.mismatch["shrunk"]["waveform"] = wave;
  } catch (const std::exception& e) {
    if (asked) result.miss(e.what());  // somebody has asked for this file
    result.report.push_back(std::string("No waveform: ") + e.what());
  }
}

}  // namespace detail

inline constexpr uint64_t kCyclesATransaction = 1000;  ///< that are waited for, and a million beside them

/// Runs a campaign: lockstep with coverage until enough transactions were compared or something differs.
template <class Block>
CampaignResult run_campaign(const CampaignRequest& request, const CampaignParts<Block>& parts) {
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;
  CampaignResult result;
  auto stimulus = parts.bench.stimulus();
  auto reference = parts.bench.reference();
  auto device = parts.bench.device();
  const bool keep = !request.trace_out.empty() || !request.trace.empty();
  detail::Recorder<In, Out> recorder(*stimulus, keep);
  RunOptions options;
  options.max_transactions = request.transactions;
  options.ahead = kAhead;
  // Too little traffic must end, and fail, instead of running for ever.
  options.max_cycles = 1'000'000 + kCyclesATransaction * request.transactions;
  options.progress = request.progress;
  const auto start = std::chrono::steady_clock::now();
  const auto observe = [&](const In& in, const Out& out) {
    if (parts.cover) parts.cover(in, out, *reference);
  };
  const RunResult run = keep ? run_lockstep<Block>(recorder, *reference, *device, options, observe)
                             : run_lockstep<Block>(*stimulus, *reference, *device, options, observe);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.cycles = run.cycles;
  result.compared = run.compared;
  result.interrupted = run.interrupted;
  if (request.trace_in.empty()) result.wanted = request.transactions;
  if (run.mismatch) recorder.cut(run.cycles + 1);
  // What was compared is told though a file of it cannot be written.
  if (!request.trace_out.empty()) {
    try {
      write_file(request.trace_out, write_trace<Block>(parts.meta, recorder.cycles()));
    } catch (const Error& e) {
      result.miss(e.what());
    }
  }
  if (run.mismatch) {
    Mismatch mismatch = *run.mismatch;
    if (mismatch.reasons.empty()) mismatch.reasons = reasons_at(parts.bench, mismatch.cycle);
    detail::explain_mismatch(request, parts, mismatch, result);
  } else if (!request.trace.empty() && parts.tracing_device) {
    const auto go_on = [&] { return !request.progress || request.progress(run.cycles, run.compared); };
    try {
      result.interrupted |= !detail::draw_waveform<Block>(parts, recorder.cycles(), request.trace, go_on);
      result.drawn = !result.interrupted;
    } catch (const Error& e) {
      result.miss(e.what());
    }
  }
  return result;
}

}  // namespace odonata::cosim
