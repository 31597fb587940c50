// SPDX-License-Identifier: Apache-2.0
//
// The request logic of one sub-queue (docs/arb_request.md §2): direction, circuit (b) of Fig. 4, class, and the scheme
// of the router.
//
// DBRA's requests are the high ones of D2RA, DOR's are those of the lowest dimension, so the three schemes share one
// circuit.
//
// Cost: arb_request_direction + arb_request_d2ra + arb_request_priority + 2 gates a dimension: combinational.

module arb_request_lane #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [1:0]      scheme_i,
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_plus_i,
  input  logic [N*KW-1:0] credit_minus_i,
  output logic [N-1:0]    remaining_o,
  output logic [N-1:0]    plus_o,
  output logic [N*KW-1:0] credit_o,
  output logic [3:0]      z_o,
  output logic [N-1:0]    high_o,
  output logic [N-1:0]    low_o,
  output logic            eject_o
);

  logic [N-1:0] lowest, request, high, low;
  logic         is_dor, is_dbra;

  arb_request_direction #(.N(N), .CW(CW), .KW(KW)) u_direction (
    .at_i, .dest_i, .credit_plus_i, .credit_minus_i, .plus_o, .credit_o
  );

  arb_request_d2ra #(.N(N), .CW(CW), .KW(KW)) u_d2ra (
    .at_i, .dest_i, .credit_i(credit_o), .remaining_o, .lowest_o(lowest), .z_o, .request_o(request)
  );

  arb_request_priority #(.N(N), .KW(KW)) u_priority (
    .credit_i(credit_o), .lowest_i(lowest), .z_i(z_o), .request_i(request), .high_o(high), .low_o(low)
  );

  assign is_dor  = (scheme_i == arb_request_pkg::SchemeDor);
  assign is_dbra = (scheme_i == arb_request_pkg::SchemeDbra);
  assign high_o  = high & (lowest | {N{~is_dor}});
  assign low_o   = low & {N{~is_dbra}};
  assign eject_o = (z_o == 4'd0);

endmodule : arb_request_lane
