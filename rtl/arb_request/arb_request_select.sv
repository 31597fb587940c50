// SPDX-License-Identifier: Apache-2.0
//
// Selection of one dimension (D2RA eq. 13, docs/arb_request.md §3): low requests count only when no high one exists.
//
// Round-robin and random differ in where the rotating pick starts; most-credits first thins out the candidates to those
// with the largest credit: a chain of maxima, then N comparisons with it.
//
// Cost: 2*N KW-bit comparators for most-credits, an 8 x 4 multiplier with a constant for random, one rotating pick:
// combinational.

module arb_request_select #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [1:0]      policy_i,
  input  logic [N-1:0]    high_i,
  input  logic [N-1:0]    low_i,
  input  logic [N*KW-1:0] credit_i,
  input  logic [2:0]      dim_ptr_i,
  input  logic [7:0]      random_i,
  output logic [2:0]      dim_o        // 0 when there is no candidate
);

  localparam int IW = (N > 1) ? $clog2(N) : 1;

  logic [N-1:0]  candidates, richest, offered;
  logic [11:0]   scaled;
  logic [3:0]    start;
  logic [IW-1:0] index;

  assign candidates = (high_i != '0) ? high_i : low_i;

  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic [KW-1:0] credit, largest;
    assign credit = credit_i[i*KW +: KW] & {KW{candidates[i]}};
    if (i == 0) begin : gen_first
      assign largest = credit;
    end else begin : gen_next
      assign largest = (credit > gen_dim[i-1].largest) ? credit : gen_dim[i-1].largest;
    end
    assign richest[i] = candidates[i] & (credit == gen_dim[N-1].largest);
  end

  assign offered = (policy_i == arb_request_pkg::PolicyMostCredits) ? richest : candidates;
  assign scaled  = 12'(random_i) * 12'(N);
  assign start   = (policy_i == arb_request_pkg::PolicyRandom) ? 4'(scaled >> 8) : 4'(dim_ptr_i);

  rotating_pick #(.Width(N)) u_pick (.request_i(offered), .start_i(IW'(start)), .index_o(index));

  assign dim_o = 3'(index);

  logic unused_bits;
  assign unused_bits = ^start;

endmodule : arb_request_select
