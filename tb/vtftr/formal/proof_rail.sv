// SPDX-License-Identifier: Apache-2.0
//
// The rail of a step, for any uplinks that are down: it is up, no rail between the wanted one and it is, and there is
// none only when all are down.

module proof_rail #(
  parameter int U = 2
) (
  input  logic [U-1:0] down_i,
  input  logic [4:0]   wanted_i,
  input  logic [4:0]   other_i,  // any rail
  output logic         bad_o
);

  logic [4:0]  rail;
  logic        none, legal, between;
  logic [31:0] up;

  vtftr_rail #(.U(U)) u_rail (.down_i, .wanted_i, .rail_o(rail), .none_o(none));

  // From the wanted one on, round the end.
  function automatic logic [5:0] way(input logic [4:0] to);
    way = (to >= wanted_i) ? {1'b0, to} - {1'b0, wanted_i} : {1'b0, to} + 6'(U) - {1'b0, wanted_i};
  endfunction

  assign up      = 32'(~down_i & {U{1'b1}});
  assign legal   = (6'(wanted_i) < 6'(U)) && (6'(other_i) < 6'(U));
  assign between = way(other_i) < way(rail);
  assign bad_o   = legal && (none ? up[other_i] : (!up[rail] || (6'(rail) >= 6'(U)) || (up[other_i] && between)));

endmodule : proof_rail
