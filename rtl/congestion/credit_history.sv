// SPDX-License-Identifier: Apache-2.0
//
// History window of a credit monitor: in how many of the last `length` cycles a packet went onto the link (Won et al.,
// HPCA'15; DOAR §3.1).
//
// A circular memory keeps one bit a cycle. Every cycle the new bit is added to a running sum, and the bit of `length`
// cycles ago, which lies at the same place, is taken off. The memory is read one cycle ahead, so that it can be a
// synchronous RAM with one write and one read port; with a length of 1 the bit is passed around it. Another length
// starts an empty window.
//
// Cost: MaxWindow bits of RAM, two counters, one sum.

module credit_history #(
  parameter  int MaxWindow   = 512,                       // longest window, cycles, 1..512
  localparam int LengthWidth = $clog2(MaxWindow + 1),
  localparam int AddrWidth   = (MaxWindow > 1) ? $clog2(MaxWindow) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [LengthWidth-1:0] length_i,  // 0..MaxWindow
  input  logic                   event_i,
  output logic [LengthWidth-1:0] sum_o
);

  logic [LengthWidth-1:0] length_q, fill_q, fill_d;
  logic [AddrWidth-1:0]   pointer_q, pointer_d;
  logic [LengthWidth-1:0] sum_q, sum_d;
  logic                   restart, active, full, at_end, leaving;

  logic [0:0] mem [0:MaxWindow-1];
  logic       rdata_q;

  assign restart = (length_i != length_q);
  assign active  = !restart && (length_q != '0);
  assign full    = (fill_q == length_q);
  assign at_end  = ((LengthWidth + 1)'(pointer_q) + (LengthWidth + 1)'(1) == (LengthWidth + 1)'(length_q));
  assign leaving = full && rdata_q;

  assign sum_d     = sum_q + LengthWidth'(event_i) - LengthWidth'(leaving);
  assign pointer_d = at_end ? '0 : (pointer_q + AddrWidth'(1));
  assign fill_d    = full ? fill_q : (fill_q + LengthWidth'(1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      length_q  <= '0;
      pointer_q <= '0;
      fill_q    <= '0;
      sum_q     <= '0;
    end else if (restart) begin
      length_q  <= length_i;
      pointer_q <= '0;
      fill_q    <= '0;
      sum_q     <= '0;
    end else if (active) begin
      pointer_q <= pointer_d;
      fill_q    <= fill_d;
      sum_q     <= sum_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni && active) mem[pointer_q] <= event_i;
  end

  always_ff @(posedge clk_i) begin
    rdata_q <= (pointer_d == pointer_q) ? event_i : mem[pointer_d];
  end

  assign sum_o = sum_q;

endmodule : credit_history
