// SPDX-License-Identifier: Apache-2.0
//
// Single-port synchronous RAM: one read or one write a cycle.
//
// A read that is requested in one cycle is on `rdata_o` in the next, and stays there until the next read. A write
// leaves `rdata_o` as it is. The content is not reset; `rst_ni` only keeps an edge in reset from writing.
//
// Cost: Width * Depth bits of memory with one address port; it maps to one block RAM or one SRAM macro.

module ram_1p #(
  parameter  int Width     = 64,
  parameter  int Depth     = 560,
  localparam int AddrWidth = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 req_i,    // read or write in this cycle
  input  logic                 write_i,  // with req_i: 1 write, 0 read
  input  logic [AddrWidth-1:0] addr_i,   // below Depth
  input  logic [Width-1:0]     wdata_i,
  output logic [Width-1:0]     rdata_o
);

  logic [Width-1:0] mem [0:Depth-1];
  logic [Width-1:0] rdata_q;

  // Two processes, so that every tool finds one write port and one registered read port.
  always_ff @(posedge clk_i) begin
    if (rst_ni && req_i && write_i) mem[addr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (req_i && !write_i) rdata_q <= mem[addr_i];
  end

  assign rdata_o = rdata_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni && req_i) begin
      ram_address_in_range: assert ({1'b0, addr_i} < (AddrWidth + 1)'(Depth));
    end
  end
`endif
`endif

endmodule : ram_1p
