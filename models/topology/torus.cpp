// SPDX-License-Identifier: Apache-2.0
#include "models/topology/torus.h"

#include <charconv>
#include <span>

#include "models/common/error.h"
#include "models/common/joined.h"

namespace odonata {

Torus::Torus(const std::vector<int>& radix) : dimensions_(static_cast<int>(radix.size())) {
  if (radix.size() < 2 || radix.size() > kMaxDimensions)
    throw Error("torus: 2 or 3 dimensions are possible, not " + std::to_string(radix.size()));
  for (size_t d = 0; d < radix.size(); ++d) {
    if (radix[d] < kMinRadix || radix[d] > kMaxRadix)
      throw Error("torus: radix " + std::to_string(radix[d]) + " of dimension " + "xyz"[d] + " is outside 3..64");
    radix_[d] = radix[d];
    stride_[d] = nodes_;
    nodes_ *= radix[d];
  }
}

Torus Torus::parse(std::string_view text) {
  if (text == "tiny") return Torus({4, 4});
  if (text == "paper") return Torus({10, 10});
  if (text == "big") return Torus({32, 32});
  std::vector<int> radix;
  const char separator = text.find('x') != std::string_view::npos ? 'x' : ',';
  for (size_t at = 0; at <= text.size(); ++at) {
    const size_t from = at;
    int value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 4)
      value = value * 10 + (text[at++] - '0');
    if (at == from || (at < text.size() && text[at] != separator))
      throw Error("torus \"" + std::string(text) + "\" is not of the form 10x10 or 4x4x4");
    radix.push_back(value);
  }
  return Torus(radix);
}

Torus::Coordinates Torus::coordinates(int node) const {
  Coordinates at{};
  for (int d = 0; d < dimensions_; ++d) at[static_cast<size_t>(d)] = coordinate(node, d);
  return at;
}

int Torus::node(const Coordinates& at) const {
  int number = 0;
  for (size_t d = 0; d < static_cast<size_t>(dimensions_); ++d) number += at[d] * stride_[d];
  return number;
}

int Torus::parse_node(std::string_view text) const {
  const auto bad = [&](const std::string& why) {
    return Error("node \"" + std::string(text) + "\" of torus " + name() + ": " + why);
  };
  Coordinates at{};
  std::string_view rest = text;
  for (size_t d = 0; d < static_cast<size_t>(dimensions_); ++d) {
    const bool last = d + 1 == static_cast<size_t>(dimensions_);
    const size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != last)
      throw bad("expected " + std::to_string(dimensions_) + " coordinates");
    const std::string_view number = rest.substr(0, comma);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), at[d]);
    if (error != std::errc{} || end != number.data() + number.size())
      throw bad("\"" + std::string(number) + "\" is not a coordinate");
    if (at[d] < 0 || at[d] >= radix_[d])
      throw bad(std::string(1, "xyz"[d]) + " is outside 0.." + std::to_string(radix_[d] - 1));
    rest.remove_prefix(last ? rest.size() : comma + 1);
  }
  return node(at);
}

int Torus::neighbour(int node, int port) const {
  const int d = port / 2, k = radix(d), stride = stride_[static_cast<size_t>(d)];
  const int c = coordinate(node, d), next = port & 1 ? (c == 0 ? k - 1 : c - 1) : (c == k - 1 ? 0 : c + 1);
  return node + (next - c) * stride;
}

std::string Torus::name() const { return joined(std::span(radix_).first(static_cast<size_t>(dimensions_)), {}, "x"); }

std::string Torus::node_name(int node) const {
  std::string s = "(";
  for (int d = 0; d < dimensions_; ++d) s += (d ? "," : "") + std::to_string(coordinate(node, d));
  return s + ")";
}

std::string Torus::port_name(int port) { return std::string(1, "xyz"[port / 2]) + (port & 1 ? '-' : '+'); }

}  // namespace odonata
