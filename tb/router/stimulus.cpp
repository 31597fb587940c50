// SPDX-License-Identifier: Apache-2.0
#include "tb/router/stimulus.h"

#include <algorithm>
#include <utility>

namespace odonata::cosim {

using router::DataInputs;
using router::DataOutputs;
using router::kNumVcs;

DataTraffic::DataTraffic(const router::DataConfig& config, const DataDemand& demand, bool changing, uint64_t seed)
    : config_(config),
      demand_(demand),
      changing_(changing),
      random_(seed),
      senders_(static_cast<size_t>(config.num_ports())) {
  restart();
}

int DataTraffic::smallest_depth() const {
  return std::min({config_.node_depth, config_.local_depth, config_.global_depth});
}

/// The room that a head waits for: a packet longer than the buffers goes from one to the next while it is still coming.
int DataTraffic::longest_moved() const { return std::min(demand_.packet, smallest_depth()); }

/// As after a reset of the router and its neighbours.
void DataTraffic::restart() {
  for (int k = 0; k < config_.num_ports(); ++k) {
    for (auto& channel : senders_[k].vc) channel = {config_.depth(k), 0, 0, false};
  }
  for (Sender& sender : senders_) sender.down = sender.drain = 0;
  for (auto& day : credits_) day.clear();
  alive_ = true;
}

/// The rest of what is being sent never comes.
void DataTraffic::abandon() {
  for (Sender& sender : senders_) {
    for (auto& channel : sender.vc) channel.left = 0;
  }
}

void DataTraffic::new_demand() {
  const auto one_of = [&](auto... values) {
    const std::array<double, sizeof...(values)> list{static_cast<double>(values)...};
    return list[random_.below(sizeof...(values))];
  };
  demand_ = {};
  demand_.load = one_of(0.05, 0.3, 0.6, 0.9, 1, 1);
  demand_.packet = std::min(static_cast<int>(one_of(1, 1, 1, 2, 4, 8, 64)), smallest_depth());
  demand_.all_long = random_.chance(0.5);
  demand_.drops = one_of(0, 0, 0.05, 0.5);
  demand_.hot = one_of(0, 0, 0.3, 0.9);
  demand_.hot_port = below(config_.num_ports());
  demand_.hot_vc = below(kNumVcs);
  demand_.taken = one_of(0, 0, 0.1, 0.6, 0.95);
  demand_.credit_delay = static_cast<int>(one_of(1, 10, 60, 300));
  demand_.credit_bunch = static_cast<int>(one_of(1, 1, 4, 30));
  demand_.cuts = one_of(0, 0, 0.1);
  demand_.deaths = one_of(0, 0, 0.005, 0.05);
  demand_.repairs = one_of(0.02, 0.3, 1);
  demand_.resets = one_of(0, 0, 0.002);
  demand_.one_vc = random_.chance(0.2);
  demand_.falls = one_of(0, 0, 0.002, 0.02, 0.1);
  demand_.poisons = one_of(0, 0, 0.05, 0.3);
  packet_last_ = longest_moved() - 1;
  until_ = cycle_ + 200 + random_.below(1500);
}

/// Flits on links give their credits back after the delay; a few of one channel may come together.
void DataTraffic::return_credits(const DataOutputs& last, DataInputs& in) {
  for (int k = config_.nodes; k < config_.num_ports(); ++k) {
    if ((last.out_valid >> k & 1) == 0) continue;
    const int v = router::flit_vc(last.out_flit[static_cast<size_t>(k * config_.words)]);
    uint64_t due = cycle_ + static_cast<uint64_t>(demand_.credit_delay);
    due += static_cast<uint64_t>(demand_.credit_bunch) - 1 - due % static_cast<uint64_t>(demand_.credit_bunch);
    credits_[due % kDays].push_back({static_cast<uint8_t>(k), static_cast<uint8_t>(v)});
  }
  std::vector<Credit>& today = credits_[cycle_ % kDays];
  for (const Credit& c : today) ++in.credit[static_cast<size_t>(kNumVcs * c.port + c.vc)];
  today.clear();
}

/// One flit at most: of a packet under way, or the head of a new one that has room as a whole, if it can have.
void DataTraffic::send(int port, DataInputs& in) {
  if (!random_.chance(demand_.load)) return;
  const int first = demand_.one_vc ? 0 : below(kNumVcs);
  Sender& sender = senders_[port];
  for (int i = 0; i < (demand_.one_vc ? 1 : kNumVcs); ++i) {
    const int v = (first + i) % kNumVcs;
    auto& channel = sender.vc[v];
    const bool head = channel.left == 0;
    if (head) {
      const int length = demand_.all_long ? demand_.packet : 1 + below(demand_.packet);
      if (channel.room < std::min(length, smallest_depth())) continue;
      channel.left = channel.length = length;
      channel.cut = random_.chance(demand_.cuts);
    }
    if (channel.room == 0) continue;
    --channel.room;
    --channel.left;
    const bool poisoned = !head && demand_.poisons > 0 && random_.chance(demand_.poisons);
    if (poisoned) channel.left = 0;
    for (int w = 0; w < config_.words; ++w) in.in_flit[static_cast<size_t>(port * config_.words + w)] = random_.next();
    uint64_t& word = in.in_flit[static_cast<size_t>(port * config_.words)];
    const bool tail = channel.left == 0;
    word = (word & ~0xFull) | static_cast<uint64_t>(v) | (head ? 4 : 0) | (tail ? 8 : 0);
    if (head) word = (word & ~0x7E0ull) | static_cast<uint64_t>(channel.length - 1) << 5;
    if (poisoned) word |= 0x10;
    in.in_valid |= 1ull << port;
    if (channel.cut || sender.drain > 0) in.in_cut |= 1ull << port;
    return;
  }
}

/// A node sends nothing over a link that is down.
bool DataTraffic::is_down(int port) {
  Sender& sender = senders_[port];
  if (sender.down == 0 && demand_.falls > 0 && random_.chance(demand_.falls)) {
    constexpr std::array<int, 5> kCycles{1, 1, 2, 6, 30};
    sender.down = kCycles[random_.below(kCycles.size())];
    return false;
  }
  return sender.down > 0 && config_.is_node(port);
}

/// A link goes down after what this edge brings; what is on it meanwhile is lost. A node does not finish its packet.
void DataTraffic::fail(int port, DataInputs& in) {
  Sender& sender = senders_[port];
  if (sender.down > 0) {
    --sender.down;
    in.link_down |= 1ull << port;
    sender.drain = config_.is_node(port) ? 0 : kWire;
    for (auto& channel : sender.vc) channel.left = config_.is_node(port) ? 0 : channel.left;
  } else if (sender.drain > 0) {
    --sender.drain;
  }
}

bool DataTraffic::next(const DataOutputs& last, DataInputs& in) {
  ++cycle_;
  if (changing_ && cycle_ >= until_) new_demand();
  if (!changing_) packet_last_ = longest_moved() - 1;
  in = {};
  in.packet_last = static_cast<uint8_t>(packet_last_);
  if (cycle_ == 1 || random_.chance(demand_.resets)) {
    in.reset = true;
    restart();
    abandon();
    return true;
  }
  for (int k = 0; k < config_.num_ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v) senders_[k].vc[v].room += last.credit[static_cast<size_t>(kNumVcs * k + v)];
  }
  if (random_.chance(alive_ ? demand_.deaths : demand_.repairs)) {
    alive_ = !alive_;
    if (random_.chance(0.5)) abandon();  // or it goes on and is discarded
  }
  in.alive = alive_;
  return_credits(last, in);
  for (int k = 0; k < config_.num_ports(); ++k) {
    if (!is_down(k) && cycle_ > kRest) send(k, in);
    fail(k, in);
    const bool hot = random_.chance(demand_.hot), none = random_.chance(demand_.drops);
    in.ans_port[k] = static_cast<uint8_t>(none  ? config_.num_ports() + below(64 - config_.num_ports())
                                          : hot ? demand_.hot_port
                                                : below(config_.num_ports()));
    in.ans_vc[k] = static_cast<uint8_t>(hot ? demand_.hot_vc : below(kNumVcs));
    if (random_.chance(demand_.taken)) in.slot_taken |= 1ull << k;
    // Pins without a meaning: cut without a flit, credits of node ports.
    if (random_.chance(0.1)) in.in_cut |= (in.in_valid >> k & 1) == 0 ? 1ull << k : 0;
  }
  for (int i = 0; i < kNumVcs * config_.nodes; ++i)
    in.credit[static_cast<size_t>(i)] = static_cast<uint16_t>(random_.below(512));
  return true;
}

