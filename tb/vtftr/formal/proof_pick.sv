// SPDX-License-Identifier: Apache-2.0
//
// The even pick. Property 0: the selected port is a candidate with `rank` candidates below it. Property 1: the rank of
// n candidates is lfsr * n / 2^16, and below n.

module proof_pick #(
  parameter int S        = 4,
  parameter int Property = 0
) (
  input  logic [S-1:0] ports_i,
  input  logic [6:0]   rank_i,
  input  logic [15:0]  lfsr_i,
  output logic         bad_o
);

  logic [7:0] count, below;
  logic [6:0] port, rank;

  vtftr_select #(.S(S)) u_select (.ports_i, .rank_i, .port_o(port));
  vtftr_rank #(.S(S)) u_rank (.ports_i, .lfsr_i, .rank_o(rank));

  logic [127:0] all;
  assign all = 128'(ports_i);

  integer i;
  always_comb begin
    count = '0;
    below = '0;
    for (i = 0; i < S; i = i + 1) begin
      if (7'(i) == port) below = count;
      count = count + 8'(ports_i[i]);
    end
  end

  if (Property == 0) begin : gen_select
    assign bad_o = (8'(rank_i) < count) ? (!all[port] || (below != 8'(rank_i))) : (port != 7'd127);
  end else begin : gen_rank
    logic [23:0] product;
    assign product = 24'(lfsr_i) * 24'(count);
    assign bad_o   = (rank != product[22:16]) || ((count != '0) && (8'(rank) >= count));
  end

endmodule : proof_pick
