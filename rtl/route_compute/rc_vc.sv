// SPDX-License-Identifier: Apache-2.0
//
// Virtual channel at the output (DOAR §3.2): the channel order G0 < L0 < G1 < L1 < G2 < L2 < G3 < L3 is climbed at
// every hop.
//
// A packet enters the network at VC 0. At a local or global input it takes the next VC when the output's level (node 0,
// local 1, global 2) is at least the input's. There is no VC after 3: `overflow_o`.
//
// Cost: two comparators of a port number with a constant, a 2-bit incrementer: combinational.

module rc_vc #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [1:0]                              port_class_i,  // of the input
  input  logic [1:0]                              vc_i,
  input  logic [route_compute_pkg::PortWidth-1:0] output_port_i,
  output logic [1:0]                              vc_o,
  output logic                                    overflow_o
);

  logic [1:0] output_level;
  logic       at_node;
  logic       rise;

  assign output_level = (output_port_i < 6'(P))         ? route_compute_pkg::PortClassNode  :
                        (output_port_i < 6'(P + A - 1)) ? route_compute_pkg::PortClassLocal :
                                                          route_compute_pkg::PortClassGlobal;

  assign at_node    = (port_class_i == route_compute_pkg::PortClassNode);
  assign rise       = !at_node && (output_level >= port_class_i);
  assign overflow_o = rise && (vc_i == 2'd3);
  assign vc_o       = at_node ? 2'd0 : (vc_i + 2'(rise));

endmodule : rc_vc
