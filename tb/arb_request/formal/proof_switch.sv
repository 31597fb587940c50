// SPDX-License-Identifier: Apache-2.0
//
// Proof: the switch grants only what flow control allows at the moment of the grant (docs/arb_request.md §6). For all
// requests and all credits that come back (never more than are outstanding): a granted input port asked, its output has
// the credit that it needs, no two granted input ports share an output, an output with an able request grants one, and
// credits are neither lost nor invented.

module proof_switch #(
  parameter  int N     = 2,
  parameter  int KW    = 3,
  parameter  int Slots = 4,
  localparam int P     = 2 * N + 1
) (
  input logic           clk_i,
  input logic           run_i,
  input logic [P-1:0]   req_valid_i,
  input logic [P-1:0]   req_eject_i,
  input logic [3*P-1:0] req_dim_i,
  input logic [P-1:0]   req_minus_i,
  input logic [4*P-1:0] req_need_i,
  input logic [2*N-1:0] return_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [P-1:0]      valid, grant;
  logic [2*N-1:0]    returned;
  logic [2*N*KW-1:0] credit;

  // A move needs at least one packet slot.
  for (genvar p = 0; p < P; p++) begin : gen_valid
    assign valid[p] = req_valid_i[p] && (req_eject_i[p] || (req_need_i[4*p +: 4] != 4'd0));
  end
  for (genvar o = 0; o < 2 * N; o++) begin : gen_return
    assign returned[o] = return_i[o] && (credit[o*KW +: KW] < KW'(Slots));
  end

  arb_switch #(.N(N), .KW(KW), .Slots(Slots)) u_switch (
    .clk_i, .rst_ni(started_q && run_i), .req_valid_i(valid), .req_eject_i, .req_dim_i, .req_minus_i, .req_need_i,
    .return_i(returned), .grant_o(grant), .credit_o(credit)
  );

  // Stated per pair of input port and output.
  logic [P-1:0] one_at_most, one_if_able, balanced;
  logic [P-1:0] granted_without_leave;
  for (genvar o = 0; o < P; o++) begin : gen_output
    logic [P-1:0] here, able, granted;
    for (genvar p = 0; p < P; p++) begin : gen_input
      if (o == P - 1) begin : gen_eject
        assign here[p] = req_eject_i[p];
        assign able[p] = valid[p] && here[p];
      end else begin : gen_move
        assign here[p] = !req_eject_i[p] && (req_dim_i[3*p +: 3] == 3'(o / 2)) && (req_minus_i[p] == 1'(o % 2));
        assign able[p] = valid[p] && here[p] && (8'(credit[o*KW +: KW]) >= 8'(req_need_i[4*p +: 4]));
      end
    end
    assign granted        = grant & here;
    assign one_at_most[o] = (granted & (granted - P'(1'b1))) == '0;
    assign one_if_able[o] = (granted != '0) == (able != '0);
    if (o == P - 1) begin : gen_no_credit
      assign balanced[o] = 1'b1;
    end else begin : gen_credit
      // Packets sent and not yet come back as credits: credit and they are always all slots.
      logic [KW:0] outstanding_q;
      always_ff @(posedge clk_i) begin
        if (!(started_q && run_i)) outstanding_q <= '0;
        else                       outstanding_q <= outstanding_q + (KW+1)'(granted != '0) - (KW+1)'(returned[o]);
      end
      assign balanced[o] = ((KW+1)'(credit[o*KW +: KW]) + outstanding_q == (KW+1)'(Slots));
    end
    logic [P-1:0] so_far;
    if (o == 0) begin : gen_first
      assign so_far = able;
    end else begin : gen_next
      assign so_far = gen_output[o-1].so_far | able;
    end
  end

  assign granted_without_leave = grant & ~gen_output[P-1].so_far;

  always_comb begin
    if (started_q && run_i) begin
      only_those_that_may_are_granted: assert (granted_without_leave == '0);
      an_output_grants_at_most_one: assert (one_at_most == {P{1'b1}});
      an_output_grants_one_if_it_can: assert (one_if_able == {P{1'b1}});
    end
    if (started_q) no_credit_is_lost_or_invented: assert (balanced == {P{1'b1}});
  end

endmodule : proof_switch
