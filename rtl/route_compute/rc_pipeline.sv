// SPDX-License-Identifier: Apache-2.0
//
// Pipeline of a route-compute unit, from the destination of a packet to output port and virtual channel (DOAR §3.2,
// Fig. 6, Alg. 1), without the RAMs of tables A and B: route_compute has them, or a router's port, which shares them
// with the fault plane.
//
// A request is taken every cycle and answered exactly four cycles later:
//   r0 (inputs) -> stage 1: decode -> r1 -> stage 2: tables A and B -> r2 -> stage 3: expand and filter -> r3
//   -> stage 4: pick -> response.
// RTA (a packet at a node port to another group) sees the global ports of the whole group: units A1, A2, C1, N1, N2, B,
// then P1, M, P2.
// RTB (everything else) sees the ports of this router: F, S1, S2, then P3. Congestion is sampled into r2, beside the
// table entries: what minimal options are compared with, and what the others are, which is the same unless the rule
// says otherwise (doar_stable).
// The meaning, bit by bit and cycle by cycle, is in docs/route_compute.md. Stage 2 addresses the tables; in stage 3 the
// words are at `entry_*_i`, masked by whoever knows which options are lost.
//
// Cost: table C; 5 * A*H flip-flops in r3, 2 * A*H in r2, 2 * A*H of masks.

