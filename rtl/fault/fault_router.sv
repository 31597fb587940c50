// SPDX-License-Identifier: Apache-2.0
//
// Fault plane of one router: global scheduler, command ring, a port unit and an input FIFO a port (docs/fault.md §6.2).
//
//   in ──▶ FIFO ─┐                  ┌─ station 0 ─▶ unit 0 ─▶ out
//   in ──▶ FIFO ─┼─▶ scheduler ─▶ ring: station 1 ─▶ unit 1 ─▶ out    busy and late of all units back to the scheduler
//   link_up ─────┘                  └─ ...
//
// FIFOs, scheduler and ring are in fault_command. The ring takes RingHop cycles from station to station; the input
// register of a unit is its station. Pins that describe a unit come as one vector of all units, port 0 in the low bits.
//
// Cost: what it is made of; the ring 32 flip-flops a hop; the FIFOs 22 bits of memory a message.

module fault_router #(
  parameter  int P             = 2,
  parameter  int A             = 4,
  parameter  int H             = 2,
  parameter  int G             = 8,
  parameter  int Stations      = P + A - 1 + H,  // length of the poll round and of the ring, NumPorts..64
  parameter  int PollWidth     = 1,              // FIFOs looked at in a cycle
  parameter  int RingHop       = 1,              // cycles from station to station
  parameter  int QueueDepth    = 8,              // messages an output queue holds
  parameter  int InputDepth    = (P + A + G > 32) ? 2 * (P + A + G) : 64,  // messages an input FIFO holds: a travel
  parameter  int Banks         = 1,              // beyond the paper: rows a step of a travel
  parameter  int Pipelined     = 0,              // beyond the paper: fetch the next command while the units work
  parameter  int ImmediateMask = 0,              // beyond the paper: show the dead ports
  localparam int NumPorts      = P + A - 1 + H,
  localparam int CommandDepth  = (Pipelined != 0) ? 1 + ((Stations - 1) * RingHop + 2) / 4 : 0
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [8:0]                         own_gid_i,
  input  logic [4:0]                         own_bid_i,
  input  logic                               safe_i,
  input  logic                               port_level_i,
  input  logic                               joins_i,
  input  logic [NumPorts-1:0]                link_up_i,
  input  logic [NumPorts-1:0]                in_valid_i,
  input  logic [NumPorts*22-1:0]             in_message_i,
  output logic [NumPorts-1:0]                in_ready_o,
  input  logic [NumPorts-1:0]                out_ready_i,
  output logic [NumPorts-1:0]                out_valid_o,
  output logic [NumPorts*22-1:0]             out_message_o,
  input  logic [NumPorts-1:0]                route_read_i,
  input  logic                               cfg_valid_i,
  input  logic [5:0]                         cfg_port_i,
  input  logic [9:0]                         cfg_row_i,
  input  logic                               cfg_has_a_i,
  input  logic [5:0]                         cfg_a_i,
  input  logic [NumPorts-1:0]                cfg_b_i,
  output logic                               cfg_ack_o,
  output logic                               serve_o,
  output logic [1:0]                         serve_kind_o,
  output logic [5:0]                         serve_port_o,
  output logic [21:0]                        serve_message_o,
  output logic                               serve_isolated_o,
  output logic                               working_o,
  output logic [5:0]                         pointer_o,
  output logic [NumPorts-1:0]                port_mask_o,
  output logic [NumPorts-1:0]                busy_o,
  output logic [NumPorts-1:0]                late_o,
  output logic [NumPorts*Banks-1:0]          write_o,
  output logic [NumPorts*10-1:0]             write_row_o,
  output logic [NumPorts*2*Banks-1:0]        write_level_a_o,
  output logic [NumPorts*NumPorts*Banks-1:0] write_lost_o,
  output logic [NumPorts*NumPorts*Banks-1:0] write_partial_o,
  output logic [NumPorts*NumPorts-1:0]       unheard_o,
  output logic [NumPorts*16-1:0]             fd_count_o,
  output logic [NumPorts*16-1:0]             fr_count_o,
  output logic [NumPorts*16-1:0]             wait_ram_o,
  output logic [NumPorts*16-1:0]             wait_queue_o,
  output logic [NumPorts*13-1:0]             probe_o
);

  localparam int MessageWidth = fault_pkg::MessageWidth;
  localparam int CommandWidth = 10 + MessageWidth;  // valid, kind, port, isolated, message

  logic [NumPorts*CommandWidth-1:0] commands;

  fault_command #(
    .P(P), .A(A), .H(H), .Stations(Stations), .PollWidth(PollWidth), .RingHop(RingHop), .InputDepth(InputDepth),
    .Pipelined(Pipelined), .ImmediateMask(ImmediateMask)
  ) u_command (
    .clk_i, .rst_ni, .port_level_i, .joins_i, .link_up_i, .in_valid_i, .in_message_i, .in_ready_o,
    .busy_i   (busy_o),
    .late_i   (late_o),
    .command_o(commands),
    .serve_o, .serve_kind_o, .serve_port_o, .serve_message_o, .serve_isolated_o, .working_o, .pointer_o, .port_mask_o
  );

  // Port units.
  logic [NumPorts-1:0] cfg_ack;
  assign cfg_ack_o = cfg_ack != '0;

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_unit
    localparam logic [1:0] Class = (k < P) ? fault_pkg::PortClassNode
                                 : (k < P + A - 1) ? fault_pkg::PortClassLocal
                                 : fault_pkg::PortClassGlobal;
    logic        valid, isolated;
    logic [1:0]  kind;
    logic [5:0]  fp;
    logic [21:0] message;
    logic [9+3*NumPorts-1:0] unused_word;
    assign {valid, kind, fp, isolated, message} = commands[k*CommandWidth +: CommandWidth];

    fault_port #(.P(P), .A(A), .H(H), .G(G), .QueueDepth(QueueDepth), .Banks(Banks),
                 .CommandDepth(CommandDepth)) u_port (
      .clk_i, .rst_ni, .own_gid_i, .own_bid_i,
      .own_port_i     (6'(k)),
      .class_i        (Class),
      .safe_i, .port_level_i, .joins_i,
      .cfg_valid_i    (cfg_valid_i && (cfg_port_i == 6'(k))),
      .cfg_row_i, .cfg_has_a_i, .cfg_a_i, .cfg_b_i,
      .cmd_valid_i    (valid),
      .cmd_kind_i     (kind),
      .cmd_port_i     (fp),
      .cmd_message_i  (message),
      .cmd_isolated_i (isolated),
      .route_read_i   (route_read_i[k]),
      .route_row_i    (10'd0),
      .out_ready_i    (out_ready_i[k]),
      .busy_o         (busy_o[k]),
      .late_o         (late_o[k]),
      .msg_valid_o    (out_valid_o[k]),
      .msg_o          (out_message_o[MessageWidth*k +: MessageWidth]),
      .write_o        (write_o[Banks*k +: Banks]),
      .write_row_o    (write_row_o[10*k +: 10]),
      .write_level_a_o(write_level_a_o[2*Banks*k +: 2*Banks]),
      .write_lost_o   (write_lost_o[NumPorts*Banks*k +: NumPorts*Banks]),
      .write_partial_o(write_partial_o[NumPorts*Banks*k +: NumPorts*Banks]),
      .unheard_o      (unheard_o[NumPorts*k +: NumPorts]),
      .cfg_ack_o      (cfg_ack[k]),
      .fd_count_o     (fd_count_o[16*k +: 16]),
      .fr_count_o     (fr_count_o[16*k +: 16]),
      .wait_ram_o     (wait_ram_o[16*k +: 16]),
      .wait_queue_o   (wait_queue_o[16*k +: 16]),
      .probe_o        (probe_o[13*k +: 13]),
      .route_word_o   (unused_word)
    );
  end

endmodule : fault_router
