// SPDX-License-Identifier: Apache-2.0
//
// Unit A1 of stage 3, RTA: expand a global entry of table A to the group-wide vector of minimal options (DOAR §3.2,
// Fig. 6).
//
// The entry names one router, the own one by a flag or another one by the local port that leads to it, and a map GP of
// that router's global ports. A port that is not cabled, or whose router can't be reached (no valid port in table C),
// is no option.
//
// Cost: a 6-bit port decoder and A*H AND gates of three inputs: combinational.

module rc_a1 #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [route_compute_pkg::EntryAWidth-1:0] entry_i,
  input  logic [route_compute_pkg::BidWidth-1:0]    own_bid_i,
  input  logic [A-1:0]                              reachable_i,
  input  logic [A*H-1:0]                            usable_i,
  output logic [A*H-1:0]                            min_o
);

  logic           own;
  logic [5:0]     number;
  logic [A-2:0]   local_port;
  logic [15:0]    ports;
  logic [A-1:0]   behind_port;
  logic [A-1:0]   router;
  logic [A*H-1:0] window;

  assign {own, number, ports} = entry_i;

  assign local_port = (A-1)'((64'd1 << number) >> P);

  rc_local_to_router #(.A(A)) u_local_to_router (
    .local_i  (local_port),
    .own_bid_i(own_bid_i),
    .router_o (behind_port)
  );

  assign router = own ? (A'(1'b1) << own_bid_i) : (behind_port & reachable_i);

  rc_replicate #(.A(A), .H(H)) u_replicate (
    .router_i(router),
    .ports_o (window)
  );

  assign min_o = window & {A{ports[H-1:0]}} & usable_i;

  if (H < 16) begin : gen_unused
    logic unused_ports;
    assign unused_ports = ^ports;
  end

endmodule : rc_a1
