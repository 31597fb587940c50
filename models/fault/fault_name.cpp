// SPDX-License-Identifier: Apache-2.0
#include "models/fault/fault_name.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <tuple>

namespace odonata::fault {

namespace {

/// Reads a name piece by piece; every failure is one Error with the whole text.
class Reader {
 public:
  Reader(std::string_view text, std::string_view rest) : text_(text), rest_(rest) {}
  int number(std::string_view prefix, int limit, const char* what) {
    if (rest_.substr(0, prefix.size()) != prefix)
      fail("expected '" + std::string(prefix) + "' before '" + std::string(rest_) + "'");
    rest_.remove_prefix(prefix.size());
    int value = -1;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value < 0) fail("expected a number at '" + std::string(rest_) + "'");
    if (value >= limit)
      fail(std::string(what) + " " + std::to_string(value) + " is out of range, expected 0.." +
           std::to_string(limit - 1));
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return value;
  }
  bool begins(std::string_view prefix) const { return rest_.substr(0, prefix.size()) == prefix; }
  void end() {
    if (!rest_.empty())
      fail("'" + std::string(rest_) + "' is left over" + (begins(",") ? ", names have ';' between" : ""));
  }
  [[noreturn]] void fail(const std::string& why) const { throw Error("fault '" + std::string(text_) + "': " + why); }

 private:
  std::string_view text_, rest_;
};

/// The end of a link with the lower router number (the same router cannot be at both ends).
Fault link_fault(const Dragonfly& d, RouterId router, int port) {
  const Dragonfly::Peer peer = d.peer(router, port);
  if (d.router_index(peer.router) < d.router_index(router)) return {false, peer.router, peer.port};
  return {false, router, port};
}

Fault global_link(const Dragonfly& d, Reader& in) {
  const int x = in.number("G", d.g(), "group"), y = in.number("-G", d.g(), "group");
  in.end();
  if (x == y) in.fail("a global link joins two groups");
  const int j = d.port_to_group(x, y);
  return link_fault(d, {x, j / d.h()}, d.global_port(j % d.h()));
}

Fault local_link(const Dragonfly& d, Reader& in) {
  const int g1 = in.number("G", d.g(), "group"), s1 = in.number(".s", d.a(), "router");
  const bool brief = in.begins("-s");  // local:G0.s1-s2
  const int g2 = brief ? g1 : in.number("-G", d.g(), "group"), s2 = in.number(brief ? "-s" : ".s", d.a(), "router");
  in.end();
  if (g1 != g2) in.fail("a local link stays in its group");
  if (s1 == s2) in.fail("a local link joins two routers");
  return link_fault(d, {g1, s1}, d.local_port(s1, s2));
}

bool contains(const std::vector<Fault>& list, const Fault& fault) {
  return std::find(list.begin(), list.end(), fault) != list.end();
}

std::vector<Fault> random_faults(const std::vector<Fault>& all, size_t n, const std::vector<Fault>& taken,
                                 Random& random, const Reader& in) {
  std::vector<Fault> free;
  for (const Fault& f : all) {
    if (!contains(taken, f)) free.push_back(f);
  }
  if (n > free.size()) in.fail("only " + std::to_string(free.size()) + " are left to fail");
  for (size_t i = 0; i < n; ++i) std::swap(free[i], free[i + random.below(static_cast<uint32_t>(free.size() - i))]);
  free.resize(n);
  return free;
}

}  // namespace

std::vector<Fault> all_links(const Dragonfly& d) {
  std::vector<Fault> links;
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int port = d.p(); port < d.num_ports(); ++port) {
      const Dragonfly::Peer peer = d.peer(d.router(r), port);
      if (peer.connected && d.router_index(peer.router) > r) links.push_back({false, d.router(r), port});
    }
  }
  return links;
}

std::vector<Fault> parse_faults(const Dragonfly& d, std::string_view text, Random& random,
                                const std::vector<Fault>& taken) {
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  Reader in(text, colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1));
  if (kind == "global") return {global_link(d, in)};
  if (kind == "local") return {local_link(d, in)};
  if (kind == "router" || kind == "node") {
    const int gid = in.number("G", d.g(), "group"), bid = in.number(".s", d.a(), "router");
    const int node = kind == "node" ? in.number(".n", d.p(), "node") : 0;
    in.end();
    return {{kind == "router", {gid, bid}, node}};
  }
  if (kind == "random-links" || kind == "random-routers") {
    const int n = in.number("", 1 << 30, "count");
    in.end();
    if (n == 0) in.fail("expected a count of 1 or more");
    if (kind == "random-links") return random_faults(all_links(d), static_cast<size_t>(n), taken, random, in);
    std::vector<Fault> routers;
    for (int r = 0; r < d.num_routers(); ++r) routers.push_back({true, d.router(r), 0});
    return random_faults(routers, static_cast<size_t>(n), taken, random, in);
  }
  in.fail("expected global:Gx-Gy, local:Gx.sa-sb, router:Gx.sa, node:Gx.sa.nk, random-links:N or random-routers:N");
}

std::string to_string(const Dragonfly& d, const Fault& f) {
  const auto name = [](RouterId r) { return "G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid); };
  if (f.is_router) return "router:" + name(f.router);
  if (f.port < d.p()) return "node:" + name(f.router) + ".n" + std::to_string(f.port);
  const RouterId other = d.peer(f.router, f.port).router;
  if (d.is_local_port(f.port)) return "local:" + name(f.router) + "-" + name(other);
  return "global:G" + std::to_string(f.router.gid) + "-G" + std::to_string(other.gid);
}

void check_order(const Dragonfly& d, std::vector<ScheduledFault> events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const ScheduledFault& a, const ScheduledFault& b) { return a.cycle < b.cycle; });
  std::map<std::tuple<bool, int, int>, const ScheduledFault*> last;
  for (const ScheduledFault& e : events) {
    const ScheduledFault*& before = last[{e.fault.is_router, d.router_index(e.fault.router), e.fault.port}];
    const bool down = before != nullptr && !before->repair;
    const auto refuse = [&](const std::string& why) {
      const std::string when = e.cycle == INT64_MAX ? "" : " in cycle " + std::to_string(e.cycle);
      throw Error("fault '" + to_string(d, e.fault) + "': " + (e.repair ? "repaired" : "fails") + when + ", " + why);
    };
    if (before != nullptr && before->cycle == e.cycle && before->repair == e.repair) refuse("twice");
    if (before != nullptr && before->cycle == e.cycle)
      refuse(before->repair ? "but it is repaired in that cycle" : "but it fails in that cycle");
    if (!e.repair && down) refuse("but it has failed in cycle " + std::to_string(before->cycle));
    if (e.repair && !down) refuse("but it has not failed before");
    before = &e;
  }
}

int apply(FaultPlaneNetwork& network, const Fault& f, bool repair, int64_t cycle) {
  if (f.is_router) return repair ? network.repair_router(f.router, cycle) : network.fail_router(f.router, cycle);
  return repair ? network.repair_link(f.router, f.port, cycle) : network.fail_link(f.router, f.port, cycle);
}

}  // namespace odonata::fault
