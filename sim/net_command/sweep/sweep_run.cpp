// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <optional>
#include <thread>

#include "models/workload/program.h"
#include "sim/common/interrupt.h"
#include "sim/net_command/net_command.h"
#include "sim/net_command/sweep/sweep_groups.h"

namespace odonata::cli {

namespace {

/// Work of a run in arbitrary units: flits, and cycles of nodes that are idle.
double work_of(double cycles, double flits, const network::Config& c) {
  constexpr double kIdle = 0.05;
  return kIdle * cycles * static_cast<double>(c.topology->nodes()) + flits;
}

/// How long programs take nobody knows before: as long as the rank that sends and computes most does so.
double work_of_programs(const network::Config& c) {
  double flits = 0, longest = 0;
  for (const workload::Job& job : c.workload->jobs) {
    for (const workload::Rank& rank : job.ranks) {
      double sent = 0, ns = 0;
      for (const workload::Op& op : rank.ops) {
        if (op.kind == workload::OpKind::send) sent += static_cast<double>(op.amount) / c.programs.flit_bytes;
        if (op.kind == workload::OpKind::calc) ns += static_cast<double>(op.amount);
      }
      flits += sent * job.iterations;
      longest = std::max(longest, (sent / c.programs.nic_rate + ns * c.programs.clock) * job.iterations);
    }
  }
  return work_of(longest, flits, c);
}

double work_of(const network::Config& c) {
  if (c.workload) return work_of_programs(c);
  const auto cycles = static_cast<double>(c.warmup + c.sample);
  return work_of(cycles, cycles * c.load * static_cast<double>(c.topology->nodes()), c);
}

/// Values that differ from run to run stay out of the store.
Json without_speed(Json result) {
  for (const char* key : {"seconds", "cpu_seconds", "cycles_per_s", "flit_hops_per_s", "memory_bytes", "exchange"})
    result.erase(key);
  if (result.contains("ranks") && result["ranks"].is_number())
    result.erase("ranks");  // processes; those of programs are a result
  return result;
}

/// A run is wanted that was not made, or not to its end.
struct NotThere {};

/// The packets delivered between two looks at a simulation that are a period apart.
struct Period {
  uint64_t cycles;
  double above;
  uint64_t next = cycles, packets = 0, latency = 0;

  /// Whether a period has ended whose packets have a mean latency larger than `above`.
  bool is_slow(const network::Simulation& simulation) {
    if (simulation.now() < next) return false;
    const auto [packets_now, latency_now] = simulation.delivered();
    const bool slow = static_cast<double>(latency_now - latency) > above * static_cast<double>(packets_now - packets);
    next += cycles, packets = packets_now, latency = latency_now;
    return slow;
  }
};

/// The published saturation load of a combination.
std::optional<double> published(const SweepFile& sweep, const Settings& settings) {
  for (const PaperValue& value : sweep.paper) {
    if (value.quantity == kSaturation && matches(settings, value.where)) return value.value;
  }
  return std::nullopt;
}

/// Runs what the store does not have, for all workers, and tells how far all workers are.
class Runner {
 public:
  Runner(SweepStore& store, double total, bool only_known, network::Exchange* exchange = nullptr)
      : store_(store), total_(total), only_known_(only_known), exchange_(exchange), progress_("sweep", kUnits) {}

  const Json& run(const Settings& settings) {
    if (const Json* known = store_.find(settings)) return *known;
    return store_.add(settings, simulate(settings, 0).first);
  }
  /// The runs of a curve; of a search none.
  std::vector<const Json*> curve_all(const SweepFile& sweep, const SweepCurve& c) {
    const SweepPart& part = sweep.parts[c.part];
    return part.saturation ? std::vector<const Json*>{} : curve(c.runs, part.saturated_runs);
  }
  /// see(index in the curve, point) for every seed of a search as soon as it is found; of another curve nothing.
  template <class See>
  void search_all(const SweepFile& sweep, const SweepCurve& c, See see) {
    const auto& range = sweep.parts[c.part].saturation;
    if (!range) return;
    std::optional<double> start = published(sweep, c.runs[0]);
    for (size_t i = 0; i < c.runs.size(); ++i) {
      Settings without_load = c.runs[i];
      without_load.erase("load");
      std::string fault;
      const double load = search(*range, without_load, start, fault);
      if (load >= 0) start = load;  // the next seed's is near
      see(i, SaturationPoint{c.part, without_load, load, fault});
    }
  }

