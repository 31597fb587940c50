// SPDX-License-Identifier: Apache-2.0
// `odonata arb`: explains one arbitration-request decision of D2RA, DBRA or dimension-order routing.
#include "sim/arb/arb_command.h"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "models/arb_request/explain.h"
#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"

namespace odonata::cli {

namespace {

using arb_request::DimensionRecord;
using arb_request::Explanation;
using arb_request::kMaxDimensions;
using arb_request::Lanes;

struct ArbOptions {
  uint64_t dims = 0, pointer = 0, lfsr = kLfsrReset;
  std::string scheme = "d2ra", policy = "round-robin", at, to, credits, json;
};

std::vector<std::string> parts_of(const std::string& option, const std::string& text) {
  const std::vector<std::string_view> list = split(text, ',');
  std::vector<std::string> parts(list.begin(), list.end());
  if (parts.size() > 2 * kMaxDimensions)
    throw Error(option + ": more than " + std::to_string(2 * kMaxDimensions) + " values");
  return parts;
}

std::vector<int> numbers(const std::string& option, const std::vector<std::string>& parts) {
  std::vector<int> values;
  for (const std::string& part : parts) values.push_back(static_cast<int>(parse_number(option, part, 0, 255)));
  return values;
}

Lanes to_lanes(const std::vector<int>& values) {
  Lanes v = 0;
  for (size_t i = 0; i < values.size(); ++i)
    arb_request::set_lane(v, static_cast<int>(i), static_cast<uint8_t>(values[i]));
  return v;
}

/// "x+=1,y-=2"
void named_credits(int dims, const std::vector<std::string>& parts, arb_request::Query& query) {
  std::set<std::string> given;
  for (const std::string& part : parts) {
    const size_t equal = part.find('=');
    if (!given.insert(part.substr(0, equal)).second)
      throw Error("--credits: '" + part.substr(0, equal) + "' is given twice");
    bool found = false;
    for (int d = 0; d < dims && equal != std::string::npos; ++d) {
      for (const bool minus : {false, true}) {
        if (part.substr(0, equal) != arb_request::output_name(d, minus)) continue;
        const auto value = static_cast<uint8_t>(parse_number("--credits", part.substr(equal + 1), 0, 255));
        arb_request::set_lane(minus ? query.credit_minus : query.credit_plus, d, value);
        found = true;
      }
    }
    if (!found)
      throw Error("--credits: '" + part + "', expected for example x+=1 with a dimension below " +
                  std::to_string(dims));
  }
}

Json request_json(const DimensionRecord& d) {
  return {{"dimension", d.dimension},
          {"name", arb_request::output_name(d.dimension, d.minus)},
          {"direction", d.minus ? "-" : "+"},
          {"priority", d.high ? "high" : "low"},
          {"credit", d.credit}};
}

Json explanation_json(const Explanation& e) {
  Json out = result_head("arb");
  out["scheme"] = arb_request::name_of(e.scheme);
  out["policy"] = arb_request::name_of(e.policy);
  out["dims"] = e.dimensions.size();
  out["z"] = e.z;
  out["eject"] = e.eject;
  out["requests"] = Json::array();
  out["reasons"] = Json::array();
  for (const DimensionRecord& d : e.dimensions) {
    if (d.high || d.low) out["requests"].push_back(request_json(d));
    out["reasons"].push_back(d.reason);
  }
  out["selected"] = e.selected < 0 ? Json() : request_json(e.dimensions[e.selected]);
  out["summary"] = e.summary;
  out["headline"] = fmt::format("{}: {}", arb_request::name_of(e.scheme),
                                e.eject          ? "has arrived"
                                : e.selected < 0 ? "waits"
                                                 : e.summary);
  Json rows = Json::array();
  for (const DimensionRecord& d : e.dimensions)
    rows.push_back({arb_request::output_name(d.dimension, d.minus), d.remaining ? std::to_string(d.credit) : "-",
                    d.high  ? "high"
                    : d.low ? "low"
                            : "-",
                    d.reason});
  out["report"] = Json::array({{{"type", "table"},
                                {"title", fmt::format("One decision of {}", arb_request::name_of(e.scheme))},
                                {"text", e.summary},
                                {"header", {"output", "credit", "request", "why"}},
                                {"rows", rows}}});
  return out;
}

void print_explanation(const Explanation& e) {
  fmt::print("{}, {}, selection {}\n\n", arb_request::name_of(e.scheme),
             counted(static_cast<uint64_t>(e.z), "remaining dimension"), arb_request::name_of(e.policy));
  Table table({"dimension", "direction", "credit", "request", "why"});
  for (const DimensionRecord& d : e.dimensions)
    table.add({arb_request::dimension_name(d.dimension),
               !d.remaining ? "none"
               : d.minus    ? "-"
                            : "+",
               d.remaining ? std::to_string(d.credit) : "-",
               d.high  ? "high"
               : d.low ? "low"
                       : "-",
               d.reason});
  fmt::print("{}\nThe packet {}.\n", table.text(),
             e.eject          ? "has arrived and asks for the ejection port"
             : e.selected < 0 ? "may ask for nothing and waits"
                              : e.summary);
}

void run_arb(const ArbOptions& o) {
  arb_request::Query query;
  const int dims = parse_query(static_cast<int>(o.dims), o.at, o.to, o.credits, query);
  if (o.pointer >= static_cast<uint64_t>(dims))
    throw Error("--pointer: must be below the number of dimensions, " + std::to_string(dims));
  const JsonFile json(o.json);
  const arb_request::Selector selector{static_cast<uint8_t>(o.pointer), static_cast<uint16_t>(o.lfsr)};
  const Explanation e = arb_request::explain(query, arb_request::scheme_from_name(o.scheme),
                                             arb_request::policy_from_name(o.policy), dims, selector);
  json.write(explanation_json(e));
  print_explanation(e);
}

constexpr const char* kExamples =
    "  odonata arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits x+=1,y+=2      Fig. 3 of the paper: y+ high, x+ "
    "low\n"
    "  odonata arb --dims 3 --scheme dbra --at 0,3,1 --to 2,0,1 --credits 1,2,0      credits of the directions that "
    "are needed\n";

}  // namespace

int parse_query(int dims, const std::string& at, const std::string& to, const std::string& credits,
                arb_request::Query& query) {
  const std::vector<int> u = numbers("--at", parts_of("--at", at)), v = numbers("--to", parts_of("--to", to));
  if (dims == 0) dims = static_cast<int>(u.size());
  if (dims > kMaxDimensions) throw Error("--at: more than 8 dimensions");
  const size_t n = static_cast<size_t>(dims);
  if (u.size() != n) throw Error(fmt::format("--at: {} coordinates, expected {}", u.size(), n));
  if (v.size() != n) throw Error(fmt::format("--to: {} coordinates, expected {}", v.size(), n));
  query = {to_lanes(u), to_lanes(v), 0, 0};
  const std::vector<std::string> parts = parts_of("--credits", credits);
  if (credits.find('=') != std::string::npos) {
    named_credits(dims, parts, query);
    return dims;
  }
  const std::vector<int> c = numbers("--credits", parts);
  if (c.size() != n && c.size() != 2 * n)
    throw Error(fmt::format("--credits: {} numbers, expected {} or {}", c.size(), n, 2 * n));
  const bool both = c.size() == 2 * n;
  for (int d = 0; d < dims; ++d) {
    arb_request::set_lane(query.credit_plus, d, static_cast<uint8_t>(c[both ? 2 * d : d]));
    arb_request::set_lane(query.credit_minus, d, static_cast<uint8_t>(c[both ? 2 * d + 1 : d]));
  }
  return dims;
}

void add_arb_commands(CLI::App& app) {
  Command command =
      add_command(app, "arb", "Explain one arbitration-request decision of a mesh router (D2RA, DBRA, DOR)", kExamples);
  auto o = std::make_shared<ArbOptions>();
  add_number(command, "--dims", o->dims, "dimensions of the mesh; default: as many as --at has", 1, kMaxDimensions);
  add_choice(command, "--scheme", o->scheme, {"dor", "dbra", "d2ra"}, "routing scheme");
  command.add_option("--at", o->at, "coordinates of the router, 0..255 each").type_name("X,Y,...").required();
  command.add_option("--to", o->to, "coordinates of the packet's destination").type_name("X,Y,...").required();
  command
      .add_option(
          "--credits", o->credits,
          "free packet slots: one number a dimension (direction needed), two (x+,x-,y+,...), or named: x+=1,y-=2")
      .type_name("C,C,...")
      .required();
  add_choice(command, "--policy", o->policy, {"round-robin", "random", "most-credits"},
             "selection among requests of one class");
  add_number(command, "--pointer", o->pointer, "where the round-robin stands", 0, kMaxDimensions - 1);
  add_number(command, "--lfsr", o->lfsr, "state of the random-number register", 1, 65535);
  add_json(command, o->json);
  command.callback([o, command] {
    if (o->policy == "random") command.refuse({"--pointer"}, "the selection is random");
    if (o->policy != "random") command.refuse({"--lfsr"}, "of --policy random");
    run_arb(*o);
  });
  add_timing_command(app);
  add_deadlock_command(app);
}

}  // namespace odonata::cli
