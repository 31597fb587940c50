// SPDX-License-Identifier: Apache-2.0
// What the whole router and its data path cost a cycle: bare Verilated RTL, golden model and both in lockstep, at tiny
// and paper size, under traffic, failing links and messages. Each round plays its own piece of a recording, so that
// buffers go on as they are; the configuration in front counts for nothing. Every run gets its cycles one by one from
// the same stimulus, because that costs something, too: the recording is larger than the caches. Of everything there
// are three: where a model lies in memory makes up to half of its speed. By `./dev bench`; never part of a test.
#include <array>
#include <span>

#include "tb/bench/measurement.h"
#include "tb/harness/lockstep.h"
#include "tb/router/campaign.h"
#include "tb/router/router_traffic.h"

namespace odonata::cosim {
namespace {

/// A recording that goes on from piece to piece.
template <class Block>
class Pieces {
 public:
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;

  Pieces(const UnitBench<Block>& bench, size_t cycles) : cycles_(cycles) {
    const auto stimulus = bench.stimulus();
    const auto reference = bench.golden();
    Out last{};
    bool began = false;
    while (!began || all_.size() - first_ < kRounds * cycles) {
      In& in = all_.emplace_back();
      if (!stimulus->next(last, in)) break;
      reference->step(in, last);
      if (began || !any_flit(in)) continue;
      began = true;
      first_ = all_.size() - 1;
    }
  }
  /// What stands before the first piece.
  std::span<const In> front() const { return std::span(all_).first(first_); }
  std::span<const In> piece(int round) const {
    return std::span(all_).subspan(first_ + static_cast<size_t>(round) * cycles_, cycles_);
  }

 private:
  static bool any_flit(const In& in) {
    if constexpr (requires { in.in_valid; }) {
      return in.in_valid != 0;
    } else {
      return std::any_of(in.in_kind.begin(), in.in_kind.end(), [](auto kind) { return kind != 0; });
    }
  }
  size_t cycles_, first_ = 0;
  std::vector<In> all_;
};

template <class In, class Out>
class Play final : public Stimulus<In, Out> {
 public:
  explicit Play(std::span<const In> cycles) : cycles_(cycles) {}
  bool next(const Out&, In& in) override {
    if (cycles_.empty()) return false;
    in = cycles_.front();
    cycles_ = cycles_.subspan(1);
    return true;
  }

 private:
  std::span<const In> cycles_;
};

template <class Block>
class RouterBench {
 public:
  RouterBench(const UnitBench<Block>& bench, const std::string& size, size_t cycles)
      : size_(size), pieces_(bench, cycles) {
    for (Models& m : models_) {
      m.rtl = bench.rtl(RtlVariant::fast, 0);
      m.golden = bench.golden();
      for (Pair* pair : {&m.in_turn, &m.ahead}) *pair = {bench.rtl(RtlVariant::fast, 0), bench.golden()};
      const std::span<const In> front = pieces_.front();
      play(*m.rtl, front);
      play(*m.golden, front);
      lockstep(m.in_turn, front, 1);
      lockstep(m.ahead, front, kAhead);
    }
  }
  std::string run() {
    // One round of all at a time: each measurement counts its own rounds.
    int round[4] = {};
    std::vector<Measurement> all;
    all.push_back(
        {"bare Verilated RTL", [&] { return each(round[0]++, [](Models& m, auto in) { return play(*m.rtl, in); }); }});
    all.push_back({"golden", [&] { return each(round[1]++, [](Models& m, auto in) { return play(*m.golden, in); }); }});
    all.push_back({"lockstep, cycle by cycle",
                   [&] { return each(round[2]++, [](Models& m, auto in) { return lockstep(m.in_turn, in, 1); }); }});
    all.push_back({"lockstep, as in campaigns",
                   [&] { return each(round[3]++, [](Models& m, auto in) { return lockstep(m.ahead, in, kAhead); }); }});
    measure(all);
    fmt::print("{}, {}, {} cycles a round, median of {} rounds, user time\n\n", Block::kName, size_,
               pieces_.piece(0).size(), kRounds);
    return show(all, 0);
  }

 private:
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;

  struct Pair {
    std::unique_ptr<DeviceOf<Block>> rtl;
    std::unique_ptr<typename Block::Reference> golden;
  };
  struct Models {
    std::unique_ptr<DeviceOf<Block>> rtl, golden;
    Pair in_turn, ahead;
  };

  template <class Run>
  uint64_t each(int round, const Run& run) {
    uint64_t cycles = 0;
    for (Models& m : models_) cycles += run(m, pieces_.piece(round));
    return cycles;
  }
  static uint64_t play(DeviceOf<Block>& device, std::span<const In> cycles) {
    Play<In, Out> loop(cycles);
    In in{};
    Out out{};
    while (loop.next(out, in)) device.step(in, out);
    return cycles.size();
  }
  static uint64_t lockstep(Pair& pair, std::span<const In> cycles, size_t ahead) {
    Play<In, Out> loop(cycles);
    const RunResult r = run_lockstep<Block>(loop, *pair.golden, *pair.rtl, {.ahead = ahead});
    if (r.mismatch) fmt::print(stderr, "the lockstep failed\n");
    return r.cycles;
  }

  std::string size_;
  Pieces<Block> pieces_;
  std::array<Models, 3> models_;
};

int run() {
  for (const char* size : {"tiny", "paper"}) {
    CampaignRequest request;
    request.dragonfly = Dragonfly::named(size);
    request.load = 0.5;
    const size_t cycles = std::string(size) == "tiny" ? 6'000 : 1'500;
    RouterBench(router_data_bench(request), size, cycles).run();
    UnitBench<RouterBlock> whole = router_bench(request);
    whole.stimulus = [&] {
      const RouterDemand demand = troubled().front();
      return std::make_unique<RouterTraffic>(request.dragonfly, router::DataConfig(request.dragonfly), demand.data,
                                             demand.faults, 1);
    };
    RouterBench(whole, size, cycles).run();
  }
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main() { return odonata::cosim::run(); }
