// SPDX-License-Identifier: Apache-2.0
//
// What the port units of a router have in common: an input FIFO a port, the global scheduler, what is known of the
// local links, and the command ring (docs/fault.md §6.2). The input register of a unit is its station.
//
// Cost: the scheduler, the ring 32 flip-flops a hop, the FIFOs 22 bits of memory a message, 2*(A-1) + 2 flip-flops.

module fault_command #(
  parameter  int P             = 2,
  parameter  int A             = 4,
  parameter  int H             = 2,
  parameter  int Stations      = P + A - 1 + H,  // length of the poll round and of the ring, NumPorts..64
  parameter  int PollWidth     = 1,              // FIFOs looked at in a cycle
  parameter  int RingHop       = 1,              // cycles from station to station
  parameter  int InputDepth    = 64,             // messages an input FIFO holds
  parameter  int Pipelined     = 0,              // beyond the paper: fetch the next command while the units work
  parameter  int ImmediateMask = 0,              // beyond the paper: show the dead ports
  localparam int NumPorts      = P + A - 1 + H,
  localparam int CommandWidth  = 10 + fault_pkg::MessageWidth
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     port_level_i,
  input  logic                                     joins_i,
  input  logic [NumPorts-1:0]                      link_up_i,
  input  logic [NumPorts-1:0]                      in_valid_i,
  input  logic [NumPorts*22-1:0]                   in_message_i,
  output logic [NumPorts-1:0]                      in_ready_o,
  input  logic [NumPorts-1:0]                      busy_i,  // of the units
  input  logic [NumPorts-1:0]                      late_i,
  output logic [NumPorts*CommandWidth-1:0]         command_o,  // to the units: {valid, kind, port, isolated, message}
  output logic                                     serve_o,
  output logic [1:0]                               serve_kind_o,
  output logic [5:0]                               serve_port_o,
  output logic [21:0]                              serve_message_o,
  output logic                                     serve_isolated_o,
  output logic                                     working_o,
  output logic [5:0]                               pointer_o,
  output logic [NumPorts-1:0]                      port_mask_o
);

  localparam int CountWidth   = $clog2(InputDepth + 1);
  localparam int MessageWidth = fault_pkg::MessageWidth;

  // Input FIFOs. A dead link's is empty.
  logic [NumPorts-1:0]              queue_valid, pop;
  logic [NumPorts*MessageWidth-1:0] heads;

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_fifo
    logic [CountWidth-1:0] count;
    fault_fifo #(.Depth(InputDepth), .Width(MessageWidth)) u_fifo (
      .clk_i, .rst_ni,
      .clear_i(!link_up_i[k]),
      .push_i (in_valid_i[k]),
      .data_i (in_message_i[MessageWidth*k +: MessageWidth]),
      .pop_i  (pop[k]),
      .count_o(count),
      .data_o (heads[MessageWidth*k +: MessageWidth])
    );
    assign queue_valid[k] = (count != '0) || in_valid_i[k];
    assign in_ready_o[k]  = count != CountWidth'(InputDepth);
  end

  // Scheduler, and the message that goes with its command.
  logic       look_valid, look_pop;
  logic [1:0] look_kind;
  logic [5:0] look_port;

  fault_scheduler #(
    .P(P), .A(A), .H(H), .Stations(Stations), .PollWidth(PollWidth), .RingHop(RingHop), .Pipelined(Pipelined),
    .ImmediateMask(ImmediateMask)
  ) u_scheduler (
    .clk_i, .rst_ni, .joins_i,
    .link_up_i,
    .queue_valid_i (queue_valid),
    .unit_busy_i   (busy_i),
    .unit_late_i   (late_i),
    .cmd_valid_o   (look_valid),
    .cmd_kind_o    (look_kind),
    .cmd_port_o    (look_port),
    .pop_o         (look_pop),
    .working_o, .pointer_o, .port_mask_o
  );

  assign pop              = look_pop ? (NumPorts'(1'b1) << look_port) : '0;
  assign serve_message_o  = look_pop ? heads[MessageWidth*look_port +: MessageWidth] : '0;
  assign serve_kind_o     = !look_pop ? look_kind
    : ((serve_message_o[fault_pkg::KindLsb] == fault_pkg::KindFr) ? fault_pkg::CommandFr : fault_pkg::CommandFd);
  assign serve_o          = look_valid;
  assign serve_port_o     = look_port;

  // Which local links serve: up, and the neighbour has said everything. A router that is isolated stays so until it has
  // heard all that are up.
  logic [A-2:0] serving_d, serving_q, unheard_d, unheard_q, local_bit;
  logic         isolated_d, isolated_q, port_level_q, link_event, comes_up, end_mark;
  assign local_bit  = (A-1)'((NumPorts'(1'b1) << look_port) >> P);
  assign link_event = look_valid && !look_pop;
  assign comes_up   = link_event && (look_kind == fault_pkg::CommandUp);
  assign end_mark   = (serve_kind_o == fault_pkg::CommandFr) &&
                      (serve_message_o[fault_pkg::PrefixLsb +: 2] == fault_pkg::PrefixPort);
  assign serving_d  = (end_mark || (comes_up && port_level_q)) ? serving_q | local_bit
                    : link_event ? serving_q & ~local_bit
                    : serving_q;
  assign unheard_d  = (comes_up && !port_level_q) ? unheard_q | local_bit
                    : (link_event || end_mark) ? unheard_q & ~local_bit
                    : unheard_q;
  assign isolated_d = (serving_d == '0) || (isolated_q && (unheard_d != '0));
  assign serve_isolated_o = look_valid && isolated_d;

  always_ff @(posedge clk_i) begin
    port_level_q <= port_level_i;
    if (!rst_ni) begin
      serving_q  <= {(A-1){!joins_i}};
      unheard_q  <= '0;
      isolated_q <= joins_i;
    end else begin
      serving_q  <= serving_d;
      unheard_q  <= unheard_d;
      isolated_q <= isolated_d;
    end
  end

  // The ring: its first word is what the scheduler shows, the rest are registers.
  localparam int RingStages = (NumPorts - 1) * RingHop;
  logic [RingStages*CommandWidth-1:0]     ring_q;
  logic [(RingStages+1)*CommandWidth-1:0] ring;
  assign ring = {ring_q, serve_o, serve_kind_o, serve_port_o, serve_isolated_o, serve_message_o};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ring_q <= '0;
    else ring_q <= ring[RingStages*CommandWidth-1:0];
  end

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_station
    assign command_o[k*CommandWidth +: CommandWidth] = ring[k*RingHop*CommandWidth +: CommandWidth];
  end

endmodule : fault_command
