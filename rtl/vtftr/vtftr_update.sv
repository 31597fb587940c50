// SPDX-License-Identifier: Apache-2.0
//
// Update unit of a switch: takes the manager's messages, keeps what they say, walks the tables of a root
// (docs/vtftr.md §9.3).
//
// Messages wait in a FIFO of four. The oldest is taken when no walk is under way: an old or malformed one is dropped
// and told, any other changes the maps and is passed on in the next cycle. At a root a walk follows: rows 0 upwards, a
// row a cycle in which the tables take it; a reset starts one, too. The first message after a reset counts whatever its
// epoch: a switch that comes back knows none. A leaf keeps FR in the map of columns and FC in that of rows; a row root
// its mask in the first, a column root in the second.
//
// Cost: 4 words of 22 bits, N + M + 41 flip-flops, a decoder of 7 bits for each map.

module vtftr_update #(
  parameter  int N  = 16,  // columns, 2..128
  parameter  int M  = 16,  // rows, 2..128
  parameter  int S  = 16,  // the longer of both
  localparam int CW = vtftr_pkg::CoordWidth,
  localparam int MW = vtftr_pkg::MessageWidth
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [1:0]    role_i,  // 0 row root, 1 column root, 2 leaf
  input  logic [CW-1:0] own_x_i,
  input  logic [CW-1:0] own_y_i,
  input  logic          msg_valid_i,
  input  logic [MW-1:0] msg_i,
  input  logic          row_ready_i,
  output logic          msg_ready_o,
  output logic [N-1:0]  columns_o,
  output logic [M-1:0]  rows_o,
  output logic          cf_o,
  output logic [2:0]    epoch_o,
  output logic          busy_o,
  output logic          row_valid_o,
  output logic [CW-1:0] row_o,
  output logic [S-1:0]  row_data_o,
  output logic          fwd_valid_o,
  output logic [MW-1:0] fwd_o,
  output logic          old_o,
  output logic          malformed_o
);

  // ---- Pins ----

  logic [1:0]    role_q;
  logic [CW-1:0] own_x_q, own_y_q;

  always_ff @(posedge clk_i) begin
    role_q  <= role_i;
    own_x_q <= own_x_i;
    own_y_q <= own_y_i;
  end

  // ---- FIFO ----

  logic [4*MW-1:0] fifo_q;
  logic [2:0]      count_q;
  logic            push, pop;
  logic [MW-1:0]   oldest;

  assign msg_ready_o = !count_q[2];
  assign push        = msg_valid_i && msg_ready_o;
  assign pop         = (count_q != '0) && !busy_o;
  assign oldest      = fifo_q[MW-1:0];

  // Entry 0 is the oldest; a pop moves all down.
  logic [4*MW-1:0] moved;
  logic [2:0]      kept;
  assign moved = pop ? (fifo_q >> MW) : fifo_q;
  assign kept  = count_q - 3'(pop);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= kept + 3'(push);
  end

  for (genvar k = 0; k < 4; k++) begin : gen_entry
    always_ff @(posedge clk_i) begin
      fifo_q[k*MW +: MW] <= (push && (kept == 3'(k))) ? msg_i : moved[k*MW +: MW];
    end
  end

  // ---- The oldest message ----

  logic [1:0]    op;
  logic [CW-1:0] x, y;
  logic          column_masked, row_masked, column_first;
  logic [2:0]    epoch, ahead;
  logic          malformed, old, first, taken, fails, changes, heard_q;

  assign {op, x, y, column_masked, row_masked, column_first, epoch} = oldest;

  assign ahead     = epoch - epoch_o;
  assign malformed = (op == vtftr_pkg::OpReserved) || (8'(x) >= 8'(N)) || (8'(y) >= 8'(M));
  assign first     = !heard_q;
  assign old       = !first && ((ahead == '0) || (ahead > 3'd4));
  assign taken     = pop && !malformed && !old;
  assign fails     = (op == vtftr_pkg::OpFail);
  assign changes   = taken && (op != vtftr_pkg::OpColumnFirst);

  // ---- What is known ----

  logic [N-1:0] columns_q, column_at;
  logic [M-1:0] rows_q, row_at;
  logic         is_leaf, column_bit, row_bit, set_columns, set_rows;
  logic         cf_q;
  logic [2:0]   epoch_q;

  assign is_leaf     = role_q[1];
  assign column_at   = N'(1'b1) << x;
  assign row_at      = M'(1'b1) << y;
  assign column_bit  = is_leaf ? fails : column_masked;
  assign row_bit     = is_leaf ? fails : row_masked;
  assign set_columns = changes && (is_leaf ? (y == own_y_q) : !role_q[0]);
  assign set_rows    = changes && (is_leaf ? (x == own_x_q) : role_q[0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      columns_q <= '0;
      rows_q    <= '0;
      cf_q      <= 1'b0;
      epoch_q   <= '0;
      heard_q   <= 1'b0;
    end else begin
      if (set_columns) columns_q <= column_bit ? (columns_q | column_at) : (columns_q & ~column_at);
      if (set_rows)    rows_q    <= row_bit ? (rows_q | row_at) : (rows_q & ~row_at);
      if (taken) begin
        cf_q    <= column_first;
        epoch_q <= epoch;
        heard_q <= 1'b1;
      end
    end
  end

  assign columns_o = columns_q;
  assign rows_o    = rows_q;
  assign cf_o      = cf_q;
  assign epoch_o   = epoch_q;

  // ---- The walk ----

  logic          walk_q;
  logic [CW-1:0] at_q;
  logic [S-1:0]  mask, all;
  logic          steps;

  assign steps = walk_q && row_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_q <= !role_i[1];
      at_q   <= '0;
    end else if (walk_q) begin
      if (steps) begin
        at_q <= at_q + CW'(1'b1);
        if (8'(at_q) == (role_q[0] ? 8'(M - 1) : 8'(N - 1))) walk_q <= 1'b0;
      end
    end else begin
      at_q   <= '0;
      walk_q <= changes && !is_leaf;
    end
  end

  assign mask        = role_q[0] ? S'(rows_q) : S'(columns_q);
  assign all         = role_q[0] ? ({S{1'b1}} >> (S - M)) : ({S{1'b1}} >> (S - N));
  assign busy_o      = walk_q;
  assign row_valid_o = walk_q;
  assign row_o       = walk_q ? at_q : '0;
  assign row_data_o  = walk_q ? (all & ~mask & ~(S'(1'b1) << at_q)) : '0;

  // ---- What is told ----

  logic          fwd_q, old_q, malformed_q;
  logic [MW-1:0] fwd_msg_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fwd_q       <= 1'b0;
      fwd_msg_q   <= '0;
      old_q       <= 1'b0;
      malformed_q <= 1'b0;
    end else begin
      fwd_q       <= taken;
      fwd_msg_q   <= taken ? oldest : '0;
      old_q       <= pop && old && !malformed;
      malformed_q <= pop && malformed;
    end
  end

  assign fwd_valid_o = fwd_q;
  assign fwd_o       = fwd_msg_q;
  assign old_o       = old_q;
  assign malformed_o = malformed_q;

endmodule : vtftr_update
