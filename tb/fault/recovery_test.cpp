// SPDX-License-Identifier: Apache-2.0
// Recovery loses nothing: the tables as route compute sees them are followed cycle by cycle from the repair to the last
// FR, and every pair of routers that is safe before and after is safe in all of them (docs/fault.md §7.4).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/route_compute/decide.h"
#include "tb/fault/network_helpers.h"

namespace odonata::fault::test {
namespace {

/// The tables in their cycles. The network model decides a service at once; what it says about later cycles waits here.
class Film final : public Observer {
 public:
  explicit Film(const FaultPlaneNetwork& network) : n_(network), d_(network.dragonfly()) {
    const size_t entries = static_cast<size_t>(d_.num_routers()) * num_rows(d_) * d_.num_ports();
    marks_.resize(entries);
    alive_.assign(d_.num_routers(), 1);
    up_.assign(d_.num_routers(), 0);
    for (int r = 0; r < d_.num_routers(); ++r) {
      for (int row = 0; row < num_rows(d_); ++row) rows_.push_back(n_.config(r, row));
      for (int port = 0; port < d_.num_ports(); ++port) up_[r] |= n_.link_up(r, port) ? 1ull << port : 0;
    }
    memo_.assign(static_cast<size_t>(d_.num_routers()) * d_.num_ports() * 8, 0);
    for (int r = 0; r < d_.num_routers(); ++r) {
      ids_.push_back(d_.router(r));
      for (int port = 0; port < d_.num_ports(); ++port) {
        const Dragonfly::Peer peer = d_.peer(d_.router(r), port);
        peers_.push_back(peer.connected ? std::pair{d_.router_index(peer.router), peer.port} : std::pair{-1, -1});
      }
    }
    for (int port = 0; port < d_.num_ports(); ++port) classes_.push_back(d_.port_class(port));
  }
  void link(int router, int port, bool up, int64_t cycle) override {
    put(cycle, {Change::Kind::link, router, 0, port, up, {}});
  }
  void router(int router, bool alive, int64_t cycle) override {
    // What a dead router had decided before does not come about.
    for (auto& [at, changes] : changes_) {
      if (at > cycle && !alive)
        std::erase_if(changes, [&](const Change& c) { return c.kind == Change::Kind::entry && c.router == router; });
    }
    put(cycle, {Change::Kind::router, router, 0, 0, alive, {}});
    for (int row = 0; row < num_rows(d_); ++row) {
      for (int port = 0; port < d_.num_ports(); ++port)
        put(cycle, {Change::Kind::entry, router, row, port, false, Marks{}});
    }
  }
  void written(int router, int row, int port, int64_t cycle) override {
    put(cycle + 1, {Change::Kind::entry, router, row, port, false, n_.marks(router, row, port)});
  }
  void heard(int router, int port, int fp, bool, int64_t cycle) override {
    for (int row = 0; row < num_rows(d_); ++row) {
      const Options o = n_.config(router, row).at(d_, port);
      if ((o.a | o.b) >> fp & 1) written(router, row, port, cycle);
    }
  }
  void opened(int router, int, int64_t cycle) override { opened_[router] = std::max(opened_[router], cycle); }
  void sent(int, int, const Message&, int64_t) override {}
  void arrived(int, int, const Message&, int64_t) override {}
  void served(int, ServiceKind, int, const Message&, int64_t) override {}

