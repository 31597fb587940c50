// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/deadlock.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "models/arb_request/explain.h"
#include "models/arb_request/state_set.h"
#include "models/common/error.h"

namespace odonata::arb_request {
namespace {

/// A step of a packet: into which kind it turns, and the credit of that kind's queue that it needs.
struct Step {
  uint16_t kind = 0;   // 0: it arrives and leaves the network at once
  uint16_t queue = 0;  // dense number of the queue it enters
  uint8_t need = 0, need_high = 0;
};

/// A run of steps: those of one kind, or those of a packet that waits for injection at one router for one destination.
struct Steps {
  uint32_t first = 0, count = 0;
};

/// The system as tables over *kinds*: (queue, destination) pairs that a packet in the network can be, numbered from 1.
struct Tables {
  std::vector<Packet> packet;    // of a kind; [0] unused
  std::vector<uint16_t> queue;   // dense number of a kind's queue
  std::vector<Steps> of_kind;    // empty for an arrived packet
  std::vector<Steps> of_source;  // injections
  std::vector<Step> step;
  int queues = 0;
};

constexpr size_t kMaxKinds = 65535;

class TableMaker {
 public:
  TableMaker(const Mesh& mesh, Rule rule, bool keep_arrived)
      : mesh_(mesh), rule_(rule), keep_arrived_(keep_arrived), dense_(mesh.queues(), -1) {
    tables_.packet.resize(1);
    tables_.queue.resize(1);
  }
  Tables make() {
    for (int at = 0; at < mesh_.routers(); ++at)
      for (int dest = 0; dest < mesh_.routers(); ++dest)
        if (at != dest) name_kinds(at, dest);
    for (int at = 0; at < mesh_.routers(); ++at)
      for (int dest = 0; dest < mesh_.routers(); ++dest)
        if (at != dest) tables_.of_source.push_back(steps_from(at, dest));
    tables_.of_kind.resize(tables_.packet.size());
    for (size_t k = 1; k < tables_.packet.size(); ++k) {
      const Packet& p = tables_.packet[k];
      tables_.of_kind[k] = steps_from(mesh_.queue_router(p.queue), p.dest);
    }
    return std::move(tables_);
  }

 private:
  size_t index(int queue, int dest) const { return static_cast<size_t>(queue) * mesh_.routers() + dest; }

  void name_kinds(int at, int dest) {
    for (const Hop& h : mesh_.hops(at, dest, rule_)) {
      if (dense_[h.queue] < 0) dense_[h.queue] = tables_.queues++;
      if (h.router == dest && !keep_arrived_) continue;
      if (kind_.empty()) kind_.assign(static_cast<size_t>(mesh_.queues()) * mesh_.routers(), 0);
      uint16_t& kind = kind_[index(h.queue, dest)];
      if (kind) continue;
      if (tables_.packet.size() > kMaxKinds) throw Error("deadlock search: the mesh is too large");
      kind = static_cast<uint16_t>(tables_.packet.size());
      tables_.packet.push_back({h.queue, dest});
      tables_.queue.push_back(static_cast<uint16_t>(dense_[h.queue]));
    }
  }
  Steps steps_from(int at, int dest) {
    Steps s{static_cast<uint32_t>(tables_.step.size()), 0};
    if (at == dest) return s;
    for (const Hop& h : mesh_.hops(at, dest, rule_)) {
      const uint16_t kind = h.router == dest && !keep_arrived_ ? 0 : kind_[index(h.queue, dest)];
      tables_.step.push_back({kind, static_cast<uint16_t>(dense_[h.queue]), static_cast<uint8_t>(h.need),
                              static_cast<uint8_t>(h.need_high)});
      ++s.count;
    }
    return s;
  }

  const Mesh& mesh_;
  Rule rule_;
  bool keep_arrived_;
  std::vector<int> dense_;
  std::vector<uint16_t> kind_;
  Tables tables_;
};

/// The search. A configuration is packed as the kinds of its packets, `width_` bits each, in descending order from bit
/// 0 up; the unused fields above are 0.
template <class Key>
class Searcher {
 public:
  Searcher(Tables tables, const SearchOptions& options)
      : t_(std::move(tables)),
        o_(options),
        strict_(options.selection == Selection::kStrict),
        width_(std::bit_width(t_.packet.size() - 1)),
        field_((Key{1} << width_) - 1),
        credit_(t_.queues, static_cast<int8_t>(options.slots)) {}

