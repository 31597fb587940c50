// SPDX-License-Identifier: Apache-2.0
#include "sim/network/mail.h"

namespace odonata::network {

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
  for (const Posted<FlitMessage>& p : flits_) sent.flits[counts_[p.link].flits++] = p.message;
  for (const Posted<CreditMessage>& p : credits_) sent.credits[counts_[p.link].credits++] = p.message;
}

}  // namespace odonata::network
