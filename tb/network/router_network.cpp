// SPDX-License-Identifier: Apache-2.0
#include "tb/network/router_network.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

namespace odonata::cosim {

using router::Flit;
using router::kNumVcs;

namespace {

/// What is on a wire, by the cycle in which it was put there; what left `latency` cycles before the last one can be
/// read at an edge. Who puts it there may be `ahead` cycles further than who reads.
template <class T>
class Wire {
 public:
  explicit Wire(int latency = 0, int ahead = 1)
      : slots_(static_cast<size_t>(latency) + 1 + static_cast<size_t>(ahead)) {}
  T& at(int64_t cycle) { return slots_[static_cast<size_t>(cycle) % slots_.size()]; }

 private:
  std::vector<T> slots_;
};

Happening::Name name_of(const Flit& f) { return {f.source, f.born, f.index}; }

struct SentFrames {
  uint32_t valid = 0;
  congestion::Frame frame;
};

}  // namespace

struct RouterNetwork::Port {
  // The link, both ways. What a router is told waits on the wires of the other end.
  int peer = -1, peer_port = -1, latency = 0;
  int64_t down = -1;  ///< the last cycle in which the link was down
  Wire<Slot> sent;
  Wire<Freed> freed;
  std::array<int, kNumVcs> credits{};
  // What waits in the router.
  std::array<std::deque<Flit>, kNumVcs> vc;
  std::array<Flit, kNumVcs> last{};     ///< flit that came
  std::array<bool, kNumVcs> open{};     ///< it was no tail: the packet is arriving
  std::array<bool, kNumVcs> dropped{};  ///< the packet whose head has left had no option
  std::deque<Flit> poisons;             ///< poisoned tails in the output FIFO
  Freed popped{};                       ///< slots that have to become free in this cycle
  size_t depth = 0;
  // Node ports.
  int node = -1;
  router::Source::Packet packet, next;  ///< the one whose flits enter, the one after it
  int to_enter = 0;                     ///< flits of `packet` that have not entered
  size_t node_vc = 0;
  std::array<int, kNumVcs> handed{};  ///< flits of its packet that the node has got in order; -1: some are missing
  bool blocked = false, left = false;
  bool took = true,
       holds = false;  // took packets in the cycle before; its router has died and not yet heard its neighbours again

