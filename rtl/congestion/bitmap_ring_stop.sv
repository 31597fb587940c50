// SPDX-License-Identifier: Apache-2.0
//
// One stop of the broadcast ring: writes the word that passes into the two maps of its port, and hands the word on
// (DOAR §3.1).
//
// The word is the number of a router of the group and the H congested and H busy bits of its global ports; they land at
// bid * H. A number that is no router's writes nothing. Meaning: docs/congestion.md §5, §11.
//
// Cost: 2 * (A * H + H) + 6 flip-flops, a decoder of A.

module bitmap_ring_stop #(
  parameter  int A          = 32,  // routers a group, 2..32
  parameter  int H          = 16,  // global ports a router, 1..16
  localparam int GroupPorts = A * H
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                word_valid_i,
  input  logic [congestion_pkg::BidWidth-1:0] word_bid_i,
  input  logic [H-1:0]                        word_bits_i,
  input  logic [H-1:0]                        word_busy_i,
  output logic                                word_valid_o,
  output logic [congestion_pkg::BidWidth-1:0] word_bid_o,
  output logic [H-1:0]                        word_bits_o,
  output logic [H-1:0]                        word_busy_o,
  output logic [GroupPorts-1:0]               map_o,
  output logic [GroupPorts-1:0]               busy_map_o
);

  localparam int OffsetWidth = (GroupPorts > 1) ? $clog2(GroupPorts) : 1;

  logic                                word_valid_q;
  logic [congestion_pkg::BidWidth-1:0] word_bid_q;
  logic [H-1:0]                        word_bits_q, word_busy_q;
  logic [GroupPorts-1:0]               map_q, busy_map_q;
  logic                                write;
  logic [OffsetWidth-1:0]              offset;

  assign write  = word_valid_i && ({1'b0, word_bid_i} < 6'(A));
  assign offset = write ? OffsetWidth'(word_bid_i * 10'(H)) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
      word_bid_q   <= '0;
      word_bits_q  <= '0;
      word_busy_q  <= '0;
      map_q        <= '0;
      busy_map_q   <= '0;
    end else begin
      word_valid_q <= word_valid_i;
      word_bid_q   <= word_bid_i;
      word_bits_q  <= word_bits_i;
      word_busy_q  <= word_busy_i;
      if (write) begin
        map_q[offset +: H]      <= word_bits_i;
        busy_map_q[offset +: H] <= word_busy_i;
      end
    end
  end

  assign word_valid_o = word_valid_q;
  assign word_bid_o   = word_bid_q;
  assign word_bits_o  = word_bits_q;
  assign word_busy_o  = word_busy_q;
  assign map_o        = map_q;
  assign busy_map_o   = busy_map_q;

endmodule : bitmap_ring_stop
