// SPDX-License-Identifier: Apache-2.0
//
// One virtual channel of an input port: its flits in RAM, the packet that is first, and the flit that would be first
// after a grant.
//
// Flits alternate between two banks. In a cycle at most two flits leave, neighbours then: no bank is read twice. A bank
// is addressed in the cycle of the grant, the flit is at the crossbar in the next one. Meaning: docs/router.md §2.
//
// Cost: Depth flits of RAM in two banks, the control FIFO, pointers and a count, the position in the packet.

module router_vc #(
  parameter  int Width = 128,
  parameter  int Depth = 32,                                    // flits, even
  localparam int ControlWidth = router_pkg::ControlWidth,
  localparam int ToWidth      = router_pkg::ToWidth,
  localparam int CountWidth   = $clog2(Depth + 1),
  localparam int AddrWidth    = (Depth > 2) ? $clog2(Depth / 2) : 1,
  localparam int PointerWidth = AddrWidth + 1                   // {address, bank}
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    alive_i,    // at the edge: 0, everything is lost
  // A flit arrives; a packet's answer
  input  logic                    write_i,
  input  logic [Width-1:0]        flit_i,
  input  logic                    push_i,
  input  logic [ControlWidth-1:0] control_i,
  // The first flit, and what is first once it has left
  output logic                    now_valid_o,
  output logic                    now_head_o,
  output logic                    now_tail_o,
  output logic [ToWidth-1:0]      now_to_o,
  output logic                    next_valid_o,
  output logic                    next_head_o,
  output logic                    next_tail_o,
  output logic [ToWidth-1:0]      next_to_o,
  // Flits that leave in the two phases
  input  logic                    pop_0_i,
  input  logic                    pop_1_i,
  output logic                    bank_0_o,   // the bank of each
  output logic                    bank_1_o,
  output logic [Width-1:0]        even_o,     // in the next cycle
  output logic [Width-1:0]        odd_o,
  output logic [CountWidth-1:0]   left_o      // flits that stay at the end of the cycle
);

  logic [1:0]              pops, control_pops, control_valid;
  logic [ControlWidth-1:0] first, second;
  logic [5:0]              index_q, first_last, second_last;
  logic [CountWidth-1:0]   count_q;
  logic [PointerWidth-1:0] rd_q, rd_1, wr_q;
  logic                    live;

  assign live = rst_ni && alive_i;
  assign pops = 2'(pop_0_i) + 2'(pop_1_i);

  router_control_fifo #(.Width(ControlWidth), .Depth(Depth)) u_control (
    .clk_i,
    .rst_ni  (live),
    .push_i,
    .data_i  (control_i),
    .pop_i   (control_pops),
    .valid_o (control_valid),
    .first_o (first),
    .second_o(second)
  );

  assign first_last  = router_pkg::control_last(first);
  assign second_last = router_pkg::control_last(second);

  assign now_valid_o = control_valid[0] && (count_q != '0);
  assign now_head_o  = (index_q == '0);
  assign now_tail_o  = (index_q == first_last);
  assign now_to_o    = router_pkg::control_to(first);

  assign next_valid_o = (count_q > CountWidth'(1)) && (!now_tail_o || control_valid[1]);
  assign next_head_o  = now_tail_o;
  assign next_tail_o  = now_tail_o ? (second_last == '0) : (index_q + 6'd1 == first_last);
  assign next_to_o    = router_pkg::control_to(now_tail_o ? second : first);

  assign control_pops = 2'((pops != 2'd0) && now_tail_o) + 2'((pops == 2'd2) && next_tail_o);

  function automatic logic [PointerWidth-1:0] plus(input logic [PointerWidth-1:0] pointer, input logic [1:0] n);
    logic [PointerWidth:0] sum;
    sum  = {1'b0, pointer} + (PointerWidth + 1)'(n);
    plus = ((2 ** PointerWidth != Depth) && (sum >= (PointerWidth + 1)'(Depth)))
         ? PointerWidth'(sum - (PointerWidth + 1)'(Depth))
         : PointerWidth'(sum);
  endfunction

  assign rd_1 = plus(rd_q, 2'd1);

  always_ff @(posedge clk_i) begin
    if (!live) begin
      index_q <= '0;
      count_q <= '0;
      rd_q    <= '0;
      wr_q    <= '0;
    end else begin
      count_q <= left_o + CountWidth'(write_i);
      if (write_i) wr_q <= plus(wr_q, 2'd1);
      if (pops == 2'd1) begin
        index_q <= now_tail_o ? '0 : index_q + 6'd1;
        rd_q    <= rd_1;
      end
      if (pops == 2'd2) begin
        index_q <= next_tail_o ? '0 : now_tail_o ? 6'd1 : index_q + 6'd2;
        rd_q    <= plus(rd_q, 2'd2);
      end
    end
  end

  // The flit of the first pop lies in the bank of the pointer, that of a second one in the other.
  logic read_even, read_odd;
  assign read_even = (pops == 2'd2) || ((pops == 2'd1) && !rd_q[0]);
  assign read_odd  = (pops == 2'd2) || ((pops == 2'd1) && rd_q[0]);
  assign bank_0_o  = rd_q[0];
  assign bank_1_o  = pop_0_i ? !rd_q[0] : rd_q[0];

  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_even (
    .clk_i, .write_i(write_i && !wr_q[0]), .waddr_i(wr_q[PointerWidth-1:1]), .wdata_i(flit_i),
    .read_i(read_even), .raddr_i(rd_q[0] ? rd_1[PointerWidth-1:1] : rd_q[PointerWidth-1:1]), .rdata_o(even_o)
  );
  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_odd (
    .clk_i, .write_i(write_i && wr_q[0]), .waddr_i(wr_q[PointerWidth-1:1]), .wdata_i(flit_i),
    .read_i(read_odd), .raddr_i(rd_q[PointerWidth-1:1]), .rdata_o(odd_o)
  );

  assign left_o = count_q - CountWidth'(pops);

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (live) begin
      vc_never_overflows: assert (!write_i || (left_o < CountWidth'(Depth)));
      vc_gives_only_what_there_is: assert ((!(pop_0_i || pop_1_i) || now_valid_o) &&
                                           (!(pop_0_i && pop_1_i) || next_valid_o));
    end
  end
`endif
`endif

endmodule : router_vc
