// SPDX-License-Identifier: Apache-2.0
//
// Packets of one virtual channel in the order of their arrival: where each goes. The first two are visible; up to two
// leave in a cycle, one comes. The youngest one can be taken back: what is written in its place later passes around the
// RAMs if they have been read there.
//
// Entry i lies in bank i mod 2, so two neighbours never meet in a bank, and the output registers of the two RAMs are
// the first two entries. They are read again only when something leaves; an entry that is written where they look
// passes around the RAM. An entry that comes to an empty queue is visible in the cycle of `push_i` already: it stands
// in the response register of route compute.
//
// Cost: Depth words of RAM in two banks, two words of flip-flops, pointers, a count, multiplexers.

module router_control_fifo #(
  parameter  int Width = 8,
  parameter  int Depth = 32,                                     // packets, even
  localparam int AddrWidth    = (Depth > 2) ? $clog2(Depth / 2) : 1,
  localparam int PointerWidth = AddrWidth + 1,                   // {address, bank}
  localparam int CountWidth   = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,    // not when full
  input  logic [Width-1:0] data_i,
  input  logic [1:0]       pop_i,     // how many leave, 0..2: no more than are visible
  input  logic             cancel_i,  // the youngest one never was: the one that comes in this cycle, if one does
  output logic [1:0]       valid_o,   // there is a first, there is a second
  output logic [Width-1:0] first_o,
  output logic [Width-1:0] second_o
);

  logic [PointerWidth-1:0] rd_q, rd_d, wr_q;
  logic [CountWidth-1:0]   count_q;

  localparam logic [PointerWidth-1:0] Last = PointerWidth'(Depth - 1);
  logic [PointerWidth-1:0] rd_1, rd_2, wr_1, wr_back;   // wr_back: the place of the youngest one

  // Pointers go around at Depth. No functions: see router_vc.
  assign rd_1    = (rd_q == Last) ? '0 : rd_q + PointerWidth'(1);
  assign rd_2    = (rd_1 == Last) ? '0 : rd_1 + PointerWidth'(1);
  assign rd_d    = (pop_i == 2'd2) ? rd_2 : (pop_i == 2'd1) ? rd_1 : rd_q;
  assign wr_1    = (wr_q == Last) ? '0 : wr_q + PointerWidth'(1);
  assign wr_back = (wr_q == '0) ? PointerWidth'(Depth - 1) : wr_q - PointerWidth'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd_q    <= '0;
      wr_q    <= '0;
      count_q <= '0;
    end else begin
      rd_q    <= rd_d;
      count_q <= count_q + CountWidth'(push_i) - CountWidth'(pop_i) - CountWidth'(cancel_i);
      if (push_i != cancel_i) wr_q <= push_i ? wr_1 : wr_back;
    end
  end

  // The even one of the next two entries, and the odd one.
  logic                 read, write_even, write_odd, hit_even, hit_odd;
  logic [AddrWidth-1:0] even_addr, odd_addr;
  logic [Width-1:0]     even_word, odd_word;

  assign odd_addr   = rd_d[PointerWidth-1:1];
  assign even_addr  = !rd_d[0] ? odd_addr : (odd_addr == AddrWidth'(Depth / 2 - 1)) ? '0 : odd_addr + AddrWidth'(1);
  assign read       = (pop_i != 2'd0);
  assign write_even = push_i && !wr_q[0];
  assign write_odd  = push_i && wr_q[0];
  assign hit_even   = write_even && (wr_q[PointerWidth-1:1] == even_addr);
  assign hit_odd    = write_odd && (wr_q[PointerWidth-1:1] == odd_addr);

  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_even (
    .clk_i, .write_i(write_even), .waddr_i(wr_q[PointerWidth-1:1]), .wdata_i(data_i), .read_i(read),
    .raddr_i(even_addr), .rdata_o(even_word)
  );
  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_odd (
    .clk_i, .write_i(write_odd), .waddr_i(wr_q[PointerWidth-1:1]), .wdata_i(data_i), .read_i(read), .raddr_i(odd_addr),
    .rdata_o(odd_word)
  );

  // Around the RAMs: an entry that was written at the edge of the read, or where the output register stands.
  logic             fresh_even_q, fresh_odd_q;
  logic [Width-1:0] new_even_q, new_odd_q;

  always_ff @(posedge clk_i) begin
    if (read || hit_even) fresh_even_q <= hit_even;
    if (hit_even) new_even_q <= data_i;
  end
  always_ff @(posedge clk_i) begin
    if (read || hit_odd) fresh_odd_q <= hit_odd;
    if (hit_odd) new_odd_q <= data_i;
  end

  logic [Width-1:0] even, odd;
  assign even = fresh_even_q ? new_even_q : even_word;
  assign odd  = fresh_odd_q ? new_odd_q : odd_word;

  assign valid_o[0] = (count_q != '0) || push_i;
  assign valid_o[1] = (count_q > CountWidth'(1)) || ((count_q == CountWidth'(1)) && push_i);
  assign first_o    = (count_q == '0) ? data_i : rd_q[0] ? odd : even;
  assign second_o   = (count_q > CountWidth'(1)) ? (rd_q[0] ? even : odd) : data_i;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      control_fifo_never_overflows: assert (!push_i || (count_q != CountWidth'(Depth)));
      control_fifo_pops_only_what_is_there: assert (pop_i <= 2'(valid_o[0]) + 2'(valid_o[1]));
      control_fifo_takes_back_what_stays: assert (!cancel_i || (CountWidth'(pop_i) < count_q + CountWidth'(push_i)));
    end
  end
`endif
`endif

endmodule : router_control_fifo
