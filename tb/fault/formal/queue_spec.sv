// SPDX-License-Identifier: Apache-2.0
//
// A queue loses, invents and reorders nothing: one word, picked at will among those that are pushed, is followed to the
// head. `bad_o` must never be 1.

module queue_miter #(
  parameter int Depth = 3,
  parameter int Width = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  input  logic             pick_i,  // this push is followed
  output logic             bad_o
);

  logic             full, valid, push, pop;
  logic [Width-1:0] data;
  assign push = push_i && !full && rst_ni;
  assign pop  = pop_i && valid;

  fault_queue #(.Depth(Depth), .Width(Width)) u_queue (
    .clk_i, .rst_ni, .push_i(push), .data_i, .pop_i, .full_o(full), .valid_o(valid), .data_o(data)
  );

  // How many there are, and how many leave before the followed one.
  logic [3:0]       count_q, before_q;
  logic             follows_q, started_q;
  logic [Width-1:0] word_q;
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      count_q   <= 4'd0;
      follows_q <= 1'b0;
    end else begin
      count_q <= count_q + {3'd0, push} - {3'd0, pop};
      if (!follows_q && push && pick_i) begin
        follows_q <= 1'b1;
        before_q  <= count_q - {3'd0, pop};
        word_q    <= data_i;
      end else if (follows_q && pop) begin
        follows_q <= before_q != 4'd0;
        before_q  <= before_q - 4'd1;
      end
    end
  end

  assign bad_o = started_q && rst_ni && ((valid != (count_q != 4'd0)) || (full != (count_q == 4'(Depth))) ||
                                         (follows_q && (before_q == 4'd0) && (data != word_q)));

endmodule : queue_miter

module fifo_miter #(
  parameter int Depth = 3,
  parameter int Width = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,
  input  logic             clear_i,
  input  logic             pick_i,
  output logic             bad_o
);

  logic [$clog2(Depth+1)-1:0] count;
  logic             push, pop;
  logic [Width-1:0] data;
  logic [3:0]       count_q, before_q;
  logic             follows_q, started_q;
  logic [Width-1:0] word_q;
  assign pop  = pop_i && (count_q != 4'd0);
  assign push = push_i && ((count_q != 4'(Depth)) || pop);

  fault_fifo #(.Depth(Depth), .Width(Width)) u_fifo (
    .clk_i, .rst_ni, .clear_i, .push_i, .data_i, .pop_i(pop), .count_o(count), .data_o(data)
  );

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni || clear_i) begin
      count_q   <= 4'd0;
      follows_q <= 1'b0;
    end else begin
      count_q <= count_q + {3'd0, push} - {3'd0, pop};
      if (!follows_q && push && pick_i) begin
        follows_q <= 1'b1;
        before_q  <= count_q - {3'd0, pop};
        word_q    <= data_i;
      end else if (follows_q && pop) begin
        follows_q <= before_q != 4'd0;
        before_q  <= before_q - 4'd1;
      end
    end
  end

  assign bad_o = started_q && rst_ni &&
                 ((4'(count) != count_q) || (follows_q && (before_q == 4'd0) && (data != word_q)));

endmodule : fifo_miter