  SearchResult run() {
    start_ = std::chrono::steady_clock::now();
    result_.states = 1;  // the empty configuration
    expand(0);
    flush();
    while (!stack_.empty() && !stopped_) {
      // Several configurations at a time: their successors' hash lines are fetched while others are computed.
      while (!stack_.empty() && fresh_.size() < kBatch && !stopped_) {
        const Key key = stack_.back();
        stack_.pop_back();
        expand(key);
      }
      flush();
      if ((++batches_ & 0x3FF) == 0) look_at_limits();
    }
    result_.seconds = elapsed();
    result_.memory = memory();
    return result_;
  }

 private:
  static constexpr size_t kBatch = 512;

  void expand(Key key) {
    count_ = 0;
    for (Key left = key; left != 0; left >>= width_) item_[count_++] = static_cast<uint16_t>(left & field_);
    for (int i = 0; i < count_; ++i) --credit_[t_.queue[item_[i]]];
    bool any = false;
    for (int i = 0; i < count_; ++i) {
      if (i && item_[i] == item_[i - 1]) continue;  // the same kind has the same steps
      any |= leave_by(take_out(key, i), t_.of_kind[item_[i]]);
    }
    if (count_ && !any) report(key);
    if (count_ < o_.packets)
      for (const Steps& source : t_.of_source) leave_by(key, source);
    for (int i = 0; i < count_; ++i) ++credit_[t_.queue[item_[i]]];
  }
  /// All steps of one packet that is no longer in `rest`; true if there is one.
  bool leave_by(Key rest, const Steps& steps) {
    if (steps.count == 0) {  // arrived: absorbed
      add(rest);
      return true;
    }
    const Step* const begin = &t_.step[steps.first];
    const Step* const end = begin + steps.count;
    bool high = false, any = false;
    if (strict_)
      for (const Step* s = begin; s != end; ++s) high |= credit_[s->queue] >= s->need_high;
    for (const Step* s = begin; s != end; ++s) {
      if (credit_[s->queue] < (high ? s->need_high : s->need)) continue;
      any = true;
      add(s->kind ? put_in(rest, s->kind) : rest);
    }
    return any;
  }
  void add(Key key) {
    ++result_.steps;
    if (key == 0) return;  // the empty configuration is the start
    set_.prefetch(key);
    fresh_.push_back(key);
  }
  void flush() {
    if (memory_to_go_on() > o_.memory_limit) return stop(SearchEnd::kMemoryLimit);
    for (const Key key : fresh_) {
      if (!set_.insert(key)) continue;
      ++result_.states;
      stack_.push_back(key);
    }
    fresh_.clear();
  }
  Key take_out(Key key, int at) const {
    const Key below = (Key{1} << (at * width_)) - 1;
    // Two shifts: the field may be the last one of the word.
    return (key & below) | (((key >> (at * width_)) >> width_) << (at * width_));
  }
  Key put_in(Key key, uint16_t kind) const {
    int at = 0;
    for (Key left = key; (left & field_) > kind; left >>= width_) ++at;
    const Key below = (Key{1} << (at * width_)) - 1;
    return (key & below) | (static_cast<Key>(kind) << (at * width_)) | (((key & ~below) << width_));
  }
  void report(Key key) {
    if (result_.deadlocks++ == 0)
      for (Key left = key; left != 0; left >>= width_)
        result_.example.push_back(t_.packet[static_cast<size_t>(left & field_)]);
    if (o_.stop_at_first) stop(SearchEnd::kFirstDeadlock);
  }
  void look_at_limits() {
    const double now = elapsed();
    if (o_.time_limit_s > 0 && now > o_.time_limit_s) stop(SearchEnd::kTimeLimit);
    if (o_.progress && now >= next_progress_) {
      next_progress_ = now + 0.1;
      if (!o_.progress({result_.states, stack_.size(), result_.deadlocks, now})) stop(SearchEnd::kInterrupted);
    }
  }
  void stop(SearchEnd why) {
    if (stopped_) return;
    stopped_ = true;
    result_.end = why;
  }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  /// Old and new arrays exist together while they grow.
  uint64_t memory_to_go_on() const {
    const bool stack_grows = stack_.size() + fresh_.size() > stack_.capacity();
    return set_.bytes_to_go_on(fresh_.size()) + stack_.capacity() * sizeof(Key) * (stack_grows ? 3 : 1);
  }
  uint64_t memory() const { return set_.bytes() + stack_.capacity() * sizeof(Key); }

