// SPDX-License-Identifier: Apache-2.0
//
// Bitmap collector of a router: the congestion bits of the group's other routers, multiplexed onto a ring past all
// ports (DOAR §3.1, Fig. 5).
//
// r0 (inputs) -> CRC check and the latest value of either phase of each local port -> one slot a local port and one for
// the own router in turn -> ring of RingStops stops, each with the two maps of its port. A frame with a wrong CRC is
// dropped. A neighbour behind a failed port, or from which nothing came for the configured number of intervals, reads
// as congested and busy. Meaning: docs/congestion.md §5, §11.
//
// Cost: (A-1) * (3*H + 24) flip-flops and a CRC checker a local port, a multiplexer of A * (2*H + 5) bits, RingStops
// stops.

module bitmap_collector #(
  parameter  int A          = 32,  // routers a group, 2..32
  parameter  int H          = 16,  // global ports a router, 1..16
  parameter  int RingStops  = 63,  // stops of the ring, one a port, 1..64
  localparam int LocalPorts = A - 1,
  localparam int GroupPorts = A * H
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  input  logic [LocalPorts-1:0]                          rx_valid_i,
  input  logic [LocalPorts*H-1:0]                        rx_bits_i,
  input  logic [LocalPorts*congestion_pkg::CrcWidth-1:0] rx_crc_i,
  input  logic [LocalPorts-1:0]                          rx_phase_i,
  input  logic [H-1:0]                                   own_bits_i,
  input  logic [H-1:0]                                   own_busy_i,
  input  logic [LocalPorts-1:0]                          failed_i,
  input  logic [LocalPorts*congestion_pkg::BidWidth-1:0] neighbour_i,
  input  logic [congestion_pkg::BidWidth-1:0]            own_bid_i,
  input  logic [congestion_pkg::IntervalWidth-1:0]       interval_i,
  input  logic                                           stale_enable_i,
  input  logic [congestion_pkg::LimitWidth-1:0]          stale_limit_i,
  output logic [RingStops*GroupPorts-1:0]                map_o,
  output logic [RingStops*GroupPorts-1:0]                busy_map_o,
  output logic [LocalPorts-1:0]                          good_o,
  output logic [LocalPorts-1:0]                          bad_o,
  output logic [LocalPorts-1:0]                          stale_o
);

  localparam int SlotWidth = $clog2(A);
  localparam int CrcWidth  = congestion_pkg::CrcWidth;
  localparam int BidWidth  = congestion_pkg::BidWidth;

  // ---- r0 ----

  logic [H-1:0]                             own_bits_q, own_busy_q;
  logic [LocalPorts-1:0]                    failed_q;
  logic [LocalPorts*BidWidth-1:0]           neighbour_q;
  logic [BidWidth-1:0]                      own_bid_q;
  logic [congestion_pkg::IntervalWidth-1:0] interval_q;
  logic                                     stale_enable_q;
  logic [congestion_pkg::LimitWidth-1:0]    stale_limit_q, stale_limit;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_bits_q     <= '0;
      own_busy_q     <= '0;
      failed_q       <= '0;
      neighbour_q    <= '0;
      own_bid_q      <= '0;
      interval_q     <= '0;
      stale_enable_q <= 1'b0;
      stale_limit_q  <= '0;
    end else begin
      own_bits_q     <= own_bits_i;
      own_busy_q     <= own_busy_i;
      failed_q       <= failed_i;
      neighbour_q    <= neighbour_i;
      own_bid_q      <= own_bid_i;
      interval_q     <= interval_i;
      stale_enable_q <= stale_enable_i;
      stale_limit_q  <= stale_limit_i;
    end
  end

  logic tick;

  congestion_interval u_tick (
    .clk_i,
    .rst_ni,
    .interval_i(interval_q),
    .last_o    (tick)
  );

  // ---- Latest value and silence of each local port ----

  logic [LocalPorts*H-1:0] latest, busy_latest;
  logic [LocalPorts-1:0]   stale;

  assign stale_limit = (stale_limit_q == '0) ? 8'd1 : stale_limit_q;

  for (genvar k = 0; k < LocalPorts; k++) begin : gen_port
    logic                                  valid_q;
    logic [H-1:0]                          bits_q;
    logic [CrcWidth-1:0]                   crc_q;
    logic                                  phase_q;
    logic [H-1:0]                          latest_q, busy_latest_q;
    logic [congestion_pkg::LimitWidth-1:0] silent_q;
    logic                                  good_q, bad_q;
    logic                                  crc_ok, good, late;

    assign late   = (silent_q >= stale_limit);
    assign good   = valid_q && crc_ok;
    assign crc_ok = (congestion_pkg::crc8(phase_q, neighbour_q[k*BidWidth +: BidWidth], 16'(bits_q)) == crc_q);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q       <= 1'b0;
        latest_q      <= '0;
        busy_latest_q <= '0;
        silent_q      <= '0;
        good_q        <= 1'b0;
        bad_q         <= 1'b0;
      end else begin
        valid_q <= rx_valid_i[k];
        good_q  <= good;
        bad_q   <= valid_q && !crc_ok;
        if (good && phase_q) busy_latest_q <= bits_q;
        if (good && !phase_q) latest_q <= bits_q;
        if (good) begin
          silent_q <= '0;
        end else if (tick && (silent_q != '1)) begin
          silent_q <= silent_q + 8'd1;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (rx_valid_i[k]) begin
        bits_q  <= rx_bits_i[k*H +: H];
        crc_q   <= rx_crc_i[k*CrcWidth +: CrcWidth];
        phase_q <= rx_phase_i[k];
      end
    end

    assign latest[k*H +: H]      = latest_q;
    assign busy_latest[k*H +: H] = busy_latest_q;
    assign stale[k]              = stale_enable_q && late;
    assign good_o[k]             = good_q;
    assign bad_o[k]              = bad_q;
  end

  assign stale_o = stale;

  // ---- Multiplexer ----

  logic [SlotWidth-1:0] slot_q;
  logic                 own_slot, forced;
  logic                 word_valid_q;
  logic [BidWidth-1:0]  word_bid_q;
  logic [H-1:0]         word_bits_q, word_busy_q;

  // One entry a slot; the last is the own router.
  logic [A-1:0]          slot_forced;
  logic [A*H-1:0]        slot_bits, slot_busy;
  logic [A*BidWidth-1:0] slot_bid;

  assign slot_forced = {1'b0, failed_q | stale};
  assign slot_bits   = {own_bits_q, latest};
  assign slot_busy   = {own_busy_q, busy_latest};
  assign slot_bid    = {own_bid_q, neighbour_q};
  assign own_slot    = (slot_q == SlotWidth'(A - 1));
  assign forced      = slot_forced[slot_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_q       <= '0;
      word_valid_q <= 1'b0;
      word_bid_q   <= '0;
      word_bits_q  <= '0;
      word_busy_q  <= '0;
    end else begin
      slot_q       <= own_slot ? '0 : (slot_q + SlotWidth'(1));
      word_valid_q <= 1'b1;
      word_bid_q   <= slot_bid[slot_q*BidWidth +: BidWidth];
      word_bits_q  <= forced ? '1 : slot_bits[slot_q*H +: H];
      word_busy_q  <= forced ? '1 : slot_busy[slot_q*H +: H];
    end
  end

  // ---- Ring ----

  logic [RingStops:0]              ring_valid;
  logic [(RingStops+1)*BidWidth-1:0] ring_bid;
  logic [(RingStops+1)*H-1:0]      ring_bits, ring_busy;

  assign ring_valid[0]           = word_valid_q;
  assign ring_bid[BidWidth-1:0]  = word_bid_q;
  assign ring_bits[H-1:0]        = word_bits_q;
  assign ring_busy[H-1:0]        = word_busy_q;

  for (genvar s = 0; s < RingStops; s++) begin : gen_stop
    bitmap_ring_stop #(.A(A), .H(H)) u_stop (
      .clk_i,
      .rst_ni,
      .word_valid_i(ring_valid[s]),
      .word_bid_i  (ring_bid[s*BidWidth +: BidWidth]),
      .word_bits_i (ring_bits[s*H +: H]),
      .word_busy_i (ring_busy[s*H +: H]),
      .word_valid_o(ring_valid[s+1]),
      .word_bid_o  (ring_bid[(s+1)*BidWidth +: BidWidth]),
      .word_bits_o (ring_bits[(s+1)*H +: H]),
      .word_busy_o (ring_busy[(s+1)*H +: H]),
      .map_o       (map_o[s*GroupPorts +: GroupPorts]),
      .busy_map_o  (busy_map_o[s*GroupPorts +: GroupPorts])
    );
  end

  // The word that leaves the last stop goes nowhere.
  logic unused_ring_end;
  assign unused_ring_end = ^{ring_valid[RingStops], ring_bid[RingStops*BidWidth +: BidWidth],
                             ring_bits[RingStops*H +: H], ring_busy[RingStops*H +: H]};

endmodule : bitmap_collector
