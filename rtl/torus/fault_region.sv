// SPDX-License-Identifier: Apache-2.0
//
// The fault region as one router sees it (docs/torus.md §3): is this node failed or marked, and which ports are
// blocked?
//
// One round of marking an edge: the neighbours' `bad` come from their registers. A mark stays until it is cleared.
//
// Cost: 6 flip-flops, a dozen gates. All outputs are registers.

module fault_region (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       fail_self_i,  // the node has failed but this unit lives
  input  logic [3:0] fail_link_i,  // bit p: the link at port p has failed
  input  logic [3:0] peer_bad_i,   // bit p: the neighbour at port p is failed or marked
  input  logic       rule_i,       // 0: any two blocked ports mark; 1: one in each dimension
  input  logic       clear_i,      // forget marks
  output logic       bad_o,
  output logic [3:0] blocked_o,
  output logic       changed_o
);

  logic       bad_d, bad_q, changed_q, in_x, in_y, marked;
  logic [3:0] blocked_d, blocked_q;

  assign blocked_d = fail_link_i | peer_bad_i;
  assign in_x      = blocked_d[0] | blocked_d[1];
  assign in_y      = blocked_d[2] | blocked_d[3];
  assign marked    = (in_x & in_y) | (~rule_i & ((blocked_d[0] & blocked_d[1]) | (blocked_d[2] & blocked_d[3])));
  assign bad_d     = fail_self_i | (~clear_i & (bad_q | marked));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bad_q     <= 1'b0;
      blocked_q <= '0;
      changed_q <= 1'b0;
    end else begin
      bad_q     <= bad_d;
      blocked_q <= blocked_d;
      changed_q <= (bad_d != bad_q) || (blocked_d != blocked_q);
    end
  end

  assign bad_o     = bad_q;
  assign blocked_o = blocked_q;
  assign changed_o = changed_q;

endmodule : fault_region