  /// Every cycle up to `limit` in which something changes; `each` gets the destination routers that it is about.
  template <class F>
  void play(int64_t limit, F&& each) {
    while (!changes_.empty() && changes_.begin()->first <= limit) {
      std::vector<uint8_t> about(static_cast<size_t>(d_.num_routers()), 0);
      for (const Change& c : changes_.begin()->second) apply_change(c, about);
      const int64_t cycle = changes_.begin()->first;
      changes_.erase(changes_.begin());
      for (int to = 0; to < d_.num_routers(); ++to) {
        if (about[to]) each(cycle, to);
      }
    }
  }
  /// The cycle from which on all nodes of a router that came back inject; -1: it did not come back.
  int64_t opened(int router) const { return opened_.contains(router) ? opened_.at(router) : -1; }
  /// By source: whether every choice for a packet to `to` arrives, and there is one.
  std::vector<uint8_t> safe_sources(int to) {
    to_ = d_.router(to);
    to_index_ = to;
    std::fill(memo_.begin(), memo_.end(), 0);
    std::vector<uint8_t> safe(static_cast<size_t>(d_.num_routers()), 0);
    for (int s = 0; s < d_.num_routers(); ++s)
      safe[s] = s != to && alive_[s] && alive_[to] && arrives({s, 0, 0, false});
    return safe;
  }

 private:
  struct Change {
    enum class Kind { link, router, entry } kind;
    int router, row, port;
    bool up;
    Marks marks;
  };
  struct State {
    int router, port, vc;
    bool transit;
  };
  size_t entry(int router, int row, int port) const {
    return (static_cast<size_t>(router) * num_rows(d_) + row) * d_.num_ports() + port;
  }
  void put(int64_t cycle, const Change& change) { changes_[cycle].push_back(change); }

  void apply_change(const Change& c, std::vector<uint8_t>& about) {
    if (c.kind == Change::Kind::link) {
      up_[c.router] = c.up ? up_[c.router] | 1ull << c.port : up_[c.router] & ~(1ull << c.port);
      return std::fill(about.begin(), about.end(), 1);
    }
    if (c.kind == Change::Kind::router) {
      alive_[c.router] = c.up;
      return std::fill(about.begin(), about.end(), 1);
    }
    Marks& m = marks_[entry(c.router, c.row, c.port)];
    if (m.lost_b == c.marks.lost_b && m.partial_b == c.marks.partial_b && m.a == c.marks.a) return;
    m = c.marks;
    const EntryId id = entry_of_row(d_, c.row);
    const RouterId own = d_.router(c.router);
    for (int b = 0; id.zone == Zone::global && b < d_.a(); ++b) about[d_.router_index({id.index, b})] = 1;
    if (id.zone == Zone::group_local) about[d_.router_index({own.gid, id.index})] = 1;
  }

  bool arrives(const State& s) {
    if (s.router == to_index_) return true;
    uint8_t& memo = memo_[((static_cast<size_t>(s.router) * d_.num_ports() + s.port) * 4 + s.vc) * 2 + s.transit];
    if (memo != 0) return memo == 1;
    memo = 2;  // on the way: a loop does not arrive
    const RouterId own = ids_[static_cast<size_t>(s.router)];
    const int row =
        row_of_entry(d_, to_.gid != own.gid ? EntryId{Zone::global, to_.gid} : EntryId{Zone::group_local, to_.bid});
    const RowConfig& config = rows_[static_cast<size_t>(s.router) * num_rows(d_) + row];
    const PortClass in = classes_[static_cast<size_t>(s.port)];
    const Options o =
        effective(config, in, config.at(d_, s.port), marks_[entry(s.router, row, s.port)], s.transit, s.vc);
    bool all = (o.a | o.b) != 0;
    for (PortMap left = o.a | o.b; all && left != 0; left &= left - 1) {
      const int out = std::countr_zero(left), vc = route_compute::next_vc(in, classes_[static_cast<size_t>(out)], s.vc);
      all = (up_[s.router] >> out & 1) && vc < route_compute::kNumVcs;
      if (!all) break;
      const auto [router, port] = peers_[static_cast<size_t>(s.router) * classes_.size() + static_cast<size_t>(out)];
      all = arrives({router, port, vc, s.transit || classes_[static_cast<size_t>(out)] == PortClass::global});
    }
    memo = all ? 1 : 2;
    return all;
  }

