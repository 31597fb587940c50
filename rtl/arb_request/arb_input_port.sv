// SPDX-License-Identifier: Apache-2.0
//
// Input port of a D2RA mesh router (docs/arb_request.md §4, §5; D2RA §3.1): V sub-queues of one packet each, of which S
// are looked at in a cycle, S request-logic lanes, and the input half of the separable switch allocator.
//
// The window of S sub-queues continues behind the last one that asked, so that none is passed over. The sub-queue whose
// request is visible is not looked at, because it may be granted at this edge; hence no path leads from `grant_i` to a
// request. All outputs are registers except `in_ready_o`, which depends on registers only.
//
// Cost: V*(N*CW + 1) flip-flops of packet state, 2*N*KW + N*CW for the input registers, S lanes, S V-to-1 selectors of
// a destination.

module arb_input_port #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8,  // bits of a credit, 1..8
  parameter int V  = 4,  // sub-queues, 1..16
  parameter int S  = 2   // sub-queues looked at in a cycle, 1..V
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [N*CW-1:0] at_i,
  input  logic [1:0]      scheme_i,
  input  logic [1:0]      policy_i,
  input  logic [N*KW-1:0] credit_plus_i,
  input  logic [N*KW-1:0] credit_minus_i,
  input  logic            in_valid_i,
  output logic            in_ready_o,
  input  logic [N*CW-1:0] in_dest_i,
  output logic            req_valid_o,
  output logic [3:0]      req_queue_o,
  output logic            req_eject_o,
  output logic [2:0]      req_dim_o,
  output logic            req_minus_o,
  output logic            req_high_o,
  output logic [3:0]      req_need_o,
  input  logic            grant_i,
  output logic            credit_o,
  output logic [63:0]     probe_o
);

  localparam int DW = N * CW;  // bits of a destination

  // Input registers.
  logic [DW-1:0]   at_q;
  logic [1:0]      scheme_q, policy_q;
  logic [N*KW-1:0] credit_plus_q, credit_minus_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      at_q           <= '0;
      scheme_q       <= '0;
      policy_q       <= '0;
      credit_plus_q  <= '0;
      credit_minus_q <= '0;
    end else begin
      at_q           <= at_i;
      scheme_q       <= scheme_i;
      policy_q       <= policy_i;
      credit_plus_q  <= credit_plus_i;
      credit_minus_q <= credit_minus_i;
    end
  end

  // Sub-queues: a packet goes to the lowest free one.
  logic [V-1:0]    occupied_q, occupied_d, enter, leave;
  logic [V*DW-1:0] dest_q;
  logic            leaves;

  assign in_ready_o = (occupied_q != {V{1'b1}});
  assign enter      = (in_valid_i && in_ready_o) ? (~occupied_q & (occupied_q + V'(1'b1))) : '0;
  assign leaves     = req_valid_o && grant_i;
  assign leave      = leaves ? (V'(1'b1) << req_queue_o) : '0;
  assign occupied_d = (occupied_q & ~leave) | enter;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      occupied_q <= '0;
      credit_o   <= 1'b0;
    end else begin
      occupied_q <= occupied_d;
      credit_o   <= leaves;
    end
  end

  for (genvar q = 0; q < V; q++) begin : gen_queue
    always_ff @(posedge clk_i) begin
      if (rst_ni && enter[q]) dest_q[q*DW +: DW] <= in_dest_i;
    end
  end

  // Lanes: the window and what its sub-queues ask for.
  logic [3:0]   window_q;
  logic [S-1:0] asks;
  logic         any;

  for (genvar k = 0; k < S; k++) begin : gen_lane
    logic [4:0]      sum;
    logic [3:0]      queue;
    logic            looked_at, eject, first;
    logic [N-1:0]    remaining, plus, high, low;
    logic [N*KW-1:0] credit;
    logic [3:0]      z;
    logic [V-1:0]    map;

    assign sum       = 5'(window_q) + 5'(k);
    assign queue     = (sum >= 5'(V)) ? 4'(sum - 5'(V)) : 4'(sum);
    assign looked_at = |(occupied_q & (V'(1'b1) << queue)) && !(req_valid_o && (req_queue_o == queue));

    arb_request_lane #(.N(N), .CW(CW), .KW(KW)) u_lane (
      .scheme_i(scheme_q),
      .at_i(at_q),
      .dest_i(dest_q[queue*DW +: DW]),
      .credit_plus_i(credit_plus_q),
      .credit_minus_i(credit_minus_q),
      .remaining_o(remaining),
      .plus_o(plus),
      .credit_o(credit),
      .z_o(z),
      .high_o(high),
      .low_o(low),
      .eject_o(eject)
    );

    assign asks[k] = looked_at && (eject || ((high | low) != '0));
    assign map     = asks[k] ? (V'(1'b1) << queue) : '0;

    if (k == 0) begin : gen_first
      assign first = asks[0];
    end else begin : gen_later
      assign first = asks[k] && (asks[k-1:0] == '0);
    end
  end

  // Input arbitration: the first lane that asks.
  for (genvar k = 0; k < S; k++) begin : gen_pick
    logic [3:0]      queue, z;
    logic [N-1:0]    remaining, plus, high, low;
    logic [N*KW-1:0] credit;
    logic [V-1:0]    map;
    if (k == 0) begin : gen_start
      assign queue     = gen_lane[0].queue     & {4{gen_lane[0].first}};
      assign z         = gen_lane[0].z         & {4{gen_lane[0].first}};
      assign remaining = gen_lane[0].remaining & {N{gen_lane[0].first}};
      assign plus      = gen_lane[0].plus      & {N{gen_lane[0].first}};
      assign high      = gen_lane[0].high      & {N{gen_lane[0].first}};
      assign low       = gen_lane[0].low       & {N{gen_lane[0].first}};
      assign credit    = gen_lane[0].credit    & {(N*KW){gen_lane[0].first}};
      assign map       = gen_lane[0].map;
    end else begin : gen_more
      assign queue     = gen_pick[k-1].queue     | (gen_lane[k].queue     & {4{gen_lane[k].first}});
      assign z         = gen_pick[k-1].z         | (gen_lane[k].z         & {4{gen_lane[k].first}});
      assign remaining = gen_pick[k-1].remaining | (gen_lane[k].remaining & {N{gen_lane[k].first}});
      assign plus      = gen_pick[k-1].plus      | (gen_lane[k].plus      & {N{gen_lane[k].first}});
      assign high      = gen_pick[k-1].high      | (gen_lane[k].high      & {N{gen_lane[k].first}});
      assign low       = gen_pick[k-1].low       | (gen_lane[k].low       & {N{gen_lane[k].first}});
      assign credit    = gen_pick[k-1].credit    | (gen_lane[k].credit    & {(N*KW){gen_lane[k].first}});
      assign map       = gen_pick[k-1].map       | gen_lane[k].map;
    end
  end

  logic [3:0]      picked_queue, picked_z;
  logic [N-1:0]    picked_remaining, picked_plus, picked_high, picked_low;
  logic [N*KW-1:0] picked_credit;
  logic [V-1:0]    picked_map;

  assign picked_queue     = gen_pick[S-1].queue;
  assign picked_z         = gen_pick[S-1].z;
  assign picked_remaining = gen_pick[S-1].remaining;
  assign picked_plus      = gen_pick[S-1].plus;
  assign picked_high      = gen_pick[S-1].high;
  assign picked_low       = gen_pick[S-1].low;
  assign picked_credit    = gen_pick[S-1].credit;
  assign picked_map       = gen_pick[S-1].map;
  assign any              = (asks != '0);

  // Selection of the dimension.
  logic [2:0]  dim_ptr_q, dim;
  logic [15:0] lfsr;
  logic        moves, is_high, is_plus;

  arb_request_select #(.N(N), .KW(KW)) u_select (
    .policy_i(policy_q),
    .high_i(picked_high),
    .low_i(picked_low),
    .credit_i(picked_credit),
    .dim_ptr_i(dim_ptr_q),
    .random_i(8'(lfsr)),
    .dim_o(dim)
  );

  assign moves   = any && (picked_z != 4'd0);
  assign is_high = |(picked_high & (N'(1'b1) << dim));
  assign is_plus = |(picked_plus & (N'(1'b1) << dim));

  lfsr16 #(.ResetValue(16'hACE1)) u_lfsr (
    .clk_i, .rst_ni, .advance_i(moves), .load_i(1'b0), .load_value_i(16'h0000), .state_o(lfsr)
  );

  // Window: continue behind the last one that asked, else behind the window.
  logic [4:0] stride, next_window;

  assign stride      = any ? (5'(picked_queue) + 5'd1) : (5'(window_q) + 5'(S));
  assign next_window = (stride >= 5'(V)) ? (stride - 5'(V)) : stride;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      window_q  <= '0;
      dim_ptr_q <= '0;
    end else begin
      window_q <= 4'(next_window);
      if (moves) dim_ptr_q <= (dim == 3'(N - 1)) ? 3'd0 : (dim + 3'd1);
    end
  end

  // Request registers and probe.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_valid_o <= 1'b0;
      req_queue_o <= '0;
      req_eject_o <= 1'b0;
      req_dim_o   <= '0;
      req_minus_o <= 1'b0;
      req_high_o  <= 1'b0;
      req_need_o  <= '0;
      probe_o     <= '0;
    end else begin
      req_valid_o <= any;
      req_queue_o <= picked_queue;
      req_eject_o <= any && !moves;
      req_dim_o   <= moves ? dim : '0;
      req_minus_o <= moves && !is_plus;
      req_high_o  <= moves && is_high;
      req_need_o  <= !moves ? '0 : (is_high ? picked_z : 4'd1);
      probe_o     <= {8'd0, 16'(picked_map), window_q, picked_z,
                      8'(picked_plus), 8'(picked_low), 8'(picked_high), 8'(picked_remaining)};
    end
  end

  logic unused_bits;
  assign unused_bits = ^{lfsr, next_window};

`ifndef SYNTHESIS
`ifndef __ICARUS__
  // Packets taken less packets granted, and the packets that are there.
  logic [4:0] balance_q;
  for (genvar q = 0; q < V; q++) begin : gen_formal_count
    logic [4:0] count;
    if (q == 0) begin : gen_first
      assign count = 5'(occupied_q[0]);
    end else begin : gen_next
      assign count = gen_formal_count[q-1].count + 5'(occupied_q[q]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) balance_q <= '0;
    else         balance_q <= balance_q + 5'(in_valid_i && in_ready_o) - 5'(grant_i && req_valid_o);
  end

  always_comb begin
    if (rst_ni) begin
      request_is_from_an_occupied_queue: assert (!req_valid_o || |(occupied_q & (V'(1'b1) << req_queue_o)));
      window_is_in_range: assert (5'(window_q) < 5'(V));
      no_packet_is_lost_or_invented: assert (gen_formal_count[V-1].count == balance_q);
      dimension_is_in_range: assert (4'(req_dim_o) < 4'(N) && 4'(dim_ptr_q) < 4'(N));
    end
  end
`endif
`endif

endmodule : arb_input_port
