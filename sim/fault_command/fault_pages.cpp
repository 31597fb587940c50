// SPDX-License-Identifier: Apache-2.0
// The pictures of a diagnosis: sections of its page, and a trace for Perfetto.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "sim/fault_command/fault_run.h"

namespace odonata::cli {

using namespace fault;

namespace {

constexpr size_t kMostShown =
    8000;  // services, and messages, that a page shows: the beginning and the end of a longer run

/// Calls show(i) for the items of a list of `size` that a page shows.
template <class Show, class LeaveOut>
void show_ends(size_t size, const Show& show, const LeaveOut& leave_out) {
  for (size_t i = 0; i < size; ++i) {
    if (size <= kMostShown || i < kMostShown / 2 || i >= size - kMostShown / 2) {
      show(i);
    } else {
      leave_out(i);
    }
  }
}

std::string router_label(const Dragonfly& d, int router) {
  return fmt::format("G{}.s{}", d.router(router).gid, d.router(router).bid);
}

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

/// The news of the faults on its way from router to router, in cycles after the first fault: services [router, start,
/// end, kind, text], messages [from, to, sent, arrived]; `gap`: first and last cycle of which some are left out.
Json FaultRun::spread() const {
  const auto& all = network_.services();
  const auto& sent = network_.transfers();
  const int64_t origin = diagnosis_.start;
  Json services = Json::array(), messages = Json::array(), faults = Json::array(), names = Json::array();
  std::map<std::string, size_t> texts;
  std::pair<int64_t, int64_t> gap{INT64_MAX, INT64_MIN};
  const auto left_out = [&](int64_t cycle) {
    gap = {std::min(gap.first, cycle - origin), std::max(gap.second, cycle - origin)};
  };
  show_ends(
      all.size(),
      [&](size_t i) {
        const size_t text = texts.try_emplace(service_label(d_, all[i]), texts.size()).first->second;
        services.push_back(
            {all[i].router, all[i].start - origin, all[i].end - origin, static_cast<int>(all[i].kind), text});
      },
      [&](size_t i) { left_out(all[i].start); });
  show_ends(
      sent.size(),
      [&](size_t i) {
        messages.push_back({sent[i].from, sent[i].to, sent[i].sent - origin, sent[i].arrived - origin});
      },
      [&](size_t i) { left_out(sent[i].sent); });
  for (const FaultRecord& r : records()) {
    const Fault& f = r.fail.fault;
    Json fault = {{"name", to_string(d_, f)},
                  {"cycle", r.fail.cycle - origin},
                  {"repaired", r.repaired < 0 ? r.repaired : r.repaired - origin},
                  {"from", d_.router_index(f.router)}};
    if (!f.is_router) {
      const Dragonfly::Peer peer = d_.peer(f.router, f.port);
      fault["to"] = peer.connected ? d_.router_index(peer.router) : d_.router_index(f.router);
    }
    faults.push_back(fault);
  }
  for (int r = 0; r < d_.num_routers(); ++r) names.push_back(router_label(d_, r));
  std::vector<std::string> listed(texts.size());
  for (const auto& [text, index] : texts) listed[index] = text;
  const size_t most = std::max(all.size(), sent.size());
  const std::string cut =
      most > kMostShown
          ? fmt::format(" Of {} services or messages the first {} and the last are shown.", most, kMostShown / 2)
          : "";
  Json spread = {{"services", services}, {"messages", messages},
                 {"faults", faults},     {"kinds", {"link down", "link up", "FD served", "FR served"}},
                 {"texts", listed},      {"names", names}};
  if (gap.first <= gap.second) spread["gap"] = {gap.first, gap.second};
  return {{"type", "dragonfly"},
          {"title", "How the news spreads: " + named_faults()},
          {"text",
           "Groups as a ring, their routers as dots: orange while a router's fault plane works, blue when it has. "
           "Lines are messages on their way; "
           "what is down is red. Cycles count from the first fault." +
               cut},
          {"groups", d_.g()},
          {"routers", d_.a()},
          {"links", Json::array()},
          {"spread", spread},
          {"unit", "cycles"}};
}

/// The ring, its routers coloured by the last change of their tables in the diagnosis; what failed is red.
Json FaultRun::map() const {
  Json links = Json::array(), dead = Json::array(), values = Json::array();
  const auto at = [](RouterId r) { return Json::array({r.gid, r.bid}); };
  for (const TimedFault& f : fails_) {
    const Dragonfly::Peer peer = f.fault.is_router ? Dragonfly::Peer{} : d_.peer(f.fault.router, f.fault.port);
    if (f.fault.is_router) dead.push_back(at(f.fault.router));
    if (peer.connected)
      links.push_back(
          {{"from", at(f.fault.router)}, {"to", at(peer.router)}, {"bad", true}, {"text", to_string(d_, f.fault)}});
  }
  const Statistics& s = diagnosis_.statistics;
  for (int r = 0; r < d_.num_routers(); ++r) {
    const int64_t changed = s.converged[r] < 0 ? -1 : s.converged[r] - diagnosis_.start;
    if (changed < 0 && s.services_of_router[r] == 0) continue;
    values.push_back(
        {{"router", at(d_.router(r))},
         {"value", std::max<int64_t>(changed, 0)},
         {"text", fmt::format("{}: {}, {}", router_label(d_, r),
                              counted(static_cast<uint64_t>(s.services_of_router[r]), "service"),
                              changed < 0 ? "tables unchanged" : fmt::format("last change in cycle {}", changed))}});
  }
  return {{"type", "dragonfly"},
          {"title", "Who took part: " + named_faults()},
          {"text",
           "Routers that served the diagnosis, coloured by the cycle of the last change of their tables; what failed "
           "is red."},
          {"groups", d_.g()},
          {"routers", d_.a()},
          {"links", links},
          {"dead", dead},
          {"values", values},
          {"unit", "cycles"}};
}

/// Before and after: how many paths the tables leave, where that has changed.
Json FaultRun::paths_section() const {
  Json rows = Json::array();
  for (const Json& p : paths_)
    rows.push_back({p["from"], p["to"], p["before"][0], p["after"][0], p["before"][1], p["after"][1]});
  return {{"type", "table"},
          {"title", "Paths before and after: " + named_faults()},
          {"text",
           "Paths that the tables leave from and to the group of the first fault, where the diagnosis has changed "
           "their number."},
          {"header", {"from", "to", "minimal before", "minimal after", "non-minimal before", "non-minimal after"}},
          {"rows", rows}};
}

/// When each recorded message is served, -1: never (its link went down first). An arrow ends at the slice of that
/// service.
std::vector<int64_t> FaultRun::service_starts() const {
  std::map<std::pair<int, int>, std::deque<const Service*>> waiting;
  for (const Service& s : network_.services()) {
    if (s.kind == ServiceKind::diagnosis || s.kind == ServiceKind::recovery) waiting[{s.router, s.port}].push_back(&s);
  }
  std::vector<int64_t> starts;
  for (const Transfer& t : network_.transfers()) {
    auto& queue = waiting[{t.to, t.to_port}];
    const bool next = !queue.empty() && queue.front()->source == t.service && queue.front()->message == t.message &&
                      queue.front()->start >= t.arrived;
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
    events.push_back(
        {{"ph", "M"}, {"name", "process_name"}, {"pid", group}, {"args", {{"name", fmt::format("group {}", group)}}}});
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", group},
                      {"tid", router},
                      {"args", {{"name", router_label(d_, router)}}}});
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
    finish.update({{"ph", "f"},
                   {"bp", "e"},
                   {"pid", d_.router(t.to).gid},
                   {"tid", t.to},
                   {"ts", served[id]},
                   {"args", {{"arrived", t.arrived}}}});
    events.push_back(start);
    events.push_back(finish);
  }
  return Json{
      {"displayTimeUnit", "ns"}, {"otherData", {{"unit", "1 us of the trace is 1 cycle"}}}, {"traceEvents", events}}
      .dump();
}

}  // namespace odonata::cli