  const FaultPlaneNetwork& n_;
  const Dragonfly d_;
  std::map<int64_t, std::vector<Change>> changes_;
  std::map<int, int64_t> opened_;  // by router
  std::vector<Marks> marks_;
  std::vector<RowConfig> rows_;
  std::vector<PortMap> up_;
  std::vector<uint8_t> alive_, memo_;
  // Of the network, said once: it is asked millions of times.
  std::vector<RouterId> ids_;
  std::vector<std::pair<int, int>> peers_;  // by router and port: router, port
  std::vector<PortClass> classes_;
  RouterId to_;
  int to_index_ = -1;
};

/// What a recovery did to the pairs that are safe before it and after it.
struct Outcome {
  bool condition = true;
  int pairs = 0;
  std::string lost;  ///< the first pair that was not safe on the way; empty: none
  int64_t recovery = 0;
};

/// Fails a set, waits, repairs it element by element, and watches.
Outcome recover(const Dragonfly& d, const Parameters& p, const std::vector<Fault>& set,
                const std::vector<int64_t>& gaps) {
  FaultPlaneNetwork n(d, p);
  Film film(n);
  n.set_observer(&film);
  for (const Fault& f : set) apply(n, f, false, 0);
  n.run();
  film.play(INT64_MAX, [](int64_t, int) {});
  Outcome out;
  Verifier verifier(d, p.mode);
  out.condition = verifier.check(n).condition;
  std::vector<std::vector<uint8_t>> safe;
  for (int to = 0; to < d.num_routers(); ++to) safe.push_back(film.safe_sources(to));
  int64_t cycle = n.now() + 10;
  const int64_t first = cycle;
  for (size_t i = 0; i < set.size(); ++i) {
    apply(n, set[i], true, cycle);
    cycle += gaps[i % gaps.size()];
  }
  n.run();
  EXPECT_TRUE(n.restored());
  EXPECT_EQ(compare_with_closed_form(n), "");
  out.recovery = n.statistics().phases.recovery_write - first;
  for (const auto& sources : safe) out.pairs += std::accumulate(sources.begin(), sources.end(), 0);
  film.play(INT64_MAX, [&](int64_t now, int to) {
    if (!out.lost.empty()) return;
    const std::vector<uint8_t> sources = film.safe_sources(to);
    for (int s = 0; s < d.num_routers(); ++s) {
      if (safe[to][s] && !sources[s]) {
        out.lost = "router " + std::to_string(s) + " to router " + std::to_string(to) + ", " +
                   std::to_string(now - first) + " cycles after the repair";
      }
    }
  });
  return out;
}

struct Case {
  const char* name;
  const char* size;
  Mode mode;
  bool routers, pipelined;
  int sequences;
};

class Repairs : public ::testing::TestWithParam<Case> {
 protected:
  /// `rules`: the ordering rules. Returns how many sequences lost something, and complains of each if `strict`.
  int lossy(const OrderingRules& rules, int sequences, bool strict) {
    const Case& c = GetParam();
    const Dragonfly d = Dragonfly::parse(c.size);
    std::vector<Fault> all = all_links(d);
    Random random(17);
    int lossy = 0, used = 0;
    while (used < sequences) {
      std::vector<Fault> set;
      const int faults = 1 + static_cast<int>(random.below(6));
      for (int i = 0; i < faults; ++i) set.push_back(all[random.below(static_cast<uint32_t>(all.size()))]);
      if (c.routers)
        set.push_back({true, d.router(static_cast<int>(random.below(static_cast<uint32_t>(d.num_routers())))), 0});
      std::erase_if(set, [&](const Fault& f) { return std::count(set.begin(), set.end(), f) > 1; });
      if (set.empty()) continue;
      Parameters p;
      p.mode = c.mode;
      p.rules = rules;
      p.timing = Timing::native(d);
      p.timing.pipelined = c.pipelined;
      constexpr int64_t kGaps[] = {0, 0, 1, 40, 300, 3000};
      const std::vector<int64_t> gaps{kGaps[random.below(6)], kGaps[random.below(6)]};
      const Outcome o = recover(d, p, set, gaps);
      if (c.mode == Mode::safe && !o.condition)
        continue;  // one entry a group: what is safe then is not safe in between either
      ++used;
      lossy += !o.lost.empty();
      pairs_ += o.pairs;
      if (!strict || o.lost.empty()) continue;
      std::string names;
      for (const Fault& f : set) names += to_string(d, f) + " ";
      ADD_FAILURE() << names << "gaps " << gaps[0] << " " << gaps[1] << ": " << o.lost;
    }
    return lossy;
  }
  int64_t pairs_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Cases, Repairs,
                         ::testing::Values(Case{"safe", "2,4,2,8", Mode::safe, false, false, 150},
                                           Case{"paper", "2,4,2,8", Mode::paper, false, false, 150},
                                           Case{"nine_groups", "2,4,2,9", Mode::safe, false, true, 100},
                                           Case{"routers", "2,4,2,8", Mode::safe, true, false, 50},
                                           Case{"routers_pipelined", "2,4,2,8", Mode::paper, true, true, 50}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Repairs, LosesNothing) {
  EXPECT_EQ(lossy({}, GetParam().sequences, true), 0);
  EXPECT_GT(pairs_, 0);
}

/// Without the end mark a repaired port serves before its neighbour has said what other faults take away behind it.
TEST_P(Repairs, NeedsTheEndMark) {
  OrderingRules rules;
  rules.end_marks = false;
  EXPECT_GT(lossy(rules, 20, false), 0);
}

/// One router and some links fail, the router comes back, the links stay dead.
struct Return {
  int early = 0, late = 0;  ///< pairs of the router that are safe in the end: the last cycle in which they were not is
                            ///< before, or after, the opening
};

Return bring_back(const Dragonfly& d, const Parameters& p, int router, const std::vector<Fault>& links) {
  FaultPlaneNetwork n(d, p);
  Film film(n);
  n.set_observer(&film);
  for (const Fault& f : links) apply(n, f, false, 0);
  n.fail_router(d.router(router), 0);
  n.run();
  const int incident = n.repair_router(d.router(router), n.now() + 10);
  n.run();
  EXPECT_EQ(compare_with_closed_form(n), "");
  const Incident& i = n.incidents()[static_cast<size_t>(incident)];
  EXPECT_EQ(i.nodes_open, film.opened(router));
  EXPECT_GE(i.last_service, i.nodes_open);
  // Which pairs are safe is known in the end only: the last cycle in which a pair is not is remembered.
  std::vector<std::vector<uint8_t>> safe(static_cast<size_t>(d.num_routers()));
  std::map<std::pair<int, bool>, int64_t> last_unsafe;  // of a pair (other router, to the router that came back)
  film.play(INT64_MAX, [&](int64_t now, int to) {
    const std::vector<uint8_t> sources = film.safe_sources(to);
    if (to != router && !sources[static_cast<size_t>(router)]) last_unsafe[{to, false}] = now;
    for (int s = 0; to == router && s < d.num_routers(); ++s) {
      if (!sources[static_cast<size_t>(s)]) last_unsafe[{s, true}] = now;
    }
    safe[static_cast<size_t>(to)] = sources;
  });
  Return out;
  for (const auto& [pair, cycle] : last_unsafe) {
    const auto [other, inward] = pair;
    if (other == router || cycle < i.cycle) continue;
    if (!(inward ? safe[static_cast<size_t>(router)][static_cast<size_t>(other)]
                 : safe[static_cast<size_t>(other)][static_cast<size_t>(router)]))
      continue;
    ++(cycle >= (inward ? i.last_service : i.nodes_open) ? out.late : out.early);
  }
  return out;
}

/// The nodes of a router that comes back hold their packets until it has heard its neighbours: from then on whatever
/// the tables let through in the end goes through. Packets for it do so when all planes are done.
TEST(Joining, NoPairOfTheRouterIsUnsafeOnceItsNodesAreOpen) {
  for (const char* size : {"2,4,2,8", "2,4,2,9"}) {
    const Dragonfly d = Dragonfly::parse(size);
    const std::vector<Fault> all = all_links(d);
    for (const Mode mode : {Mode::safe, Mode::paper}) {
      int early = 0;
      for (uint32_t k = 0; k < 24; ++k) {
        Random random(mix_seed(99, k));
        std::vector<Fault> links;
        for (uint32_t i = 0; i < k % 4; ++i) links.push_back(all[random.below(static_cast<uint32_t>(all.size()))]);
        Parameters p;
        p.mode = mode;
        p.timing = Timing::native(d);
        p.timing.pipelined = k % 2 != 0;
        const Return r =
            bring_back(d, p, static_cast<int>(random.below(static_cast<uint32_t>(d.num_routers()))), links);
        EXPECT_EQ(r.late, 0) << size << " " << to_string(mode) << " " << k;
        early += r.early;
      }
      EXPECT_GT(early, 0) << "nobody would have had to wait";
    }
  }
}

/// A router without a live neighbour has nobody to wait for but the link events of its nodes.
TEST(Joining, ARouterAloneOpensItsNodes) {
  const Dragonfly d = Dragonfly::parse("2,4,2,8");
  Parameters p;
  p.timing = Timing::native(d);
  FaultPlaneNetwork n(d, p);
  for (int port = d.p(); port < d.num_ports(); ++port) {
    if (d.peer({2, 1}, port).connected) n.fail_link({2, 1}, port, 0);
  }
  n.fail_router({2, 1}, 0);
  n.run();
  const int incident = n.repair_router({2, 1}, n.now() + 10);
  n.run();
  const Incident& i = n.incidents()[static_cast<size_t>(incident)];
  EXPECT_GT(i.nodes_open, i.cycle);
  EXPECT_LT(i.nodes_open, i.cycle + 500);
}

// A router without anything else to do takes t_ld and t_r (`fault-timing --size tiny`: 36 and 50 cycles), and both ends
// of a link begin at once.
TEST(FaultPlanes, AFailureAndARepairTellWhenTheirTravelsEnd) {
  const Dragonfly d = Dragonfly::named("tiny");
  Parameters p;
  p.timing = Timing::native(d);
  FaultPlaneNetwork n(d, p);
  const Fault link{false, {0, 0}, d.first_local()};
  const int failure = apply(n, link, false, 10);
  n.run();
  EXPECT_EQ(n.incidents()[static_cast<size_t>(failure)].local_done, 10 + 36);
  const int repair = apply(n, link, true, 5000);
  n.run();
  EXPECT_EQ(n.incidents()[static_cast<size_t>(repair)].local_done, 5000 + 50);
}

TEST(FaultPlanes, WhatIsNotThereNeitherFailsNorComesBack) {
  const Dragonfly d = Dragonfly::parse("2,4,2,8");
  Parameters p;
  p.timing = Timing::native(d);
  FaultPlaneNetwork n(d, p);
  for (const RouterId r : {RouterId{-1, 0}, {8, 0}, {0, -1}, {0, 4}}) {
    EXPECT_THROW(n.fail_router(r, 0), Error) << r.gid << "." << r.bid;
    EXPECT_THROW(n.repair_router(r, 0), Error) << r.gid << "." << r.bid;
    EXPECT_THROW(n.fail_link(r, 2, 0), Error) << r.gid << "." << r.bid;
    EXPECT_THROW(n.repair_link(r, 2, 0), Error) << r.gid << "." << r.bid;
  }
  ASSERT_FALSE(d.peer({0, 0}, 5).connected);
  for (const int port : {-1, 5, d.num_ports()}) {
    EXPECT_THROW(n.fail_link({0, 0}, port, 0), Error) << port;
    EXPECT_THROW(n.repair_link({0, 0}, port, 0), Error) << port;
  }
  EXPECT_NO_THROW(n.fail_link({7, 3}, 0, 0)) << "of a node";
  p.timing.entries = num_rows(d) - 1;
  EXPECT_THROW(FaultPlaneNetwork(d, p), Error) << "a row too few";
}

}  // namespace
}  // namespace odonata::fault::test
