// SPDX-License-Identifier: Apache-2.0
//
// Credits on their way to a credit monitor, which takes two a cycle and virtual channel: more at once (a router behind
// the link has died) wait.
//
// Cost: a counter of 9 bits with two adders.

module router_backlog #(
  localparam int Width = router_pkg::CreditWidth
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] credit_i,  // that come at this edge
  output logic [1:0]       credit_o   // for the monitor, at the same edge
);

  logic [Width-1:0] waiting_q, all;

  assign all      = waiting_q + credit_i;   // never more than the slots behind the port
  assign credit_o = (all[Width-1:1] != '0) ? 2'd2 : 2'(all);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_q <= '0;
    else         waiting_q <= all - Width'(credit_o);
  end

endmodule : router_backlog
