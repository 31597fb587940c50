// SPDX-License-Identifier: Apache-2.0
#include "tb/torus/coverage.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "models/torus/box_route.h"

namespace odonata::cosim {

using torus::RegionInputs;
using torus::RegionOutputs;
using torus::RouteInputs;
using torus::RouteOutputs;
using Value = std::span<const int>;

TorusRouteCoverage::TorusRouteCoverage(const Torus& t) : torus_(t) {
  const Axis came{"from", {"fresh", "phase x", "phase y"}}, port{"port", {"x+", "x-", "y+", "y-"}};
  answer_ = bins_.declare("answer", {came, {"answer", {"forward", "eject", "drop"}}});
  channel_ = bins_.declare(
      "channel", {{"phase", {"x", "y"}}, port, number_axis("r", 2), {"kind", {"main", "detour"}}}, [](Value v) {
        const bool along = v[1] / 2 == v[0];
        return along != (v[3] == 0) ? std::string("the main channel is of the phase's dimension, a detour of the other")
                                    : "";
      });
  walls_ = bins_.declare("walls at the begin of a phase",
                         {{"phase", {"x", "y"}}, {"+", {"free", "walled"}}, {"-", {"free", "walled"}}});
  header_ = bins_.declare("header", {number_axis("came", 16), {"blocked ports", {"none", "one", "more"}}});
  distance_ = bins_.declare(
      "offset", {{"dimension", {"x", "y"}}, {"sign", {"-", "0", "+"}}, {"far", {"near", "half", "over the wrap"}}},
      [t](Value v) {
        if (v[1] == 1 && v[2] > 0) return std::string("no offset is near");
        return v[2] == 1 && t.radix(v[0]) % 2 == 1 ? std::string("an odd ring has no half") : "";
      });
}

void TorusRouteCoverage::sample(const RouteInputs& asked, const RouteOutputs& answer) {
  if (!answer.valid) return;
  const torus::Ask& a = asked.ask;
  const bool had_y = !a.fresh && (a.header & torus::header::kDim), y = had_y || a.at[0] == a.dest[0];
  bins_.hit(answer_ + (a.fresh ? 0 : had_y ? 2 : 1) * 3 + (answer.eject ? 1 : answer.drop ? 2 : 0));
  if (!answer.eject && !answer.drop)
    bins_.hit(channel_ + ((y * 4 + answer.port) * 2 + (answer.vc >> 2)) * 2 + ((answer.vc & 3) != 0));
  if ((a.fresh || y != had_y) && a.at[y] != a.dest[y]) {
    const uint64_t wall = y ? asked.wall_y : asked.wall_x, plus_way = torus::plus_way_of(a.at[y], a.dest[y]);
    bins_.hit(walls_ + (y * 2 + ((wall & plus_way) != 0)) * 2 + ((wall & ~plus_way) != 0));
  }
  bins_.hit(header_ + a.header * 3 + std::min(2, std::popcount(a.blocked)));
  for (int d = 0; d < 2; ++d) {
    const int off = a.dest[d] - a.at[d], k = torus_.radix(d), twice = 2 * std::abs(off);
    bins_.hit(distance_ + (d * 3 + (off < 0 ? 0 : off == 0 ? 1 : 2)) * 3 + (twice < k ? 0 : twice == k ? 1 : 2));
  }
}

TorusBoxCoverage::TorusBoxCoverage() {
  const Axis came{"from", {"fresh", "the plane (x, y)", "the plane (y, z)"}}, plane{"plane", {"(x, y)", "(y, z)"}};
  answer_ = bins_.declare("answer", {came, plane, {"answer", {"forward", "eject", "drop"}}}, [](Value v) {
    return v[1] == 0 && v[2] == 1 ? std::string("no packet arrives in the plane (x, y)") : "";
  });
  channel_ = bins_.declare(
      "channel",
      {plane, {"port", {"x+", "x-", "y+", "y-", "z+", "z-"}}, number_axis("r", 2), {"kind", {"main", "detour"}}},
      [](Value v) {
        const bool outside = v[0] == 0 ? v[1] >= 4 : v[1] < 2;
        return outside ? std::string("the port leads out of the plane") : "";
      });
  walls_ = bins_.declare("walls at the begin of a phase",
                         {{"phase", {"x", "y", "z"}}, {"+", {"free", "walled"}}, {"-", {"free", "walled"}}});
  header_ = bins_.declare("header", {number_axis("came", 32), {"blocked ports", {"none", "one", "more"}}});
}

void TorusBoxCoverage::sample(const torus::BoxInputs& asked, const torus::BoxOutputs& answer) {
  if (!answer.valid) return;
  const int at[] = {asked.at_x, asked.at_y, asked.at_z}, dest[] = {asked.dest_x, asked.dest_y, asked.dest_z};
  const bool second = at[0] == dest[0], was_second = !asked.fresh && (asked.header & torus::kBoxPlane) != 0;
  bins_.hit(answer_ +
            ((asked.fresh  ? 0
              : was_second ? 2
                           : 1) *
                 2 +
             second) *
                3 +
            (answer.eject  ? 1
             : answer.drop ? 2
                           : 0));
  if (!answer.eject && !answer.drop)
    bins_.hit(channel_ + ((second * 6 + answer.port) * 2 + (answer.vc >> 2 & 1)) * 2 + ((answer.vc & 3) != 0));
  const bool begins_plane = second ? !was_second : asked.fresh,
             had_turned = !begins_plane && (asked.header & torus::header::kDim) != 0;
  const int phase = second ? (at[1] == dest[1] || had_turned ? 2 : 1) : 0;
  if ((begins_plane || (phase == 2 && !had_turned)) && at[phase] != dest[phase]) {
    const uint64_t walls[] = {asked.wall_x, asked.wall_y, asked.wall_z};
    const uint64_t plus_way = torus::plus_way_of(static_cast<uint64_t>(at[phase]), static_cast<uint64_t>(dest[phase]));
    bins_.hit(walls_ + (phase * 2 + ((walls[phase] & plus_way) != 0)) * 2 + ((walls[phase] & ~plus_way) != 0));
  }
  bins_.hit(header_ + asked.header * 3 + std::min(2, std::popcount(asked.blocked)));
}

FaultRegionCoverage::FaultRegionCoverage() {
  pattern_ = bins_.declare("blocked ports",
                           {{"rule", {"any", "dim"}}, number_axis("ports", 16), {"before", {"healthy", "bad"}}});
  clear_ = bins_.declare("clear", {{"before", {"healthy", "bad"}}, {"after", {"healthy", "bad"}}});
  reset_ = bins_.declare("reset", {{"before", {"healthy", "bad"}}});
}

void FaultRegionCoverage::sample(const RegionInputs& in, const RegionOutputs& out) {
  if (in.reset) {
    bins_.hit(reset_ + before_.bad);
  } else {
    bins_.hit(pattern_ + ((in.rule ? 16 : 0) + out.blocked) * 2 + before_.bad);
    if (in.clear) bins_.hit(clear_ + before_.bad * 2 + out.bad);
  }
  before_ = out;
}

namespace {

const Axis kPort{"port", {"x+", "x-", "y+", "y-"}};

/// 0 free, 1 blocked and the first of its run, 2 on the way, 3 all round the ring.
int run_bin(int run, int ring) { return run <= 1 ? run : run < ring ? 2 : 3; }
const Axis kRun{"run", {"0", "1", "on the way", "ring"}};

}  // namespace

TorusWallsCoverage::TorusWallsCoverage(const Torus& t) : torus_(t) {
  run_ = bins_.declare("run", {kPort, kRun});
  found_ = bins_.declare("wall found", {kPort, {"at", {"first node", "last node", "between"}}});
  told_ = bins_.declare("wall told", {{"dimension", {"x", "y"}}, kPort, {"port is", {"free", "blocked"}}});
  forget_ = bins_.declare("forgotten", {{"by", {"clear", "reset"}}, {"known before", {"nothing", "walls"}}});
}

void TorusWallsCoverage::sample(const torus::WallInputs& in, const torus::WallOutputs& out) {
  const torus::WallOutputs before = before_;
  before_ = out;
  if (in.reset || in.clear) {
    bins_.hit(forget_ + (in.reset ? 2 : 0) + ((before.wall_x | before.wall_y) != 0));
    return;
  }
  for (int p = 0; p < torus::kLinkPorts; ++p) {
    const auto i = static_cast<size_t>(p);
    const int ring = torus_.radix(p < 2 ? 1 : 0), at = p < 2 ? in.at_x : in.at_y, free = (in.blocked >> p & 1) == 0;
    bins_.hit(run_ + p * 4 + run_bin(out.run[i], ring));
    if (before.run[i] == ring) bins_.hit(found_ + p * 3 + (at == 0 ? 0 : at == torus_.radix(p / 2) - 1 ? 1 : 2));
    if (in.peer_wall_x[i] != 0) bins_.hit(told_ + p * 2 + !free);
    if (in.peer_wall_y[i] != 0) bins_.hit(told_ + (4 + p) * 2 + !free);
  }
}

TorusSidesCoverage::TorusSidesCoverage(const Torus& t) : torus_(t) {
  run_ = bins_.declare("run", {kPort, kRun});
  side_ = bins_.declare("shorter side", {kPort, {"side", {"none", "+", "-"}}});
  forget_ = bins_.declare("forgotten", {{"by", {"clear", "reset"}}});
}

void TorusSidesCoverage::sample(const torus::SideInputs& in, const torus::SideOutputs& out) {
  if (in.reset || in.clear) {
    bins_.hit(forget_ + in.reset);
    return;
  }
  for (int p = 0; p < torus::kLinkPorts; ++p) {
    bins_.hit(run_ + p * 4 + run_bin(out.run[static_cast<size_t>(p)], torus_.radix(p < 2 ? 1 : 0)));
    bins_.hit(side_ + p * 3 + ((out.sides >> p & 1) != 0 ? 1 : (out.sides >> (4 + p) & 1) != 0 ? 2 : 0));
  }
}

TorusOutputCoverage::TorusOutputCoverage(int inputs) : inputs_(inputs) {
  const Axis channel{"channel", {"0,0", "0,1", "0,2", "1,0", "1,1", "1,2"}};
  grant_ = bins_.declare("grant",
                         {number_axis("input", inputs), channel, {"flit", {"body", "head", "tail", "whole packet"}}});
  waits_ = bins_.declare("no grant", {channel, {"because of", {"no slot", "an owner"}}});
  others_ = bins_.declare("asking", {number_axis("inputs", inputs + 1)});
  reset_ = bins_.declare("reset", {{"edge", {"with reset"}}});
}

void TorusOutputCoverage::sample(const torus::OutputInputs& in, const torus::OutputOutputs& out) {
  bins_.hit(others_ + std::popcount(in.ask));
  if (in.reset) bins_.hit(reset_);
  for (int p = 0; p < inputs_; ++p) {
    const int vc = in.vc[static_cast<size_t>(p)], head = in.head >> p & 1, tail = in.tail >> p & 1;
    if ((in.ask >> p & 1) == 0 || vc >= torus::kVcs) continue;
    if ((out.grant >> p & 1) != 0) {
      bins_.hit(grant_ + (p * torus::kVcs + vc) * 4 + head + 2 * tail);
    } else if (out.credit[static_cast<size_t>(vc)] == 0) {
      bins_.hit(waits_ + vc * 2);
    } else if (head != 0 && (out.owned >> vc & 1) != 0) {
      bins_.hit(waits_ + vc * 2 + 1);
    }
  }
}

}  // namespace odonata::cosim
