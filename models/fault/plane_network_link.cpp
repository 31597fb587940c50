// SPDX-License-Identifier: Apache-2.0
// The link level: frames, acknowledgements, corruption.
#include "models/fault/plane_network_parts.h"

namespace odonata::fault {

FaultPlaneNetwork::End& FaultPlaneNetwork::link_end(int router, int port) {
  auto& end = ends_[static_cast<size_t>(router) * d_.num_ports() + port];
  if (!end) end = std::make_unique<End>(d_);
  return *end;
}

void FaultPlaneNetwork::reset_link_end(int router, int port) {
  const auto found = ends_.find(static_cast<size_t>(router) * d_.num_ports() + port);
  if (found == ends_.end()) return;
  End& end = *found->second;
  s_.fd_dropped += end.messages.size();
  end.messages.clear();
  end.link.reset();
  end.transmits_at = -1;
}

/// A unit hands a message to the end of its link.
void FaultPlaneNetwork::hand_over(const Event& e) {
  if (lives_[e.from] != e.generation || !(up_[e.from] >> e.from_port & 1)) {
    s_.fd_dropped += 1;
    return;
  }
  End& end = link_end(e.from, e.from_port);
  end.link.push(e.message);
  end.messages.push_back(e);
  s_.max_unacknowledged = std::max(s_.max_unacknowledged, end.link.waiting());
  schedule_transmit(e.from, e.from_port, now_);
}

void FaultPlaneNetwork::schedule_transmit(int router, int port, int64_t cycle) {
  End& end = link_end(router, port);
  if (!end.link.has_frame()) {
    if (end.link.timeout() < 0) return;
    cycle = std::max(cycle, end.link.timeout());
  }
  if (end.transmits_at >= 0 && end.transmits_at <= cycle) return;
  end.transmits_at = cycle;
  push({.time = cycle, .kind = EventKind::transmit, .router = router, .port = port, .generation = lives_[router]});
}

void FaultPlaneNetwork::transmit(const Event& e) {
  const auto found = ends_.find(static_cast<size_t>(e.router) * d_.num_ports() + e.port);
  if (found == ends_.end() || found->second->transmits_at != now_)
    return;  // an earlier one has been scheduled, or the end was reset
  End& end = *found->second;
  end.transmits_at = -1;
  if (const std::optional<uint64_t> word = end.link.transmit(now_)) {
    const Dragonfly::Peer peer = d_.peer(d_.router(e.router), e.port);
    Event frame{.kind = EventKind::frame,
                .router = d_.router_index(peer.router),
                .port = peer.port,
                .generation = lives_[e.router]};
    frame.sent = now_;
    frame.time = now_ + (d_.is_local_port(e.port) ? p_.timing.local_latency : p_.timing.global_latency);
    frame.from = e.router;
    frame.from_port = e.port;
    frame.word = pass_wire(*word, p_.link, e.router, e.port, now_);
    s_.frames += 1;
    s_.frames_corrupted += frame.word != *word;
    push(frame);
  }
  schedule_transmit(e.router, e.port, now_ + 1);
}

void FaultPlaneNetwork::receive_frame(const Event& e) {
  if (cut_off(e)) return;
  End& end = link_end(e.router, e.port);
  const uint64_t dropped = end.link.dropped(), malformed = end.link.malformed();
  const std::optional<Message> message = end.link.receive(e.word, now_);
  s_.frames_dropped += end.link.dropped() - dropped;
  s_.frames_malformed += end.link.malformed() - malformed;
  if (message) {
    End& sender = link_end(e.from, e.from_port);
    Event arrival = sender.messages.front();
    sender.messages.pop_front();
    if (!(arrival.message == *message))
      throw std::logic_error("fault network: the link level delivered another message than was sent");
    arrival.sent = e.sent;
    arrive(arrival);
  }
  schedule_transmit(e.router, e.port, now_);
}

}  // namespace odonata::fault
