// SPDX-License-Identifier: Apache-2.0
//
// The table of a port and its users (docs/router.md §3.2), looked at in front of the RAM. One operation of the
// configuration is under way at a time, as the configuration port of a router gives them; commands, look-ups and deaths
// come when they like.
//
//   torn      the port unit writes the marks of the row that it has read last, and nobody has configured a row in
//             between; with one port nobody else is there
//   lost      a write of table A or B is executed once, at its row and with its word, or refused; with no look-up and
//             an idle unit it does not wait
//   revived   marks count from the first write after reset, death or configuration of the row on, for look-up and unit
//
// `bad_o` must never be 1. Attribute hierconn: yosys joins these names with the wires inside.

module table_miter #(
  parameter  int TablePorts   = 2,
  parameter  int CommandDepth = 0,
  localparam int P            = 1,
  localparam int A            = 2,
  localparam int H            = 1,
  localparam int G            = 2,
  localparam int NumPorts     = P + A - 1 + H,
  localparam int Rows         = P + A + G,
  localparam int RowWidth     = 3,
  localparam int MarkWidth    = 2 + 2 * NumPorts
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                alive_i,
  // Look-ups
  input  logic                req_valid_i,
  input  logic [17:0]         req_dest_i,
  // Configuration
  input  logic                cfg_valid_i,
  input  logic                cfg_write_i,
  input  logic [11:0]         cfg_addr_i,
  input  logic [63:0]         cfg_wdata_i,
  // Fault plane
  input  logic                safe_i,
  input  logic                port_level_i,
  input  logic                cmd_valid_i,
  input  logic [1:0]          cmd_kind_i,
  input  logic [1:0]          cmd_port_i,
  input  logic [21:0]         cmd_message_i,
  input  logic                msg_ready_i,
  input  logic [RowWidth-1:0] track_i,  // the row whose marks are watched, chosen in reset
  output logic                bad_o
);

  logic        open_q, ready, ack, err, busy, fault_rst_n, taken;
  assign fault_rst_n = rst_ni && alive_i;

  logic        unused_valid, unused_late, unused_msg_valid, unused_write;
  logic [5:0]  unused_port;
  logic [1:0]  unused_vc, unused_level;
  logic [63:0] unused_rdata;
  logic [21:0] unused_msg;
  logic [9:0]  unused_row;
  logic [NumPorts-1:0] unused_unheard, unused_lost, unused_partial;

  router_route #(.P(P), .A(A), .H(H), .G(G), .NB(1), .TablePorts(TablePorts), .CommandDepth(CommandDepth),
                 .Port(P)) dut (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i,
    .req_src_gid_i (9'd0),
    .req_vc_i      (2'd0),
    .cong_local_i  ({NumPorts{1'b0}}),
    .cong_global_i ({A*H{1'b0}}),
    .busy_local_i  ({NumPorts{1'b0}}),
    .busy_global_i ({A*H{1'b0}}),
    .resp_valid_o  (unused_valid),
    .resp_port_o   (unused_port),
    .resp_vc_o     (unused_vc),
    .cfg_valid_i   (cfg_valid_i && !open_q),
    .cfg_ready_o   (ready),
    .cfg_write_i, .cfg_addr_i, .cfg_wdata_i,
    .cfg_ack_o     (ack),
    .cfg_err_o     (err),
    .cfg_rdata_o   (unused_rdata),
    .fault_rst_ni  (fault_rst_n),
    .own_gid_i     (9'd0),
    .own_bid_i     (5'd0),
    .safe_i, .port_level_i,
    .joins_i       (1'b0),
    .cmd_valid_i, .cmd_kind_i,
    .cmd_port_i    ({4'd0, cmd_port_i}),
    .cmd_message_i,
    .cmd_isolated_i(1'b0),
    .busy_o        (busy),
    .late_o        (unused_late),
    .msg_ready_i,
    .msg_valid_o   (unused_msg_valid),
    .msg_o         (unused_msg),
    .unheard_o     (unused_unheard),
    .write_o       (unused_write),
    .write_row_o   (unused_row),
    .write_level_a_o(unused_level),
    .write_lost_o  (unused_lost),
    .write_partial_o(unused_partial)
  );

  // In front of the RAM.
  (* hierconn *) wire                 \dut.look ;
  (* hierconn *) wire                 \dut.read ;
  (* hierconn *) wire                 \dut.reads_row ;
  (* hierconn *) wire                 \dut.configures_a ;
  (* hierconn *) wire                 \dut.configures_b ;
  (* hierconn *) wire                 \dut.unit_req ;
  (* hierconn *) wire                 \dut.unit_write ;
  (* hierconn *) wire [RowWidth-1:0]  \dut.unit_row ;
  (* hierconn *) wire [RowWidth-1:0]  \dut.row ;
  (* hierconn *) wire [RowWidth-1:0]  \dut.read_row ;
  (* hierconn *) wire [63:0]          \dut.table_wdata ;
  (* hierconn *) wire [MarkWidth-1:0] \dut.look_marks ;
  (* hierconn *) wire [MarkWidth-1:0] \dut.unit_marks ;

  logic look, read, configures_a, configures_b, configures, unit_reads, unit_writes;
  assign look         = \dut.look ;
  assign read         = \dut.read ;
  assign configures_a = \dut.configures_a ;
  assign configures_b = \dut.configures_b ;
  assign configures   = configures_a || configures_b;
  // Else it gets another row, and has to read again.
  assign unit_reads   = \dut.unit_req && ! \dut.unit_write && !((TablePorts == 1) && look);
  assign unit_writes  = \dut.unit_req && \dut.unit_write ;

  logic started_q;
  always_ff @(posedge clk_i) started_q <= !rst_ni || started_q;

  // ---- Torn ----

  logic                whole_q, torn;   // what the unit holds is the row as it is
  logic [RowWidth-1:0] held_q;
  always_ff @(posedge clk_i) begin
    if (!fault_rst_n || configures) whole_q <= 1'b0;
    else if (unit_reads) whole_q <= 1'b1;
    if (unit_reads) held_q <= \dut.unit_row ;
  end
  assign torn = (unit_writes && (configures || !whole_q || (\dut.row != held_q))) ||
                ((TablePorts == 1) && (((look || \dut.reads_row || configures) && unit_writes) ||
                                       (look && (\dut.reads_row || configures)) ||
                                       ((\dut.reads_row || configures) && unit_reads)));

  // ---- Lost ----

  logic                of_a_q, of_b_q, write_q, done_q, refused_q, waits, lost;
  logic [RowWidth-1:0] row_q;
  logic [63:0]         word_q;
  assign taken = cfg_valid_i && !open_q && ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
    end else if (taken) begin
      open_q    <= 1'b1;
      write_q   <= cfg_write_i;
      of_a_q    <= cfg_write_i && (cfg_addr_i < 12'(Rows));
      of_b_q    <= cfg_write_i && (cfg_addr_i >= 12'h400) && (cfg_addr_i < 12'h400 + 12'(A + G));
      row_q     <= RowWidth'((cfg_addr_i < 12'h400) ? cfg_addr_i : cfg_addr_i - 12'h400 + 12'(P));
      word_q    <= cfg_wdata_i;
      done_q    <= 1'b0;
      refused_q <= 1'b0;
    end else if (open_q) begin
      open_q    <= !ack;
      done_q    <= done_q || configures;
      refused_q <= refused_q || (waits && !busy && !look);
    end
  end
  assign waits = open_q && (of_a_q || of_b_q) && !done_q && !configures;
  assign lost  = (configures &&
                  (!open_q || done_q || (configures_a != of_a_q) || (configures_b != of_b_q) || (\dut.row != row_q) ||
                   (\dut.table_wdata != word_q))) ||
                 (ack && (!open_q || (err ? done_q : waits))) || (configures && refused_q);

  // ---- Revived ----

  logic [RowWidth-1:0]  track_q;
  logic                 marked_q, looked_q, unit_q, look_clean_q, unit_clean_q, revived;
  logic [MarkWidth-1:0] look_marks, unit_marks;
  assign look_marks = \dut.look_marks ;
  assign unit_marks = \dut.unit_marks ;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) track_q <= (track_i < RowWidth'(Rows)) ? track_i : '0;
    if (!fault_rst_n) marked_q <= 1'b0;
    else if ((configures || unit_writes) && (\dut.row == track_q)) marked_q <= !configures;
    looked_q     <= read && rst_ni;
    look_clean_q <= !marked_q && (\dut.read_row == track_q);
    unit_q       <= \dut.unit_req && ! \dut.unit_write && rst_ni;
    unit_clean_q <= !marked_q && (\dut.unit_row == track_q);
  end
  assign revived = (looked_q && look_clean_q && (look_marks != '0)) || (unit_q && unit_clean_q && (unit_marks != '0));

  assign bad_o = started_q && rst_ni && (torn || lost || revived);
endmodule : table_miter
