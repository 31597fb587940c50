// SPDX-License-Identifier: Apache-2.0
//
// Unit P3 of stage 4, RTB: pick the output port, S1 before S2 before the fallback vector (DOAR §3.2, Fig. 6).
//
// Cost: three OR trees, a 3:1 multiplexer and an even pick of NumPorts bits: combinational.

module rc_p3 #(
  parameter int NumPorts = 63
) (
  input  logic [NumPorts-1:0]                     s1_i,
  input  logic [NumPorts-1:0]                     s2_i,
  input  logic [NumPorts-1:0]                     fallback_i,
  input  logic [15:0]                             random_i,
  output logic [2:0]                              nonempty_o,  // {fallback, S2, S1}
  output logic [2:0]                              hop_class_o,
  output logic [route_compute_pkg::PortWidth-1:0] port_o       // 0 when unroutable
);

  localparam int PickWidth = $clog2(NumPorts);

  logic [NumPorts-1:0]  chosen;
  logic [PickWidth-1:0] port;

  logic has_s1, has_s2, has_fallback;
  assign has_s1       = s1_i != '0;
  assign has_s2       = s2_i != '0;
  assign has_fallback = fallback_i != '0;
  assign nonempty_o   = {has_fallback, has_s2, has_s1};

  assign chosen = has_s1 ? s1_i : has_s2 ? s2_i : fallback_i;

  assign hop_class_o = has_s1       ? route_compute_pkg::HopLE       :
                       has_s2       ? route_compute_pkg::HopLF       :
                       has_fallback ? route_compute_pkg::HopFallback : route_compute_pkg::HopUnroutable;

  even_pick #(.Width(NumPorts), .FractionWidth(16)) u_pick_port (
    .request_i (chosen),
    .fraction_i(random_i),
    .index_o   (port)
  );

  assign port_o = route_compute_pkg::PortWidth'(port);

endmodule : rc_p3
