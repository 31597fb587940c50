// SPDX-License-Identifier: Apache-2.0
// The channel dependency graph of whole networks: acyclic with the channel rule of the paper, cyclic with wrong ones.
#include "models/route_compute/dependency.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace odonata::route_compute {
namespace {

table::ConfigurationPolicy policy_of(table::MinimalRouterPolicy minimal) {
  return {table::NeighbourPolicy::spread, minimal};
}

std::string joined(const Dragonfly& d, const DependencyReport& report) {
  std::string out;
  for (const std::string& line : in_words(d, report)) out += line + "\n";
  return out;
}

// ---- the graph itself

TEST(ChannelGraph, EmptyAndChainAreAcyclic) {
  ChannelGraph graph(5);
  EXPECT_TRUE(graph.find_cycle().empty());
  for (int k = 0; k < 4; ++k) graph.add(k, k + 1);
  graph.add(0, 4);
  EXPECT_TRUE(graph.find_cycle().empty());
  EXPECT_EQ(graph.dependencies(), 5);
}

TEST(ChannelGraph, RepeatedDependenciesCountOnce) {
  ChannelGraph graph(2);
  graph.add(0, 1);
  graph.add(0, 1);
  EXPECT_EQ(graph.dependencies(), 1);
}

TEST(ChannelGraph, FindsASelfLoop) {
  ChannelGraph graph(3);
  graph.add(1, 1);
  EXPECT_EQ(graph.find_cycle(), std::vector<int>{1});
}

TEST(ChannelGraph, FindsTheCycleBehindATail) {
  ChannelGraph graph(6);
  graph.add(0, 1), graph.add(1, 2), graph.add(2, 3), graph.add(3, 1), graph.add(3, 4), graph.add(4, 5);
  std::vector<int> cycle = graph.find_cycle();
  std::sort(cycle.begin(), cycle.end());
  EXPECT_EQ(cycle, (std::vector<int>{1, 2, 3}));
}

TEST(ChannelGraph, PrefersTheShortCycle) {
  ChannelGraph graph(5);
  for (int k = 0; k < 5; ++k) graph.add(k, (k + 1) % 5);
  graph.add(1, 0);
  EXPECT_EQ(graph.find_cycle().size(), 2u);
}

// ---- networks

struct Network {
  const char* label;
  DragonflySize size;
  Arrangement arrangement;
  table::MinimalRouterPolicy minimal;
};
std::ostream& operator<<(std::ostream& out, const Network& network) { return out << network.label; }

constexpr auto kExamples = table::MinimalRouterPolicy::examples, kPrinted = table::MinimalRouterPolicy::printed;

class Dependencies : public ::testing::TestWithParam<Network> {};

TEST_P(Dependencies, AreAcyclicAndEveryOptionEndsWithinSixLinks) {
  const Dragonfly d(GetParam().size, GetParam().arrangement);
  NetworkTables network(d, policy_of(GetParam().minimal));
  const DependencyReport report = explore_dependencies(network);
  EXPECT_TRUE(report.good()) << joined(d, report);
  EXPECT_LE(report.max_links, kMaxHops);
  EXPECT_LE(report.max_vc, 3);
  EXPECT_GT(report.dependencies, 0);
  RecordProperty("states", std::to_string(report.states));
  RecordProperty("dependencies", std::to_string(report.dependencies));
}

INSTANTIATE_TEST_SUITE_P(Of, Dependencies,
                         ::testing::Values(Network{"Tiny", {2, 4, 2, 8}, Arrangement::direct, kExamples},
                                           Network{"TinyPrinted", {2, 4, 2, 8}, Arrangement::direct, kPrinted},
                                           Network{"TinyAbsolute", {2, 4, 2, 9}, Arrangement::absolute, kExamples},
                                           Network{"OddDirect", {3, 5, 3, 7}, Arrangement::direct, kExamples},
                                           Network{"OddDirectPrinted", {3, 5, 3, 7}, Arrangement::direct, kPrinted},
                                           Network{"Smallest", {1, 2, 1, 2}, Arrangement::direct, kExamples},
                                           Network{"ThousandNodes", {4, 8, 4, 33}, Arrangement::absolute, kExamples},
                                           Network{
                                               "ThousandNodesPrinted", {4, 8, 4, 33}, Arrangement::absolute, kPrinted},
                                           Network{"Paper", {6, 12, 6, 73}, Arrangement::absolute, kExamples},
                                           Network{"PaperPrinted", {6, 12, 6, 73}, Arrangement::absolute, kPrinted}),
                         [](const auto& info) { return std::string(info.param.label); });

TEST(Dependencies, OfTheTinyNetworkUseAllFourChannelsAndSixLinks) {
  NetworkTables network(Dragonfly::named("tiny"));
  const DependencyReport report = explore_dependencies(network);
  EXPECT_EQ(report.max_vc, 3);
  EXPECT_EQ(report.max_links, 6);
}

// ---- negative controls

/// Explores the tiny network with a wrong rule; there has to be a cycle, and it is printed.
DependencyReport with_wrong_rule(const VcRule& rule) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  DependencyOptions options;
  options.vc_rule = rule;
  DependencyReport report = explore_dependencies(network, options);
  EXPECT_FALSE(report.acyclic());
  std::printf("%s", joined(d, report).c_str());
  return report;
}

