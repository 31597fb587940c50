// SPDX-License-Identifier: Apache-2.0
//
// Unit C1 of stage 3, RTA: expand local congestion to the global ports of the group (DOAR §3.2, Fig. 6).
//
// Every global port of another router is congested when all valid local ports that lead to this router are; a global
// port of the own router when this port is. A row of table C without a valid port reads as congested: its router can't
// be reached.
//
// Cost: A * (A-1) AND gates and A OR trees, A*H multiplexers of two inputs: combinational.

module rc_c1 #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [A*A-1:0]      local_map_i,  // of table C, see rc_table_c
  input  logic [NumPorts-1:0] cong_local_i,
  input  logic [A*H-1:0]      own_window_i,
  output logic [A*H-1:0]      congested_o
);

  logic [A-1:0]   free_local;
  logic [A*H-1:0] remote;

  assign free_local = {1'b0, ~cong_local_i[P +: A-1]};

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    assign remote[r*H +: H] = {H{(local_map_i[r*A +: A] & free_local) == '0}};
  end

  assign congested_o = (remote & ~own_window_i) | ({A{cong_local_i[P+A-1 +: H]}} & own_window_i);

  logic unused_node_ports;
  assign unused_node_ports = ^cong_local_i[P-1:0];

endmodule : rc_c1
