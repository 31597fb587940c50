// SPDX-License-Identifier: Apache-2.0
//
// A router: the data path, route compute and the fault plane's port unit of every port, the congestion plane
// (docs/router.md §3).
//
//   in ─┬─▶ input ports ─▶ switch ─▶ output FIFOs ─┬─▶ out     sent, departed, credits ─▶ congestion plane ─▶ frames
//       ├─▶ route compute of the port ─▶ answers ▲ │                                         │ local bits, a map a port
//       │        table ▲                           │ slot                                    ▼
//       └─▶ FIFOs ─▶ scheduler ─▶ ring ─▶ port unit ─▶ FD, FR                            route compute
//
// A message goes first: it takes the slot of its link. A dead link (`link_up_i`) is an event of the fault plane; in the
// cycle after the edge it cuts the packets that are arriving, and it reads as congested from the next edge on. All
// units see the same edges; between them there are only wires.
//
// Cost: what it is made of, and a flip-flop a port.

module router #(
  parameter  int P               = 2,    // nodes a router, 1..16
  parameter  int A               = 4,    // routers a group, 2..32
  parameter  int H               = 2,    // global ports a router, 1..16
  parameter  int G               = 8,    // groups, 2..min(A*H+1, 512)
  parameter  int NB              = 8,    // as in route compute
  parameter  int AbsoluteAtReset = 0,    // as in route compute
  parameter  int FlitBits        = 128,  // 128..256
  parameter  int NodeDepth       = 32,   // flits a virtual channel holds, even, 2..256
  parameter  int LocalDepth      = 32,
  parameter  int GlobalDepth     = 256,
  parameter  int OutputFifo      = 64,   // flits, even, 2..64
  parameter  int TablePorts      = 2,    // of the tables that route compute and fault plane share, 1 or 2
  parameter  int FaultFrames     = 0,    // 1: messages ride in frames (fault_link), 0: 22 bits in a slot
  parameter  int TurnCycles      = 0,    // of a VC's turn, 0..256; 0: there are none
  parameter  int Pipelined       = 0,    // beyond the paper: 1: commands are fetched while the units work
  localparam int NumPorts        = P + A - 1 + H,
  localparam int LocalPorts      = A - 1,
  localparam int V               = router_pkg::NumVcs,
  localparam int CreditWidth     = router_pkg::CreditWidth
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              alive_i,
  input  logic [5:0]                        packet_last_i,
  input  logic [8:0]                        own_gid_i,
  input  logic [4:0]                        own_bid_i,
  input  logic                              safe_i,
  input  logic                              port_level_i,
  input  logic [NumPorts-1:0]               link_up_i,
  // Links
  input  logic [NumPorts*2-1:0]             in_kind_i,
  input  logic [NumPorts-1:0]               in_cut_i,
  input  logic [NumPorts*FlitBits-1:0]      in_flit_i,
  input  logic [NumPorts*V*CreditWidth-1:0] credit_i,
  output logic [NumPorts*2-1:0]             out_kind_o,
  output logic [NumPorts*FlitBits-1:0]      out_flit_o,
  output logic [NumPorts*V*CreditWidth-1:0] credit_o,
  // Congestion frames on the local links
  input  logic [LocalPorts-1:0]             rx_valid_i,
  input  logic [LocalPorts*H-1:0]           rx_bits_i,
  input  logic [LocalPorts*8-1:0]           rx_crc_i,
  input  logic [LocalPorts-1:0]             rx_phase_i,
  output logic [LocalPorts-1:0]             frame_valid_o,
  output logic [LocalPorts-1:0]             frame_idle_o,
  output logic [LocalPorts-1:0]             frame_stolen_o,
  output logic [H-1:0]                      frame_bits_o,
  output logic [7:0]                        frame_crc_o,
  output logic                              frame_phase_o,
  // Configuration
  input  logic                              cfg_valid_i,
  output logic                              cfg_ready_o,
  input  logic [6:0]                        cfg_unit_i,
  input  logic                              cfg_write_i,
  input  logic [11:0]                       cfg_addr_i,
  input  logic [63:0]                       cfg_wdata_i,
  output logic                              cfg_ack_o,
  output logic                              cfg_err_o,
  output logic [63:0]                       cfg_rdata_o,
  // Supervision
  output logic [NumPorts-1:0]               answer_o,
  output logic [NumPorts*6-1:0]             answer_port_o,
  output logic [NumPorts-1:0]               cong_local_o,
  output logic [NumPorts*V*2-1:0]           sent_o,
  output logic [NumPorts-1:0]               departed_o,
  output logic [2*NumPorts*12-1:0]          grant_o,
  output logic                              serve_o,
  output logic [1:0]                        serve_kind_o,
  output logic [5:0]                        serve_port_o,
  output logic [21:0]                       serve_message_o,
  output logic                              serve_isolated_o,
  output logic [NumPorts-1:0]               busy_o,
  output logic [NumPorts-1:0]               write_o,
  output logic [NumPorts*10-1:0]            write_row_o,
  output logic [NumPorts*2-1:0]             write_level_a_o,
  output logic [NumPorts*NumPorts-1:0]      write_lost_o,
  output logic [NumPorts*NumPorts-1:0]      write_partial_o,
  output logic [NumPorts*NumPorts-1:0]      unheard_o
);

  localparam int GroupPorts = A * H;
  localparam int Monitors   = LocalPorts + H;
  localparam int Units      = NumPorts + 1;
  localparam int Header     = router_pkg::FlitHeaderWidth;

  // ---- Configuration ----

  logic [Units-1:0]    unit_valid, unit_ready, unit_ack, unit_err;
  logic [64*Units-1:0] unit_rdata;
  logic                unit_write;
  logic [11:0]         unit_addr;
  logic [63:0]         unit_wdata;

  router_config #(.Units(Units)) u_config (
    .clk_i, .rst_ni, .cfg_valid_i, .cfg_ready_o, .cfg_unit_i, .cfg_write_i, .cfg_addr_i, .cfg_wdata_i, .cfg_ack_o,
    .cfg_err_o, .cfg_rdata_o, .valid_o(unit_valid),
    .ready_i(unit_ready),
    .write_o(unit_write),
    .addr_o (unit_addr),
    .wdata_o(unit_wdata),
    .ack_i  (unit_ack),
    .err_i  (unit_err),
    .rdata_i(unit_rdata)
  );

  // ---- Data path ----

  logic [NumPorts*6-1:0]   answer_port;
  logic [NumPorts*2-1:0]   answer_vc;
  logic [NumPorts-1:0]     in_valid, out_valid, slot_taken;
  logic [NumPorts*FlitBits-1:0] out_flit;
  logic [NumPorts-1:0]     down_q, link_down;   // dead links

  always_ff @(posedge clk_i) down_q <= rst_ni ? ~link_up_i : '0;
  assign link_down = down_q;

  router_switch #(
    .P(P), .A(A), .H(H), .FlitBits(FlitBits), .NodeDepth(NodeDepth), .LocalDepth(LocalDepth), .GlobalDepth(GlobalDepth),
    .OutputFifo(OutputFifo), .TurnCycles(TurnCycles)
  ) u_switch (
    .clk_i, .rst_ni, .alive_i, .packet_last_i,
    .in_valid_i  (in_valid),
    .in_cut_i, .in_flit_i, .credit_i,
    .out_valid_o (out_valid),
    .out_flit_o  (out_flit),
    .credit_o,
    .ans_port_i  (answer_port),
    .ans_vc_i    (answer_vc),
    .slot_taken_i(slot_taken),
    .link_down_i (link_down),
    .sent_o, .departed_o, .grant_o
  );

  // ---- Congestion plane ----

  logic [Monitors*V*2-1:0]        monitor_credit;
  logic [LocalPorts-1:0]          link_flit, link_tail;
  logic [NumPorts*GroupPorts-1:0] map, busy_map;
  logic [NumPorts-1:0]            busy_local;
  logic                           unused_latch, unused_error;
  logic [LocalPorts-1:0]          unused_good, unused_bad, unused_stale;

  for (genvar m = 0; m < Monitors; m = m + 1) begin : gen_backlog
    for (genvar v = 0; v < V; v = v + 1) begin : gen_vc
      router_backlog u_backlog (
        .clk_i, .rst_ni, .credit_i(credit_i[CreditWidth*(V*(P+m) + v) +: CreditWidth]),
        .credit_o(monitor_credit[2*(V*m + v) +: 2])
      );
    end
  end

  for (genvar k = 0; k < LocalPorts; k = k + 1) begin : gen_link
    assign link_flit[k] = out_valid[P+k];
    assign link_tail[k] = out_flit[FlitBits*(P+k) + router_pkg::FlitTailBit];
  end

  congestion_plane #(.P(P), .A(A), .H(H), .NumVcs(V), .MaxCapacity(256), .MaxWindow(512), .PerCycle(2)) u_plane (
    .clk_i, .rst_ni,
    .sent_i        (sent_o[2*V*P +: 2*V*Monitors]),
    .credit_i      (monitor_credit),
    .departed_i    (departed_o[P +: Monitors]),
    .failed_i      (down_q),
    .flit_i        (link_flit),
    .tail_i        (link_tail),
    .frame_valid_o, .frame_idle_o, .frame_stolen_o, .frame_bits_o, .frame_crc_o, .frame_phase_o,
    .latch_o       (unused_latch),
    .rx_valid_i, .rx_bits_i, .rx_crc_i, .rx_phase_i,
    .cong_local_o,
    .map_o         (map),
    .busy_local_o  (busy_local),
    .busy_map_o    (busy_map),
    .good_o        (unused_good),
    .bad_o         (unused_bad),
    .stale_o       (unused_stale),
    .error_o       (unused_error),
    .cfg_valid_i   (unit_valid[NumPorts]),
    .cfg_ready_o   (unit_ready[NumPorts]),
    .cfg_write_i   (unit_write),
    .cfg_addr_i    (unit_addr),
    .cfg_wdata_i   (unit_wdata),
    .cfg_ack_o     (unit_ack[NumPorts]),
    .cfg_err_o     (unit_err[NumPorts]),
    .cfg_rdata_o   (unit_rdata[64*NumPorts +: 64])
  );

  // ---- Fault plane: what the ports have in common. ----
  // Dead, it is in reset; alive again, it joins a running network; in recovery port_level, where nobody says an end
  // mark, it takes its links for up.

  localparam int MessageWidth = fault_pkg::MessageWidth;
  localparam int FrameWidth   = fault_pkg::FrameWidth;
  localparam int CommandWidth = 10 + MessageWidth;
  // Commands that are on the ring when the scheduler hears of a late unit.
  localparam int CommandDepth = (Pipelined != 0) ? 1 + (NumPorts + 1) / 4 : 0;

  logic                             fault_rst_n, joins, unused_working;
  logic [5:0]                       unused_pointer;
  logic [NumPorts-1:0]              message_valid, fifo_ready, late, unused_mask;
  logic [NumPorts*MessageWidth-1:0] messages;
  logic [NumPorts*CommandWidth-1:0] commands;

  assign fault_rst_n = rst_ni && alive_i;
  assign joins       = rst_ni && !alive_i && !port_level_i;

  fault_command #(.P(P), .A(A), .H(H), .InputDepth((P + A + G > 32) ? 2 * (P + A + G) : 64),
                  .Pipelined(Pipelined)) u_command (
    .clk_i,
    .rst_ni      (fault_rst_n),
    .port_level_i,
    .joins_i     (joins),
    .link_up_i,
    .in_valid_i  (message_valid),
    .in_message_i(messages),
    .in_ready_o  (fifo_ready),
    .busy_i      (busy_o),
    .late_i      (late),
    .command_o   (commands),
    .serve_o, .serve_kind_o, .serve_port_o, .serve_message_o, .serve_isolated_o,
    .working_o   (unused_working),
    .pointer_o   (unused_pointer),
    .port_mask_o (unused_mask)
  );

  // ---- Ports: what is in the slots; route compute is asked by the edge that writes a head into its buffer ----

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_port
    logic [Header-1:0]       header;
    logic                    asks, comes, tells, ready;
    logic [1:0]              vc;
    logic [MessageWidth-1:0] told;
    logic [FrameWidth-1:0]   said;   // in the slot

    assign in_valid[k]      = in_kind_i[2*k +: 2] == router_pkg::SlotFlit;
    assign header           = in_flit_i[FlitBits*k +: Header];
    assign asks             = in_valid[k] && !in_cut_i[k] && alive_i && header[router_pkg::FlitHeadBit];
    assign vc               = (k < P) ? 2'd0 : header[router_pkg::FlitVcLsb +: 2];

    assign out_kind_o[2*k +: 2]                = slot_taken[k] ? router_pkg::SlotMessage
                                               : out_valid[k] ? router_pkg::SlotFlit
                                               : router_pkg::SlotIdle;
    assign out_flit_o[FlitBits*k +: FlitBits]  = slot_taken[k] ? FlitBits'(said) : out_flit[FlitBits*k +: FlitBits];

    // What the port unit tells and hears: as it is, or in frames that are repeated until they are acknowledged.
    assign comes = (in_kind_i[2*k +: 2] == router_pkg::SlotMessage) && !in_cut_i[k];

    if ((FaultFrames != 0) && (k >= P)) begin : gen_frames
      logic [15:0] unused_dropped, unused_malformed, unused_again;
      fault_link #(.P(P), .A(A), .G(G)) u_link (
        .clk_i,
        .rst_ni       (fault_rst_n),
        .link_up_i    (link_up_i[k]),
        .msg_valid_i  (tells),
        .msg_i        (told),
        .ready_o      (ready),
        .in_valid_o   (message_valid[k]),
        .in_message_o (messages[MessageWidth*k +: MessageWidth]),
        .in_ready_i   (fifo_ready[k]),
        .frame_valid_i(comes),
        .frame_i      (in_flit_i[FlitBits*k +: FrameWidth]),
        .frame_valid_o(slot_taken[k]),
        .frame_o      (said),
        .dropped_o    (unused_dropped),
        .malformed_o  (unused_malformed),
        .again_o      (unused_again)
      );
    end else begin : gen_messages
      logic unused_room;
      assign unused_room      = fifo_ready[k];
      assign ready            = 1'b1;
      assign slot_taken[k]    = tells;
      assign said             = FrameWidth'(told);
      assign message_valid[k] = comes;
      assign messages[MessageWidth*k +: MessageWidth] = in_flit_i[FlitBits*k +: MessageWidth];
    end

    logic                    cmd_valid, cmd_isolated;
    logic [1:0]              cmd_kind;
    logic [5:0]              cmd_port;
    logic [MessageWidth-1:0] cmd_message;
    assign {cmd_valid, cmd_kind, cmd_port, cmd_isolated, cmd_message} = commands[CommandWidth*k +: CommandWidth];

    router_route #(
      .P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset), .TablePorts(TablePorts),
      .CommandDepth(CommandDepth), .Port(k)
    ) u_route (
      .clk_i, .rst_ni,
      .req_valid_i    (asks),
      .req_dest_i     (header[router_pkg::FlitDestLsb +: router_pkg::AddressWidth]),
      .req_src_gid_i  (header[router_pkg::FlitSourceLsb + router_pkg::GroupLsb +: router_pkg::GroupWidth]),
      .req_vc_i       (vc),
      .cong_local_i   (cong_local_o),
      .cong_global_i  (map[GroupPorts*k +: GroupPorts]),
      .busy_local_i   (busy_local),
      .busy_global_i  (busy_map[GroupPorts*k +: GroupPorts]),
      .resp_valid_o   (answer_o[k]),
      .resp_port_o    (answer_port[6*k +: 6]),
      .resp_vc_o      (answer_vc[2*k +: 2]),
      .cfg_valid_i    (unit_valid[k]),
      .cfg_ready_o    (unit_ready[k]),
      .cfg_write_i    (unit_write),
      .cfg_addr_i     (unit_addr),
      .cfg_wdata_i    (unit_wdata),
      .cfg_ack_o      (unit_ack[k]),
      .cfg_err_o      (unit_err[k]),
      .cfg_rdata_o    (unit_rdata[64*k +: 64]),
      .fault_rst_ni   (fault_rst_n),
      .own_gid_i, .own_bid_i, .safe_i, .port_level_i,
      .joins_i        (joins),
      .cmd_valid_i    (cmd_valid),
      .cmd_kind_i     (cmd_kind),
      .cmd_port_i     (cmd_port),
      .cmd_message_i  (cmd_message),
      .cmd_isolated_i (cmd_isolated),
      .busy_o         (busy_o[k]),
      .late_o         (late[k]),
      .msg_ready_i    (ready),
      .msg_valid_o    (tells),
      .msg_o          (told),
      .unheard_o      (unheard_o[NumPorts*k +: NumPorts]),
      .write_o        (write_o[k]),
      .write_row_o    (write_row_o[10*k +: 10]),
      .write_level_a_o(write_level_a_o[2*k +: 2]),
      .write_lost_o   (write_lost_o[NumPorts*k +: NumPorts]),
      .write_partial_o(write_partial_o[NumPorts*k +: NumPorts])
    );
  end

  assign answer_port_o = answer_port;

endmodule : router