/// Each channel of the cycle has to end at the router where the next one starts.
void expect_closed(const DependencyReport& report) {
  const Dragonfly d = Dragonfly::named("tiny");
  ASSERT_FALSE(report.cycle.empty());
  for (size_t k = 0; k < report.cycle.size(); ++k) {
    const Channel &at = report.cycle[k], &next = report.cycle[(k + 1) % report.cycle.size()];
    EXPECT_EQ(d.peer(at.router, at.port).router, next.router);
  }
}

TEST(NegativeControl, NoIncrementAtEqualLevelMakesACycleOfLocalLinks) {
  const DependencyReport report = with_wrong_rule(
      [](PortClass in, PortClass out, int vc) { return in == PortClass::node ? 0 : vc + (out > in ? 1 : 0); });
  expect_closed(report);
  for (const Channel& c : report.cycle) EXPECT_TRUE(Dragonfly::named("tiny").is_local_port(c.port));
}

TEST(NegativeControl, NoIncrementFromLocalToGlobalMakesACycle) {
  const DependencyReport report = with_wrong_rule(
      [](PortClass in, PortClass out, int vc) { return in == PortClass::node ? 0 : vc + (out == in ? 1 : 0); });
  expect_closed(report);
}

TEST(NegativeControl, OneChannelForAllMakesACycle) {
  expect_closed(with_wrong_rule([](PortClass, PortClass, int) { return 0; }));
}

TEST(NegativeControl, IncrementAtEveryLinkRunsOutOfChannels) {
  NetworkTables network(Dragonfly::named("tiny"));
  DependencyOptions options;
  options.vc_rule = [](PortClass in, PortClass, int vc) { return in == PortClass::node ? 0 : vc + 1; };
  const DependencyReport report = explore_dependencies(network, options);
  EXPECT_TRUE(report.acyclic());
  EXPECT_FALSE(report.good());
  EXPECT_NE(report.problems.front().find("needs virtual channel 4"), std::string::npos) << report.problems.front();
}

TEST(Dependencies, InWords) {
  const Dragonfly d = Dragonfly::named("tiny");
  DependencyReport report;
  report.dependencies = 7;
  report.max_vc = 2;
  report.max_links = 5;
  const std::string counts = "7 dependencies, virtual channels up to 2, paths of at most 5 links";
  EXPECT_EQ(in_words(d, report), std::vector<std::string>{"acyclic: " + counts});
  report.cycle = {{{1, 2}, d.global_port(0), 1}};
  report.num_problems = 9;
  report.problems = {"first"};
  const std::vector<std::string> words = in_words(d, report);
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[0], "a cycle of 1 channels, each waits for the next (" + counts + "):");
  EXPECT_EQ(words[1], "  group 1, router 2, global port 5 to group 4, VC 1");
  EXPECT_EQ(words[2], "9 problems, among them:");
  EXPECT_EQ(words[3], "  first");
}

TEST(NegativeControl, AFailedLinkWithoutDiagnosisIsADeadEnd) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  network.fail_link({0, 0}, d.local_port(0, 1));
  const DependencyReport report = explore_dependencies(network);
  EXPECT_GT(report.num_problems, 0);
  EXPECT_NE(report.problems.front().find("has no option"), std::string::npos) << report.problems.front();
}

/// A router whose registers tell it the wrong number takes packets for its own and gives them to its nodes.
TEST(NegativeControl, ARouterThatTakesItselfForAnotherDeliversToTheWrongNode) {
  NetworkTables network(Dragonfly::named("tiny"));
  const int port = network.dragonfly().local_port(1, 0);
  const_cast<UnitConfig&>(network.config({0, 1}, port)) = network.config({0, 2}, network.dragonfly().local_port(2, 0));
  const DependencyReport report = explore_dependencies(network);
  EXPECT_GT(report.num_problems, 0);
  int wrong = 0;
  for (const std::string& words : report.problems) wrong += words.find("sends to the wrong") != std::string::npos;
  EXPECT_GT(wrong, 0) << joined(network.dragonfly(), report);
}

/// Destinations are explored one by one: the number of problems is the sum of theirs, only their texts are bounded.
TEST(NegativeControl, AllProblemsAreCountedAndEightAreShown) {
  const Dragonfly d = Dragonfly::named("tiny");
  NetworkTables network(d);
  network.fail_link({0, 0}, d.local_port(0, 1));
  const DependencyReport all = explore_dependencies(network);
  int64_t sum = 0;
  for (int r = 0; r < d.num_routers(); ++r) {
    const DependencyReport one = explore_dependencies(network, {.destinations = {d.router(r)}});
    EXPECT_EQ(one.problems.size(), std::min<size_t>(one.num_problems, 8)) << r;
    sum += one.num_problems;
  }
  EXPECT_GT(sum, 8);
  EXPECT_EQ(all.num_problems, sum);
  EXPECT_EQ(all.problems.size(), 8u);
  EXPECT_NE(joined(d, all).find(std::to_string(sum) + " problems, among them:"), std::string::npos);
}

TEST(Dependencies, OnlyTheChosenDestinationsAreExplored) {
  NetworkTables network(Dragonfly::named("tiny"));
  DependencyOptions one;
  one.destinations = {{3, 2}};
  EXPECT_LT(explore_dependencies(network, one).states, explore_dependencies(network).states / 20);
}

}  // namespace
}  // namespace odonata::route_compute
