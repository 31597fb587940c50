// SPDX-License-Identifier: Apache-2.0
// M, P2: docs/route_compute.md §5, stage 4, RTA. Only a router with a valid port can win (it is reachable).

module m_p2_spec (
  input  logic [47:0] entry_i,
  input  logic [63:0] cong_local_i,
  input  logic [7:0]  random_i,
  output logic        valid_o,  // there is a valid port
  output logic [5:0]  port_o
);

  logic [5:0]  valid, free, request;
  logic [15:0] way;

  for (genvar k = 0; k < 6; k = k + 1) begin : gen_byte
    assign valid[k] = entry_i[8*k + 7];
    assign free[k]  = valid[k] && !cong_local_i[entry_i[8*k +: 6]];
  end

  assign valid_o = (valid != '0);
  assign request = (free == '0) ? valid : free;

  pick_spec #(.Width(6)) u_pick (.request_i(request), .fraction_i(random_i), .index_o(way));

  integer k;
  always_comb begin
    port_o = 6'd0;
    for (k = 0; k < 6; k = k + 1) begin
      if (way == k) port_o = entry_i[8*k +: 6];
    end
  end

endmodule : m_p2_spec

module m_p2_miter (
  input  logic [47:0] entry_i,
  input  logic [63:0] cong_local_i,
  input  logic [7:0]  random_i,
  output logic        bad_o
);

  logic [5:0] port, port_spec;
  logic       valid;

  rc_m_p2   u_dut  (.entry_i, .cong_local_i, .random_i, .port_o(port));
  m_p2_spec u_spec (.entry_i, .cong_local_i, .random_i, .valid_o(valid), .port_o(port_spec));

  assign bad_o = valid && (port != port_spec);

endmodule : m_p2_miter

// The port is a valid one of the entry, and a congested one only if all valid ones are.
module m_p2_grant_miter (
  input  logic [47:0] entry_i,
  input  logic [63:0] cong_local_i,
  input  logic [7:0]  random_i,
  output logic        bad_o
);

  logic [5:0] port;
  logic [5:0] valid, free, named;

  rc_m_p2 u_dut (.entry_i, .cong_local_i, .random_i, .port_o(port));

  for (genvar k = 0; k < 6; k = k + 1) begin : gen_byte
    assign valid[k] = entry_i[8*k + 7];
    assign free[k]  = valid[k] && !cong_local_i[entry_i[8*k +: 6]];
    assign named[k] = (port == entry_i[8*k +: 6]);
  end

  assign bad_o = (valid != '0) && ((named & valid) == '0 || (free != '0 && (named & free) == '0));

endmodule : m_p2_grant_miter
