// SPDX-License-Identifier: Apache-2.0
#include "sim/report/report.h"

#include "sim/report/template.h"  // generated: kTemplate, kStyle, kScript

namespace odonata::cli {

namespace {

/// Replaces the one occurrence of `mark`.
void put(std::string& page, const std::string& mark, const std::string& text) { page.replace(page.find(mark), mark.size(), text); }

/// JSON that may stand inside a script element: no "<", so neither "</script>" nor "<!--" can occur.
std::string embedded(const Json& data) {
  std::string out;
  for (char c : data.dump(-1, ' ', true, Json::error_handler_t::replace)) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '<' ? std::string("&lt;") : c == '&' ? std::string("&amp;") : std::string(1, c);
  return out;
}

}  // namespace

std::string report_page(const std::string& title, const std::vector<Json>& results) {
  std::string page = kTemplate;
  put(page, "{{title}}", escaped(title));
  put(page, "{{style}}", kStyle);
  put(page, "{{script}}", kScript);
  put(page, "{{data}}", embedded({{"title", title}, {"results", results}}));
  return page;
}

}  // namespace odonata::cli
