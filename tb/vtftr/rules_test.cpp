// SPDX-License-Identifier: Apache-2.0
// The RTL of the rules beyond the paper is what the golden rules are, for every combination of what they look at; every
// bug planted in it shows.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "Vbeyond_rules.h"
#include "models/vtftr/tree_rules.h"
#include "tb/vtftr/campaign.h"

namespace odonata::vtftr {
namespace {

bool bit(uint32_t bits, int i) { return (bits >> i & 1) != 0; }

/// What a rule looks at, as bits.
struct Bits {
  uint32_t differ = 0, own_ = 0, dest_ = 0, next_ = 0, corner_ = 0, full_ = 0;
  bool differs(int d) const { return bit(differ, d); }
  bool own(int d) const { return bit(own_, d); }
  bool dest(int d) const { return bit(dest_, d); }
  bool next(int d) const { return bit(next_, d); }
  bool corner(int d) const { return bit(corner_, d); }
  bool full(int d) const { return bit(full_, d); }
};

/// What both sides say.
struct Said {
  bool eject = false, drop = false, around = false;
  int dimension = 0, vc = 0;
  bool operator==(const Said&) const = default;
};
Said said(const TreeRule& r) {
  if (r.dimension < 0) return {.drop = true};
  return {false, false, r.around, r.dimension, r.vc};
}

class Rtl {
 public:
  explicit Rtl(int plant) {
    const std::string argument = "+odonata_plant=" + std::to_string(plant);
    const char* arguments[] = {"rules", argument.c_str()};
    context_.commandArgs(2, arguments);
    model_ = std::make_unique<Vbeyond_rules>(&context_, "rules");
  }

  Said half_dead(const Bits& b, int port_class, int vc) {
    Vbeyond_rules& m = *model_;
    m.class_i = static_cast<CData>(port_class);
    m.half_vc_i = static_cast<CData>(vc);
    m.column_right_i = !b.differs(kRow);
    m.row_right_i = !b.differs(kColumn);
    m.own_i = static_cast<CData>(b.own_);
    m.dest_i = static_cast<CData>(b.dest_);
    m.corner_i = static_cast<CData>(b.corner_);
    m.turn_i = b.next(kRow);
    m.full_i = static_cast<CData>(b.full_);
    m.eval();
    return {m.half_eject_o != 0, m.half_drop_o != 0, m.half_around_o != 0, m.half_column_o, m.half_vc_o};
  }

  Said dimensions(const Bits& b, int k, int from, int vc, int last_vc, bool known) {
    Vbeyond_rules& m = *model_;
    m.from_i = static_cast<CData>(from + 1);
    m.vc_i = static_cast<CData>(vc);
    m.last_vc_i = static_cast<CData>(last_vc);
    m.known_i = known;
    m.differs_i = static_cast<CData>(b.differ);
    m.own_i = static_cast<CData>(b.own_);
    m.next_i = static_cast<CData>(b.next_);
    m.full_i = static_cast<CData>(b.full_);
    m.eval();
    const int at = k - 2;
    return {bit(m.eject_o, at), bit(m.drop_o, at), bit(m.around_o, at), m.dimension_o >> 2 * at & 3,
            m.vc_o >> 2 * at & 3};
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Vbeyond_rules> model_;
};

/// The first combination at which the two sides differ; empty: none.
std::string half_dead_difference(Rtl& rtl) {
  for (uint32_t i = 0; i < 1u << 11; ++i) {
    const Bits b{.differ = i & 3,
                 .own_ = i >> 2 & 3,
                 .dest_ = i >> 4 & 3,
                 .next_ = i >> 6 & 1,
                 .corner_ = i >> 7 & 3,
                 .full_ = i >> 9 & 3};
    for (int port_class = 0; port_class < 4; ++port_class) {
      for (int vc = 0; vc < 2; ++vc) {
        const int from = port_class == 0 ? kFromNode : port_class == 1 ? kRow : kColumn;
        const Said golden = b.differ == 0 ? Said{.eject = true} : said(half_dead_rule(b, from, vc));
        if (rtl.half_dead(b, port_class, vc) != golden)
          return "bits " + std::to_string(i) + ", class " + std::to_string(port_class) + ", vc " + std::to_string(vc);
      }
    }
  }
  return "";
}

std::string dimensions_difference(Rtl& rtl, int k) {
  const uint32_t all = (1u << k) - 1;
  for (int last_vc = k == 4 ? 3 : 0; last_vc < 4;
       ++last_vc) {  // of four dimensions four channels: a million combinations
    for (int vc = 0; vc <= last_vc; ++vc) {
      for (int from = kFromNode; from < k; ++from) {
        for (uint32_t i = 0; i < 1u << (4 * k); ++i) {
          const Bits b{.differ = i & all, .own_ = i >> k & all, .next_ = i >> 2 * k & all, .full_ = i >> 3 * k};
          const Said golden = b.differ == 0 ? Said{.eject = true} : said(dimensions_rule(b, k, from, vc, last_vc));
          if (rtl.dimensions(b, k, from, vc, last_vc, true) != golden)
            return "bits " + std::to_string(i) + ", from " + std::to_string(from) + ", vc " + std::to_string(vc) +
                   " of " + std::to_string(last_vc);
        }
      }
    }
  }
  if (rtl.dimensions({.differ = 1, .own_ = all, .next_ = all}, k, kFromNode, 0, 1, false) != Said{.drop = true})
    return "a dead destination";
  return "";
}

TEST(BeyondRules, RtlIsWhatTheGoldenRulesAre) {
  Rtl rtl(0);
  EXPECT_EQ(half_dead_difference(rtl), "");
  for (int k = 2; k <= 4; ++k) EXPECT_EQ(dimensions_difference(rtl, k), "") << k << " dimensions";
}

TEST(BeyondRules, EveryPlantedBugShows) {
  int number = 0, tried = 0;
  for (const cosim::Plant& plant : cosim::vtftr_plants()) {
    ++number;
    const bool half_dead = plant.file.ends_with("/vtftr_half_dead_rules.sv");
    if (!half_dead && !plant.file.ends_with("/vtftr_dimensions_rules.sv")) continue;
    ++tried;
    Rtl rtl(number);
    EXPECT_NE(half_dead ? half_dead_difference(rtl) : dimensions_difference(rtl, 3), "") << plant.name;
  }
  EXPECT_GE(tried, 20);
}

}  // namespace
}  // namespace odonata::vtftr
