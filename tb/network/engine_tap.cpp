// SPDX-License-Identifier: Apache-2.0
#include "tb/network/engine_tap.h"

#include <algorithm>
#include <utility>

#include "sim/network/topologies/dragonfly.h"

namespace odonata::cosim {

using network::Flit;

namespace {

/// Takes what is kept for a cycle, and forgets what was kept for earlier ones.
template <class T>
T take_from(std::map<int64_t, T>& all, int64_t cycle) {
  T out{};
  if (const auto at = all.find(cycle); at != all.end()) out = std::move(at->second);
  all.erase(all.begin(), all.upper_bound(cycle));
  return out;
}

}  // namespace

Happenings EngineTap::take(int64_t cycle) { return take_from(happenings_, cycle); }

EngineTap::EngineTap(const Dragonfly& d, const std::function<bool(int)>& here)
    : d_(d),
      ports_(static_cast<size_t>(d.num_ports())),
      at_border_(static_cast<size_t>(d.num_routers()) * ports_),
      all_here_(!here) {
  for (int r = 0; r < d.num_routers(); ++r) here_.push_back(all_here_ || here(d.router(r).gid));
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int k = d.p(); k < d.num_ports() && !this->here(r); ++k) {
      const Dragonfly::Peer peer = d.peer(d.router(r), k);
      at_border_[static_cast<size_t>(r) * ports_ + static_cast<size_t>(k)] =
          peer.connected && this->here(d.router_index(peer.router));
    }
  }
}

// ---- Packets

namespace {

uint8_t place_in_packet(const Flit& f) { return f.poisoned() ? router::Flit::kPoisoned : f.index; }

}  // namespace

void EngineTap::granted(const Flit& f, uint32_t cycle, uint32_t router, int in_port, int in_vc, int out_port,
                        int out_vc, int credits) {
  const auto source = static_cast<uint32_t>(d_.node_index(network::unpack(f.source)));
  const auto number = static_cast<int>(router);
  add(number, Happening::grant(router, in_port, in_vc, out_port, out_vc, credits, {source, f.born, place_in_packet(f)}),
      cycle);
  if (all_here_) return;
  const bool from_border = at_border(number, in_port);
  if (from_border) ++border_[{number, in_port}].freed[cycle][static_cast<size_t>(in_vc)];
  if (at_border(number, out_port)) depart(f, cycle, number, out_port, out_vc);
  if (here(number) || at_border(number, out_port) || here(static_cast<int>(source) / d_.p())) {
    places_[key(source, f.born)] = next_place(number, out_port, out_vc);
  } else if (from_border) {
    places_.erase(key(source, f.born));
  }
}

/// The buffer behind an output.
EngineTap::Place EngineTap::next_place(int router, int out_port, int vc) const {
  if (out_port < d_.p()) return {router, -1, 0};
  const Dragonfly::Peer peer = d_.peer(d_.router(router), out_port);
  return {d_.router_index(peer.router), peer.port, vc};
}

/// A flit leaves in the first cycle after its grant and after the flit before it that no message has.
void EngineTap::depart(const Flit& f, int64_t granted, int router, int port, int vc) {
  Border& b = border_[{router, port}];
  b.last = std::max(granted, b.last) + 1;
  while (b.messages.count(b.last) != 0) ++b.last;
  router::Flit flit;
  flit.source = static_cast<uint32_t>(d_.node_index(network::unpack(f.source)));
  flit.dest = f.dest;
  flit.born = f.born;
  flit.vc = static_cast<uint8_t>(vc);
  b.slots[b.last] = {router::kSlotFlit, router::pack_flit(d_, flit)};
}

void EngineTap::delivered(const Flit& f, uint32_t cycle) {
  const auto source = static_cast<uint32_t>(d_.node_index(network::unpack(f.source)));
  const int router = d_.router_index(network::unpack(f.dest).router());
  add(router, Happening::delivered(static_cast<uint32_t>(router), {source, f.born, f.index}), cycle);
  if (!all_here_ && (here(router) || here(static_cast<int>(source) / d_.p()))) places_.erase(key(source, f.born));
}

/// A packet that has never been granted is at its node.
void EngineTap::lost(const Flit& f, uint32_t cycle) {
  const Address node = network::unpack(f.source);
  const auto source = static_cast<uint32_t>(d_.node_index(node));
  Place place{d_.router_index(node.router()), -1, 0};
  if (const auto at = places_.find(key(source, f.born)); at != places_.end()) {
    place = at->second;
    places_.erase(at);
  }
  add(place.router, Happening::lost({source, f.born, place_in_packet(f)}), cycle);
  if (place.port >= 0 && at_border(place.router, place.port))
    ++border_[{place.router, place.port}].freed[cycle][static_cast<size_t>(place.vc)];
}

// ---- Fault planes

/// A dead router shows nothing more, whatever was decided before.
void EngineTap::router(int router, bool alive, int64_t cycle) {
  if (alive) return;
  for (auto at = happenings_.lower_bound(cycle); at != happenings_.end(); ++at)
    std::erase_if(at->second,
                  [&](const Happening& h) { return !h.of_packet() && static_cast<int>(h.router) == router; });
  for (auto at = border_.lower_bound({router, 0}); at != border_.end() && at->first.first == router; ++at) {
    auto& slots = at->second.slots;
    for (auto slot = slots.lower_bound(cycle); slot != slots.end();)
      slot = slot->second.kind == router::kSlotMessage ? slots.erase(slot) : std::next(slot);
  }
}

void EngineTap::written(int router, int row, int port, int64_t cycle) {
  add(router, Happening::write(static_cast<uint32_t>(router), port, row), cycle + 1);
}

void EngineTap::sent(int router, int port, const fault::Message& message, int64_t cycle) {
  const uint32_t word = fault::encode_message(message);
  add(router, Happening::message(Happening::Kind::sent, static_cast<uint32_t>(router), port, word), cycle);
  if (!at_border(router, port)) return;
  Border& b = border_[{router, port}];
  b.messages.insert(cycle);
  b.slots[cycle] = {router::kSlotMessage, {word, 0}};
}

void EngineTap::arrived(int router, int port, const fault::Message& message, int64_t cycle) {
  add(router,
      Happening::message(Happening::Kind::arrived, static_cast<uint32_t>(router), port, fault::encode_message(message)),
      cycle);
}

void EngineTap::served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) {
  const uint32_t word = kind >= fault::ServiceKind::diagnosis ? fault::encode_message(message) : 0;
  add(router, Happening::service(static_cast<uint32_t>(router), static_cast<int>(kind), port, word), cycle);
}

// ---- Links from outside

Slot EngineTap::sent(int router, int port, int64_t cycle) { return take_from(border_[{router, port}].slots, cycle); }
Freed EngineTap::freed(int router, int port, int64_t cycle) { return take_from(border_[{router, port}].freed, cycle); }

}  // namespace odonata::cosim
