// SPDX-License-Identifier: Apache-2.0
//
// Synchronous RAM with two ports: one reads, the other one reads or writes.
//
// What is read in one cycle is at the port's output in the next one, and stays there until the port's next read. A read
// at the edge of a write of the same word sees it as it was. The content is not reset; `rst_ni` only keeps an edge in
// reset from writing.
//
// Cost: Width * Depth bits of memory with two address ports.

module router_ram_1r1rw #(
  parameter  int Width     = 64,
  parameter  int Depth     = 14,
  localparam int AddrWidth = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Reads
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] read_addr_i,
  output logic [Width-1:0]     read_data_o,
  // Reads or writes
  input  logic                 req_i,
  input  logic                 write_i,
  input  logic [AddrWidth-1:0] addr_i,
  input  logic [Width-1:0]     wdata_i,
  output logic [Width-1:0]     rdata_o
);

  logic [Width-1:0] mem [0:Depth-1];
  logic [Width-1:0] read_data_q, rdata_q;

  always_ff @(posedge clk_i) begin
    if (rst_ni && req_i && write_i) mem[addr_i] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (read_i) read_data_q <= mem[read_addr_i];
  end

  always_ff @(posedge clk_i) begin
    if (req_i && !write_i) rdata_q <= mem[addr_i];
  end

  assign read_data_o = read_data_q;
  assign rdata_o     = rdata_q;

endmodule : router_ram_1r1rw
