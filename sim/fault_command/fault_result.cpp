// SPDX-License-Identifier: Apache-2.0
// What a run of the fault planes tells: text, JSON, the sections of its page.
#include <fmt/format.h>

#include <algorithm>

#include "models/fault/paths.h"
#include "sim/fault_command/fault_run.h"

namespace odonata::cli {

using namespace fault;  // the whole file is about it

Phases FaultRun::phases() const {
  Phases p = diagnosis_.statistics.phases;
  const Phases& q = recovery_.statistics.phases;
  p.recovery_done = std::max(p.recovery_done, q.recovery_done);
  p.recovery_write = std::max(p.recovery_write, q.recovery_write);
  return p;
}

int64_t FaultRun::first_repair() const {
  int64_t first = -1;
  for (const Incident& i : network_.incidents()) {
    if (i.repair && (first < 0 || i.cycle < first)) first = i.cycle;
  }
  return first;
}

namespace {

int64_t since(int64_t cycle, int64_t start) { return cycle < 0 ? -1 : cycle - start; }

}  // namespace

std::vector<FaultRecord> FaultRun::records() const {
  std::vector<FaultRecord> records;
  for (const TimedFault& f : fails_) {
    const Incident& fail = network_.incidents()[f.incident];
    const Incident* repair = nullptr;  // the first one of this fault after the failure
    for (const TimedFault& r : repairs_) {
      if (r.incident < 0 || !(r.fault == f.fault)) continue;
      const Incident& i = network_.incidents()[r.incident];
      if (i.cycle > fail.cycle && (repair == nullptr || i.cycle < repair->cycle)) repair = &i;
    }
    FaultRecord r;
    r.fail = f;
    r.detected = since(fail.detected, fail.cycle);
    r.local_done = since(fail.local_done, fail.cycle);
    r.last_fd = since(fail.last_fd, fail.cycle);
    r.diagnosis_done = since(fail.last_service, fail.cycle);
    r.last_write = since(fail.last_write, fail.cycle);
    r.exposure = options_.immediate_mask ? 0 : r.local_done;
    if (repair != nullptr) {
      r.repaired = repair->cycle;
      r.recovery_done = since(repair->last_service, repair->cycle);
      r.recovery_write = since(repair->last_write, repair->cycle);
      const int64_t whole_again = repair->cycle - fail.cycle;
      if (r.exposure < 0 || r.exposure > whole_again) r.exposure = whole_again;
    }
    records.push_back(r);
  }
  return records;
}

std::string FaultRun::cell(int64_t cycles) const {
  if (cycles < 0) return "-";
  return options_.clock_ghz > 0
             ? fmt::format("{} ({:.1f} ns)", cycles, static_cast<double>(cycles) / options_.clock_ghz)
             : std::to_string(cycles);
}

void FaultRun::print() const {
  fmt::print("{}, mode {}, recovery {}: {}, seed {}\nrouter: {}\n\n", d_.name(), options_.mode, options_.recovery,
             counted(fails_.size(), "fault"), options_.seed, to_string(network_.parameters().timing));
  const Statistics& s = diagnosis_.statistics;
  print_phases();
  print_records();
  fmt::print(
      "{} FDs, {} FRs, {} lost on dead links; {}, {} on the critical path; {} options invalid; fullest queue "
      "{}\n",
      s.fd_total, s.fr_total, s.fd_dropped, counted(s.services, "service"), s.critical_path_services,
      diagnosis_.invalid_options, s.max_queue);
  if (recovered_) {
    fmt::print("recovery: {} FRs, {} FDs; {}\n", recovery_.statistics.fr_total, recovery_.statistics.fd_total,
               network_.restored() ? "all tables as configured, bit for bit"
                                   : fmt::format("{} options are still invalid", recovery_.invalid_options));
  }
  print_link_level();
  print_hardware();
  print_chain();
  print_paths();
  if (!why_not_the_estimate().empty()) fmt::print("Why the estimate differs:\n");
  for (const std::string& line : why_not_the_estimate()) fmt::print("  {}\n", line);
  if (options_.verify) print_verify();
}

void FaultRun::print_phases() const {
  const Phases p = phases();
  Table table({"phase", "cycles"});
  table.add({"detected", cell(since(p.detected, diagnosis_.start))});
  table.add({"local travel done", cell(since(p.local_done, diagnosis_.start))});
  table.add({"last FD served", cell(since(p.last_fd, diagnosis_.start))});
  table.add({"diagnosis done", cell(since(p.diagnosis_done, diagnosis_.start))});
  table.add({"last table write", cell(since(p.last_write, diagnosis_.start))});
  table.add({"estimate (DOAR 4.2)", cell(estimate())});
  if (first_repair() >= 0) {
    const std::string after = fails_.size() > 1 ? ", after the first repair" : ", after the repair";
    table.add({"recovery done" + after, cell(since(p.recovery_done, first_repair()))});
    table.add({"last table write" + after, cell(since(p.recovery_write, first_repair()))});
  }
  fmt::print("{}\n", table.text());
}

/// A line a fault, when there are several.
void FaultRun::print_records() const {
  constexpr size_t kMost = 12;
  if (fails_.size() < 2) return;
  const std::vector<FaultRecord> all = records();
  Table table({"fault", "cycle", "detected", "local", "last FD", "last write", "exposure", "repaired", "recovered"});
  const auto number = [](int64_t n) { return n < 0 ? std::string("-") : std::to_string(n); };
  for (size_t i = 0; i < std::min(all.size(), kMost); ++i) {
    const FaultRecord& r = all[i];
    table.add({to_string(d_, r.fail.fault), number(r.fail.cycle), number(r.detected), number(r.local_done),
               number(r.last_fd), number(r.last_write), number(r.exposure), number(r.repaired),
               number(r.recovery_done)});
  }
  fmt::print("Cycles after each failure; recovered: after its repair\n{}", table.text());
  if (all.size() > kMost) fmt::print("and {} more faults; --json lists them\n", all.size() - kMost);
  fmt::print("\n");
}

/// Where the cycles to the last table write went.
void FaultRun::print_chain() const {
  if (chain_.steps.empty()) return;
  const Shares total = chain_.total();
  std::string words;
  for (int i = 0; i < kShares; ++i) {
    if (total[i] > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", kShareNames[i], total[i]);
  }
  const int64_t from = chain_.steps.front().from - diagnosis_.start;
  fmt::print("critical chain to the last table write{}: {}, {} cycles = {}\n",
             from == 0 ? "" : fmt::format(", from cycle {} on", from), counted(chain_.steps.size(), "service"),
             chain_.cycles(), words);
}

void FaultRun::print_link_level() const {
  if (!network_.parameters().link.enabled) return;
  const Statistics& s = diagnosis_.statistics;
  const Statistics& l = recovered_ ? recovery_.statistics : s;
  fmt::print(
      "link level: {} frames, {} damaged on the wire; {} dropped and asked for again, of these {} malformed; longest "
      "queue of a link end {}\n",
      s.frames + (recovered_ ? l.frames : 0), s.frames_corrupted + (recovered_ ? l.frames_corrupted : 0),
      s.frames_dropped + (recovered_ ? l.frames_dropped : 0),
      s.frames_malformed + (recovered_ ? l.frames_malformed : 0), std::max(s.max_unacknowledged, l.max_unacknowledged));
}

void FaultRun::print_verify() const {
  fmt::print("closed form: {}\n", closed_form_.empty() ? "equal" : closed_form_);
  fmt::print("{} pairs of routers: {} lost on the way, {} refused though reachable, {} unreachable\n", verify_.pairs,
             verify_.lossy_pairs, verify_.refused_pairs, verify_.unreachable_pairs);
  fmt::print("{} dead ends, {} stale options, {} loops; at most {} hops, VC {}; dependency graph {}{}\n",
             verify_.dead_ends, verify_.stale_options, verify_.loops, verify_.max_hops, verify_.max_vc,
             verify_.cyclic ? "cyclic" : "acyclic",
             verify_.condition ? "" : "; some routers are not within two local hops");
  for (const std::string& line : verify_.words) fmt::print("  {}\n", line);
}

void FaultRun::print_hardware() const {
  if (options_.device == "golden") return;
  fmt::print(
      "SystemC network: {} services and {} messages in {} cycles, {}\n", hardware_.services, hardware_.messages,
      hardware_.cycles,
      hardware_.difference.empty() ? "the same in the same cycles as the model" : "DIFFERENT. " + hardware_.difference);
  if (!hardware_.rtl) return;
  const RouterId r = d_.router(device_router());
  fmt::print("RTL in router G{}.s{}: {} cycles compared with its golden model, {} different\n", r.gid, r.bid,
             hardware_.rtl_cycles, hardware_.rtl_different);
}

/// Fig. 9(g), (h): how many paths the tables leave, where that has changed.
void FaultRun::print_paths() const {
  constexpr size_t kMost = 12;
  if (!paths_.is_array() || paths_.empty()) return;
  Table table({"paths from", "to", "before: minimal", "nonminimal", "after: minimal", "nonminimal "});
  for (size_t i = 0; i < std::min(paths_.size(), kMost); ++i) {
    const Json& p = paths_[i];
    table.add({p["from"], p["to"], std::to_string(p["before"][0].get<int>()), std::to_string(p["before"][1].get<int>()),
               std::to_string(p["after"][0].get<int>()), std::to_string(p["after"][1].get<int>())});
  }
  fmt::print("\n{}", table.text());
  if (paths_.size() > kMost)
    fmt::print("and {} more pairs have changed; --json and --html list them\n", paths_.size() - kMost);
  fmt::print("\n");
}

Json FaultRun::messages_json(const Result& r) const {
  Json list = Json::array();
  for (int router = 0; router < d_.num_routers(); ++router) {
    Json fd = Json::object(), fr = Json::object();
    for (int port = 0; port < d_.num_ports(); ++port) {
      const size_t i = static_cast<size_t>(router) * d_.num_ports() + port;
      if (r.statistics.fd_sent[i] > 0) fd[std::to_string(port)] = r.statistics.fd_sent[i];
      if (r.statistics.fr_sent[i] > 0) fr[std::to_string(port)] = r.statistics.fr_sent[i];
    }
    if (r.statistics.services_of_router[router] == 0 && fd.empty() && fr.empty()) continue;
    const RouterId id = d_.router(router);
    list.push_back({{"router", fmt::format("G{}.s{}", id.gid, id.bid)},
                    {"services", r.statistics.services_of_router[router]},
                    {"fd", fd},
                    {"fr", fr}});
  }
  return list;
}

Json FaultRun::part_json(const Result& r) const {
  const Statistics& s = r.statistics;
  Json out;
  out["start"] = r.start;
  out["fd_total"] = s.fd_total;
  out["fr_total"] = s.fr_total;
  out["messages_lost"] = s.fd_dropped;
  out["services"] = s.services;
  out["critical_path_services"] = s.critical_path_services;
  out["rounds"] = s.rounds;
  out["max_queue"] = s.max_queue;
  out["t1_mean_cycles"] =
      s.polls > 0 ? Json(static_cast<double>(s.poll_cycles) / static_cast<double>(s.polls)) : Json();
  out["seconds"] = r.seconds;
  if (network_.parameters().link.enabled) {
    out["link_level"] = {{"frames", s.frames},
                         {"damaged", s.frames_corrupted},
                         {"dropped", s.frames_dropped},
                         {"malformed", s.frames_malformed},
                         {"max_unacknowledged", s.max_unacknowledged}};
  }
  out["messages"] = messages_json(r);
  return out;
}

namespace {

Json or_null(int64_t cycles) { return cycles < 0 ? Json(nullptr) : Json(cycles); }

}  // namespace

Json FaultRun::phases_json() const {
  const Phases p = phases();
  const auto after = [](int64_t cycle, int64_t start) { return or_null(since(cycle, start)); };
  return {{"detected", after(p.detected, diagnosis_.start)},
          {"local_done", after(p.local_done, diagnosis_.start)},
          {"last_fd", after(p.last_fd, diagnosis_.start)},
          {"diagnosis_done", after(p.diagnosis_done, diagnosis_.start)},
          {"last_write", after(p.last_write, diagnosis_.start)},
          {"recovery_done", after(p.recovery_done, first_repair())},
          {"recovery_write", after(p.recovery_write, first_repair())}};
}

Json FaultRun::records_json() const {
  Json list = Json::array();
  for (const FaultRecord& r : records()) {
    list.push_back({{"name", to_string(d_, r.fail.fault)},
                    {"cycle", r.fail.cycle},
                    {"detected", or_null(r.detected)},
                    {"local_done", or_null(r.local_done)},
                    {"last_fd", or_null(r.last_fd)},
                    {"diagnosis_done", or_null(r.diagnosis_done)},
                    {"last_write", or_null(r.last_write)},
                    {"exposure", or_null(r.exposure)},
                    {"repaired", or_null(r.repaired)},
                    {"recovery_done", or_null(r.recovery_done)},
                    {"recovery_write", or_null(r.recovery_write)}});
  }
  return list;
}

Json FaultRun::json() const {
  Json out = result_head("fault", d_);
  out["mode"] = options_.mode;
  out["recovery"] = options_.recovery;
  out["seed"] = options_.seed;
  out["router"] = to_json(network_.parameters().timing);
  out["faults"] = records_json();
  out["phases"] = phases_json();
  out["critical_path_services"] = diagnosis_.statistics.critical_path_services;
  out["fd_total"] = diagnosis_.statistics.fd_total + recovery_.statistics.fd_total;
  out["fr_total"] = diagnosis_.statistics.fr_total + recovery_.statistics.fr_total;
  out["invalid_options"] = diagnosis_.invalid_options;
  out["estimate_cycles"] = estimate();
  out["estimate_differs_because"] = why_not_the_estimate();
  out["restored_exactly"] = network_.restored();
  out["table_hash"] = fmt::format("{:016x}", diagnosis_.table_hash);
  out["service_cycles"] = {{"t_ld", local_service()}, {"t_gd_mean_idle", mean_message_service()}};
  int64_t exposed = 0;
  for (const FaultRecord& r : records()) exposed = std::max(exposed, r.exposure);
  out["dead_port_exposure_cycles"] = exposed;
  if (!chain_.steps.empty()) {
    const Shares total = chain_.total();
    for (int i = 0; i < kShares; ++i) out["chain"][kShareNames[i]] = total[i];
    out["chain_from"] = chain_.steps.front().from - diagnosis_.start;
  }
  if (paths_.is_array()) out["paths"] = paths_;
  if (options_.device != "golden") {
    out["hardware"] = {{"device", options_.device},
                       {"services", hardware_.services},
                       {"messages", hardware_.messages},
                       {"cycles", hardware_.cycles},
                       {"difference", hardware_.difference},
                       {"rtl_cycles", hardware_.rtl_cycles},
                       {"rtl_different", hardware_.rtl_different}};
  }
  out["diagnosis"] = part_json(diagnosis_);
  if (recovered_) out["recovered"] = part_json(recovery_);
  if (options_.clock_ghz > 0) {
    out["clock_ghz"] = options_.clock_ghz;
    Json ns = Json::object();
    for (const auto& [name, value] : out["phases"].items()) {
      ns[name] = value.is_null() ? Json(nullptr) : Json(value.get<double>() / options_.clock_ghz);
    }
    out["phases_ns"] = ns;
  }
  if (options_.verify) {
    out["verify"] = {{"ok", good_},
                     {"closed_form", closed_form_.empty() ? "equal" : closed_form_},
                     {"destination_stride", stride_},
                     {"pairs", verify_.pairs},
                     {"lost_on_the_way", verify_.lossy_pairs},
                     {"refused_though_reachable", verify_.refused_pairs},
                     {"unreachable", verify_.unreachable_pairs},
                     {"lost_pairs", verify_.lost_pairs},
                     {"broken_promises", verify_.broken_promises},
                     {"dead_ends", verify_.dead_ends},
                     {"stale_options", verify_.stale_options},
                     {"loops", verify_.loops},
                     {"long_paths", verify_.long_paths},
                     {"max_hops", verify_.max_hops},
                     {"max_vc", verify_.max_vc},
                     {"condition", verify_.condition},
                     {"acyclic", !verify_.cyclic},
                     {"words", verify_.words}};
  }
  add_report(out);
  return out;
}

/// The first fault, and how many there are beside it.
std::string FaultRun::named_faults() const {
  const std::string first = to_string(d_, fails_.front().fault);
  return fails_.size() == 1 ? first : fmt::format("{} and {} more", first, fails_.size() - 1);
}

/// What `odonata report` shows: the phases as a table, why the estimate differs.
void FaultRun::add_report(Json& out) const {
  Json rows = Json::array();
  for (const auto& [name, value] : out["phases"].items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    rows.push_back({words, value.is_null() ? std::string("-") : std::to_string(value.get<int64_t>())});
  }
  rows.push_back({"estimate (DOAR 4.2)", std::to_string(estimate())});
  out["verdict"] = good_ ? "pass" : "fail";
  const int64_t done = phases().diagnosis_done;
  out["headline"] = fmt::format(
      "{}: {}, {} FDs", named_faults(),
      done < 0 ? "nothing to diagnose" : fmt::format("diagnosis done after {} cycles", done - diagnosis_.start),
      diagnosis_.statistics.fd_total);
  out["facts"] = {{"router", to_string(network_.parameters().timing)},
                  {"services", diagnosis_.statistics.services},
                  {"on the critical path", diagnosis_.statistics.critical_path_services},
                  {"invalid options", diagnosis_.invalid_options},
                  {"tables as configured after the repair",
                   recovered_ ? Json(network_.restored() ? "yes" : "no") : Json("no repair")}};
  out["report"] = Json::array(
      {{{"type", "table"},
        {"title", "Phases in cycles: " + named_faults() + ", " + d_.name()},
        {"text", "Router: " + to_string(network_.parameters().timing) + ". Recovery: cycles after the first repair."},
        {"header", {"phase", "cycles"}},
        {"rows", rows}},
       {{"type", "list"},
        {"title", "Why the estimate differs: " + named_faults()},
        {"items", why_not_the_estimate()}}});
  if (!network_.services().empty()) {
    out["report"].push_back(spread());
    out["report"].push_back(map());
  }
  if (paths_.is_array() && !paths_.empty()) out["report"].push_back(paths_section());
}

/// Path counts from the routers of the first fault's group, before and after (Fig. 9(g), (h)).
Json FaultRun::path_table() const {
  Json rows = Json::array();
  if (fails_.empty()) return rows;
  const RouterId at = fails_.front().fault.router;
  const FaultPlaneNetwork before(d_, parameters());
  const auto add = [&](RouterId from, RouterId to, const std::string& name) {
    if (!network_.alive(d_.router_index(from))) return;
    const PathCount b = count_paths(before, from, to), a = count_paths(network_, from, to);
    if (b == a) return;
    rows.push_back({{"from", fmt::format("G{}.s{}", from.gid, from.bid)},
                    {"to", name},
                    {"before", {b.minimal, b.nonminimal}},
                    {"after", {a.minimal, a.nonminimal}}});
  };
  for (int s = 0; s < d_.a(); ++s) {
    for (int t = 0; t < d_.a(); ++t) {
      if (s != t) add({at.gid, s}, {at.gid, t}, fmt::format("G{}.s{}", at.gid, t));
    }
    for (int g = 0; g < d_.g(); ++g) {
      if (g != at.gid) add({at.gid, s}, {g, 0}, fmt::format("G{}", g));
    }
  }
  for (int g = 0; g < d_.g(); ++g) {
    for (int s = 0; s < d_.a() && g != at.gid; ++s) add({g, s}, {at.gid, 0}, fmt::format("G{}", at.gid));
  }
  return rows;
}

}  // namespace odonata::cli
