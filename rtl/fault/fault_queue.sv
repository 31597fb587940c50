// SPDX-License-Identifier: Apache-2.0
//
// Output queue of a port unit: a shift register of messages. What is pushed in a cycle can leave in the next one.
//
// Cost: Depth * 22 flip-flops with load multiplexers.

module fault_queue #(
  parameter  int Depth = 8,
  parameter  int Width = 22,
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,  // not when full_o
  input  logic [Width-1:0] data_i,
  input  logic             pop_i,   // ignored when empty
  output logic             full_o,
  output logic             valid_o,
  output logic [Width-1:0] data_o   // 0 when empty
);

  logic [CountWidth-1:0]  count_q;
  logic [Depth*Width-1:0] data_q, shifted;
  logic                   pop;
  logic [CountWidth-1:0]  at;

  assign pop     = pop_i && (count_q != '0);
  assign shifted = pop ? (data_q >> Width) : data_q;
  assign at      = pop ? count_q - 1'b1 : count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      data_q  <= '0;
    end else begin
      count_q <= push_i ? at + 1'b1 : at;
      data_q  <= push_i ? (shifted | ((Depth*Width)'(data_i) << (Width * at))) : shifted;
    end
  end

  assign full_o  = count_q == CountWidth'(Depth);
  assign valid_o = count_q != '0;
  assign data_o  = data_q[Width-1:0];

`ifndef SYNTHESIS
`ifndef __ICARUS__
  logic             stood_q;  // there was a head, and nobody took it
  logic [Width-1:0] seen_q;
  always_ff @(posedge clk_i) begin
    stood_q <= rst_ni && valid_o && !pop_i;
    seen_q  <= data_o;
    if (rst_ni) begin
      queue_never_overflows: assert (!(push_i && full_o));
      queue_head_stands_until_taken: assert (!stood_q || (valid_o && (data_o == seen_q)));
      queue_shows_0_when_empty: assert (valid_o || (data_o == '0));
    end
  end
`endif
`endif

endmodule : fault_queue
