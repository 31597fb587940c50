// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report.h"

#include <fmt/format.h>

#include "sim/report/template.h"  // generated: kTemplate, kStyle, kScript

namespace odonata::cli {

namespace {

/// Replaces the one occurrence of `mark`.
void put(std::string& page, const std::string& mark, const std::string& text) {
  page.replace(page.find(mark), mark.size(), text);
}

/// JSON that may stand inside a script element: no "<", so neither "</script>" nor "<!--" can occur.
std::string embedded(const Json& data) {
  std::string out;
  for (char c : data.dump(-1, ' ', true, Json::error_handler_t::replace))
    out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  return out;
}

}  // namespace

namespace {

/// Whether a section of one of these types is shown.
bool shows(const std::vector<Json>& results, std::initializer_list<std::string_view> types) {
  for (const Json& result : results) {
    if (!result.contains("report")) continue;
    for (const Json& section : result["report"]) {
      for (const std::string_view type : types) {
        if (section.contains("type") && section["type"] == type) return true;
      }
    }
  }
  return false;
}

std::string script(std::string_view text) { return fmt::format("<script>\n{}</script>\n", text); }

}  // namespace

std::string report_page(const std::string& title, const std::vector<Json>& results) {
  std::string page = kTemplate, libraries, style = kStyle, scripts;
  if (shows(results, {"lines", "scatter"})) {
    libraries += script(kUplot);
    style += kUplotStyle;
  }
  if (shows(results, {"timing", "waves"})) libraries += script(kWavedrom[0]) + script(kWavedrom[1]);
  for (const char* part : kScripts) scripts += part;
  put(page, "{{title}}", escaped(title));
  put(page, "{{style}}", style);
  put(page, "{{libraries}}", libraries);
  put(page, "{{script}}", scripts);
  put(page, "{{data}}", embedded({{"title", title}, {"results", results}}));
  return page;
}

}  // namespace odonata::cli
