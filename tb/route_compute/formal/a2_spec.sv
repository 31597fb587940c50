// SPDX-License-Identifier: Apache-2.0
// A2: docs/route_compute.md §5, stage 3.

module a2_spec #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int NB = 8
) (
  input  logic [63:0]    entry_i,
  input  logic [4:0]     own_bid_i,
  input  logic [A-1:0]   reachable_i,
  input  logic [A*H-1:0] usable_i,
  input  logic [A*H-1:0] min_i,
  output logic [A*H-1:0] nonmin_o
);

  logic [NB-1:0]   is_local;
  logic [NB*6-1:0] behind;  // the router behind local port lpc_k

  for (genvar k = 0; k < NB; k = k + 1) begin : gen_neighbour
    logic [5:0] lpc;
    assign lpc              = entry_i[6*k +: 6];
    assign is_local[k]      = (lpc >= P) && (lpc < P + A - 1);
    assign behind[6*k +: 6] = dragonfly_spec::neighbour(lpc - 6'(P), own_bid_i);
  end

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    logic [NB-1:0] named;
    logic          own;
    for (genvar k = 0; k < NB; k = k + 1) begin : gen_named
      assign named[k] = is_local[k] && (behind[6*k +: 6] == 6'(r));
    end
    assign own = (own_bid_i == 5'(r));
    for (genvar i = 0; i < H; i = i + 1) begin : gen_port
      assign nonmin_o[r*H+i] = (own ? entry_i[48+i] : (named != '0 && reachable_i[r])) && usable_i[r*H+i] &&
                               !min_i[r*H+i];
    end
  end

endmodule : a2_spec

module a2_miter #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int NB = 8
) (
  input  logic [63:0]    entry_i,
  input  logic [4:0]     own_bid_i,
  input  logic [A-1:0]   reachable_i,
  input  logic [A*H-1:0] usable_i,
  input  logic [A*H-1:0] min_i,
  output logic           bad_o
);

  logic [A*H-1:0] dut, spec;
  logic [A*H-1:0] own_window_i;

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_own
    assign own_window_i[j] = (own_bid_i == 5'(j / H));
  end

  rc_a2 #(.P(P), .A(A), .H(H), .NB(NB)) u_dut (
    .entry_i, .own_bid_i, .own_window_i, .reachable_i, .usable_i, .min_i, .nonmin_o(dut)
  );
  a2_spec #(.P(P), .A(A), .H(H), .NB(NB)) u_spec (
    .entry_i, .own_bid_i, .reachable_i, .usable_i, .min_i, .nonmin_o(spec)
  );

  assign bad_o = (own_bid_i < A) && (dut != spec);

endmodule : a2_miter
