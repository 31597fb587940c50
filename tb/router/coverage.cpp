// SPDX-License-Identifier: Apache-2.0
#include "tb/router/coverage.h"

#include <algorithm>

namespace odonata::cosim {

using router::DataInputs;
using router::DataOutputs;
using router::DataPath;
using router::Hindrance;
using router::kNumVcs;

DataCoverage::DataCoverage(const router::DataConfig& config) : config_(config) {
  const Axis kinds{"", {"node", "local", "global"}};
  const auto of = [&](const char* name) { return Axis{name, kinds.values}; };
  const Axis phases = number_axis("phase", 2);
  grant_ = bins_.declare("granted", {of("from"), of("to"), number_axis("output VC", kNumVcs), phases});
  drop_ = bins_.declare("dropped", {of("at"), phases, {"flit", {"head", "other"}}});
  pair_ = bins_.declare("two of an input",
                        {{"what",
                          {"two VCs to one output", "two VCs to two outputs", "two flits of a packet",
                           "next packet, one output", "next packet, two outputs", "granted, then dropped",
                           "dropped, then granted", "dropped twice, one VC", "dropped twice, two VCs"}}});
  into_ = bins_.declare("two into an output", {{"input", {"same", "other"}}, {"output VC", {"same", "other"}}});
  at_once_ = bins_.declare("answer used in its cycle",
                           {{"as", {"first packet, phase 0", "first packet, phase 1", "second packet, phase 1"}}});
  waits_ = bins_.declare(
      "waits for",
      {{"what", {"FIFO", "held VC", "credits", "credits for the whole packet"}}, {"flit", {"head", "other"}}},
      [](std::span<const int> v) -> std::string {
        if (v[1] == 1 && v[0] == 1) return "only a head waits for a held VC";
        return v[1] == 1 && v[0] == 3 ? "only a head needs credits for its whole packet" : "";
      });
  refused_ = bins_.declare("phase 1 refused since phase 0 took",
                           {{"what", {"the last place of the FIFO", "the credit", "the VC"}}});
  fifo_ = bins_.declare(
      "output FIFO", {{"flits", {"0", "1", "some", "one less than full", "full"}}, {"slot", {"free", "taken"}}},
      [&](std::span<const int> v) -> std::string { return v[0] == 2 && config.output_fifo <= 3 ? "shorter" : ""; });
  back_ =
      bins_.declare("credits come back", {of("at"), {"credits", {"1", "2", "more"}}, {"used", {"later", "at once"}}},
                    [](std::span<const int> v) -> std::string { return v[0] == 0 ? "node ports have none" : ""; });
  freed_ = bins_.declare("slots freed", {of("at"), {"slots", {"1", "2", "3", "more"}}});
  death_ = bins_.declare("death", {{"what",
                                    {"flits wait", "no flit waits", "request of age 0", "request of age 1",
                                     "request of age 2", "answer is due", "flit arrives", "output VC held",
                                     "FIFO not empty", "flit while dead", "repair", "flit with the repair"}}});
  cut_ = bins_.declare("cut",
                       {{"flit", {"head", "other"}}, {"VC", {"empty", "not empty"}}, {"gives up flits", {"no", "yes"}}},
                       [](std::span<const int> v) -> std::string {
                         return v[1] == 0 && v[2] == 1 ? "an empty VC gives up nothing" : "";
                       });
  reset_ = bins_.declare("reset", {{"router", {"empty", "flits wait"}}});
  turn_ = bins_.declare(
      "round-robin",
      {{"what", {"same VC again", "higher VC", "lower VC", "same input again", "higher input", "lower input"}}});
  slot_ = bins_.declare(
      "buffer", {{"at", kinds.values}, {"what", {"becomes full", "slot written at the edge after it became free"}}});
  const int depth = std::min({config.node_depth, config.local_depth, config.global_depth});
  length_ = bins_.declare(
      "packet", {{"flits", {"1", "2", "3..4", "5..8", "more"}}},
      [depth](std::span<const int> v) -> std::string { return v[0] == 4 && depth <= 8 ? "longer than a buffer" : ""; });
  in_two_ = bins_.declare(
      "packet cut in two",
      {of("at"),
       {"what is there",
        {"head, asked at this edge", "at the last edge", "two edges ago", "three edges ago", "head, answered", "rest",
         "nothing any more", "rest of one without an option", "nothing of one without an option"}}});
  poison_ = bins_.declare("poisoned tail", {{"what",
                                             {"granted in the cycle after", "granted later", "a packet waits behind it",
                                              "granted with the flit behind it", "packet behind it is cut",
                                              "made in the cycle in which one leaves", "dies"}}});
  alone_ = bins_.declare(
      "flit that is no head",
      {{"is", {"poisoned tail", "other"}}, {"packet", {"arriving", "unknown"}}, {"link", {"up", "down", "was down"}}},
      [](std::span<const int> v) -> std::string {
        return v[1] == 0 && v[2] == 2 ? "a link that was down has cut the packet" : "";
      });
  last_input_.fill(-1);
  last_vc_.fill(-1);
}

DataCoverage::GivenUp DataCoverage::given_up(const DataOutputs& out, int port, int phase) {
  const unsigned g = out.grant[2 * port + phase];
  return {(g >> 11 & 1) != 0, (g >> 10 & 1) != 0, static_cast<int>(g >> 8 & 3), static_cast<int>(g >> 2 & 63),
          static_cast<int>(g & 3)};
}

void DataCoverage::sample(const DataInputs& in, const DataPath& path) {
  if (in.reset) {
    const auto waits = [](const auto& vcs) {
      return std::any_of(vcs.begin(), vcs.end(), [](const Before& b) { return b.flits != 0; });
    };
    bins_.hit(reset_ + std::any_of(before_.begin(), before_.end(), waits));
  } else {
    sample_death(in);
    sample_cuts(in, path);
    for (int k = 0; k < config_.num_ports(); ++k) {
      sample_arrival(k, in, path);
      sample_input(k, in, path);
      sample_output(k, in, path);
      sample_waits(k, path.out(), path);
    }
  }
  remember(in, path);
}

/// What an input port gives up in the two phases.
void DataCoverage::sample_input(int port, const DataInputs& in, const DataPath& path) {
  const GivenUp g[2] = {given_up(path.out(), port, 0), given_up(path.out(), port, 1)};
  for (int phase = 0; phase < 2; ++phase) {
    if (!g[phase].any) continue;
    const int v = g[phase].in_vc;
    // The first flit of the VC before this phase, as far as the cycle before knows it.
    const bool second = phase == 1 && g[0].any && g[0].in_vc == v;
    const Before& b = before_[port][v];
    if (g[phase].dropped) {
      if (!second) bins_.hit(drop_ + (port_class(port) * 2 + phase) * 2 + b.begun);
    } else {
      bins_.hit(grant_ + ((port_class(port) * 3 + port_class(g[phase].out_port)) * kNumVcs + g[phase].out_vc) * 2 +
                phase);
    }
    if (in.alive && asking_[port][3] == v) {
      if (b.answered == 0 && !second && !b.poisoned) bins_.hit(at_once_ + phase);
      if (b.answered == 1 && second && b.tail) bins_.hit(at_once_ + 2);
    }
    if (last_vc_[port] >= 0) bins_.hit(turn_ + (v == last_vc_[port] ? 0 : v > last_vc_[port] ? 1 : 2));
    last_vc_[port] = v;
  }
  if (g[0].any && g[1].any) sample_pair(port, g[0], g[1]);
}

void DataCoverage::sample_pair(int port, const GivenUp& a, const GivenUp& b) {
  const bool one_vc = a.in_vc == b.in_vc;
  if (a.dropped || b.dropped) {
    bins_.hit(pair_ + (!a.dropped ? 5 : !b.dropped ? 6 : one_vc ? 7 : 8));
    return;
  }
  const bool one_output = a.out_port == b.out_port;
  const Before& before = before_[port][a.in_vc];
  if (!one_vc) {
    bins_.hit(pair_ + (one_output ? 0 : 1));
  } else if (before.answered != 0 && !before.tail) {
    bins_.hit(pair_ + 2);
  } else if (before.answered != 0) {
    bins_.hit(pair_ + (one_output ? 3 : 4));
  }
}

/// What waits at the end of the cycle, and for what.
void DataCoverage::sample_waits(int port, const DataOutputs& out, const DataPath& path) {
  for (int v = 0; v < kNumVcs; ++v) {
    const Hindrance h = path.hindrance(port, v);
    if (h != Hindrance::fifo_full && h != Hindrance::held && h != Hindrance::credits) continue;
    const auto to = path.route(port, v);
    const bool other = path.begun(port, v);
    const int credits = path.credits(to.port, to.vc);
    const int what = h == Hindrance::fifo_full ? 0 : h == Hindrance::held ? 1 : !other && credits > 0 ? 3 : 2;
    bins_.hit(waits_ + what * 2 + other);
    // Phase 0 has taken one thing of that output, and phase 1 nothing.
    int taken = 0;
    bool this_vc = false;
    for (int k = 0; k < config_.num_ports(); ++k) {
      for (int phase = 0; phase < 2; ++phase) {
        const GivenUp g = given_up(out, k, phase);
        if (!g.any || g.dropped || g.out_port != to.port) continue;
        taken += phase == 0 ? 1 : 2;
        this_vc = g.out_vc == to.vc;
      }
    }
    if (taken != 1) continue;
    if (what == 0) bins_.hit(refused_);
    if (this_vc && what >= 2 && credits == (other ? 0 : path.packet_last())) bins_.hit(refused_ + 1);
    if (this_vc && what == 1) bins_.hit(refused_ + 2);
  }
}

void DataCoverage::sample_output(int port, const DataInputs& in, const DataPath& path) {
  const DataOutputs& out = path.out();
  const int before = fifo_before_[port], full = config_.output_fifo;
  const int level = before >= full ? 4 : before == full - 1 ? 3 : before >= 2 ? 2 : before;
  bins_.hit(fifo_ + level * 2 + (in.slot_taken >> port & 1));
  int first = -1, first_vc = 0;
  for (int phase = 0; phase < 2; ++phase) {
    for (int k = 0; k < config_.num_ports(); ++k) {
      const GivenUp g = given_up(out, k, phase);
      if (!g.any || g.dropped || g.out_port != port) continue;
      if (phase == 1 && first >= 0) bins_.hit(into_ + (k != first) * 2 + (g.out_vc != first_vc));
      first = k;
      first_vc = g.out_vc;
      if (last_input_[port] >= 0) bins_.hit(turn_ + 3 + (k == last_input_[port] ? 0 : k > last_input_[port] ? 1 : 2));
      last_input_[port] = k;
    }
  }
  for (int v = 0; v < kNumVcs && !config_.is_node(port); ++v) {
    const int credits = in.credit[kNumVcs * port + v];
    if (credits == 0) continue;
    const bool at_once = credits_[port][v] == 0 && out.sent[kNumVcs * port + v] != 0;
    bins_.hit(back_ + (port_class(port) * 3 + std::min(credits, 3) - 1) * 2 + at_once);
  }
}

void DataCoverage::sample_arrival(int port, const DataInputs& in, const DataPath& path) {
  const DataOutputs& out = path.out();
  for (int v = 0; v < kNumVcs; ++v) {
    const int freed = out.credit[kNumVcs * port + v];
    if (freed != 0) bins_.hit(freed_ + port_class(port) * 4 + std::min(freed, 4) - 1);
  }
  if ((in.in_valid >> port & 1) == 0) return;
  const uint64_t flit = in.in_flit[static_cast<size_t>(port * config_.words)];
  const int v = router::flit_vc(flit);
  if (in.alive && !router::flit_head(flit)) {
    const bool poisoned = router::flit_poison(flit) && router::flit_tail(flit);
    const int link = (in.in_cut >> port & 1) != 0 ? 2 : static_cast<int>(in.link_down >> port & 1);
    bins_.hit(alone_ + (!poisoned * 2 + (before_[port][v].come == 0)) * 3 + link);
  }
  if ((in.in_cut >> port & 1) != 0 && in.alive) {
    const bool gives = (given_up(out, port, 0).any && given_up(out, port, 0).in_vc == v) ||
                       (given_up(out, port, 1).any && given_up(out, port, 1).in_vc == v);
    bins_.hit(cut_ + (!router::flit_head(flit) * 2 + (before_[port][v].flits != 0 || before_[port][v].poisoned)) * 2 +
              gives);
    return;
  }
  if (!in.alive) return;
  const int waiting = before_[port][v].flits;
  if (waiting + 1 == config_.depth(port)) {
    bins_.hit(slot_ + port_class(port) * 2);
    if (out_before_.credit[kNumVcs * port + v] != 0) bins_.hit(slot_ + port_class(port) * 2 + 1);
  }
  if (!router::flit_head(flit)) return;
  const int length = router::flit_last(flit) + 1;
  bins_.hit(length_ + (length > 8 ? 4 : length > 4 ? 3 : length > 2 ? 2 : length - 1));
}

/// Packets that are cut in two, their poisoned tails, and what comes of them.
void DataCoverage::sample_cuts(const DataInputs& in, const DataPath& path) {
  for (const DataPath::Cut& cut : path.cuts()) {
    const int what = cut.age >= 0    ? cut.age
                     : !cut.gone     ? 4
                     : cut.poisoned  ? (cut.lost != 0 ? 5 : 6)
                     : cut.lost != 0 ? 7
                                     : 8;
    bins_.hit(in_two_ + port_class(cut.port) * 9 + what);
    const Before& b = before_[cut.port][cut.vc];
    if (b.poisoned && in.alive) bins_.hit(poison_ + (cut.poisoned ? 5 : 4));
  }
  for (int k = 0; k < config_.num_ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v) {
      const Before& b = before_[k][v];
      if (!b.poisoned) continue;
      if (!in.alive) {
        bins_.hit(poison_ + 6);
        continue;
      }
      const GivenUp g[2] = {given_up(path.out(), k, 0), given_up(path.out(), k, 1)};
      const int left = (g[0].any && g[0].in_vc == v) + (g[1].any && g[1].in_vc == v);
      if (left != 0) bins_.hit(poison_ + (fresh_[k] >> v & 1 ? 0 : 1));
      if (left == 0 && b.answered != 0) bins_.hit(poison_ + 2);
      if (left == 2) bins_.hit(poison_ + 3);
    }
  }
  fresh_ = {};
  for (const DataPath::Cut& cut : path.cuts()) fresh_[cut.port] |= cut.poisoned ? 1u << cut.vc : 0u;
}

