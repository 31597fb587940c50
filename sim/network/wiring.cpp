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

int Wiring::network_routers() const { return domains * routers - static_cast<int>(std::ranges::count(names, -1)); }

std::vector<int> Wiring::routers_of(int domain) const {
  std::vector<int> out;
  for (int r = domain * routers; r != (domain + 1) * routers; ++r) {
    if (name(r) >= 0) out.push_back(name(r));
  }
  return out;
}

Wiring cut(const Wiring& whole, const std::vector<int>& domain_of) {
  std::vector<int> count(static_cast<size_t>(*std::max_element(domain_of.begin(), domain_of.end())) + 1);
  for (const int d : domain_of) ++count[static_cast<size_t>(d)];
  Wiring out{
      static_cast<int>(count.size()), *std::max_element(count.begin(), count.end()), whole.ports, whole.nodes, {}, {}};
  out.names.assign(count.size() * static_cast<size_t>(out.routers), -1);
  std::vector<int> place(domain_of.size());  // by name: number over all domains
  std::fill(count.begin(), count.end(), 0);
  for (size_t r = 0; r != place.size(); ++r) {
    const auto d = static_cast<size_t>(domain_of[r]);
    place[r] = static_cast<int>(d) * out.routers + count[d]++;
    out.names[static_cast<size_t>(place[r])] = static_cast<int>(r);
  }
  out.wire.reserve(out.names.size() * static_cast<size_t>(out.ports));
  for (const int name : out.names) {
    for (int port = 0; port != out.ports; ++port) {
      PortWire w = name < 0 ? PortWire{} : whole.at(name, port);
      if (w.kind == LinkKind::inside) {
        if (domain_of[static_cast<size_t>(name)] != domain_of[w.peer]) w.kind = LinkKind::between;
        w.peer = static_cast<uint32_t>(place[w.peer]);
      }
      out.wire.push_back(w);
    }
  }
  return out;
}

std::vector<int> in_runs(int count, int domains) {
  std::vector<int> out;
  const int64_t most = std::min(count, domains);
  for (int64_t d = 0; d != most; ++d) out.resize(static_cast<size_t>((d + 1) * count / most), static_cast<int>(d));
  return out;
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
