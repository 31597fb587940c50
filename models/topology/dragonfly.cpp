// SPDX-License-Identifier: Apache-2.0
#include "models/topology/dragonfly.h"

#include <algorithm>
#include <charconv>

namespace odonata {

std::string_view to_string(Arrangement arrangement) {
  return arrangement == Arrangement::direct ? "direct" : "absolute";
}

std::string_view to_string(PortClass port_class) {
  constexpr std::array<std::string_view, 3> names{"node", "local", "global"};
  return names[static_cast<int>(port_class)];
}

namespace {

void check_range(std::string_view name, int value, int low, int high, std::string_view why = "") {
  if (value >= low && value <= high) return;
  throw Error("dragonfly: " + std::string(name) + " = " + std::to_string(value) + " is out of range, expected " +
              std::to_string(low) + ".." + std::to_string(high) + std::string(why));
}

}  // namespace

Dragonfly::Dragonfly(DragonflySize size, Arrangement arrangement) : size_(size), arrangement_(arrangement) {
  check_range("p", size.p, 1, kMaxNodesPerRouter);
  check_range("a", size.a, 2, kMaxRoutersPerGroup);
  check_range("h", size.h, 1, kMaxGlobalPorts);
  check_range("g", size.g, 2, std::min(size.a * size.h + 1, kMaxGroups), " (at most a*h+1 and 512)");
  if (arrangement == Arrangement::direct) {
    check_range("g", size.g, 2, size.a * size.h, " (at most a*h in the direct arrangement)");
  }
  static_assert(kMaxNodesPerRouter + kMaxRoutersPerGroup - 1 + kMaxGlobalPorts <= 63, "port 63 is spare");
}

Dragonfly Dragonfly::named(std::string_view name) {
  if (name == "tiny") return {{2, 4, 2, 8}, Arrangement::direct};
  if (name == "paper") return {{6, 12, 6, 73}, Arrangement::absolute};
  if (name == "full") return {{16, 32, 16, 512}, Arrangement::direct};
  throw Error("size '" + std::string(name) + "' is unknown, expected tiny, paper or full");
}

Dragonfly Dragonfly::parse(std::string_view text) {
  std::array<int, 4> value{};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int i = 0; i < 4; ++i) {
    const auto [next, error] = std::from_chars(at, end, value[i]);
    const bool separator_ok = i == 3 ? next == end : next != end && *next == ',';
    if (error != std::errc{} || !separator_ok) {
      throw Error("dragonfly '" + std::string(text) + "': expected four numbers p,a,h,g such as 2,4,2,8");
    }
    at = next + 1;
  }
  const DragonflySize size{value[0], value[1], value[2], value[3]};
  const bool full_absolute = static_cast<long>(size.g) == static_cast<long>(size.a) * size.h + 1;
  return {size, full_absolute ? Arrangement::absolute : Arrangement::direct};
}

std::string Dragonfly::name() const {
  return "dfly(" + std::to_string(p()) + "," + std::to_string(a()) + "," + std::to_string(h()) + "," +
         std::to_string(g()) + ") " + std::string(to_string(arrangement_));
}

int Dragonfly::group_of_port(int gid, int j) const {
  const int group = arrangement_ == Arrangement::direct || j < gid ? j : j + 1;
  return group < g() && group != gid ? group : -1;
}

Dragonfly::Peer Dragonfly::peer(RouterId router, int port) const {
  if (is_local_port(port)) {
    const int other = neighbour(router.bid, port);
    return {true, {router.gid, other}, local_port(other, router.bid)};
  }
  if (port_class(port) != PortClass::global || port >= num_ports()) return {};
  const int group = group_of_port(router.gid, router.bid * h() + port - first_global());
  if (group < 0) return {};
  const int back = port_to_group(group, router.gid);
  return {true, {group, back / h()}, global_port(back % h())};
}

}  // namespace odonata
