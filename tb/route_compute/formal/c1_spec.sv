// SPDX-License-Identifier: Apache-2.0
// C1: docs/route_compute.md §5, stage 3, straight from the bytes of table C.

module c1_spec #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*48-1:0]    table_c_i,
  input  logic [P+A+H-2:0]   cong_local_i,
  input  logic [4:0]         own_bid_i,
  output logic [A*H-1:0]     congested_o
);

  logic [63:0] congested_port;
  assign congested_port = 64'(cong_local_i);

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    logic [5:0] blocked;  // byte k is not valid, or its port is congested
    for (genvar k = 0; k < 6; k = k + 1) begin : gen_byte
      logic [7:0] entry;
      assign entry      = table_c_i[48*r + 8*k +: 8];
      assign blocked[k] = !entry[7] || congested_port[entry[5:0]];
    end
    for (genvar i = 0; i < H; i = i + 1) begin : gen_port
      assign congested_o[r*H+i] = (own_bid_i == r) ? cong_local_i[P+A-1+i] : (blocked == 6'h3F);
    end
  end

endmodule : c1_spec

// rc_c1 sees table C as maps of local ports; that they are the decoded bytes is proved in table_c_spec.sv.
module c1_miter #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*48-1:0]  table_c_i,
  input  logic [P+A+H-2:0] cong_local_i,
  input  logic [4:0]       own_bid_i,
  output logic             bad_o
);

  logic [A*H-1:0] dut, spec;
  logic [A*H-1:0] own_window_i;
  logic [A*A-1:0] local_map_i;
  logic [A-1:0]   allowed;  // valid bytes name a local port: others are refused, see check_spec.sv
  logic [A-1:0]   reachable;

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_own
    assign own_window_i[j] = (own_bid_i == j / H);
  end

  table_c_decode #(.P(P), .A(A)) u_decode (.table_c_i, .local_map_o(local_map_i), .reachable_o(reachable), .allowed_o(allowed));

  rc_c1   #(.P(P), .A(A), .H(H)) u_dut  (.local_map_i, .cong_local_i, .own_window_i, .congested_o(dut));
  c1_spec #(.P(P), .A(A), .H(H)) u_spec (.table_c_i, .cong_local_i, .own_bid_i, .congested_o(spec));

  logic [A-1:0] wrong;
  for (genvar r = 0; r < A; r = r + 1) begin : gen_wrong
    assign wrong[r] = allowed[r] && (dut[r*H +: H] != spec[r*H +: H]);
  end

  assign bad_o = (own_bid_i < A) && (wrong != '0);

endmodule : c1_miter
