// SPDX-License-Identifier: Apache-2.0
//
// RAM with a write port and a registered read port.
//
// What is read in one cycle is on `rdata_o` in the next and stays there until the next read. A read of the word that is
// written at the same edge gives the old one: who needs the new one passes it around the RAM. The content is not reset.
//
// Cost: Width * Depth bits of memory; it maps to one block RAM or one SRAM macro with a port for each direction.

module router_ram_1r1w #(
  parameter  int Width     = 64,
  parameter  int Depth     = 32,
  localparam int AddrWidth = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 write_i,
  input  logic [AddrWidth-1:0] waddr_i,  // below Depth
  input  logic [Width-1:0]     wdata_i,
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] raddr_i,  // below Depth
  output logic [Width-1:0]     rdata_o
);

  logic [Width-1:0] mem [0:Depth-1];
  logic [Width-1:0] rdata_q;

  // Two processes, so that every tool finds one write port and one registered read port.
  always_ff @(posedge clk_i) begin
    if (write_i) mem[waddr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) rdata_q <= mem[raddr_i];
  end

  assign rdata_o = rdata_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (write_i) begin
      ram_writes_in_range: assert ({1'b0, waddr_i} < (AddrWidth + 1)'(Depth));
    end
    if (read_i) begin
      ram_reads_in_range: assert ({1'b0, raddr_i} < (AddrWidth + 1)'(Depth));
    end
  end
`endif
`endif

endmodule : router_ram_1r1w
