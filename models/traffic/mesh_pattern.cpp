// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/mesh_pattern.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "models/common/error.h"
#include "models/common/joined.h"

namespace odonata::traffic {

using arb_request::Mesh;

namespace {

using Kind = MeshPattern::Kind;

Kind kind_of(std::string_view text, std::string_view network) {
  constexpr std::pair<std::string_view, Kind> kLongNames[] = {
      {"bit-complement", Kind::bitcomp}, {"bit-reverse", Kind::bitrev}, {"random-permutation", Kind::randperm}};
  for (const auto& [name, kind] : kLongNames) {
    if (name == text) return kind;
  }
  const std::vector<std::string>& names = MeshPattern::names();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<Kind>(found - names.begin());
  throw Error("traffic pattern '" + std::string(text) + "' is unknown on a " + std::string(network) +
              ", expected one of " + joined(names));
}

/// Patterns on the bits of a node's number; `bits` of them.
int permute_bits(Kind kind, int source, int bits) {
  const int mask = (1 << bits) - 1, half = bits / 2;
  switch (kind) {
    case Kind::transpose:
      return ((source >> half) | (source << half)) & mask;
    case Kind::shuffle:
      return ((source << 1) | (source >> (bits - 1))) & mask;
    case Kind::bitcomp:
      return ~source & mask;
    default: {
      int reversed = 0;
      for (int i = 0; i < bits; ++i) reversed |= ((source >> i) & 1) << (bits - 1 - i);
      return reversed;
    }
  }
}

/// Every coordinate moves by a shift of its own, around the end.
int shift_digits(const Mesh& mesh, Kind kind, int source) {
  int dest = 0, stride = 1;
  for (int d = 0; d < mesh.dimensions(); ++d) {
    const int k = mesh.radix(d), shift = kind == Kind::neighbor ? 1 : (k + 1) / 2 - 1;
    dest += stride * ((mesh.coordinate(source, d) + shift) % k);
    stride *= k;
  }
  return dest;
}

std::vector<int> draw_permutation(int nodes, uint64_t seed) {
  Random random(mix_seed(seed, 0x7065726D));
  std::vector<int> to(static_cast<size_t>(nodes));
  std::iota(to.begin(), to.end(), 0);
  for (int i = nodes - 1; i > 0; --i)
    std::swap(to[static_cast<size_t>(i)], to[random.below(static_cast<uint32_t>(i + 1))]);
  return to;
}

}  // namespace

const std::vector<std::string>& MeshPattern::names() {
  static const std::vector<std::string> list{"uniform",  "transpose", "shuffle", "tornado",
                                             "neighbor", "randperm",  "bitcomp", "bitrev"};
  return list;
}

MeshPattern MeshPattern::parse(const Mesh& mesh, std::string_view text, uint64_t seed, std::string_view network) {
  MeshPattern out(kind_of(text, network), mesh.routers());
  const std::string where = std::string(network) + " " + mesh.name();
  if (out.kind_ == Kind::uniform) return out;
  if (out.kind_ == Kind::randperm) {
    out.to_ = draw_permutation(out.nodes_, seed);
    return out;
  }
  const bool digits = out.kind_ == Kind::tornado || out.kind_ == Kind::neighbor;
  const int bits = std::bit_width(static_cast<unsigned>(out.nodes_)) - 1;
  if (!digits && out.nodes_ != 1 << bits) {
    throw Error("traffic pattern '" + out.name() + "' permutes bits: the number of nodes must be a power of 2, " +
                where + " has " + std::to_string(out.nodes_));
  }
  if (out.kind_ == Kind::transpose && bits % 2 != 0) {
    throw Error("traffic pattern 'transpose' needs an even power of 2 nodes, " + where + " has " +
                std::to_string(out.nodes_));
  }
  for (int node = 0; node < out.nodes_; ++node) {
    out.to_.push_back(digits ? shift_digits(mesh, out.kind_, node) : permute_bits(out.kind_, node, bits));
  }
  return out;
}

double DorLoad::saturation_bound() const { return 1 / std::max({1.0, busiest, ejection}); }

DorLoad dor_load(const Mesh& mesh, const MeshPattern& pattern) {
  DorLoad out;
  out.channel.resize(static_cast<size_t>(mesh.queues()));
  std::vector<double> received(static_cast<size_t>(mesh.routers()));
  for (int source = 0; source < mesh.routers(); ++source) {
    for (int dest = 0; dest < mesh.routers(); ++dest) {
      const double share = pattern.share(source, dest);
      if (share == 0) continue;
      received[static_cast<size_t>(dest)] += share;
      for (int at = source; at != dest;) {
        const arb_request::Hop hop = mesh.hops(at, dest, arb_request::Rule::kDor).front();
        out.channel[static_cast<size_t>(hop.queue)] += share;
        at = hop.router;
      }
    }
  }
  out.busiest = *std::max_element(out.channel.begin(), out.channel.end());
  out.ejection = *std::max_element(received.begin(), received.end());
  return out;
}

}  // namespace odonata::traffic
