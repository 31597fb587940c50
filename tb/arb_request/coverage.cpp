// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/coverage.h"

#include <algorithm>
#include <bit>

namespace odonata::cosim {

using arb_request::Examination;
using arb_request::known;
using arb_request::lane;
using arb_request::PortInputs;
using arb_request::PortRequest;
using arb_request::Query;
using arb_request::Requests;
using arb_request::Scheme;
using Value = std::span<const int>;

namespace {

const std::vector<std::string> kSchemes{"dor", "dbra", "d2ra"};
const std::vector<std::string> kPolicies{"round-robin", "random", "most-credits"};
enum Relation { kNone, kBelow, kEqual, kAbove };  // of a credit to 0 and z
enum Classes { kNothing, kLow, kHigh, kHighAndLow, kEject };

}  // namespace

ArbLogicCoverage::ArbLogicCoverage(Coverage& bins, int n) : bins_(bins), n_(n) {
  z_ = bins_.declare("remaining dimensions", {{"scheme", kSchemes}, number_axis("z", n + 1)});
  lowest_ = bins_.declare(
      "lowest remaining dimension", {number_axis("dimension", n), number_axis("z", n, 1)},
      [n](Value v) { return v[0] + v[1] + 1 > n ? std::string("not enough dimensions above the lowest one") : ""; });
  credit_ =
      bins_.declare("credit of a remaining dimension",
                    {{"scheme", kSchemes},
                     {"dimension", {"lowest", "other"}},
                     number_axis("z", n, 1),
                     {"credit", {"0", "1..z-1", "z", "above z"}}},
                    [](Value v) {
                      if (v[3] == kBelow && v[2] == 0) return std::string("z = 1 leaves nothing between 0 and z");
                      return v[1] == 1 && v[2] == 0 ? std::string("z = 1: the remaining dimension is the lowest") : "";
                    });
  classes_ = bins_.declare(
      "classes raised", {{"scheme", kSchemes}, {"raised", {"none", "low", "high", "high and low", "eject"}}},
      [n](Value v) {
        if (v[0] == 1 && (v[1] == kLow || v[1] == kHighAndLow)) return std::string("DBRA raises no low request");
        if (v[0] == 0 && v[1] == kHighAndLow) return std::string("DOR raises one request");
        return n == 1 && (v[1] == kLow || v[1] == kHighAndLow) ? std::string("one dimension has no low class") : "";
      });
  direction_ = bins_.declare(
      "direction", {number_axis("dimension", n), {"direction", {"-", "+"}}, {"request", {"none", "low", "high"}}},
      [n](Value v) {
        return v[2] == 1 && v[0] == n - 1
                   ? std::string("the last dimension is the lowest only with z = 1, and then never low")
                   : "";
      });
}

void ArbLogicCoverage::sample(const Query& query, Scheme scheme, const Requests& a) {
  const int s = static_cast<int>(known(scheme));
  bins_.hit(z_ + s * (n_ + 1) + a.z);
  if (a.eject()) return bins_.hit(classes_ + s * 5 + kEject);
  const int lowest = std::countr_zero(a.remaining);
  bins_.hit(lowest_ + lowest * n_ + a.z - 1);
  bins_.hit(classes_ + s * 5 + (a.high ? (a.low ? kHighAndLow : kHigh) : a.low ? kLow : kNothing));
  const arb_request::Lanes credits = arb_request::selected_credit(query);
  for (uint32_t left = a.remaining; left; left &= left - 1) {
    const int d = std::countr_zero(left), credit = lane(credits, d);
    const int relation = credit == 0 ? kNone : credit < a.z ? kBelow : credit == a.z ? kEqual : kAbove;
    bins_.hit(credit_ + ((s * 2 + (d != lowest)) * n_ + a.z - 1) * 4 + relation);
    const int raised = (a.high >> d & 1) ? 2 : a.low >> d & 1;
    bins_.hit(direction_ + (d * 2 + (a.plus >> d & 1)) * 3 + raised);
  }
}

ArbPortCoverage::ArbPortCoverage(const arb_request::PortSize& size) : size_(size), logic_(bins_, size.dimensions) {
  const int n = size.dimensions, v = size.queues, s = size.subset;
  window_ = bins_.declare("window", {number_axis("first", v), number_axis("asking", s + 1)});
  lane_ = bins_.declare("lane that won", {number_axis("lane", s), number_axis("sub-queue", v)});
  excluded_ = bins_.declare("visible request", {{"in the window", {"no", "yes"}}}, [s, v](Value x) {
    if (x[0] == 0 && s == v) return std::string("the window is everything");
    return x[0] == 1 && s < v ? std::string("the window continues behind the sub-queue that asked") : "";
  });
  policy_ = bins_.declare(
      "selection", {{"policy", kPolicies}, {"class", {"low", "high"}}, number_axis("candidates", n, 1)}, [n](Value x) {
        if (x[1] == 0 && x[2] > 0) return std::string("at most one low request");
        return x[1] == 0 && n == 1 ? std::string("one dimension has no low class") : "";
      });
  output_ = bins_.declare(
      "output asked for",
      {number_axis("dimension", n), {"direction", {"+", "-"}}, {"pick", {"at the start", "above", "below (wrapped)"}}},
      [n](Value x) {
        return x[0] == 0 && x[2] == 1       ? std::string("nothing lies below dimension 0")
               : x[0] == n - 1 && x[2] == 2 ? std::string("nothing lies above the last dimension")
                                            : "";
      });
  need_ = bins_.declare("need", {{"class", {"low", "high"}}, number_axis("need", n, 1)}, [n](Value x) {
    if (x[0] == 0 && n == 1) return std::string("one dimension has no low class");
    return x[0] == 0 && x[1] > 0 ? std::string("a low request needs one packet slot") : "";
  });
  grant_ =
      bins_.declare("grant", {{"request", {"none", "eject", "low", "high"}}, {"granted", {"no", "yes"}}},
                    [n](Value x) { return x[0] == 2 && n == 1 ? std::string("one dimension has no low class") : ""; });
  arrive_ = bins_.declare(
      "arrival", {number_axis("occupied", v + 1), {"offered", {"no", "yes"}}, {"leaving", {"no", "yes"}}},
      [](Value x) { return x[0] == 0 && x[2] == 1 ? std::string("an empty port has nothing to leave") : ""; });
  slot_ = bins_.declare("sub-queue taken", {number_axis("sub-queue", v)});
  reset_ = bins_.declare("reset",
                         {{"while", {"a request is visible", "packets wait", "full", "a packet is offered", "empty"}}});
}

void ArbPortCoverage::sample(const PortInputs& in, const arb_request::InputPort& port) {
  if (in.reset_n) {
    const Examination& e = port.examination();
    for (uint32_t left = e.looked_at; left; left &= left - 1) {
      const int q = std::countr_zero(left);
      Query query = e.query;
      query.dest = port.dest(q);
      logic_.sample(query, e.scheme, e.answer[q]);
    }
    bins_.hit(window_ + e.window * (size_.subset + 1) + std::popcount(e.asking));
    if (before_.request.valid) bins_.hit(excluded_ + (e.excluded != 0));
    if (e.picked >= 0) {
      const int lane_number = (e.picked - e.window + size_.queues) % size_.queues;
      bins_.hit(lane_ + lane_number * size_.queues + e.picked);
      sample_selection(e, port.out().request);
    }
    sample_queues(in);
  } else {
    const bool full = std::popcount(occupied_before_) == size_.queues;
    const bool seen[] = {before_.request.valid, occupied_before_ != 0, full, in.in_valid, occupied_before_ == 0};
    for (int k = 0; k < 5; ++k)
      if (seen[k]) bins_.hit(reset_ + k);
  }
  before_ = port.out();
  occupied_before_ = port.occupied();
}

void ArbPortCoverage::sample_selection(const Examination& e, const PortRequest& r) {
  const Requests& a = e.answer[e.picked];
  if (r.eject) return;
  const int n = size_.dimensions, policy = static_cast<int>(known(e.policy));
  bins_.hit(policy_ + (policy * 2 + r.high) * n + std::popcount(a.candidates()) - 1);
  const int start = policy == 1 ? ((e.selector.lfsr & 0xFF) * n) >> 8 : e.selector.dimension_pointer;
  bins_.hit(output_ + (r.dimension * 2 + r.minus) * 3 + (r.dimension == start ? 0 : r.dimension > start ? 1 : 2));
  bins_.hit(need_ + r.high * n + r.need - 1);
}

void ArbPortCoverage::sample_queues(const PortInputs& in) {
  const PortRequest& r = before_.request;
  const int kind = !r.valid ? 0 : r.eject ? 1 : r.high ? 3 : 2;
  const bool leaves = r.valid && in.grant;
  bins_.hit(grant_ + kind * 2 + in.grant);
  bins_.hit(arrive_ + (std::popcount(occupied_before_) * 2 + in.in_valid) * 2 + leaves);
  if (in.in_valid && std::popcount(occupied_before_) < size_.queues)
    bins_.hit(slot_ + std::countr_one(occupied_before_));
}

ArbSwitchCoverage::ArbSwitchCoverage(Coverage& bins, const arb_request::PortSize& size)
    : bins_(bins), ports_(2 * size.dimensions + 1), slots_(size.queues) {
  const Axis output{"output", {"link", "ejection"}};
  contention_ = bins_.declare(
      "contention", {output, {"ask", {"0", "1", "2", "3 or more"}}, {"have the credit", {"0", "1", "2 or more"}}},
      [](Value v) {
        if (v[2] > v[1]) return std::string("only those who ask count");
        if (v[0] == 1 && v[2] != std::min(v[1], 2)) return std::string("an ejection needs no credit");
        return std::string();
      });
  pair_ = bins_.declare("grant", {number_axis("input", ports_), number_axis("output", ports_)});
  pick_ = bins_.declare("pick", {output, {"winner", {"at the pointer", "above", "below (wrapped)"}}});
  need_ =
      bins_.declare("need and credit", {{"need", {"1", "more"}}, {"credit", {"0", "1..need-1", "need", "above"}}},
                    [](Value v) { return v[0] == 0 && v[1] == 1 ? std::string("nothing lies between 0 and 1") : ""; });
  counter_ = bins_.declare("credit counter",
                           {number_axis("credit", slots_ + 1), {"granted", {"no", "yes"}}, {"returned", {"no", "yes"}}},
                           [this](Value v) {
                             if (v[0] == 0 && v[1] == 1) return std::string("no grant without credit");
                             return v[0] == slots_ && v[2] == 1 ? std::string("no packet is outstanding") : "";
                           });
  reset_ = bins_.declare("reset", {{"while", {"requests wait", "credits are outstanding"}}});
}

void ArbSwitchCoverage::sample(const arb_request::SwitchInputs& in, const arb_request::GoldenSwitch& golden) {
  const arb_request::Switch& before = golden.before();
  if (in.reset_n) {
    for (int o = 0; o < ports_; ++o) sample_output(o, before, golden.answered());
    return;
  }
  for (int o = 0; o < ports_; ++o) {
    if (before.asking(o, golden.answered().request)) bins_.hit(reset_);
    if (before.output(o).credit() < slots_) bins_.hit(reset_ + 1);
  }
}

void ArbSwitchCoverage::sample_output(int o, const arb_request::Switch& before,
                                      const arb_request::SwitchInputs& answered) {
  const bool ejection = o == ports_ - 1;
  const uint32_t ask = before.asking(o, answered.request);
  const int credit = before.output(o).credit(), winner = before.winner(o, answered.request);
  int able = 0;
  for (uint32_t left = ask; left; left &= left - 1) {
    const int need = answered.request[static_cast<size_t>(std::countr_zero(left))].need;
    able += ejection || credit >= need;
    if (ejection) continue;
    bins_.hit(need_ + (need > 1) * 4 + (credit == 0 ? 0 : credit < need ? 1 : credit == need ? 2 : 3));
  }
  bins_.hit(contention_ + (ejection * 4 + std::min(std::popcount(ask), 3)) * 3 + std::min(able, 2));
  if (!ejection) bins_.hit(counter_ + (credit * 2 + (winner >= 0)) * 2 + static_cast<int>(answered.returned >> o & 1));
  if (winner < 0) return;
  bins_.hit(pair_ + winner * ports_ + o);
  const int pointer = before.output(o).pointer();
  bins_.hit(pick_ + ejection * 3 + (winner == pointer ? 0 : winner > pointer ? 1 : 2));
}

}  // namespace odonata::cosim
