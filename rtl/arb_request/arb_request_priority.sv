// SPDX-License-Identifier: Apache-2.0
//
// Class of the D2RA requests (D2RA Alg. 1 lines 14-19): high where the credit meets the DBRA condition, low where only
// the DOR one.
//
// A request of another than the lowest dimension is always high, because its threshold was z. Only the lowest dimension
// needs a second comparison; its credit is selected by the one-hot vector s.
//
// Cost: N*KW AND-OR gates, one magnitude comparator, 3 gates a dimension: combinational.

module arb_request_priority #(
  parameter int N  = 3,  // dimensions, 1..8
  parameter int KW = 8   // bits of a credit, 1..8
) (
  input  logic [N*KW-1:0] credit_i,
  input  logic [N-1:0]    lowest_i,   // one-hot or zero
  input  logic [3:0]      z_i,
  input  logic [N-1:0]    request_i,  // of arb_request_d2ra
  output logic [N-1:0]    high_o,
  output logic [N-1:0]    low_o
);

  localparam int MW = (KW > 4) ? KW : 4;

  logic enough;

  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic [KW-1:0] credit_of_lowest;
    if (i == 0) begin : gen_first
      assign credit_of_lowest = credit_i[KW-1:0] & {KW{lowest_i[0]}};
    end else begin : gen_next
      assign credit_of_lowest = gen_dim[i-1].credit_of_lowest | (credit_i[i*KW +: KW] & {KW{lowest_i[i]}});
    end
  end

  assign enough = MW'(gen_dim[N-1].credit_of_lowest) >= MW'(z_i);
  assign high_o = request_i & (~lowest_i | {N{enough}});
  assign low_o  = request_i & lowest_i & {N{~enough}};

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    low_is_at_most_one_dimension: assert ((low_o & (low_o - N'(1'b1))) == '0);
    a_request_has_one_class: assert ((high_o & low_o) == '0 && (high_o | low_o) == request_i);
  end
`endif
`endif

endmodule : arb_request_priority
