// SPDX-License-Identifier: Apache-2.0
#include "tb/router/oracle.h"

namespace odonata::cosim {

using router::DataInputs;
using router::DataOutputs;

void DataOracle::after_reset() {
  const auto n = static_cast<size_t>(n_);
  flits_.assign(n, std::vector<std::vector<FlitWords>>(4));
  routes_.assign(n, std::vector<std::vector<RouteEntry>>(4));
  come_.assign(n, std::vector<int>(4, 0));
  begun_.assign(n, std::vector<bool>(4, false));
  poison_.assign(n, std::vector<std::vector<RouteEntry>>(4));
  owed_.assign(n, std::vector<int>(4, 0));
  held_.assign(n, std::vector<bool>(4, false));
  tag_.assign(n, std::vector<Tag>(4));
  vc_pointer_.assign(n, 0);
  input_pointer_.assign(n, 0);
  fifo_.assign(n, {});
  cycle_ = 0;
  credits_.clear();
  for (int k = 0; k < n_; ++k) credits_.push_back(std::vector<int>(4, c_.depth(k)));
}

void DataOracle::edge(const DataInputs& in) {
  packet_last_ = in.packet_last;
  for (int k = 0; k < n_; ++k) {
    for (int v = 0; v < 4; ++v) {
      owed_[k][v] = 0;
      if (in.alive) continue;
      owed_[k][v] = static_cast<int>(flits_[k][v].size());
      flits_[k][v].clear();
      poison_[k][v].clear();
      routes_[k][v].clear();
      begun_[k][v] = false;
      come_[k][v] = 0;
      held_[k][v] = false;
    }
    if (!in.alive) tag_[k].assign(4, {});
  }
  for (int k = 0; k < n_; ++k) {
    const Tag due = tag_[k][3];
    if (in.alive && due.valid) routes_[k][due.vc].push_back({in.ans_port[k], in.ans_vc[k]});
    for (int s = 3; s > 0; --s) tag_[k][s] = tag_[k][s - 1];
    tag_[k][0] = {};
  }
  for (int k = 0; k < n_; ++k) {
    if ((in.in_valid >> k & 1) == 0) continue;
    FlitWords flit;
    for (int w = 0; w < c_.words; ++w) flit.push_back(in.in_flit[k * c_.words + w]);
    const int vc = static_cast<int>(flit[0] & 3);
    const bool head = (flit[0] >> 2 & 1) != 0, tail = (flit[0] >> 3 & 1) != 0;
    if (!in.alive || (in.in_cut >> k & 1) != 0 || (!head && come_[k][vc] == 0)) {
      owed_[k][vc] += 1;
    } else {
      flits_[k][vc].push_back(flit);
      come_[k][vc] += 1;
      if (tail) come_[k][vc] = 0;
      if (head) tag_[k][0] = {true, vc};
    }
  }
  for (int k = c_.nodes; k < n_; ++k) {
    for (int v = 0; v < 4; ++v) credits_[k][v] += in.credit[4 * k + v];
  }
}

/// 0..n-1 from `first` on, cyclically.
std::vector<int> DataOracle::turn(int first, int n) {
  std::vector<int> out;
  for (int i = first; i < first + n; ++i) out.push_back(i % n);
  return out;
}

bool DataOracle::can_move(int k, int v) const {
  if (poison_[k][v].empty() && (flits_[k][v].empty() || routes_[k][v].empty())) return false;
  const RouteEntry to = way(k, v);
  if (to.port >= n_) return true;
  if (static_cast<int>(fifo_[to.port].size()) >= c_.output_fifo) return false;
  if (!begun_[k][v] && poison_[k][v].empty())
    return !held_[to.port][to.vc] && (is_node(to.port) || credits_[to.port][to.vc] > packet_last_);
  return is_node(to.port) || credits_[to.port][to.vc] > 0;
}

void DataOracle::phase(int number, DataOutputs& out) {
  if (c_.turn_cycles > 0) {
    const int turn = static_cast<int>(cycle_ / c_.turn_cycles % (4 * n_));
    const int k = turn / 4, v = turn % 4;
    if (can_move(k, v)) {
      vc_pointer_[k] = v;
      const int o = way(k, v).port;
      if (o < n_) input_pointer_[o] = k;
    }
  }
  std::vector<int> pick(static_cast<size_t>(n_), -1), winner(static_cast<size_t>(n_), -1);
  for (int k = 0; k < n_; ++k) {
    for (const int v : turn(vc_pointer_[k], 4)) {
      if (pick[k] < 0 && can_move(k, v)) pick[k] = v;
    }
  }
  for (int o = 0; o < n_; ++o) {
    for (const int k : turn(input_pointer_[o], n_)) {
      if (winner[o] < 0 && pick[k] >= 0 && way(k, pick[k]).port == o) winner[o] = k;
    }
  }
  for (int k = 0; k < n_; ++k) {
    if (pick[k] < 0) continue;
    const int v = pick[k];
    const RouteEntry to = way(k, v);
    const bool dropped = to.port >= n_;
    if (!dropped && winner[to.port] != k) continue;
    FlitWords flit(static_cast<size_t>(c_.words), 0);
    flit[0] = 8 + 16;
    if (!poison_[k][v].empty()) {
      poison_[k][v].clear();
    } else {
      flit = flits_[k][v].front();
      flits_[k][v].erase(flits_[k][v].begin());
      ++out.credit[4 * k + v];
      begun_[k][v] = true;
      if ((flit[0] >> 3 & 1) != 0) {
        begun_[k][v] = false;
        routes_[k][v].erase(routes_[k][v].begin());
      }
    }
    const bool tail = (flit[0] >> 3 & 1) != 0;
    vc_pointer_[k] = (v + 1) % 4;
    out.grant[2 * k + number] =
        static_cast<uint16_t>(2048 + 1024 * dropped + 256 * v + (dropped ? 0 : 4 * to.port + to.vc));
    if (dropped) continue;
    flit[0] = (flit[0] >> 2 << 2) + static_cast<uint64_t>(to.vc);
    fifo_[to.port].push_back(flit);
    input_pointer_[to.port] = (k + 1) % n_;
    held_[to.port][to.vc] = !tail;
    if (!is_node(to.port)) --credits_[to.port][to.vc];
    ++out.sent[4 * to.port + to.vc];
  }
}

/// docs/router.md §2.9, row by row.
void DataOracle::cut(int k, int v, DataOutputs& out) {
  const bool head_left = static_cast<int>(flits_[k][v].size()) < come_[k][v];
  for (int i = 0; i < come_[k][v] && !flits_[k][v].empty(); ++i) {
    flits_[k][v].pop_back();
    ++out.credit[4 * k + v];
  }
  come_[k][v] = 0;
  if (head_left) {
    if (routes_[k][v].front().port < n_) poison_[k][v] = routes_[k][v];
    routes_[k][v].clear();
    begun_[k][v] = false;
    return;
  }
  for (int s = 0; s < 4; ++s) {
    if (!tag_[k][s].valid || tag_[k][s].vc != v) continue;
    tag_[k][s] = {};
    return;
  }
  routes_[k][v].pop_back();
}

void DataOracle::step(const DataInputs& in, DataOutputs& out) {
  out = {};
  if (in.reset) return after_reset();
  edge(in);
  std::vector<bool> fresh(static_cast<size_t>(n_));  // the first flit at the end of the cycle was not first before
  for (int k = 0; k < n_; ++k) {
    fresh[k] = fifo_[k].empty();
    if (fifo_[k].empty() || (in.slot_taken >> k & 1) != 0) continue;
    fresh[k] = true;
    out.out_valid |= 1ull << k;
    for (int w = 0; w < c_.words; ++w) out.out_flit[k * c_.words + w] = fifo_[k].front()[w];
    fifo_[k].erase(fifo_[k].begin());
  }
  for (int k = 0; k < n_; ++k) {
    for (int v = 0; v < 4; ++v) out.credit[4 * k + v] = static_cast<uint16_t>(owed_[k][v]);
  }
  phase(0, out);
  phase(1, out);
  for (int k = 0; k < n_; ++k) {
    for (int v = 0; v < 4; ++v) {
      if ((in.link_down >> k & 1) != 0 && come_[k][v] != 0) cut(k, v, out);
    }
  }
  ++cycle_;
  for (int k = 0; k < n_; ++k) {
    if (!fifo_[k].empty() && fresh[k]) out.departed |= 1ull << k;
  }
}

}  // namespace odonata::cosim
