// SPDX-License-Identifier: Apache-2.0
// Virtual channel: docs/route_compute.md §5, stage 4.

module vc_miter #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [1:0] port_class_i,
  input  logic [1:0] vc_i,
  input  logic [5:0] output_port_i,
  output logic       bad_o
);

  logic [1:0] vc;
  logic       overflow;

  rc_vc #(.P(P), .A(A)) u_dut (.port_class_i, .vc_i, .output_port_i, .vc_o(vc), .overflow_o(overflow));

  integer level, vc_spec;

  always_comb begin
    level   = (output_port_i < P) ? 0 : (output_port_i < P + A - 1) ? 1 : 2;
    vc_spec = (port_class_i == 2'd0) ? 0 : (level >= port_class_i) ? vc_i + 1 : vc_i;
  end

  assign bad_o = (overflow != (vc_spec == 4)) || (vc_spec < 4 && vc != vc_spec);

endmodule : vc_miter
