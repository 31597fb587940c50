// SPDX-License-Identifier: Apache-2.0
// F, S1, S2: docs/route_compute.md §5, stage 3, RTB.

module s_spec #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic                transit_i,
  input  logic [NumPorts-1:0] entry_a_i,
  input  logic [NumPorts-1:0] entry_b_i,
  input  logic [NumPorts-1:0] cong_local_i,
  input  logic [NumPorts-1:0] detour_local_i,
  input  logic                minimal_i,
  output logic [NumPorts-1:0] s1_o,
  output logic [NumPorts-1:0] s2_o,
  output logic [NumPorts-1:0] fallback_o
);

  logic [NumPorts-1:0] option_a;

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_port
    logic is_local, is_global, keep, le, lf;
    assign is_local      = (k >= P) && (k < P + A - 1);
    assign is_global     = (k >= P + A - 1);
    assign keep          = (zone_i != 2'd2) || (transit_i ? is_local : is_global);
    assign le            = (zone_i != 2'd3) && entry_a_i[k];
    assign lf            = (zone_i == 2'd1 || zone_i == 2'd2) && entry_b_i[k] && keep;
    assign s1_o[k]       = le && !cong_local_i[k];
    assign s2_o[k]       = lf && !detour_local_i[k];
    assign option_a[k]   = le;
    assign fallback_o[k] = le || (lf && !(minimal_i && option_a != '0));
  end

endmodule : s_spec

module s_miter #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic                transit_i,
  input  logic [NumPorts-1:0] entry_a_i,
  input  logic [NumPorts-1:0] entry_b_i,
  input  logic [NumPorts-1:0] cong_local_i,
  input  logic [NumPorts-1:0] detour_local_i,
  input  logic                minimal_i,
  output logic                bad_o
);

  logic [NumPorts-1:0] s1, s2, fallback, s1_spec, s2_spec, fallback_spec;

  rc_s #(.P(P), .A(A), .H(H)) u_dut (
    .zone_i, .transit_i, .entry_a_i, .entry_b_i, .cong_local_i, .detour_local_i, .minimal_i, .s1_o(s1), .s2_o(s2),
    .fallback_o(fallback)
  );
  s_spec #(.P(P), .A(A), .H(H)) u_spec (
    .zone_i, .transit_i, .entry_a_i, .entry_b_i, .cong_local_i, .detour_local_i, .minimal_i, .s1_o(s1_spec),
    .s2_o(s2_spec), .fallback_o(fallback_spec)
  );

  assign bad_o = ({s1, s2, fallback} != {s1_spec, s2_spec, fallback_spec});

endmodule : s_miter
