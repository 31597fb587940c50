// SPDX-License-Identifier: Apache-2.0
//
// Interval counter: `last_o` is 1 in one cycle of every `interval_i` cycles. An interval of 0 never ends.
//
// Cost: 8 flip-flops, an incrementer and a comparator.

module congestion_interval (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [congestion_pkg::IntervalWidth-1:0] interval_i,
  output logic                                     last_o
);

  logic [congestion_pkg::IntervalWidth-1:0] count_q;
  logic [congestion_pkg::IntervalWidth:0]   next;

  assign next   = {1'b0, count_q} + 9'd1;
  assign last_o = (interval_i != '0) && (next >= {1'b0, interval_i});

  always_ff @(posedge clk_i) begin
    if (!rst_ni || last_o) count_q <= '0;
    else                   count_q <= congestion_pkg::IntervalWidth'(next);
  end

endmodule : congestion_interval
