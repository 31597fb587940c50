// SPDX-License-Identifier: Apache-2.0
//
// Credits and owners of the virtual channels behind an output port, and what a flit may do there: one flag a VC for
// heads, one for bodies.
//
// A head needs a VC that no packet holds, and room for the longest packet; a body needs one slot. A node port takes
// everything: no credits there. The flags of phase 1 know what phase 0 has granted. Meaning: docs/router.md §2.3.
//
// Cost: a counter of 9 bits, a subtractor and a flag a VC.

module router_credits #(
  parameter  int Credits     = 32,   // of a VC after reset
  parameter  int Ejection    = 0,    // 1: a node port
  localparam int V           = router_pkg::NumVcs,
  localparam int CreditWidth = router_pkg::CreditWidth
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     alive_i,
  input  logic [5:0]               packet_last_i,  // flits of the longest packet less one
  input  logic [V*CreditWidth-1:0] credit_i,       // slots that came back, at the edge
  input  logic                     room_0_i,       // in the output FIFO, for a flit of phase 0
  input  logic                     room_1_i,
  output logic [V-1:0]             head_0_o,
  output logic [V-1:0]             body_0_o,
  output logic [V-1:0]             head_1_o,
  output logic [V-1:0]             body_1_o,
  input  logic                     take_0_i,       // granted in phase 0: a flit for this VC
  input  logic [1:0]               vc_0_i,
  input  logic                     tail_0_i,
  input  logic                     take_1_i,
  input  logic [1:0]               vc_1_i,
  input  logic                     tail_1_i
);

  logic [V-1:0] taken_0, taken_1, held_q, held_0;

  assign taken_0 = take_0_i ? V'(1'b1) << vc_0_i : '0;
  assign taken_1 = take_1_i ? V'(1'b1) << vc_1_i : '0;
  assign held_0  = tail_0_i ? (held_q & ~taken_0) : (held_q | taken_0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !alive_i) held_q <= '0;
    else held_q <= tail_1_i ? (held_0 & ~taken_1) : (held_0 | taken_1);
  end

  if (Ejection != 0) begin : gen_node
    assign head_0_o = ~held_q & {V{room_0_i}};
    assign body_0_o = {V{room_0_i}};
    assign head_1_o = ~held_0 & {V{room_1_i}};
    assign body_1_o = {V{room_1_i}};

    logic unused_pins;
    assign unused_pins = (credit_i == '0) && (packet_last_i == '0);
  end else begin : gen_link
    for (genvar v = 0; v < V; v = v + 1) begin : gen_vc
      logic [CreditWidth-1:0] credit_q;
      logic [CreditWidth:0]   spare;   // credits above `packet_last_i`, two's complement
      logic                   packet, packet_and_one, one, two;

      assign spare          = {1'b0, credit_q} - {4'd0, packet_last_i};
      assign packet         = !spare[CreditWidth] && (spare != '0);
      assign packet_and_one = !spare[CreditWidth] && (spare[CreditWidth-1:1] != '0);
      assign one            = (credit_q != '0);
      assign two            = (credit_q[CreditWidth-1:1] != '0);

      assign head_0_o[v] = room_0_i && !held_q[v] && packet;
      assign body_0_o[v] = room_0_i && one;
      assign head_1_o[v] = room_1_i && !held_0[v] && (taken_0[v] ? packet_and_one : packet);
      assign body_1_o[v] = room_1_i && (taken_0[v] ? two : one);

      always_ff @(posedge clk_i) begin
        if (!rst_ni) credit_q <= CreditWidth'(Credits);
        else credit_q <= credit_q + credit_i[CreditWidth*v +: CreditWidth] - CreditWidth'(taken_0[v]) -
                         CreditWidth'(taken_1[v]);
      end

`ifndef SYNTHESIS
`ifndef __ICARUS__
      always_ff @(posedge clk_i) begin
        if (rst_ni) begin
          credits_within_the_buffer: assert (credit_q <= CreditWidth'(Credits));
          credits_are_there: assert (credit_q >= CreditWidth'(taken_0[v]) + CreditWidth'(taken_1[v]));
        end
      end
`endif
`endif
    end
  end

endmodule : router_credits
