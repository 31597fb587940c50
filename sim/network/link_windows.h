// SPDX-License-Identifier: Apache-2.0
// The load of every link between routers over time, of a dragonfly that of every link between groups, beside the
// timeline: a picture for each stretch of the sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/exchange.h"
#include "sim/network/wiring.h"

namespace odonata::network {

/// Loads of links, window by window.
struct LinkWindows {
  struct Window {
    uint64_t first = 0, last = 0;  ///< cycles first..last-1
    std::vector<float> load;       ///< of each link: flits a cycle
  };
  std::vector<std::pair<uint32_t, uint32_t>> links;  ///< routers by their names (Wiring), from and to
  std::vector<Window> windows;

  /// The windows, two and two made one until they have no more than `most` loads in all, or there is one window: what
  /// a page can hold. The load of two is their mean, each weighted with its cycles.
  std::vector<Window> no_more_than(size_t most) const {
    std::vector<Window> out = windows;
    while (out.size() > 1 && out.size() * links.size() > most) {
      std::vector<Window> half;
      for (size_t i = 0; i < out.size(); i += 2) {
        half.push_back(out[i]);
        if (i + 1 == out.size()) break;
        Window& sum = half.back();
        const Window& next = out[i + 1];
        const auto one = static_cast<float>(sum.last - sum.first), other = static_cast<float>(next.last - next.first);
        for (size_t l = 0; l < sum.load.size(); ++l)
          sum.load[l] = (sum.load[l] * one + next.load[l] * other) / (one + other);
        sum.last = next.last;
      }
      out = std::move(half);
    }
    return out;
  }
};

/// Counts what the links have carried, at the ends of the timeline's entries that lie in the sample. When there would
/// be more than kMost windows, two and two become one, so that a long run costs no more than a short one.
class LinkCounts {
 public:
  static constexpr size_t kMost = 64;

  /// `interval`: of the timeline; 0: there is none. `inside`: whether links inside a domain are counted too.
  LinkCounts(uint64_t interval, const Wiring& wiring, bool inside) {
    if (interval == 0) return;
    std::vector<int> routers;
    for (int r = 0; r != wiring.domains * wiring.routers; ++r) routers.push_back(r);
    std::stable_sort(routers.begin(), routers.end(),
                     [&wiring](int a, int b) { return wiring.name(a) < wiring.name(b); });
    for (const int router : routers) {
      for (int port = 0; port != wiring.ports; ++port) {
        const PortWire& wire = wiring.at(router, port);
        if (wire.kind != LinkKind::between && (wire.kind != LinkKind::inside || !inside)) continue;
        ports_.push_back(static_cast<uint32_t>(router * wiring.ports + port));
        links_.emplace_back(static_cast<uint32_t>(wiring.name(router)),
                            static_cast<uint32_t>(wiring.name(static_cast<int>(wire.peer))));
      }
    }
  }

  /// `carried(port)`: flits up to `cycle`, by port over all routers. `last`: nothing comes behind it, the window ends
  /// here even if it is shorter. `exchange`: 0 for ports of other ranks, which add theirs; null: there are none.
  template <class Carried>
  void take(uint64_t cycle, bool last, const Carried& carried, Exchange* exchange) {
    if (ports_.empty()) return;
    ++skipped_;
    if ((skipped_ >= stride_ || last) && ends_.size() == kMost) halve();
    if (skipped_ < stride_ && !last) return;
    skipped_ = 0;
    ends_.push_back(cycle);
    std::vector<uint32_t> counts;
    for (uint32_t port : ports_) counts.push_back(carried(port));
    if (exchange != nullptr) {
      RankSums sums;
      sums(counts);
      sums.run(*exchange);
    }
    counts_.insert(counts_.end(), counts.begin(), counts.end());
  }

  /// The windows from cycle `first` on.
  LinkWindows result(uint64_t first) const {
    LinkWindows out;
    if (ends_.empty()) return out;
    out.links = links_;
    for (size_t w = 0; w < ends_.size(); ++w) {
      LinkWindows::Window window{w == 0 ? first : ends_[w - 1], ends_[w], {}};
      for (size_t i = 0; i < ports_.size(); ++i) {
        const uint32_t before = w == 0 ? 0 : counts_[(w - 1) * ports_.size() + i];
        window.load.push_back(static_cast<float>(counts_[w * ports_.size() + i] - before) /
                              static_cast<float>(window.last - window.first));
      }
      out.windows.push_back(std::move(window));
    }
    return out;
  }

  template <class Visit>
  void visit_state(Visit& visit) {
    visit(stride_), visit(skipped_), visit(ends_), visit(counts_);
    if constexpr (kReadsState<Visit>) {
      expect_state(stride_ != 0 && skipped_ < stride_ && ends_.size() <= kMost &&
                       counts_.size() == ends_.size() * ports_.size() &&
                       std::adjacent_find(ends_.begin(), ends_.end(), std::greater_equal<>()) == ends_.end(),
                   "windows of the links' load");
    }
  }

 private:
  void halve() {
    std::vector<uint32_t> kept;
    for (size_t w = 1; w < ends_.size(); w += 2) {
      ends_[w / 2] = ends_[w];
      const auto at = counts_.begin() + static_cast<std::ptrdiff_t>(w * ports_.size());
      kept.insert(kept.end(), at, at + static_cast<std::ptrdiff_t>(ports_.size()));
    }
    ends_.resize(ends_.size() / 2);
    counts_ = std::move(kept);
    stride_ *= 2;
  }

  std::vector<uint32_t> ports_;                       // over all routers
  std::vector<std::pair<uint32_t, uint32_t>> links_;  // LinkWindows::links
  uint64_t stride_ = 1;                               // entries of the timeline to a window
  uint64_t skipped_ = 0;
  std::vector<uint64_t> ends_;
  std::vector<uint32_t> counts_;  // [window * ports + port]: up to its end
};

}  // namespace odonata::network
