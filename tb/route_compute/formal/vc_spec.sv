// SPDX-License-Identifier: Apache-2.0
// Virtual channel: docs/route_compute.md §5, stage 4.

module vc_spec #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [1:0] port_class_i,
  input  logic [1:0] vc_i,
  input  logic [5:0] output_port_i,
  output logic [2:0] vc_o  // 4: there is no such virtual channel
);

  integer level;

  always_comb begin
    level = (output_port_i < P) ? 0 : (output_port_i < P + A - 1) ? 1 : 2;
    vc_o  = (port_class_i == 2'd0) ? 3'd0 : (level >= port_class_i) ? {1'b0, vc_i} + 3'd1 : {1'b0, vc_i};
  end

endmodule : vc_spec

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
  logic [2:0] vc_wanted;
  logic       overflow;

  rc_vc   #(.P(P), .A(A)) u_dut  (.port_class_i, .vc_i, .output_port_i, .vc_o(vc), .overflow_o(overflow));
  vc_spec #(.P(P), .A(A)) u_spec (.port_class_i, .vc_i, .output_port_i, .vc_o(vc_wanted));

  assign bad_o = overflow ? (vc_wanted != 3'd4) : (vc_wanted != {1'b0, vc});

endmodule : vc_miter
