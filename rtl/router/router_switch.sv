// SPDX-License-Identifier: Apache-2.0
//
// Data path of a router: input ports, two phases of allocation a cycle, crossbar, output ports (docs/router.md §2).
//
//   in ──▶ input port ──▶ phase 0 ──▶ phase 1 ──▶ grants     flits, a cycle later ──▶ crossbar ──▶ output FIFO ──▶ out
//   answers ──▶ routes        ▲ what may move at an output: two flags a VC and phase
//
// Answers of route compute, taken slots and dead links come from registers and count in the same cycle; all other
// inputs are taken at the edge. Signals of the two phases are vectors of their own throughout: phase 1 depends on
// phase 0, and a vector of both would look like a loop.
//
// Cost: what it is made of.

module router_switch #(
  parameter  int P           = 2,    // nodes a router, 1..16
  parameter  int A           = 4,    // routers a group, 2..32
  parameter  int H           = 2,    // global ports a router, 1..16
  parameter  int FlitBits    = 128,  // 128..256
  parameter  int NodeDepth   = 32,   // flits a virtual channel holds, even, 2..256
  parameter  int LocalDepth  = 32,
  parameter  int GlobalDepth = 256,
  parameter  int OutputFifo  = 64,   // flits, even, 2..64
  parameter  int TurnCycles  = 0,    // of a VC's turn, 0..256; 0: there are none
  localparam int NumPorts    = P + A - 1 + H,
  localparam int V           = router_pkg::NumVcs,
  localparam int CreditWidth = router_pkg::CreditWidth
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              alive_i,
  input  logic [5:0]                        packet_last_i,
  // Links
  input  logic [NumPorts-1:0]               in_valid_i,
  input  logic [NumPorts-1:0]               in_cut_i,
  input  logic [NumPorts*FlitBits-1:0]      in_flit_i,
  input  logic [NumPorts*V*CreditWidth-1:0] credit_i,
  output logic [NumPorts-1:0]               out_valid_o,
  output logic [NumPorts*FlitBits-1:0]      out_flit_o,
  output logic [NumPorts*V*CreditWidth-1:0] credit_o,
  // Route compute, fault plane
  input  logic [NumPorts*6-1:0]             ans_port_i,
  input  logic [NumPorts*2-1:0]             ans_vc_i,
  input  logic [NumPorts-1:0]               slot_taken_i,
  input  logic [NumPorts-1:0]               link_down_i,
  // Credit monitors, supervision
  output logic [NumPorts*V*2-1:0]           sent_o,
  output logic [NumPorts-1:0]               departed_o,
  output logic [2*NumPorts*12-1:0]          grant_o
);

  localparam int N          = NumPorts;
  localparam int W          = FlitBits;
  localparam int ToWidth    = router_pkg::ToWidth;
  localparam int GrantWidth = router_pkg::GrantWidth;
  localparam int IndexWidth = $clog2(N);
  localparam int WayWidth   = $clog2(N * V);

  logic [5:0] packet_last_q;
  always_ff @(posedge clk_i) packet_last_q <= packet_last_i;

  // ---- Input ports, and what may move in each phase ----

  logic [N*V-1:0]          can_0, can_1, pop_0, pop_1, vc_mask_q, vc_mask_0, vc_mask_1;
  logic [N*V*ToWidth-1:0]  ways_0, ways_1;
  logic [N*N-1:0]          in_mask_q, in_mask_0, in_mask_1;
  logic [N-1:0]            drop_0, drop_1, take_0, take_1, tail_0, tail_1;
  logic [N*ToWidth-1:0]    to_0, to_1;
  logic [N*IndexWidth-1:0] from_0, from_1;
  logic [N*V-1:0]          head_ok_0, body_ok_0, head_ok_1, body_ok_1;   // [V*output + VC]
  logic [N*W-1:0]          flits_0, flits_1;

  for (genvar i = 0; i < N; i = i + 1) begin : gen_input
    localparam int Depth = (i < P) ? NodeDepth : (i < P + A - 1) ? LocalDepth : GlobalDepth;

    logic [V-1:0]         now_valid, now_head, now_tail, next_valid, next_head, next_tail, last_1;
    logic [V*ToWidth-1:0] now_to, next_to;

    router_input #(.Width(W), .Depth(Depth), .N(N)) u_input (
      .clk_i, .rst_ni, .alive_i,
      .in_valid_i  (in_valid_i[i]),
      .in_cut_i    (in_cut_i[i]),
      .in_flit_i   (in_flit_i[W*i +: W]),
      .down_i      (link_down_i[i]),
      .ans_port_i  (ans_port_i[6*i +: 6]),
      .ans_vc_i    (ans_vc_i[2*i +: 2]),
      .now_valid_o (now_valid),
      .now_head_o  (now_head),
      .now_tail_o  (now_tail),
      .now_to_o    (now_to),
      .next_valid_o(next_valid),
      .next_head_o (next_head),
      .next_tail_o (next_tail),
      .next_to_o   (next_to),
      .pop_0_i     (pop_0[V*i +: V]),
      .pop_1_i     (pop_1[V*i +: V]),
      .flit_0_o    (flits_0[W*i +: W]),
      .flit_1_o    (flits_1[W*i +: W]),
      .credit_o    (credit_o[V*CreditWidth*i +: V*CreditWidth])
    );

    for (genvar v = 0; v < V; v = v + 1) begin : gen_vc
      logic [ToWidth-1:0] now, then;   // in phase 0, in phase 1
      logic               gone, head_1;
      assign now    = now_to[ToWidth*v +: ToWidth];
      assign gone   = pop_0[V*i + v];
      assign then   = gone ? next_to[ToWidth*v +: ToWidth] : now;
      assign head_1 = gone ? next_head[v] : now_head[v];
      assign last_1[v] = gone ? next_tail[v] : now_tail[v];

      assign can_0[V*i + v] = now_valid[v] &&
                              ((now[router_pkg::VcWidth +: router_pkg::PortWidth] == router_pkg::PortNone) ||
                               (now_head[v] ? head_ok_0[WayWidth'(now)] : body_ok_0[WayWidth'(now)]));
      assign can_1[V*i + v] = (gone ? next_valid[v] : now_valid[v]) &&
                              ((then[router_pkg::VcWidth +: router_pkg::PortWidth] == router_pkg::PortNone) ||
                               (head_1 ? head_ok_1[WayWidth'(then)] : body_ok_1[WayWidth'(then)]));
      assign ways_0[ToWidth*(V*i + v) +: ToWidth] = now;
      assign ways_1[ToWidth*(V*i + v) +: ToWidth] = then;
    end

    assign tail_0[i] = (pop_0[V*i +: V] & now_tail) != '0;
    assign tail_1[i] = (pop_1[V*i +: V] & last_1) != '0;
  end

  // ---- Allocation ----

  logic [N*V-1:0] turn;
  if (TurnCycles != 0) begin : gen_turn
    router_turn #(.Places(N * V), .Cycles(TurnCycles)) u_turn (.clk_i, .rst_ni, .turn_o(turn));
  end else begin : gen_no_turn
    assign turn = '0;
  end

  router_phase #(.N(N), .V(V), .Turns((TurnCycles != 0) ? 1 : 0)) u_phase_0 (
    .can_i(can_0), .to_i(ways_0), .vc_mask_i(vc_mask_q), .in_mask_i(in_mask_q), .turn_i(turn), .pop_o(pop_0),
    .drop_o(drop_0), .to_o(to_0), .take_o(take_0), .from_o(from_0), .vc_mask_o(vc_mask_0), .in_mask_o(in_mask_0)
  );
  router_phase #(.N(N), .V(V), .Turns((TurnCycles != 0) ? 1 : 0)) u_phase_1 (
    .can_i(can_1), .to_i(ways_1), .vc_mask_i(vc_mask_0), .in_mask_i(in_mask_0), .turn_i(turn), .pop_o(pop_1),
    .drop_o(drop_1), .to_o(to_1), .take_o(take_1), .from_o(from_1), .vc_mask_o(vc_mask_1), .in_mask_o(in_mask_1)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      vc_mask_q <= '1;
      in_mask_q <= '1;
    end else begin
      vc_mask_q <= vc_mask_1;
      in_mask_q <= in_mask_1;
    end
  end

  for (genvar i = 0; i < N; i = i + 1) begin : gen_grant
    logic [1:0] vc_0, vc_1;
    router_index #(.Width(V)) u_index_0 (.onehot_i(pop_0[V*i +: V]), .index_o(vc_0));
    router_index #(.Width(V)) u_index_1 (.onehot_i(pop_1[V*i +: V]), .index_o(vc_1));
    assign grant_o[GrantWidth*2*i +: GrantWidth] =
        (pop_0[V*i +: V] == '0) ? '0 : {1'b1, drop_0[i], vc_0, drop_0[i] ? ToWidth'(0) : to_0[ToWidth*i +: ToWidth]};
    assign grant_o[GrantWidth*(2*i+1) +: GrantWidth] =
        (pop_1[V*i +: V] == '0) ? '0 : {1'b1, drop_1[i], vc_1, drop_1[i] ? ToWidth'(0) : to_1[ToWidth*i +: ToWidth]};
  end

  // ---- Output ports, each with its column of the crossbar ----

  for (genvar o = 0; o < N; o = o + 1) begin : gen_output
    localparam int Credits = (o < P + A - 1) ? LocalDepth : GlobalDepth;

    logic [IndexWidth-1:0] input_0, input_1;
    logic [1:0]            vc_0, vc_1;
    logic                  room_0, room_1, end_0, end_1;
    logic [W-1:0]          flit_0, flit_1;

    assign input_0 = from_0[IndexWidth*o +: IndexWidth];
    assign input_1 = from_1[IndexWidth*o +: IndexWidth];
    assign vc_0    = to_0[ToWidth*input_0 +: 2];
    assign vc_1    = to_1[ToWidth*input_1 +: 2];
    assign end_0   = tail_0[input_0];
    assign end_1   = tail_1[input_1];

    router_credits #(.Credits(Credits), .Ejection((o < P) ? 1 : 0)) u_credits (
      .clk_i, .rst_ni, .alive_i,
      .packet_last_i(packet_last_q),
      .credit_i     (credit_i[V*CreditWidth*o +: V*CreditWidth]),
      .room_0_i     (room_0),
      .room_1_i     (room_1),
      .head_0_o     (head_ok_0[V*o +: V]),
      .body_0_o     (body_ok_0[V*o +: V]),
      .head_1_o     (head_ok_1[V*o +: V]),
      .body_1_o     (body_ok_1[V*o +: V]),
      .take_0_i     (take_0[o]),
      .vc_0_i       (vc_0),
      .tail_0_i     (end_0),
      .take_1_i     (take_1[o]),
      .vc_1_i       (vc_1),
      .tail_1_i     (end_1)
    );

    for (genvar v = 0; v < V; v = v + 1) begin : gen_sent
      assign sent_o[2*(V*o + v) +: 2] = 2'(take_0[o] && (vc_0 == 2'(v))) + 2'(take_1[o] && (vc_1 == 2'(v)));
    end

    router_column #(.N(N), .Width(W)) u_column (
      .clk_i, .from_0_i(input_0), .from_1_i(input_1), .vc_0_i(vc_0), .vc_1_i(vc_1), .flits_0_i(flits_0),
      .flits_1_i(flits_1), .flit_0_o(flit_0), .flit_1_o(flit_1)
    );

    router_output_fifo #(.Width(W), .Depth(OutputFifo)) u_fifo (
      .clk_i, .rst_ni,
      .slot_taken_i(slot_taken_i[o]),
      .room_0_o    (room_0),
      .room_1_o    (room_1),
      .take_0_i    (take_0[o]),
      .take_1_i    (take_1[o]),
      .flit_0_i    (flit_0),
      .flit_1_i    (flit_1),
      .link_valid_o(out_valid_o[o]),
      .link_flit_o (out_flit_o[W*o +: W]),
      .departed_o  (departed_o[o])
    );
  end

endmodule : router_switch
