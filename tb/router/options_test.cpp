// SPDX-License-Identifier: Apache-2.0
// The RTL of a row's options names the ports that its words name (docs/router.md §3.2), with all eight neighbours of an
// entry.
#include <gtest/gtest.h>

#include "Vrouter_options.h"
#include "models/common/random.h"
#include "models/table/entry.h"

namespace odonata::router {
namespace {

const Dragonfly kDragonfly({2, 12, 3, 5}, Arrangement::direct);  // as in CMakeLists.txt

/// What the RTL says.
struct Said {
  int port_a = kNoPort;
  uint64_t options_b = 0;
  bool operator==(const Said&) const = default;
};

class Rtl {
 public:
  ~Rtl() { options_.final(); }
  Said operator()(bool global, bool has_b, uint64_t a, uint64_t b) {
    options_.global_i = global, options_.has_b_i = has_b, options_.word_a_i = a, options_.word_b_i = b;
    options_.eval();
    if (!options_.has_a_o) EXPECT_EQ(options_.port_a_o, 0);
    return {options_.has_a_o ? options_.port_a_o : kNoPort, options_.options_b_o};
  }

 private:
  Vrouter_options options_;
};

TEST(RouterOptions, EveryNeighbourOfAGlobalEntryCounts) {
  const Dragonfly& d = kDragonfly;
  Rtl rtl;
  for (int k = 0; k < table::kNeighboursB; ++k) {
    for (int port = 0; port < 64; ++port) {
      table::GlobalEntryB b;
      b.port[static_cast<size_t>(k)] = port;
      EXPECT_EQ(rtl(true, true, table::GlobalEntryA{}.encode(), b.encode()),
                (Said{kNoPort, d.is_local_port(port) ? uint64_t{1} << port : 0}))
          << k << ": " << port;
    }
  }
}

TEST(RouterOptions, AreWhatTheWordsName) {
  const Dragonfly& d = kDragonfly;
  const uint64_t ports = low_mask(d.num_ports()), globals = low_mask(d.h());
  Random random(1);
  Rtl rtl;
  for (int i = 0; i < 20'000; ++i) {
    const bool global = random.below(2) != 0, has_b = random.below(4) != 0, few = random.below(2) != 0;
    uint64_t a = few ? random.next() & random.next() & random.next() & random.next() : random.next(), b = random.next();
    Said want;
    if (global) {
      const table::GlobalEntryA entry{static_cast<int>(random.below(64)), random.below(2) != 0,
                                      static_cast<uint32_t>(a & 0xFFFF)};
      table::GlobalEntryB others;
      others.own_global_ports = static_cast<uint32_t>(b & 0xFFFF);
      want.options_b = (b & globals) << d.first_global();
      for (int& port : others.port) {
        port = random.below(2) != 0 ? kNoPort : static_cast<int>(random.below(64));
        if (d.is_local_port(port)) want.options_b |= uint64_t{1} << port;
      }
      const uint64_t own = entry.global_ports & globals;
      if (entry.own_router && own != 0) want.port_a = d.first_global() + std::countr_zero(own);
      if (!entry.own_router && d.is_local_port(entry.port)) want.port_a = entry.port;
      a = entry.encode(), b = others.encode();
    } else {
      if ((a & ports) != 0) want.port_a = std::countr_zero(a & ports);
      want.options_b = b & ports;
    }
    if (!has_b) want.options_b = 0;
    ASSERT_EQ(rtl(global, has_b, a, b), want) << i << std::hex << ": " << a << ", " << b;
  }
}

}  // namespace
}  // namespace odonata::router
