// SPDX-License-Identifier: Apache-2.0
//
// Proof: the selection names a requested dimension, never a low one while a high one exists, and the policy's one
// (docs/arb_request.md §3).

module proof_select #(
  parameter int N  = 3,
  parameter int KW = 8
) (
  input  logic [1:0]      policy_i,
  input  logic [N-1:0]    high_i,
  input  logic [N-1:0]    low_i,
  input  logic [N*KW-1:0] credit_i,
  input  logic [2:0]      dim_ptr_i,
  input  logic [7:0]      random_i,
  output logic            bad_o
);

  logic [2:0] dim;

  arb_request_select #(.N(N), .KW(KW)) u_select (
    .policy_i, .high_i, .low_i, .credit_i, .dim_ptr_i, .random_i, .dim_o(dim)
  );

  logic [N-1:0]  candidates, beaten, allowed, chosen, closer;
  logic [11:0]   scaled;
  logic [3:0]    start, distance;

  assign candidates = (high_i == '0) ? low_i : high_i;
  assign scaled     = 12'(random_i) * 12'(N);
  assign start      = (policy_i == 2'd1) ? 4'(scaled >> 8) : 4'(dim_ptr_i);
  assign distance   = (4'(dim) >= start) ? (4'(dim) - start) : (4'(dim) + 4'(N) - start);

  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic [N-1:0] larger;
    logic [3:0]   far;
    for (genvar j = 0; j < N; j++) begin : gen_other
      assign larger[j] = candidates[j] && (credit_i[j*KW +: KW] > credit_i[i*KW +: KW]);
    end
    assign beaten[i]  = (policy_i == 2'd2) && (larger != '0);
    assign allowed[i] = candidates[i] && !beaten[i];
    assign chosen[i]  = (dim == 3'(i)) && allowed[i];
    assign far        = (4'(i) >= start) ? (4'(i) - start) : (4'(i) + 4'(N) - start);
    assign closer[i]  = allowed[i] && (far < distance);  // the pick takes the first one at or behind the start
  end

  // The pointer is below N in every reachable state.
  assign bad_o = (candidates != '0) && (4'(dim_ptr_i) < 4'(N)) && ((chosen == '0) || (closer != '0));

endmodule : proof_select