  const Tables t_;
  const SearchOptions& o_;
  const bool strict_;
  const int width_;
  const Key field_;
  std::vector<int8_t> credit_;  // of every queue in the configuration being expanded; else all slots
  uint16_t item_[128] = {};
  int count_ = 0;
  StateSet<Key> set_;
  std::vector<Key> stack_, fresh_;
  SearchResult result_;
  bool stopped_ = false;
  uint64_t batches_ = 0;
  double next_progress_ = 0.1;
  std::chrono::steady_clock::time_point start_;
};

void check_slots(int slots) {
  if (slots < 1 || slots > 15) throw Error("deadlock: slots is " + std::to_string(slots) + ", must be 1..15");
}

/// Credits of all queues in a configuration; throws Error if a queue holds more packets than it has slots.
std::vector<int> credits_of(const Mesh& mesh, int slots, const std::vector<Packet>& packets) {
  std::vector<int> credit(mesh.queues(), slots);
  for (const Packet& p : packets)
    if (--credit.at(p.queue) < 0) throw Error("deadlock: " + mesh.queue_name(p.queue) + " is overfull");
  return credit;
}

/// The exact check: kinds are removed until none can be removed (docs/arb_request.md §8).
class StuckKinds {
 public:
  struct Kind {
    Packet packet;
    int need = 0;  // credit to enter its queue
    bool stuck = true;
  };
  StuckKinds(const Mesh& mesh, Rule rule, int slots) : mesh_(mesh), rule_(rule), slots_(slots) {
    for (int at = 0; at < mesh.routers(); ++at)
      for (int dest = 0; dest < mesh.routers(); ++dest)
        for (const Hop& h : mesh.hops(at, dest, rule))
          if (h.router != dest && h.need <= slots) kinds_.push_back({{h.queue, dest}, h.need, true});
  }
  UnboundedResult run() {
    UnboundedResult r;
    r.kinds = r.stuck = static_cast<int64_t>(kinds_.size());
    for (int64_t before = -1; before != r.stuck; ++r.rounds) {
      before = r.stuck;
      find_least_credits();
      for (Kind& k : kinds_)
        if (k.stuck && can_leave(k)) k.stuck = false, --r.stuck;
    }
    r.deadlock_free = r.stuck == 0;
    if (!r.deadlock_free) r.example = smallest_example();
    return r;
  }

 private:
  void find_least_credits() {
    cheapest_.assign(mesh_.queues(), -1);
    for (size_t i = 0; i < kinds_.size(); ++i) {
      int& best = cheapest_[kinds_[i].packet.queue];
      if (kinds_[i].stuck && (best < 0 || kinds_[i].need < kinds_[best].need)) best = static_cast<int>(i);
    }
  }
  int least_credit(int queue) const { return cheapest_[queue] < 0 ? slots_ : kinds_[cheapest_[queue]].need - 1; }
  bool can_leave(const Kind& k) const {
    for (const Hop& h : mesh_.hops(mesh_.queue_router(k.packet.queue), k.packet.dest, rule_))
      if (least_credit(h.queue) >= h.need) return true;
    return false;
  }
  /// Queues that must be filled so that the packets in `queue` are stuck, and so on.
  std::vector<int> closure(int queue) const {
    std::vector<int> found{queue};
    for (size_t i = 0; i < found.size(); ++i) {
      const Packet& p = kinds_[cheapest_[found[i]]].packet;
      for (const Hop& h : mesh_.hops(mesh_.queue_router(p.queue), p.dest, rule_))
        if (h.need <= slots_ && std::find(found.begin(), found.end(), h.queue) == found.end()) found.push_back(h.queue);
    }
    return found;
  }
  std::vector<Packet> smallest_example() {
    find_least_credits();
    std::vector<int> best;
    int tried = 0;
    for (int q = 0; q < mesh_.queues() && tried < 64; ++q) {
      if (cheapest_[q] < 0) continue;
      ++tried;
      const std::vector<int> found = closure(q);
      if (best.empty() || found.size() < best.size()) best = found;
    }
    std::vector<Packet> packets;
    for (int q : best)
      for (int credit = slots_; credit > least_credit(q); --credit) packets.push_back(kinds_[cheapest_[q]].packet);
    return packets;
  }

