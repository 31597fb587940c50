// SPDX-License-Identifier: Apache-2.0
// `odonata report`: results as one HTML page; `odonata view`: one result as its page.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/command.h"
#include "sim/common/program.h"
#include "sim/report/check.h"
#include "sim/report/report.h"
#include "sim/report/trace_view.h"

namespace odonata::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> in;
  std::string out, title = "Odonata";
};

Json read_result(const std::string& path) {
  Json result = parse_json(read_text(path));
  if (result.is_discarded()) throw Error(fmt::format("'{}' is no valid JSON", path));
  try {
    if (is_trace(result)) result = trace_result(result);
  } catch (const Error& e) {
    throw Error(fmt::format("'{}': {}", path, e.what()));
  }
  if (const std::string problem = result_problem(result); !problem.empty())
    throw Error(fmt::format("'{}': {}", path, problem));
  return result;
}

void run_report(const ReportOptions& options) {
  const OutputFile file(options.out);
  std::vector<Json> results;
  for (const std::string& path : options.in) results.push_back(read_result(path));
  const std::string page = report_page(options.title, results);
  file.write(page);
  fmt::print("{}: {} results, {} KB, opens in any browser without a network\n", options.out, results.size(),
             (page.size() + 1023) / 1024);
}

struct ViewOptions {
  std::string in, out;
};

void run_view(const ViewOptions& options) {
  const Json result = read_result(options.in);
  const std::string beside = std::filesystem::path(options.in).replace_extension(".html").string();
  const std::string& path = options.out.empty() ? beside : options.out;
  if (path == options.in) throw Error(fmt::format("--out {}: that is the result itself, expected another file", path));
  const OutputFile file(path);
  file.write(report_page("odonata " + result["command"].get<std::string>(), {result}));
  fmt::print("{}: odonata {}, opens in any browser without a network\n", path, result["command"].get<std::string>());
}

constexpr const char* kViewExamples =
    "  odonata view out/3-route.json                          (writes out/3-route.html)\n"
    "  odonata net --size tiny --json out/n.json && odonata view out/n.json --out out/n.html\n"
    "  odonata view out/fault_trace.json                      (a trace of --trace or --mismatch-trace, too)\n";

constexpr const char* kExamples =
    "  odonata report --in out/pipeline.json out/route.json --out out/index.html\n"
    "  odonata report --in out/*.json --out out/index.html\n";

}  // namespace

void add_report_command(CLI::App& app) {
  Command command = add_command(app, "report", "Make one self-contained HTML page from JSON results", kExamples);
  auto options = std::make_shared<ReportOptions>();
  command.add_option("--in", options->in, "JSON results, in the order to show").type_name("FILES").required();
  command.add_option("--out", options->out, "HTML file to write").type_name("FILE").required();
  command.add_option("--title", options->title, "title of the page");
  command.callback([options] { run_report(*options); });
}

void add_view_command(CLI::App& app) {
  Command command =
      add_command(app, "view", "Make the page of one JSON result or trace, whatever command wrote it", kViewExamples);
  auto options = std::make_shared<ViewOptions>();
  command.add_option("result", options->in, "JSON result of any command, or a trace")
      .type_name("RESULT.json")
      .required();
  command.add_option("--out", options->out, "HTML file to write; default: beside the result, with the ending .html")
      .type_name("FILE");
  command.callback([options] { run_view(*options); });
}

}  // namespace odonata::cli
