// SPDX-License-Identifier: Apache-2.0
//
// The whole unit, cycle by cycle, from docs/route_compute.md §2-§7: registers r0..r3, the configuration port, the
// tables, and the stage functions of the other *_spec.sv. `unit_miter` is the RTL beside it: no pin may ever differ.

module unit_spec #(
  parameter  int P               = 2,
  parameter  int A               = 4,
  parameter  int H               = 2,
  parameter  int G               = 8,
  parameter  int NB              = 8,
  parameter  int AbsoluteAtReset = 0,
  localparam int NumPorts        = P + A - 1 + H,
  localparam int GroupPorts      = A * H,
  localparam int IndexA          = $clog2(P + A + G),
  localparam int IndexB          = $clog2(A + G)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  input  logic                  cfg_valid_i,
  output logic                  cfg_ready_o,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  cfg_ack_o,
  output logic                  cfg_err_o,
  output logic [63:0]           cfg_rdata_o,
  output logic                  resp_valid_o,
  output logic [2:0]            resp_hop_class_o,
  output logic [5:0]            resp_port_o,
  output logic [1:0]            resp_vc_o,
  output logic [4:0]            resp_router_o,
  output logic [15:0]           local_threshold_o,
  output logic [15:0]           global_threshold_o,
  output logic [23:0]           probe_o
);

  // ---- §4: configuration ----

  logic        r0_valid, r1_valid, r2_valid, r3_valid;
  logic        c0_valid, c0_write;
  logic [11:0] c0_addr;
  logic [63:0] c0_wdata;
  logic        table_a, table_b, table_c, router_id, port, threshold, lfsr_word, rule_word, refused;
  logic [1:0]  port_class;

  check_spec #(.P(P), .A(A), .H(H), .G(G), .NB(NB)) u_check (
    .addr_i(c0_addr), .write_i(c0_write), .wdata_i(c0_wdata), .port_class_i(port_class),
    .table_a_o(table_a), .table_b_o(table_b), .table_c_o(table_c), .router_id_o(router_id),
    .port_o(port), .threshold_o(threshold), .lfsr_o(lfsr_word), .rule_o(rule_word), .refused_o(refused)
  );

  logic waits, execute, write;

  assign waits   = !refused && (((table_a || table_b) && r1_valid) ||
                                (c0_write && table_c && r2_valid) ||
                                (c0_write && (router_id || port || rule_word) && (r0_valid || r1_valid || r2_valid)) ||
                                (c0_write && lfsr_word && r0_valid));
  assign execute = c0_valid && !waits;
  assign write   = execute && !refused && c0_write;

  assign cfg_ready_o = !(c0_valid && waits);

  logic [8:0]      own_gid;
  logic [4:0]      own_bid;
  logic            absolute;
  logic [15:0]     local_threshold, global_threshold, lfsr;
  logic [A*48-1:0] rows;  // table C
  logic [2:0]      rule;  // minimal local, minimal global, second
  logic [63:0]     mem_a [0:P+A+G-1];
  logic [63:0]     mem_b [0:A+G-1];
  logic [63:0]     ram_a, ram_b;  // what the single-port RAMs read last
  logic [31:0]     count [0:10];
  logic [9:0]      index_a, index_b;
  logic [9:0]      r1_index_a, r1_index_b;
  logic [9:0]      c0_index;

  assign c0_index = c0_addr[9:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c0_valid <= 1'b0;
    end else if (cfg_valid_i && cfg_ready_o) begin
      c0_valid <= 1'b1;
      c0_write <= cfg_write_i;
      c0_addr  <= cfg_addr_i;
      c0_wdata <= cfg_wdata_i;
    end else if (execute) begin
      c0_valid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_gid          <= 9'd0;
      own_bid          <= 5'd0;
      port_class       <= 2'd0;
      absolute         <= AbsoluteAtReset;
      local_threshold  <= 16'd10;
      global_threshold <= 16'd30;
      lfsr             <= 16'hACE1;
      rows             <= '0;
      rule             <= 3'd0;
    end else begin
      if (r0_valid)             lfsr                         <= lfsr[0] ? (lfsr >> 1) ^ 16'hB400 : (lfsr >> 1);
      if (write && router_id)   {own_gid, own_bid}           <= c0_wdata[13:0];
      if (write && port)        {absolute, port_class}       <= c0_wdata[2:0];
      if (write && threshold)   {global_threshold, local_threshold} <= c0_wdata[31:0];
      if (write && lfsr_word)   lfsr                         <= c0_wdata[15:0];
      if (write && rule_word)   rule                         <= c0_wdata[2:0];
      if (write && table_c)     rows[48*c0_index +: 48]      <= c0_wdata[47:0];
    end
  end

  // One address a RAM: a route read, else the operation.
  logic                 read_a, read_b;
  logic [IndexA-1:0]    address_a;
  logic [IndexB-1:0]    address_b;

  assign read_a    = execute && !refused && !c0_write && table_a;
  assign read_b    = execute && !refused && !c0_write && table_b;
  assign address_a = IndexA'(r1_valid ? r1_index_a : c0_index);
  assign address_b = IndexB'(r1_valid ? r1_index_b : c0_index);

  always_ff @(posedge clk_i) begin
    if (rst_ni && write && table_a) mem_a[address_a] <= c0_wdata;
    if (rst_ni && write && table_b) mem_b[address_b] <= c0_wdata;
    if (r1_valid || read_a) ram_a <= mem_a[address_a];
    if (r1_valid || read_b) ram_b <= mem_b[address_b];
  end

  assign local_threshold_o  = local_threshold;
  assign global_threshold_o = global_threshold;

  // Counters
  logic [2:0] decision_class;
  integer     n;

  always_ff @(posedge clk_i) begin
    for (n = 0; n < 11; n = n + 1) begin
      if (!rst_ni) count[n] <= 32'd0;
      else if ((n == 0) ? r0_valid : (n == 9) ? write : (n == 10) ? (c0_valid && waits) :
               (r3_valid && decision_class == n - 1))
        count[n] <= count[n] + 32'd1;
    end
  end

  // Acknowledgement: executed at one edge, visible from the next but one.
  logic        done, done_err, from_a, from_b;
  logic [63:0] read_word, done_word;

  always_comb begin
    read_word = 64'd0;
    if (c0_addr == 12'hC00) read_word = {32'd1, 32'h4F445243};
    if (router_id)          read_word = {50'd0, own_gid, own_bid};
    if (port)               read_word = {61'd0, absolute, port_class};
    if (threshold)          read_word = {32'd0, global_threshold, local_threshold};
    if (lfsr_word)          read_word = {48'd0, lfsr};
    if (rule_word)          read_word = {61'd0, rule};
    if (c0_addr == 12'hC05) read_word = {16'd0, 8'(NB), 16'(G), 8'(H), 8'(A), 8'(P)};
    if (c0_addr >= 12'hC08 && c0_addr < 12'hC08 + 12'd11) read_word = {32'd0, count[c0_addr[3:0] - 4'd8]};
    if (table_c)            read_word = {16'd0, rows[48*c0_index +: 48]};
    if (refused || c0_write) read_word = 64'd0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done <= 1'b0;
    end else begin
      done <= execute;
      if (execute) begin
        done_err  <= refused;
        done_word <= read_word;
        from_a    <= table_a && !refused && !c0_write;
        from_b    <= table_b && !refused && !c0_write;
      end
    end
    cfg_ack_o   <= rst_ni && done;
    cfg_err_o   <= rst_ni && done && done_err;
    cfg_rdata_o <= (rst_ni && done) ? (from_a ? ram_a : from_b ? ram_b : done_word) : 64'd0;
  end

  // ---- §5: the stages ----

  logic [17:0] r0_dest;
  logic [8:0]  r0_src_gid;
  logic [1:0]  r0_vc, zone;
  logic        rta, transit;

  always_ff @(posedge clk_i) begin
    r0_valid <= rst_ni && req_valid_i;
    if (rst_ni && req_valid_i) begin
      r0_dest    <= req_dest_i;
      r0_src_gid <= req_src_gid_i;
      r0_vc      <= req_vc_i;
    end
  end

  decode_spec #(.P(P), .A(A), .G(G)) u_decode (
    .dest_i(r0_dest), .src_gid_i(r0_src_gid), .own_gid_i(own_gid), .own_bid_i(own_bid), .port_class_i(port_class),
    .zone_o(zone), .rta_o(rta), .transit_o(transit), .index_a_o(index_a), .index_b_o(index_b)
  );

  logic [1:0]  r1_zone, r1_vc;
  logic        r1_rta, r1_transit;
  logic [17:0] r1_dest;
  logic [15:0] r1_random;

  always_ff @(posedge clk_i) begin
    r1_valid <= rst_ni && r0_valid;
    if (rst_ni && r0_valid) begin
      r1_zone    <= zone;
      r1_rta     <= rta;
      r1_transit <= transit;
      r1_index_a <= index_a;
      r1_index_b <= index_b;
      r1_dest    <= r0_dest;
      r1_vc      <= r0_vc;
      r1_random  <= lfsr;
    end
  end

  logic [1:0]            r2_zone, r2_vc;
  logic                  r2_rta, r2_transit;
  logic [17:0]           r2_dest;
  logic [15:0]           r2_random;
  logic [NumPorts-1:0]   r2_cong_local;
  logic [GroupPorts-1:0] r2_cong_global;
  logic [NumPorts-1:0]   r2_detour_local;   // of non-minimal options
  logic [GroupPorts-1:0] r2_detour_global;

  always_ff @(posedge clk_i) begin
    r2_valid <= rst_ni && r1_valid;
    if (rst_ni && r1_valid) begin
      r2_zone        <= r1_zone;
      r2_rta         <= r1_rta;
      r2_transit     <= r1_transit;
      r2_dest        <= r1_dest;
      r2_vc          <= r1_vc;
      r2_random      <= r1_random;
      r2_cong_local  <= cong_local_i;
      r2_cong_global <= cong_global_i;
      r2_detour_local  <= rule[0] ? busy_local_i : cong_local_i;
      r2_detour_global <= rule[0] ? busy_global_i : cong_global_i;
    end
  end

  logic [GroupPorts-1:0] usable, c1, c1_detour, min, nonmin, min_free, nonmin_free, ga, gb, gc, gd;
  logic [A-1:0]          reachable;
  logic [NumPorts-1:0]   s1, s2, fallback;

  // The unit may look at ROUTER_ID and PORT one cycle late: nobody can tell, because their write waits until r0, r1, r2
  // are empty.
  logic [8:0] late_gid;
  logic [4:0] late_bid;
  logic       late_absolute;
  always_ff @(posedge clk_i) {late_gid, late_bid, late_absolute} <= {own_gid, own_bid, absolute};

  for (genvar j = 0; j < GroupPorts; j = j + 1) begin : gen_port
    assign usable[j] = dragonfly_spec::usable(11'(j), late_gid, late_absolute, 11'(G));
  end

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    logic [A-1:0] local_map;  // the local ports that lead to this router; c1_row_miter proves what the bytes say
    logic         valid, allowed;
    table_c_row #(.P(P), .A(A)) u_row (.row_i(rows[48*r +: 48]), .local_map_o(local_map), .reachable_o(valid),
                                       .allowed_o(allowed));
    assign reachable[r] = valid || (own_bid == 5'(r));
    for (genvar i = 0; i < H; i = i + 1) begin : gen_port
      assign c1[r*H+i] = (late_bid == 5'(r)) ? r2_cong_local[P+A-1+i]
                       : ((local_map[A-2:0] & ~r2_cong_local[P +: A-1]) == '0);
      assign c1_detour[r*H+i] = (late_bid == 5'(r)) ? r2_detour_local[P+A-1+i]
                              : ((local_map[A-2:0] & ~r2_detour_local[P +: A-1]) == '0);
    end
  end

  a1_spec #(.P(P), .A(A), .H(H)) u_a1 (
    .entry_i(ram_a[22:0]), .own_bid_i(own_bid), .reachable_i(reachable), .usable_i(usable), .min_o(min)
  );
  a2_spec #(.P(P), .A(A), .H(H), .NB(NB)) u_a2 (
    .entry_i(ram_b), .own_bid_i(late_bid), .reachable_i(reachable), .usable_i(usable), .min_i(min), .nonmin_o(nonmin)
  );
  n_spec #(.A(A), .H(H)) u_n (
    .min_i(min), .nonmin_i(nonmin), .cong_global_i(r2_cong_global), .cong_c1_i(c1), .detour_global_i(r2_detour_global),
    .detour_c1_i(c1_detour), .min_free_o(min_free), .nonmin_free_o(nonmin_free)
  );
  b_spec #(.A(A), .H(H)) u_b (
    .min_free_i(min_free), .nonmin_free_i(nonmin_free), .own_gid_i(own_gid), .own_bid_i(late_bid),
    .absolute_i(absolute), .dest_gid_i(r2_dest[17:9]), .dest_bid_i(r2_dest[8:4]), .ga_o(ga), .gb_o(gb), .gc_o(gc),
    .gd_o(gd)
  );
  s_spec #(.P(P), .A(A), .H(H)) u_s (
    .zone_i(r2_zone), .transit_i(r2_transit), .entry_a_i(ram_a[NumPorts-1:0]), .entry_b_i(ram_b[NumPorts-1:0]),
    .cong_local_i(r2_cong_local), .detour_local_i(r2_detour_local), .minimal_i(rule[2]), .s1_o(s1), .s2_o(s2),
    .fallback_o(fallback)
  );

  logic                  r3_rta;
  logic [1:0]            r3_vc;
  logic [15:0]           r3_random;
  logic [NumPorts-1:0]   r3_cong_local, r3_s1, r3_s2, r3_fallback;
  logic [GroupPorts-1:0] r3_ga, r3_gb, r3_gc, r3_gd, r3_any;

  always_ff @(posedge clk_i) begin
    r3_valid <= rst_ni && r2_valid;
    if (rst_ni && r2_valid) begin
      r3_rta        <= r2_rta;
      r3_vc         <= r2_vc;
      r3_random     <= r2_random;
      r3_cong_local <= r2_cong_local;
      if (r2_rta) {r3_ga, r3_gb, r3_gc, r3_gd, r3_any} <= {ga, gb, gc, gd,
                                                           (rule[1] && min != '0) ? min : (min | nonmin)};
      else        {r3_s1, r3_s2, r3_fallback}          <= {s1, s2, fallback};
    end
  end

  logic [4:0]  rta_nonempty;
  logic [2:0]  rta_class, rtb_nonempty, rtb_class, chosen_class, vc;
  logic [15:0] winner, own_port, rtb_port;
  logic [5:0]  local_port, chosen_port;
  logic [47:0] winner_row;
  logic        winner_row_valid, routable;

  p1_spec #(.A(A), .H(H)) u_p1 (
    .ga_i(r3_ga), .gb_i(r3_gb), .gc_i(r3_gc), .gd_i(r3_gd), .any_i(r3_any), .own_bid_i(own_bid), .random_i(r3_random),
    .nonempty_o(rta_nonempty), .hop_class_o(rta_class), .winner_o(winner), .own_port_o(own_port)
  );

  integer r;
  always_comb begin
    winner_row = 48'd0;
    for (r = 0; r < A; r = r + 1) begin
      if (winner == r) winner_row = rows[48*r +: 48];
    end
  end

  m_p2_spec u_m_p2 (
    .entry_i(winner_row), .cong_local_i(64'(r3_cong_local)), .random_i(r3_random[15:8]), .valid_o(winner_row_valid),
    .port_o(local_port)
  );
  p3_spec #(.NumPorts(NumPorts)) u_p3 (
    .s1_i(r3_s1), .s2_i(r3_s2), .fallback_i(r3_fallback), .random_i(r3_random),
    .nonempty_o(rtb_nonempty), .hop_class_o(rtb_class), .port_o(rtb_port)
  );

  assign chosen_class = r3_rta ? rta_class : rtb_class;
  assign chosen_port  = !r3_rta ? rtb_port[5:0] : (winner == 16'(own_bid)) ? 6'(P + A - 1) + own_port[5:0] : local_port;

  vc_spec #(.P(P), .A(A)) u_vc (.port_class_i(port_class), .vc_i(r3_vc), .output_port_i(chosen_port), .vc_o(vc));

  assign routable       = (chosen_class != 3'd0) && (vc != 3'd4);
  assign decision_class = routable ? chosen_class : 3'd0;

  always_ff @(posedge clk_i) begin
    resp_valid_o     <= 1'b0;
    resp_hop_class_o <= 3'd0;
    resp_port_o      <= 6'd0;
    resp_vc_o        <= 2'd0;
    resp_router_o    <= 5'd0;
    if (rst_ni && r3_valid) begin
      resp_valid_o     <= 1'b1;
      resp_hop_class_o <= decision_class;
      resp_port_o      <= routable ? chosen_port : 6'd63;
      resp_vc_o        <= routable ? vc[1:0] : 2'd0;
      resp_router_o    <= (routable && r3_rta) ? winner[4:0] : 5'd0;
    end
  end

  // ---- §7: probe ----

  assign probe_o = {r3_valid && (r3_rta ? rta_nonempty[4] : rtb_nonempty[2]),
                    (r3_valid && !r3_rta) ? rtb_nonempty[1:0] : 2'd0,
                    (r3_valid && r3_rta) ? rta_nonempty[3:0] : 4'd0,
                    r3_valid, r2_valid,
                    r1_valid ? {r1_index_a, r1_rta, r1_zone} : 13'd0,
                    r1_valid, r0_valid};

endmodule : unit_spec

module unit_miter #(
  parameter  int P               = 2,
  parameter  int A               = 4,
  parameter  int H               = 2,
  parameter  int G               = 8,
  parameter  int NB              = 8,
  parameter  int AbsoluteAtReset = 0,
  localparam int NumPorts        = P + A - 1 + H,
  localparam int GroupPorts      = A * H
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  input  logic                  cfg_valid_i,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  bad_o
);

  localparam int Width = 1 + 1 + 1 + 64 + 1 + 3 + 6 + 2 + 5 + 16 + 16 + 24;
  logic [Width-1:0] dut, spec;
  logic             started = 1'b0;

  always_ff @(posedge clk_i) started <= started || !rst_ni;

  route_compute #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i, .req_src_gid_i, .req_vc_i, .cong_local_i, .cong_global_i, .busy_local_i,
    .busy_global_i, .cfg_valid_i, .cfg_ready_o(dut[Width-1]), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
    .cfg_ack_o(dut[Width-2]), .cfg_err_o(dut[Width-3]), .cfg_rdata_o(dut[136:73]), .resp_valid_o(dut[72]),
    .resp_hop_class_o(dut[71:69]), .resp_port_o(dut[68:63]), .resp_vc_o(dut[62:61]), .resp_router_o(dut[60:56]),
    .local_threshold_o(dut[55:40]), .global_threshold_o(dut[39:24]), .probe_o(dut[23:0])
  );
  unit_spec #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_spec (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i, .req_src_gid_i, .req_vc_i, .cong_local_i, .cong_global_i, .busy_local_i,
    .busy_global_i, .cfg_valid_i, .cfg_ready_o(spec[Width-1]), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
    .cfg_ack_o(spec[Width-2]), .cfg_err_o(spec[Width-3]), .cfg_rdata_o(spec[136:73]), .resp_valid_o(spec[72]),
    .resp_hop_class_o(spec[71:69]), .resp_port_o(spec[68:63]), .resp_vc_o(spec[62:61]), .resp_router_o(spec[60:56]),
    .local_threshold_o(spec[55:40]), .global_threshold_o(spec[39:24]), .probe_o(spec[23:0])
  );

  assign bad_o = started && (dut != spec);

endmodule : unit_miter
