// SPDX-License-Identifier: Apache-2.0
//
// Proof: the request logic of a lane equals the formulas of docs/arb_request.md §2 for all inputs. Stated independently
// of the RTL: a sum written as one expression, "lowest" by masks, the comparison for both classes in every dimension.

module proof_request #(
  parameter int N  = 3,
  parameter int CW = 8,
  parameter int KW = 8
) (
  input  logic [1:0]      scheme_i,
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_plus_i,
  input  logic [N*KW-1:0] credit_minus_i,
  output logic            bad_o
);

  logic [N-1:0]    remaining, plus, high, low;
  logic [N*KW-1:0] credit;
  logic [3:0]      z;
  logic            eject;

  arb_request_lane #(.N(N), .CW(CW), .KW(KW)) u_lane (
    .scheme_i, .at_i, .dest_i, .credit_plus_i, .credit_minus_i,
    .remaining_o(remaining), .plus_o(plus), .credit_o(credit), .z_o(z), .high_o(high), .low_o(low), .eject_o(eject)
  );

  // r as one 8-bit vector; z as one sum.
  logic [7:0] r;
  logic [9:0] sum;
  for (genvar i = 0; i < 8; i++) begin : gen_r
    if (i < N) begin : gen_used
      assign r[i] = |(at_i[i*CW +: CW] ^ dest_i[i*CW +: CW]);
    end else begin : gen_unused
      assign r[i] = 1'b0;
    end
  end
  assign sum = 10'(r[0]) + 10'(r[1]) + 10'(r[2]) + 10'(r[3]) + 10'(r[4]) + 10'(r[5]) + 10'(r[6]) + 10'(r[7]);

  logic [N-1:0] bad;
  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic       up, is_lowest, dbra, dor, want_high, want_low;
    logic [9:0] have;
    assign up        = dest_i[i*CW +: CW] > at_i[i*CW +: CW];
    assign have      = 10'(up ? credit_plus_i[i*KW +: KW] : credit_minus_i[i*KW +: KW]);
    assign is_lowest = r[i] && ((r & 8'((1 << i) - 1)) == 8'd0);
    assign dbra      = r[i] && (have >= sum);
    assign dor       = is_lowest && (have >= 10'd1);
    // 0 DOR, 1 DBRA, 2 and 3 D2RA.
    assign want_high = (scheme_i == 2'd0) ? (dor && dbra) : dbra;
    assign want_low  = (scheme_i == 2'd1) ? 1'b0 : (dor && !dbra);
    assign bad[i] = (high[i] != want_high) || (low[i] != want_low) || (remaining[i] != r[i]) || (plus[i] != up)
                    || (10'(credit[i*KW +: KW]) != have);
  end

  assign bad_o = (bad != '0) || (10'(z) != sum) || (eject != (at_i == dest_i));

endmodule : proof_request
