// SPDX-License-Identifier: Apache-2.0
//
// Proof about torus_output: a grant goes to one input that asks, for a channel with a credit, a head only to a channel
// that no packet is on its way through; if some input could be granted one is, the first that could at the pointer or
// after it, which moves behind the winner; credits, owners and nothing else follow the grants.

module proof_output #(
  parameter int P     = 3,
  parameter int KW    = 2,
  parameter int Slots = 3
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [P-1:0]   ask_i,
  input  logic [3*P-1:0] vc_i,
  input  logic [P-1:0]   head_i,
  input  logic [P-1:0]   tail_i,
  input  logic [5:0]     return_i,
  output logic           bad_o
);

  logic [P-1:0]    grant, could, wrong_input;
  logic [6*KW-1:0] credit, credit_q;
  logic [5:0]      owned, owned_q, wrong_channel;

  torus_output #(.P(P), .KW(KW), .Slots(Slots)) u_output (
    .clk_i, .rst_ni, .ask_i, .vc_i, .head_i, .tail_i, .return_i, .grant_o(grant), .credit_o(credit), .owned_o(owned)
  );

  for (genvar p = 0; p < P; p++) begin : gen_input
    logic [5:0] channel;
    for (genvar v = 0; v < 6; v++) begin : gen_match
      assign channel[v] = (vc_i[3*p +: 3] == 3'(v)) && (credit[v*KW +: KW] != '0) && !(head_i[p] && owned[v]);
    end
    assign could[p]       = ask_i[p] && (channel != '0);
    assign wrong_input[p] = grant[p] && !could[p];
  end

  for (genvar v = 0; v < 6; v++) begin : gen_channel
    logic [P-1:0]  here;
    logic [KW-1:0] next;
    for (genvar p = 0; p < P; p++) begin : gen_here
      assign here[p] = grant[p] && (vc_i[3*p +: 3] == 3'(v));
    end
    assign next = credit_q[v*KW +: KW] + KW'(return_i[v]) - KW'(here != '0);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        credit_q[v*KW +: KW] <= KW'(Slots);
        owned_q[v]           <= 1'b0;
      end else begin
        credit_q[v*KW +: KW] <= next;
        owned_q[v]           <= (here == '0) ? owned_q[v] : ((here & tail_i) == '0);
      end
    end
    assign wrong_channel[v] = (credit[v*KW +: KW] != credit_q[v*KW +: KW]) || (owned[v] != owned_q[v]);
  end

  // Round-robin: nobody who could lies between the pointer and the winner.
  localparam int PW = $clog2(P) + 1;
  logic [PW-1:0] pointer_q;
  logic [P-1:0]  passed_over, next_pointer;
  for (genvar p = 0; p < P; p++) begin : gen_turn
    logic [P-1:0] sooner;
    for (genvar q = 0; q < P; q++) begin : gen_sooner  // distances from the pointer
      assign sooner[q] = could[q] && (((PW+1)'(q) + (((PW+1)'(q) < (PW+1)'(pointer_q)) ? (PW+1)'(P) : '0)) <
                                      ((PW+1)'(p) + (((PW+1)'(p) < (PW+1)'(pointer_q)) ? (PW+1)'(P) : '0)));
    end
    assign passed_over[p]  = grant[p] && (sooner != '0);
    assign next_pointer[p] = grant[(p + P - 1) % P];
  end
  integer i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pointer_q <= '0;
    else begin
      for (i = 0; i < P; i = i + 1) if (next_pointer[i]) pointer_q <= PW'(i);
    end
  end

  // Not before the first reset: the pointer of the unit may be anything.
  logic started_q;
  always_ff @(posedge clk_i) if (!rst_ni) started_q <= 1'b1;

  assign bad_o = (started_q && (passed_over != '0)) || (wrong_input != '0) || (wrong_channel != '0) ||
                 ((grant & (grant - P'(1'b1))) != '0) || ((could != '0) && (grant == '0));

endmodule : proof_output
