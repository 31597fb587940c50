// SPDX-License-Identifier: Apache-2.0
#include "models/torus/units.h"

#include <algorithm>

#include "models/common/bits.h"
#include "models/common/error.h"

namespace odonata::torus {
namespace {

void two_radices(const Torus& torus, uint8_t (&radix)[2]) {
  if (torus.dimensions() != 2)
    throw Error("torus " + torus.name() + ": the units of a torus router have two dimensions");
  for (int d = 0; d < 2; ++d) radix[d] = static_cast<uint8_t>(torus.radix(d));
}

}  // namespace

void RegionUnit::step(const RegionInputs& in) {
  if (in.reset) {
    out_ = {};
    return;
  }
  const uint8_t blocked = in.fail_link | in.peer_bad;
  const bool marked = out_.bad != 0 || marks(in.rule ? Rule::kDim : Rule::kAny, blocked);
  RegionOutputs next;
  next.bad = in.fail_self || (marked && !in.clear);
  next.blocked = blocked;
  next.changed = next.bad != out_.bad || next.blocked != out_.blocked;
  out_ = next;
}

WallUnit::WallUnit(const Torus& torus) { two_radices(torus, radix_); }

void WallUnit::step(const WallInputs& in) {
  if (in.reset || in.clear) {
    out_ = {};
    return;
  }
  WallOutputs next = out_;
  const unsigned at[2] = {in.at_x, in.at_y};
  for (unsigned p = 0; p < kLinkPorts; ++p) {
    const unsigned d = p / 2;
    const bool blocked = in.blocked >> p & 1;
    next.run[p] = run_length(blocked, in.run[p], radix_[1 - d]);
    // The link behind port p is number at (+) or at - 1 (-) of its ring.
    const unsigned link = p & 1 ? (at[d] == 0 ? radix_[d] - 1u : at[d] - 1u) : at[d];
    if (out_.run[p] == radix_[1 - d]) (d ? next.wall_y : next.wall_x) |= 1ull << link;
    if (blocked) continue;
    next.wall_x |= in.peer_wall_x[p];
    next.wall_y |= in.peer_wall_y[p];
  }
  out_ = next;
}

SideUnit::SideUnit(const Torus& torus) { two_radices(torus, radix_); }

void SideUnit::step(const SideInputs& in) {
  if (in.reset || in.clear) {
    out_ = {};
    return;
  }
  SideOutputs next;
  for (unsigned p = 0; p < kLinkPorts; ++p) {
    next.run[p] = run_length(in.blocked >> p & 1, in.peer_run[p], radix_[1 - p / 2]);
    if (out_.run[p] < in.run[p]) next.sides |= static_cast<uint8_t>(1 << p);
    if (out_.run[p] > in.run[p]) next.sides |= static_cast<uint8_t>(16 << p);
  }
  out_ = next;
}

RouteUnit::RouteUnit(const Torus& torus, Variant variant) : variant_(variant) { two_radices(torus, radix_); }

void RouteUnit::step(const RouteInputs& in) {
  out_ = {};
  answered_ = held_;
  if (held_.valid && !in.reset) {
    const Answer a = route(variant_, {{held_.wall_x, held_.wall_y}, {radix_[0], radix_[1]}}, held_.ask);
    const bool eject = a.action == Action::kEject, drop = !eject && a.action != Action::kForward;
    out_.valid = true;
    out_.eject = eject;
    out_.drop = drop;
    out_.port = a.port;
    out_.vc = static_cast<uint8_t>(a.vc / 3 * 4 + a.vc % 3);
    out_.header = a.header;
  }
  held_ = in;
  held_.valid &= !in.reset;
}

BoxOutputs box_outputs(const BoxAnswer& a) {
  BoxOutputs out;
  out.valid = true;
  out.eject = a.action == Action::kEject;
  out.drop = a.action != Action::kEject && a.action != Action::kForward;
  if (a.action != Action::kForward) return out;
  const bool aside = a.vc >= kVcs;
  const int vc = aside ? a.vc - kVcs : a.vc;  // detours of phase x: 2 * r + j - 1
  out.port = a.port;
  out.vc = static_cast<uint8_t>(aside ? 8 + vc / 2 * 4 + vc % 2 + 1 : vc / 3 * 4 + vc % 3);
  out.header = a.header;
  return out;
}

BoxUnit::BoxUnit(const Torus& torus) : torus_(torus) {
  if (torus.dimensions() != 3) throw Error("torus " + torus.name() + ": torus_box has three dimensions");
}

void BoxUnit::step(const BoxInputs& in) {
  out_ = {};
  answered_ = held_;
  if (held_.valid && !in.reset) {
    const BoxInputs& h = held_;
    const BoxMap::View view{h.wall_x, {h.wall_y, h.wall_z}, h.blocked};
    out_ = box_outputs(
        route_box(torus_, view, {{h.at_x, h.at_y, h.at_z}, {h.dest_x, h.dest_y, h.dest_z}, h.header, h.fresh}));
  }
  held_ = in;
  held_.valid &= !in.reset;
}

OutputUnit::OutputUnit(int slots, int inputs)
    : slots_(static_cast<uint8_t>(slots)), inputs_(static_cast<uint8_t>(inputs)) {
  if (slots < 1 || slots > kMaxSlots)
    throw Error("torus output: " + std::to_string(slots) + " slots a channel are outside 1..255");
  if (inputs < 2 || inputs > kMaxInputs)
    throw Error("torus output: " + std::to_string(inputs) + " input ports are outside 2..8");
  credit_.fill(slots_);
}

int OutputUnit::grant(const OutputInputs& in) const {
  uint32_t may = 0;
  for (unsigned p = 0; p < inputs_; ++p) {
    const uint8_t vc = in.vc[p];
    if (!(in.ask >> p & 1) || vc >= kVcs || credit_[vc] == 0) continue;
    if (in.head >> p & 1 && owned_ >> vc & 1) continue;
    may |= 1u << p;
  }
  return may ? rotating_pick(may, pointer_) : -1;
}

void OutputUnit::step(const OutputInputs& in) {
  if (in.reset) {
    *this = OutputUnit(slots_, inputs_);
    return;
  }
  const int p = grant(in);
  for (unsigned v = 0; v < kVcs; ++v) credit_[v] = static_cast<uint8_t>(credit_[v] + (in.credit_back >> v & 1));
  if (p < 0) return;
  const uint8_t vc = in.vc[static_cast<size_t>(p)], bit = static_cast<uint8_t>(1 << vc);
  --credit_[vc];
  owned_ = in.tail >> p & 1 ? owned_ & ~bit : owned_ | bit;
  pointer_ = static_cast<uint8_t>((p + 1) % inputs_);
}

}  // namespace odonata::torus
