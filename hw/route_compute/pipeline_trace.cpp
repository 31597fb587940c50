// SPDX-License-Identifier: Apache-2.0
// The waveform of RouteComputePipeline.
#include "hw/common/vcd_file.h"
#include "hw/route_compute/pipeline_view.h"

namespace odonata::route_compute {

void RouteComputePipeline::open_trace(const std::string& path) {
  close_trace();
  trace_file_ = hw::open_vcd(path);
  trace_to(trace_file_);
}

void RouteComputePipeline::close_trace() {
  if (trace_file_ == nullptr) return;
  sc_core::sc_close_vcd_trace_file(trace_file_);
  trace_file_ = nullptr;
  view_.reset();
}

void RouteComputePipeline::trace_to(sc_core::sc_trace_file* file) {
  if (view_ == nullptr) view_ = std::make_unique<View>();
  fill_view();
  const std::string prefix = std::string(name()) + ".";
  const auto bit = [&](const bool& value, const char* signal) { sc_core::sc_trace(file, value, prefix + signal); };
  const auto bits = [&](const auto& value, const char* signal, int width) {
    sc_core::sc_trace(file, value, prefix + signal, width);
  };
  const View& v = *view_;
  bits(v.edge, "edge", 32);
  bit(v.reset, "reset");
  bit(v.s1.valid, "stage1.valid");
  bits(v.s1.dest, "stage1.dest", 18);
  bits(v.s1.src_gid, "stage1.src_gid", 9);
  bits(v.s1.vc, "stage1.vc", 2);
  bit(v.s2.valid, "stage2.valid");
  bit(v.s2.rta, "stage2.rta");
  bit(v.s2.transit, "stage2.transit");
  bits(v.s2.zone, "stage2.zone", 2);
  bits(v.s2.index_a, "stage2.index_a", 10);
  bits(v.s2.index_b, "stage2.index_b", 10);
  bits(v.s2.lfsr, "stage2.lfsr", 16);
  bit(v.s3.valid, "stage3.valid");
  bits(v.s3.entry_a, "stage3.entry_a", 64);
  bits(v.s3.entry_b, "stage3.entry_b", 64);
  bits(v.s3.cong_local, "stage3.cong_local", 64);
  bit(v.s3.cong_global, "stage3.cong_global_any");
  bits(v.s3.busy_local, "stage3.busy_local", 64);
  bit(v.s3.busy_global, "stage3.busy_global_any");
  bit(v.s4.valid, "stage4.valid");
  bit(v.s4.rta, "stage4.rta");
  bit(v.s4.ga, "stage4.GA");
  bit(v.s4.gb, "stage4.GB");
  bit(v.s4.gc, "stage4.GC");
  bit(v.s4.gd, "stage4.GD");
  bit(v.s4.s1, "stage4.S1");
  bit(v.s4.s2, "stage4.S2");
  bit(v.s4.any, "stage4.fallback");
  bit(v.response.valid, "response.valid");
  bits(v.response.hop_class, "response.hop_class", 3);
  bits(v.response.winner, "response.winner", 5);
  bits(v.response.port, "response.port", 6);
  bits(v.response.vc, "response.vc", 2);
  bit(v.cfg.valid, "config.valid");
  bit(v.cfg.write, "config.write");
  bit(v.cfg.waits, "config.waits");
  bits(v.cfg.target, "config.target", 4);
  bits(v.cfg.address, "config.address", 12);
  bits(v.cfg.data, "config.data", 64);
  bit(v.cfg.ack, "config.ack");
  bit(v.cfg.err, "config.err");
  bits(v.cfg.rdata, "config.rdata", 64);
}

void RouteComputePipeline::fill_view() {
  const Ranks& r = now();
  View& v = *view_;
  ++v.edge;
  v.reset = r.reset;
  v.s1 = {r.r0.valid, pack_address(r.r0.request.dest), static_cast<uint16_t>(r.r0.request.src_gid),
          static_cast<uint8_t>(r.r0.request.vc)};
  const Decoded& d = r.r1.decoded;
  v.s2 = {r.r1.valid,
          d.rta,
          d.transit,
          static_cast<uint8_t>(d.zone),
          static_cast<uint16_t>(d.index_a),
          static_cast<uint16_t>(d.index_b),
          r.r1.lfsr};
  v.s3 = {r.r2.valid,
          r.r2.entries.a,
          r.r2.entries.b,
          r.congestion.local,
          r.congestion.global.any(),
          r.congestion.busy_local,
          r.congestion.busy_global.any()};
  const auto has = [&](int k) { return r.r3.valid && (r.r3.nonempty >> k & 1) != 0; };
  v.s4 = {r.r3.valid, r.r3.rta, has(0), has(1), has(2), has(3), has(4), has(5), has(6)};
  v.response = {out_.resp_valid != 0, out_.resp_hop_class, out_.resp_router, out_.resp_port, out_.resp_vc};
  v.cfg = {r.c0.valid,        r.c0.write,        r.c0.valid && !out_.cfg_ready,
           out_.cfg_ack != 0, out_.cfg_err != 0, static_cast<uint8_t>(r.c0.target),
           r.c0.address,      r.c0.data,         out_.cfg_rdata};
}

}  // namespace odonata::route_compute
