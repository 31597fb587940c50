// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "models/vtftr/golden_device.h"

namespace odonata::vtftr {

namespace {

std::string leaf_text(int x, int y) { return "(" + std::to_string(x) + "," + std::to_string(y) + ")"; }

std::string bits_text(const LineMap& map) {
  std::string out;
  map.for_each([&](int i) { out += (out.empty() ? "" : ", ") + std::to_string(i); });
  return out.empty() ? "none" : out;
}

}  // namespace

std::vector<std::string> reasons(const LeafUnit& unit) {
  if (!unit.out().resp_valid) return {"No answer is in the output registers."};
  const LeafInputs& a = unit.answered();
  constexpr const char* kFrom[] = {"a node", "a row root", "a column root", "a column root"};
  return {"Leaf " + leaf_text(a.own_x, a.own_y) + ", a packet from " + kFrom[a.port_class] + " on channel " +
              std::to_string(a.req_vc) + " for " + leaf_text(address_x(a.req_dest), address_y(a.req_dest)) + ", node " +
              std::to_string(address_node(a.req_dest)),
          "FR: " + bits_text(a.fr) + "; FC: " + bits_text(a.fc) + (a.cf ? "; cf" : "") +
              (a.safe ? "; mode safe" : "; mode paper") + "; uplinks that are down, row: " +
              bits_text({a.row_down, 0}) + ", column: " + bits_text({a.column_down, 0}),
          "The first rule that fits: " + std::string(to_string(static_cast<LeafKind>(unit.out().resp_kind)))};
}

std::vector<std::string> reasons(const RootUnit& unit) {
  if (!unit.out().resp_valid) return {"No answer is in the output registers."};
  const RootUnit::Asked& a = unit.answered();
  return {std::string(a.in.dim ? "Column" : "Row") + " root " + std::to_string(a.in.own) + ", a packet from leaf " +
              std::to_string(a.in.in_port) + " on channel " + std::to_string(a.in.req_vc) + " for " +
              leaf_text(a.in.req_leaf & 127, a.in.req_leaf >> 7),
          "Dead links: " + bits_text(a.in.dead) + "; alternatives: " + bits_text(a.row) +
              (a.in.safe ? "; mode safe" : "; mode paper"),
          "Decided: " + std::string(to_string(a.choice.kind)) + "; candidates: " + bits_text(a.choice.ports) +
              "; LFSR " + std::to_string(a.lfsr)};
}

std::vector<std::string> reasons(const UpdateUnit& unit) {
  const UpdateOutputs& o = unit.out();
  std::vector<std::string> out{"Columns with a fault: " + bits_text(o.columns) + "; rows: " + bits_text(o.rows) +
                               (o.cf ? "; cf" : "") + "; epoch of the last message taken: " + std::to_string(o.epoch)};
  if (o.fwd_valid) out.emplace_back("A message was taken at this edge and goes on to the other ports.");
  if (o.old) out.emplace_back("A message was dropped at this edge: its epoch is not newer.");
  if (o.malformed) out.emplace_back("A message was dropped at this edge: its op, x or y is none.");
  if (o.row_valid)
    out.push_back("The walk is at target " + std::to_string(o.row) + "; its alternatives: " + bits_text(o.row_data));
  if (!o.msg_ready) out.emplace_back("The FIFO is full.");
  return out;
}

std::vector<std::string> reasons(const DetectUnit& unit) {
  const DetectOutputs& o = unit.out();
  return {"Links that have been down long enough: " + bits_text(o.dead),
          o.report_valid
              ? "Report: link " + std::to_string(o.report_leaf) + (o.report_up ? " has come back" : " has failed")
              : "No report is waiting."};
}

}  // namespace odonata::vtftr
