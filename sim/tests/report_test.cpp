// SPDX-License-Identifier: Apache-2.0
// The report: one file that needs nothing else, whatever the results contain.
#include "sim/report/report.h"

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

/// Without the scripts and styles of others, which name where they come from and XML's name spaces; the tests in a
/// browser see what is asked for.
std::string without_libraries(std::string page) {
  for (size_t at = page.find("<script>\n/*! "); at != std::string::npos; at = page.find("<script>\n/*! ", at)) {
    page.erase(at, page.find("</script>", at) - at);
  }
  return page;
}

/// Whether the page could fetch anything: only references inside the page are allowed.
void expect_self_contained(const std::string& whole) {
  const std::string page = without_libraries(whole);
  for (const char* word :
       {"http:", "https:", "//cdn", "@import", " src=", "<link", "fetch(", "XMLHttpRequest", "import("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
  for (size_t at = page.find("href=\""); at != std::string::npos; at = page.find("href=\"", at + 1))
    EXPECT_EQ(page[at + 6], '#');
  for (size_t at = page.find("url("); at != std::string::npos; at = page.find("url(", at + 1))
    EXPECT_EQ(page[at + 4], '#');
}

TEST(ReportPage, IsSelfContained) { expect_self_contained(report_page("Title", {{{"command", "x"}}})); }

TEST(ReportPage, ResultsCannotBreakOut) {
  const Json evil = {{"command", "</script><script>alert(1)</script>"}, {"why", "<!--"}};
  const std::string page = report_page("<b>&", {evil});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;b>&amp;</title>"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos) << "a placeholder was left";
  const std::string marked = report_page("{{data}} {{style}}", {{{"command", "{{script}}"}}});
  EXPECT_NE(marked.find("<title>{{data}} {{style}}</title>"), std::string::npos);
  EXPECT_NE(marked.find(R"("command":"{{script}}")"), std::string::npos);
}

class Report : public ProgramTest {
 protected:
  /// Results of real runs, and one made up with every other kind of section.
  std::string results() {
    EXPECT_EQ(run("pipeline --size tiny --requests 100 --json " + path("1.json")).exit_code, 0);
    EXPECT_EQ(
        run("route --size tiny --from 0,1,0 --to 5,2,1 --congested global:G0-G5 --json " + path("2.json")).exit_code,
        0);
    const Json sections = {
        {{"type", "text"}, {"title", "A text"}, {"text", "words"}},
        {{"type", "list"}, {"title", "A list"}, {"items", {"one", "two"}}},
        {{"type", "bars"},
         {"title", "Some bars"},
         {"bars", {{{"label", "GA"}, {"value", 3}}, {{"label", "GB"}, {"value", 0}, {"bad", true}}}}},
        {{"type", "lines"},
         {"title", "A chart"},
         {"x_label", "load"},
         {"y_label", "cycles"},
         {"series", {{{"name", "DOAR"}, {"points", {{0.1, 120}, {0.2, 130}}}}}}},
        {{"type", "coverage"},
         {"title", "Coverage"},
         {"coverage",
          {{"percent", 50},
           {"bins", 2},
           {"reached", 1},
           {"unreachable", 1},
           {"groups", {{{"name", "zone"}, {"bins", 2}, {"reached", 1}, {"unreachable", 1}, {"hits", 7}}}},
           {"unreached", {"zone: N"}},
           {"contradicted", Json::array()},
           {"justifications", {{{"text", "cannot happen"}, {"bins", 1}}}}}}}};
    file("3.json", Json{{"command", "cosim"}, {"verdict", "pass"}, {"compared", 1000}, {"report", sections}}.dump());
    return path("1.json") + " " + path("2.json") + " " + path("3.json");
  }
};

TEST_F(Report, IsOneFileWithEverything) {
  const Ran ran = run("report --in " + results() + " --out " + path("index.html"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string page = read_text(path("index.html"));
  expect_self_contained(page);
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* words : {"Cycle counts of the route-compute pipeline", "The pipeline at work", "Path example"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(files(), 4);
}

TEST_F(Report, ViewMakesThePageOfOneResult) {
  EXPECT_EQ(run("fault --torus 4x4 --fail node:1,1 --json " + path("fault.json")).exit_code, 0);
  Ran ran = run("view " + path("fault.json"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  expect_self_contained(read_text(path("fault.html")));
  EXPECT_EQ(files(), 2);
  ran = run("view " + path("fault.json") + " --out " + path("other.html"));
  EXPECT_EQ(read_text(path("other.html")), read_text(path("fault.html")));
  expect_refused(run("view " + path("fault.json") + " --out " + path("fault.json")), "--out");
  expect_refused(run("view " + file("bad.json", "[1]")), "bad.json");
  EXPECT_EQ(files(), 4) << "no half page";
  EXPECT_EQ(run("fault-study --size tiny --class local --samples 5 --part 0/2 --json " + path("part.json")).exit_code,
            0);
  EXPECT_EQ(run("view " + path("part.json")).exit_code, 0) << "what a job of many leaves is a result, too";
}

/// A counter stands where its interval begins.
TEST_F(Report, CountersOfATraceHaveTheirCycles) {
  const Json run_ =
      run_json("net --size tiny --load 0.2 --warmup 100 --cycles 300 --timeline 100 --trace " + path("trace.json"));
  std::set<int> cycles;
  const Json trace = Json::parse(read_text(path("trace.json")));
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "C") cycles.insert(event["ts"].get<int>());
  }
  std::set<int> firsts;
  for (const Json& interval : run_["timeline"]) firsts.insert(interval["first"].get<int>());
  EXPECT_EQ(cycles, firsts);
  EXPECT_TRUE(cycles.count(100) == 1 && cycles.count(200) == 1) << *cycles.begin();
}

/// By cycle, whatever the order of the command line; a node is at its router alone.
TEST_F(Report, FaultsOfLinkWindowsStandInTheirOrder) {
  const Json r = run_json(
      "net --size tiny --load 0.2 --warmup 0 --cycles 1000 --timeline 200 --fail global:G0-G2@200 --fail "
      "global:G0-G2@600 --repair global:G0-G2@400 --fail node:G0.s1.n0@300 --fail router:G3.s0@500");
  std::string all;
  for (const Json& f : r["link_windows"]["faults"]) {
    all += std::to_string(f["cycle"].get<int>()) + (f["repair"].get<bool>() ? "+" : "-");
    all += f.contains("to") ? f["to"] == f["from"] ? "node " : "link " : "router ";
  }
  EXPECT_EQ(all, "200-link 300-node 400+link 500-router 600-link ");
}

/// Threads of the same name in two processes are two tracks, one of another name is its own.
TEST_F(Report, ThreadsOfTheSameNameHaveTheirOwnTracks) {
  const auto name = [](int pid, const char* kind, const char* tid, const char* text) {
    return std::string(R"({"ph": "M", "pid": )") + std::to_string(pid) + R"(, "tid": )" + tid + R"(, "name": ")" +
           kind + R"(", "args": {"name": ")" + text + R"("}},)";
  };
  const std::string in =
      file("two.json", R"({"traceEvents": [)" + name(1, "process_name", "0", "model") +
                           name(2, "process_name", "0", "RTL") + name(1, "thread_name", "1", "G0.s0") +
                           name(2, "thread_name", "1", "G0.s0") + name(2, "thread_name", "2", "G0.s1") +
                           R"({"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "a"},
                         {"ph": "X", "pid": 2, "tid": 1, "ts": 4, "dur": 2, "name": "b"},
                         {"ph": "X", "pid": 2, "tid": 2, "ts": 6, "dur": 2, "name": "c"}]})");
  ASSERT_EQ(run("view " + in).exit_code, 0);
  const std::string page = read_text(path("two.html"));
  const size_t data = page.find("id=\"data\">") + 10;
  const Json shown = Json::parse(page.substr(data, page.find("</script>", data) - data))["results"][0]["report"];
  EXPECT_EQ(shown[0]["tracks"], Json({"G0.s0, model", "G0.s0, RTL", "G0.s1"})) << shown.dump();
}

