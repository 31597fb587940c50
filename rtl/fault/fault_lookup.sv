// SPDX-License-Identifier: Apache-2.0
//
// Effective options of an entry, what route compute may use (docs/fault.md §4, §6.1): every configured option that is
// full or partial and no port of the immediate mask; when there is none, those that are gateway only. At local ports
// filter F leaves, of table B of a group, the side that the packet is on; at global ports table B of a router is the
// emergency detour: only when nothing is left of table A, and never to a packet on the highest virtual channel.
// Zone N needs no case of its own: its entries have no table B.
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

  localparam logic [1:0] LastVc = 2'd3;

  logic [NumPorts-1:0] a, b, good_a, good_b, side;
  logic                detour, hide_b, any_good;

  assign side = ((zone_i == fault_pkg::ZoneG) && (class_i == fault_pkg::PortClassLocal))
              ? (transit_i ? LocalPorts : GlobalPorts)
              : '1;
  assign a    = has_a_i ? (NumPorts'(1'b1) << a_i) & ~mask_i : '0;
  assign b    = b_i & side & ~mask_i;

  // Level of A: bit 1 is set for lost and gateway only, both bits for gateway only; so are the marks {lost, partial} of
  // an option of B.
  assign good_a   = !level_a_i[1] ? a : '0;
  assign good_b   = b & ~lost_i;
  assign any_good = (good_a != '0) || (good_b != '0);

  assign detour = (zone_i == fault_pkg::ZoneB) && (class_i == fault_pkg::PortClassGlobal);
  assign hide_b = detour && ((a_o != '0) || (vc_i == LastVc));
  assign a_o    = any_good ? good_a : (level_a_i == fault_pkg::LevelGateway) ? a : '0;
  assign b_o    = hide_b ? '0 : any_good ? good_b : (b & lost_i & partial_i);

endmodule : fault_lookup
