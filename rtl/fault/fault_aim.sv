// SPDX-License-Identifier: Apache-2.0
//
// Function Aim (DOAR Alg. 2): the one entry that covers a message's address, as row number and zone (docs/fault.md §3).
//
// Cost: two comparators, an adder and a multiplexer: combinational.

module fault_aim #(
  parameter int P        = 2,  // nodes a router
  parameter int A        = 4,  // routers a group
  parameter int RowWidth = 10
) (
  input  logic [1:0] prefix_i,
  input  logic [8:0] gid_i,
  input  logic [4:0] bid_i,
  input  logic [3:0] nid_i,
  input  logic [8:0] own_gid_i,
  input  logic [4:0] own_bid_i,
  output logic [RowWidth-1:0] row_o
);

  logic other_group;
  logic other_router;

  assign other_group  = (prefix_i == fault_pkg::PrefixGroup) || (gid_i != own_gid_i);
  assign other_router = (prefix_i == fault_pkg::PrefixRouter) || (bid_i != own_bid_i);

  assign row_o = other_group  ? RowWidth'(P + A) + RowWidth'(gid_i) :
                 other_router ? RowWidth'(P) + RowWidth'(bid_i) : RowWidth'(nid_i);

endmodule : fault_aim
