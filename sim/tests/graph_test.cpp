// SPDX-License-Identifier: Apache-2.0
// `odonata net --topology FILE.json`: a network of the user, as a person runs it.
#include <fstream>

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class GraphCommand : public ProgramTest {
 protected:
  /// The refusal of a network that differs from a good one in one place.
  void expect_bad(const std::string& good, const std::string& bad, const std::string& words) {
    static const std::string file =
        R"({"switches": ["s0", "s1", "s2"], "nodes": [{"name": "n0", "switch": "s0"}, {"name": "n1", "switch": "s1"}],
      "links": [{"between": ["s0", "s1"], "latency": 3}, {"between": ["s1", "s2"]}],
      "tables": {"s0": {"n1": "s1"}, "s1": {"n0": "s0"}}})";
    std::string text = file;
    const size_t at = text.find(good);
    ASSERT_NE(at, std::string::npos) << good;
    text.replace(at, good.size(), bad);
    std::ofstream(path("net.json")) << text;
    const Ran ran = run("net --topology " + path("net.json") + " --cycles 100");
    expect_refused(ran, words);
    EXPECT_NE(ran.err.find("net.json"), std::string::npos) << ran.err;
  }
};

TEST_F(GraphCommand, RunsTheExamples) {
  const Json hall = run_json("net --topology sim/scenarios/graph_hall.json --load 0.3 --warmup 500 --cycles 3000");
  EXPECT_EQ(hall["topology"]["name"], "machine hall");
  EXPECT_EQ(hall["routing"], "up_down");
  EXPECT_TRUE(hall["conservation_ok"].get<bool>());
  EXPECT_GT(hall["channels"]["link"]["max"].get<double>(), 0.1);
  const Json ring =
      run_json("net --topology sim/scenarios/graph_ring.json --vcs 2 --load 0.3 --warmup 500 --cycles 3000");
  EXPECT_EQ(ring["routing"], "tables");
  EXPECT_TRUE(ring["conservation_ok"].get<bool>());
}

/// Nodes are no links: a switch whose node has the number of the next switch leads there by one link.
TEST_F(GraphCommand, OneLinkBesideNodesIsNoSecondLink) {
  std::ofstream(path("net.json")) << R"({"switches": ["s0", "s1"],
      "nodes": [{"name": "a", "switch": "s0"}, {"name": "b", "switch": "s0"}, {"name": "c", "switch": "s1"}],
      "links": [{"between": ["s0", "s1"]}],
      "tables": {"s0": {"c": "s1"}, "s1": {"a": "s0", "b": "s0"}}})";
  EXPECT_EQ(run_json("net --topology " + path("net.json") + " --load 0.1 --cycles 300")["routing"], "tables");
}

/// Where several links lead to a switch, an entry names one by its number in the file; the ways differ.
TEST_F(GraphCommand, AnEntryNamesOneOfTwoLinks) {
  const auto with_link = [this](int link) {
    std::ofstream(path("net.json")) << R"({"switches": ["s0", "s1"],
        "nodes": [{"name": "a", "switch": "s0"}, {"name": "b", "switch": "s1"}],
        "links": [{"between": ["s0", "s1"], "latency": 40}, {"between": ["s0", "s1"], "latency": 3}],
        "tables": {"s0": {"b": {"to": "s1", "link": )"
                                    << link << R"(}}, "s1": {"a": {"to": "s0", "link": )" << link << "}}}}";
    return "net --load 0.05 --depth 64 --cycles 2000 --topology " + path("net.json");
  };
  const Json slow = run_json(with_link(0)), fast = run_json(with_link(1));
  EXPECT_NEAR(slow["latency"]["mean"].get<double>() - fast["latency"]["mean"].get<double>(), 37, 0.5);
  expect_refused(run(with_link(2)), "tables.s0.b.link: expected a number 0..1");
}

/// The picture has the names of the switches; a domain with fewer switches has places in which nothing stands.
TEST_F(GraphCommand, ThePictureHasTheNamesOfTheSwitches) {
  std::ofstream(path("net.json")) << R"({
      "switches": ["left", {"name": "right", "domain": 1}, "middle"],
      "nodes": [{"name": "a", "switch": "left"}, {"name": "b", "switch": "right"}],
      "links": [{"between": ["left", "middle"]}, {"between": ["middle", "right"]}]})";
  const Json out =
      run_json("net --topology " + path("net.json") + " --load 0.3 --warmup 0 --cycles 300 --timeline 100");
  int pictures = 0;
  for (const Json& section : out["report"]) {
    if (section.contains("places")) {
      ++pictures;
      EXPECT_EQ(section["names"], Json({"left", "middle", "right", ""}));
    }
  }
  EXPECT_GT(pictures, 0);
  // every link, from left to middle inside a domain, too
  EXPECT_EQ(out["link_windows"]["links"], Json::parse("[[0, 1], [1, 0], [1, 2], [2, 1]]"));
  EXPECT_NE(out["report"].dump().find("\"left\""), std::string::npos);
}

