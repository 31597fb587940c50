// SPDX-License-Identifier: Apache-2.0
//
// Port unit of the fault plane without its RAMs: travel, match and action on the tables of one port (docs/fault.md §5).
// fault_port has the RAMs, or a port of a router, which shares one with route compute.
//
//   command ─▶ station ─▶ sequence: state, row
//                 └─────▶ table: RAM port, action ─▶ accessibility: level, told ─▶ tell ─▶ output queue ─▶ message
//
// A command from the ring is matched to one row, or walks all rows. Each row is read, changed and written back in two
// cycles of the RAM that route compute leaves free; what the neighbour has to know goes into the output queue. With
// Banks > 1 (beyond the paper) the rows lie in so many RAMs and a travel handles a row of each at a time; with
// CommandDepth > 0 commands that come while the unit works wait.
// Every part samples its own pins.
//
// Cost: 8*Rows flip-flops, the queue, the action's logic once a bank.

module fault_port_core #(
  parameter  int P          = 2,
  parameter  int A          = 4,
  parameter  int H          = 2,
  parameter  int G          = 8,
  parameter  int QueueDepth = 8,
  parameter  int Banks      = 1,  // rows a step of a travel: 1, 2, 4 or 8
  parameter  int CommandDepth = 0,  // commands that may wait while the unit works, with a pipelined scheduler
  localparam int NumPorts   = P + A - 1 + H,
  localparam int Rows       = P + A + G,
  localparam int Steps      = (Rows + Banks - 1) / Banks,  // of a travel
  localparam int StepWidth  = (Steps > 1) ? $clog2(Steps) : 1,
  localparam int WordWidth  = 9 + 3 * NumPorts             // {has_a, port_a, level_a, options_b, lost, partial}
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
  output logic [WordWidth-1:0]       route_word_o,  // the row that route compute has read, in the cycle after
  // The RAMs, one a bank
  output logic [Banks-1:0]           ram_req_o,
  output logic                       ram_write_o,   // of those that are asked
  output logic [StepWidth-1:0]       ram_step_o,
  output logic [Banks*WordWidth-1:0] ram_wdata_o,
  input  logic [Banks*WordWidth-1:0] ram_rdata_i    // in the cycle after a read
);

  // The command at work.
  logic       start, waits, own_link_up, travel, restores, announces, makes_partial, makes_gateway, safe, port_level,
              isolated;
  logic [9:0] first_row;
  logic [8:0] own_gid, inner;
  logic [5:0] fp;
  logic [1:0] work_class, scope, prefix;
  // State, and what happens in this cycle.
  logic [2:0]           state;
  logic [9:0]           row, base_row;
  logic [StepWidth-1:0] step;
  logic                 idle, executing, following, read, executed, first_done, next_done, push, push_port, ram_wait,
                        queue_wait, route_read;
  // The rows of the step.
  logic [Banks-1:0]          active, changed, hold;
  logic [2*Banks-1:0]        zone, level_a, level_d, level_s, need;
  logic [4*Banks-1:0]        now;
  logic [Banks*NumPorts-1:0] lost, partial;
  logic                      cfg_write, write;
  // Messages.
  logic        speaks, last_message, port_speaks, queue_full, out_ready_q;
  logic [21:0] message;

  fault_station #(.P(P), .A(A), .H(H), .G(G), .CommandDepth(CommandDepth)) u_station (
    .clk_i, .rst_ni, .own_gid_i, .own_bid_i, .own_port_i, .class_i, .safe_i, .port_level_i, .joins_i, .cmd_valid_i,
    .cmd_kind_i, .cmd_port_i, .cmd_message_i, .cmd_isolated_i, .idle_i(idle), .start_o(start), .waits_o(waits), .late_o,
    .first_row_o(first_row), .own_link_up_o(own_link_up), .unheard_o, .travel_o(travel), .restores_o(restores),
    .announces_o(announces), .partial_o(makes_partial), .gateway_o(makes_gateway), .safe_o(safe),
    .port_level_o(port_level), .isolated_o(isolated), .class_o(work_class), .fp_o(fp), .scope_o(scope),
    .own_gid_o(own_gid), .prefix_o(prefix), .inner_o(inner)
  );

  fault_sequence #(.Rows(Rows), .Banks(Banks)) u_sequence (
    .clk_i, .rst_ni, .start_i(start), .first_row_i(first_row), .travel_i(travel), .restores_i(restores),
    .route_read_i(route_read), .queue_full_i(queue_full), .changed_i(changed != '0), .speaks_i(speaks),
    .last_message_i(last_message), .port_speaks_i(port_speaks || announces), .state_o(state), .row_o(row),
    .base_row_o(base_row), .step_o(step), .idle_o(idle), .executing_o(executing), .following_o(following),
    .read_o(read), .executed_o(executed), .first_done_o(first_done), .next_done_o(next_done), .push_port_o(push_port),
    .push_o(push), .ram_wait_o(ram_wait), .queue_wait_o(queue_wait)
  );

  fault_table #(.P(P), .A(A), .H(H), .G(G), .Banks(Banks)) u_table (
    .clk_i, .rst_ni, .cfg_valid_i, .cfg_row_i, .cfg_has_a_i, .cfg_a_i, .cfg_b_i, .route_read_i, .route_row_i,
    .route_word_o, .ram_req_o, .ram_write_o, .ram_step_o, .ram_wdata_o, .ram_rdata_i, .travel_i(travel),
    .restores_i(restores), .partial_i(makes_partial), .gateway_i(makes_gateway), .safe_i(safe), .isolated_i(isolated),
    .class_i(work_class), .fp_i(fp), .scope_i(scope), .unheard_i(unheard_o), .idle_i(idle), .start_i(start),
    .first_row_i(first_row), .row_i(row), .base_row_i(base_row), .read_i(read), .executed_i(executed),
    .route_read_o(route_read), .cfg_write_o(cfg_write), .write_o(write), .active_o(active), .zone_o(zone),
    .changed_o(changed), .level_a_o(level_a), .lost_o(lost), .partial_o(partial), .level_d_o(level_d),
    .level_s_o(level_s), .hold_o(hold)
  );

  fault_accessibility #(.P(P), .A(A), .G(G), .Banks(Banks)) u_accessibility (
    .clk_i, .rst_ni, .start_i(start), .own_link_up_i(own_link_up), .restores_i(restores), .port_level_i(port_level),
    .class_i(work_class), .base_row_i(base_row), .step_i(step), .active_i(active), .zone_i(zone), .level_d_i(level_d),
    .level_s_i(level_s), .hold_i(hold), .idle_i(idle), .executing_i(executing), .executed_i(executed),
    .first_done_i(first_done), .need_o(need), .now_o(now), .port_speaks_o(port_speaks)
  );

  fault_tell #(.P(P), .A(A), .Banks(Banks)) u_tell (
    .clk_i, .rst_ni, .safe_i(safe), .travel_i(travel), .prefix_i(prefix), .inner_i(inner), .own_gid_i(own_gid),
    .base_row_i(base_row), .need_i(need), .now_i(now), .idle_i(idle), .following_i(following),
    .first_done_i(first_done), .next_done_i(next_done), .push_port_i(push_port), .speaks_o(speaks),
    .last_o(last_message), .message_o(message)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_ready_q <= 1'b0;
    else out_ready_q <= out_ready_i;
  end

  fault_queue #(.Depth(QueueDepth), .Width(fault_pkg::MessageWidth)) u_queue (
    .clk_i, .rst_ni, .push_i(push), .data_i(message), .pop_i(out_ready_q), .full_o(queue_full), .valid_o(msg_valid_o),
    .data_o(msg_o)
  );

  fault_observation #(.NumPorts(NumPorts), .Banks(Banks)) u_observation (
    .clk_i, .rst_ni, .row_i(row), .base_row_i(base_row), .write_i(write), .changed_i(changed), .level_a_i(level_a),
    .lost_i(lost), .partial_i(partial), .cfg_write_i(cfg_write), .push_i(push),
    .kind_i(message[fault_pkg::KindLsb]), .ram_wait_i(ram_wait), .queue_wait_i(queue_wait), .write_o, .write_row_o,
    .write_level_a_o, .write_lost_o, .write_partial_o, .cfg_ack_o, .fd_count_o, .fr_count_o, .wait_ram_o, .wait_queue_o
  );

  assign busy_o  = !idle || waits;
  assign probe_o = idle ? 13'd0 : {row, state};

endmodule : fault_port_core
