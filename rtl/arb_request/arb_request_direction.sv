// SPDX-License-Identifier: Apache-2.0
//
// Direction of a packet in every dimension and the credit of the queue that lies there (D2RA Alg. 1 lines 9-13).
//
// `plus_o[i]` = destination coordinate above the own one. It is 0 as well where nothing remains, and the credit is then
// that of direction minus, which nobody uses.
//
// Cost, a dimension: one CW-bit magnitude comparator, KW two-to-one selectors: combinational.

module arb_request_direction #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_plus_i,
  input  logic [N*KW-1:0] credit_minus_i,
  output logic [N-1:0]    plus_o,
  output logic [N*KW-1:0] credit_o
);

  for (genvar i = 0; i < N; i++) begin : gen_dim
    assign plus_o[i] = dest_i[i*CW +: CW] > at_i[i*CW +: CW];
    assign credit_o[i*KW +: KW] = plus_o[i] ? credit_plus_i[i*KW +: KW] : credit_minus_i[i*KW +: KW];
  end

endmodule : arb_request_direction
