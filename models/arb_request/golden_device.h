// SPDX-License-Identifier: Apache-2.0
// The golden models behind the interface that all levels share: the input-port unit, and the request logic alone.
#pragma once

#include "models/arb_request/arb_request_logic_pins.h"
#include "models/arb_request/explain.h"
#include "models/arb_request/input_port.h"
#include "models/arb_request/switch.h"
#include "models/common/golden.h"

namespace odonata::arb_request {

using PortDevice = CycleDevice<PortInputs, PortOutputs>;

/// The reasons of the last decision, a line a statement.
inline std::vector<std::string> reasons(const InputPort& port) {
  const Examination& e = port.examination();
  std::vector<std::string> out{"The window began at sub-queue " + std::to_string(e.window) + "; " +
                               std::to_string(std::popcount(e.looked_at)) + " looked at, " +
                               std::to_string(std::popcount(e.asking)) + " asked."};
  if (e.picked < 0) return out;
  Query query = e.query;
  query.dest = port.dest(e.picked);
  const Explanation why = explain(query, e.scheme, e.policy, port.size().dimensions, e.selector);
  out.push_back("Sub-queue " + std::to_string(e.picked) + " (" + std::string(name_of(e.scheme)) + ", " +
                std::string(name_of(e.policy)) + "): " + why.summary + ".");
  for (const DimensionRecord& d : why.dimensions) out.push_back("  " + d.reason);
  return out;
}

struct GoldenPort final : Golden<InputPort, PortInputs, PortOutputs> {
  explicit GoldenPort(const PortSize& size) : Golden(size) {}
};

using LogicDevice = CycleDevice<LogicInputs, LogicOutputs>;

/// The request logic between two ranks of registers.
class GoldenLogic final : public LogicDevice {
 public:
  explicit GoldenLogic(const PortSize& size) : size_(size) { validate(size); }
  void step(const LogicInputs& in, LogicOutputs& out) override {
    answered_ = held_;
    out = LogicOutputs{};
    if (in.reset_n && held_.valid) {
      const Requests a = evaluate(held_.query, known(held_.scheme));
      out = {true, a.eject(), a.remaining, a.plus, a.high, a.low, evaluate(held_.query, Scheme::kDbra).request(), a.z};
    }
    held_ = in;
    held_.valid &= in.reset_n;
  }
  std::vector<std::string> describe() const override {
    if (!answered_.valid) return {"No packet is in the output registers."};
    const Explanation why = explain(answered_.query, answered_.scheme, Policy::kRoundRobin, size_.dimensions);
    std::vector<std::string> out{std::string(name_of(why.scheme)) + ": " + why.summary + "."};
    for (const DimensionRecord& d : why.dimensions) out.push_back("  " + d.reason);
    return out;
  }
  /// What the present outputs answer.
  const LogicInputs& answered() const { return answered_; }

 private:
  PortSize size_;
  LogicInputs held_, answered_;
};

using SwitchDevice = CycleDevice<SwitchInputs, SwitchOutputs>;

/// The switch between two ranks of registers (rtl/arb_request/arb_switch_top.sv).
class GoldenSwitch final : public SwitchDevice {
 public:
  GoldenSwitch(int dimensions, int slots) : fresh_(dimensions, slots), before_(fresh_), now_(fresh_) {}
  void step(const SwitchInputs& in, SwitchOutputs& out) override {
    out = SwitchOutputs{};
    before_ = now_;
    answered_ = held_;
    held_ = in;
    if (in.reset_n) {
      out.granted = now_.step(answered_.request, answered_.returned);
    } else {
      now_ = fresh_;
      held_ = SwitchInputs{};
    }
    for (int o = 0; o < now_.inputs() - 1; ++o)
      out.credit[static_cast<size_t>(o)] = static_cast<uint8_t>(now_.output(o).credit());
  }
  std::vector<std::string> describe() const override {
    std::vector<std::string> lines;
    for (int o = 0; o < before_.inputs(); ++o) {
      const uint32_t ask = before_.asking(o, answered_.request);
      if (ask == 0) continue;
      const bool eject = o == before_.inputs() - 1;
      const int p = before_.winner(o, answered_.request);
      lines.push_back((eject ? std::string("Ejection")
                             : "Output " + output_name(o / 2, o & 1) + " with credit " +
                                   std::to_string(before_.output(o).credit())) +
                      ", pick from input " + std::to_string(before_.output(o).pointer()) + ": " +
                      std::to_string(std::popcount(ask)) + " ask, " +
                      (p < 0 ? "none has the credit that it needs." : "input " + std::to_string(p) + " wins."));
    }
    return lines;
  }
  /// The switch before the last edge, and what that edge answered.
  const Switch& before() const { return before_; }
  const SwitchInputs& answered() const { return answered_; }

 private:
  Switch fresh_, before_, now_;
  SwitchInputs held_, answered_;
};

}  // namespace odonata::arb_request