 private:
  /// The runs of a curve with the loads rising, until `enough` of them are saturated; 0: all.
  std::vector<const Json*> curve(const std::vector<Settings>& loads, int enough) {
    std::vector<const Json*> out;
    int saturated = 0;
    for (size_t i = 0; i < loads.size() && (enough == 0 || saturated < enough); ++i) {
      out.push_back(&run(loads[i]));
      saturated += (*out.back())["saturated"].get<bool>() ? 1 : 0;
    }
    return out;
  }
  /// The highest load of the search that is not saturated. With `start` first in growing steps away from it, so that a
  /// good guess takes two runs. What is wrong with one of its runs goes to `fault`.
  double search(const SaturationSearch& search, Settings settings, std::optional<double> start, std::string& fault) {
    int low = -1, high = search.loads();  // not saturated (or below the range), saturated (or above)
    for (int next = start ? search.index(*start) : low + (high - low) / 2, step = 1; high - low > 1; step *= 2) {
      settings["load"] = search.load(next);
      (is_saturated(search.latency, settings, fault) ? high : low) = next;
      const bool bounded = !start || (low >= 0 && high < search.loads());
      next = bounded   ? low + (high - low) / 2
             : low < 0 ? std::max(high - step, 0)
                       : std::min(low + step, search.loads() - 1);
    }
    return low < 0 ? -1 : std::stod(search.load(low));
  }

  static constexpr uint64_t kUnits = 1'000'000;
  /// Without `above` the run says it. With it the mean latency decides, and as in BookSim2 a run ends as soon as a
  /// period has a larger one.
  bool is_saturated(double above, const Settings& settings, std::string& fault) {
    const auto whole = [&fault](const Json& result) -> const Json& {  // nothing is offered at load 0
      if (fault.empty() && result["load"].get<double>() > 0) fault = fault_of(result);
      return result;
    };
    if (above == 0) return whole(run(settings))["saturated"].get<bool>();
    Settings stopped = settings;
    stopped["stopped-above"] = fmt::format("{:.6g}", above);
    if (store_.find(stopped) != nullptr) return true;
    const Json* result = store_.find(settings);
    if (result == nullptr) {
      const auto [made, ended] = simulate(settings, above);
      result = &store_.add(ended ? stopped : settings, made);
      if (ended) return true;
    }
    // A network in a deadlock is saturated, whatever the few packets before it took.
    const bool dead = !whole(*result).value("deadlock", "").empty();
    return dead || value_of(*result, "latency_with_unfinished") > above;
  }
  /// A run, and whether it was stopped because the packets delivered in one period (as long as the sample) have a mean
  /// latency of more than `above`.
  std::pair<Json, bool> simulate(const Settings& settings, double above) {
    if (only_known_ || any(exchange_, interrupted())) throw NotThere();
    network::Config config = make_config(settings, "sweep");
    config.exchange = exchange_;
    const auto simulation = network::make_simulation(config);
    bool stopped = false;
    const double work = work_of(config), all = static_cast<double>(config.warmup + config.sample);
    double told = 0;
    Period period{config.sample, above};
    const network::Result result = network::simulate(*simulation, [&](uint64_t now) {
      const double done = work * std::min(1.0, static_cast<double>(now) / all);
      tell(done - told);
      told = done;
      stopped = any(exchange_, interrupted());
      return !stopped && (above == 0 || !period.is_slow(*simulation));
    });
    if (result.interrupted && stopped) throw NotThere();
    tell(work - told);
    return {without_speed(to_json(config, result)), result.interrupted};
  }
  void tell(double work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ += work;
    progress_.at(static_cast<uint64_t>(std::min(1.0, total_ <= 0 ? 1.0 : done_ / total_) * kUnits));
  }

