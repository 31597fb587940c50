// SPDX-License-Identifier: Apache-2.0
//
// Effective options of an entry, what route compute may use (docs/fault.md §4, §6.1): table A unless it is lost; partial options of table B only when
// neither table A nor a full option of B is left; an emergency detour only when table A is lost and never to a packet on the highest virtual channel.
// Ports of the immediate mask are no options at all.
//
// Zones: 0 N, 1 B, 2 G. Port classes: 0 node, 1 local, 2 global. Levels: 0 full, 1 partial, 2 lost.
//
// Cost: about 12 gates a port: combinational.

module fault_lookup #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic [1:0]          class_i,
  input  logic                transit_i,  // the packet's source group is another one
  input  logic [1:0]          vc_i,       // virtual channel that the packet came on
  input  logic                has_a_i,
  input  logic [5:0]          a_i,
  input  logic [NumPorts-1:0] b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  input  logic [NumPorts-1:0] mask_i,     // dead ports
  output logic [NumPorts-1:0] a_o,        // at most one
  output logic [NumPorts-1:0] b_o
);

  localparam logic [NumPorts-1:0] LocalPorts  = {{H{1'b0}}, {(A-1){1'b1}}, {P{1'b0}}};
  localparam logic [NumPorts-1:0] GlobalPorts = {{H{1'b1}}, {(A-1){1'b0}}, {P{1'b0}}};

  logic [NumPorts-1:0] a, side, left_b, full_b;
  logic                zone_g, hide_partial, use_b;

  assign zone_g = zone_i == 2'd2;
  assign side   = (zone_g && (class_i == 2'd1)) ? (transit_i ? LocalPorts : GlobalPorts) : '1;
  assign a      = has_a_i ? (NumPorts'(1'b1) << a_i) & ~mask_i : '0;
  assign left_b = b_i & side & ~lost_i & ~mask_i;
  assign full_b = left_b & ~partial_i;

  assign hide_partial = zone_g && ((a_o | full_b) != '0);
  assign use_b        = !((zone_i == 2'd1) && (class_i == 2'd2) && ((a_o != '0) || (vc_i == 2'd3)));
  assign a_o          = (level_a_i != 2'd2) ? a : '0;
  assign b_o          = hide_partial ? full_b : use_b ? left_b : '0;

endmodule : fault_lookup
