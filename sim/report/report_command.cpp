// SPDX-License-Identifier: Apache-2.0
// `odonata report`: results as one HTML page.
#include <fmt/format.h>

#include <memory>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/command.h"
#include "sim/common/program.h"
#include "sim/report/report.h"

namespace odonata::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> in;
  std::string out, title = "Odonata";
};

Json read_result(const std::string& path) {
  const Json result = Json::parse(read_text(path), nullptr, false);
  if (result.is_discarded()) throw Error(fmt::format("'{}' is no valid JSON", path));
  if (!result.is_object() || !result.contains("command") || !result["command"].is_string()) {
    throw Error(fmt::format("'{}' is no result of odonata: it has no \"command\"", path));
  }
  if (result.contains("report") && !result["report"].is_array()) {
    throw Error(fmt::format("'{}': \"report\" is no list of sections", path));
  }
  return result;
}

void run_report(const ReportOptions& options) {
  const OutputFile file(options.out);
  std::vector<Json> results;
  for (const std::string& path : options.in) results.push_back(read_result(path));
  const std::string page = report_page(options.title, results);
  file.write(page);
  fmt::print("{}: {} results, {} KB, opens in any browser without a network\n", options.out, results.size(), (page.size() + 1023) / 1024);
}

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

}  // namespace odonata::cli
