// SPDX-License-Identifier: Apache-2.0
// The pictures of a diagnosis: a self-contained page and a trace for Perfetto.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "sim/fault_command/fault_run.h"
#include "sim/fault_command/timeline.h"

namespace odonata::cli {

using namespace fault;

namespace {

constexpr size_t kMostSpread = 8000;  // of each in the picture that a report brings along: the beginning of a longer run
constexpr size_t kMostShown = 20000;  // services and messages that a page can show: the beginning and the end of a longer run

/// Calls show(i) for the items of a list of `size` that a page shows.
template <class Show>
void show_ends(size_t size, const Show& show) {
  for (size_t i = 0; i < size; ++i) {
    if (size <= kMostShown || i < kMostShown / 2 || i >= size - kMostShown / 2) show(i);
  }
}

std::string router_label(const Dragonfly& d, int router) { return fmt::format("G{}.s{}", d.router(router).gid, d.router(router).bid); }

std::string service_label(const Dragonfly& d, const Service& s) {
  switch (s.kind) {
    case ServiceKind::link_down:
      return fmt::format("link down, port {}", s.port);
    case ServiceKind::link_up:
      return fmt::format("link up, port {}", s.port);
    default:
      break;
  }
  const Dragonfly::Peer peer = d.peer(d.router(s.router), s.port);
  return to_string(s.message) + " from " + (peer.connected ? router_label(d, d.router_index(peer.router)) : "?");
}

}  // namespace

Json FaultRun::page_data() const {
  Json data;
  data["title"] = d_.name();
  data["command"] = result_head("fault", d_);
  data["g"] = d_.g();
  data["a"] = d_.a();
  Json faults = Json::array();
  for (const TimedFault& f : fails_) faults.push_back(to_string(d_, f.fault));
  data["faults"] = faults;
  Json services = Json::array(), transfers = Json::array();
  const auto& all = network_.services();
  show_ends(all.size(), [&](size_t i) {
    const Service& s = all[i];
    services.push_back({s.router, s.start, s.end, static_cast<int>(s.kind), service_label(d_, s)});
  });
  const auto& messages = network_.transfers();
  show_ends(messages.size(), [&](size_t i) {
    const Transfer& t = messages[i];
    transfers.push_back({t.from, t.to, t.sent, t.arrived, static_cast<int>(t.message.kind), to_string(t.message)});
  });
  data["services"] = services;
  data["transfers"] = transfers;
  data["left_out"] = all.size() > kMostShown ? all.size() - kMostShown : 0;
  data["converged"] = diagnosis_.statistics.converged;
  data["start"] = diagnosis_.start;
  data["paths"] = paths_;
  data["summary"] = json();
  data["summary"].erase("diagnosis");
  data["summary"].erase("recovered");
  return data;
}

std::string FaultRun::html() const {
  std::string page = kTimelinePage, data = page_data().dump();
  for (size_t at = data.find("</"); at != std::string::npos; at = data.find("</", at + 3)) data.replace(at, 2, "<\\/");
  const std::string mark = "/*DATA*/null";
  const size_t at = page.find(mark);
  return page.replace(at, mark.size(), data);
}

/// The news of the faults on its way from router to router, for a slider over cycles: services [router, start, end], messages [from, to, sent,
/// arrived].
Json FaultRun::spread() const {
  const auto& all = network_.services();
  const auto& sent = network_.transfers();
  Json services = Json::array(), messages = Json::array(), faults = Json::array(), until;
  const auto leave_out = [&until](int64_t cycle) { until = until.is_null() ? cycle : std::min(until.get<int64_t>(), cycle); };
  for (size_t i = 0; i < all.size(); ++i) {
    if (i < kMostSpread) {
      services.push_back({all[i].router, all[i].start, all[i].end});
    } else {
      leave_out(all[i].start);
    }
  }
  for (size_t i = 0; i < sent.size(); ++i) {
    if (i < kMostSpread) {
      messages.push_back({sent[i].from, sent[i].to, sent[i].sent, sent[i].arrived});
    } else {
      leave_out(sent[i].sent);
    }
  }
  for (const FaultRecord& r : records()) {
    const Fault& f = r.fail.fault;
    Json fault = {{"name", to_string(d_, f)}, {"cycle", r.fail.cycle}, {"repaired", r.repaired}, {"from", d_.router_index(f.router)}};
    if (!f.is_router) fault["to"] = d_.router_index(d_.peer(f.router, f.port).router);
    faults.push_back(fault);
  }
  const std::string cut = until.is_null() ? "" : fmt::format(" It ends with the first {} services or messages.", kMostSpread);
  Json spread = {{"services", services}, {"messages", messages}, {"faults", faults}};
  if (!until.is_null()) spread["until"] = until;
  return {{"type", "dragonfly"},
          {"title", "How the news spreads: " + to_string(d_, fails_.front().fault)},
          {"text",
           "Groups as a ring, their routers as dots: orange while a router's fault plane works, blue when it has. Lines are messages on their way; "
           "what is down is red." +
               cut},
          {"groups", d_.g()},
          {"routers", d_.a()},
          {"links", Json::array()},
          {"spread", spread},
          {"unit", "cycles"}};
}

/// When each recorded message is served, -1: never (its link went down first). An arrow ends at the slice of that service.
std::vector<int64_t> FaultRun::service_starts() const {
  std::map<std::pair<int, int>, std::deque<const Service*>> waiting;
  for (const Service& s : network_.services()) {
    if (s.kind == ServiceKind::diagnosis || s.kind == ServiceKind::recovery) waiting[{s.router, s.port}].push_back(&s);
  }
  std::vector<int64_t> starts;
  for (const Transfer& t : network_.transfers()) {
    auto& queue = waiting[{t.to, t.to_port}];
    const bool next =
        !queue.empty() && queue.front()->source == t.service && queue.front()->message == t.message && queue.front()->start >= t.arrived;
    starts.push_back(next ? queue.front()->start : -1);
    if (next) queue.pop_front();
  }
  return starts;
}

std::string FaultRun::chrome_trace() const {
  Json events = Json::array();
  std::vector<uint8_t> named(d_.num_routers(), 0);
  const auto name_track = [&](int router) {
    if (named[router]) return;
    named[router] = 1;
    const int group = d_.router(router).gid;
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", group}, {"args", {{"name", fmt::format("group {}", group)}}}});
    events.push_back({{"ph", "M"}, {"name", "thread_name"}, {"pid", group}, {"tid", router}, {"args", {{"name", router_label(d_, router)}}}});
  };
  for (const Service& s : network_.services()) {
    name_track(s.router);
    events.push_back({{"ph", "X"},
                      {"name", service_label(d_, s)},
                      {"cat", "service"},
                      {"pid", d_.router(s.router).gid},
                      {"tid", s.router},
                      {"ts", s.start},
                      {"dur", s.end - s.start}});
  }
  const std::vector<int64_t> served = service_starts();
  for (size_t id = 0; id < served.size(); ++id) {
    const Transfer& t = network_.transfers()[id];
    name_track(t.from);
    name_track(t.to);
    if (served[id] < 0) continue;
    const Json arrow = {{"id", id}, {"name", to_string(t.message)}, {"cat", "message"}};
    Json start = arrow, finish = arrow;
    start.update({{"ph", "s"}, {"pid", d_.router(t.from).gid}, {"tid", t.from}, {"ts", t.sent}});
    finish.update({{"ph", "f"}, {"bp", "e"}, {"pid", d_.router(t.to).gid}, {"tid", t.to}, {"ts", served[id]}, {"args", {{"arrived", t.arrived}}}});
    events.push_back(start);
    events.push_back(finish);
  }
  return Json{{"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}.dump();
}

}  // namespace odonata::cli
