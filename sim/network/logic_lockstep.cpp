// SPDX-License-Identifier: Apache-2.0
#include "sim/network/logic_lockstep.h"

#include <fmt/format.h>

#include "sim/network/device_wait.h"

namespace odonata::network {

using arb_request::LogicInputs;
using arb_request::LogicOutputs;
using arb_request::Query;
using arb_request::Requests;
using arb_request::Scheme;

namespace {

std::string in_words(const LogicOutputs& o) {
  return fmt::format("valid {} eject {} remaining {:#x} plus {:#x} high {:#x} low {:#x} z {}", o.valid, o.eject,
                     o.remaining, o.plus, o.high, o.low, o.z);
}

std::string explained(const arb_request::Mesh& mesh, int router, const Query& query, Scheme scheme) {
  const arb_request::Explanation why = explain(query, scheme, arb_request::Policy::kRoundRobin, mesh.dimensions());
  std::string out = fmt::format("  Router {}: {}.\n", mesh.router_name(router), why.summary);
  for (const auto& d : why.dimensions) out += "    " + d.reason + "\n";
  return out;
}

}  // namespace

LogicLockstep::LogicLockstep(std::unique_ptr<arb_request::LogicDevice> device, int router,
                             const arb_request::Mesh& mesh)
    : device_(std::move(device)), router_(router), mesh_(mesh) {
  LogicInputs reset;
  reset.reset_n = false;
  LogicOutputs out;
  for (int i = 0; i < 4; ++i) device_->step(reset, out);
}

/// Of ours, one cycle loads the input registers, the next the output registers.
Requests LogicLockstep::decide(const Query& query, Scheme scheme, const Requests& golden) {
  LogicInputs in;
  in.valid = true;
  in.scheme = scheme;
  in.query = query;
  LogicOutputs got;
  device_->step(in, got);
  in.valid = false;
  for (int i = 0; i < kLongestAnswer && !got.valid; ++i) device_->step(in, got);
  const uint8_t dbra = evaluate(query, Scheme::kDbra).high;
  const LogicOutputs expected{true,       golden.eject(), golden.remaining, golden.plus, golden.high,
                              golden.low, dbra,           golden.z};
  if (got != expected) {
    throw DeviceMismatch(fmt::format("Mismatch after {} equal answers: expected {}, got {}\n{}", compared_,
                                     in_words(expected), in_words(got), explained(mesh_, router_, query, scheme)));
  }
  ++compared_;
  return {got.remaining, got.plus, got.high, got.low, got.z};
}

}  // namespace odonata::network
