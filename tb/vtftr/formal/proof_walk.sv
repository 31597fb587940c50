// SPDX-License-Identifier: Apache-2.0
//
// The update unit and a table of one row, any one: whenever no walk is under way the row is B[t] of the mask as it is
// shown, so that the table form answers as the mask form does. Roots only; messages, stalls and resets as they come.

module proof_walk #(
  parameter int N = 3,
  parameter int M = 3,
  parameter int S = 3
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        column_i,
  input  logic [6:0]  row_i,
  input  logic        msg_valid_i,
  input  logic [21:0] msg_i,
  input  logic        row_ready_i,
  output logic        bad_o
);

  logic         column_q, started_q, busy, row_valid, column;
  logic [6:0]   t_q, row;
  logic [N-1:0] columns;
  logic [M-1:0] rows;
  logic [S-1:0] data, table_q, mask, all;

  // Which root and which row: as they were in the reset.
  assign column = rst_ni ? column_q : column_i;
  always_ff @(posedge clk_i) begin
    column_q <= column;
    t_q      <= rst_ni ? t_q : row_i;
    if (!rst_ni) started_q <= 1'b1;
  end

  vtftr_update #(.N(N), .M(M), .S(S)) u_update (
    .clk_i, .rst_ni, .role_i({1'b0, column}), .own_x_i(7'd0), .own_y_i(7'd0), .msg_valid_i, .msg_i, .row_ready_i,
    .msg_ready_o(), .columns_o(columns), .rows_o(rows), .cf_o(), .epoch_o(), .busy_o(busy), .row_valid_o(row_valid),
    .row_o(row), .row_data_o(data), .fwd_valid_o(), .fwd_o(), .old_o(), .malformed_o()
  );

  always_ff @(posedge clk_i) begin
    if (row_valid && row_ready_i && (row == t_q)) table_q <= data;
  end

  assign mask  = column_q ? S'(rows) : S'(columns);
  assign all   = column_q ? ({S{1'b1}} >> (S - M)) : ({S{1'b1}} >> (S - N));
  assign bad_o = started_q && !busy && (8'(t_q) < (column_q ? 8'(M) : 8'(N))) &&
                 (table_q != (all & ~mask & ~(S'(1'b1) << t_q)));

endmodule : proof_walk
