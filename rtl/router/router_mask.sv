// SPDX-License-Identifier: Apache-2.0
//
// What the fault plane leaves of the words of a look-up, in front of stage 3 of route compute (docs/router.md §3.2):
// the options that are effective (docs/fault.md §4) stay in the words, the others are taken out.
//
// Cost: router_options, fault_lookup, NB port comparisons: combinational.

module router_mask #(
  parameter  int P        = 2,
  parameter  int A        = 4,
  parameter  int H        = 2,
  parameter  int NB       = 8,
  parameter  int Class    = 0,  // of the port
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic                transit_i,
  input  logic [1:0]          vc_i,
  input  logic [63:0]         word_a_i,
  input  logic [63:0]         word_b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  input  logic [NumPorts-1:0] unheard_i,
  output logic [63:0]         word_a_o,
  output logic [63:0]         word_b_o
);

  localparam logic [1:0]  PortClass = 2'(Class);
  localparam logic [63:0] NoWay     = 64'(route_compute_pkg::PortNone) << route_compute_pkg::MapWidth;

  logic                is_global, has_a;
  logic [5:0]          port_a;
  logic [NumPorts-1:0] options_b, a, b;

  assign is_global = (PortClass == fault_pkg::PortClassNode) && (zone_i == fault_pkg::ZoneG);

  router_options #(.P(P), .A(A), .H(H), .NB(NB)) u_options (
    .global_i   (is_global),
    .has_b_i    (zone_i != fault_pkg::ZoneN),
    .word_a_i,
    .word_b_i,
    .has_a_o    (has_a),
    .port_a_o   (port_a),
    .options_b_o(options_b)
  );

  fault_lookup #(.P(P), .A(A), .H(H)) u_lookup (
    .zone_i,
    .class_i  (PortClass),
    .transit_i,
    .vc_i,
    .has_a_i  (has_a),
    .a_i      (port_a),
    .b_i      (options_b),
    .level_a_i,
    .lost_i,
    .partial_i,
    .mask_i   (unheard_i),
    .a_o      (a),
    .b_o      (b)
  );

  // A global entry of table B: a neighbour that is no option is none, the map keeps what is one.
  logic [63:0] global_b;
  for (genvar n = 0; n < route_compute_pkg::NeighboursB; n = n + 1) begin : gen_neighbour
    logic [5:0] port;
    assign port = word_b_i[6*n +: 6];
    assign global_b[6*n +: 6] = ((64'(b) >> port) & 64'd1) != '0 ? port : route_compute_pkg::PortNone;
  end
  assign global_b[63:48] = 16'(64'(b) >> (P + A - 1));

  assign word_a_o = (a != '0) ? word_a_i : is_global ? NoWay : '0;
  assign word_b_o = is_global ? global_b : 64'(b);

endmodule : router_mask
