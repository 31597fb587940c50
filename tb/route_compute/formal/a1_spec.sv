// SPDX-License-Identifier: Apache-2.0
// A1: docs/route_compute.md §5, stage 3.

module a1_spec #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [22:0]    entry_i,
  input  logic [4:0]     own_bid_i,
  input  logic [A-1:0]   reachable_i,
  input  logic [A*H-1:0] usable_i,
  output logic [A*H-1:0] min_o
);

  logic       own_flag;
  logic [5:0] lpc0;
  logic       is_local;
  logic [5:0] behind;

  assign own_flag = entry_i[22];
  assign lpc0     = entry_i[21:16];
  assign is_local = (lpc0 >= P) && (lpc0 < P + A - 1);
  assign behind   = dragonfly_spec::neighbour(lpc0 - 6'(P), own_bid_i);

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    logic named;
    assign named = own_flag ? (own_bid_i == 5'(r)) : (is_local && behind == 6'(r) && reachable_i[r]);
    for (genvar i = 0; i < H; i = i + 1) begin : gen_port
      assign min_o[r*H+i] = named && entry_i[i] && usable_i[r*H+i];
    end
  end

endmodule : a1_spec

module a1_miter #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [22:0]    entry_i,
  input  logic [4:0]     own_bid_i,
  input  logic [A-1:0]   reachable_i,
  input  logic [A*H-1:0] usable_i,
  output logic           bad_o
);

  logic [A*H-1:0] dut, spec;

  rc_a1   #(.P(P), .A(A), .H(H)) u_dut  (.entry_i, .own_bid_i, .reachable_i, .usable_i, .min_o(dut));
  a1_spec #(.P(P), .A(A), .H(H)) u_spec (.entry_i, .own_bid_i, .reachable_i, .usable_i, .min_o(spec));

  assign bad_o = (own_bid_i < A) && (dut != spec);

endmodule : a1_miter
