// SPDX-License-Identifier: Apache-2.0
//
// Proof by k-induction of the assertions inside arb_input_port and arb_request_priority: starts with a reset, then
// anything may happen, further resets included.

module proof_input_port #(
  parameter int N  = 3,
  parameter int CW = 1,
  parameter int KW = 2,
  parameter int V  = 3,
  parameter int S  = 2
) (
  input logic            clk_i,
  input logic            run_i,
  input logic [N*CW-1:0] at_i,
  input logic [1:0]      scheme_i,
  input logic [1:0]      policy_i,
  input logic [N*KW-1:0] credit_plus_i,
  input logic [N*KW-1:0] credit_minus_i,
  input logic            in_valid_i,
  input logic [N*CW-1:0] in_dest_i,
  input logic            grant_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic        in_ready, req_valid, req_eject, req_minus, req_high, credit;
  logic [3:0]  req_queue, req_need;
  logic [2:0]  req_dim;
  logic [63:0] probe;

  arb_input_port #(.N(N), .CW(CW), .KW(KW), .V(V), .S(S)) u_port (
    .clk_i, .rst_ni(started_q && run_i), .at_i, .scheme_i, .policy_i, .credit_plus_i, .credit_minus_i,
    .in_valid_i, .in_ready_o(in_ready), .in_dest_i,
    .req_valid_o(req_valid), .req_queue_o(req_queue), .req_eject_o(req_eject), .req_dim_o(req_dim),
    .req_minus_o(req_minus), .req_high_o(req_high), .req_need_o(req_need), .grant_i, .credit_o(credit), .probe_o(probe)
  );

  always_comb begin
    if (started_q && run_i) begin
      high_needs_more_than_nothing: assert (!req_high || (req_need != 4'd0));
      an_ejection_has_no_direction: assert (!req_eject ||
                                            (!req_minus && !req_high && req_dim == 3'd0 && req_need == 4'd0));
    end
  end

endmodule : proof_input_port
