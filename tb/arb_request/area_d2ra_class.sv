// SPDX-License-Identifier: Apache-2.0
//
// Circuit (b) with the class of the requests, for the area comparison (area.toml).

module area_d2ra_class #(
  parameter int N  = 3,
  parameter int CW = 8,
  parameter int KW = 8
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_i,
  output logic [N-1:0]    remaining_o,
  output logic [3:0]      z_o,
  output logic [N-1:0]    high_o,
  output logic [N-1:0]    low_o
);

  logic [N-1:0] lowest, request;

  arb_request_d2ra #(.N(N), .CW(CW), .KW(KW)) u_d2ra (
    .at_i, .dest_i, .credit_i, .remaining_o, .lowest_o(lowest), .z_o, .request_o(request)
  );
  arb_request_priority #(.N(N), .KW(KW)) u_priority (
    .credit_i, .lowest_i(lowest), .z_i(z_o), .request_i(request), .high_o, .low_o
  );

endmodule : area_d2ra_class
