// SPDX-License-Identifier: Apache-2.0
//
// From local ports to the routers behind them: local port P+k leads to router `k < own_bid ? k : k+1`.
//
// Bits below the own router keep their place, the others move up by one; the own router's bit is 0.
//
// Cost: A two-input multiplexers and the mask of the own router: combinational.

module rc_local_to_router #(
  parameter int A = 32
) (
  input  logic [A-2:0]                           local_i,  // bit k: local port P+k
  input  logic [route_compute_pkg::BidWidth-1:0] own_bid_i,
  output logic [A-1:0]                           router_o  // bit r: router r of the group
);

  logic [A-1:0] from_own;
  logic [A-1:0] ports;

  assign from_own = {A{1'b1}} << own_bid_i;
  assign ports    = {1'b0, local_i};
  assign router_o = (ports & ~from_own) | ((ports & from_own) << 1);

endmodule : rc_local_to_router