module rc_pipeline #(
  parameter  int P               = 16,   // nodes a router, 1..16
  parameter  int A               = 32,   // routers a group, 2..32
  parameter  int H               = 16,   // global ports a router, 1..16
  parameter  int G               = 512,  // groups, 2..min(A*H+1, 512)
  parameter  int NB              = 8,    // neighbour ports in a global entry of table B, 1..8
  parameter  int AbsoluteAtReset = 0,    // arrangement after reset: 0 direct, 1 absolute
  localparam int NumPorts        = P + A - 1 + H,
  localparam int GroupPorts      = A * H,
  localparam int EntryAUsed      = (NumPorts > route_compute_pkg::EntryAWidth) ? NumPorts
                                 : route_compute_pkg::EntryAWidth
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Requests
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  // Congestion
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  // Configuration
  input  logic                  cfg_valid_i,
  output logic                  cfg_ready_o,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  cfg_ack_o,
  output logic                  cfg_err_o,
  output logic [63:0]           cfg_rdata_o,
  // Tables A and B: the look-up of stage 2, and the operation of the configuration port, which gives way to it
  output logic                  look_next_o,      // there will be one in the next cycle
  output logic                  look_valid_o,
  output logic [9:0]            look_index_a_o,
  output logic [9:0]            look_index_b_o,
  output logic                  table_a_req_o,
  output logic                  table_b_req_o,
  output logic                  table_write_o,
  output logic [9:0]            table_index_o,
  output logic [63:0]           table_wdata_o,
  input  logic [63:0]           table_a_rdata_i,  // in the cycle after the request
  input  logic [63:0]           table_b_rdata_i,
  input  logic                  table_hold_i,     // writes of tables A and B have to wait
  input  logic                  table_hold_reads_i,
  // Stage 3: what was asked, and the words that were looked up
  output logic [1:0]            zone_o,
  output logic                  transit_o,
  output logic [1:0]            vc_o,
  input  logic [EntryAUsed-1:0] entry_a_i,
  input  logic [63:0]           entry_b_i,
  // Responses
  output logic                  resp_valid_o,
  output logic [2:0]            resp_hop_class_o,
  output logic [5:0]            resp_port_o,
  output logic [1:0]            resp_vc_o,
  output logic [4:0]            resp_router_o,
  // Thresholds for the port's credit monitor, and what is in the stages
  output logic [15:0]           local_threshold_o,
  output logic [15:0]           global_threshold_o,
  output logic [23:0]           probe_o
);

  localparam int OwnPortWidth = (H > 1) ? $clog2(H) : 1;

  // ---- Configuration ----

  logic        r0_valid_q, r1_valid_q, r2_valid_q, r3_valid_q;
  logic [2:0]  hop_class;

  logic        cfg_table_c_write, cfg_lfsr_write;
  logic [9:0]  cfg_index;
  logic [63:0] cfg_wdata;
  logic [47:0] table_c_rdata;
  logic [15:0] lfsr;
  logic [8:0]  own_gid;
  logic [4:0]  own_bid;
  logic [1:0]  port_class;
  logic        absolute;
  logic        identity_changed;
  logic        second, minimal_global, minimal_local;  // the rule

  rc_config #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_config (
    .clk_i,
    .rst_ni,
    .cfg_valid_i,
    .cfg_ready_o,
    .cfg_write_i,
    .cfg_addr_i,
    .cfg_wdata_i,
    .cfg_ack_o,
    .cfg_err_o,
    .cfg_rdata_o,
    .r0_valid_i           (r0_valid_q),
    .r1_valid_i           (r1_valid_q),
    .r2_valid_i           (r2_valid_q),
    .decision_valid_i     (r3_valid_q),
    .decision_hop_class_i (hop_class),
    .table_hold_i,
    .table_hold_reads_i,
    .table_a_req_o,
    .table_b_req_o,
    .table_c_write_o      (cfg_table_c_write),
    .lfsr_write_o         (cfg_lfsr_write),
    .write_o              (table_write_o),
    .index_o              (cfg_index),
    .wdata_o              (cfg_wdata),
    .table_a_rdata_i,
    .table_b_rdata_i,
    .table_c_rdata_i      (table_c_rdata),
    .lfsr_i               (lfsr),
    .own_gid_o            (own_gid),
    .own_bid_o            (own_bid),
    .port_class_o         (port_class),
    .absolute_o           (absolute),
    .identity_changed_o   (identity_changed),
    .rule_second_o        (second),
    .rule_minimal_global_o(minimal_global),
    .rule_minimal_local_o (minimal_local),
    .local_threshold_o,
    .global_threshold_o
  );

  logic [GroupPorts-1:0] usable, own_window;

  rc_masks #(.A(A), .H(H), .G(G)) u_masks (
    .clk_i,
    .rst_ni,
    .changed_i   (identity_changed),
    .own_gid_i   (own_gid),
    .own_bid_i   (own_bid),
    .absolute_i  (absolute),
    .usable_o    (usable),
    .own_window_o(own_window)
  );

  logic [A*A-1:0] local_map;
  logic [A-1:0]   reachable;
  logic [4:0]     winner;
  logic [47:0]    winner_entry;

  rc_table_c #(.P(P), .A(A)) u_table_c (
    .clk_i,
    .rst_ni,
    .write_i       (cfg_table_c_write),
    .index_i       (5'(cfg_index)),
    .wdata_i       (route_compute_pkg::EntryCWidth'(cfg_wdata)),
    .rdata_o       (table_c_rdata),
    .local_map_o   (local_map),
    .reachable_o   (reachable),
    .winner_i      (winner),
    .winner_entry_o(winner_entry)
  );

  // ---- r0 and stage 1: decode ----

  logic [17:0] r0_dest_q;
  logic [8:0]  r0_src_gid_q;
  logic [1:0]  r0_vc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r0_valid_q <= 1'b0;
    end else begin
      r0_valid_q <= req_valid_i;
      if (req_valid_i) begin
        r0_dest_q    <= req_dest_i;
        r0_src_gid_q <= req_src_gid_i;
        r0_vc_q      <= req_vc_i;
      end
    end
  end

  logic [1:0] zone;
  logic       rta;
  logic       transit;
  logic [9:0] index_a, index_b;

  logic [8:0] dest_gid;
  logic [4:0] dest_bid;
  logic [3:0] unused_dest_nid;
  assign {dest_gid, dest_bid, unused_dest_nid} = r0_dest_q;

  rc_decode #(.P(P), .A(A), .G(G)) u_decode (
    .dest_i      (r0_dest_q),
    .src_gid_i   (r0_src_gid_q),
    .own_gid_i   (own_gid),
    .own_bid_i   (own_bid),
    .port_class_i(port_class),
    .zone_o      (zone),
    .rta_o       (rta),
    .transit_o   (transit),
    .index_a_o   (index_a),
    .index_b_o   (index_b)
  );

  lfsr16 #(.ResetValue(route_compute_pkg::LfsrReset)) u_lfsr (
    .clk_i,
    .rst_ni,
    .advance_i   (r0_valid_q),
    .load_i      (cfg_lfsr_write),
    .load_value_i(16'(cfg_wdata)),
    .state_o     (lfsr)
  );

  // ---- r1 and stage 2: address the tables, sample the congestion ----

  logic [1:0]  r1_zone_q;
  logic        r1_rta_q;
  logic        r1_transit_q;
  logic [9:0]  r1_index_a_q;
  logic [9:0]  r1_index_b_q;
  logic [8:0]  r1_dest_gid_q;
  logic [4:0]  r1_dest_bid_q;
  logic [1:0]  r1_vc_q;
  logic [15:0] r1_random_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r1_valid_q <= 1'b0;
    end else begin
      r1_valid_q <= r0_valid_q;
      if (r0_valid_q) begin
        r1_zone_q     <= zone;
        r1_rta_q      <= rta;
        r1_transit_q  <= transit;
        r1_index_a_q  <= index_a;
        r1_index_b_q  <= index_b;
        r1_dest_gid_q <= dest_gid;
        r1_dest_bid_q <= dest_bid;
        r1_vc_q       <= r0_vc_q;
        r1_random_q   <= lfsr;
      end
    end
  end

  assign look_next_o    = r0_valid_q;
  assign look_valid_o   = r1_valid_q;
  assign look_index_a_o = 10'(r1_index_a_q);
  assign look_index_b_o = 10'(r1_index_b_q);
  assign table_index_o  = cfg_index;
  assign table_wdata_o  = cfg_wdata;

  // ---- r2 and stage 3: expand and filter. The entries come from the output registers of the RAMs. ----

  logic [1:0]            r2_zone_q;
  logic                  r2_rta_q;
  logic                  r2_transit_q;
  logic [8:0]            r2_dest_gid_q;
  logic [4:0]            r2_dest_bid_q;
  logic [1:0]            r2_vc_q;
  logic [15:0]           r2_random_q;
  logic [NumPorts-1:0]   r2_cong_local_q;
  logic [GroupPorts-1:0] r2_cong_global_q;
  logic [NumPorts-1:0]   r2_detour_local_q;   // of non-minimal options
  logic [GroupPorts-1:0] r2_detour_global_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r2_valid_q <= 1'b0;
    end else begin
      r2_valid_q <= r1_valid_q;
      if (r1_valid_q) begin
        r2_zone_q          <= r1_zone_q;
        r2_rta_q           <= r1_rta_q;
        r2_transit_q       <= r1_transit_q;
        r2_dest_gid_q      <= r1_dest_gid_q;
        r2_dest_bid_q      <= r1_dest_bid_q;
        r2_vc_q            <= r1_vc_q;
        r2_random_q        <= r1_random_q;
        r2_cong_local_q    <= cong_local_i;
        r2_cong_global_q   <= cong_global_i;
        r2_detour_local_q  <= second ? busy_local_i : cong_local_i;
        r2_detour_global_q <= second ? busy_global_i : cong_global_i;
      end
    end
  end

  assign zone_o    = r2_zone_q;
  assign transit_o = r2_transit_q;
  assign vc_o      = r2_vc_q;

  logic [GroupPorts-1:0] min, nonmin, any;
  logic [GroupPorts-1:0] cong_c1, detour_c1;
  logic [GroupPorts-1:0] min_free, nonmin_free;
  logic [GroupPorts-1:0] ga, gb, gc, gd;
  logic [NumPorts-1:0]   s1, s2, fallback;

  rc_a1 #(.P(P), .A(A), .H(H)) u_a1 (
    .entry_i    (route_compute_pkg::EntryAWidth'(entry_a_i)),
    .own_bid_i  (own_bid),
    .reachable_i(reachable),
    .usable_i   (usable),
    .min_o      (min)
  );

  rc_a2 #(.P(P), .A(A), .H(H), .NB(NB)) u_a2 (
    .entry_i     (entry_b_i),
    .own_bid_i   (own_bid),
    .own_window_i(own_window),
    .reachable_i (reachable),
    .usable_i    (usable),
    .min_i       (min),
    .nonmin_o    (nonmin)
  );

  rc_c1 #(.P(P), .A(A), .H(H)) u_c1 (
    .local_map_i (local_map),
    .cong_local_i(r2_cong_local_q),
    .own_window_i(own_window),
    .congested_o (cong_c1)
  );

  rc_c1 #(.P(P), .A(A), .H(H)) u_c1_detour (
    .local_map_i (local_map),
    .cong_local_i(r2_detour_local_q),
    .own_window_i(own_window),
    .congested_o (detour_c1)
  );

  rc_n #(.A(A), .H(H)) u_n (
    .min_i          (min),
    .nonmin_i       (nonmin),
    .cong_global_i  (r2_cong_global_q),
    .cong_c1_i      (cong_c1),
    .detour_global_i(r2_detour_global_q),
    .detour_c1_i    (detour_c1),
    .min_free_o     (min_free),
    .nonmin_free_o  (nonmin_free)
  );

  assign any = (minimal_global && (min != '0)) ? min : (min | nonmin);

  rc_b #(.A(A), .H(H)) u_b (
    .min_free_i   (min_free),
    .nonmin_free_i(nonmin_free),
    .own_window_i (own_window),
    .own_gid_i    (own_gid),
    .absolute_i   (absolute),
    .dest_gid_i   (r2_dest_gid_q),
    .dest_bid_i   (r2_dest_bid_q),
    .ga_o         (ga),
    .gb_o         (gb),
    .gc_o         (gc),
    .gd_o         (gd)
  );

  rc_s #(.P(P), .A(A), .H(H)) u_s (
    .zone_i        (r2_zone_q),
    .transit_i     (r2_transit_q),
    .entry_a_i     (NumPorts'(entry_a_i)),
    .entry_b_i     (NumPorts'(entry_b_i)),
    .cong_local_i  (r2_cong_local_q),
    .detour_local_i(r2_detour_local_q),
    .minimal_i     (minimal_local),
    .s1_o          (s1),
    .s2_o          (s2),
    .fallback_o    (fallback)
  );

  // ---- r3 and stage 4: pick ----

  logic                  r3_rta_q;
  logic [1:0]            r3_vc_q;
  logic [15:0]           r3_random_q;
  logic [NumPorts-1:0]   r3_cong_local_q;
  logic [GroupPorts-1:0] r3_ga_q, r3_gb_q, r3_gc_q, r3_gd_q, r3_any_q;
  logic [NumPorts-1:0]   r3_s1_q, r3_s2_q, r3_fallback_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r3_valid_q <= 1'b0;
    end else begin
      r3_valid_q <= r2_valid_q;
      if (r2_valid_q) begin
        r3_rta_q        <= r2_rta_q;
        r3_vc_q         <= r2_vc_q;
        r3_random_q     <= r2_random_q;
        r3_cong_local_q <= r2_cong_local_q;
        if (r2_rta_q) begin
          r3_ga_q  <= ga;
          r3_gb_q  <= gb;
          r3_gc_q  <= gc;
          r3_gd_q  <= gd;
          r3_any_q <= any;
        end else begin
          r3_s1_q       <= s1;
          r3_s2_q       <= s2;
          r3_fallback_q <= fallback;
        end
      end
    end
  end

  logic [4:0]              rta_nonempty;
  logic [2:0]              rta_hop_class;
  logic                    own_wins;
  logic [OwnPortWidth-1:0] own_port;
  logic [5:0]              local_port;
  logic [2:0]              rtb_nonempty;
  logic [2:0]              rtb_hop_class;
  logic [5:0]              rtb_port;

  rc_p1 #(.A(A), .H(H)) u_p1 (
    .ga_i       (r3_ga_q),
    .gb_i       (r3_gb_q),
    .gc_i       (r3_gc_q),
    .gd_i       (r3_gd_q),
    .any_i      (r3_any_q),
    .own_bid_i  (own_bid),
    .random_i   (r3_random_q),
    .nonempty_o (rta_nonempty),
    .hop_class_o(rta_hop_class),
    .winner_o   (winner),
    .own_wins_o (own_wins),
    .own_port_o (own_port)
  );

  rc_m_p2 u_m_p2 (
    .entry_i     (winner_entry),
    .cong_local_i(64'(r3_cong_local_q)),
    .random_i    (r3_random_q[15:8]),
    .port_o      (local_port)
  );

  rc_p3 #(.NumPorts(NumPorts)) u_p3 (
    .s1_i       (r3_s1_q),
    .s2_i       (r3_s2_q),
    .fallback_i (r3_fallback_q),
    .random_i   (r3_random_q),
    .nonempty_o (rtb_nonempty),
    .hop_class_o(rtb_hop_class),
    .port_o     (rtb_port)
  );

  logic [5:0] picked_port;
  logic [2:0] picked_class;
  logic [1:0] vc;
  logic       vc_overflow;
  logic       routable;

  assign picked_port  = !r3_rta_q ? rtb_port : own_wins ? (6'(P + A - 1) + 6'(own_port)) : local_port;
  assign picked_class = r3_rta_q ? rta_hop_class : rtb_hop_class;

  rc_vc #(.P(P), .A(A)) u_vc (
    .port_class_i (port_class),
    .vc_i         (r3_vc_q),
    .output_port_i(picked_port),
    .vc_o         (vc),
    .overflow_o   (vc_overflow)
  );

  assign routable  = (picked_class != route_compute_pkg::HopUnroutable) && !vc_overflow;
  assign hop_class = routable ? picked_class : route_compute_pkg::HopUnroutable;

  // ---- Response ----

  logic       resp_valid_q;
  logic [2:0] resp_hop_class_q;
  logic [5:0] resp_port_q;
  logic [1:0] resp_vc_q;
  logic [4:0] resp_router_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !r3_valid_q) begin
      resp_valid_q     <= 1'b0;
      resp_hop_class_q <= 3'd0;
      resp_port_q      <= 6'd0;
      resp_vc_q        <= 2'd0;
      resp_router_q    <= 5'd0;
    end else begin
      resp_valid_q     <= 1'b1;
      resp_hop_class_q <= hop_class;
      resp_port_q      <= routable ? picked_port : route_compute_pkg::PortNone;
      resp_vc_q        <= routable ? vc : 2'd0;
      resp_router_q    <= (routable && r3_rta_q) ? winner : 5'd0;
    end
  end

  assign resp_valid_o     = resp_valid_q;
  assign resp_hop_class_o = resp_hop_class_q;
  assign resp_port_o      = resp_port_q;
  assign resp_vc_o        = resp_vc_q;
  assign resp_router_o    = resp_router_q;

  // ---- Probe ----

  logic [12:0] probe_r1;    // of r1: index A, rta, zone
  logic [3:0]  probe_rta;   // of r3: GD, GC, GB, GA
  logic [1:0]  probe_rtb;   // of r3: S2, S1
  logic        rta_any, rtb_any, probe_any;
  logic [3:0]  rta_classes;
  logic [1:0]  rtb_classes;
  assign {rta_any, rta_classes} = rta_nonempty;
  assign {rtb_any, rtb_classes} = rtb_nonempty;
  assign probe_r1  = r1_valid_q ? {r1_index_a_q, r1_rta_q, r1_zone_q} : '0;
  assign probe_rta = (r3_valid_q && r3_rta_q) ? rta_classes : '0;
  assign probe_rtb = (r3_valid_q && !r3_rta_q) ? rtb_classes : '0;
  assign probe_any = r3_valid_q && (r3_rta_q ? rta_any : rtb_any);
  assign probe_o   = {probe_any, probe_rtb, probe_rta, r3_valid_q, r2_valid_q, probe_r1, r1_valid_q, r0_valid_q};

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    tables_have_one_user: assert (!(r1_valid_q && (table_a_req_o || table_b_req_o)));
    table_c_is_still: assert (!(r2_valid_q && cfg_table_c_write));
    identity_is_still: assert (!((r0_valid_q || r1_valid_q || r2_valid_q) && identity_changed));
    lfsr_has_one_user: assert (!(r0_valid_q && cfg_lfsr_write));
  end
`endif
`endif

endmodule : rc_pipeline
