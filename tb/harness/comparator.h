// SPDX-License-Identifier: Apache-2.0
// Compares the outputs of two devices cycle by cycle, probe by probe.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "tb/harness/probe.h"

namespace odonata::cosim {

/// A difference in one probe.
struct Difference {
  std::string probe;
  std::string stage;
  uint64_t expected = 0;
  uint64_t got = 0;
  std::string note;  ///< for ordered and set-valued probes: what is missing or left over
};

/// Keeps what ordered and set-valued probes still wait for. Cycle-exact probes need no state.
template <class Out>
class Comparator {
 public:
  /// `skew` is the largest allowed distance in cycles between the two sides of an ordered or set-valued value.
  Comparator(std::span<const Probe<Out>> probes, uint64_t skew)
      : probes_(probes), skew_(skew), pending_(probes.size()) {
    for (const Probe<Out>& p : probes) exact_only_ &= p.kind == ProbeKind::cycle_exact;
  }

  /// Compares one cycle; true when nothing differs. The fast path is one comparison of the whole structure.
  bool equal(uint64_t cycle, const Out& expected, const Out& got) {
    if (exact_only_ && expected == got) return true;
    differences_.clear();
    for (size_t i = 0; i < probes_.size(); ++i) compare(i, cycle, expected, got);
    return differences_.empty();
  }
  /// Whether a value still waits for its counterpart; further cycles bring it, or equal() reports it after the skew.
  bool owes() const {
    return std::any_of(pending_.begin(), pending_.end(),
                       [](const Pending& p) { return !p.expected.empty() || !p.got.empty(); });
  }
  const std::vector<Difference>& differences() const { return differences_; }

 private:
  struct Item {
    uint64_t cycle, value;
  };
  struct Pending {
    std::deque<Item> expected, got;
  };

  void compare(size_t i, uint64_t cycle, const Out& expected, const Out& got) {
    const Probe<Out>& p = probes_[i];
    if (p.kind == ProbeKind::cycle_exact) {
      const uint64_t e = p.value(expected), g = p.value(got);
      if (e != g) differences_.push_back({p.name, p.stage, e, g, ""});
      return;
    }
    Pending& wait = pending_[i];
    if (p.valid(expected)) wait.expected.push_back({cycle, p.value(expected)});
    if (p.valid(got)) wait.got.push_back({cycle, p.value(got)});
    // Before the match: what comes one cycle after the skew is too late.
    if (!wait.expected.empty() && cycle - wait.expected.front().cycle > skew_)
      report_lonely(i, wait.expected.front(), true);
    if (!wait.got.empty() && cycle - wait.got.front().cycle > skew_) report_lonely(i, wait.got.front(), false);
    p.kind == ProbeKind::ordered ? match_ordered(i) : match_set(i);
  }
  void match_ordered(size_t i) {
    Pending& wait = pending_[i];
    while (!wait.expected.empty() && !wait.got.empty()) {
      const Item e = wait.expected.front(), g = wait.got.front();
      if (e.value != g.value)
        differences_.push_back({probes_[i].name, probes_[i].stage, e.value, g.value, "next in order"});
      wait.expected.pop_front();
      wait.got.pop_front();
    }
  }
  void match_set(size_t i) {
    Pending& wait = pending_[i];
    for (auto e = wait.expected.begin(); e != wait.expected.end();) {
      const auto g =
          std::find_if(wait.got.begin(), wait.got.end(), [&](const Item& item) { return item.value == e->value; });
      if (g == wait.got.end()) {
        ++e;
        continue;
      }
      wait.got.erase(g);
      e = wait.expected.erase(e);
    }
  }
  void report_lonely(size_t i, const Item& item, bool missing) {
    const std::string since = " since cycle " + std::to_string(item.cycle);
    differences_.push_back({probes_[i].name, probes_[i].stage, missing ? item.value : 0, missing ? 0 : item.value,
                            missing ? "expected, never came" + since : "came, never expected" + since});
  }

  std::span<const Probe<Out>> probes_;
  uint64_t skew_;
  bool exact_only_ = true;
  std::vector<Pending> pending_;
  std::vector<Difference> differences_;
};

}  // namespace odonata::cosim
