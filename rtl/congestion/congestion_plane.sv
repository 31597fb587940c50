// SPDX-License-Identifier: Apache-2.0
//
// Congestion plane of one router: a credit monitor a local and global output port, the bitmap sender, the bitmap
// collector, the registers (DOAR §3.1).
//
// The bits of the own global ports go by wires to the sender and to the own slot of the collector. `cong_local_o` and
// the map of ring stop k are `cong_local_i` and `cong_global_i` of the route-compute unit at port k, `busy_local_o` and
// the busy map its `busy_local_i` and `busy_global_i`. Meaning: docs/congestion.md §6, §11.
//
// Cost: NumPorts-P monitors, most of it their history RAM; 2 * RingStops * A * H flip-flops of maps.

module congestion_plane #(
  parameter  int P           = 16,   // nodes a router, 1..16
  parameter  int A           = 32,   // routers a group, 2..32
  parameter  int H           = 16,   // global ports a router, 1..16
  parameter  int NumVcs      = 4,    // virtual channels, 1..4
  parameter  int MaxCapacity = 256,  // packet slots of a virtual channel, 1..256
  parameter  int MaxWindow   = 512,  // longest history window, cycles, 1..512
  parameter  int PerCycle    = 1,    // packets and credits of a virtual channel in a cycle at most, 1..2
  localparam int NumPorts    = P + A - 1 + H,
  localparam int LocalPorts  = A - 1,
  localparam int Monitors    = A - 1 + H,
  localparam int GroupPorts  = A * H
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  // Switch and links
  input  logic [Monitors*NumVcs*PerCycle-1:0]            sent_i,    // [((port-P)*NumVcs + vc)*PerCycle]
  input  logic [Monitors*NumVcs*PerCycle-1:0]            credit_i,
  input  logic [Monitors-1:0]                            departed_i,  // [port-P]
  input  logic [NumPorts-1:0]                            failed_i,
  input  logic [LocalPorts-1:0]                          flit_i,
  input  logic [LocalPorts-1:0]                          tail_i,
  // Frames to and from the local links
  output logic [LocalPorts-1:0]                          frame_valid_o,
  output logic [LocalPorts-1:0]                          frame_idle_o,
  output logic [LocalPorts-1:0]                          frame_stolen_o,
  output logic [H-1:0]                                   frame_bits_o,
  output logic [congestion_pkg::CrcWidth-1:0]            frame_crc_o,
  output logic                                           frame_phase_o,
  output logic                                           latch_o,
  input  logic [LocalPorts-1:0]                          rx_valid_i,
  input  logic [LocalPorts*H-1:0]                        rx_bits_i,
  input  logic [LocalPorts*congestion_pkg::CrcWidth-1:0] rx_crc_i,
  input  logic [LocalPorts-1:0]                          rx_phase_i,
  // To route compute
  output logic [NumPorts-1:0]                            cong_local_o,
  output logic [NumPorts-1:0]                            busy_local_o,
  output logic [NumPorts*GroupPorts-1:0]                 map_o,
  output logic [NumPorts*GroupPorts-1:0]                 busy_map_o,
  // Supervision
  output logic [LocalPorts-1:0]                          good_o,
  output logic [LocalPorts-1:0]                          bad_o,
  output logic [LocalPorts-1:0]                          stale_o,
  output logic                                           error_o,
  // Configuration
  input  logic                                           cfg_valid_i,
  output logic                                           cfg_ready_o,
  input  logic                                           cfg_write_i,
  input  logic [congestion_pkg::CfgAddrWidth-1:0]        cfg_addr_i,
  input  logic [63:0]                                    cfg_wdata_i,
  output logic                                           cfg_ack_o,
  output logic                                           cfg_err_o,
  output logic [63:0]                                    cfg_rdata_o
);

  localparam int BidWidth = congestion_pkg::BidWidth;

  logic [BidWidth-1:0]                       own_bid;
  logic [congestion_pkg::IntervalWidth-1:0]  interval;
  logic                                      alternate;
  logic [congestion_pkg::LengthWidth-1:0]    local_window, global_window;
  logic                                      local_enable, global_enable;
  logic [congestion_pkg::ThresholdWidth-1:0] local_threshold, global_threshold, local_busy_threshold,
                                             global_busy_threshold;
  logic [congestion_pkg::CapacityWidth-1:0]  local_capacity, global_capacity;
  logic [congestion_pkg::LimitWidth-1:0]     stale_limit;
  logic                                      stale_enable;
  logic [LocalPorts*BidWidth-1:0]            neighbour;
  logic [Monitors*NumVcs-1:0]                underflow, overflow;

  congestion_config #(
    .P(P), .A(A), .H(H), .RingStops(NumPorts), .MaxCapacity(MaxCapacity), .MaxWindow(MaxWindow),
    .NumPulses(Monitors * NumVcs)
  ) u_config (
    .clk_i,
    .rst_ni,
    .cfg_valid_i,
    .cfg_ready_o,
    .cfg_write_i,
    .cfg_addr_i,
    .cfg_wdata_i,
    .cfg_ack_o,
    .cfg_err_o,
    .cfg_rdata_o,
    .frame_valid_i          (frame_valid_o),
    .frame_idle_i           (frame_idle_o),
    .frame_stolen_i         (frame_stolen_o),
    .good_i                 (good_o),
    .bad_i                  (bad_o),
    .underflow_i            (underflow),
    .overflow_i             (overflow),
    .own_bid_o              (own_bid),
    .interval_o             (interval),
    .alternate_o            (alternate),
    .local_window_o         (local_window),
    .global_window_o        (global_window),
    .local_enable_o         (local_enable),
    .global_enable_o        (global_enable),
    .local_threshold_o      (local_threshold),
    .global_threshold_o     (global_threshold),
    .local_busy_threshold_o (local_busy_threshold),
    .global_busy_threshold_o(global_busy_threshold),
    .local_capacity_o       (local_capacity),
    .global_capacity_o      (global_capacity),
    .stale_limit_o          (stale_limit),
    .stale_enable_o         (stale_enable),
    .neighbour_o            (neighbour)
  );

  // ---- Monitors; a node port only reads its failure ----

  logic [Monitors-1:0] congested, busy;
  logic [H-1:0]        own_bits, own_busy;
  logic [P-1:0]        node_failed_q, node_congested_q;

  for (genvar m = 0; m < Monitors; m++) begin : gen_monitor
    localparam bit Global = (m >= LocalPorts);

    logic [NumVcs*congestion_pkg::InUseWidth-1:0] unused_in_use;
    logic [congestion_pkg::OccupancyWidth-1:0]    unused_occupancy, unused_corrected;
    logic [congestion_pkg::WindowWidth-1:0]       unused_window;

    credit_monitor #(.NumVcs(NumVcs), .MaxCapacity(MaxCapacity), .MaxWindow(MaxWindow), .PerCycle(PerCycle)) u_monitor (
      .clk_i,
      .rst_ni,
      .sent_i          (sent_i[m*NumVcs*PerCycle +: NumVcs*PerCycle]),
      .credit_i        (credit_i[m*NumVcs*PerCycle +: NumVcs*PerCycle]),
      .departed_i      (departed_i[m]),
      .failed_i        (failed_i[P+m]),
      .capacity_i      (Global ? global_capacity : local_capacity),
      .window_i        (Global ? global_window : local_window),
      .window_enable_i (Global ? global_enable : local_enable),
      .threshold_i     (Global ? global_threshold : local_threshold),
      .busy_threshold_i(Global ? global_busy_threshold : local_busy_threshold),
      .in_use_o        (unused_in_use),
      .occupancy_o     (unused_occupancy),
      .window_o        (unused_window),
      .corrected_o     (unused_corrected),
      .congested_o     (congested[m]),
      .busy_o          (busy[m]),
      .underflow_o     (underflow[m*NumVcs +: NumVcs]),
      .overflow_o      (overflow[m*NumVcs +: NumVcs])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      node_failed_q    <= '0;
      node_congested_q <= '0;
    end else begin
      node_failed_q    <= failed_i[P-1:0];
      node_congested_q <= node_failed_q;
    end
  end

  assign own_bits     = congested[LocalPorts +: H];
  assign own_busy     = busy[LocalPorts +: H];
  assign cong_local_o = {congested, node_congested_q};
  assign busy_local_o = {busy, node_congested_q};
  assign error_o      = (underflow != '0) || (overflow != '0);

  // ---- Broadcast ----

  bitmap_sender #(.A(A), .H(H)) u_sender (
    .clk_i,
    .rst_ni,
    .congested_i(own_bits),
    .busy_i     (own_busy),
    .flit_i,
    .tail_i,
    .interval_i (interval),
    .own_bid_i  (own_bid),
    .alternate_i(alternate),
    .frame_valid_o,
    .frame_idle_o,
    .frame_stolen_o,
    .frame_bits_o,
    .frame_crc_o,
    .frame_phase_o,
    .latch_o
  );

  bitmap_collector #(.A(A), .H(H), .RingStops(NumPorts)) u_collector (
    .clk_i,
    .rst_ni,
    .rx_valid_i,
    .rx_bits_i,
    .rx_crc_i,
    .rx_phase_i,
    .own_bits_i    (own_bits),
    .own_busy_i    (own_busy),
    .failed_i      (failed_i[P +: LocalPorts]),
    .neighbour_i   (neighbour),
    .own_bid_i     (own_bid),
    .interval_i    (interval),
    .stale_enable_i(stale_enable),
    .stale_limit_i (stale_limit),
    .map_o,
    .busy_map_o,
    .good_o,
    .bad_o,
    .stale_o
  );

endmodule : congestion_plane
