// SPDX-License-Identifier: Apache-2.0
#include "sim/network/sweep/sweep_run.h"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <exception>
#include <thread>

#include "sim/network/net_command.h"

namespace odonata::cli {

namespace {

/// Work of a run in arbitrary units: cycles, more of them with more traffic.
double work_of(const network::Config& c) { return static_cast<double>(c.warmup + c.sample) * (0.05 + c.load); }

/// Values that differ from run to run stay out of the store.
Json without_speed(Json result) {
  for (const char* key : {"seconds", "cpu_seconds", "cycles_per_s", "flit_hops_per_s", "memory_bytes"}) result.erase(key);
  return result;
}

/// A run is wanted that was not made.
struct NotThere {};

/// Runs what the store does not have, for all workers, and tells how far all workers are.
class Runner {
 public:
  Runner(SweepStore& store, double total, bool only_known) : store_(store), total_(total), only_known_(only_known), progress_("sweep", kUnits) {}

  const Json& run(const Settings& settings) {
    if (const Json* known = store_.find(settings)) return *known;
    if (only_known_) throw NotThere();
    const network::Config config = make_config(settings, "sweep");
    const auto simulation = network::make_simulation(config);
    const double work = work_of(config), all = static_cast<double>(config.warmup + config.sample);
    double told = 0;
    const network::Result result = network::simulate(*simulation, [&](uint64_t now) {
      const double done = work * std::min(1.0, static_cast<double>(now) / all);
      tell(done - told);
      told = done;
      return true;
    });
    tell(work - told);
    return store_.add(settings, without_speed(to_json(config, result)));
  }
  /// The highest load of the search that is not saturated.
  double search(const SaturationSearch& search, Settings settings) {
    int low = -1, high = search.loads();
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      settings["load"] = search.load(middle);
      (run(settings)["saturated"].get<bool>() ? high : low) = middle;
    }
    return low < 0 ? -1 : search.low + search.step * low;
  }

 private:
  static constexpr uint64_t kUnits = 1'000'000;
  void tell(double work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += work;
    progress_.at(static_cast<uint64_t>(std::min(1.0, total_ <= 0 ? 1.0 : done_ / total_) * kUnits));
  }

  SweepStore& store_;
  double total_, done_ = 0;
  bool only_known_;
  std::mutex mutex_;
  Progress progress_;
};

/// Longest number of runs of a bisection.
size_t search_runs(const SaturationSearch& search) { return static_cast<size_t>(std::bit_width(static_cast<unsigned>(search.loads()))); }

/// Every run that may be necessary: see(part, settings, how often).
template <class See>
void for_each_run(const SweepFile& sweep, See see) {
  for (size_t p = 0; p < sweep.parts.size(); ++p) {
    const SweepPart& part = sweep.parts[p];
    for (Settings s : part.combinations()) {
      if (part.saturation) s["load"] = part.saturation->load(part.saturation->loads() / 2);
      see(p, s, part.saturation ? search_runs(*part.saturation) : 1);
    }
  }
}

/// The work that is left, and in how many runs.
std::pair<double, size_t> work_left(const SweepFile& sweep, const SweepStore& store) {
  double work = 0;
  size_t runs = 0;
  for_each_run(sweep, [&](size_t, const Settings& s, size_t times) {
    if (store.find(s) != nullptr) return;
    work += work_of(make_config(s, "sweep")) * static_cast<double>(times);
    runs += times;
  });
  return {work, runs};
}

}  // namespace

SweepResults run_sweep(const SweepFile& sweep, SweepStore& store, int jobs, bool only_known) {
  SweepResults out;
  Runner runner(store, work_left(sweep, store).first, only_known);
  std::vector<std::function<void()>> tasks;
  std::mutex mutex;
  std::map<std::pair<size_t, std::string>, SweepPoint> points;
  std::map<std::pair<size_t, std::string>, SaturationPoint> saturation;
  for_each_run(sweep, [&](size_t part, const Settings& settings, size_t) {
    tasks.emplace_back([&, part, settings] {
      const auto& search = sweep.parts[part].saturation;
      Settings without_load = settings;
      without_load.erase("load");
      const double load = search ? runner.search(*search, without_load) : 0;
      const Json* result = search ? nullptr : &runner.run(settings);
      const std::lock_guard<std::mutex> lock(mutex);
      if (search) {
        saturation[{part, to_text(settings)}] = {part, without_load, load};
      } else {
        points[{part, to_text(settings)}] = {part, settings, result};
      }
    });
  });

  std::atomic<size_t> next{0};
  std::exception_ptr error;
  const auto work = [&] {
    for (size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
      } catch (const NotThere&) {
        continue;
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!error) error = std::current_exception();
        next = tasks.size();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < jobs; ++j) threads.emplace_back(work);
  work();
  for (std::thread& t : threads) t.join();
  if (error) std::rethrow_exception(error);
  for_each_run(sweep, [&](size_t part, const Settings& settings, size_t) {  // in the order of the file
    const std::pair<size_t, std::string> key{part, to_text(settings)};
    if (points.count(key) != 0) out.points.push_back(points[key]);
    if (saturation.count(key) != 0) out.saturation.push_back(saturation[key]);
  });
  return out;
}

SweepEstimate estimate_sweep(const SweepFile& sweep, const SweepStore& store) {
  const auto [work, runs] = work_left(sweep, store);
  SweepEstimate out{runs, 0};
  if (runs == 0) return out;
  network::Config config = make_config(sweep.parts.front().combinations().front(), "sweep");
  config.load = 0.4;
  config.warmup = 600;
  config.sample = 200;
  config.drain = 0;
  const network::Result trial = network::simulate(config);
  out.seconds = work / work_of(config) * trial.cpu_seconds;
  return out;
}

}  // namespace odonata::cli
