// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck_sides.h"

#include "hw/common/report_text.h"
#include "models/common/error.h"
#include "sim/network/simulation.h"

namespace odonata::cosim {

namespace {

static_assert(fabric::Flit::kPoisoned == Step::kPoisoned);

Step step_of(const network::Flit& f, uint32_t cycle, Step::Kind kind) {
  return {cycle, f.poisoned() ? Step::kPoisoned : f.index, kind};
}
Step step_of(const fabric::Flit& f, int64_t cycle, Step::Kind kind) {
  return {static_cast<uint32_t>(cycle), f.index, kind};
}

Step granted_step(Step s, uint32_t router, int in_port, int in_vc, int out_port, int out_vc, int credits) {
  s.router = router;
  s.in_port = static_cast<uint8_t>(in_port);
  s.in_vc = static_cast<uint8_t>(in_vc);
  s.out_port = static_cast<uint8_t>(out_port);
  s.out_vc = static_cast<uint8_t>(out_vc);
  s.credits = credits;
  return s;
}

/// The engine's steps.
class EngineSide final : public network::PacketWatch {
 public:
  EngineSide(uint32_t end, const WayNames& names) : ways(end), names_(names) {}
  void granted(const network::Flit& f, uint32_t cycle, uint32_t router, int in_port, int in_vc, int out_port,
               int out_vc, int credits) override {
    add(f, granted_step(step_of(f, cycle, Step::Kind::granted), router, in_port, in_vc, out_port, out_vc, credits));
  }
  void delivered(const network::Flit& f, uint32_t cycle) override { add(f, step_of(f, cycle, Step::Kind::delivered)); }
  void lost(const network::Flit& f, uint32_t cycle) override { add(f, step_of(f, cycle, Step::Kind::lost)); }
  Ways ways;

 private:
  void add(const network::Flit& f, const Step& step) {
    ways.add(names_.number ? names_.number(f.source) : f.source, f.born, step);
  }
  const WayNames& names_;
};

}  // namespace

void SystemcSide::granted(const fabric::Flit& f, int64_t cycle, int router, int in_port, int in_vc, int out_port,
                          int out_vc, int credits) {
  ways.add(f.source, f.born,
           granted_step(step_of(f, cycle, Step::Kind::granted), static_cast<uint32_t>(router), in_port, in_vc, out_port,
                        out_vc, credits));
}
void SystemcSide::delivered(const fabric::Flit& f, int64_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::delivered));
}
void SystemcSide::lost(const fabric::Flit& f, int64_t cycle) {
  ways.add(f.source, f.born, step_of(f, cycle, Step::Kind::lost));
}

CrossCheckResult crosscheck_ways(network::Config& c, uint64_t cycles, const WayNames& names,
                                 const std::function<bool(double)>& go_on, const SystemcRun& run,
                                 const OwnRouteAnswers& answers) {
  constexpr double kEngineShare = 0.05;  // of the time
  const auto asked = [&](double share) { return !go_on || go_on(share); };
  const auto end = static_cast<uint32_t>(cycles);
  EngineSide engine(end, names);
  c.watch = &engine;
  const auto engine_run = network::make_simulation(c);
  const network::Result result = network::simulate(*engine_run, [&](uint64_t now) {
    return asked(kEngineShare * static_cast<double>(now) / static_cast<double>(cycles));
  });
  CrossCheckResult out;
  out.interrupted = result.interrupted;
  out.cut = result.cut;
  if (out.interrupted) return out;
  if (!result.conservation_ok) throw Error("cross-check: the engine has lost or duplicated a packet");
  SystemcSide systemc(end);
  try {
    out.interrupted = run(systemc, [&](double share) { return asked(kEngineShare + (1 - kEngineShare) * share); });
  } catch (const sc_core::sc_report& broken) {  // what the wires do not allow
    out.difference = {"The SystemC network stops", "  SystemC: " + hw::text_of(broken)};
  }
  out.answers = answers.compared;
  out.rewritten = answers.rewritten;
  if (!answers.difference.empty()) out.difference = answers.difference;
  if (!out.interrupted && out.difference.empty()) compare_ways(names, engine.ways, systemc.ways, out);
  return out;
}

}  // namespace odonata::cosim
