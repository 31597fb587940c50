// SPDX-License-Identifier: Apache-2.0
// A model of your own in lockstep with the golden unit, in plain C++: a link with the PCS's latency. Argument
// "careless": it loses a frame; "rtl": the project's RTL in its place.
#include <cstdio>
#include <deque>
#include <string>

#include "tb/congestion/campaign.h"
#include "tb/harness/lockstep.h"

using namespace odonata;
using namespace odonata::cosim;

/// step() is one rising edge: `in` is sampled, `out` is what the pins show afterwards.
class OwnLink final : public CycleDevice<PcsTransportBlock::Inputs, PcsTransportBlock::Outputs> {
 public:
  explicit OwnLink(bool careless) : careless_(careless) { frames_.resize(kRanks); }
  void step(const PcsTransportBlock::Inputs& in, PcsTransportBlock::Outputs& out) override {
    if (in.reset) frames_.assign(kRanks, {});
    out = in.reset ? PcsTransportBlock::Outputs{} : frames_.front();
    const bool lost = careless_ && in.frame.valid && ++frames_seen_ == 1000;
    frames_.pop_front();
    frames_.push_back(in.frame.valid && !in.reset && !lost ? in.frame : PcsTransportBlock::Outputs{});
  }

 private:
  static constexpr int kRanks = 29;  // a frame is on the pins for the 30th cycle 29 edges after the one that took it
  bool careless_;
  int frames_seen_ = 0;
  std::deque<PcsTransportBlock::Outputs> frames_;
};

int main(int argc, char** argv) try {
  const std::string which = argc > 1 ? argv[1] : "own";
  CampaignRequest request;
  request.traffic = "corner";
  const auto bench = pcs_transport_bench(request);
  const auto stimulus = bench.stimulus();
  const auto golden = bench.golden();
  std::unique_ptr<DeviceOf<PcsTransportBlock>> device = std::make_unique<OwnLink>(which == "careless");
  if (which == "rtl") device = bench.rtl(RtlVariant::fast, 0);
  RunOptions options;
  options.max_transactions = 10'000;
  const RunResult result = run_lockstep<PcsTransportBlock>(*stimulus, *golden, *device, options);
  std::printf("%s frames compared, %s\n", std::to_string(result.compared).c_str(), result.passed() ? "pass" : "FAIL");
  if (!result.mismatch) return 0;
  for (const Difference& d : result.mismatch->differences) {
    std::printf("cycle %llu: %s: expected 0x%llx, got 0x%llx\n",
                static_cast<unsigned long long>(result.mismatch->cycle), d.probe.c_str(),
                static_cast<unsigned long long>(d.expected), static_cast<unsigned long long>(d.got));
  }
  return 1;
} catch (const Error& error) {  // no RTL where ODONATA_RTL_DIR says, for example
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

// SystemC's library refers to it.
extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) { return 1; }
