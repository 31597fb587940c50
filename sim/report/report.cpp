// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "sim/report/template.h"  // generated: kTemplate, kStyle, kScripts

namespace odonata::cli {

namespace {

/// The layout with the text `name` in the place of {{name}}. Marks inside a text stay as they are.
std::string filled(std::string_view layout, const std::map<std::string_view, std::string>& texts) {
  std::string page;
  for (size_t at = layout.find("{{"); at != std::string_view::npos; at = layout.find("{{")) {
    const size_t end = layout.find("}}", at);
    page += layout.substr(0, at);
    page += texts.at(layout.substr(at + 2, end - at - 2));
    layout.remove_prefix(end + 2);
  }
  return page += layout;
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
  std::string libraries, style = kStyle, scripts;
  if (shows(results, {"lines", "scatter"})) {
    libraries += script(kUplot);
    style += kUplotStyle;
  }
  if (shows(results, {"timing", "waves"})) libraries += script(kWavedrom[0]) + script(kWavedrom[1]);
  for (const char* part : kScripts) scripts += part;
  return filled(kTemplate, {{"title", escaped(title)},
                            {"style", style},
                            {"libraries", libraries},
                            {"script", scripts},
                            {"data", embedded({{"title", title}, {"results", results}})}});
}

}  // namespace odonata::cli
