// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/shared_block.h"

namespace odonata::cosim {

using namespace fault;

/// Stage 1: zone and row of the request in r0 (docs/route_compute.md §5).
GoldenSharedPort::Request GoldenSharedPort::decoded() const {
  Request q;
  q.valid = r0_.req_valid;
  const int gid = static_cast<int>(r0_.dest >> 9), bid = static_cast<int>(r0_.dest >> 4 & 31),
            nid = static_cast<int>(r0_.dest & 15);
  q.in_range = gid < d_.g() && bid < d_.a() && nid < d_.p();
  q.vc = r0_.vc;
  q.transit = r0_.src_gid != r0_.port.own_gid;
  if (!q.in_range) return q;
  q.row = gid != r0_.port.own_gid ? d_.p() + d_.a() + gid : bid != r0_.port.own_bid ? d_.p() + bid : nid;
  return q;
}

void GoldenSharedPort::answer(SharedOutputs& out) const {
  out.resp_valid = r2_.valid;
  out.a = out.b = 0;
  if (!r2_.valid || !r2_.in_range) return;
  RowConfig row;
  row.id = entry_of_row(d_, r2_.row);
  row.local_ports = low_mask(d_.a() - 1) << d_.first_local();
  row.global_ports = low_mask(d_.h()) << d_.first_global();
  const Options options{r2_.options.a & ~r2_.mask, r2_.options.b & ~r2_.mask};
  const Options result =
      effective(row, static_cast<PortClass>(r0_.port.port_class), options, r2_.marks, r2_.transit, r2_.vc);
  out.a = result.a;
  out.b = result.b;
}

void GoldenSharedPort::step(const SharedInputs& in, SharedOutputs& out) {
  r2_.mask = r0_.mask | unit_.unheard();
  answer(out);
  answered_ = r2_;
  const Request request = decoded();
  r2_ = r1_;
  r2_.options = unit_.configured(r1_.row);
  r2_.marks = unit_.marks(r1_.row);
  r1_ = request;
  PortInputs pins = in.port;
  pins.route_read = request.valid && request.in_range;
  unit_.step(pins, out.port);
  r0_ = in;
  if (!in.port.reset) return;
  r0_.req_valid = 0;
  r1_.valid = r2_.valid = answered_.valid = false;
  out.resp_valid = 0;
  out.a = out.b = 0;
}

bool SharedStimulus::next(const SharedOutputs& last, SharedInputs& in) {
  in = {};
  if (!commands_.next(last.port, in.port)) return false;
  if (phase_-- == 0) {  // at full load a travel takes thousands of cycles: short phases
    constexpr double kLoads[] = {0, 0.3, 0.8, 1};
    const uint32_t kind = random_.below(4);
    load_ = kLoads[kind];
    phase_ = kind == 3 ? 300 : 3000;
  }
  if (random_.below(100) == 0)
    mask_ = random_.below(2) ? 0 : random_.next() & random_.next() & low_mask(d_.num_ports());
  in.mask = mask_;
  in.port.route_read = 0;
  if (in.port.cmd_valid &&
      in.port.cmd_kind >=
          2) {  // of another group router and node say nothing about the row, and may be beyond the network
    const bool other = (in.port.cmd_message >> 9 & 511) != in.port.own_gid;
    asked_ = in.port.cmd_message & (other ? 0x3FE00 : 0x3FFFF);
  }
  // Tables are loaded without traffic; at full load a gap now and then.
  if (in.port.cfg_valid || in.port.reset || !random_.chance(load_ * 0.99)) return true;
  in.req_valid = 1;
  const uint32_t gid = random_.below(4) == 0    ? in.port.own_gid
                       : random_.below(16) == 0 ? random_.below(512)
                                                : random_.below(static_cast<uint32_t>(d_.g()));
  const uint32_t bid = random_.below(4) == 0    ? in.port.own_bid
                       : random_.below(16) == 0 ? random_.below(32)
                                                : random_.below(static_cast<uint32_t>(d_.a()));
  const uint32_t nid = random_.below(16) == 0 ? random_.below(16) : random_.below(static_cast<uint32_t>(d_.p()));
  in.dest = gid << 9 | bid << 4 | nid;
  if (random_.below(2)) in.dest = asked_;
  in.vc = static_cast<uint8_t>(random_.below(4));
  in.src_gid = static_cast<uint16_t>(random_.below(2) ? in.port.own_gid : random_.below(static_cast<uint32_t>(d_.g())));
  return true;
}

// ---- coverage

SharedCoverage::SharedCoverage(const Dragonfly& d) : d_(d) {
  const Axis of_a{"A", {"none", "full", "partial", "lost", "masked"}};
  const Axis of_b{"B left", {"none", "partial", "full", "full and partial"}};
  global_ = coverage_.declare(
      "G zone",
      {{"at", {"node port", "local port, source group", "local port, intermediate group", "global port"}}, of_a, of_b},
      [](std::span<const int> v) -> std::string {
        return v[0] == 2 && v[2] % 2 == 1 ? "a local port is not partial at local ports" : "";
      });
  routers_ = coverage_.declare(
      "B zone", {{"at", {"node port", "local port", "global port"}}, of_a, of_b, {"VC", {"0 to 2", "3"}}},
      [](std::span<const int> v) -> std::string {
        return v[1] == 2 || v[2] % 2 == 1 ? "only G entries know partial and gateway only" : "";
      });
  gateway_ = coverage_.declare("gateway only", {{"at", {"node port", "local port", "global port"}},
                                                {"table", {"A", "B"}},
                                                {"beside", {"nothing better", "better options"}}});
}

void SharedCoverage::sample(const SharedInputs& in, const GoldenSharedPort& unit) {
  const GoldenSharedPort::Request& q = unit.answered();
  if (!q.valid || !q.in_range) return;
  const auto zone = entry_of_row(d_, q.row).zone;
  const int at = in.port.port_class;
  if (zone == Zone::node) return;
  const PortMap locals = low_mask(d_.a() - 1) << d_.first_local(), globals = low_mask(d_.h()) << d_.first_global();
  const PortMap side = zone == Zone::global && at == 1 ? (q.transit ? locals : globals) : low_mask(d_.num_ports());
  const PortMap left = q.options.b & side & ~q.marks.lost_b & ~q.mask;
  const int b = ((left & q.marks.partial_b) != 0) + 2 * ((left & ~q.marks.partial_b) != 0);
  const int a = q.options.a == 0 ? 0 : (q.options.a & q.mask) != 0 ? 4 : 1 + static_cast<int>(q.marks.a);
  if (zone != Zone::global) return coverage_.hit(routers_ + ((at * 5 + a) * 4 + b) * 2 + (q.vc == 3));
  const bool gateway_a = q.options.a != 0 && (q.options.a & q.mask) == 0 && q.marks.a == Level::gateway;
  if (!gateway_a) coverage_.hit(global_ + ((at == 2 ? 3 : at + (at == 1 && q.transit)) * 5 + a) * 4 + b);
  const bool better = b != 0 || (!gateway_a && (a == 1 || a == 2));
  if (gateway_a) coverage_.hit(gateway_ + at * 4 + better);
  if ((q.options.b & side & q.marks.gateway_b() & ~q.mask) != 0) coverage_.hit(gateway_ + at * 4 + 2 + better);
}

}  // namespace odonata::cosim
