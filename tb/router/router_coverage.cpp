// SPDX-License-Identifier: Apache-2.0
#include "tb/router/router_coverage.h"

namespace odonata::cosim {

using fault::Level;
using router::kSlotFlit;
using router::kSlotMessage;
using router::RouterInputs;
using router::RouterOutputs;

WholeRouterCoverage::WholeRouterCoverage(const Dragonfly& d) : d_(d) {
  const Axis classes{"at", {"node", "local", "global"}};
  const Axis zones{"zone", {"N", "B", "G"}};
  served_ = bins_.declare(
      "served", {{"command", {"link down", "link up", "FD", "FR"}}, classes},
      [](std::span<const int> v) -> std::string { return v[0] >= 2 && v[1] == 0 ? "nodes send no messages" : ""; });
  isolated_ = bins_.declare("router", {{"is", {"isolated", "not isolated"}}});
  written_ = bins_.declare("marks written", {zones, classes});
  look_ = bins_.declare("look-up", {zones, classes, {"options", {"all", "fewer", "none"}}},
                        [](std::span<const int> v) -> std::string {
                          if (v[2] != 1) return "";
                          if (v[0] == 0) return "zone N has one option";
                          return v[0] == 1 && v[1] == 1 ? "table A alone" : "";
                        });
  unheard_ = bins_.declare("look-up with an unheard port", {classes});
  special_ = bins_.declare("look-up finds", {{"what", {"a detour", "gateway only", "a partial option"}}});
  edge_ = bins_.declare("look-up at the edge of a write of its row", {classes});
  slot_ = bins_.declare("message takes a slot", {{"at", {"local", "global"}}, {"flits", {"none waits", "one waits"}}});
  arrives_ = bins_.declare("message arrives",
                           {{"what", {"taken", "cut", "from a dead link", "at a dead router", "reserved code"}}});
  held_ = bins_.declare("table write waits for its unit", {classes, {"command", {"at work", "in the station"}}});
  cleared_ = bins_.declare("configured row had marks", {classes});
  life_ = bins_.declare("router", {{"event",
                                    {"dies idle", "dies at work", "comes back", "comes back with a dead link",
                                     "configured while dead", "isolated after it came back"}}});
}

void WholeRouterCoverage::sample(const RouterInputs& in, const RouterOutputs& out, const GoldenRouter& golden) {
  if (in.reset) return;
  if (out.serve) {
    bins_.hit(served_ + 3 * out.serve_kind + port_class(out.serve_port));
    bins_.hit(isolated_ + !out.serve_isolated);
  }
  for (int k = 0; k < d_.num_ports(); ++k) {
    if (out.write >> k & 1)
      bins_.hit(written_ + 3 * static_cast<int>(fault::entry_of_row(d_, out.write_row[static_cast<size_t>(k)]).zone) +
                port_class(k));
    sample_look_up(k, golden);
    sample_messages(k, in, out, golden);
    sample_configuration(k, in, out, golden);
  }
  sample_life(in, out, golden);
  busy_ = out.busy;
}

void WholeRouterCoverage::sample_look_up(int port, const GoldenRouter& golden) {
  const GoldenRouter::LookUp& look = golden.look_up_of(port);
  if (!look.any) return;
  const PortMap clean = look.clean.a | look.clean.b, kept = look.kept.a | look.kept.b;
  if (clean != 0 && (kept & ~clean) == 0)
    bins_.hit(look_ + 9 * static_cast<int>(look.id.zone) + 3 * port_class(port) +
              (kept == clean ? 0
               : kept != 0   ? 1
                             : 2));
  if (look.unheard) bins_.hit(unheard_ + port_class(port));
  if ((kept & ~clean) != 0) bins_.hit(special_);
  if ((look.kept.a != 0 && look.marks.a == Level::gateway) || (look.kept.b & look.marks.gateway_b()) != 0)
    bins_.hit(special_ + 1);
  if ((look.kept.a != 0 && look.marks.a == Level::partial) ||
      (look.kept.b & look.marks.partial_b & ~look.marks.lost_b) != 0)
    bins_.hit(special_ + 2);
  if (look.written) bins_.hit(edge_ + port_class(port));
}

void WholeRouterCoverage::sample_messages(int port, const RouterInputs& in, const RouterOutputs& out,
                                          const GoldenRouter& golden) {
  const size_t k = static_cast<size_t>(port);
  if (out.out_kind[k] == kSlotMessage) {
    const bool waits = golden.data_path().fifo(port) > 0;
    bins_.hit(slot_ + 2 * (port_class(port) - 1) + waits);
  }
  if (in.in_kind[k] == 3) bins_.hit(arrives_ + 4);
  if (in.in_kind[k] != kSlotMessage) return;
  const bool cut = in.in_cut >> port & 1, up = in.link_up >> port & 1;
  bins_.hit(arrives_ + (!in.alive ? 3 : cut ? 1 : !up ? 2 : 0));
}

void WholeRouterCoverage::sample_configuration(int port, const RouterInputs& in, const RouterOutputs&,
                                               const GoldenRouter& golden) {
  if (golden.held(port))
    bins_.hit(held_ + 2 * port_class(port) + (golden.port_unit(port).state() == fault::PortUnit::State::idle));
  if (golden.cleared(port)) bins_.hit(cleared_ + port_class(port));
  if (!in.alive && golden.route(port).written_row() >= 0) bins_.hit(life_ + 4);
}

void WholeRouterCoverage::sample_life(const RouterInputs& in, const RouterOutputs& out, const GoldenRouter&) {
  if (!in.alive && alive_) bins_.hit(life_ + (busy_ != 0));
  if (in.alive && !alive_) bins_.hit(life_ + 2);
  if (in.alive && !alive_ && (~in.link_up & low_mask(d_.num_ports())) != 0) bins_.hit(life_ + 3);
  if (in.alive && out.serve && out.serve_isolated && (out.unheard[0] & low_mask(d_.p())) != 0) bins_.hit(life_ + 5);
  alive_ = in.alive;
}

}  // namespace odonata::cosim
