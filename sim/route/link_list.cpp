// SPDX-License-Identifier: Apache-2.0
#include "sim/route/link_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <set>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/common/split.h"

namespace odonata::cli {

namespace {

/// Reads items into output ports of one network.
class Reader {
 public:
  Reader(const Dragonfly& d, std::string option, uint64_t seed, bool links)
      : d_(d), option_(std::move(option)), seed_(seed), links_(links) {}

  void read(const std::string& item) {
    static const std::regex port("g([0-9]{1,4})\\.r([0-9]{1,4})\\.(?:p([0-9]{1,4})|(local|global))", std::regex::icase);
    static const std::regex local("local:g([0-9]{1,4})\\.s([0-9]{1,4})-(?:g([0-9]{1,4})\\.)?s([0-9]{1,4})",
                                  std::regex::icase);
    static const std::regex global("global:g([0-9]{1,4})-g([0-9]{1,4})", std::regex::icase);
    static const std::regex random("random:([0-9]*\\.?[0-9]+)", std::regex::icase);
    std::smatch m;
    if (item.size() > 64) {
      fail(item.substr(0, 60) + "...", "is not understood");
    } else if (std::regex_match(item, m, port)) {
      read_port(item, m);
    } else if (std::regex_match(item, m, local)) {
      read_local(item, m);
    } else if (std::regex_match(item, m, global)) {
      read_global(item, number(m[1]), number(m[2]));
    } else if (std::regex_match(item, m, random)) {
      read_random(item, std::stod(m[1].str()));
    } else if (item == "all" && !links_) {
      every_port([this](const RouterPort& at) { add(at); });
    } else {
      fail(item, item == "all" ? "would leave no network"
                               : "is not understood, expected for example g3.r1.p17, g3.r1.local, "
                                 "local:G0.s1-s3, global:G0-G2, all or random:0.3");
    }
  }

  std::vector<RouterPort> ports;

 private:
  [[noreturn]] void fail(const std::string& item, const std::string& why) const {
    throw Error(fmt::format("{}: '{}' {}", option_, item, why));
  }
  static int number(const std::ssub_match& digits) { return std::stoi(digits.str()); }
  int check(const std::string& item, const char* what, int value, int limit) const {
    if (value >= limit) fail(item, fmt::format("names {} {}, expected 0..{} in {}", what, value, limit - 1, d_.name()));
    return value;
  }
  bool cabled(const RouterPort& at) const { return d_.peer(at.router, at.port).connected; }

  /// A port is taken as it is; of a link only the end that comes first, and only once.
  void add(const RouterPort& at) {
    if (!links_) return ports.push_back(at);
    const Dragonfly::Peer other = d_.peer(at.router, at.port);
    const std::pair near{d_.router_index(at.router), at.port}, far{d_.router_index(other.router), other.port};
    if (seen_.insert(std::min(near, far)).second) ports.push_back(at);
  }
  template <class Visit>
  void every_port(Visit visit) const {
    for (int r = 0; r < d_.num_routers(); ++r) {
      for (int port = d_.first_local(); port < d_.num_ports(); ++port) {
        if (const RouterPort at{d_.router(r), port}; cabled(at)) visit(at);
      }
    }
  }

  void read_port(const std::string& item, const std::smatch& m) {
    const RouterId router{check(item, "group", number(m[1]), d_.g()), check(item, "router", number(m[2]), d_.a())};
    if (m[3].matched) {
      const RouterPort at{router, check(item, "port", number(m[3]), d_.num_ports())};
      const bool node = d_.port_class(at.port) == PortClass::node;
      if (links_ && node) fail(item, "is a node port, which has no link to another router");
      if (!node && !cabled(at)) fail(item, "is a global port that is not cabled");
      return add(at);
    }
    const bool local = std::tolower(static_cast<unsigned char>(m[4].str()[0])) == 'l';
    const int from = local ? d_.first_local() : d_.first_global(), to = local ? d_.first_global() : d_.num_ports();
    for (int port = from; port < to; ++port) {
      if (cabled({router, port})) add({router, port});
    }
  }

  void read_local(const std::string& item, const std::smatch& m) {
    const int gid = check(item, "group", number(m[1]), d_.g());
    if (m[3].matched && number(m[3]) != gid) fail(item, "joins two groups; a local link stays in one");
    const int r = check(item, "router", number(m[2]), d_.a()), s = check(item, "router", number(m[4]), d_.a());
    if (r == s) fail(item, "joins a router to itself");
    add({{gid, r}, d_.local_port(r, s)});
    add({{gid, s}, d_.local_port(s, r)});
  }

  void read_global(const std::string& item, int from, int to) {
    check(item, "group", from, d_.g());
    check(item, "group", to, d_.g());
    if (from == to) fail(item, "joins a group to itself");
    for (const auto& [here, there] : {std::pair{from, to}, std::pair{to, from}}) {
      const int j = d_.port_to_group(here, there);
      add({{here, j / d_.h()}, d_.global_port(j % d_.h())});
    }
  }

  void read_random(const std::string& item, double probability) {
    if (probability > 1) fail(item, "is no probability, expected 0..1");
    Random random(mix_seed(seed_, 0x6c696e6b, links_));
    every_port([&](const RouterPort& at) {
      const Dragonfly::Peer other = d_.peer(at.router, at.port);
      const bool first = d_.router_index(at.router) < d_.router_index(other.router);
      if (links_ && !first) return;  // one draw a link
      if (random.chance(probability)) add(at);
    });
  }

  const Dragonfly& d_;
  std::string option_;
  uint64_t seed_;
  bool links_;
  std::set<std::pair<int, int>> seen_;
};

std::vector<RouterPort> parse(const Dragonfly& d, const std::string& option, const std::vector<std::string>& items,
                              uint64_t seed, bool links) {
  Reader reader(d, option, seed, links);
  for (const std::string& item : items)
    for (const std::string_view part : split(item, ','))
      if (!part.empty()) reader.read(std::string(part));
  return reader.ports;
}

}  // namespace

std::vector<RouterPort> parse_ports(const Dragonfly& d, const std::string& option,
                                    const std::vector<std::string>& items, uint64_t seed) {
  return parse(d, option, items, seed, false);
}

std::vector<RouterPort> parse_links(const Dragonfly& d, const std::string& option,
                                    const std::vector<std::string>& items, uint64_t seed) {
  return parse(d, option, items, seed, true);
}

void CongestionMaps::mark(const RouterPort& at) {
  local_[d_.router_index(at.router)] |= 1ull << at.port;
  if (d_.port_class(at.port) != PortClass::global) return;
  global_[at.router.gid].set(at.router.bid * d_.h() + at.port - d_.first_global());
}

}  // namespace odonata::cli
