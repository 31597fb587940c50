// SPDX-License-Identifier: Apache-2.0
// The bounds of one fault as numbers (docs/fault.md §7.3): that they hold and come close is tested elsewhere, and most
// of what makes them a little higher or lower would pass there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/fault/fault_bound.h"
#include "models/fault/worst_case.h"

namespace odonata::fault::test {
namespace {

constexpr std::array kClasses{FaultClass::local, FaultClass::global, FaultClass::router};
constexpr size_t kDesigns = 6;

/// Routers whose terms differ in everything that a bound takes from them.
std::array<Parameters, kDesigns> designs(const Dragonfly& d) {
  struct Wires {
    int hop, local, global;
  };
  const auto design = [&](std::string_view hardware, int poll_width, int banks, bool pipelined, const Wires& wires) {
    Parameters p;
    p.timing = Timing::of(d, hardware);
    p.timing.poll_width = poll_width;
    p.timing.banks = banks;
    p.timing.pipelined = pipelined;
    p.timing.ring_hop = wires.hop;
    p.timing.local_latency = wires.local;
    p.timing.global_latency = wires.global;
    return p;
  };
  return {design("full", 1, 1, false, {1, 10, 100}),   design("full", 64, 8, true, {1, 10, 100}),
          design("native", 1, 1, false, {1, 10, 100}), design("native", 4, 2, false, {1, 10, 100}),
          design("native", 2, 4, true, {2, 30, 17}),   design("full", 1, 1, true, {1, 3, 200})};
}

/// Networks of more than 40 routers: routers without a global port, with a single one, with several; groups of two.
struct Kinds {
  const char* size;
  std::array<std::array<int64_t, kDesigns>, kClasses.size()> cycles;
};
constexpr Kinds kKinds[] = {
    {"1,5,2,9",
     {{{{1392, 295, 384, 333, 232, 838}}, {{1889, 252, 413, 350, 268, 1118}}, {{4285, 513, 815, 704, 384, 2147}}}}},
    {"1,7,1,8",
     {{{{1329, 307, 411, 377, 248, 859}}, {{1895, 260, 449, 382, 288, 1068}}, {{4874, 542, 984, 860, 417, 2107}}}}},
    {"2,4,3,11",
     {{{{1359, 298, 391, 344, 243, 836}}, {{2089, 262, 472, 387, 293, 1254}}, {{4208, 510, 846, 769, 395, 2211}}}}},
    {"2,8,2,6",
     {{{{1601, 328, 545, 493, 296, 889}}, {{1707, 264, 495, 422, 311, 946}}, {{5128, 623, 1327, 1271, 484, 2198}}}}},
    {"4,8,2,17",
     {{{{1609, 340, 597, 535, 328, 901}}, {{997, 216, 382, 330, 230, 617}}, {{5067, 596, 1319, 1258, 518, 2073}}}}},
    {"2,4,4,17",
     {{{{1464, 304, 404, 355, 259, 841}}, {{719, 180, 262, 222, 166, 573}}, {{3745, 500, 818, 749, 373, 2005}}}}},
    {"3,6,3,19",
     {{{{1593, 322, 516, 473, 295, 868}}, {{862, 198, 322, 272, 198, 599}}, {{4406, 544, 1032, 998, 449, 2039}}}}},
    {"3,3,8,21",
     {{{{1892, 326, 505, 456, 321, 854}}, {{621, 185, 286, 232, 186, 583}}, {{4339, 581, 1240, 1048, 436, 2057}}}}},
    {"2,5,4,21",
     {{{{1547, 313, 500, 382, 278, 854}}, {{796, 188, 295, 247, 181, 591}}, {{4204, 525, 955, 916, 414, 2022}}}}},
    {"1,2,11,22",
     {{{{1042308, 33328, 234838, 162238, 81113, 543040}},
       {{1042308, 33328, 234838, 162238, 81113, 543040}},
       {{2082660, 65680, 484918, 339742, 161849, 1083424}}}}},
};

TEST(BoundValues, FlowsOfKinds) {
  for (const Kinds& network : kKinds) {
    const Dragonfly d = Dragonfly::parse(network.size);
    const auto routers = designs(d);
    for (size_t c = 0; c < kClasses.size(); ++c) {
      for (size_t i = 0; i < kDesigns; ++i) {
        const WorstCase bound = worst_case(d, routers[i], kClasses[c]);
        EXPECT_EQ(bound.cycles, network.cycles[c][i]) << network.size << ", class " << c << ", design " << i;
        EXPECT_EQ(bound.tight, bound.why.empty());
      }
    }
  }
}

/// Bounds of some faults of a class, of all designs, in both modes, added up; those of messages by their place.
struct Sums {
  int64_t messages = 0, cycles = 0, least = 0, most = 0, look = 0;
  bool operator==(const Sums&) const = default;
};
void PrintTo(const Sums& s, std::ostream* out) {
  *out << "{" << s.messages << ", " << s.cycles << ", " << s.least << ", " << s.most << ", " << s.look << "}";
}

Sums sums(const Dragonfly& d, FaultClass fault_class) {
  constexpr int64_t kMessagesApart = 7;
  Sums sums;
  const int64_t faults = num_faults(d, fault_class), step = std::max<int64_t>(1, faults / 3);
  for (Parameters p : designs(d)) {
    for (const Mode mode : {Mode::safe, Mode::paper}) {
      p.mode = mode;
      for (int64_t i = 0; i < faults; i += step) {
        const FaultBound bound = fault_bound(d, p, numbered_fault(d, fault_class, i));
        sums.messages += static_cast<int64_t>(bound.messages.size());
        sums.cycles += bound.cycles;
        for (size_t k = 0; k < bound.messages.size(); ++k) {
          const FlowBound::Span& span = bound.messages[k];
          if (span.least > span.most) continue;
          const auto weight = static_cast<int64_t>(k) % kMessagesApart + 1;
          sums.least += weight * span.least;
          sums.most += weight * span.most;
          sums.look += weight * span.look;
        }
      }
    }
  }
  return sums;
}

struct Faults {
  const char* size;
  std::array<Sums, kClasses.size()> sums;
};
constexpr Faults kFaults[] = {
    {"1,2,1,2", {{{72, 4364, 19312, 21964, 27640}, {48, 922, 6412, 6412, 11572}, {120, 6188, 23140, 25792, 34736}}}},
    {"1,2,2,4",
     {{{1152, 19122, 799730, 931110, 1100516},
       {336, 8932, 150492, 166092, 213886},
       {984, 26932, 746524, 860636, 1102182}}}},
    {"2,2,2,5",
     {{{2160, 23402, 1720998, 1996616, 2347420},
       {384, 10770, 193508, 209468, 248346},
       {1440, 28370, 1152438, 1310058, 1689354}}}},
    {"1,3,1,3",
     {{{600, 15070, 350388, 439486, 533206},
       {792, 12602, 302850, 408610, 558728},
       {1176, 26275, 1132719, 1362427, 1783443}}}},
    {"1,3,1,4",
     {{{1080, 16270, 814062, 1060684, 1221124},
       {1152, 13390, 521968, 752500, 993920},
       {2340, 27990, 2657912, 3352666, 4063446}}}},
    {"1,3,3,7",
     {{{2172, 16948, 1792152, 2322074, 2670926},
       {912, 12144, 440014, 582258, 754330},
       {4968, 28913, 6344339, 7819148, 9253879}}}},
    {"5,4,5,6",
     {{{3996, 20284, 3234970, 4061134, 4970294},
       {936, 11552, 419064, 476178, 614442},
       {5094, 32078, 4204402, 4819846, 8702310}}}},
    {"2,4,2,8",
     {{{3528, 18592, 3105626, 4246900, 4876720},
       {2592, 20182, 1084076, 1567008, 2592238},
       {14616, 43090, 19412545, 26285807, 31704421}}}},
    {"2,4,2,9",
     {{{4176, 18470, 3681998, 4915220, 5643946},
       {1152, 10894, 591306, 724130, 864844},
       {12672, 32130, 17344738, 23234224, 27630551}}}},
    {"1,5,1,6",
     {{{3384, 19066, 2807936, 3993122, 4669828},
       {4032, 16448, 2047330, 3254574, 4652820},
       {12456, 33574, 15810759, 22988472, 29122893}}}},
};

TEST(BoundValues, FaultByFault) {
  for (const Faults& network : kFaults) {
    const Dragonfly d = Dragonfly::parse(network.size);
    for (size_t c = 0; c < kClasses.size(); ++c)
      EXPECT_EQ(sums(d, kClasses[c]), network.sums[c]) << network.size << ", class " << c;
  }
}

}  // namespace
}  // namespace odonata::fault::test
