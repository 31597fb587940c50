// SPDX-License-Identifier: Apache-2.0
//
// Whether a port number is that of a local port.
//
// Cost: two comparators with constants: combinational.

module rc_is_local #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [route_compute_pkg::PortWidth-1:0] port_i,
  output logic                                    local_o
);

  assign local_o = ({1'b0, port_i} >= 7'(P)) && ({1'b0, port_i} < 7'(P + A - 1));

endmodule : rc_is_local
