// SPDX-License-Identifier: Apache-2.0
//
// One virtual channel of an input port: its flits in RAM, the packet that is first, and the flit that would be first
// after a grant.
//
// Flits alternate between two banks. In a cycle at most two flits leave, neighbours then: no bank is read twice. A bank
// is addressed in the cycle of the grant, the flit is at the crossbar in the next one. Which flits are tails is asked
// in the cycle of the grant already: a flip-flop a flit. A link that is down cuts the packet that is arriving: what of
// it is left at the end of the cycle was never written, and when its head has gone on a poisoned tail stands in front
// of the RAMs, which are empty then. Meaning: docs/router.md §2.
//
// Cost: Depth flits of RAM in two banks and Depth flip-flops, the control FIFO, pointers and two counts, a route.

module router_vc #(
  parameter  int Width = 128,
  parameter  int Depth = 32,                                    // flits, even
  localparam int ToWidth      = router_pkg::ToWidth,
  localparam int ComeWidth    = router_pkg::ComeWidth,
  localparam int CreditWidth  = router_pkg::CreditWidth,
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
  input  logic                    tail_i,
  input  logic                    push_i,
  input  logic [ToWidth-1:0]      to_i,
  // The link is down in this cycle
  input  logic                    down_i,
  input  logic                    asked_i,     // the youngest head will be answered in a later cycle
  output logic                    cut_o,       // the packet that was arriving is cut
  output logic                    arriving_o,  // a packet is arriving still: its next flit may be written
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
  output logic                    poison_o,   // the first that leaves is the poisoned tail
  output logic                    bank_0_o,   // the bank of each other one
  output logic                    bank_1_o,
  output logic [Width-1:0]        even_o,     // in the next cycle
  output logic [Width-1:0]        odd_o,
  output logic [CountWidth-1:0]   left_o,     // flits that stay at the end of the cycle
  output logic [CreditWidth-1:0]  freed_o     // slots that become free in it
);

  logic [1:0]              pops, leave, control_pops, control_valid;   // leave: flits in the RAMs
  logic [ToWidth-1:0]      first, second, poison_to_q;
  logic                    poison_q, begun_q, cancel;
  logic [Depth-1:0]        tails_q;
  logic                    tail_1, tail_2;                              // of the first two flits in the RAMs
  logic [ComeWidth-1:0]    come_q, come;                                // flits that have come of a packet that arrives
  logic [CountWidth-1:0]   count_q;
  logic [PointerWidth-1:0] rd_q, rd_1, rd_d, wr_q, wr_d;
  logic                    live;

  assign live  = rst_ni && alive_i;
  assign pops  = 2'(pop_0_i) + 2'(pop_1_i);
  assign leave = pops - 2'(poison_q && (pops != 2'd0));

  router_control_fifo #(.Width(ToWidth), .Depth(Depth)) u_control (
    .clk_i,
    .rst_ni  (live),
    .push_i,
    .data_i  (to_i),
    .pop_i   (control_pops),
    .cancel_i(cancel),
    .valid_o (control_valid),
    .first_o (first),
    .second_o(second)
  );

  // ---- The first flit, and the one behind it ----

  logic here;   // the first flit in the RAMs has a way
  assign here   = control_valid[0] && (count_q != '0);   // verilator lint_off WIDTH
  assign tail_1 = tails_q[rd_q];
  assign tail_2 = tails_q[rd_1];

  assign now_valid_o = poison_q || here;
  assign now_head_o  = !poison_q && !begun_q;
  assign now_tail_o  = poison_q || tail_1;
  assign now_to_o    = poison_q ? poison_to_q : first;

  assign next_valid_o = poison_q ? here : (count_q > CountWidth'(1)) && (!tail_1 || control_valid[1]);
  assign next_head_o  = now_tail_o;
  assign next_tail_o  = poison_q ? tail_1 : tail_2;
  assign next_to_o    = (poison_q || !tail_1) ? first : second;

  assign control_pops = 2'((leave != 2'd0) && tail_1) + 2'((leave == 2'd2) && tail_2);

  // ---- The packet that is arriving, and its end when its link is down ----

  localparam int BehindWidth = ((CountWidth > ComeWidth) ? CountWidth : ComeWidth) + 1;

  logic [BehindWidth-1:0]  behind;   // flits in front of it; negative when some of its own have left: two's complement
  logic [CountWidth-1:0]   left, lost;
  logic                    gone, poisons;
  logic [ToWidth-1:0]      way;

  assign cut_o      = (come_q != '0) && down_i;
  assign arriving_o = (come_q != '0) && !down_i;
  assign behind     = BehindWidth'(count_q) - BehindWidth'(come_q);
  assign gone       = behind[BehindWidth-1] || (behind < BehindWidth'(leave));
  assign left       = count_q - CountWidth'(leave);
  assign lost       = !cut_o ? '0 : gone ? left : CountWidth'(come_q);
  assign left_o     = left - lost;
  assign freed_o    = CreditWidth'(leave) + CreditWidth'(lost);
  assign cancel     = cut_o && !asked_i;
  assign way        = control_pops[0] ? second : first;
  assign poisons    = cut_o && gone && (way[ToWidth-1 -: router_pkg::PortWidth] != router_pkg::PortNone);
  assign come       = cut_o ? '0 : come_q;

  // Pointers go around at Depth. No functions here and below: Verilator gives each call variables of its own, and the
  // code of one VC would not be that of another one (odonata_share in cmake/OdonataVerilate.cmake).
  localparam logic                    Around = (2 ** PointerWidth != Depth);
  localparam logic [PointerWidth-1:0] Last   = PointerWidth'(Depth - 1);
  logic [PointerWidth-1:0] rd_2, wr_1, wr_back;

  assign rd_1    = (rd_q == Last) ? '0 : rd_q + PointerWidth'(1);
  assign rd_2    = (rd_1 == Last) ? '0 : rd_1 + PointerWidth'(1);
  assign wr_1    = (wr_d == Last) ? '0 : wr_d + PointerWidth'(1);
  assign wr_back = wr_q - PointerWidth'(come_q) +
                   ((Around && (wr_q < PointerWidth'(come_q))) ? PointerWidth'(Depth) : '0);
  assign rd_d = (leave == 2'd2) ? rd_2 : (leave == 2'd1) ? rd_1 : rd_q;
  assign wr_d = !cut_o ? wr_q : gone ? rd_d : wr_back;

  always_ff @(posedge clk_i) begin
    if (!live) begin
      begun_q  <= 1'b0;
      poison_q <= 1'b0;
      come_q   <= '0;
      count_q  <= '0;
      rd_q     <= '0;
      wr_q     <= '0;
    end else begin
      poison_q <= poisons || (poison_q && (pops == 2'd0));
      if (poisons) poison_to_q <= way;
      count_q  <= left_o + CountWidth'(write_i);
      come_q   <= !write_i ? come : tail_i ? '0 : come + ComeWidth'(1);
      wr_q     <= write_i ? wr_1 : wr_d;
      rd_q     <= rd_d;
      if (leave != 2'd0) begun_q <= (leave == 2'd2) ? !tail_2 : !tail_1;
      if (cut_o && gone) begun_q <= 1'b0;
      if (write_i) tails_q[wr_d] <= tail_i;              // verilator lint_on WIDTH
    end
  end

  // The flit of the first pop lies in the bank of the pointer, that of a second one in the other.
  logic read_even, read_odd;
  assign read_even = (leave == 2'd2) || ((leave == 2'd1) && !rd_q[0]);
  assign read_odd  = (leave == 2'd2) || ((leave == 2'd1) && rd_q[0]);
  assign poison_o  = poison_q;
  assign bank_0_o  = rd_q[0];
  assign bank_1_o  = (pop_0_i && !poison_q) ? !rd_q[0] : rd_q[0];

  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_even (
    .clk_i, .write_i(write_i && !wr_d[0]), .waddr_i(wr_d[PointerWidth-1:1]), .wdata_i(flit_i),
    .read_i(read_even), .raddr_i(rd_q[0] ? rd_1[PointerWidth-1:1] : rd_q[PointerWidth-1:1]), .rdata_o(even_o)
  );
  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_odd (
    .clk_i, .write_i(write_i && wr_d[0]), .waddr_i(wr_d[PointerWidth-1:1]), .wdata_i(flit_i),
    .read_i(read_odd), .raddr_i(rd_q[PointerWidth-1:1]), .rdata_o(odd_o)
  );

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (live) begin
      vc_never_overflows: assert (!write_i || (left_o < CountWidth'(Depth)));
      vc_has_one_poisoned_tail: assert (!poisons || !poison_q || (pops != 2'd0));
      vc_gives_only_what_there_is: assert ((!(pop_0_i || pop_1_i) || now_valid_o) &&
                                           (!(pop_0_i && pop_1_i) || next_valid_o));
    end
  end
`endif
`endif

endmodule : router_vc
