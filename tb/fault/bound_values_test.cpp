// SPDX-License-Identifier: Apache-2.0
// The bounds of one fault as numbers (docs/fault.md §7.3): that they hold and come close is tested elsewhere, and most
// of what makes them a little higher or lower would pass there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <vector>

#include "models/fault/fault_bound.h"
#include "models/fault/worst_case.h"

namespace odonata::fault::test {
namespace {

constexpr std::array kClasses{FaultClass::local, FaultClass::global, FaultClass::router};
constexpr size_t kDesigns = 7;

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
          design("native", 2, 4, true, {2, 30, 17}),   design("full", 1, 1, true, {1, 3, 200}),
          design("native", 64, 1, true, {1, 1, 1})};
}

/// Networks of more than 40 routers: routers without a global port, with a single one, with several; groups of two.
struct Kinds {
  const char* size;
  std::array<std::array<int64_t, kDesigns>, kClasses.size()> cycles;
};
constexpr Kinds kKinds[] = {
    {"1,5,2,9",
     {{{{1392, 295, 384, 333, 232, 838, 97}},
       {{1889, 252, 413, 350, 268, 1118, 132}},
       {{4285, 513, 815, 704, 384, 2147, 246}}}}},
    {"1,7,1,8",
     {{{{1329, 307, 411, 377, 248, 859, 105}},
       {{1895, 260, 449, 382, 288, 1068, 145}},
       {{4874, 542, 984, 860, 417, 2107, 297}}}}},
    {"2,4,3,11",
     {{{{1359, 298, 391, 344, 243, 836, 104}},
       {{2089, 262, 472, 387, 293, 1254, 145}},
       {{4208, 510, 846, 769, 395, 2211, 251}}}}},
    {"2,8,2,6",
     {{{{1601, 328, 545, 493, 296, 889, 138}},
       {{1707, 264, 495, 422, 311, 946, 151}},
       {{5128, 623, 1327, 1271, 484, 2198, 354}}}}},
    {"1,21,1,2",
     {{{{1827, 303, 829, 764, 365, 674, 218}},
       {{2083, 350, 941, 859, 458, 802, 257}},
       {{10824, 970, 4673, 4251, 1006, 2339, 804}}}}},
    {"1,3,7,14",
     {{{{1684, 304, 419, 367, 272, 831, 135}},
       {{2369, 274, 585, 458, 327, 1456, 156}},
       {{5430, 599, 1200, 1084, 473, 2579, 320}}}}},
    {"1,5,4,11",
     {{{{1580, 307, 415, 379, 264, 848, 121}},
       {{2157, 268, 513, 419, 307, 1262, 151}},
       {{5119, 578, 1076, 1008, 451, 2295, 319}}}}},
    {"4,8,2,17",
     {{{{1609, 340, 597, 535, 328, 901, 154}},
       {{997, 216, 382, 330, 230, 617, 142}},
       {{5067, 596, 1319, 1258, 518, 2073, 349}}}}},
    {"2,4,4,17",
     {{{{1464, 304, 404, 355, 259, 841, 119}},
       {{719, 180, 262, 222, 166, 573, 94}},
       {{3745, 500, 818, 749, 373, 2005, 236}}}}},
    {"3,6,3,19",
     {{{{1593, 322, 516, 473, 295, 868, 138}},
       {{862, 198, 322, 272, 198, 599, 122}},
       {{4406, 544, 1032, 998, 449, 2039, 301}}}}},
    {"2,5,4,21",
     {{{{1547, 313, 500, 382, 278, 854, 130}},
       {{796, 188, 295, 247, 181, 591, 112}},
       {{4204, 525, 955, 916, 414, 2022, 283}}}}},
    {"1,2,11,22",
     {{{{1042308, 33328, 234838, 162238, 81113, 543040, 32545}},
       {{1042308, 33328, 234838, 162238, 81113, 543040, 32545}},
       {{2082660, 65680, 484918, 339742, 161849, 1083424, 64897}}}}},
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
  int64_t messages = 0, graph = 0, cycles = 0, least = 0, most = 0, look = 0;
  bool operator==(const Sums&) const = default;
};
void PrintTo(const Sums& s, std::ostream* out) {
  *out << "{" << s.messages << ", " << s.graph << ", " << s.cycles << ", " << s.least << ", " << s.most << ", "
       << s.look << "}";
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
        for (const GraphMessage& m : bound.graph.messages)
          sums.graph += (m.row + 2 * m.to_row + 3 * m.out + 5 * m.in) * (m.restores ? 2 : 1) + 7 * m.last_writer +
                        11 * static_cast<int>(m.message_class) + 13 * static_cast<int>(m.scope) +
                        17 * static_cast<int64_t>(m.causes.size()) + 19 * static_cast<int64_t>(m.before.size());
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
    {"1,2,1,2",
     {{{84, 4074, 4428, 19628, 22292, 28016},
       {56, 2240, 952, 6672, 6672, 11880},
       {140, 6314, 6308, 23608, 26272, 35296}}}},
    {"1,2,2,4",
     {{{1344, 83944, 19414, 812174, 944222, 1115408},
       {392, 22078, 9108, 154196, 169796, 217820},
       {1148, 70476, 27210, 758224, 872864, 1115912}}}},
    {"2,2,2,5",
     {{{2520, 205520, 23860, 1752754, 2029988, 2383232},
       {448, 32634, 11038, 198868, 214828, 253818},
       {1680, 137760, 28728, 1173934, 1332792, 1714016}}}},
    {"1,3,1,3",
     {{{700, 45640, 15310, 357578, 447074, 541524},
       {924, 61362, 12874, 313726, 420466, 572284},
       {1372, 106120, 26589, 1149637, 1382461, 1806683}}}},
    {"1,3,1,4",
     {{{1260, 92442, 16546, 830190, 1078272, 1239872},
       {1344, 97706, 13684, 539612, 772756, 1016834},
       {2730, 231252, 28379, 2698050, 3403894, 4124134}}}},
    {"1,3,3,7",
     {{{2534, 223608, 17276, 1827464, 2361408, 2714040},
       {1064, 87668, 12404, 454680, 597596, 770518},
       {5796, 611912, 29399, 6443924, 7952343, 9410150}}}},
    {"5,4,5,6",
     {{{4662, 721406, 20840, 3347338, 4177678, 5093240},
       {1092, 157108, 11966, 442766, 500078, 638946},
       {5943, 937314, 32717, 4342667, 4980119, 8902394}}}},
    {"2,4,2,8",
     {{{4116, 502194, 18986, 3186018, 4333510, 4967738},
       {3024, 346780, 20696, 1138848, 1626702, 2662584},
       {17052, 2506112, 43976, 19811417, 26852737, 32376495}}}},
    {"2,4,2,9",
     {{{4872, 607488, 18862, 3772492, 5013290, 5746690},
       {1344, 173012, 11228, 616856, 750424, 891760},
       {14784, 2223585, 32802, 17689098, 23721606, 28204879}}}},
    {"1,5,1,6",
     {{{3948, 394002, 19438, 2872640, 4068850, 4753258},
       {4704, 452550, 16880, 2133626, 3361322, 4780508},
       {14532, 1745352, 34293, 16097970, 23470217, 29738547}}}},
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
