// SPDX-License-Identifier: Apache-2.0
// A frame changes only its neighbour's bits: two collectors that see the same everywhere but on local port 0 differ, at
// every ring stop and at any time, only in the H bits of port 0's neighbour. And the bits of a router that no slot
// names stay 0.
module proof_collector #(
  parameter int A     = 4,
  parameter int H     = 1,
  parameter int Stops = 2,
  parameter int First = 1,  // neighbour at port 0
  parameter int Other = 2   // neighbour at the other ports
) (
  input  logic               clk_i,
  input  logic [A-2:0]       valid_i,
  input  logic [(A-1)*H-1:0] bits_i,
  input  logic [(A-1)*8-1:0] crc_i,
  input  logic [A-2:0]       phase_i,
  input  logic               valid0_i,  // port 0 of the second collector
  input  logic [H-1:0]       bits0_i,
  input  logic [7:0]         crc0_i,
  input  logic               phase0_i,
  input  logic [H-1:0]       own_bits_i,
  input  logic [H-1:0]       own_busy_i,
  input  logic [A-2:0]       failed_i,
  input  logic               stale_enable_i,
  output logic               bad_o
);
  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic [(A-1)*5-1:0] neighbour;
  assign neighbour = {{(A-2){5'(Other)}}, 5'(First)};

  logic [Stops*A*H-1:0] map_a, map_b, busy_a, busy_b, difference, seen;
  bitmap_collector #(.A(A), .H(H), .RingStops(Stops)) dut_a (
    .clk_i, .rst_ni(started), .rx_valid_i(valid_i), .rx_bits_i(bits_i), .rx_crc_i(crc_i), .rx_phase_i(phase_i),
    .own_bits_i, .own_busy_i, .failed_i, .neighbour_i(neighbour), .own_bid_i(5'd0), .interval_i(8'd2), .stale_enable_i,
    .stale_limit_i(8'd2), .map_o(map_a), .busy_map_o(busy_a), .good_o(), .bad_o(), .stale_o()
  );
  bitmap_collector #(.A(A), .H(H), .RingStops(Stops)) dut_b (
    .clk_i, .rst_ni(started), .rx_valid_i({valid_i[A-2:1], valid0_i}), .rx_bits_i({bits_i[(A-1)*H-1:H], bits0_i}),
    .rx_crc_i({crc_i[(A-1)*8-1:8], crc0_i}), .rx_phase_i({phase_i[A-2:1], phase0_i}), .own_bits_i, .own_busy_i,
    .failed_i, .neighbour_i(neighbour), .own_bid_i(5'd0), .interval_i(8'd2), .stale_enable_i, .stale_limit_i(8'd2),
    .map_o(map_b), .busy_map_o(busy_b), .good_o(), .bad_o(), .stale_o()
  );
  assign difference = (map_a ^ map_b) | (busy_a ^ busy_b);
  assign seen       = map_a | busy_a;

  logic [Stops*A-1:0] field_bad;
  for (genvar s = 0; s < Stops; s++) begin : gen_stop
    for (genvar r = 0; r < A; r++) begin : gen_router
      localparam bit Named = (r == 0) || (r == First) || (r == Other);
      assign field_bad[s*A+r] = ((r != First) && (difference[(s*A+r)*H +: H] != '0)) ||
                                (!Named && (seen[(s*A+r)*H +: H] != '0));
    end
  end
  assign bad_o = started && (field_bad != '0);
endmodule
