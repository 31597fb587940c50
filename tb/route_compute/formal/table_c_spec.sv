// SPDX-License-Identifier: Apache-2.0
// Table C: the stored maps are the decoded bytes at all times, and both read ports deliver what was written.

// One row: which local ports its valid bytes name.
module table_c_row #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [47:0]  row_i,
  output logic [A-1:0] local_map_o,
  output logic         reachable_o,
  output logic         allowed_o  // the row would not be refused for its ports
);

  logic [5:0]    valid, ok;
  logic [6*64-1:0] names;  // bit 64*k+p: byte k is valid and names port p

  for (genvar k = 0; k < 6; k = k + 1) begin : gen_byte
    logic [5:0] port;
    assign port     = row_i[8*k +: 6];
    assign valid[k] = row_i[8*k + 7];
    assign ok[k]    = !valid[k] || (port >= P && port < P + A - 1);
    assign names[64*k +: 64] = valid[k] ? (64'd1 << port) : 64'd0;
  end

  for (genvar n = 0; n < A - 1; n = n + 1) begin : gen_local
    assign local_map_o[n] = names[P+n] || names[64+P+n] || names[128+P+n] || names[192+P+n] || names[256+P+n] ||
                            names[320+P+n];
  end

  assign local_map_o[A-1] = 1'b0;
  assign reachable_o      = (valid != '0);
  assign allowed_o        = (ok == 6'h3F);

endmodule : table_c_row

module table_c_decode #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic [A*48-1:0] table_c_i,
  output logic [A*A-1:0]  local_map_o,
  output logic [A-1:0]    reachable_o,
  output logic [A-1:0]    allowed_o
);

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    table_c_row #(.P(P), .A(A)) u_row (
      .row_i(table_c_i[48*r +: 48]), .local_map_o(local_map_o[r*A +: A]), .reachable_o(reachable_o[r]),
      .allowed_o(allowed_o[r])
    );
  end

endmodule : table_c_decode

module table_c_miter #(
  parameter int         P    = 16,
  parameter int         A    = 32,
  parameter logic [31:0] Rows = 32'hFFFF_FFFF  // whose maps are compared; all rows are alike, so at full size some do
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        write_i,
  input  logic [4:0]  index_i,
  input  logic [47:0] wdata_i,
  input  logic [4:0]  winner_i,
  output logic        bad_o
);

  logic           started_q = 1'b0;
  logic [A*48-1:0] table_q;

  for (genvar r = 0; r < A; r = r + 1) begin : gen_row
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                      table_q[48*r +: 48] <= 48'd0;
      else if (write_i && index_i == r) table_q[48*r +: 48] <= wdata_i;
    end
  end
  always_ff @(posedge clk_i) started_q <= started_q || !rst_ni;

  logic [47:0]    rdata, rdata_spec, winner, winner_spec;
  logic [A*A-1:0] local_map, local_map_spec;
  logic [A-1:0]   reachable, reachable_spec, allowed;

  table_c_decode #(.P(P), .A(A)) u_spec (
    .table_c_i(table_q), .local_map_o(local_map_spec), .reachable_o(reachable_spec), .allowed_o(allowed)
  );

  rc_table_c #(.P(P), .A(A)) u_dut (
    .clk_i, .rst_ni, .write_i, .index_i, .wdata_i, .rdata_o(rdata), .local_map_o(local_map), .reachable_o(reachable),
    .winner_i, .winner_entry_o(winner)
  );

  integer r;
  always_comb begin
    rdata_spec  = 48'd0;
    winner_spec = 48'd0;
    for (r = 0; r < A; r = r + 1) begin
      if (index_i == r)  rdata_spec  = table_q[48*r +: 48];
      if (winner_i == r) winner_spec = table_q[48*r +: 48];
    end
  end

  logic [A-1:0] wrong;
  for (genvar k = 0; k < A; k = k + 1) begin : gen_compare
    assign wrong[k] = Rows[k] && (local_map[k*A +: A] != local_map_spec[k*A +: A] || reachable[k] != reachable_spec[k]);
  end

  assign bad_o = started_q && (wrong != '0 ||
                               (index_i < A && rdata != rdata_spec) || (winner_i < A && winner != winner_spec));

endmodule : table_c_miter
