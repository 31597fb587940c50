// SPDX-License-Identifier: Apache-2.0
//
// DBRA request logic: circuit (a) of D2RA Fig. 4, one slice a dimension (eq. 6-8).
//
//   r_i       = u_i != v_i
//   request_i = r_i & (credit_i >= z)
//
// Cost, a dimension: a CW-bit equality comparator, a KW-bit magnitude comparator, one AND; z is counted once:
// combinational.

module arb_request_dbra #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_i,     // in the direction that the packet needs
  output logic [N-1:0]    remaining_o,
  output logic [3:0]      z_o,
  output logic [N-1:0]    request_o
);

  localparam int MW = (KW > 4) ? KW : 4;  // bits of the comparison with z

  arb_request_count #(.N(N)) u_count (.remaining_i(remaining_o), .z_o(z_o));

  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic enough;
    assign remaining_o[i] = at_i[i*CW +: CW] != dest_i[i*CW +: CW];
    assign enough         = MW'(credit_i[i*KW +: KW]) >= MW'(z_o);
    assign request_o[i]   = remaining_o[i] & enough;
  end

endmodule : arb_request_dbra
