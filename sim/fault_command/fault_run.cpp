// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_command/fault_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/common/split.h"
#include "models/fault/closed_form.h"
#include "sim/common/interrupt.h"

namespace odonata::cli {

using namespace fault;  // the whole file is about it

namespace {

/// Looks at Ctrl-C with every service.
class InterruptWatch final : public Observer {
 public:
  void link(int, int, bool, int64_t) override {}
  void router(int, bool, int64_t) override {}
  void written(int, int, int, int64_t) override {}
  void heard(int, int, int, bool, int64_t) override {}
  void opened(int, int, int64_t) override {}
  void sent(int, int, const Message&, int64_t) override {}
  void arrived(int, int, const Message&, int64_t) override {}
  void served(int, ServiceKind, int, const Message&, int64_t) override { stop_if_interrupted(); }
};

// up to here every service is kept, all paths are counted and all destinations checked
constexpr int kFewRouters = 1000;
constexpr int64_t kRepairPause = 1000;  // cycles from quiet to the repairs that name no cycle

std::vector<Fault> plain(const std::vector<TimedFault>& list) {
  std::vector<Fault> out;
  for (const TimedFault& f : list) out.push_back(f.fault);
  return out;
}

}  // namespace

FaultRun::FaultRun(const FaultOptions& options)
    : options_(options), d_(options.dragonfly.make()), random_(options.seed), network_(d_, parameters()) {
  fails_ = parse(options.fail, "--fail", static_cast<int64_t>(options.at), {});
  repairs_ = parse(options.repair, "--repair", -1, plain(fails_));
  std::vector<ScheduledFault> events;
  for (const TimedFault& f : fails_) events.push_back({f.cycle, f.fault, false});
  for (const TimedFault& f : repairs_) events.push_back({f.cycle < 0 ? INT64_MAX : f.cycle, f.fault, true});
  check_order(d_, std::move(events));
}

Parameters FaultRun::parameters() const {
  Parameters p;
  p.mode = parse_mode(options_.mode);
  p.recovery = parse_recovery(options_.recovery);
  const std::string& hardware = options_.router.hardware;
  const bool golden = options_.device == "golden";
  Timing& t = p.timing;
  t = make_timing(options_.router, d_, golden ? "full" : "native");
  if (!golden && (t.stations != d_.num_ports() || t.entries != num_rows(d_)))
    throw Error("--hardware " + hardware + ": --device " + options_.device +
                " is built for the dragonfly, expected native");
  t.ideal = options_.ideal;
  t.ideal_local = static_cast<int64_t>(options_.ideal_local);
  t.ideal_message = static_cast<int64_t>(options_.ideal_message);
  t.ideal_recovery = static_cast<int64_t>(options_.ideal_recovery);
  t.local_latency = static_cast<int>(options_.local_latency);
  t.global_latency = static_cast<int>(options_.global_latency);
  t.load = options_.load;
  t.seed = options_.seed;
  p.link = {options_.link_level || options_.corrupt > 0, options_.corrupt, options_.seed};
  p.record = !options_.html.empty() || !options_.trace.empty() || !golden || d_.num_routers() <= kFewRouters;
  return p;
}

/// "name", "name@cycle", several with ';' between; "all" stands for everything that was failed.
std::vector<TimedFault> FaultRun::parse(const std::vector<std::string>& names, const char* option,
                                        int64_t default_cycle, const std::vector<Fault>& all) {
  std::vector<TimedFault> list;
  for (const std::string& texts : names) {
    for (const std::string_view part : split(texts, ';')) {
      const std::string text(part);
      const size_t at = text.find('@');
      const std::string name = text.substr(0, at);
      const int64_t cycle = at == std::string::npos
                                ? default_cycle
                                : static_cast<int64_t>(parse_number(std::string(option) + " " + text,
                                                                    text.substr(at + 1), 0, 1ull << 40));
      if (option == std::string_view("--repair") && name.starts_with("random-")) {
        throw Error("--repair " + text + ": what failed is repaired, expected all or names given to --fail");
      }
      const bool everything = name == "all" && !all.empty();
      for (const Fault& f : everything ? all : parse_faults(d_, name, random_, plain(list))) list.push_back({f, cycle});
    }
  }
  return list;
}

void FaultRun::finish(Result& result) {
  result.statistics = network_.statistics();
  result.invalid_options = network_.invalid_options();
  result.table_hash = network_.table_hash();
}

void FaultRun::run() {
  const InterruptGuard guard;
  InterruptWatch watch_for_interrupt;
  network_.set_observer(&watch_for_interrupt);
  diagnosis_.start = -1;
  for (TimedFault& f : fails_) {
    f.incident = apply(network_, f.fault, false, f.cycle);
    if (diagnosis_.start < 0 || f.cycle < diagnosis_.start) diagnosis_.start = f.cycle;
  }
  bool later = false;
  for (TimedFault& f : repairs_) {
    if (f.cycle >= 0) f.incident = apply(network_, f.fault, true, f.cycle);
    later |= f.cycle < 0;
  }
  const Stopwatch watch;
  network_.run();
  diagnosis_.seconds = watch.seconds();
  finish(diagnosis_);
  const Parameters& p = network_.parameters();
  if (p.record && !p.timing.ideal && !p.link.enabled) chain_ = critical_chain(network_);
  if (d_.num_routers() <= kFewRouters) paths_ = path_table();
  if (options_.verify) check();
  if (!later) return run_hardware();
  recovered_ = true;
  network_.clear_statistics();
  recovery_.start = network_.now() + kRepairPause;
  for (TimedFault& f : repairs_) {
    if (f.cycle < 0) f.incident = apply(network_, f.fault, true, recovery_.start);
  }
  const Stopwatch second;
  network_.run();
  recovery_.seconds = second.seconds();
  finish(recovery_);
  if (options_.verify) check();
  run_hardware();
}

/// The router that is RTL: the one named, else the one where the first fault is.
int FaultRun::device_router() const {
  if (options_.device != "rtl") return -1;
  if (options_.device_at.empty()) return d_.router_index(fails_.front().fault.router);
  Random random(1);
  const std::vector<Fault> named = parse_faults(d_, "router:" + options_.device_at, random);
  return d_.router_index(named.front().router);
}

void FaultRun::run_hardware() {
  if (options_.device == "golden") return;
  std::vector<ScheduledFault> faults;
  for (const TimedFault& f : fails_) faults.push_back({f.cycle, f.fault, false});
  for (const TimedFault& f : repairs_) faults.push_back({f.cycle >= 0 ? f.cycle : recovery_.start, f.fault, true});
  hardware_ = run_in_systemc(network_, faults, device_router());
  good_ &= hardware_.good();
}

void FaultRun::check() {
  const std::string difference = compare_with_closed_form(network_);
  if (closed_form_.empty()) closed_form_ = difference;
  // Every destination up to paper size; at full size a sample of eight routers.
  stride_ = d_.num_routers() <= kFewRouters ? 1 : d_.num_routers() / 8;
  Verifier verifier(d_, network_.parameters().mode);
  const VerifyReport report = verifier.check(network_, stride_);
  if (verify_.ok()) verify_ = report;
  good_ &= difference.empty() && report.ok();
}

/// Cycles that the slowest of the port units waits for `accesses` free RAM cycles: each takes a geometric time, the
/// slowest of n units is about sqrt(2 ln n) standard deviations above the mean; of a single access the largest of n
/// geometric times.
double FaultRun::waits_for_ram(int accesses) const {
  const double load = options_.load, units = d_.num_ports();
  if (load <= 0) return 0;
  const double mean = accesses * load / (1 - load), sigma = std::sqrt(accesses * load) / (1 - load);
  if (accesses > 2) return mean + std::sqrt(2 * std::log(units)) * sigma;
  return accesses * ((std::log(units) + 0.577) / -std::log(load) - 0.5);
}

double FaultRun::mean_message_service() const {
  const Timing& t = network_.parameters().timing;
  if (t.ideal) return static_cast<double>(t.ideal_message);
  return t.mean_poll() - 1 + static_cast<double>(t.service(d_.num_ports(), 2)) + waits_for_ram(1);
}

int64_t FaultRun::local_service() const {
  const Timing& t = network_.parameters().timing;
  if (t.ideal) return t.ideal_local;
  return t.service(d_.num_ports(), 2 * t.steps()) + static_cast<int64_t>(waits_for_ram(t.steps()));
}

/// DOAR §4.2 (as corrected): one global link t_ld + a t_gd, one local link or router t_ld + (a+h+2) t_gd; of several
/// faults the longest.
int64_t FaultRun::estimate() const {
  int services = 0;
  for (const TimedFault& f : fails_) {
    const bool node = !f.fault.is_router && f.fault.port < d_.p();
    const bool global = !f.fault.is_router && d_.port_class(f.fault.port) == PortClass::global;
    services = std::max(services, node ? 0 : global ? d_.a() : d_.a() + d_.h() + 2);
  }
  return local_service() + std::llround(services * mean_message_service());
}

std::vector<std::string> FaultRun::why_not_the_estimate() const {
  const Statistics& s = diagnosis_.statistics;
  const Timing& t = network_.parameters().timing;
  std::vector<std::string> why;
  if (phases().diagnosis_done - diagnosis_.start == estimate()) return why;
  if (phases().local_done < 0) return {"nothing travels: no port of a router that lives has seen a fault"};
  const bool told = s.fd_total + s.fr_total + s.fd_dropped != 0;
  if (!t.ideal && d_.num_ports() < t.stations) {
    why.push_back(fmt::format("the estimate's ring passes {} stations; the last port unit here is at station {}",
                              t.stations, d_.num_ports()));
  }
  if (told && t.local_latency + t.global_latency > 0) {
    why.push_back(
        fmt::format("the estimate has no wires; here a hop costs {} cycles inside a group and {} between groups",
                    t.local_latency, t.global_latency));
  }
  if (told && !t.ideal) {
    why.push_back(
        "the estimate lets messages leave when the travel ends; units send them during the travel, so neighbours start "
        "earlier");
    const std::string poll =
        s.polls > 0 ? fmt::format("{:.1f}", static_cast<double>(s.poll_cycles) / static_cast<double>(s.polls)) : "";
    const std::string idle = fmt::format("{:.1f}", t.mean_poll());
    if (s.polls > 0 && poll != idle) {
      why.push_back(fmt::format(
          "the poll found the next message after {} cycles on average (t1), not the {} of an idle scheduler", poll,
          idle));
    }
  }
  const int busiest =
      s.services_of_router.empty() ? 0 : *std::max_element(s.services_of_router.begin(), s.services_of_router.end());
  if (local_service() < estimate() && s.phases.last_fd <= s.phases.local_done) {
    why.push_back("the travel of the dead port ends last: every FD has been served before");
  } else if (local_service() < estimate()) {
    const bool router =
        std::any_of(fails_.begin(), fails_.end(), [](const TimedFault& f) { return f.fault.is_router; });
    why.push_back(fmt::format("the chain that ends last has {} services; {}", s.critical_path_services,
                              router ? "the mates of a dead router tell each other, row by row, what is lost with it"
                                     : "a router with few usable global ports passes news on that others keep"));
  }
  if (fails_.size() > 1)
    why.push_back(fmt::format("the estimate is for one fault; here the busiest router serves {} commands", busiest));
  if (t.load > 0)
    why.push_back(fmt::format(
        "route compute takes {:.0f} % of the table cycles; the estimate adds the mean wait of the slowest unit",
        100 * t.load));
  if (t.pipelined) why.push_back("the scheduler fetches the next command while the units work");
  return why;
}

/// Phases of both parts. Failures all happen in the first one; its recovery is that of repairs with a cycle of their
/// own.

}  // namespace odonata::cli
