// SPDX-License-Identifier: Apache-2.0
// The fault plane of a router at full size, 63 port units of 560 rows: a model that takes a while to make. Not part of
// the suite: `./dev full`.
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <set>

#include "tb/fault/router_block.h"
#include "tb/fault/run_words.h"

namespace odonata::cosim {
namespace {

using namespace fault;

const Dragonfly& full() {
  static const Dragonfly d = Dragonfly::named("full");
  return d;
}

/// After the configuration one thing after the other, each when the router is done with the last one: through every
/// port an FD and an FR about an entry of each zone, from the last ones on; then first and last port of every class go
/// down, come up and are heard. Route compute reads and the links wait at random.
class Walk final : public Stimulus<RouterInputs, RouterOutputs> {
 public:
  explicit Walk(uint64_t seed) : random_(seed) {
    base_.own_gid = static_cast<uint16_t>(own_.gid);
    base_.own_bid = static_cast<uint8_t>(own_.bid);
    for (int port = 0; port < full().num_ports(); ++port) {
      for (const Kind kind : {Kind::diagnosis, Kind::recovery}) {
        const auto c = static_cast<MessageClass>(port % 2);
        const auto gid = static_cast<uint16_t>(full().g() - 1 - port), own = base_.own_gid;
        const auto bid = static_cast<uint8_t>(full().a() - 1 - port % full().a()),
                   nid = static_cast<uint8_t>(port % full().p());
        steps_.push_back({port, Message{kind, c, 1, gid, 0, 0}});
        steps_.push_back({port, Message{kind, MessageClass::d, 2, own, bid, 0}});
        steps_.push_back({port, Message{kind, MessageClass::d, 3, own, base_.own_bid, nid}});
      }
    }
    const int locals = full().first_local(), globals = full().first_global();
    for (const int port : {0, locals - 1, locals, globals - 1, globals, full().num_ports() - 1}) {
      steps_.push_back({port, std::nullopt});
      steps_.push_back({port, std::nullopt});
      if (port >= locals) steps_.push_back({port, kWholePort});
    }
  }
  bool next(const RouterOutputs& last, RouterInputs& in) override {
    const int rows = num_rows(full()), loading = rows * full().num_ports(), at = cycle_++ - 2;
    in = base_;
    in.reset = at < 0;
    if (at < 0) return true;
    if (at < loading) {
      in = configuration_write(
          base_, at / rows, at % rows,
          row_config(full(), own_, entry_of_row(full(), at % rows), Mode::safe).at(full(), at / rows));
      return true;
    }
    served_ |= last.serve;
    if (served_ && !last.working && !last.busy) {
      served_ = false;
      if (step_ == steps_.size()) return false;
      const Step& step = steps_[step_++];
      if (step.message) {
        in.in_valid = 1ull << step.port;
        in.in_message[static_cast<size_t>(step.port)] = encode_message(*step.message);
      } else {
        base_.link_up ^= 1ull << step.port;
      }
    }
    in.link_up = base_.link_up;
    in.out_ready = random_.next() | random_.next();
    in.route_read = random_.next() & random_.next();
    return true;
  }

 private:
  struct Step {
    int port = 0;
    std::optional<Message> message;  ///< nothing: the link changes
  };
  Random random_;
  RouterId own_{510, 30};
  RouterInputs base_;
  std::vector<Step> steps_;
  size_t step_ = 0;
  int cycle_ = 0;
  bool served_ = true;
};

/// A router whose last port gets the highest bit of a group's number wrong.
class WrongAtTheLastPort final : public FaultRouterDevice {
 public:
  explicit WrongAtTheLastPort(std::unique_ptr<FaultRouterDevice> router) : router_(std::move(router)) {}
  void step(const RouterInputs& in, RouterOutputs& out) override {
    RouterInputs wrong = in;
    wrong.in_message[static_cast<size_t>(full().num_ports() - 1)] ^= 1u << 17;
    router_->step(wrong, out);
  }

 private:
  std::unique_ptr<FaultRouterDevice> router_;
};

/// What a run has met.
struct Met {
  std::set<int> kinds[4];  ///< ports whose commands were served, by kind
  std::set<int> rows;      ///< that were written
  PortMap told = 0;        ///< ports that said something
  void operator()(const RouterInputs&, const RouterOutputs& out) {
    if (out.serve) kinds[out.serve_kind].insert(out.serve_port);
    for (const PortOutputs& unit : out.unit) {
      if (unit.write) rows.insert(unit.write_row);
    }
    told |= out.out_valid;
  }
};

RunResult lockstep(Stimulus<RouterInputs, RouterOutputs>& stimulus, FaultRouterDevice& device, Met& met,
                   uint64_t cycles = ~0ull) {
  RouterUnit golden(full(), router_config(full(), RouterVariant::plain));
  RunOptions options;
  options.max_cycles = cycles;
  RunResult r = run_lockstep<FaultRouterBlock>(stimulus, golden, device, options,
                                               [&](const RouterInputs& in, const RouterOutputs& out) { met(in, out); });
  std::printf("%llu cycles, %llu commands, %zu rows written, %d ports told something\n",
              static_cast<unsigned long long>(r.cycles), static_cast<unsigned long long>(r.compared), met.rows.size(),
              std::popcount(met.told));
  return r;
}

TEST(FaultRouterFull, RtlEqualsGoldenAtEveryPort) {
  Walk walk(1);
  Met met;
  const RunResult r = lockstep(walk, *make_fault_router_rtl(full()), met);
  EXPECT_TRUE(r.passed()) << words(r);
  for (const int kind : {2, 3}) EXPECT_EQ(met.kinds[kind].size(), static_cast<size_t>(full().num_ports()));
  for (const int kind : {0, 1}) EXPECT_EQ(met.kinds[kind].size(), 6u);
  EXPECT_EQ(*met.rows.rbegin(), num_rows(full()) - 1);
  EXPECT_GT(met.rows.size(), 500u) << "a travel writes whatever goes through the port";
  EXPECT_EQ(std::popcount(met.told), full().num_ports() - full().p());
}

TEST(FaultRouterFull, RtlEqualsGoldenUnderRandomTraffic) {
  RouterStimulus stimulus(full(), 2);
  Met met;
  const RunResult r = lockstep(stimulus, *make_fault_router_rtl(full()), met, 1'000'000);
  EXPECT_TRUE(r.passed()) << words(r);
  EXPECT_GT(r.compared, 300u);
}

/// The control: what is wrong beyond port 31 and group 255 only.
TEST(FaultRouterFull, AWrongBitAtTheLastPortIsSeen) {
  Walk walk(1);
  Met met;
  WrongAtTheLastPort wrong(make_fault_router_rtl(full()));
  EXPECT_TRUE(lockstep(walk, wrong, met).mismatch.has_value());
}

}  // namespace
}  // namespace odonata::cosim