void DataCoverage::sample_death(const DataInputs& in) {
  const bool arrives = in.in_valid != 0;
  if (!in.alive && !alive_before_ && arrives) bins_.hit(death_ + 9);
  if (in.alive && !alive_before_) bins_.hit(death_ + (arrives ? 11 : 10));
  if (in.alive || !alive_before_) return;
  bool flits = false, fifos = false;
  for (int k = 0; k < config_.num_ports(); ++k) {
    for (const Before& b : before_[k]) flits |= b.flits != 0;
    for (int stage = 0; stage < 4; ++stage) {
      if (asking_[k][stage] >= 0) bins_.hit(death_ + 2 + stage);
    }
    fifos |= fifo_before_[k] != 0;
  }
  bins_.hit(death_ + (flits ? 0 : 1));
  if (arrives) bins_.hit(death_ + 6);
  if (any_held_) bins_.hit(death_ + 7);
  if (fifos) bins_.hit(death_ + 8);
}

void DataCoverage::remember(const DataInputs& in, const DataPath& path) {
  any_held_ = false;
  for (int k = 0; k < config_.num_ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v) {
      Before& b = before_[k][v];
      b = {path.flits(k, v),         path.answered(k, v), path.begun(k, v),
           path.first_is_tail(k, v), path.poisoned(k, v), path.come(k, v)};
      credits_[k][v] = path.credits(k, v);
      any_held_ |= path.held(k, v);
    }
    for (int stage = 0; stage < 4; ++stage) asking_[k][stage] = path.asking(k, stage);
    fifo_before_[k] = path.fifo(k);
  }
  out_before_ = path.out();
  alive_before_ = in.alive || in.reset;
}

}  // namespace odonata::cosim
