// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/mesh.h"

#include <algorithm>
#include <array>
#include <bit>

#include "models/arb_request/explain.h"
#include "models/common/error.h"
#include "models/common/joined.h"

namespace odonata::arb_request {
namespace {

constexpr std::array<std::string_view, 6> kRuleNames{"dor",       "dbra",         "d2ra",
                                                     "mixed-dor", "d2ra-lowered", "dbra-lowered"};
constexpr Lanes kAll = ~Lanes{0};

/// The least credit 0..255 at which bit `dimension` of what `map` takes out of the answer is set; 256: never.
template <class Map>
int least_credit(Query q, Scheme scheme, int dimension, Map map) {
  for (int credit = 0; credit < 256; ++credit) {
    q.credit_plus = q.credit_minus = static_cast<Lanes>(credit) * detail::kOnes;
    if ((map(evaluate(q, scheme)) >> dimension) & 1) return credit;
  }
  return 256;
}

}  // namespace

Rule rule_from_name(std::string_view name) {
  for (size_t i = 0; i < kRuleNames.size(); ++i)
    if (kRuleNames[i] == name) return static_cast<Rule>(i);
  throw Error("scheme \"" + std::string(name) +
              "\" is not one of dor, dbra, d2ra, mixed-dor, d2ra-lowered, dbra-lowered");
}
std::string_view name_of(Rule rule) { return kRuleNames[static_cast<int>(rule)]; }

Mesh::Mesh(std::vector<int> radix) : radix_(std::move(radix)) {
  if (radix_.empty() || radix_.size() > kMaxDimensions) throw Error("mesh: 1 to 8 dimensions are possible");
  for (int k : radix_) {
    if (k < 2 || k > 255) throw Error("mesh: radix " + std::to_string(k) + " is outside 2..255");
    stride_.push_back(routers_);
    routers_ *= k;
    if (routers_ > 65536) throw Error("mesh: more than 65536 routers");
  }
}

Mesh Mesh::parse(const std::string& text) {
  std::vector<int> radix;
  size_t at = 0;
  const auto bad = [&]() { return Error("mesh \"" + text + "\" is not of the form 3x3 or 2x2x2"); };
  while (true) {
    const size_t from = at;
    int value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 4)
      value = value * 10 + (text[at++] - '0');
    if (at == from) throw bad();
    radix.push_back(value);
    if (at == text.size()) break;
    if (text[at++] != 'x') throw bad();
  }
  return Mesh(std::move(radix));
}

Lanes Mesh::lanes(int router) const {
  Lanes v = 0;
  for (int d = 0; d < dimensions(); ++d) set_lane(v, d, static_cast<uint8_t>(coordinate(router, d)));
  return v;
}

int Mesh::neighbour(int router, int dimension, bool minus) const {
  const int c = coordinate(router, dimension) + (minus ? -1 : 1);
  if (c < 0 || c >= radix_[dimension]) return -1;
  return router + (minus ? -stride_[dimension] : stride_[dimension]);
}

std::string Mesh::router_name(int router) const {
  std::string s = "(";
  for (int d = 0; d < dimensions(); ++d) s += (d ? "," : "") + std::to_string(coordinate(router, d));
  return s + ")";
}

std::string Mesh::queue_name(int queue) const {
  return "queue " + output_name(queue_dimension(queue), queue_minus(queue)) + " of " + router_name(queue_router(queue));
}

std::string Mesh::name() const { return joined(radix_, {}, "x"); }

std::vector<Hop> Mesh::hops(int router, int dest, Rule rule) const {
  Query q;
  q.at = lanes(router);
  q.dest = lanes(dest);
  q.credit_plus = q.credit_minus = kAll;
  const Requests all = evaluate(q, Scheme::kDbra);
  const int lowest = std::countr_zero(all.remaining), highest = std::bit_width(all.remaining) - 1;
  const auto request = [](const Requests& a) { return a.request(); };
  const auto high = [](const Requests& a) { return a.high; };
  std::vector<Hop> result;
  for (uint32_t left = all.remaining; left; left &= left - 1) {
    Hop h;
    h.dimension = std::countr_zero(left);
    h.minus = !((all.plus >> h.dimension) & 1);
    h.router = neighbour(router, h.dimension, h.minus);
    h.queue = queue(h.router, h.dimension, h.minus);
    if (rule == Rule::kMixedDor) {
      if (h.dimension != lowest && h.dimension != highest) continue;
      h.need = h.need_high = 1;
    } else if (rule == Rule::kD2raLowered || rule == Rule::kDbraLowered) {
      h.need_high = std::max(1, all.z - 1);
      h.need = h.dimension == lowest && rule == Rule::kD2raLowered ? 1 : h.need_high;
    } else {
      const Scheme scheme = static_cast<Scheme>(rule);
      h.need = least_credit(q, scheme, h.dimension, request);
      h.need_high = least_credit(q, scheme, h.dimension, high);
      if (h.need == 256) continue;
    }
    result.push_back(h);
  }
  return result;
}

int64_t check_lemma_1(const Mesh& mesh) {
  int64_t looked_at = 0;
  for (int router = 0; router < mesh.routers(); ++router) {
    for (int d = 0; d < mesh.dimensions(); ++d) {
      for (const bool minus : {false, true}) {
        if (mesh.neighbour(router, d, minus) >= 0) continue;
        for (int dest = 0; dest < mesh.routers(); ++dest, ++looked_at) {
          const Requests a = evaluate({mesh.lanes(router), mesh.lanes(dest), kAll, kAll}, Scheme::kD2ra);
          const bool goes_on = (a.request() >> d & 1) && static_cast<bool>(a.plus >> d & 1) == !minus;
          if (goes_on)
            throw Error("lemma 1 violated: " + mesh.router_name(router) + " to " + mesh.router_name(dest) +
                        " asks for " + output_name(d, minus));
        }
      }
    }
  }
  return looked_at;
}

}  // namespace odonata::arb_request
