// SPDX-License-Identifier: Apache-2.0
//
// Credit monitor of one output port: credits in use of the downstream input port, and whether the port is congested
// (DOAR §3.1, Fig. 5).
//
// r0 (inputs) -> rank 1: a counter a virtual channel, the history window -> rank 2: occupancy less what went onto the
// link within the last round trip, compared with two thresholds. What waits in the output FIFO is occupancy that no
// window takes off. A packet without a free slot and a credit that nobody has in use are reported and change nothing,
// so no counter can leave 0..capacity. A switch with two phases grants two packets for a virtual channel in a cycle,
// and two credits come back: with PerCycle 2 the pins are counts, 0..2 a channel. Meaning: docs/congestion.md §2, §11.
//
// Cost: NumVcs counters with a comparator each, the history (see there), an adder tree of NumVcs terms, a subtractor
// and three comparators.

module credit_monitor #(
  parameter  int NumVcs      = 4,    // virtual channels, 1..4
  parameter  int MaxCapacity = 256,  // packet slots of a virtual channel, 1..256
  parameter  int MaxWindow   = 512,  // longest history window, cycles, 1..512
  parameter  int PerCycle    = 1,    // packets and credits of a virtual channel in a cycle at most, 1..2
  localparam int CapWidth    = congestion_pkg::CapacityWidth,
  localparam int OccWidth    = congestion_pkg::OccupancyWidth,
  localparam int UseWidth    = congestion_pkg::InUseWidth
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  logic [NumVcs*PerCycle-1:0]                sent_i,    // [PerCycle*vc]
  input  logic [NumVcs*PerCycle-1:0]                credit_i,
  input  logic                                      departed_i,
  input  logic                                      failed_i,
  input  logic [CapWidth-1:0]                       capacity_i,
  input  logic [congestion_pkg::LengthWidth-1:0]    window_i,
  input  logic                                      window_enable_i,
  input  logic [congestion_pkg::ThresholdWidth-1:0] threshold_i,
  input  logic [congestion_pkg::ThresholdWidth-1:0] busy_threshold_i,
  output logic [NumVcs*UseWidth-1:0]                in_use_o,
  output logic [OccWidth-1:0]                       occupancy_o,
  output logic [congestion_pkg::WindowWidth-1:0]    window_o,
  output logic [OccWidth-1:0]                       corrected_o,
  output logic                                      congested_o,
  output logic                                      busy_o,
  output logic [NumVcs-1:0]                         underflow_o,
  output logic [NumVcs-1:0]                         overflow_o
);

  localparam int LengthWidth = $clog2(MaxWindow + 1);

  // ---- r0 ----

  logic [NumVcs*PerCycle-1:0]                sent_q, credit_q;
  logic                                      departed_q;
  logic                                      failed_q;
  logic [CapWidth-1:0]                       capacity_q;
  logic [congestion_pkg::LengthWidth-1:0]    window_q;
  logic                                      window_enable_q;
  logic [congestion_pkg::ThresholdWidth-1:0] threshold_q, busy_threshold_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q           <= '0;
      credit_q         <= '0;
      departed_q       <= 1'b0;
      failed_q         <= 1'b0;
      capacity_q       <= '0;
      window_q         <= '0;
      window_enable_q  <= 1'b0;
      threshold_q      <= '0;
      busy_threshold_q <= '0;
    end else begin
      sent_q           <= sent_i;
      credit_q         <= credit_i;
      departed_q       <= departed_i;
      failed_q         <= failed_i;
      capacity_q       <= capacity_i;
      window_q         <= window_i;
      window_enable_q  <= window_enable_i;
      threshold_q      <= threshold_i;
      busy_threshold_q <= busy_threshold_i;
    end
  end

  // ---- Rank 1: credits in use ----

  logic [CapWidth-1:0]   capacity;
  logic [NumVcs-1:0]     underflow_q, overflow_q;
  logic [NumVcs*UseWidth-1:0] in_use;

  assign capacity = (capacity_q > CapWidth'(MaxCapacity)) ? CapWidth'(MaxCapacity) : capacity_q;

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic [UseWidth-1:0] in_use_q;
    logic                sent, room, accepted, credit, used, returned;
    logic                again, accepted_again, credit_again, returned_again;  // a second one in the cycle

    assign sent     = (sent_q[v*PerCycle +: PerCycle] != '0);
    assign credit   = (credit_q[v*PerCycle +: PerCycle] != '0);
    assign room     = (in_use_q < capacity);
    assign used     = (in_use_q != '0);
    assign accepted = sent && room;
    assign returned = credit && used;

    if (PerCycle == 2) begin : gen_again
      assign again          = sent_q[v*PerCycle + PerCycle - 1];
      assign credit_again   = credit_q[v*PerCycle + PerCycle - 1];
      assign accepted_again = again && (in_use_q + UseWidth'(1) < capacity);
      assign returned_again = credit_again && (in_use_q[UseWidth-1:1] != '0);
    end else begin : gen_once
      assign {again, credit_again, accepted_again, returned_again} = '0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        in_use_q       <= '0;
        underflow_q[v] <= 1'b0;
        overflow_q[v]  <= 1'b0;
      end else begin
        in_use_q <= in_use_q + UseWidth'(accepted) + UseWidth'(accepted_again) - UseWidth'(returned) -
                    UseWidth'(returned_again);
        underflow_q[v] <= (sent && !room) || (again && !accepted_again);
        overflow_q[v]  <= (credit && !used) || (credit_again && !returned_again);
      end
    end

    assign in_use[v*UseWidth +: UseWidth] = in_use_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
    always_comb begin
      in_use_within_hardware: assert (in_use_q <= UseWidth'(MaxCapacity));
    end
`endif
`endif
  end

  // ---- Rank 1: occupancy and history window ----

  logic [LengthWidth-1:0] length, window;
  logic [OccWidth-1:0]    occupancy;

  assign length = (window_q > congestion_pkg::LengthWidth'(MaxWindow)) ? LengthWidth'(MaxWindow)
                : LengthWidth'(window_q);

  integer i;
  always_comb begin
    occupancy = '0;
    for (i = 0; i < NumVcs; i = i + 1) begin
      occupancy = occupancy + OccWidth'(in_use[i*UseWidth +: UseWidth]);
    end
  end

  credit_history #(.MaxWindow(MaxWindow)) u_history (
    .clk_i,
    .rst_ni,
    .length_i(length),
    .event_i (departed_q),
    .sum_o   (window)
  );

  // ---- Rank 2: compare ----

  logic [OccWidth-1:0] taken_off, corrected, corrected_q;
  logic                over, busy_over, congested_q, busy_q;

  assign taken_off = window_enable_q ? OccWidth'(window) : '0;
  assign corrected = (occupancy > taken_off) ? (occupancy - taken_off) : '0;

  assign over      = (congestion_pkg::ThresholdWidth'(corrected) > threshold_q);
  assign busy_over = (congestion_pkg::ThresholdWidth'(corrected) > busy_threshold_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      corrected_q <= '0;
      congested_q <= 1'b0;
      busy_q      <= 1'b0;
    end else begin
      corrected_q <= corrected;
      congested_q <= failed_q || over;
      busy_q      <= failed_q || busy_over;
    end
  end

  assign in_use_o    = in_use;
  assign occupancy_o = occupancy;
  assign window_o    = congestion_pkg::WindowWidth'(window);
  assign corrected_o = corrected_q;
  assign congested_o = congested_q;
  assign busy_o      = busy_q;
  assign underflow_o = underflow_q;
  assign overflow_o  = overflow_q;

endmodule : credit_monitor