/// Category, name and number together say which arrow begins and ends.
TEST_F(Report, ArrowsOfAnotherCategoryAreOthers) {
  const std::string in = file("two.json", R"({"traceEvents": [
    {"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "name": "a"},
    {"ph": "s", "pid": 1, "tid": 1, "ts": 2, "cat": "FD", "name": "to", "id": 5},
    {"ph": "s", "pid": 1, "tid": 1, "ts": 3, "cat": "FR", "name": "to", "id": 5},
    {"ph": "f", "pid": 1, "tid": 1, "ts": 6, "cat": "FD", "name": "to", "id": 5},
    {"ph": "f", "pid": 1, "tid": 1, "ts": 7, "cat": "FR", "name": "to", "id": 5}]})");
  ASSERT_EQ(run("view " + in).exit_code, 0);
  const std::string page = read_text(path("two.html"));
  const size_t data = page.find("id=\"data\">") + 10;
  const Json shown = Json::parse(page.substr(data, page.find("</script>", data) - data))["results"][0]["report"];
  EXPECT_EQ(shown[0]["arrows"], Json({{0, 0, 2, 6}, {0, 0, 3, 7}})) << shown.dump();
}

/// 20,000 slices are drawn, and of more it is said.
TEST_F(Report, ViewDrawsTwentyThousandSlices) {
  for (const int count : {20'000, 20'001}) {
    std::string slices;
    for (int i = 0; i < count; ++i)
      slices += fmt::format("{}{{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": {}, \"dur\": 1, \"name\": \"s{}\"}}",
                            i == 0 ? "" : ",", i, i);
    ASSERT_EQ(run("view " + file("many.json", "{\"traceEvents\": [" + slices + "]}")).exit_code, 0);
    const std::string page = read_text(path("many.html"));
    EXPECT_NE(page.find("\"s19999\""), std::string::npos) << count;
    EXPECT_EQ(page.find("\"s20000\""), std::string::npos);
    EXPECT_EQ(page.find("The first 20000 of 20001 slices") != std::string::npos, count == 20'001);
  }
}

TEST_F(Report, ViewMakesThePageOfATrace) {
  EXPECT_EQ(run("fault --size tiny --fail global:G0-G2 --trace " + path("fault.json")).exit_code, 0);
  EXPECT_EQ(
      run("net --size tiny --load 0.2 --warmup 100 --cycles 500 --timeline 100 --trace " + path("net.json")).exit_code,
      0);
  EXPECT_EQ(run("cosim --size tiny --plant gb-gc-swap --artifacts " + path("out") + " --mismatch-trace " +
                path("mismatch.json"))
                .exit_code,
            1);
  for (const char* name : {"fault", "net", "mismatch"}) {
    const std::string in = path(name) + ".json", out = path(name) + ".html";
    const Ran ran = run("view " + in);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::string page = read_text(out);
    const size_t data = page.find("id=\"data\">") + 10;
    const Json shown = Json::parse(page.substr(data, page.find("</script>", data) - data))["results"][0]["report"];
    size_t slices = 0, points = 0, events = 0;
    for (const Json& section : shown) {
      if (section["type"] == "tracks") {
        slices += section["slices"].size();
        int64_t first = INT64_MAX, last = INT64_MIN;
        for (const Json& slice : section["slices"]) {
          first = std::min(first, slice[1].get<int64_t>());
          last = std::max(last, slice[2].get<int64_t>());
        }
        EXPECT_EQ(section["first"], first) << name;
        EXPECT_EQ(section["last"], last) << name;
      }
      if (section["type"] == "lines") points += section["series"][0]["points"].size();
    }
    const Json trace = Json::parse(read_text(in));
    for (const Json& event : trace["traceEvents"]) events += event["ph"] == "X" || event["ph"] == "C";
    EXPECT_EQ(slices + points, events) << name;
    EXPECT_GT(events, 4u) << name;
  }
  for (const char* events : {"[]", "3", "[3]", R"([{"ph": "M"}])",
                             R"([{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "x"}}])",
                             R"([{"ph": "X", "pid": 0, "tid": "a", "ts": 1, "dur": 1, "name": "x"}])",
                             R"([{"ph": "X", "pid": 0, "tid": 1, "ts": 1e300, "dur": 1, "name": "x"}])",
                             R"([{"ph": "C", "name": "x", "ts": 1, "args": {"n": "many"}}])"}) {
    const std::string in = file("bad.json", std::string("{\"traceEvents\": ") + events + "}");
    expect_refused(run("view " + in), "bad.json': traceEvents");
    EXPECT_FALSE(std::filesystem::exists(path("bad.html")));
  }
}

/// Of a quiet interval there is no latency, and so no point: a curve has numbers alone.
TEST_F(Report, AQuietIntervalHasNoPoint) {
  const Json timeline = run_json("net --size tiny --load 0.01 --warmup 0 --cycles 40 --timeline 5 --page " +
                                 path("quiet.html"))["timeline"];
  const auto quiet = std::count_if(timeline.begin(), timeline.end(),
                                   [](const Json& interval) { return interval.at("latency").is_null(); });
  EXPECT_GT(quiet, 0);
  const std::string page = read_text(path("quiet.html"));
  const size_t data = page.find("id=\"data\">") + 10;
  const Json shown = Json::parse(page.substr(data, page.find("</script>", data) - data))["results"][0]["report"];
  bool found = false;
  for (const Json& section : shown) {
    if (section.value("title", "").find("Latency over time") == std::string::npos) continue;
    found = true;
    EXPECT_EQ(section["series"][0]["points"].size(), timeline.size() - static_cast<size_t>(quiet));
  }
  EXPECT_TRUE(found);
  const std::string lines =
      R"({"command": "x", "report": [{"type": "lines", "title": "t", "x_label": "x", "y_label": "y",
      "series": [{"name": "a", "points": [[1, )";
  expect_refused(run("report --in " + file("r.json", lines + "null]]}]}]}") + " --out " + path("r.html")),
                 "expected a list that begins with two numbers");
}

/// A drawing needs its library, whatever the only one on a page is.
TEST_F(Report, APageHasTheLibraryThatItDrawsWith) {
  const std::string axes = R"("title": "t", "x_label": "x", "y_label": "y", )";
  const std::tuple<std::string, std::string, std::string> sections[] = {
      {"lines", axes + R"("series": [{"name": "a", "points": [[1, 2], [2, 3]]}])", "uplot"},
      {"scatter", axes + R"("points": [{"x": 1, "y": 2, "name": "a"}])", "uplot"},
      {"timing", R"("title": "t", "lanes": [{"name": "a", "cells": [null]}])", "wavedrom"},
      {"waves", R"("title": "t", "first": 0, "lanes": [{"name": "a", "values": ["1"]}])", "wavedrom"},
      {"list", R"("title": "t", "items": ["one"])", ""}};
  for (const auto& [type, what, drawn] : sections) {
    const std::string in = file("r.json", R"({"command": "x", "report": [{"type": ")" + type + "\", " + what + "}]}");
    ASSERT_EQ(run("report --in " + in + " --out " + path("r.html")).exit_code, 0) << type;
    const std::string page = read_text(path("r.html"));
    for (const std::string library : {"uplot", "wavedrom"})
      EXPECT_EQ(page.find("/*! " + library + "\n") != std::string::npos, drawn == library) << type << ", " << library;
  }
}

/// One link, and no, one or two loads of it.
constexpr const char* kOneLink[] = {
    R"({"command": "x", "report": [{"type": "dragonfly", "title": "t", "groups": 2, "routers": 2, "links": [],
        "windows": true}], "link_windows": {"links": [[0, 1]], "faults": [],
        "windows": [{"first": 0, "last": 9, "load": ""}]}})",
    R"({"command": "x", "report": [{"type": "dragonfly", "title": "t", "groups": 2, "routers": 2, "links": [],
        "windows": true}], "link_windows": {"links": [[0, 1]], "faults": [],
        "windows": [{"first": 0, "last": 9, "load": "A"}]}})",
    R"({"command": "x", "report": [{"type": "dragonfly", "title": "t", "groups": 2, "routers": 2, "links": [],
        "windows": true}], "link_windows": {"links": [[0, 1]], "faults": [],
        "windows": [{"first": 0, "last": 9, "load": "AA"}]}})"};

