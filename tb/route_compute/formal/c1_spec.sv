// SPDX-License-Identifier: Apache-2.0
// C1: docs/route_compute.md §5, stage 3. The proof has three parts, because the unit sees table C as maps of local
// ports: c1_miter (all rows, from the maps), c1_row_miter (a row: the map says the same as its bytes), table_c_miter
// (the maps are the bytes).

module c1_miter #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [A*A-1:0]      local_map_i,  // row r, bit k: a valid byte of table C[r] names local port P+k
  input  logic [NumPorts-1:0] cong_local_i,
  input  logic [4:0]          own_bid_i,
  output logic                bad_o
);

  logic [A*H-1:0] congested, spec, own_window_i;

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_own
    assign own_window_i[j] = (own_bid_i == 5'(j / H));
  end

  rc_c1 #(.P(P), .A(A), .H(H)) u_dut (.local_map_i, .cong_local_i, .own_window_i, .congested_o(congested));

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    logic [A-2:0] free;  // a valid local port to this router that is not congested
    for (genvar k = 0; k < A - 1; k = k + 1) begin : gen_local
      assign free[k] = local_map_i[r*A+k] && !cong_local_i[P+k];
    end
    for (genvar i = 0; i < H; i = i + 1) begin : gen_port
      assign spec[r*H+i] = (own_bid_i == 5'(r)) ? cong_local_i[P+A-1+i] : (free == '0);
    end
  end

  assign bad_o = (own_bid_i < A) && (congested != spec);

endmodule : c1_miter

module c1_row_miter #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [47:0]         row_i,
  input  logic [NumPorts-1:0] cong_local_i,
  output logic                bad_o
);

  logic [A-1:0] local_map;
  logic         reachable, allowed;
  logic [63:0]  congested_port;
  logic [5:0]   blocked;  // byte k is not valid, or its port is congested

  table_c_row #(.P(P), .A(A)) u_row (.row_i, .local_map_o(local_map), .reachable_o(reachable), .allowed_o(allowed));

  assign congested_port = 64'(cong_local_i);
  for (genvar k = 0; k < 6; k = k + 1) begin : gen_byte
    assign blocked[k] = !row_i[8*k + 7] || congested_port[row_i[8*k +: 6]];
  end

  // Rows that are not allowed cannot be written: see check_spec.sv.
  assign bad_o = allowed && ((blocked == 6'h3F) != ((local_map[A-2:0] & ~cong_local_i[P +: A-1]) == '0));

endmodule : c1_row_miter