  SweepStore& store_;
  double total_, done_ = 0;
  bool only_known_;
  network::Exchange* exchange_;
  std::mutex mutex_;
  Progress progress_;
};

/// Longest number of runs of a bisection.
size_t search_runs(const SaturationSearch& search) {
  return static_cast<size_t>(std::bit_width(static_cast<unsigned>(search.loads())));
}

/// The longest number of runs that a run of a part stands for: those of a search, in growing steps there and back.
size_t longest_of(const SweepFile& sweep, size_t part, const Settings& settings) {
  const auto& search = sweep.parts[part].saturation;
  return search ? search_runs(*search) * (published(sweep, settings) ? 2 : 1) : 1;
}

/// Every run that may be necessary: see(part, settings, how often).
template <class See>
void for_each_run(const SweepFile& sweep, See see) {
  for (size_t p = 0; p < sweep.parts.size(); ++p) {
    const SweepPart& part = sweep.parts[p];
    for (Settings s : part.combinations()) {
      if (part.saturation) s["load"] = part.saturation->load(part.saturation->loads() / 2);
      see(p, s, longest_of(sweep, p, s));
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

std::string fault_of(const Json& run) {
  if (!run.value("conservation_ok", true)) return "failed a conservation check";
  if (!run.value("deadlock", "").empty()) return "ended in a deadlock";
  if (run.value("unfinished_ranks", 0) != 0) return "left programs unfinished";
  // Beyond saturation the packets of the sample may all still wait: what is accepted is measured all the same.
  const bool latency = !run.contains("latency") || run["latency"].value("packets", 1) != 0;
  if (!run.contains("jobs") && !latency && run.value("accepted", 0.0) == 0) return "measured nothing";
  if (!run.contains("faults")) return "";
  if (run["faults"].value("late", 0) != 0) return "ended before a fault or a repair";
  return run["faults"].value("quiet", false) && !run["faults"].value("tables_ok", true) ? "left wrong tables" : "";
}

std::vector<SweepCurve> curves_of(const SweepFile& sweep) {
  std::vector<SweepCurve> out;
  std::map<std::pair<size_t, Settings>, size_t> known;
  for_each_run(sweep, [&](size_t part, const Settings& settings, size_t) {
    Settings without_load = settings;
    if (sweep.parts[part].saturated_runs != 0) without_load.erase("load");
    if (sweep.parts[part].saturation) without_load.erase("seed");
    const auto [at, fresh] = known.try_emplace({part, without_load}, out.size());
    if (fresh) out.push_back({part, {}});
    out[at->second].runs.push_back(settings);
  });
  for (auto& [part, loads] : out) {
    std::stable_sort(loads.begin(), loads.end(), [](const Settings& a, const Settings& b) {
      return a.count("load") != 0 && b.count("load") != 0 && std::stod(a.at("load")) < std::stod(b.at("load"));
    });
  }
  return out;
}

std::vector<CurveLeft> curves_left(const SweepFile& sweep, SweepStore& store) {
  Runner runner(store, 0, true);
  const std::vector<SweepCurve> all = curves_of(sweep);
  std::vector<CurveLeft> out;
  for (size_t i = 0; i < all.size(); ++i) {
    try {
      runner.search_all(sweep, all[i], [](size_t, const SaturationPoint&) {});
      runner.curve_all(sweep, all[i]);
    } catch (const NotThere&) {
      CurveLeft left{i, 0};
      for (const Settings& s : all[i].runs) {
        if (store.find(s) == nullptr)
          left.work += work_of(make_config(s, "sweep")) * static_cast<double>(longest_of(sweep, all[i].part, s));
      }
      out.push_back(left);
    }
  }
  return out;
}

SweepResults run_sweep(const SweepFile& sweep, SweepStore& store, int jobs, bool only_known,
                       const std::vector<size_t>& curves, network::Exchange* exchange) {
  SweepResults out;
  const std::vector<SweepCurve> all = curves_of(sweep);
  Runner runner(store, work_left(sweep, store).first, only_known, exchange);
  std::vector<std::function<void()>> tasks;
  std::mutex mutex;
  std::map<std::pair<size_t, std::string>, SweepPoint> points;
  std::map<std::pair<size_t, std::string>, SaturationPoint> saturation;
  const auto add = [&](const SweepCurve& curve) {
    tasks.emplace_back([&, curve] {
      runner.search_all(sweep, curve, [&](size_t i, const SaturationPoint& point) {
        const std::lock_guard<std::mutex> lock(mutex);
        saturation[{curve.part, to_text(curve.runs[i])}] = point;
      });
      const std::vector<const Json*> found = runner.curve_all(sweep, curve);
      const std::lock_guard<std::mutex> lock(mutex);
      for (size_t i = 0; i < found.size(); ++i)
        points[{curve.part, to_text(curve.runs[i])}] = {curve.part, curve.runs[i], found[i]};
    });
  };
  if (curves.empty()) {
    for (const SweepCurve& curve : all) add(curve);
  } else {
    for (const size_t i : curves) add(all.at(i));
  }

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
  SweepEstimate out{runs, work, 0};
  if (runs == 0) return out;
  network::Config config = make_config(sweep.parts.front().combinations().front(), "sweep");
  config.workload = nullptr;  // traffic says what a flit costs
  config.load = 0.4;
  config.warmup = 600;
  config.sample = 200;
  config.drain = 0;
  const network::Result trial = network::simulate(config);
  out.seconds = work / work_of(config) * trial.cpu_seconds;
  return out;
}

}  // namespace odonata::cli
