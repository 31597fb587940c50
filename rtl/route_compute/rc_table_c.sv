// SPDX-License-Identifier: Apache-2.0
//
// Table C: for every router of the group the (up to six) local ports that lead to it (DOAR §3.2, Fig. 6).
//
// A row is stored twice: as it was written, six bytes {valid, 0, port}, for the configuration port and for unit M of
// stage 4; and as a map of local ports, for unit C1 of stage 3, which looks at all rows at once. The map is decoded
// when the row is written: one decoder in front of the registers in place of 6*A port multiplexers behind them.
// Row r of `local_map_o` is its bits r*A .. r*A+A-2, bit k = local port P+k; bit r*A+A-1 is always 0.
//
// Cost: A * 48 flip-flops for the entries, A * (A-1) for the maps, A for "reachable"; two A:1 read multiplexers of 48
// bits.

module rc_table_c #(
  parameter int P = 16,
  parameter int A = 32
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // Configuration
  input  logic                                      write_i,
  input  logic [4:0]                                index_i,
  input  logic [route_compute_pkg::EntryCWidth-1:0] wdata_i,
  output logic [route_compute_pkg::EntryCWidth-1:0] rdata_o,
  // Stage 3
  output logic [A*A-1:0]                            local_map_o,
  output logic [A-1:0]                              reachable_o,  // the row has a valid port
  // Stage 4
  input  logic [4:0]                                winner_i,
  output logic [route_compute_pkg::EntryCWidth-1:0] winner_entry_o
);

  localparam int EntryWidth = route_compute_pkg::EntryCWidth;
  localparam int WayWidth   = route_compute_pkg::WayWidth;
  localparam int Ways       = route_compute_pkg::LocalPortsPerRouter;
  localparam int NumLocal   = A - 1;

  logic [A*EntryWidth-1:0] entry_q;
  logic [A*A-1:0]          local_map_q;
  logic [A-1:0]            reachable_q;

  // The ports of the entry that is written, as a map of local ports.
  logic [Ways-1:0]     valid;
  logic [NumLocal-1:0] local_ports;
  logic                any_valid;

  for (genvar k = 0; k < Ways; k = k + 1) begin : gen_way
    logic                                    unused_zero;
    logic [route_compute_pkg::PortWidth-1:0] number;
    logic [63:0]                             port, ports;
    assign {valid[k], unused_zero, number} = wdata_i[WayWidth*k +: WayWidth];
    assign port = 64'(valid[k]) << number;
    if (k == 0) begin : gen_first
      assign ports = port;
    end else begin : gen_next
      assign ports = gen_way[k-1].ports | port;
    end
  end

  assign local_ports = NumLocal'(gen_way[Ways-1].ports >> P);
  assign any_valid   = valid != '0;

  integer r;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      entry_q     <= '0;
      local_map_q <= '0;
      reachable_q <= '0;
    end else if (write_i) begin
      for (r = 0; r < A; r = r + 1) begin
        if (index_i == 5'(r)) begin
          entry_q[r*EntryWidth +: EntryWidth] <= wdata_i;
          local_map_q[r*A +: A]               <= {1'b0, local_ports};
          reachable_q[r]                      <= any_valid;
        end
      end
    end
  end

  assign rdata_o        = entry_q[EntryWidth*index_i +: EntryWidth];
  assign winner_entry_o = entry_q[EntryWidth*winner_i +: EntryWidth];
  assign local_map_o    = local_map_q;
  assign reachable_o    = reachable_q;

endmodule : rc_table_c
