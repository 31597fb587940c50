// SPDX-License-Identifier: Apache-2.0
// Speed as ratios measured in one run, in user time: what the lockstep costs beside the bare RTL. Never part of a test.
#pragma once

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "tb/harness/stimulus.h"

namespace odonata::cosim {

inline constexpr int kRounds = 7;

inline double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// Plays a recording a number of times over, so that every measurement drives the same cycles and none pays for making
/// them.
template <class In, class Out>
class Loop final : public Stimulus<In, Out> {
 public:
  Loop(const std::vector<In>& cycles, int times) : cycles_(cycles), left_(times) {}
  bool next(const Out&, In& in) override {
    if (at_ == cycles_.size()) {
      at_ = 0;
      --left_;
    }
    if (left_ <= 0) return false;
    in = cycles_[at_++];
    return true;
  }

 private:
  const std::vector<In>& cycles_;
  int left_;
  size_t at_ = 0;
};

/// Something to measure.
struct Measurement {
  std::string name;
  std::function<uint64_t()> run;  ///< returns the number of cycles
  std::vector<double> ns{};       ///< a cycle, one a round
  double median() const {
    auto sorted = ns;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Rounds are interleaved, so that a slow moment of the machine hits all alike.
inline void measure(std::vector<Measurement>& all) {
  for (int round = 0; round < kRounds; ++round) {
    for (Measurement& m : all) {
      const double start = user_seconds();
      const uint64_t cycles = m.run();
      m.ns.push_back((user_seconds() - start) * 1e9 / static_cast<double>(cycles));
    }
  }
}

/// Prints a table with ratios to the measurement number `base` and returns the same as JSON.
inline std::string show(const std::vector<Measurement>& all, size_t base) {
  const double unit = all[base].median();
  fmt::print("{:<34} {:>9} {:>14} {:>8}\n", "", "ns/cycle", "M cycles/s", "ratio");
  std::string json = "{\n";
  for (const Measurement& m : all) {
    fmt::print("{:<34} {:>9.1f} {:>14.2f} {:>8.2f}\n", m.name, m.median(), 1000 / m.median(), m.median() / unit);
    json += fmt::format("  \"{}\": {{\"ns_per_cycle\": {:.2f}, \"ratio\": {:.3f}}}{}\n", m.name, m.median(),
                        m.median() / unit, &m == &all.back() ? "" : ",");
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\nmemory: {} MB\n", usage.ru_maxrss / 1024);
  return json + "}\n";
}

}  // namespace odonata::cosim