  const Mesh& mesh_;
  Rule rule_;
  int slots_;
  std::vector<Kind> kinds_;
  std::vector<int> cheapest_;  // of a queue: the stuck kind with the smallest need, -1: none
};

}  // namespace

SearchResult search(const Mesh& mesh, const SearchOptions& options) {
  check_slots(options.slots);
  if (options.packets < 1 || options.packets > 32)
    throw Error("deadlock: packets is " + std::to_string(options.packets) + ", must be 1..32");
  const bool keep = options.keep_arrived || options.selection == Selection::kStrict;
  Tables tables = TableMaker(mesh, options.rule, keep).make();
  const int bits = options.packets * std::bit_width(tables.packet.size() - 1);
  if (bits > 128)
    throw Error("deadlock: " + std::to_string(options.packets) + " packets in " + mesh.name() + " need " +
                std::to_string(bits) + " bits a configuration, 128 are possible: fewer packets or a smaller mesh");
  if (bits < 64) return Searcher<uint64_t>(std::move(tables), options).run();
  return Searcher<unsigned __int128>(std::move(tables), options).run();
}

UnboundedResult check_unbounded(const Mesh& mesh, Rule rule, int slots) {
  check_slots(slots);
  return StuckKinds(mesh, rule, slots).run();
}

std::string never_injected(const Mesh& mesh, Rule rule, int slots) {
  for (int at = 0; at < mesh.routers(); ++at) {
    for (int dest = 0; dest < mesh.routers(); ++dest) {
      if (at == dest) continue;
      int need = 256;
      for (const Hop& h : mesh.hops(at, dest, rule)) need = std::min(need, h.need);
      if (need > slots)
        return "a packet from " + mesh.router_name(at) + " to " + mesh.router_name(dest) + " needs " +
               std::to_string(need) + " free slots, a queue has " + std::to_string(slots);
    }
  }
  return {};
}

bool is_deadlocked(const Mesh& mesh, Rule rule, int slots, const std::vector<Packet>& packets) {
  const std::vector<int> credit = credits_of(mesh, slots, packets);
  for (const Packet& p : packets) {
    if (mesh.queue_router(p.queue) == p.dest) return false;
    for (const Hop& h : mesh.hops(mesh.queue_router(p.queue), p.dest, rule))
      if (credit[h.queue] >= h.need) return false;
  }
  return !packets.empty();
}

std::vector<std::string> describe_cycle(const Mesh& mesh, Rule rule, int slots, const std::vector<Packet>& packets) {
  const std::vector<int> credit = credits_of(mesh, slots, packets);
  std::vector<std::string> lines;
  std::vector<int> visited;
  const auto packet_in = [&](int queue) {
    return std::find_if(packets.begin(), packets.end(), [&](const Packet& p) { return p.queue == queue; });
  };
  auto p = packets.begin();
  while (p != packets.end()) {
    const auto seen = std::find(visited.begin(), visited.end(), p->queue);
    if (seen != visited.end()) {
      lines.erase(lines.begin(), lines.begin() + (seen - visited.begin()));  // the tail that led into the cycle
      lines.push_back("... and so back to " + mesh.queue_name(p->queue) + ": a cycle of " +
                      std::to_string(lines.size()) + " queues");
      return lines;
    }
    visited.push_back(p->queue);
    auto next = packets.end();
    std::string line = "a packet to " + mesh.router_name(p->dest) + " in " + mesh.queue_name(p->queue);
    for (const Hop& h : mesh.hops(mesh.queue_router(p->queue), p->dest, rule)) {
      if (credit[h.queue] >= h.need) return {"not deadlocked: " + line + " can move to " + mesh.queue_name(h.queue)};
      line += " waits for " + std::to_string(h.need) + " free slot" + (h.need > 1 ? "s" : "") + " in " +
              mesh.queue_name(h.queue) + " (has " + std::to_string(credit[h.queue]) + ")";
      if (next == packets.end()) next = packet_in(h.queue);
    }
    lines.push_back(line);
    p = next;
  }
  return lines;
}

}  // namespace odonata::arb_request