/// Of a run that ends early, here in a deadlock, rates are of the cycles that were, not of those that were asked for.
TEST_F(GraphCommand, RatesAreOfTheCyclesThatWere) {
  const Json r = run_json(
      "net --topology sim/scenarios/graph_ring.json --routing shortest --traffic shift+2 --load 1 --packet 8 "
      "--warmup 0 --cycles 20000 --switching wormhole --depth 2 --watchdog 500 --allow-cycles",
      1);
  EXPECT_LT(r["cycles"].get<int>(), 1000);
  EXPECT_NEAR(r["slowest_router"]["sent"].get<double>() * r["cycles"].get<double>() * 6,
              r["in_flight_flits"].get<double>(), 1e-3)
      << "every node has sent as much, and all of it is on its way";
}

TEST_F(GraphCommand, TrafficNeedsTwoNodes) {
  std::ofstream(path("one.json")) << R"({"switches": ["A", "B"], "nodes": [{"name": "a", "switch": "A"}],
                                         "links": [{"between": ["A", "B"]}]})";
  expect_refused(run("net --topology " + path("one.json")), "traffic needs two nodes");
}

TEST_F(GraphCommand, TablesThatCanDeadlockAreRefused) {
  const std::string net =
      "net --topology sim/scenarios/graph_ring.json --routing shortest --traffic shift+2 --load 1 --packet 8 --cycles "
      "20000";
  expect_refused(run(net), "can deadlock: s");
  expect_refused(run(net), "-> s1 VC 0");
  const Ran ran = run(net + " --switching wormhole --depth 2 --watchdog 500 --allow-cycles");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("Deadlock"), std::string::npos) << ran.out;
  expect_refused(run("net --topology sim/scenarios/graph_ring.json"), "virtual channel 1 of 1");
  expect_refused(run("net --topology sim/scenarios/graph_ring.json --routing up_down --allow-cycles"),
                 "--allow-cycles: routing up_down does not look at it");
}

/// The file counts, not its name: another root has other tables, and nothing else of the state would tell.
TEST_F(GraphCommand, ACheckpointIsOfItsGraph) {
  Json hall = Json::parse(read_text("sim/scenarios/graph_hall.json"));
  const auto net = [&](const Json& graph) {
    return "net --topology " + file("hall.json", graph.dump()) + " --load 0.1 --warmup 0 --cycles 400 ";
  };
  const std::string state = path("state");
  ASSERT_EQ(run(net(hall) + "--checkpoint " + state + " --checkpoint-every 200").exit_code, 0);
  EXPECT_EQ(run(net(hall) + "--resume " + state).exit_code, 0);
  Json other = hall;
  other["root"] = hall["switches"].back().is_string() ? hall["switches"].back() : hall["switches"].back()["name"];
  EXPECT_NE(run_json(net(other))["digest"], run_json(net(hall))["digest"]);
  expect_refused(run(net(other) + "--resume " + state), "made with another --topology: 'machine hall, graph ");
  other = hall;
  other["links"][0]["latency"] = hall["links"][0].value("latency", 1) + 1;
  expect_refused(run(net(other) + "--resume " + state), "made with another --topology: 'machine hall, graph ");
}

