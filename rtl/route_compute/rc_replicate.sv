// SPDX-License-Identifier: Apache-2.0
//
// From routers to their global ports: bit r of the input fills bits r*H .. r*H+H-1 of the output.
//
// Cost: wires only.

module rc_replicate #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A-1:0]   router_i,
  output logic [A*H-1:0] ports_o
);

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    assign ports_o[r*H +: H] = {H{router_i[r]}};
  end

endmodule : rc_replicate
