// SPDX-License-Identifier: Apache-2.0
//
// The request logic between registers: a top for lockstep simulation. Pins sampled at edge t are answered from edge t+1
// on.
//
// `dbra_o` is circuit (a) of Fig. 4 beside circuit (b), for the comparison of the two.
//
// Cost: one arb_request_lane, one arb_request_dbra, registers at both ends.

module arb_request_logic #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            valid_i,
  input  logic [1:0]      scheme_i,
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_plus_i,
  input  logic [N*KW-1:0] credit_minus_i,
  output logic            valid_o,
  output logic [N-1:0]    remaining_o,
  output logic [N-1:0]    plus_o,
  output logic [N-1:0]    high_o,
  output logic [N-1:0]    low_o,
  output logic [N-1:0]    dbra_o,
  output logic [3:0]      z_o,
  output logic            eject_o
);

  logic            valid_q;
  logic [1:0]      scheme_q;
  logic [N*CW-1:0] at_q, dest_q;
  logic [N*KW-1:0] credit_plus_q, credit_minus_q;

  always_ff @(posedge clk_i) begin
    valid_q        <= rst_ni && valid_i;
    scheme_q       <= scheme_i;
    at_q           <= at_i;
    dest_q         <= dest_i;
    credit_plus_q  <= credit_plus_i;
    credit_minus_q <= credit_minus_i;
  end

  logic [N-1:0]    remaining, plus, high, low, dbra, unused_remaining;
  logic [N*KW-1:0] credit;
  logic [3:0]      z, unused_z;
  logic            eject;

  arb_request_lane #(.N(N), .CW(CW), .KW(KW)) u_lane (
    .scheme_i(scheme_q),
    .at_i(at_q),
    .dest_i(dest_q),
    .credit_plus_i(credit_plus_q),
    .credit_minus_i(credit_minus_q),
    .remaining_o(remaining),
    .plus_o(plus),
    .credit_o(credit),
    .z_o(z),
    .high_o(high),
    .low_o(low),
    .eject_o(eject)
  );

  arb_request_dbra #(.N(N), .CW(CW), .KW(KW)) u_dbra (
    .at_i(at_q), .dest_i(dest_q), .credit_i(credit), .remaining_o(unused_remaining), .z_o(unused_z), .request_o(dbra)
  );

  always_ff @(posedge clk_i) begin
    valid_o     <= rst_ni && valid_q;
    remaining_o <= (rst_ni && valid_q) ? remaining : '0;
    plus_o      <= (rst_ni && valid_q) ? plus : '0;
    high_o      <= (rst_ni && valid_q) ? high : '0;
    low_o       <= (rst_ni && valid_q) ? low : '0;
    dbra_o      <= (rst_ni && valid_q) ? dbra : '0;
    z_o         <= (rst_ni && valid_q) ? z : '0;
    eject_o     <= rst_ni && valid_q && eject;
  end

  logic unused_bits;
  assign unused_bits = ^{unused_remaining, unused_z};

endmodule : arb_request_logic
