// SPDX-License-Identifier: Apache-2.0
#include "sim/report/check.h"

#include <fmt/format.h>

#include "sim/report/template.h"  // generated: kSections

namespace odonata::cli {

namespace {

bool is_point(const Json& value) {
  return value.is_array() && value.size() >= 2 && value[0].is_number() && value[1].is_number();
}

/// A word of sections.json, and what is said of a value that is not that.
struct Kind {
  std::string_view word, expected;
  bool (*fits)(const Json&);
};
constexpr Kind kKinds[] = {
    {"any", "anything", [](const Json&) { return true; }},
    {"text", "a text", [](const Json& v) { return v.is_string(); }},
    {"number", "a number", [](const Json& v) { return v.is_number(); }},
    {"cell", "a text or a number", [](const Json& v) { return v.is_primitive(); }},
    {"point", "a list that begins with two numbers", is_point},
};

std::string problem_of(const Json& value, const Json& schema, const std::string& where);

std::string problem_of_member(const Json& object, std::string name, const Json& schema, const std::string& where) {
  const bool optional = name.back() == '?';
  if (optional) name.pop_back();
  if (!object.contains(name)) return optional ? "" : fmt::format("{}.{}: missing", where, name);
  return problem_of(object[name], schema, fmt::format("{}.{}", where, name));
}

std::string problem_of_object(const Json& object, const Json& schema, const std::string& where) {
  if (!object.is_object()) return where + ": expected an object";
  for (const auto& [name, part] : schema.items()) {
    std::string problem;
    if (name != "*") {
      problem = problem_of_member(object, name, part, where);
    } else {
      for (const auto& [member, value] : object.items()) {
        if (problem.empty()) problem = problem_of(value, part, fmt::format("{}.{}", where, member));
      }
    }
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string problem_of(const Json& value, const Json& schema, const std::string& where) {
  if (schema.is_object()) return problem_of_object(value, schema, where);
  if (schema.is_array()) {
    if (!value.is_array()) return where + ": expected a list";
    for (size_t i = 0; i < value.size(); ++i) {
      if (std::string problem = problem_of(value[i], schema[0], fmt::format("{}[{}]", where, i)); !problem.empty())
        return problem;
    }
    return "";
  }
  const auto word = schema.get<std::string_view>();
  for (const Kind& kind : kKinds) {
    if (kind.word == word) return kind.fits(value) ? "" : fmt::format("{}: expected {}", where, kind.expected);
  }
  return fmt::format("{}: sections.json says '{}'", where, word);
}

/// What draws a packet's way; where a packet goes no further its hop has no winner (null).
std::string problem_of_route(const Json& result, const Json& schema) {
  std::string problem = problem_of(result, schema["route"], "result");
  if (!problem.empty()) return problem;
  const Json& hops = result["hops"];
  if (hops.empty()) return "result.hops: no hop";
  for (size_t i = 0; problem.empty() && i < hops.size(); ++i) {
    if (hops[i].contains("winner") && !hops[i]["winner"].is_null())
      problem = problem_of(hops[i]["winner"], schema["winner"], fmt::format("result.hops[{}].winner", i));
  }
  return problem;
}

/// What a section draws that may lie beside it in the result.
std::string problem_elsewhere(const Json& section, const Json& result, const Json& schema, const std::string& where) {
  const std::string type = section["type"];
  if (type == "path") return problem_of_route(result, schema);
  const std::string name = type == "coverage"                                 ? "coverage"
                           : type == "network" || section.contains("windows") ? "link_windows"
                                                                              : "";
  if (name.empty()) return "";
  const Json& holder = section.contains(name) ? section : result;
  const std::string at = section.contains(name) ? where : "result";
  if (std::string problem = problem_of_member(holder, name, schema[name], at); !problem.empty() || name == "coverage")
    return problem;
  for (const Json& window : holder[name]["windows"]) {
    if (window["load"].get<std::string_view>().size() != holder[name]["links"].size())
      return at + ".link_windows: a window has not a load for each link";
  }
  return holder[name]["windows"].empty() ? at + ".link_windows: no window" : "";
}

}  // namespace

std::string result_problem(const Json& result) {
  static const Json schema = Json::parse(kSections);
  if (!result.is_object() || !result.contains("command")) return "no result of odonata: it has no \"command\"";
  if (std::string problem = problem_of(result, schema["result"], "result"); !problem.empty()) return problem;
  for (size_t i = 0; result.contains("report") && i < result["report"].size(); ++i) {
    const Json& section = result["report"][i];
    const std::string where = fmt::format("report[{}]", i), type = section["type"];
    if (!schema["sections"].contains(type)) return fmt::format("{}: unknown section type '{}'", where, type);
    std::string problem = problem_of(section, schema["sections"][type], where);
    if (problem.empty()) problem = problem_elsewhere(section, result, schema["elsewhere"], where);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace odonata::cli
