// SPDX-License-Identifier: Apache-2.0
#include "sim/network/wiring.h"

#include <algorithm>

namespace odonata::network {

void PortWires::keep(size_t block, const std::vector<int>& blocks) {
  lookahead_ = lookahead();
  longest_ = longest();
  std::vector<PortWire> kept;
  kept.reserve(block * blocks.size());
  std::vector<size_t> first(size_ / block);
  for (const int b : blocks) {
    first[static_cast<size_t>(b)] = kept.size();
    const PortWire* const from = &(*this)[static_cast<size_t>(b) * block];
    kept.insert(kept.end(), from, from + block);
  }
  list_ = std::move(kept);
  first_ = std::move(first);
  block_ = block;
}

int PortWires::longest() const {
  if (longest_ >= 0) return longest_;
  int most = 0;
  for (const PortWire& w : list_) most = std::max<int>(most, w.latency);
  return most;
}

int PortWires::lookahead() const {
  if (lookahead_ >= 0) return lookahead_;
  int least = 0;
  for (const PortWire& w : list_) {
    if (w.kind == LinkKind::between && (least == 0 || w.latency < least)) least = w.latency;
  }
  return least;
}

std::vector<uint32_t> Wiring::addresses() const {
  std::vector<uint32_t> out;
  for (const PortWire& w : wire) {
    if (w.kind != LinkKind::node) continue;
    if (out.size() <= w.peer) out.resize(w.peer + 1);
    out[w.peer] = w.address;
  }
  return out;
}

}  // namespace odonata::network
