// SPDX-License-Identifier: Apache-2.0
//
// Proof: the two stages of torus_route equal the rules of docs/torus.md §5 for every packet inside the torus, every
// header, every pattern of blocked ports and every wall.

module proof_route #(
  parameter int KX      = 10,
  parameter int KY      = 10,
  parameter int CW      = 4,
  parameter int Ring    = 1,
  parameter int Detours = 2
) (
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,
  input  logic [3:0]    blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  output logic          bad_o
);

  logic       eject, drop, spec_eject, spec_drop, inside;
  logic [1:0] port, spec_port;
  logic [2:0] vc, spec_vc;
  logic [3:0] header, spec_header;

  torus_decision #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring), .Detours(Detours)) u_rtl (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .eject_o(eject), .drop_o(drop), .port_o(port), .vc_o(vc), .header_o(header)
  );
  torus_route_spec #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring), .Detours(Detours)) u_spec (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .eject_o(spec_eject), .drop_o(spec_drop), .port_o(spec_port), .vc_o(spec_vc), .header_o(spec_header)
  );

  assign inside = (8'(at_x_i) < 8'(KX)) && (8'(dest_x_i) < 8'(KX)) && (8'(at_y_i) < 8'(KY)) && (8'(dest_y_i) < 8'(KY));
  assign bad_o  = inside &&
                  ((eject != spec_eject) || (drop != spec_drop) || (port != spec_port) || (vc != spec_vc) ||
                   (header != spec_header));

endmodule : proof_route
