// SPDX-License-Identifier: Apache-2.0
//
// Units M and P2 of stage 4, RTA: pick the local port that leads to the winner router (DOAR §3.2, Fig. 6).
//
// M takes the winner's six ports from table C and keeps the valid ones that are not congested, or all valid ones if
// there are none. P2 is an even pick among the six.
//
// Cost: six 64:1 multiplexers of one bit, an even pick of 6 bits, a 6:1 multiplexer of 6 bits: combinational.

module rc_m_p2 (
  input  logic [route_compute_pkg::EntryCWidth-1:0] entry_i,       // the winner's entry of table C
  input  logic [63:0]                               cong_local_i,  // by port number
  input  logic [7:0]                                random_i,
  output logic [route_compute_pkg::PortWidth-1:0]   port_o
);

  localparam int Ways     = route_compute_pkg::LocalPortsPerRouter;
  localparam int WayWidth = route_compute_pkg::WayWidth;

  logic [Ways-1:0] valid, free, request, unused_zero_bits;
  logic [2:0]      way;

  for (genvar k = 0; k < Ways; k = k + 1) begin : gen_way
    logic [route_compute_pkg::PortWidth-1:0] port;
    assign {valid[k], unused_zero_bits[k], port} = entry_i[WayWidth*k +: WayWidth];
    assign free[k] = valid[k] & ~cong_local_i[port];
  end

  assign request = (free != '0) ? free : valid;

  even_pick #(.Width(Ways), .FractionWidth(8)) u_pick_way (
    .request_i (request),
    .fraction_i(random_i),
    .index_o   (way)
  );

  assign port_o = entry_i[6'(WayWidth) * 6'(way) +: route_compute_pkg::PortWidth];

endmodule : rc_m_p2
