// SPDX-License-Identifier: Apache-2.0
//
// The valid bit of a request in both stages of torus_route and torus_box, and the registers of its answer
// (docs/torus.md §5). Without an answer all of them are 0; a reset empties both stages.
//
// Cost: Width + 2 flip-flops.

module torus_answer #(
  parameter int Width = 11  // bits of an answer beside its valid bit
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,   // a request; its first stage loads at the same edge
  input  logic [Width-1:0] answer_i,  // what the second stage makes of the request before
  output logic             valid_o,
  output logic [Width-1:0] answer_o
);

  logic             asked_q, valid_q;
  logic [Width-1:0] answer_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !asked_q) begin
      valid_q  <= 1'b0;
      answer_q <= '0;
    end else begin
      valid_q  <= 1'b1;
      answer_q <= answer_i;
    end
  end

  assign valid_o  = valid_q;
  assign answer_o = answer_q;

endmodule : torus_answer