/// docs/network.md §6: a way of 259 links is one of 254 or more, in JSON, table and page.
TEST_F(GraphCommand, TheLongestWaysAreToldAsSuch) {
  Json line = {{"switches", Json::array()}, {"links", Json::array()}};
  for (int s = 0; s < 260; ++s) {
    line["switches"].push_back("s" + std::to_string(s));
    if (s != 0) line["links"].push_back({{"between", {"s" + std::to_string(s - 1), "s" + std::to_string(s)}}});
  }
  line["nodes"] = {{{"name", "first"}, {"switch", "s0"}}, {{"name", "last"}, {"switch", "s259"}}};
  const Ran ran =
      run("net --topology " + file("line.json", line.dump()) +
          " --load 0.01 --warmup 0 --cycles 2000 --drain 3000 --json " + path("r.json") + " --page " + path("r.html"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("254 hops or more  "), std::string::npos) << ran.out;
  const Json r = Json::parse(read_text(path("r.json")));
  ASSERT_EQ(r["hops"].size(), 255u);
  EXPECT_EQ(r["hops"][254], 1.0);
  EXPECT_NE(read_text(path("r.html")).find("254 links or more"), std::string::npos);
}

TEST_F(GraphCommand, BadFilesAreRefusedInOneLine) {
  expect_bad("\"latency\": 3", "\"latency\": 0", "links[0].latency: expected a number 1..1023");
  expect_bad("\"latency\": 3", "\"delay\": 3", "links[0]: key 'delay' is unknown");
  expect_bad("\"latency\": 3", "\"latency\": 1.5", "links[0].latency: expected a number 1..1023");
  expect_bad("\"latency\": 3", "\"latency\": 1024", "links[0].latency: expected a number 1..1023");
  expect_bad("[\"s1\", \"s2\"]", "{\"a\": \"s1\", \"b\": \"s2\"}", "links[1].between: expected two switches");
  expect_bad("[\"s1\", \"s2\"]", "[\"s1\", \"s9\"]", "there is no switch 's9'");
  expect_bad("[\"s1\", \"s2\"]", "[\"s1\"]", "links[1].between: expected two switches");
  expect_bad("\"switch\": \"s1\"", "\"switch\": 1", "nodes[1].switch: expected a name");
  expect_bad("{\"n1\": \"s1\"}", "{\"n7\": \"s1\"}", "there is no node 'n7'");
  expect_bad("{\"n1\": \"s1\"}", "{\"n1\": \"s2\"}", "no such link leads from 's0' to 's2'");
  expect_bad("{\"n0\": \"s0\"}", "{\"n0\": {\"to\": \"s0\", \"link\": 1}}", "no such link leads from 's1' to 's0'");
  expect_bad("{\"n1\": \"s1\"}", "{\"n1\": \"s1\", \"n1\": \"s2\"}", "key 'n1' is in its object twice");
  expect_bad("{\"between\": [\"s1\", \"s2\"]}", "{\"between\": [\"s1\", \"s2\"]}, {\"between\": [\"s1\", \"s0\"]}",
             "tables.s0.n1: expected a link, several lead from 's0' to 's1'");
  expect_bad("{\"n1\": \"s1\"}", "{}", "find no entry at 's0'");
  expect_bad("[\"s0\", \"s1\", \"s2\"]", "[]", "switches: expected a list that is not empty");
  expect_bad("\"s2\"], \"nodes\"", "\"s1\"], \"nodes\"", "switches[2]: expected a name that no other switch has");
  expect_bad("\"s1\", \"s2\"], \"nodes\"", "{\"name\": \"s1\", \"domain\": 3}, \"s2\"], \"nodes\"",
             "switches[1].domain: expected a number 0..2");
  expect_bad("\"s0\"}, {\"name\": \"n1\", \"switch\": \"s1\"}],",
             "\"s0\", \"address\": 2}, {\"name\": \"n1\", \"switch\": \"s1\"}], \"address_width\": 1,",
             "address 2 does not fit into address_width 1");
  expect_bad("\"tables\"", "\"table\"", "key 'table' is unknown");
  expect_bad("[\"s0\", \"s1\", \"s2\"]", "3", "switches: expected a list that is not empty");
  expect_bad("\"switches\": [\"s0\", \"s1\", \"s2\"], ", "", "switches: expected a list that is not empty");
  expect_bad("\"name\": \"n0\"", "\"name\": \"\"", "nodes[0].name: expected a name");
  expect_bad("{\"name\": \"n0\", \"switch\": \"s0\"}", "3", "nodes[0]: expected an object");
  expect_bad("{\"s0\": {\"n1\": \"s1\"}, \"s1\": {\"n0\": \"s0\"}}", "3", "tables: expected an object of switches");
  expect_bad("\"name\": \"n1\"", "\"name\": \"n0\"", "nodes[1]");
  expect_bad("{\"n1\": \"s1\"}", "3", "tables.s0: expected an object of nodes");
  expect_bad("{\"switches\"", "{\"switches", "no valid JSON");
  expect_refused(run("net --topology " + path("none.json")), "none.json");
  expect_refused(run("net --topology cube:3"), "topology 'cube:3' is unknown");
  expect_refused(run("net --topology mesh:4x4 --mesh 4x4"), "expected one of them");
}

}  // namespace
}  // namespace odonata::cli