TEST_F(Report, AWindowHasALoadForEachLink) {
  EXPECT_EQ(run("report --in " + file("good.json", kOneLink[1]) + " --out " + path("good.html")).exit_code, 0);
  for (const int loads : {0, 2}) {
    expect_refused(run("report --in " + file("bad.json", kOneLink[loads]) + " --out " + path("bad.html")),
                   "a window has not a load for each link");
  }
}

TEST_F(Report, RefusesWhatIsNoResult) {
  const char* const bad[] = {
      R"({"command": "x", "levels": {"rtl": null}})",
      R"({"command": "x", "facts": {"a": [1]}})",
      R"({"command": "x", "report": [3]})",
      R"({"command": "x", "report": [{"type": "nonsense", "title": "t"}]})",
      R"({"command": "x", "report": [{"type": "list", "title": "t"}]})",
      R"({"command": "x", "report": [{"type": "lines", "title": "t", "x_label": "x", "y_label": "y",
          "series": [{"name": "a", "points": [[1]]}]}]})",
      R"({"command": "x", "report": [{"type": "path", "title": "t"}]})",
      R"({"command": "x", "report": [{"type": "coverage", "title": "t"}]})",
      R"({"command": "x", "report": [{"type": "dragonfly", "title": "t", "groups": 2, "routers": 2,
          "links": [], "windows": true}]})",
      "",
      "{",
      "[]",
      "{\"verdict\": 1}",
      "{\"command\": 3}",
      "{\"command\": \"x\", \"report\": 1}",
      "\xff\xfe"};
  for (const char* text : bad) {
    const std::string in = file("bad.json", text);
    expect_refused(run("report --in " + in + " --out " + path("index.html")), in);
    EXPECT_EQ(files(), 1);
  }
}

