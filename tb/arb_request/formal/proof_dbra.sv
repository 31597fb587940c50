// SPDX-License-Identifier: Apache-2.0
//
// Proof: circuit (a) of Fig. 4 equals r_i & (credit_i >= z) for all inputs (D2RA eq. 6-8).

module proof_dbra #(
  parameter int N  = 3,
  parameter int CW = 8,
  parameter int KW = 8
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_i,
  output logic            bad_o
);

  logic [N-1:0] remaining, request, bad;
  logic [3:0]   z;
  logic [7:0]   r;
  logic [9:0]   sum;

  arb_request_dbra #(.N(N), .CW(CW), .KW(KW)) u_dbra (
    .at_i, .dest_i, .credit_i, .remaining_o(remaining), .z_o(z), .request_o(request)
  );

  for (genvar i = 0; i < 8; i++) begin : gen_r
    if (i < N) begin : gen_used
      assign r[i]   = |(at_i[i*CW +: CW] ^ dest_i[i*CW +: CW]);
      assign bad[i] = (request[i] != (r[i] && (10'(credit_i[i*KW +: KW]) >= sum))) || (remaining[i] != r[i]);
    end else begin : gen_unused
      assign r[i] = 1'b0;
    end
  end
  assign sum   = 10'(r[0]) + 10'(r[1]) + 10'(r[2]) + 10'(r[3]) + 10'(r[4]) + 10'(r[5]) + 10'(r[6]) + 10'(r[7]);
  assign bad_o = (bad != '0) || (10'(z) != sum);

endmodule : proof_dbra
