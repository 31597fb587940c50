// SPDX-License-Identifier: Apache-2.0
//
// FIFO in front of a link: two flits may come in a cycle, one leaves. A flit that was granted counts at once and comes
// a cycle later, from the crossbar; it goes straight onto the link when nothing is before it.
//
// Neighbours lie in different banks, so two flits are written at one edge. The bank of the first flit is read when the
// flit before it leaves; a flit that is written where it would be read passes around the RAM. Meaning:
// docs/router.md §2.3, §2.4.
//
// Cost: Depth flits of RAM in two banks, a flit of flip-flops, two pointers, a count, five multiplexers of two flits.

module router_output_fifo #(
  parameter  int Width = 128,
  parameter  int Depth = 64,                                     // flits, even
  localparam int AddrWidth    = (Depth > 2) ? $clog2(Depth / 2) : 1,
  localparam int PointerWidth = AddrWidth + 1,                   // {address, bank}
  localparam int CountWidth   = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             slot_taken_i,  // something else has the link in this cycle
  output logic             room_0_o,      // for a flit of phase 0
  output logic             room_1_o,      // for a flit of phase 1
  input  logic             take_0_i,      // granted in this cycle
  input  logic             take_1_i,
  input  logic [Width-1:0] flit_0_i,      // of the grants of the cycle before
  input  logic [Width-1:0] flit_1_i,
  output logic             link_valid_o,
  output logic [Width-1:0] link_flit_o,   // 0 when there is none
  output logic             departed_o     // another flit than in the cycle before is first at the end of this one
);

  logic [CountWidth-1:0]   fill_q, fill_d, kept;   // the granted ones are counted
  logic                    leaves;
  logic                    come_0_q, come_1_q;
  logic [PointerWidth-1:0] rd_q, rd_1, rd_d, wr_q, wr_1, wr_2;

  assign leaves     = (fill_q != '0) && !slot_taken_i;
  assign kept       = fill_q - CountWidth'(leaves);
  assign fill_d     = kept + CountWidth'(take_0_i) + CountWidth'(take_1_i);
  assign room_0_o   = (kept < CountWidth'(Depth));
  assign room_1_o   = (kept < CountWidth'(Depth - 1)) || (room_0_o && !take_0_i);
  assign departed_o = (fill_d != '0) && (leaves || (fill_q == '0));

  // ---- Banks ----

  // Pointers go around at Depth. No functions: see router_vc.
  localparam logic [PointerWidth-1:0] Last = PointerWidth'(Depth - 1);

  assign rd_1 = (rd_q == Last) ? '0 : rd_q + PointerWidth'(1);
  assign wr_1 = (wr_q == Last) ? '0 : wr_q + PointerWidth'(1);
  assign wr_2 = (wr_1 == Last) ? '0 : wr_1 + PointerWidth'(1);

  logic       empty, bypass, pop, single;
  logic [1:0] come, store;

  assign come   = 2'(come_0_q) + 2'(come_1_q);
  assign empty  = (fill_q == CountWidth'(come));    // nothing in the banks
  assign bypass = leaves && empty;
  assign pop    = leaves && !empty;
  assign store  = come - 2'(bypass);
  assign rd_d   = pop ? rd_1 : rd_q;
  assign single = bypass || !come_0_q;              // the flit of phase 1 is the first that is stored

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q   <= '0;
      come_0_q <= 1'b0;
      come_1_q <= 1'b0;
      rd_q     <= '0;
      wr_q     <= '0;
    end else begin
      fill_q   <= fill_d;
      come_0_q <= take_0_i;
      come_1_q <= take_1_i;
      rd_q     <= rd_d;
      wr_q     <= (store == 2'd2) ? wr_2 : (store == 2'd1) ? wr_1 : wr_q;
    end
  end

  logic             write_even, write_odd, hit;
  logic [Width-1:0] even_data, odd_data;

  assign write_even = (store == 2'd2) || ((store == 2'd1) && !wr_q[0]);
  assign write_odd  = (store == 2'd2) || ((store == 2'd1) && wr_q[0]);

  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_even (
    .clk_i, .write_i(write_even), .waddr_i(wr_q[0] ? wr_1[PointerWidth-1:1] : wr_q[PointerWidth-1:1]),
    .wdata_i((single || wr_q[0]) ? flit_1_i : flit_0_i),
    .read_i(pop && !rd_d[0]), .raddr_i(rd_d[PointerWidth-1:1]), .rdata_o(even_data)
  );
  router_ram_1r1w #(.Width(Width), .Depth(Depth / 2)) u_odd (
    .clk_i, .write_i(write_odd), .waddr_i(wr_q[PointerWidth-1:1]),
    .wdata_i((single || !wr_q[0]) ? flit_1_i : flit_0_i),
    .read_i(pop && rd_d[0]), .raddr_i(rd_d[PointerWidth-1:1]), .rdata_o(odd_data)
  );

  // Around the RAMs. With a full FIFO the pointers are equal, too, but then nothing is stored.
  logic             fresh_q;
  logic [Width-1:0] new_q;

  assign hit = (store != 2'd0) && (wr_q == rd_d);
  always_ff @(posedge clk_i) begin
    if (pop || hit) fresh_q <= hit;
    if (hit) new_q <= single ? flit_1_i : flit_0_i;
  end

  logic [Width-1:0] first;
  assign first        = empty ? (come_0_q ? flit_0_i : flit_1_i) : fresh_q ? new_q : rd_q[0] ? odd_data : even_data;
  assign link_valid_o = leaves;
  assign link_flit_o  = leaves ? first : '0;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      output_fifo_never_overflows: assert ((!take_0_i || room_0_o) && (!take_1_i || room_1_o) &&
                                           (fill_q <= CountWidth'(Depth)));
    end
  end
`endif
`endif

endmodule : router_output_fifo