TEST_F(Report, SaysWhereASectionIsWrong) {
  const std::string in =
      file("bad.json",
           R"({"command": "x", "report": [{"type": "bars", "title": "t", "bars": [{"label": "a", "value": "3"}]}]})");
  expect_refused(run("view " + in), "bad.json': report[0].bars[0].value: expected a number");
  EXPECT_EQ(files(), 1);
}

/// A way of a packet is drawn from what lies beside its section: all of that is asked for, by its name.
TEST_F(Report, SaysWhatAPacketsWayLacks) {
  Json route = run_json("route --size tiny --from 0,1,0 --to 5,2,1");
  const auto view = [this](const Json& result) { return run("view " + file("way.json", result.dump())); };
  const auto without = [&](const char* place) {
    const Json::json_pointer at(place);
    Json result = route;
    if (result[at.parent_pointer()].is_array()) {
      result[at.parent_pointer()].clear();
    } else {
      result[at.parent_pointer()].erase(at.back());
    }
    return result;
  };
  EXPECT_EQ(view(route).exit_code, 0);
  EXPECT_EQ(view(without("/minimal_path")).exit_code, 0);
  const std::pair<const char*, const char*> lacking[] = {{"/from/gid", "result.from.gid: missing"},
                                                         {"/from/bid", "result.from.bid: missing"},
                                                         {"/from/nid", "result.from.nid: missing"},
                                                         {"/to/gid", "result.to.gid: missing"},
                                                         {"/to/nid", "result.to.nid: missing"},
                                                         {"/minimal_path/1/bid", "result.minimal_path[1].bid: missing"},
                                                         {"/hops/0", "result.hops: no hop"},
                                                         {"/hops/1/unit", "result.hops[1].unit: missing"},
                                                         {"/hops/0/winner/port", "result.hops[0].winner.port: missing"},
                                                         {"/hops/1/winner/name", "result.hops[1].winner.name: missing"},
                                                         {"/hops/2/winner/vc", "result.hops[2].winner.vc: missing"}};
  for (const auto& [place, words] : lacking) expect_refused(view(without(place)), std::string("way.json': ") + words);
  route["hops"].back()["winner"] = nullptr;  // of a packet that goes no further
  EXPECT_EQ(view(route).exit_code, 0);
  route["to"]["nid"] = "1";
  expect_refused(view(route), "way.json': result.to.nid: expected a number");
}

TEST_F(Report, BrowserDrawsEverySection) {
  if (std::system("command -v chromium >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no chromium here; nobody needs it to use Odonata";
  ASSERT_EQ(run("report --in " + results() + " --out " + path("index.html")).exit_code, 0);
  const std::string command =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync --user-data-dir=" +
      path("profile") + " --dump-dom file://" + path("index.html") + " >" + path("dom.html") + " 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::string dom = read_text(path("dom.html"));
  dom = dom.substr(0, dom.find("application/json"));  // what was drawn, without the data
  for (const char* words : {"Validated: every check", "stage 3 filter", "timing diagram", "path of a packet",
                            "non-minimal", "A chart", "1 of 2", "cannot happen", "Run facts", "odonata pipeline"}) {
    EXPECT_NE(dom.find(words), std::string::npos) << words;
  }
  for (const char* words : {"cannot be drawn", "unknown section", "undefined", "NaN"})
    EXPECT_EQ(dom.find(words), std::string::npos) << words;
}

}  // namespace
}  // namespace odonata::cli