void CutScenes::flit(int port, int vc, bool head, bool tail, DataInputs& in) const {
  in.in_valid |= 1ull << port;
  for (int w = 0; w < config_.words; ++w)
    in.in_flit[static_cast<size_t>(port * config_.words + w)] = (cycle_ << 16) + static_cast<uint64_t>(w) * 4096;
  in.in_flit[static_cast<size_t>(port * config_.words)] |=
      static_cast<uint64_t>(vc) | (head ? 4u : 0u) | (tail ? 8u : 0u);
}

bool CutScenes::next(const DataOutputs& last, DataInputs& in) {
  uint64_t scene = cycle_ / kLength;
  if (scene == kScenes) return false;
  const auto t = static_cast<int>(cycle_ % kLength);
  const auto choice = [&scene](int n) {
    const auto out = static_cast<int>(scene % static_cast<uint64_t>(n));
    scene /= static_cast<uint64_t>(n);
    return out;
  };
  constexpr std::array<int, 3> kFlits{2, 3, 5};
  enum Way { free, closed, none, without_credits };
  const int ports[] = {0, config_.nodes, config_.num_ports() - 1};
  const int age = choice(kAges), port = ports[choice(3)], way = choice(4), stride = choice(2) == 0 ? 1 : 4;
  const int flits = kFlits[static_cast<size_t>(choice(3))];
  const bool behind = choice(2) != 0, again = choice(2) != 0;
  constexpr int kVc = 2, kHead = 9, kOpens = 22, kPays = 42;
  const int before = way == without_credits ? 6 : behind ? 1 : 0;
  const int down = kHead + age, end = kHead + flits * stride, next = std::max(down + 1, end);
  const int out = config_.nodes + 1;
  in = {};
  in.reset = t == 0;
  in.packet_last = static_cast<uint8_t>(way == closed && t < kOpens ? 63 : way == without_credits ? 0 : flits - 1);
  in.ans_port.fill(static_cast<uint8_t>(way == none ? router::kNoOption : out));
  in.ans_vc.fill(1);
  credits_ = t == 0 ? 0 : credits_ + static_cast<int>(last.out_valid >> out & 1);
  if (way != without_credits || t >= kPays)
    in.credit[static_cast<size_t>(kNumVcs * out + 1)] = static_cast<uint16_t>(std::exchange(credits_, 0));
  if (t >= 1 && t <= before) flit(port, kVc, true, true, in);
  if (t >= kHead && t < end && (t - kHead) % stride == 0 && (!config_.is_node(port) || t <= down))
    flit(port, kVc, t == kHead, t + stride >= end, in);
  if (t == next || t == next + 1) flit(port, kVc, t == next, t != next, in);
  if (t == down || (again && t == next)) in.link_down = 1ull << port;
  ++cycle_;
  return true;
}

}  // namespace odonata::cosim
