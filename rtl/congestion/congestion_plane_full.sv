// SPDX-License-Identifier: Apache-2.0
//
// Congestion plane of a router at the size dfly(16,32,16,*): a top without parameters, for synthesis and simulation.
// Written by ./dev units from models/congestion/congestion_plane.toml.

module congestion_plane_full (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [187:0]   sent_i,
  input  logic [187:0]   credit_i,
  input  logic [46:0]    departed_i,
  input  logic [62:0]    failed_i,
  input  logic [30:0]    flit_i,
  input  logic [30:0]    tail_i,
  input  logic [30:0]    rx_valid_i,
  input  logic [495:0]   rx_bits_i,
  input  logic [247:0]   rx_crc_i,
  input  logic [30:0]    rx_phase_i,
  input  logic           cfg_valid_i,
  input  logic           cfg_write_i,
  input  logic [11:0]    cfg_addr_i,
  input  logic [63:0]    cfg_wdata_i,
  output logic [62:0]    cong_local_o,
  output logic [62:0]    busy_local_o,
  output logic           error_o,
  output logic           latch_o,
  output logic [30:0]    frame_valid_o,
  output logic [30:0]    frame_idle_o,
  output logic [30:0]    frame_stolen_o,
  output logic [15:0]    frame_bits_o,
  output logic [7:0]     frame_crc_o,
  output logic           frame_phase_o,
  output logic [30:0]    good_o,
  output logic [30:0]    bad_o,
  output logic [30:0]    stale_o,
  output logic [32255:0] map_o,
  output logic [32255:0] busy_map_o,
  output logic           cfg_ready_o,
  output logic           cfg_ack_o,
  output logic           cfg_err_o,
  output logic [63:0]    cfg_rdata_o
);

  congestion_plane #(
    .P(16), .A(32), .H(16), .NumVcs(4), .MaxCapacity(256), .MaxWindow(512), .PerCycle(1)
  ) u_congestion_plane (
    .clk_i,
    .rst_ni,
    .sent_i,
    .credit_i,
    .departed_i,
    .failed_i,
    .flit_i,
    .tail_i,
    .rx_valid_i,
    .rx_bits_i,
    .rx_crc_i,
    .rx_phase_i,
    .cfg_valid_i,
    .cfg_write_i,
    .cfg_addr_i,
    .cfg_wdata_i,
    .cong_local_o,
    .busy_local_o,
    .error_o,
    .latch_o,
    .frame_valid_o,
    .frame_idle_o,
    .frame_stolen_o,
    .frame_bits_o,
    .frame_crc_o,
    .frame_phase_o,
    .good_o,
    .bad_o,
    .stale_o,
    .map_o,
    .busy_map_o,
    .cfg_ready_o,
    .cfg_ack_o,
    .cfg_err_o,
    .cfg_rdata_o
  );

endmodule : congestion_plane_full
