// SPDX-License-Identifier: Apache-2.0
//
// Station of a port unit (docs/fault.md §5): the register in which a command arrives from the ring, the commands that
// wait behind it, and the command at work with what follows from it: the first row (Aim), the scope, the level; and
// which ports have not been heard since their links came up.
//
// With CommandDepth > 0 (beyond the paper) a command that comes while the unit works waits; else it is ignored.
//
// Cost: about 110 flip-flops, one a port; CommandDepth words of 31 bits; Aim.

module fault_station #(
  parameter  int P            = 2,
  parameter  int A            = 4,
  parameter  int H            = 2,
  parameter  int G            = 8,
  parameter  int CommandDepth = 0,
  localparam int NumPorts     = P + A - 1 + H
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // Pins of the unit
  input  logic [8:0]  own_gid_i,
  input  logic [4:0]  own_bid_i,
  input  logic [5:0]  own_port_i,
  input  logic [1:0]  class_i,
  input  logic        safe_i,
  input  logic        port_level_i,
  input  logic        joins_i,         // in reset
  input  logic        cmd_valid_i,
  input  logic [1:0]  cmd_kind_i,
  input  logic [5:0]  cmd_port_i,
  input  logic [21:0] cmd_message_i,
  input  logic        cmd_isolated_i,
  // The next command
  input  logic        idle_i,          // the unit takes it in this cycle, if there is one
  output logic        start_o,
  output logic        waits_o,         // there is one
  output logic        late_o,          // in the command queue
  output logic [9:0]  first_row_o,     // with start_o
  output logic        own_link_up_o,   // with start_o: the link of this port is up
  output logic [NumPorts-1:0] unheard_o,  // the neighbours of these ports have not said everything
  // The command at work
  output logic        travel_o,        // it names no entry
  output logic        restores_o,
  output logic        announces_o,     // an end mark follows what it tells
  output logic        partial_o,       // an FD of it makes options of G entries partial, not lost
  output logic        gateway_o,       // with partial_o: gateway only
  output logic        safe_o,
  output logic        port_level_o,
  output logic        isolated_o,
  output logic [1:0]  class_o,
  output logic [5:0]  fp_o,
  output logic [1:0]  scope_o,
  output logic [8:0]  own_gid_o,
  output logic [1:0]  prefix_o,        // of its message
  output logic [8:0]  inner_o
);

  localparam int RowWidth     = $clog2(P + A + G);
  localparam int CommandWidth = 9 + fault_pkg::MessageWidth;  // kind, port, isolated, message

  // Station register, and what is sampled with it.
  logic        cmd_valid_q, cmd_isolated_q, safe_q, port_level_q;
  logic [1:0]  cmd_kind_q, class_q;
  logic [5:0]  cmd_port_q, own_port_q;
  logic [21:0] cmd_message_q;
  logic [8:0]  own_gid_q;
  logic [4:0]  own_bid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) cmd_valid_q <= 1'b0;
    else cmd_valid_q <= cmd_valid_i;
  end

  always_ff @(posedge clk_i) begin
    own_gid_q      <= own_gid_i;
    own_bid_q      <= own_bid_i;
    own_port_q     <= own_port_i;
    class_q        <= class_i;
    safe_q         <= safe_i;
    port_level_q   <= port_level_i;
    cmd_kind_q     <= cmd_kind_i;
    cmd_port_q     <= cmd_port_i;
    cmd_isolated_q <= cmd_isolated_i;
    cmd_message_q  <= cmd_message_i;
  end

  // Commands that wait.
  logic                    queued;
  logic [CommandWidth-1:0] newest, next;
  assign newest = {cmd_kind_q, cmd_port_q, cmd_isolated_q, cmd_message_q};
  if (CommandDepth > 0) begin : gen_commands
    localparam int CountWidth = $clog2(CommandDepth + 1);
    logic [CountWidth-1:0]   count;
    logic [CommandWidth-1:0] oldest;
    assign queued = count != '0;
    fault_fifo #(.Depth(CommandDepth), .Width(CommandWidth)) u_commands (
      .clk_i, .rst_ni,
      .clear_i(1'b0),
      .push_i (cmd_valid_q && (!idle_i || queued) && (count != CountWidth'(CommandDepth))),
      .data_i (newest),
      .pop_i  (start_o && queued),
      .count_o(count),
      .data_o (oldest)
    );
    assign next = queued ? oldest : newest;
  end else begin : gen_no_commands
    assign queued = 1'b0;
    assign next   = newest;
  end

  logic        next_isolated, next_travel, next_whole_port, next_has_message, next_restores;
  logic [1:0]  next_kind;
  logic [5:0]  next_port;
  logic [21:0] next_message;
  assign {next_kind, next_port, next_isolated, next_message} = next;
  assign {next_has_message, next_restores} = next_kind;

  assign late_o  = queued;
  assign waits_o = cmd_valid_q || queued;
  assign start_o = idle_i && waits_o;

  // Where it begins.
  logic [1:0]          unused_next_codes, next_prefix;
  logic [8:0]          next_gid;
  logic [4:0]          next_bid;
  logic [3:0]          next_nid;
  logic [RowWidth-1:0] aim_row;
  assign {unused_next_codes, next_prefix, next_gid, next_bid, next_nid} = next_message;
  fault_aim #(.P(P), .A(A), .RowWidth(RowWidth)) u_aim (
    .prefix_i (next_prefix),
    .gid_i    (next_gid),
    .bid_i    (next_bid),
    .nid_i    (next_nid),
    .own_gid_i(own_gid_q),
    .own_bid_i(own_bid_q),
    .row_o    (aim_row)
  );

  assign next_whole_port = (next_kind == fault_pkg::CommandFr) &&
                           (next_prefix == fault_pkg::PrefixPort);
  assign next_travel   = !next_has_message ||
                         (next_restores && port_level_q) || next_whole_port;
  assign first_row_o   = next_travel ? 10'd0 : 10'(aim_row);
  assign own_link_up_o = start_o && (next_kind == fault_pkg::CommandUp) && (next_port == own_port_q);

  // Who has not been heard: a port from its link event to the end mark; a node link has nobody to say anything.
  logic [NumPorts-1:0] unheard_q, next_bit;
  logic                next_up;
  assign next_bit  = NumPorts'(1'b1) << next_port;
  assign next_up   = next_kind == fault_pkg::CommandUp;
  assign unheard_o = unheard_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unheard_q <= {NumPorts{joins_i}};
    else if (start_o && next_up && !port_level_q && (next_port >= 6'(P))) unheard_q <= unheard_q | next_bit;
    else if (start_o && (next_up || next_whole_port)) unheard_q <= unheard_q & ~next_bit;
  end

  // The command at work. The kind of its message says what its own kind says.
  logic [1:0]  kind_q, work_class_q;
  logic [5:0]  fp_q;
  logic [20:0] message_q;
  logic [8:0]  work_gid_q;
  logic        isolated_q, work_safe_q, work_port_level_q, announces_q;
  always_ff @(posedge clk_i) begin
    if (start_o) begin
      kind_q            <= next_kind;
      work_class_q      <= class_q;
      fp_q              <= next_port;
      message_q         <= 21'(next_message);
      work_gid_q        <= own_gid_q;
      isolated_q        <= next_isolated;
      work_safe_q       <= safe_q;
      work_port_level_q <= port_level_q;
      announces_q       <= own_link_up_o && !port_level_q && (class_q != fault_pkg::PortClassNode);
    end
  end

  assign safe_o       = work_safe_q;
  assign port_level_o = work_port_level_q;
  assign isolated_o   = isolated_q;
  assign announces_o  = announces_q;
  assign class_o      = work_class_q;
  assign fp_o         = fp_q;
  assign own_gid_o    = work_gid_q;

  logic       has_message, own_group, fp_local, whole_port, message_class;
  logic [8:0] gid;
  assign {message_class, prefix_o, gid, inner_o} = message_q;
  assign {has_message, restores_o} = kind_q;
  assign whole_port  = has_message && restores_o && (prefix_o == fault_pkg::PrefixPort);
  assign travel_o    = !has_message || (restores_o && work_port_level_q) || whole_port;

  // Scope and level.
  assign own_group = (gid == work_gid_q) && prefix_o[1];
  assign fp_local  = (fp_q >= 6'(P)) && (fp_q < 6'(P + A - 1));
  assign scope_o   = (whole_port && !work_port_level_q) ? fault_pkg::ScopeNone
                   : (travel_o || !fp_local || own_group || (prefix_o == fault_pkg::PrefixPort)) ? fault_pkg::ScopeAll
                   : (message_class == fault_pkg::ClassS) ? fault_pkg::ScopeS : fault_pkg::ScopeD;
  assign partial_o = has_message && work_safe_q && prefix_o[1];
  assign gateway_o = (prefix_o == fault_pkg::PrefixRouter) &&
                     (inner_o[3:0] == fault_pkg::GatewayOnly);

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      idle_unit_takes_a_command: assert (!idle_i || !waits_o || start_o);
    end
  end
`endif
`endif

endmodule : fault_station
