// SPDX-License-Identifier: Apache-2.0
//
// What a port unit says about an entry: kind and address of the message (docs/fault.md §4, "Tell").
//
// Cost: a few multiplexers: combinational.

module fault_message (
  input  logic        safe_i,
  input  logic        travel_i,       // the command names no entry
  input  logic [1:0]  prefix_i,       // of the message that is answered
  input  logic [8:0]  address_i,      // its bid and nid
  input  logic        group_local_i,  // zone B, else zone G
  input  logic [8:0]  index_i,        // bid or gid of the entry
  input  logic [8:0]  own_gid_i,
  input  logic        class_i,
  input  logic [1:0]  level_i,
  output logic [21:0] message_o
);

  logic       recovers, gateway, forwards, coarse;
  logic [1:0] prefix;
  logic [8:0] address;
  logic [4:0] bid;
  logic [3:0] nid;

  assign recovers = level_i == fault_pkg::LevelFull;
  assign gateway  = level_i == fault_pkg::LevelGateway;
  assign forwards = !travel_i && prefix_i[1];
  assign coarse   = safe_i ? ((level_i == fault_pkg::LevelLost) || (recovers && !forwards)) : !forwards;
  assign prefix   = coarse ? fault_pkg::PrefixGroup : (forwards && !gateway) ? prefix_i : fault_pkg::PrefixRouter;
  assign nid      = gateway ? fault_pkg::GatewayOnly : (prefix == fault_pkg::PrefixNode) ? address_i[3:0] : 4'd0;
  assign address  = coarse ? 9'd0 : {forwards ? address_i[8:4] : 5'd0, nid};
  assign bid      = 5'(index_i);

  assign message_o = group_local_i
      ? {recovers, class_i, fault_pkg::PrefixRouter, own_gid_i, bid, gateway ? fault_pkg::GatewayOnly : 4'd0}
      : {recovers, class_i, prefix, index_i, address};

endmodule : fault_message
