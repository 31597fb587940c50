// SPDX-License-Identifier: Apache-2.0
#include "tb/vtftr/coverage.h"

#include <algorithm>

namespace odonata::cosim {

using namespace vtftr;
using Value = std::span<const int>;

namespace {

Axis where_axis(const std::string& name) { return {name, {"first", "middle", "last"}}; }
int where(int i, int n) { return i == 0 ? 0 : i == n - 1 ? 2 : 1; }
const Axis kFrom{"from", {"node", "row", "column"}};

std::string rule_reason(Value v) {
  const auto kind = static_cast<LeafKind>(v[0]);
  const int from = v[1], vc = v[2];
  using enum LeafKind;
  if (kind >= xy && kind <= both_column && from != 0)
    return "only packets from nodes choose between row and column first";
  if (kind == row_to_column && from != 1) return "a packet that came from a row";
  if (kind == turn && from != 2) return "a packet that came from a column";
  if (kind == loop && from == 0) return "a packet from a node has made no step";
  if (kind == second_turn && (from != 2 || vc == 0)) return "a packet from a column on the fault-tolerant channel";
  return "";
}

}  // namespace

LeafCoverage::LeafCoverage(const UnitSize& size) : size_(size) {
  std::vector<std::string> kinds;
  for (int k = 0; k <= static_cast<int>(LeafKind::no_rail); ++k)
    kinds.emplace_back(to_string(static_cast<LeafKind>(k)));
  rule_ = bins_.declare("rule", {{"kind", kinds}, kFrom, number_axis("vc", 2)}, rule_reason);
  tables_ = bins_.declare("tables of a packet that could go either way",
                          {number_axis("FR", 2), number_axis("FC", 2), number_axis("cf", 2)});
  place_ = bins_.declare("place", {where_axis("own x"), where_axis("own y"), where_axis("x"), where_axis("y")});
  const int rails = size.rails;
  rail_ = bins_.declare("rail", {where_axis("rail"), kFrom},
                        [rails](Value v) { return v[0] == 1 && rails < 3 ? std::string("too few rails") : ""; });
  const Axis spare{"rail", {"wanted", "next", "further", "round the end"}};
  spare_ = bins_.declare("rail taken", {{"uplink", {"row", "column"}}, spare}, [rails](Value v) {
    return v[1] > 0 && rails < (v[1] == 2 ? 3 : 2) ? std::string("too few rails") : "";
  });
}

void LeafCoverage::sample(const LeafInputs& asked, const LeafOutputs& answer) {
  if (!answer.resp_valid) return;
  const int from = std::min<int>(asked.port_class, 2), kind = answer.resp_kind;
  bins_.hit(rule_ + (kind * 3 + from) * 2 + asked.req_vc);
  if (kind >= static_cast<int>(LeafKind::xy) && kind <= static_cast<int>(LeafKind::both_column))
    bins_.hit(tables_ + (answer.probe >> 3));
  const int x = address_x(asked.req_dest), y = address_y(asked.req_dest);
  if (x < size_.columns && y < size_.rows) {
    bins_.hit(place_ +
              ((where(asked.own_x, size_.columns) * 3 + where(asked.own_y, size_.rows)) * 3 + where(x, size_.columns)) *
                  3 +
              where(y, size_.rows));
  }
  if (answer.resp_port < size_.nodes || answer.resp_port == kNoPort) return;
  const int up = answer.resp_port - size_.nodes, rail = up % size_.rails,
            wanted = address_node(asked.req_dest) % size_.rails;
  bins_.hit(rail_ + where(rail, size_.rails) * 3 + from);
  bins_.hit(spare_ + up / size_.rails * 4 + (rail < wanted ? 3 : std::min(rail - wanted, 2)));
}

RootCoverage::RootCoverage(const UnitSize& size, bool mask_form) : size_(size), mask_form_(mask_form) {
  std::vector<std::string> kinds;
  for (int k = 0; k <= static_cast<int>(RootKind::bad_address); ++k)
    kinds.emplace_back(to_string(static_cast<RootKind>(k)));
  kind_ = bins_.declare("kind", {{"kind", kinds}, {"root", {"row", "column"}}, number_axis("vc", 2)}, [](Value v) {
    return v[0] == static_cast<int>(RootKind::no_turn_left) && v[2] == 0
               ? std::string("only on the fault-tolerant channel")
               : "";
  });
  count_ =
      bins_.declare("candidates of a misroute",
                    {{"kind", {"misroute", "masked"}}, {"bounce", {"allowed", "excluded"}}, {"n", {"1", "2", "more"}}});
  pick_ = bins_.declare("picked of several", {{"which", {"lowest", "between", "highest"}}});
  neighbour_ = bins_.declare("own port beside the target", {{"port", {"below", "above"}}});
  dead_change_ = bins_.declare("links change behind a request", {{"stage", {"r0", "2", "3"}}});
  write_ = bins_.declare("a row waits",
                         {{"cycles", {"none", "1", "2 or more"}}, {"of the target that is read", {"no", "yes"}}},
                         [mask_form](Value) { return mask_form ? std::string("mask form: no table") : ""; });
  load_ = bins_.declare("LFSR", {{"loaded", {"alone", "with a request", "with 0"}}});
}

void RootCoverage::sample(const RootInputs& in, const RootOutputs& out, const RootUnit& unit) {
  if (in.reset) return void(last_ = {});
  const RootUnit::Asked& a = unit.answered();
  if (out.resp_valid) {
    bins_.hit(kind_ + (out.resp_kind * 2 + a.in.dim) * 2 + a.in.req_vc);
    if (out.resp_kind == 1 || out.resp_kind == 2) {
      const int n = a.choice.ports.count();
      bins_.hit(count_ + ((out.resp_kind - 1) * 2 + a.in.exclude) * 3 + std::min(n, 3) - 1);
      if (n > 2)
        bins_.hit(pick_ + (out.resp_port == a.choice.ports.nth(0)       ? 0
                           : out.resp_port == a.choice.ports.nth(n - 1) ? 2
                                                                        : 1));
      const int target = a.in.dim ? a.in.req_leaf >> 7 : a.in.req_leaf & 127;
      if (a.in.in_port + 1 == target) bins_.hit(neighbour_);
      if (a.in.in_port == target + 1) bins_.hit(neighbour_ + 1);
    }
  }
  if (!(in.dead == last_.dead)) {
    for (int stage = 0; stage < 3; ++stage) {
      if (out.probe >> stage & 1) bins_.hit(dead_change_ + stage);
    }
  }
  if (in.lfsr_load) bins_.hit(load_ + (in.lfsr_value == 0 ? 2 : last_.req_valid ? 1 : 0));
  const bool waits = (out.probe >> 5 & 1) != 0;
  if (!mask_form_) {
    const int target = in.dim ? in.req_leaf >> 7 : in.req_leaf & 127;
    const bool same = in.req_valid && target == in.upd_row;
    if (in.upd_valid && in.upd_row < size_.ports() && offered_) bins_.hit(write_ + same);
    if (waits && waited_ > 0) bins_.hit(write_ + std::min(waited_, 2) * 2 + (in.req_valid && last_.req_valid && same));
    waited_ = waits && !out.upd_ready ? waited_ + 1 : 0;
    offered_ = out.upd_ready;
  }
  last_ = in;
}

UpdateCoverage::UpdateCoverage(const UnitSize& size) : size_(size) {
  const Axis role{"role", {"row root", "column root", "leaf"}};
  outcome_ = bins_.declare("message", {role, {"outcome", {"taken", "old", "malformed"}}});
  change_ = bins_.declare("a message changes",
                          {role, {"columns", {"no", "more", "fewer"}}, {"rows", {"no", "more", "fewer"}}}, [](Value v) {
                            if (v[0] == 0 && v[2] != 0) return std::string("a row root keeps columns only");
                            if (v[0] == 1 && v[1] != 0) return std::string("a column root keeps rows only");
                            if (v[1] != 0 && v[2] != 0)
                              return std::string("only the dead leaf itself would see it in both");
                            return std::string();
                          });
  full_ = bins_.declare("FIFO", {{"full", {"no", "yes"}}, {"offered", {"no", "yes"}}});
  walk_ = bins_.declare("walk", {{"tables", {"take the row", "do not"}}, {"offered", {"nothing", "a message"}}});
  row_ = bins_.declare("row", {{"root", {"row", "column"}}, where_axis("target")});
  cf_ = bins_.declare("cf", {role, number_axis("before", 2), number_axis("after", 2)});
}

void UpdateCoverage::sample(const UpdateInputs& in, const UpdateOutputs& out) {
  if (in.reset) return void(before_ = out);
  const int role = std::min<int>(in.role, 2);
  if (out.fwd_valid) bins_.hit(outcome_ + role * 3);
  if (out.old) bins_.hit(outcome_ + role * 3 + 1);
  if (out.malformed) bins_.hit(outcome_ + role * 3 + 2);
  const auto changed = [](const LineMap& was, const LineMap& is) {
    return is.count() > was.count() ? 1 : is.count() < was.count() ? 2 : 0;
  };
  if (out.fwd_valid) {
    const int columns = changed(before_.columns, out.columns), rows = changed(before_.rows, out.rows);
    const UpdateMessage m = unpack(out.fwd);
    if (!(role == 2 && m.x == in.own_x && m.y == in.own_y)) bins_.hit(change_ + (role * 3 + columns) * 3 + rows);
    bins_.hit(cf_ + (role * 2 + before_.cf) * 2 + out.cf);
  }
  bins_.hit(full_ + !before_.msg_ready * 2 + in.msg_valid);
  if (before_.row_valid) {
    bins_.hit(walk_ + !in.row_ready * 2 + in.msg_valid);
    bins_.hit(row_ + in.role * 3 + where(before_.row, in.role == 0 ? size_.columns : size_.rows));
  }
  before_ = out;
}

DetectCoverage::DetectCoverage(int ports) : ports_(ports) {
  report_ = bins_.declare("report", {{"link", {"failed", "back"}}, {"beside it", {"no other", "others wait"}}});
  leaf_ = bins_.declare("reported", {where_axis("leaf")});
  stall_ = bins_.declare("report taken", {{"taken", {"at once", "later"}}});
  change_ = bins_.declare("debounce", {{"samples", {"0", "1", "2..5", "255"}}, {"changes", {"none", "one", "several"}}},
                          [](Value v) { return v[0] == 3 && v[1] == 2 ? std::string("seldom: not asked for") : ""; });
  glitch_ = bins_.declare("otherwise for too short a time", {{"link", {"down", "up"}}});
}

void DetectCoverage::sample(const DetectInputs& in, const DetectOutputs& out) {
  if (in.reset) {
    before_ = out;
    last_in_ = in;
    return;
  }
  const LineMap was = before_.dead, is = out.dead;
  const LineMap changes = (was & ~is) | (is & ~was);
  const int n = changes.count(), samples = in.detect == 0 ? 0 : in.detect == 1 ? 1 : in.detect == 255 ? 3 : 2;
  if (in.detect == last_in_.detect && !(samples == 3 && n > 1)) bins_.hit(change_ + samples * 3 + std::min(n, 2));
  if (out.report_valid && !(before_.report_valid && !in.report_ready)) {
    bins_.hit(report_ + out.report_up * 2 + (n > 0));
    bins_.hit(leaf_ + where(out.report_leaf, ports_));
  }
  if (before_.report_valid) bins_.hit(stall_ + !in.report_ready);
  // The pin goes back to what the unit says.
  const LineMap down_now = LineMap::first(ports_) & ~LineMap(in.link_up),
                down_before = LineMap::first(ports_) & ~LineMap(last_in_.link_up);
  if ((down_before & ~down_now & ~is).any()) bins_.hit(glitch_);
  if ((down_now & ~down_before & is).any()) bins_.hit(glitch_ + 1);
  before_ = out;
  last_in_ = in;
}

}  // namespace odonata::cosim
