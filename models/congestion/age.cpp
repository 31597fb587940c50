// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/age.h"

#include <algorithm>
#include <numeric>

namespace odonata::congestion {

std::string_view to_string(Stage stage) {
  constexpr std::string_view kNames[] = {"wait", "pcs", "link", "multiplex", "ring", "total"};
  return kNames[static_cast<int>(stage)];
}

uint64_t Histogram::samples() const { return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0}); }

int Histogram::min() const {
  const auto first = std::find_if(counts_.begin(), counts_.end(), [](uint64_t n) { return n != 0; });
  return first == counts_.end() ? 0 : static_cast<int>(first - counts_.begin());
}

int Histogram::max() const {
  for (size_t x = counts_.size(); x-- > 0;) {
    if (counts_[x] != 0) return static_cast<int>(x);
  }
  return 0;
}

double Histogram::mean() const {
  double sum = 0, n = 0;
  for (size_t x = 0; x < counts_.size(); ++x) {
    sum += static_cast<double>(x) * static_cast<double>(counts_[x]);
    n += static_cast<double>(counts_[x]);
  }
  return n == 0 ? 0 : sum / n;
}

bool Histogram::operator==(const Histogram& other) const {
  const size_t n = std::max(counts_.size(), other.counts_.size());
  for (size_t x = 0; x < n; ++x) {
    if ((x < counts_.size() ? counts_[x] : 0) != (x < other.counts_.size() ? other.counts_[x] : 0)) return false;
  }
  return true;
}

namespace {

int modulo(int x, int n) { return (x % n + n) % n; }

/// Cycles from a frame's latch to its last cycle on the link. Latch edges count as multiples of the period: with an
/// interval of 1 the first latch is at edge 2, and alternating frames have the `cong` bitmap in every second one from
/// edge 3 on.
int to_arrival(const AgeParameters& p, int f) {
  return f + p.pcs + p.link + (p.interval == 1 && p.period == 2 ? 1 : 0);
}

/// The multiplex waits w that occur with frame wait f (docs §7): all of 1..A, unless N is a multiple of A; then one
/// residue is missing.
Range slot_wait(const AgeParameters& p, int f) {
  const int a = p.routers, s = to_arrival(p, f);
  Range w{1, a};
  if (p.period % a == 0) {
    if (modulo(s + 3, a) == 0) w.min = 2;
    if (modulo(s + 2, a) == 0) w.max = a - 1;
  }
  return w;
}

/// Extremum over the frame waits of f * with_f + w.
Range frame_and_slot(const AgeParameters& p, bool with_f) {
  Range best{1 << 30, 0};
  for (int f = p.frame_wait_min; f <= p.frame_wait_max; ++f) {
    const Range w = slot_wait(p, f);
    best.min = std::min(best.min, (with_f ? f : 0) + w.min);
    best.max = std::max(best.max, (with_f ? f : 0) + w.max);
  }
  return best;
}

/// Mean multiplex wait with frame wait f.
double mean_slot_wait(const AgeParameters& p, int f) {
  const int a = p.routers, d = std::gcd(p.period, a);
  const int r = 1 + modulo(-3 - to_arrival(p, f), d);
  return (a - d) / 2.0 + (a * (d + 1) / 2.0 - r) / (a - 1);
}

}  // namespace

Range closed_form(const AgeParameters& p, Stage stage) {
  switch (stage) {
    case Stage::wait:
      return {2 + p.frame_wait_min, p.period + 1 + p.frame_wait_max};
    case Stage::pcs:
      return {p.pcs, p.pcs};
    case Stage::link:
      return {p.link, p.link};
    case Stage::multiplex: {
      const Range w = frame_and_slot(p, false);
      return {2 + w.min, 2 + w.max};
    }
    case Stage::ring:
      return {1, p.ring_stops};
    case Stage::total:
      break;
  }
  const Range fw = frame_and_slot(p, true);
  return {2 + fw.min + p.pcs + p.link + 3, p.period + 1 + fw.max + p.pcs + p.link + 2 + p.ring_stops};
}

double closed_form_mean(const AgeParameters& p, Stage stage) {
  const int f = p.frame_wait_min;
  switch (stage) {
    case Stage::wait:
      return (p.period + 3) / 2.0 + f;
    case Stage::pcs:
      return p.pcs;
    case Stage::link:
      return p.link;
    case Stage::multiplex:
      return 2 + mean_slot_wait(p, f);
    case Stage::ring:
      return (p.ring_stops + 1) / 2.0;
    case Stage::total:
      break;
  }
  double sum = 0;
  for (Stage s : {Stage::wait, Stage::pcs, Stage::link, Stage::multiplex, Stage::ring}) sum += closed_form_mean(p, s);
  return sum;
}

}  // namespace odonata::congestion
