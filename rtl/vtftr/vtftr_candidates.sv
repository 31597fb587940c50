// SPDX-License-Identifier: Apache-2.0
//
// Which ports of a root a packet may take, and why: docs/vtftr.md §2.3. Never a dead port, so not the target's when a
// packet is misrouted; not the packet's own when it is excluded, but for a bounce.
//
// Cost: a few words of S bits of AND, two reductions: combinational.

module vtftr_candidates #(
  parameter  int N  = 16,  // columns
  parameter  int M  = 16,  // rows
  parameter  int S  = 16,  // ports: the longer of both
  localparam int CW = vtftr_pkg::CoordWidth
) (
  input  logic          dim_i,      // 0 row root, 1 column root
  input  logic          safe_i,
  input  logic          exclude_i,
  input  logic          known_i,    // there is such a leaf
  input  logic          last_i,     // the other coordinate is right already
  input  logic          vc_i,
  input  logic [CW-1:0] target_i,
  input  logic [CW-1:0] in_i,
  input  logic [S-1:0]  dead_i,
  input  logic [S-1:0]  row_i,      // B[target]: the alternatives
  output logic [2:0]    kind_o,
  output logic [S-1:0]  ports_o
);

  localparam logic [S-1:0] Columns = {S{1'b1}} >> (S - N);
  localparam logic [S-1:0] Rows    = {S{1'b1}} >> (S - M);

  logic [S-1:0] target, in, live, unmasked;
  logic         target_dead, in_dead;

  assign target = S'(1'b1) << target_i;
  assign in     = S'(1'b1) << in_i;

  assign target_dead = |(dead_i & target);
  assign in_dead     = |(dead_i & in);
  assign live        = (dim_i ? Rows : Columns) & ~dead_i & ~(exclude_i ? in : '0);
  assign unmasked    = live & row_i;

  always_comb begin
    ports_o = '0;
    if (!known_i) begin
      kind_o = vtftr_pkg::RootBadAddress;
    end else if (!target_dead) begin
      kind_o  = vtftr_pkg::RootDirect;
      ports_o = target;
    end else if (safe_i && last_i) begin
      kind_o = vtftr_pkg::RootDead;
    end else if (safe_i && vc_i) begin
      kind_o = vtftr_pkg::RootNoTurnLeft;
    end else if (unmasked != '0) begin
      kind_o  = vtftr_pkg::RootMisroute;
      ports_o = unmasked;
    end else if (live != '0) begin
      kind_o  = vtftr_pkg::RootMasked;
      ports_o = live;
    end else if (!in_dead) begin
      kind_o  = vtftr_pkg::RootBounce;
      ports_o = in;
    end else begin
      kind_o = vtftr_pkg::RootNone;
    end
  end

endmodule : vtftr_candidates
