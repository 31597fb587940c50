// SPDX-License-Identifier: Apache-2.0
// The sender loses no interval: between two latches every local port sends exactly one frame, with the bits of the
// first latch and their CRC; and a latch comes every `interval` cycles. The bitmaps are the busy and the congested ones
// in turn, or the congested ones only. For every interval 1..7, alternating or not (constant after reset) and any
// traffic.
module proof_sender #(
  parameter int A = 3,
  parameter int H = 2
) (
  input  logic         clk_i,
  input  logic [H-1:0] congested_i,
  input  logic [H-1:0] busy_i,
  input  logic         alternate_i,
  input  logic [A-2:0] flit_i,
  input  logic [A-2:0] tail_i,
  input  logic [2:0]   interval_i,
  output logic         bad_o
);
  logic       started = 1'b0;
  logic [2:0] interval_q = 3'd1;
  logic       alternate_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started <= 1'b1;
    if (!started) interval_q <= (interval_i == 3'd0) ? 3'd1 : interval_i;
    if (!started) alternate_q <= alternate_i;
  end

  logic [A-2:0] valid, idle, stolen;
  logic [H-1:0] bits;
  logic [7:0]   crc;
  logic         latch, phase;
  bitmap_sender #(.A(A), .H(H)) dut (
    .clk_i, .rst_ni(started), .congested_i, .busy_i, .alternate_i(alternate_q), .flit_i, .tail_i,
    .interval_i(8'(interval_q)), .own_bid_i(5'd1), .frame_valid_o(valid), .frame_idle_o(idle), .frame_stolen_o(stolen),
    .frame_bits_o(bits), .frame_crc_o(crc), .frame_phase_o(phase), .latch_o(latch)
  );

  logic [H-1:0] s1 = '0, s2 = '0, b1 = '0, b2 = '0, expected = '0;
  logic         busy = 1'b0;  // phase of what is expected
  logic [A-2:0] seen = '0;
  logic         once = 1'b0;  // a bitmap has been latched
  logic [3:0]   since = '0;   // cycles since the last latch
  always_ff @(posedge clk_i) begin
    if (started) begin
      s1    <= congested_i;
      s2    <= s1;
      b1    <= busy_i;
      b2    <= b1;
      since <= latch ? 4'd1 : (since == 4'd15) ? since : (since + 4'd1);
      if (latch) begin
        once     <= 1'b1;
        seen     <= '0;
        expected <= (alternate_q && !busy) ? b2 : s2;
        busy     <= alternate_q && !busy;
      end else begin
        seen <= seen | valid;
      end
    end
  end
  logic twice, lost, wrong, late;
  assign twice = ((seen & valid) != '0) || (!once && (valid != '0));
  assign lost  = once && latch && ((seen | valid) != '1);
  assign wrong = (valid != '0) &&
                 ((bits != expected) || (crc != congestion_pkg::crc8(busy, 5'd1, 16'(expected))) || (phase != busy));
  assign late  = once && (latch != (since == 4'(interval_q)));
  assign bad_o = started && (twice || lost || wrong || late);
endmodule
