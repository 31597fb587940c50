// SPDX-License-Identifier: Apache-2.0
// N1, N2: docs/route_compute.md §5, stage 3.

module n_spec #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0] min_i,
  input  logic [A*H-1:0] nonmin_i,
  input  logic [A*H-1:0] cong_global_i,
  input  logic [A*H-1:0] cong_c1_i,
  input  logic [A*H-1:0] detour_global_i,
  input  logic [A*H-1:0] detour_c1_i,
  output logic [A*H-1:0] min_free_o,
  output logic [A*H-1:0] nonmin_free_o
);

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_port
    logic congested, busy;
    assign congested        = cong_global_i[j] || cong_c1_i[j];
    assign busy             = detour_global_i[j] || detour_c1_i[j];
    assign min_free_o[j]    = min_i[j] && !congested;
    assign nonmin_free_o[j] = nonmin_i[j] && !busy;
  end

endmodule : n_spec

module n_miter #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0] min_i,
  input  logic [A*H-1:0] nonmin_i,
  input  logic [A*H-1:0] cong_global_i,
  input  logic [A*H-1:0] cong_c1_i,
  input  logic [A*H-1:0] detour_global_i,
  input  logic [A*H-1:0] detour_c1_i,
  output logic           bad_o
);

  logic [A*H-1:0] min_free, nonmin_free, min_free_spec, nonmin_free_spec;

  rc_n #(.A(A), .H(H)) u_dut (
    .min_i, .nonmin_i, .cong_global_i, .cong_c1_i, .detour_global_i, .detour_c1_i, .min_free_o(min_free),
    .nonmin_free_o(nonmin_free)
  );
  n_spec #(.A(A), .H(H)) u_spec (
    .min_i, .nonmin_i, .cong_global_i, .cong_c1_i, .detour_global_i, .detour_c1_i, .min_free_o(min_free_spec),
    .nonmin_free_o(nonmin_free_spec)
  );

  assign bad_o = (min_free != min_free_spec) || (nonmin_free != nonmin_free_spec);

endmodule : n_miter
