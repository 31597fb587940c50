// SPDX-License-Identifier: Apache-2.0
//
// Number of remaining dimensions: z = sum of the bits of r (D2RA Alg. 1 line 2).
//
// A chain of incrementers. Cost: N 4-bit half-adder chains; depth O(N): combinational.

module arb_request_count #(
  parameter int N = 3  // dimensions, 1..8
) (
  input  logic [N-1:0] remaining_i,
  output logic [3:0]   z_o
);

  for (genvar i = 0; i < N; i++) begin : gen_sum
    logic [3:0] sum;
    if (i == 0) begin : gen_first
      assign sum = 4'(remaining_i[0]);
    end else begin : gen_next
      assign sum = gen_sum[i-1].sum + 4'(remaining_i[i]);
    end
  end

  assign z_o = gen_sum[N-1].sum;

endmodule : arb_request_count
