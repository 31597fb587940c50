// SPDX-License-Identifier: Apache-2.0
#include "sim/network/mail.h"

#include <algorithm>

#include "models/common/state_check.h"

namespace odonata::network {

/// Looks at the ports of own domains only.
Post::Post(const Wiring& wiring, const Share& share) {
  const auto block = static_cast<uint32_t>(wiring.routers * wiring.ports);
  const auto add = [&](uint32_t port) { ends_.push_back({.port = port, .domain = port / block}); };
  const auto peer_of = [&wiring](uint32_t port) {
    return wiring.wire[port].peer * static_cast<uint32_t>(wiring.ports) + wiring.wire[port].peer_port;
  };
  for (const int d : share.own()) {
    for (uint32_t port = static_cast<uint32_t>(d) * block; port != static_cast<uint32_t>(d + 1) * block; ++port) {
      if (wiring.wire[port].kind == LinkKind::between) add(port);
    }
  }
  own_ends_ = static_cast<uint32_t>(ends_.size());
  std::vector<uint32_t> others;
  for (const End& end : ends_) {
    const uint32_t peer = peer_of(end.port);
    if (!share.here(static_cast<int>(peer / block))) others.push_back(peer);
  }
  std::sort(others.begin(), others.end());
  for (const uint32_t port : others) add(port);
  for (uint32_t e = 0; e != own_ends_; ++e) {
    ends_[e].peer = end_of(peer_of(ends_[e].port));
    ends_[ends_[e].peer].peer = e;
  }
  for (auto& half : sent_) half.resize(static_cast<size_t>(wiring.domains));
  for (auto& half : parcels_) half.resize(ends_.size());
}

uint32_t Post::end_of(uint32_t port) const {
  const auto before = [](const End& end, uint32_t p) { return end.port < p; };
  const auto own = ends_.begin() + own_ends_;
  auto found = std::lower_bound(ends_.begin(), own, port, before);
  if (found == own || found->port != port) found = std::lower_bound(own, ends_.end(), port, before);
  return static_cast<uint32_t>(found - ends_.begin());
}

Post::Arrivals Post::arrivals(size_t half, uint32_t domain) const {
  Arrivals out;
  for (uint32_t end = 0; end != own_ends_; ++end) {
    if (ends_[end].domain != domain) continue;
    const uint32_t sender = ends_[ends_[end].peer].domain;
    const auto f = flits(half, end, sender);
    const auto c = credits(half, end, sender);
    out.counts.push_back(static_cast<uint32_t>(f.size()));
    out.counts.push_back(static_cast<uint32_t>(c.size()));
    out.flits.insert(out.flits.end(), f.begin(), f.end());
    out.credits.insert(out.credits.end(), c.begin(), c.end());
  }
  return out;
}

void Post::clear(size_t half) {
  for (Sent& sent : sent_[half]) sent.flits.clear(), sent.credits.clear(), sent.show_lists();
  for (Parcel& parcel : parcels_[half]) parcel = {};
}

void Post::put(size_t half, uint32_t domain, const Arrivals& arrivals) {
  const auto expect = [](bool holds) { expect_state(holds, "counts of mail"); };
  size_t at = 0, flit = 0, credit = 0;
  for (uint32_t end = 0; end != own_ends_; ++end) {
    if (ends_[end].domain != domain) continue;
    expect(at + 2 <= arrivals.counts.size());
    const uint32_t f = arrivals.counts[at++], c = arrivals.counts[at++];
    expect(f <= arrivals.flits.size() - flit && c <= arrivals.credits.size() - credit);
    Sent& sent = sent_[half][ends_[ends_[end].peer].domain];
    parcels_[half][end] = {static_cast<uint32_t>(sent.flits.size()), static_cast<uint32_t>(sent.credits.size()), f, c};
    sent.flits.insert(sent.flits.end(), arrivals.flits.begin() + static_cast<std::ptrdiff_t>(flit),
                      arrivals.flits.begin() + static_cast<std::ptrdiff_t>(flit + f));
    sent.credits.insert(sent.credits.end(), arrivals.credits.begin() + static_cast<std::ptrdiff_t>(credit),
                        arrivals.credits.begin() + static_cast<std::ptrdiff_t>(credit + c));
    sent.show_lists();
    flit += f, credit += c;
  }
  expect(at == arrivals.counts.size() && flit == arrivals.flits.size() && credit == arrivals.credits.size());
}

void Outbox::deliver(Post& post, size_t half, uint32_t domain, uint32_t first) {
  Counts at;
  for (uint32_t link = 0; link != counts_.size(); ++link) {
    const Counts n = counts_[link];
    post.parcels_[half][post.ends_[first + link].peer] = {at.flits, at.credits, n.flits, n.credits};
    counts_[link] = at;
    at = {at.flits + n.flits, at.credits + n.credits};
  }
  Post::Sent& sent = post.sent_[half][domain];
  sent.flits.resize(at.flits);
  sent.credits.resize(at.credits);
  sent.show_lists();
  Counts* const next = counts_.data();  // in registers, because a message that is written might be any of them
  FlitMessage* const flits = sent.flits.data();
  for (const Posted<FlitMessage>& p : flits_) flits[next[p.link].flits++] = p.message;
  CreditMessage* const credits = sent.credits.data();
  for (const Posted<CreditMessage>& p : credits_) credits[next[p.link].credits++] = p.message;
}

}  // namespace odonata::network