  void write(const Flit& flit) {
    vc[flit.vc].push_back(flit);
    last[flit.vc] = flit;
    open[flit.vc] = !flit.tail();
  }
};

struct RouterNetwork::Router {
  int number = 0;
  std::unique_ptr<router::RouterDevice> device;
  router::RouterInputs quiet, in;
  router::RouterOutputs out;
  std::vector<Port> ports;
  Wire<SentFrames> frames;
  bool alive = true;
  PortMap up = ~PortMap{0};  ///< node ports of a dead router are down
  int64_t first = 0, now = -1;
  std::vector<Happenings> logs;  ///< of the cycles from `first` on
  int64_t failed = -1;           ///< the cycle in which it did what no router does
  std::string failure;
  Happenings& log() { return logs[static_cast<size_t>(now - first)]; }
};

RouterNetwork::RouterNetwork(const Options& o, router::Source& source)
    : p_(o.parameters),
      d_(p_.dragonfly),
      source_(source),
      surroundings_(o.surroundings),
      threads_(o.threads),
      pool_(o.threads),
      beside_(o.beside),
      frame_latency_(p_.plane.pcs + p_.local_latency),
      routers_(static_cast<size_t>(d_.num_routers())),
      faults_(p_.faults),
      alive_(routers_.size(), 1),
      joins_(routers_.size(), 0),
      failed_(routers_.size(), 0),
      up_(routers_.size(), ~PortMap{0}) {
  check_router_device(p_);
  if (!o.here) block_ = std::max(1, 1 + std::min(p_.local_latency, p_.global_latency));
  std::stable_sort(faults_.begin(), faults_.end(), [](const auto& x, const auto& y) { return x.cycle < y.cycle; });
  for (int r = 0; r < d_.num_routers(); ++r) {
    if (!o.here || o.here(d_.router(r).gid)) build(r, o.make);
  }
  if (surroundings_ == nullptr && present_.size() != routers_.size())
    throw std::logic_error("router network: nobody speaks for the routers outside");
  std::vector<uint64_t> edges(static_cast<size_t>(d_.a()));
  pool_.run(d_.a(), [&](const network::WorkerPool::Task& task) {
    edges[static_cast<size_t>(task.number)] = configure_place(task.number);
  });
  configuration_edges_ = *std::max_element(edges.begin(), edges.end());
}

RouterNetwork::~RouterNetwork() = default;

/// The routers at one place of all groups. The tables of one differ little from those of the one before: where devices
/// can take a state over, it begins in that of the one before and is told only what differs. Returns the edges of the
/// first.
uint64_t RouterNetwork::configure_place(int bid) {
  const Router* before = nullptr;
  uint64_t first = 0, edges = 0;
  for (const Router* r : present_) {
    if (d_.router(r->number).bid != bid) continue;
    if (before != nullptr && copy_state(*before->device, *r->device)) {
      edges = configure_differences(*r->device, p_, r->number, before->number, edges);
    } else {
      edges = configure(*r->device, p_, r->number);
    }
    if (before == nullptr) first = edges;
    before = r;
  }
  return first;
}

void RouterNetwork::build(int number, const router::MakeRouterDevice& make) {
  auto r = std::make_unique<Router>();
  r->number = number;
  r->device = make(number);
  r->quiet = router::quiet_pins(p_, number);
  r->frames = Wire<SentFrames>(frame_latency_, block_);
  r->logs.resize(static_cast<size_t>(block_));
  for (int k = 0; k < d_.num_ports(); ++k) {
    Port& p = r->ports.emplace_back();
    const RouterId own = d_.router(number);
    if (k < d_.p()) {
      p.depth = static_cast<size_t>(p_.node_buffer);
      p.node = d_.node_index({own.gid, own.bid, k});
      p.next = source_.next(p.node, ~0u);
      continue;
    }
    const bool local = d_.is_local_port(k);
    p.latency = local ? p_.local_latency : p_.global_latency;
    p.depth = static_cast<size_t>(local ? p_.local_buffer : p_.global_buffer);
    p.credits.fill(static_cast<int>(p.depth));
    p.sent = Wire<Slot>(p.latency, block_);
    p.freed = Wire<Freed>(p.latency, block_);
    const Dragonfly::Peer peer = d_.peer(own, k);
    if (!peer.connected) continue;
    p.peer = d_.router_index(peer.router);
    p.peer_port = peer.port;
  }
  present_.push_back(r.get());
  routers_[static_cast<size_t>(number)] = std::move(r);
}

void RouterNetwork::fail(const Router& r, const std::string& what) const {
  throw std::logic_error("router " + std::to_string(r.number) + " " + what + " in cycle " + std::to_string(r.now));
}

// ---- Links and routers that fail

bool RouterNetwork::link_state(int router, int port) const {
  const auto number = static_cast<size_t>(router);
  if (failed_[number] >> port & 1) return false;
  if (port < d_.p()) return true;
  const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
  if (!peer.connected) return !joins_[number];  // no link event from a port without a cable
  return alive_[number] && alive_[static_cast<size_t>(d_.router_index(peer.router))];
}

/// The faults of the coming cycle. A router that has died joins a running network in recovery per_entry.
void RouterNetwork::apply_faults() {
  const size_t first = next_fault_;
  for (; next_fault_ < faults_.size() && faults_[next_fault_].cycle <= now_; ++next_fault_) {
    const fault::ScheduledFault& f = faults_[next_fault_];
    const int router = d_.router_index(f.fault.router);
    if (f.fault.is_router) {
      alive_[static_cast<size_t>(router)] = f.repair;
      joins_[static_cast<size_t>(router)] = p_.recovery == fault::Recovery::per_entry;
      continue;
    }
    const auto mark = [&](int r, int port) {
      PortMap& failed = failed_[static_cast<size_t>(r)];
      failed = f.repair ? failed & ~(PortMap{1} << port) : failed | PortMap{1} << port;
    };
    mark(router, f.fault.port);
    if (f.fault.port < d_.p()) continue;
    const Dragonfly::Peer peer = d_.peer(f.fault.router, f.fault.port);
    mark(d_.router_index(peer.router), peer.port);
  }
  if (next_fault_ != first) update_links();
}

void RouterNetwork::update_links() {
  for (Router* r : present_) {
    const bool alive = alive_[static_cast<size_t>(r->number)];
    PortMap& up = up_[static_cast<size_t>(r->number)];
    up = ~PortMap{0};
    for (int k = 0; k < d_.num_ports(); ++k) {
      if (!link_state(r->number, k) || (k < d_.p() && !alive)) up &= ~(PortMap{1} << k);
    }
  }
}

/// Whatever waits in a router that dies is lost.
void RouterNetwork::die(Router& r) {
  for (Port& p : r.ports) {
    for (size_t v = 0; v < kNumVcs; ++v) {
      for (const Flit& f : p.vc[v]) {
        r.log().push_back(Happening::lost(name_of(f)));
        p.popped[v] = static_cast<uint16_t>(p.popped[v] + !f.uncredited);
      }
      p.left = p.left || !p.vc[v].empty();
      p.vc[v].clear();
      p.open[v] = false;
    }
  }
}

/// Packets that are arriving over links that are down end here; a node does not finish its own.
void RouterNetwork::cut(Router& r) {
  for (PortMap left = ~r.up & low_mask(d_.num_ports()); left != 0; left &= left - 1) {
    Port& p = r.ports[static_cast<size_t>(std::countr_zero(left))];
    p.to_enter = 0;
    for (size_t v = 0; v < kNumVcs; ++v) {
      if (std::exchange(p.open[v], false)) cut_packet(r, p, v);
    }
  }
}

/// What waits of it is lost; behind a head that has gone on to an output a poisoned tail follows.
void RouterNetwork::cut_packet(Router& r, Port& p, size_t v) {
  bool gone_on = true;
  for (; !p.vc[v].empty() && gone_on; p.vc[v].pop_back()) {
    gone_on = !p.vc[v].back().head();
    r.log().push_back(Happening::lost(name_of(p.vc[v].back())));
    p.left = true;
    ++p.popped[v];
  }
  if (!gone_on || p.dropped[v]) return;
  Flit poison = p.last[v];
  poison.index = Flit::kPoisoned;
  poison.uncredited = true;
  p.vc[v].push_back(poison);
}

// ---- Nodes

/// A node holds its packets while its link is down and, when its router comes back, until the port's unit has heard
/// whoever is there (docs/fault.md §4).
bool RouterNetwork::takes_packets(Router& r, int k) const {
  Port& p = r.ports[static_cast<size_t>(k)];
  const bool waits = (r.out.unheard[static_cast<size_t>(k)] & r.up & low_mask(d_.num_ports())) != 0;
  p.holds = r.alive ? p.holds && waits : p_.recovery == fault::Recovery::per_entry;
  return (r.up >> k & 1) != 0 && !p.holds;
}

/// For a head: a virtual channel with room for it, or with cut-through for its packet.
bool RouterNetwork::finds_room(Port& p) {
  const auto room = [&](size_t v, size_t flits) { return p.vc[v].size() + flits <= p.depth; };
  if (p.to_enter != 0) return room(p.node_vc, 1);
  const auto start = static_cast<size_t>(source_.first_vc(p.node));
  for (size_t i = 0; i < kNumVcs; ++i) {
    p.node_vc = (start + i) % kNumVcs;
    if (room(p.node_vc, p_.cut_through ? p.next.flits : 1)) return true;
  }
  return false;
}

/// The next flit of the node's packet enters the node port. A head is tried from the edge after its creation on, and
/// what fails is tried again after a cycle in which a flit left the port, or when the port takes packets again.
void RouterNetwork::inject(Router& r) {
  for (int k = 0; k < d_.p(); ++k) {
    Port& p = r.ports[static_cast<size_t>(k)];
    const bool takes = takes_packets(r, k), again = !std::exchange(p.took, takes) && takes,
               left = std::exchange(p.left, false);
    if (p.blocked && !left && !again) continue;
    p.blocked = false;  // what failed may have been cut since: the next packet has not been tried
    if (p.to_enter == 0 && r.now <= p.next.born) continue;
    p.blocked = !takes || !finds_room(p);
    if (p.blocked) continue;
    if (p.to_enter == 0) {
      p.packet = p.next;
      p.to_enter = p.packet.flits;
      p.next = source_.next(p.node, p.packet.born);
    }
    const Flit flit = fabric::entering_flit(p.node, p.packet, p.to_enter--, static_cast<int>(p.node_vc));
    const router::FlitWords words = router::pack_flit(d_, flit);
    r.in.in_kind[static_cast<size_t>(k)] = router::kSlotFlit;
    r.in.in_flit[static_cast<size_t>(2 * k)] = words.low;
    r.in.in_flit[static_cast<size_t>(2 * k + 1)] = words.high;
    p.write(flit);
  }
}

// ---- Pins

/// What the edge samples on the links.
void RouterNetwork::gather(Router& r) {
  r.in.alive = r.alive;
  r.in.link_up = r.up;
  for (int k = d_.p(); k < d_.num_ports(); ++k) {
    if (r.ports[static_cast<size_t>(k)].peer >= 0) gather_link(r, k);
  }
  gather_frames(r);
}

void RouterNetwork::gather_link(Router& r, int k) {
  Port& p = r.ports[static_cast<size_t>(k)];
  const int64_t left = r.now - 1 - p.latency;
  if (left < 0) return;
  Router* peer = routers_[static_cast<size_t>(p.peer)].get();
  Port* other = peer != nullptr ? &peer->ports[static_cast<size_t>(p.peer_port)] : nullptr;
  const Freed freed = other != nullptr ? other->freed.at(left) : surroundings_->freed(p.peer, p.peer_port, left);
  for (size_t v = 0; v < kNumVcs; ++v) {
    r.in.credit[kNumVcs * static_cast<size_t>(k) + v] = freed[v];
    p.credits[v] += freed[v];
  }
  const Slot slot = other != nullptr ? other->sent.at(left) : surroundings_->sent(p.peer, p.peer_port, left);
  if (slot.kind == router::kSlotIdle) return;
  const bool cut = p.down >= left;
  r.in.in_kind[static_cast<size_t>(k)] = slot.kind;
  r.in.in_flit[static_cast<size_t>(2 * k)] = slot.words.low;
  r.in.in_flit[static_cast<size_t>(2 * k + 1)] = slot.words.high;
  if (cut) r.in.in_cut |= PortMap{1} << k;
  const auto number = static_cast<uint32_t>(r.number);
  if (slot.kind == router::kSlotMessage) {
    if (!cut && (r.up >> k & 1))
      r.log().push_back(Happening::message(Happening::Kind::arrived, number, k, static_cast<uint32_t>(slot.words.low)));
    return;
  }
  const Flit flit = flit_of(slot);
  if (!cut && r.alive && (flit.head() || p.open[flit.vc])) {
    p.write(flit);
    if (p.vc[flit.vc].size() > p.depth + p.vc[flit.vc].front().uncredited)
      fail(r, "gets a flit for which there is no slot");
    return;
  }
  ++p.popped[flit.vc];
  r.log().push_back(Happening::lost(name_of(flit)));
}

/// A poisoned tail does not say of which packet.
Flit RouterNetwork::flit_of(const Slot& slot) const {
  if (!router::is_poisoned(slot.words.low)) return unpack_flit(d_, slot.words);
  Flit flit;
  flit.source = slot.source;
  flit.born = slot.born;
  flit.vc = static_cast<uint8_t>(router::flit_vc(slot.words.low));
  flit.index = Flit::kPoisoned;
  return flit;
}

void RouterNetwork::gather_frames(Router& r) {
  const int64_t left = r.now - 1 - frame_latency_;
  if (left < 0) return;
  for (int j = 0; j < d_.a() - 1; ++j) {
    const Port& p = r.ports[static_cast<size_t>(d_.first_local() + j)];
    const SentFrames& frames = routers_[static_cast<size_t>(p.peer)]->frames.at(left);
    if (frames.valid >> (p.peer_port - d_.first_local()) & 1) r.in.rx[static_cast<size_t>(j)] = frames.frame;
  }
}

/// What the cycle shows.
void RouterNetwork::leave(Router& r) {
  const auto number = static_cast<uint32_t>(r.number);
  const router::RouterOutputs& o = r.out;
  for (int phase = 0; phase < 2; ++phase) {
    for (int k = 0; k < d_.num_ports(); ++k) {
      if (o.grant[static_cast<size_t>(2 * k + phase)] != 0) give_up(r, k, phase);
    }
  }
  for (int k = 0; k < d_.num_ports(); ++k) {
    Port& p = r.ports[static_cast<size_t>(k)];
    const auto kind = o.out_kind[static_cast<size_t>(k)];
    Slot slot{kind, {o.out_flit[static_cast<size_t>(2 * k)], o.out_flit[static_cast<size_t>(2 * k + 1)]}};
    if (kind == router::kSlotFlit && router::is_poisoned(slot.words.low)) {
      if (p.poisons.empty()) fail(r, "sends a poisoned tail that was not granted");
      slot.source = p.poisons.front().source;
      slot.born = p.poisons.front().born;
      p.poisons.pop_front();
    }
    if (p.node >= 0) {
      if (kind == router::kSlotIdle) continue;
      if (kind != router::kSlotFlit) fail(r, "sends a node what is no flit");
      hand_over(r, p, flit_of(slot), (r.up >> k & 1) != 0);
      continue;
    }
    p.sent.at(r.now) = slot;
    for (size_t v = 0; v < kNumVcs; ++v) p.freed.at(r.now)[v] = o.credit[kNumVcs * static_cast<size_t>(k) + v];
    if (kind == router::kSlotMessage && p.peer >= 0)
      r.log().push_back(Happening::message(Happening::Kind::sent, number, k, static_cast<uint32_t>(slot.words.low)));
  }
  r.frames.at(r.now) = {o.frame_valid, {o.frame_bits, o.frame_crc, true, o.frame_phase}};
  if (o.serve) r.log().push_back(Happening::service(number, o.serve_kind, o.serve_port, o.serve_message));
  for (PortMap left = o.write; left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    r.log().push_back(Happening::write(number, k, o.write_row[static_cast<size_t>(k)]));
  }
  cut(r);
  check_freed(r);
}

/// A node takes a flit if its link is up and it has got all flits of the packet before it.
void RouterNetwork::hand_over(Router& r, Port& p, const Flit& flit, bool up) {
  int& handed = p.handed[flit.vc];
  const bool takes = up && (flit.head() || flit.index == handed);
  handed = flit.tail() ? 0 : takes ? flit.index + 1 : -1;
  r.log().push_back(takes ? Happening::delivered(static_cast<uint32_t>(r.number), name_of(flit))
                          : Happening::lost(name_of(flit)));
}

/// A grant, or a drop.
void RouterNetwork::give_up(Router& r, int k, int phase) {
  const unsigned what = r.out.grant[static_cast<size_t>(2 * k + phase)];
  const size_t v = what >> 8 & 3, out_vc = what & 3;
  const int out_port = static_cast<int>(what >> 2 & 63);
  Port& in = r.ports[static_cast<size_t>(k)];
  if (in.vc[v].empty()) fail(r, "gives up a flit that it does not have");
  if (out_port >= d_.num_ports()) fail(r, "grants a port that it does not have");
  const Flit flit = in.vc[v].front();
  in.vc[v].pop_front();
  in.left = true;
  in.popped[v] = static_cast<uint16_t>(in.popped[v] + !flit.uncredited);
  const auto number = static_cast<uint32_t>(r.number);
  in.dropped[v] = (what >> 10 & 1) != 0;
  if (in.dropped[v]) return r.log().push_back(Happening::lost(name_of(flit)));
  Port& out = r.ports[static_cast<size_t>(out_port)];
  const int credits = out.node >= 0 ? 0 : out.credits[out_vc]--;
  r.log().push_back(
      Happening::grant(number, k, static_cast<int>(v), out_port, static_cast<int>(out_vc), credits, name_of(flit)));
  if (flit.poisoned()) out.poisons.push_back(flit);
}

void RouterNetwork::check_freed(const Router& r) const {
  for (size_t k = 0; k < r.ports.size(); ++k) {
    for (size_t v = 0; v < kNumVcs; ++v) {
      if (r.out.credit[kNumVcs * k + v] != r.ports[k].popped[v])
        fail(r, "frees other slots of port " + std::to_string(k) + " than flits have left");
    }
  }
}

void RouterNetwork::edge(Router& r) {
  gather(r);
  r.device->step(r.in, r.out);
  leave(r);
}

/// The cycles of a block; faults come at its beginning only.
void RouterNetwork::run_block(Router& r) {
  const bool alive = alive_[static_cast<size_t>(r.number)];
  r.up = up_[static_cast<size_t>(r.number)];
  r.first = first_;
  for (Happenings& log : r.logs) log.clear();
  for (r.now = first_; r.now < first_ + length_; ++r.now) {
    r.in = r.quiet;
    for (Port& p : r.ports) p.popped = {};
    if (!alive && r.alive) die(r);
    r.alive = alive;
    inject(r);
    edge(r);
    for (int k = 0; k < d_.num_ports(); ++k) {
      if (!(r.up >> k & 1)) r.ports[static_cast<size_t>(k)].down = r.now;
    }
  }
}

void RouterNetwork::run_block() {
  first_ = now_;
  apply_faults();
  length_ = block_;
  if (next_fault_ < faults_.size()) length_ = std::min(length_, faults_[next_fault_].cycle - first_);
  const int parts = std::min(num_here(), 8 * threads_), others = beside_ ? 1 : 0;
  pool_.run(parts + others, [&](const network::WorkerPool::Task& task) {
    if (task.number < others) return beside_(first_ + length_ - 1);
    const auto part = static_cast<size_t>(task.number - others), all = static_cast<size_t>(parts);
    const size_t n = present_.size(), from = n * part / all, to = n * (part + 1) / all;
    for (size_t i = from; i < to; ++i) {
      Router& r = *present_[i];
      try {
        run_block(r);
      } catch (const std::logic_error&
                   error) {  // said when its cycle is asked for: an earlier one may differ from the engine's
        r.failed = r.now;
        r.failure = error.what();
      }
    }
  });
}

void RouterNetwork::step() {
  ++now_;
  if (now_ == first_ + length_) run_block();
  happenings_.clear();
  for (const Router* r : present_) {
    if (r->failed == now_) throw std::logic_error(r->failure);
    const Happenings& log = r->logs[static_cast<size_t>(now_ - first_)];
    happenings_.insert(happenings_.end(), log.begin(), log.end());
  }
}

}  // namespace odonata::cosim
