// SPDX-License-Identifier: Apache-2.0
//
// Route compute and the fault plane's port unit of one port, and the table that they share (docs/router.md §3.2).
//
//   request ─▶ stage 1 ─▶ stage 2: read port ─▶ mask ─▶ stage 3 ─▶ stage 4 ─▶ answer
//                              │ words A, B, marks │
//   command ─▶ port unit ◀─▶ other port ◀─ configuration, when the unit is idle
//
// A row is one word {A, B, level_a, lost, partial} in a RAM whose parts are written by themselves. Its marks count only
// from the row's first marking on: a flip-flop a row says so, which reset, death and configuration clear. With
// `TablePorts` 1 look-up, unit and configuration share one port, in this order.
//
// Cost: what it is made of; 130 + 2*NumPorts bits of RAM and a flip-flop a row.

module router_route #(
  parameter  int P               = 2,
  parameter  int A               = 4,
  parameter  int H               = 2,
  parameter  int G               = 8,
  parameter  int NB              = 8,
  parameter  int AbsoluteAtReset = 0,
  parameter  int TablePorts      = 2,    // 2: look-ups have a port of their own; 1
  parameter  int CommandDepth    = 0,    // commands that may wait while the port unit works, with a pipelined scheduler
  parameter  int Port            = 0,
  localparam int NumPorts        = P + A - 1 + H,
  localparam int GroupPorts      = A * H
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Requests
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  output logic                  resp_valid_o,
  output logic [5:0]            resp_port_o,
  output logic [1:0]            resp_vc_o,
  // Configuration
  input  logic                  cfg_valid_i,
  output logic                  cfg_ready_o,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  cfg_ack_o,
  output logic                  cfg_err_o,
  output logic [63:0]           cfg_rdata_o,
  // Fault plane
  input  logic                  fault_rst_ni,
  input  logic [8:0]            own_gid_i,
  input  logic [4:0]            own_bid_i,
  input  logic                  safe_i,
  input  logic                  port_level_i,
  input  logic                  joins_i,
  input  logic                  cmd_valid_i,
  input  logic [1:0]            cmd_kind_i,
  input  logic [5:0]            cmd_port_i,
  input  logic [21:0]           cmd_message_i,
  input  logic                  cmd_isolated_i,
  output logic                  busy_o,
  output logic                  late_o,
  input  logic                  msg_ready_i,
  output logic                  msg_valid_o,
  output logic [21:0]           msg_o,
  output logic [NumPorts-1:0]   unheard_o,
  output logic                  write_o,
  output logic [9:0]            write_row_o,
  output logic [1:0]            write_level_a_o,
  output logic [NumPorts-1:0]   write_lost_o,
  output logic [NumPorts-1:0]   write_partial_o
);

  localparam int Rows       = P + A + G;
  localparam int RowWidth   = $clog2(Rows);
  localparam int MarkWidth  = 2 + 2 * NumPorts;          // {level_a, lost, partial}
  localparam int WordWidth  = 9 + 3 * NumPorts;          // {has_a, port_a, level_a, options_b, lost, partial}
  localparam int EntryAUsed = (NumPorts > route_compute_pkg::EntryAWidth) ? NumPorts : route_compute_pkg::EntryAWidth;

  localparam logic [1:0] Class = (Port < P) ? fault_pkg::PortClassNode
                               : (Port < P + A - 1) ? fault_pkg::PortClassLocal
                               : fault_pkg::PortClassGlobal;

  // ---- Route compute ----

  logic        look, look_next, table_a_req, table_b_req, table_write, transit;
  logic [1:0]  zone, vc;
  logic [9:0]  look_row, unused_index_b, table_index;
  logic [63:0] table_wdata, look_a, look_b, kept_a, kept_b;
  logic [WordWidth-1:0] unit_wdata;
  logic [2:0]  unused_class;
  logic [4:0]  unused_router;
  logic [15:0] unused_local, unused_global;
  logic [23:0] unused_route_probe;

  rc_pipeline #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_pipeline (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i, .req_src_gid_i, .req_vc_i, .cong_local_i, .cong_global_i, .busy_local_i,
    .busy_global_i, .cfg_valid_i, .cfg_ready_o, .cfg_write_i, .cfg_addr_i, .cfg_wdata_i, .cfg_ack_o, .cfg_err_o,
    .cfg_rdata_o,
    .look_next_o       (look_next),
    .look_valid_o      (look),
    .look_index_a_o    (look_row),
    .look_index_b_o    (unused_index_b),
    .table_a_req_o     (table_a_req),
    .table_b_req_o     (table_b_req),
    .table_write_o     (table_write),
    .table_index_o     (table_index),
    .table_wdata_o     (table_wdata),
    .table_a_rdata_i   (look_a),
    .table_b_rdata_i   (look_b),
    .table_hold_i      (busy_o),
    .table_hold_reads_i((TablePorts == 1) && busy_o),
    .zone_o            (zone),
    .transit_o         (transit),
    .vc_o              (vc),
    .entry_a_i         (EntryAUsed'(kept_a)),
    .entry_b_i         (kept_b),
    .resp_valid_o,
    .resp_hop_class_o  (unused_class),
    .resp_port_o, .resp_vc_o,
    .resp_router_o     (unused_router),
    .local_threshold_o (unused_local),
    .global_threshold_o(unused_global),
    .probe_o           (unused_route_probe)
  );

  if (1) begin : gen_unused
    logic unused_bits;
    assign unused_bits = ^{kept_a, look_row, unit_wdata, look_next};
  end

  // ---- The table: a row at either port ----

  logic                unit_req, unit_write, marks, configures_a, configures_b, configures, read, reads_row;
  logic [RowWidth-1:0] unit_row, table_row, row, read_row;
  logic [63:0]         unit_a, unit_b;
  logic [MarkWidth-1:0] look_stored, unit_stored, look_marks, unit_marks, new_marks;

  assign marks        = unit_req && unit_write;
  assign table_row    = RowWidth'(table_b_req ? table_index + 10'(P) : table_index);
  assign configures_a = table_a_req && table_write;
  assign configures_b = table_b_req && table_write;
  assign configures   = configures_a || configures_b;
  assign reads_row    = (table_a_req || table_b_req) && !table_write;
  assign read         = look || reads_row;
  assign read_row     = look ? RowWidth'(look_row) : table_row;
  assign row          = configures ? table_row : unit_row;

  if (TablePorts == 2) begin : gen_two_ports
    router_ram_1r1rw #(.Width(64), .Depth(Rows)) u_table_a (
      .clk_i, .rst_ni,
      .read_i     (read),
      .read_addr_i(read_row),
      .read_data_o(look_a),
      .req_i      (configures_a || (unit_req && !unit_write)),
      .write_i    (configures_a),
      .addr_i     (row),
      .wdata_i    (table_wdata),
      .rdata_o    (unit_a)
    );

    router_ram_1r1rw #(.Width(64), .Depth(Rows)) u_table_b (
      .clk_i, .rst_ni,
      .read_i     (read),
      .read_addr_i(read_row),
      .read_data_o(look_b),
      .req_i      (configures_b || (unit_req && !unit_write)),
      .write_i    (configures_b),
      .addr_i     (row),
      .wdata_i    (table_wdata),
      .rdata_o    (unit_b)
    );

    router_ram_1r1rw #(.Width(MarkWidth), .Depth(Rows)) u_marks (
      .clk_i, .rst_ni,
      .read_i     (read),
      .read_addr_i(read_row),
      .read_data_o(look_stored),
      .req_i      (unit_req),
      .write_i    (unit_write),
      .addr_i     (row),
      .wdata_i    (new_marks),
      .rdata_o    (unit_stored)
    );
  end else begin : gen_one_port
    // Nobody else is there in a cycle with a look-up: the unit waits for it, and the configuration for both.
    logic [RowWidth-1:0] place;
    logic                reads;
    assign place  = (look || reads_row) ? read_row : row;
    assign reads  = read || (unit_req && !unit_write);
    assign unit_a = look_a;
    assign unit_b = look_b;
    assign unit_stored = look_stored;

    ram_1p #(.Width(64), .Depth(Rows)) u_table_a (
      .clk_i, .rst_ni, .req_i(reads || configures_a), .write_i(configures_a), .addr_i(place), .wdata_i(table_wdata),
      .rdata_o(look_a)
    );
    ram_1p #(.Width(64), .Depth(Rows)) u_table_b (
      .clk_i, .rst_ni, .req_i(reads || configures_b), .write_i(configures_b), .addr_i(place), .wdata_i(table_wdata),
      .rdata_o(look_b)
    );
    ram_1p #(.Width(MarkWidth), .Depth(Rows)) u_marks (
      .clk_i, .rst_ni, .req_i(reads || marks), .write_i(marks), .addr_i(place), .wdata_i(new_marks),
      .rdata_o(look_stored)
    );
  end

  // Rows that have been marked since reset, death or configuration.
  logic [Rows-1:0] marked_q;
  logic            look_marked_q, unit_marked_q;
  always_ff @(posedge clk_i) begin
    if (!fault_rst_ni) marked_q <= '0;
    else if (configures || marks) marked_q[row] <= !configures;
  end
  always_ff @(posedge clk_i) begin
    if (read) look_marked_q <= marked_q[read_row];
    if (unit_req && !unit_write) unit_marked_q <= marked_q[unit_row];
  end
  assign look_marks = look_marked_q ? look_stored : '0;
  assign unit_marks = unit_marked_q ? unit_stored : '0;

  // ---- Stage 3 sees what is left of the row ----

  logic [NumPorts-1:0] unheard_q;
  always_ff @(posedge clk_i) unheard_q <= unheard_o;

  router_mask #(.P(P), .A(A), .H(H), .NB(NB), .Class(32'(Class))) u_mask (
    .zone_i   (zone),
    .transit_i(transit),
    .vc_i     (vc),
    .word_a_i (look_a),
    .word_b_i (look_b),
    .level_a_i(look_marks[MarkWidth-1 -: 2]),
    .lost_i   (look_marks[NumPorts +: NumPorts]),
    .partial_i(look_marks[0 +: NumPorts]),
    .unheard_i(unheard_q),
    .word_a_o (kept_a),
    .word_b_o (kept_b)
  );

  // ---- Port unit ----

  logic [RowWidth-1:0]  unit_row_q;
  logic [WordWidth-1:0] unit_word, unused_word;
  logic                 unit_has_a, unused_cfg_ack;
  logic [5:0]           unit_port_a;
  logic [NumPorts-1:0]  unit_options_b;
  logic [15:0]          unused_fd, unused_fr, unused_ram, unused_queue;
  logic [12:0]          unused_unit_probe;

  always_ff @(posedge clk_i) begin
    if (unit_req && !unit_write) unit_row_q <= unit_row;
  end

  router_options #(.P(P), .A(A), .H(H), .NB(NB)) u_options (
    .global_i   ((Class == fault_pkg::PortClassNode) && (unit_row_q >= RowWidth'(P + A))),
    .has_b_i    (unit_row_q >= RowWidth'(P)),
    .word_a_i   (unit_a),
    .word_b_i   (unit_b),
    .has_a_o    (unit_has_a),
    .port_a_o   (unit_port_a),
    .options_b_o(unit_options_b)
  );

  assign unit_word = {unit_has_a, unit_port_a, unit_marks[MarkWidth-1 -: 2], unit_options_b,
                      unit_marks[2*NumPorts-1:0]};
  assign new_marks = {unit_wdata[3*NumPorts +: 2], unit_wdata[2*NumPorts-1:0]};

  fault_port_core #(.P(P), .A(A), .H(H), .G(G), .CommandDepth(CommandDepth)) u_port (
    .clk_i,
    .rst_ni        (fault_rst_ni),
    .own_gid_i, .own_bid_i,
    .own_port_i    (6'(Port)),
    .class_i       (Class),
    .safe_i, .port_level_i, .joins_i,
    .cfg_valid_i   (1'b0),
    .cfg_row_i     (10'd0),
    .cfg_has_a_i   (1'b0),
    .cfg_a_i       (6'd0),
    .cfg_b_i       ({NumPorts{1'b0}}),
    .cmd_valid_i, .cmd_kind_i, .cmd_port_i, .cmd_message_i, .cmd_isolated_i,
    .route_read_i  ((TablePorts == 1) && look_next),
    .route_row_i   (10'd0),
    .out_ready_i   (msg_ready_i),
    .busy_o, .late_o, .unheard_o, .msg_valid_o, .msg_o, .write_o, .write_row_o, .write_level_a_o, .write_lost_o,
    .write_partial_o,
    .cfg_ack_o     (unused_cfg_ack),
    .fd_count_o    (unused_fd),
    .fr_count_o    (unused_fr),
    .wait_ram_o    (unused_ram),
    .wait_queue_o  (unused_queue),
    .probe_o       (unused_unit_probe),
    .route_word_o  (unused_word),
    .ram_req_o     (unit_req),
    .ram_write_o   (unit_write),
    .ram_step_o    (unit_row),
    .ram_wdata_o   (unit_wdata),
    .ram_rdata_i   (unit_word)
  );

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    configuration_waits_for_the_unit: assert (!(configures && busy_o));
    one_port_has_one_user: assert ((TablePorts != 1) ||
                                   (!((table_a_req || table_b_req) && (look || busy_o)) && !(look && marks)));
  end
`endif
`endif

endmodule : router_route
