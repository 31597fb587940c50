// SPDX-License-Identifier: Apache-2.0
//
// Unit A2 of stage 3, RTA: expand a global entry of table B to the group-wide vector of non-minimal options (DOAR §3.2,
// Fig. 6).
//
// The entry names up to NB local ports, each of which stands for all H global ports of the router behind it, and has a
// map of the own router's global ports. A port that is not cabled, whose router can't be reached, or that is a minimal
// option, is left out.
//
// Cost: NB port decoders of 6 bits and A*H AND-OR gates: combinational.

module rc_a2 #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int NB = 8
) (
  input  logic [63:0]                            entry_i,
  input  logic [route_compute_pkg::BidWidth-1:0] own_bid_i,
  input  logic [A*H-1:0]                         own_window_i,
  input  logic [A-1:0]                           reachable_i,
  input  logic [A*H-1:0]                         usable_i,
  input  logic [A*H-1:0]                         min_i,
  output logic [A*H-1:0]                         nonmin_o
);

  logic [63:0]    ports;
  logic [15:0]    own_ports;
  logic [A-1:0]   routers;
  logic [A*H-1:0] windows;

  assign own_ports = entry_i[route_compute_pkg::EntryBMapLsb +: 16];

  integer k;

  always_comb begin
    ports = '0;
    for (k = 0; k < NB; k = k + 1) begin
      ports = ports | (64'd1 << entry_i[6*k +: 6]);
    end
  end

  rc_local_to_router #(.A(A)) u_local_to_router (
    .local_i  ((A-1)'(ports >> P)),
    .own_bid_i(own_bid_i),
    .router_o (routers)
  );

  rc_replicate #(.A(A), .H(H)) u_replicate (
    .router_i(routers & reachable_i),
    .ports_o (windows)
  );

  assign nonmin_o = (windows | (own_window_i & {A{own_ports[H-1:0]}})) & usable_i & ~min_i;

  if (NB < 8 || H < 16) begin : gen_unused
    logic unused_entry;
    assign unused_entry = ^{entry_i, own_ports};
  end

endmodule : rc_a2
