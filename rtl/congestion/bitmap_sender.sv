// SPDX-License-Identifier: Apache-2.0
//
// Bitmap sender of a router: the congestion bits of the own global ports, once an interval to every local port
// (DOAR §3.1).
//
// The bits are latched every interval; with `alternate_i` the busy and the congested ones in turn. On each local port
// the bitmap then rides in the reserved field of the first tail flit that passes, or leaves in an idle frame in the
// last cycle of the interval, if need be in the slot of a waiting flit. All ports share bits and CRC. Meaning:
// docs/congestion.md §3, §11.
//
// Cost: H + 9 flip-flops for the bitmap, H + 9 for the output, 2 * H for the inputs, 6 * (A-1) for the ports, a
// multiplexer of H bits, the CRC (8 parities of up to 12 bits).

module bitmap_sender #(
  parameter  int A          = 32,  // routers a group, 2..32
  parameter  int H          = 16,  // global ports a router, 1..16
  localparam int LocalPorts = A - 1
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [H-1:0]                             congested_i,
  input  logic [H-1:0]                             busy_i,
  input  logic [LocalPorts-1:0]                    flit_i,
  input  logic [LocalPorts-1:0]                    tail_i,
  input  logic [congestion_pkg::IntervalWidth-1:0] interval_i,
  input  logic [congestion_pkg::BidWidth-1:0]      own_bid_i,
  input  logic                                     alternate_i,
  output logic [LocalPorts-1:0]                    frame_valid_o,
  output logic [LocalPorts-1:0]                    frame_idle_o,
  output logic [LocalPorts-1:0]                    frame_stolen_o,
  output logic [H-1:0]                             frame_bits_o,
  output logic [congestion_pkg::CrcWidth-1:0]      frame_crc_o,
  output logic                                     frame_phase_o,
  output logic                                     latch_o
);

  // ---- r0 ----

  logic [H-1:0]                             r0_congested_q, r0_busy_q;
  logic [LocalPorts-1:0]                    r0_flit_q, r0_tail_q;
  logic [congestion_pkg::IntervalWidth-1:0] r0_interval_q;
  logic [congestion_pkg::BidWidth-1:0]      r0_own_bid_q;
  logic                                     r0_alternate_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r0_congested_q <= '0;
      r0_busy_q      <= '0;
      r0_flit_q      <= '0;
      r0_tail_q      <= '0;
      r0_interval_q  <= '0;
      r0_own_bid_q   <= '0;
      r0_alternate_q <= 1'b0;
    end else begin
      r0_congested_q <= congested_i;
      r0_busy_q      <= busy_i;
      r0_flit_q      <= flit_i;
      r0_tail_q      <= tail_i;
      r0_interval_q  <= interval_i;
      r0_own_bid_q   <= own_bid_i;
      r0_alternate_q <= alternate_i;
    end
  end

  // ---- Latch and send ----

  logic                                last;
  logic                                phase, phase_q;  // 1: busy; of what is latched next, of what is latched
  logic [H-1:0]                        bitmap, latched_q;
  logic [congestion_pkg::CrcWidth-1:0] crc_q;
  logic [LocalPorts-1:0]               pending_q, ride, idle, valid;

  congestion_interval u_interval (
    .clk_i,
    .rst_ni,
    .interval_i(r0_interval_q),
    .last_o    (last)
  );

  assign phase  = r0_alternate_q && !phase_q;
  assign bitmap = phase ? r0_busy_q : r0_congested_q;

  assign ride  = pending_q & r0_flit_q & r0_tail_q;
  assign idle  = last ? (pending_q & ~ride) : '0;
  assign valid = ride | idle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      latched_q <= '0;
      phase_q   <= 1'b0;
      crc_q     <= '0;
      pending_q <= '0;
    end else if (last) begin
      latched_q <= bitmap;
      phase_q   <= phase;
      crc_q     <= congestion_pkg::crc8(phase, r0_own_bid_q, 16'(bitmap));
      pending_q <= pending_q | {LocalPorts{1'b1}};
    end else begin
      pending_q <= pending_q & ~valid;
    end
  end

  // ---- Frames ----

  logic [LocalPorts-1:0]               valid_q, idle_q, stolen_q;
  logic [H-1:0]                        bits_q;
  logic [congestion_pkg::CrcWidth-1:0] frame_crc_q;
  logic                                frame_phase_q, latch_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      idle_q        <= '0;
      stolen_q      <= '0;
      bits_q        <= '0;
      frame_crc_q   <= '0;
      frame_phase_q <= 1'b0;
      latch_q       <= 1'b0;
    end else begin
      valid_q       <= valid;
      idle_q        <= idle;
      stolen_q      <= idle & r0_flit_q;
      bits_q        <= (valid != '0) ? latched_q : '0;
      frame_crc_q   <= (valid != '0) ? crc_q : '0;
      frame_phase_q <= (valid != '0) && phase_q;
      latch_q       <= last;
    end
  end

  assign frame_valid_o  = valid_q;
  assign frame_idle_o   = idle_q;
  assign frame_stolen_o = stolen_q;
  assign frame_bits_o   = bits_q;
  assign frame_crc_o    = frame_crc_q;
  assign frame_phase_o  = frame_phase_q;
  assign latch_o        = latch_q;

endmodule : bitmap_sender
