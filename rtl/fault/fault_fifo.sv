// SPDX-License-Identifier: Apache-2.0
//
// A FIFO: the messages that came in at a port, FD and FR in one queue so that neither overtakes the other
// (docs/fault.md §6, ordering rule 1), and the commands that wait in front of a port unit (§6.1). What is pushed at an
// edge is at the head after it, if nothing was before it.
//
// Cost: Depth * Width bits of memory with one write port and one asynchronous read port, two pointers and a count.

module fault_fifo #(
  parameter  int Depth      = 64,
  parameter  int Width      = 22,
  localparam int AddrWidth  = (Depth > 1) ? $clog2(Depth) : 1,
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  // wins over the others
  input  logic                  push_i,   // ignored when full, unless something leaves
  input  logic [Width-1:0]      data_i,
  input  logic                  pop_i,    // only when there is something
  output logic [CountWidth-1:0] count_o,
  output logic [Width-1:0]      data_o
);

  logic [Width-1:0]      mem [0:Depth-1];
  logic [AddrWidth-1:0]  head_q, tail_q;
  logic [CountWidth-1:0] count_q;
  logic                  push;

  assign push = push_i && ((count_q != CountWidth'(Depth)) || pop_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_q + CountWidth'(push) - CountWidth'(pop_i);
      if (push) tail_q <= (tail_q == AddrWidth'(Depth - 1)) ? '0 : tail_q + 1'b1;
      if (pop_i) head_q <= (head_q == AddrWidth'(Depth - 1)) ? '0 : head_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) mem[tail_q] <= data_i;
  end

  assign count_o = count_q;
  assign data_o  = mem[head_q];

`ifndef SYNTHESIS
`ifndef __ICARUS__
  logic             stood_q;  // there was a head, and nobody took it
  logic [Width-1:0] seen_q;
  always_ff @(posedge clk_i) begin
    stood_q <= rst_ni && !clear_i && (count_q != '0) && !pop_i;
    seen_q  <= data_o;
    if (rst_ni) begin
      fifo_pops_only_what_is_there: assert (clear_i || !pop_i || (count_q != '0));
      fifo_count_in_range: assert ({1'b0, count_q} <= (CountWidth + 1)'(Depth));
      fifo_head_stands_until_popped: assert (!stood_q || ((count_q != '0) && (data_o == seen_q)));
    end
  end
`endif
`endif

endmodule : fault_fifo
