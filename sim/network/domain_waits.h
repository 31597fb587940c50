// SPDX-License-Identifier: Apache-2.0
// What the watchdog asks, who waits for whom, and what else the policy answers. Definitions of Domain; included by
// domain.h only.
#pragma once

#include "sim/network/domain.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
AnyDomain::Wait Domain<Policy, Source, kPackets>::waits_for(int router, int port, int vc) const {
  const auto index = static_cast<uint32_t>(router * ports_ + port);
  const InputPort& in = inputs_[index];
  const InputVc& in_vc = in.vcs[vc];
  Wait out;
  if (in_vc.count == 0) return out;
  out.dest = first(in, vc).dest;
  if constexpr (Policy::kAsks) {
    if (first(in, vc).head()) return waits_by_asking(router, port, vc);
  }
  if (in_vc.route == kDropped) return out;
  const int out_port = in_vc.route >> kShift, out_vc = in_vc.route & (kStride - 1);
  const auto output = static_cast<uint32_t>(router * ports_ + out_port);
  const OutputPort& to = outputs_[output];
  if (to.kind == LinkKind::node ||
      can_move(in, vc, to, in_vc.route, output_credits_[(output << kShift) + static_cast<uint32_t>(out_vc)],
               kUnbounded)) {
    return out;
  }
  const PortWire& wire = context_.wiring.at(number_ * routers_ + router, out_port);
  return {true, wire.peer, wire.peer_port, static_cast<uint8_t>(out_vc), static_cast<uint8_t>(out_port), out.dest};
}

/// A head waits for the first packet in its way behind the outputs that it could ask for.
template <class Policy, class Source, bool kPackets>
AnyDomain::Wait Domain<Policy, Source, kPackets>::waits_by_asking(int router, int port, int vc) const {
  Wait out;
  if constexpr (Policy::kAsks) {
    const auto base = static_cast<uint32_t>(router * ports_);
    const InputPort& in = inputs_[base + static_cast<uint32_t>(port)];
    out.dest = first(in, vc).dest;
    const Ask ask = policy_.ask(first(in, vc), {router, port, vc}, Outputs(*this, base));
    if (ask.port < Ask::kDrop) {
      const uint32_t output = base + ask.port;
      if (can_move(in, vc, outputs_[output], ask.vc, output_credits_[(output << kShift) + ask.vc], kUnbounded))
        return out;
    }
    for (uint64_t left = policy_.possible(router, out.dest); left != 0 && !out.blocked; left &= left - 1) {
      const int to = std::countr_zero(left);
      const PortWire& wire = context_.wiring.at(number_ * routers_ + router, to);
      for (int v = 0; v < vcs_ && !out.blocked; ++v) {
        const uint32_t output =
            base + static_cast<uint32_t>(to);  // nothing is on its way any more: slots that are not free are taken
        if (output_credits_[(output << kShift) + static_cast<uint32_t>(v)] == inputs_[output].buffer) continue;
        out = {true, wire.peer, wire.peer_port, static_cast<uint8_t>(v), static_cast<uint8_t>(to), out.dest};
      }
    }
  }
  return out;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD std::string Domain<Policy, Source, kPackets>::describe_wait(int router, int port, int vc,
                                                                         const Wait& wait) const {
  if constexpr (requires { policy_.describe_wait(router, port, vc, wait.dest, wait.out_port); }) {
    return policy_.describe_wait(router, port, vc, wait.dest, wait.out_port);
  } else {
    return "domain " + std::to_string(number_) + " router " + std::to_string(router) + " input port " +
           std::to_string(port) + " VC " + std::to_string(vc) + " waits for output port " +
           std::to_string(wait.out_port) + " VC " + std::to_string(wait.vc);
  }
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::add_counts(Result& out) const {
  if constexpr (requires { policy_.decisions(); }) {
    for (int i = 0; i < 8; ++i) out.decisions[i] += policy_.decisions()[i];
  }
  if constexpr (requires { policy_.drops(); }) {
    for (size_t i = 0; i < out.drops.size(); ++i) out.drops[i] += policy_.drops()[i];
  }
  if constexpr (requires { policy_.compared(); }) out.compared += policy_.compared();
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD bool Domain<Policy, Source, kPackets>::tables_ok() const {
  if constexpr (kFaults) return policy_.tables_ok();
  return true;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD FaultResult Domain<Policy, Source, kPackets>::fault_result([[maybe_unused]] uint32_t now) const {
  if constexpr (requires { Policy::kOwnFaults; }) return policy_.fault_result(now);
  return {};
}

}  // namespace odonata::network
