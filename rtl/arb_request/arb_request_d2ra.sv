// SPDX-License-Identifier: Apache-2.0
//
// D2RA request logic: circuits (b) and (c) of D2RA Fig. 4, one slice a dimension (eq. 11, 12).
//
//   r_i         = u_i != v_i
//   s_i         = r_i & ~r_{i-1} & ... & ~r_0        AND chain of two-input gates: is i the lowest remaining dimension?
//   threshold_i = s_i ? 1 : z                        selector: DOR or DBRA flow control
//   request_i   = r_i & (credit_i >= threshold_i)
//
// Cost: as arb_request_dbra plus, a dimension, two AND gates of the chain and a 4-bit selector with a constant:
// combinational. The chain is in series with the selector but in parallel to the counting of z.

module arb_request_d2ra #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int CW = 8,  // bits of a coordinate, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_i,     // in the direction that the packet needs
  output logic [N-1:0]    remaining_o,
  output logic [N-1:0]    lowest_o,
  output logic [3:0]      z_o,
  output logic [N-1:0]    request_o
);

  localparam int MW = (KW > 4) ? KW : 4;  // bits of the comparison with the threshold

  arb_request_count #(.N(N)) u_count (.remaining_i(remaining_o), .z_o(z_o));

  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic       none_below;  // no remaining dimension below i
    logic       enough;
    logic [3:0] threshold;
    if (i == 0) begin : gen_chain_start
      assign none_below = 1'b1;
    end else begin : gen_chain
      assign none_below = gen_dim[i-1].none_below & ~remaining_o[i-1];
    end
    assign remaining_o[i] = at_i[i*CW +: CW] != dest_i[i*CW +: CW];
    assign lowest_o[i]    = remaining_o[i] & none_below;
    assign threshold      = lowest_o[i] ? 4'd1 : z_o;
    assign enough         = MW'(credit_i[i*KW +: KW]) >= MW'(threshold);
    assign request_o[i]   = remaining_o[i] & enough;
  end

endmodule : arb_request_d2ra
