// SPDX-License-Identifier: Apache-2.0
// Credits in use never leave 0..capacity, whatever is sent and returned, for every capacity (constant after reset), and
// the reported errors are exactly the refused events. With PerCycle 2 up to two packets and two credits of a channel
// come in a cycle.
module proof_occupancy #(
  parameter  int MaxCapacity = 6,
  parameter  int MaxWindow   = 2,
  parameter  int PerCycle    = 1,
  localparam int Bits        = 2 * PerCycle
) (
  input  logic       clk_i,
  input  logic [Bits-1:0] sent_i,
  input  logic [Bits-1:0] credit_i,
  input  logic       departed_i,
  input  logic [8:0] capacity_i,
  input  logic [9:0] window_i,
  output logic       bad_o
);
  logic        started = 1'b0;
  logic [8:0]  capacity_q = '0;  // any value, then constant
  logic [17:0] in_use;
  logic [10:0] occupancy;
  logic [1:0]  underflow, overflow;
  logic [8:0]  limit;

  // Two cycles of reset, so that the constant has reached the monitor's input register before anything is sent.
  logic running = 1'b0;
  always_ff @(posedge clk_i) begin
    started <= 1'b1;
    running <= started;
    if (!started) capacity_q <= capacity_i;
  end
  assign limit = (capacity_q > 9'(MaxCapacity)) ? 9'(MaxCapacity) : capacity_q;

  credit_monitor #(.NumVcs(2), .MaxCapacity(MaxCapacity), .MaxWindow(MaxWindow), .PerCycle(PerCycle)) dut (
    .clk_i, .rst_ni(started), .sent_i(running ? sent_i : '0), .credit_i(running ? credit_i : '0), .failed_i(1'b0),
    .capacity_i(capacity_q), .departed_i, .window_i, .window_enable_i(1'b1), .threshold_i(16'd1),
    .busy_threshold_i(16'd0), .in_use_o(in_use), .occupancy_o(occupancy), .window_o(), .corrected_o(), .congested_o(),
    .busy_o(), .underflow_o(underflow), .overflow_o(overflow)
  );

  // The events that the shown counters have seen, and the counters before them.
  logic [Bits-1:0] sent_q = '0, sent_qq = '0, credit_q = '0, credit_qq = '0;
  logic [17:0] before_q = '0;
  always_ff @(posedge clk_i) begin
    sent_q    <= running ? sent_i : '0;
    credit_q  <= running ? credit_i : '0;
    sent_qq   <= sent_q;
    credit_qq <= credit_q;
    before_q  <= in_use;
  end
  logic [1:0] vc_bad;
  for (genvar v = 0; v < 2; v++) begin : gen_vc
    logic [8:0] before, after, room, sent, credit, take, give;
    assign before = before_q[v*9 +: 9];
    assign after  = in_use[v*9 +: 9];
    assign room   = limit - before;
    assign sent   = (sent_qq[PerCycle*v +: PerCycle] == PerCycle'(3)) ? 9'(PerCycle)
                  : 9'(sent_qq[PerCycle*v +: PerCycle]);
    assign credit = (credit_qq[PerCycle*v +: PerCycle] == PerCycle'(3)) ? 9'(PerCycle)
                  : 9'(credit_qq[PerCycle*v +: PerCycle]);
    assign take   = (sent < room) ? sent : room;
    assign give   = (credit < before) ? credit : before;
    assign vc_bad[v] = (after > limit) || (after != before + take - give) || (underflow[v] != (take != sent)) ||
                       (overflow[v] != (give != credit));
  end
  assign bad_o = running && ((vc_bad != 2'd0) || (occupancy != 11'(in_use[8:0]) + 11'(in_use[17:9])));
endmodule
