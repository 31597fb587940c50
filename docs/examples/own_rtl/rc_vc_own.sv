// SPDX-License-Identifier: Apache-2.0
//
// One unit of route compute, written anew with a bug: the virtual channel has to rise whenever the output's level is at
// least the input's, this one leaves it when both are equal. Two local hops in a row then share a channel, and the
// network can deadlock.

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
  assign rise       = !at_node && (output_level > port_class_i);
  assign overflow_o = rise && (vc_i == 2'd3);
  assign vc_o       = at_node ? 2'd0 : (vc_i + 2'(rise));

endmodule : rc_vc
