// SPDX-License-Identifier: Apache-2.0
//
// What a port unit shows of its work (docs/fault.md §5, pins): the marks of a write, a cycle later, and counters of
// messages and waits. Lane i is row write_row_o + i; of lanes that were not written all is 0.
//
// Cost: 64 flip-flops of counters, and a register and a multiplexer a mark and lane.

module fault_observation #(
  parameter  int NumPorts  = 7,
  parameter  int Banks     = 1,
  localparam int LaneWidth = (Banks > 1) ? $clog2(Banks) : 1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // In this cycle
  input  logic [9:0]                row_i,
  input  logic [9:0]                base_row_i,
  input  logic                      write_i,
  input  logic [Banks-1:0]          changed_i,
  input  logic [2*Banks-1:0]        level_a_i,
  input  logic [Banks*NumPorts-1:0] lost_i,
  input  logic [Banks*NumPorts-1:0] partial_i,
  input  logic                      cfg_write_i,
  input  logic                      push_i,
  input  logic                      kind_i,       // of the message, with push_i
  input  logic                      ram_wait_i,
  input  logic                      queue_wait_i,
  // Pins of the unit
  output logic [Banks-1:0]          write_o,
  output logic [9:0]                write_row_o,
  output logic [2*Banks-1:0]        write_level_a_o,
  output logic [Banks*NumPorts-1:0] write_lost_o,
  output logic [Banks*NumPorts-1:0] write_partial_o,
  output logic                      cfg_ack_o,
  output logic [15:0]               fd_count_o,
  output logic [15:0]               fr_count_o,
  output logic [15:0]               wait_ram_o,
  output logic [15:0]               wait_queue_o
);

  logic [Banks-1:0]          lane_write;
  logic [2*Banks-1:0]        lane_level_a;
  logic [Banks*NumPorts-1:0] lane_lost, lane_partial;
  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_lane
    logic [9:0] row;
    logic       from;
    logic [9:0] bank;
    assign row  = row_i + 10'(b);
    assign bank = row - base_row_i;  // of a travel b; a match has lane 0 only
    assign from = write_i && (bank < 10'(Banks)) && changed_i[LaneWidth'(bank)];
    assign lane_write[b]                         = from;
    assign lane_level_a[2*b +: 2]                = from ? level_a_i[2*LaneWidth'(bank) +: 2] : fault_pkg::LevelFull;
    assign lane_lost[NumPorts*b +: NumPorts]     = from ? lost_i[NumPorts*LaneWidth'(bank) +: NumPorts] : '0;
    assign lane_partial[NumPorts*b +: NumPorts]  = from ? partial_i[NumPorts*LaneWidth'(bank) +: NumPorts] : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_o         <= '0;
      write_row_o     <= 10'd0;
      write_level_a_o <= '0;
      write_lost_o    <= '0;
      write_partial_o <= '0;
      cfg_ack_o       <= 1'b0;
      fd_count_o      <= 16'd0;
      fr_count_o      <= 16'd0;
      wait_ram_o      <= 16'd0;
      wait_queue_o    <= 16'd0;
    end else begin
      write_o         <= lane_write;
      write_row_o     <= write_i ? row_i : 10'd0;
      write_level_a_o <= lane_level_a;
      write_lost_o    <= lane_lost;
      write_partial_o <= lane_partial;
      cfg_ack_o       <= cfg_write_i;
      fd_count_o      <= fd_count_o + {15'd0, push_i && (kind_i == fault_pkg::KindFd)};
      fr_count_o      <= fr_count_o + {15'd0, push_i && (kind_i == fault_pkg::KindFr)};
      wait_ram_o      <= wait_ram_o + {15'd0, ram_wait_i};
      wait_queue_o    <= wait_queue_o + {15'd0, queue_wait_i};
    end
  end

endmodule : fault_observation
