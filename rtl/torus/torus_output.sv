// SPDX-License-Identifier: Apache-2.0
//
// One output link of the torus router (docs/torus.md §8): credits and an owner bit for each of the six virtual
// channels, round-robin over the input ports.
//
// Cost: six credit counters of KW bits, six owner bits, a pointer; a rotating pick over P inputs. `grant_o` is
// combinational in the requests.

module torus_output #(
  parameter int P     = 5,    // input ports, 2..8
  parameter int KW    = 8,    // bits of a credit
  parameter int Slots = 128   // flits a channel behind the link, 1..2**KW-1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [P-1:0]    ask_i,     // bit p: the flit at input p asks for this output
  input  logic [3*P-1:0]  vc_i,      // for which channel, 3 * r + j
  input  logic [P-1:0]    head_i,    // it is the first of its packet
  input  logic [P-1:0]    tail_i,    // it is the last
  input  logic [5:0]      return_i,  // a slot of the channel became free
  output logic [P-1:0]    grant_o,   // one-hot or zero
  output logic [6*KW-1:0] credit_o,
  output logic [5:0]      owned_o
);

  localparam int IW = $clog2(P);

  logic [5:0]    have, owned_q, taken;
  logic [7:0]    have_8, owned_8;  // the codes 6 and 7 name no channel
  logic [P-1:0]  able;
  logic [IW-1:0] winner, pointer_q;
  logic [2:0]    vc;
  logic          granted, tail;

  assign have_8  = {2'b00, have};
  assign owned_8 = {2'b00, owned_q};
  for (genvar p = 0; p < P; p++) begin : gen_input
    assign able[p] = ask_i[p] && have_8[vc_i[3*p +: 3]] && !(head_i[p] && owned_8[vc_i[3*p +: 3]]);
  end

  rotating_pick #(.Width(P)) u_pick (.request_i(able), .start_i(pointer_q), .index_o(winner));

  assign granted = able != '0;
  assign grant_o = granted ? (P'(1'b1) << winner) : '0;
  assign vc      = 3'(vc_i >> (3 * 32'(winner)));
  assign tail    = tail_i[winner];

  for (genvar v = 0; v < 6; v++) begin : gen_channel
    logic [KW-1:0] credit_q;
    assign taken[v] = granted && (vc == 3'(v));
    assign have[v]  = credit_q != '0;
    assign credit_o[v*KW +: KW] = credit_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        credit_q   <= KW'(Slots);
        owned_q[v] <= 1'b0;
      end else begin
        credit_q <= credit_q - KW'(taken[v]) + KW'(return_i[v]);
        if (taken[v]) owned_q[v] <= ~tail;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      pointer_q <= '0;
    else if (granted) pointer_q <= (winner == IW'(P - 1)) ? '0 : (winner + IW'(1'b1));
  end

  assign owned_o = owned_q;

endmodule : torus_output
