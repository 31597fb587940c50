// SPDX-License-Identifier: Apache-2.0
//
// Port unit of the fault plane: travel, match and action on the tables of one port (docs/fault.md §5).
//
//   command ─▶ core: station, sequence, action, accessibility, tell, output queue ─▶ message
//               ▲└─▶ RAMs
//
// A command from the ring is matched to one row, or walks all rows. Each row is read, changed and written back in two
// cycles of the RAM that route compute leaves free; what the neighbour has to know goes into the output queue. With
// Banks > 1 (beyond the paper) the rows lie in so many RAMs and a travel handles a row of each at a time; with
// CommandDepth > 0 commands that come while the unit works wait. Every part samples its own pins.
//
// Cost: one RAM of Rows words of 9 + 3*NumPorts bits, 8*Rows flip-flops, the queue, the action's logic once a bank.

module fault_port #(
  parameter  int P          = 2,
  parameter  int A          = 4,
  parameter  int H          = 2,
  parameter  int G          = 8,
  parameter  int QueueDepth = 8,
  parameter  int Banks      = 1,  // rows a step of a travel: 1, 2, 4 or 8
  parameter  int CommandDepth = 0,  // commands that may wait while the unit works, with a pipelined scheduler
  localparam int NumPorts   = P + A - 1 + H,
  localparam int Rows       = P + A + G
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [8:0]          own_gid_i,
  input  logic [4:0]          own_bid_i,
  input  logic [5:0]          own_port_i,
  input  logic [1:0]          class_i,
  input  logic                safe_i,
  input  logic                port_level_i,
  input  logic                joins_i,
  input  logic                cfg_valid_i,
  input  logic [9:0]          cfg_row_i,
  input  logic                cfg_has_a_i,
  input  logic [5:0]          cfg_a_i,
  input  logic [NumPorts-1:0] cfg_b_i,
  input  logic                cmd_valid_i,
  input  logic [1:0]          cmd_kind_i,
  input  logic [5:0]          cmd_port_i,
  input  logic [21:0]         cmd_message_i,
  input  logic                cmd_isolated_i,
  input  logic                route_read_i,
  input  logic [9:0]          route_row_i,
  input  logic                out_ready_i,
  output logic                busy_o,
  output logic                late_o,
  output logic [NumPorts-1:0] unheard_o,
  output logic                msg_valid_o,
  output logic [21:0]         msg_o,
  output logic [Banks-1:0]    write_o,
  output logic [9:0]          write_row_o,
  output logic [2*Banks-1:0]  write_level_a_o,
  output logic [Banks*NumPorts-1:0] write_lost_o,
  output logic [Banks*NumPorts-1:0] write_partial_o,
  output logic                cfg_ack_o,
  output logic [15:0]         fd_count_o,
  output logic [15:0]         fr_count_o,
  output logic [15:0]         wait_ram_o,
  output logic [15:0]         wait_queue_o,
  output logic [12:0]         probe_o,
  output logic [9+3*NumPorts-1:0] route_word_o  // the row that route compute has read, in the cycle after
);

  localparam int Steps     = (Rows + Banks - 1) / Banks;  // of a travel
  localparam int StepWidth = (Steps > 1) ? $clog2(Steps) : 1;
  localparam int WordWidth = 9 + 3 * NumPorts;

  logic [Banks-1:0]           ram_req;
  logic                       ram_write;
  logic [StepWidth-1:0]       ram_step;
  logic [Banks*WordWidth-1:0] ram_wdata, ram_rdata;

  fault_port_core #(.P(P), .A(A), .H(H), .G(G), .QueueDepth(QueueDepth), .Banks(Banks),
                    .CommandDepth(CommandDepth)) u_core (
    .clk_i, .rst_ni, .own_gid_i, .own_bid_i, .own_port_i, .class_i, .safe_i, .port_level_i, .joins_i, .cfg_valid_i,
    .cfg_row_i, .cfg_has_a_i, .cfg_a_i, .cfg_b_i, .cmd_valid_i, .cmd_kind_i, .cmd_port_i, .cmd_message_i,
    .cmd_isolated_i, .route_read_i, .route_row_i, .out_ready_i, .busy_o, .late_o, .unheard_o, .msg_valid_o, .msg_o,
    .write_o, .write_row_o, .write_level_a_o, .write_lost_o, .write_partial_o, .cfg_ack_o, .fd_count_o, .fr_count_o,
    .wait_ram_o, .wait_queue_o, .probe_o, .route_word_o,
    .ram_req_o  (ram_req),
    .ram_write_o(ram_write),
    .ram_step_o (ram_step),
    .ram_wdata_o(ram_wdata),
    .ram_rdata_i(ram_rdata)
  );

  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_bank
    ram_1p #(.Width(WordWidth), .Depth(Steps)) u_ram (
      .clk_i, .rst_ni,
      .req_i  (ram_req[b]),
      .write_i(ram_write),
      .addr_i (ram_step),
      .wdata_i(ram_wdata[b*WordWidth +: WordWidth]),
      .rdata_o(ram_rdata[b*WordWidth +: WordWidth])
    );
  end

endmodule : fault_port
