// SPDX-License-Identifier: Apache-2.0
//
// A root's candidates, for any links, any alternatives, any packet: none is dead; the target's only when it is up; the
// own port only when it may be, or for a bounce; no masked one as a misroute; some exactly when the packet is not
// dropped; in mode safe none for a dead leaf or from channel 1.

module proof_root #(
  parameter int N = 4,
  parameter int M = 4,
  parameter int S = 4
) (
  input  logic         dim_i,
  input  logic         safe_i,
  input  logic         exclude_i,
  input  logic         last_i,
  input  logic         vc_i,
  input  logic [6:0]   target_i,
  input  logic [6:0]   in_i,
  input  logic [S-1:0] dead_i,
  input  logic [S-1:0] row_i,
  output logic         bad_o
);

  logic [2:0]   kind;
  logic [S-1:0] ports, target, in;
  logic         inside, misroutes;
  logic [7:0]   size;

  vtftr_candidates #(.N(N), .M(M), .S(S)) u_candidates (
    .dim_i, .safe_i, .exclude_i, .known_i(1'b1), .last_i, .vc_i, .target_i, .in_i, .dead_i, .row_i, .kind_o(kind),
    .ports_o(ports)
  );

  assign size      = dim_i ? 8'(M) : 8'(N);
  assign inside    = (8'(target_i) < size) && (8'(in_i) < size);
  assign target    = S'(1'b1) << target_i;
  assign in        = S'(1'b1) << in_i;
  assign misroutes = (kind == 3'd1) || (kind == 3'd2);

  assign bad_o = inside
                 && (((ports & dead_i) != '0)
                     || ((kind == 3'd0) != ((dead_i & target) == '0))
                     || ((kind == 3'd0) && (ports != target))
                     || (misroutes && ((ports & target) != '0))
                     || (misroutes && exclude_i && ((ports & in) != '0))
                     || ((kind == 3'd1) && ((ports & ~row_i) != '0))
                     || ((kind == 3'd3) && (ports != in))
                     || ((ports != '0) != (kind < 3'd4))
                     || (safe_i && (last_i || vc_i) && (misroutes || (kind == 3'd3))));

endmodule : proof_root
