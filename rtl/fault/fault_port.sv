// SPDX-License-Identifier: Apache-2.0
//
// Port unit of the fault plane: travel, match and action on the tables of one port (docs/fault.md §5).
//
// A command from the ring is matched to one row, or walks all rows. Each row is read, changed and written back in two cycles of the
// RAM that route compute leaves free; what the neighbour has to know goes into the output queue. Accessibility (level, told: two
// classes of two bits a row) is in flip-flops, so that all B entries can be asked at once.
//
// Cost: one RAM of Rows words of 9 + 3*NumPorts bits, 8*Rows flip-flops, the queue, the action's logic.

module fault_port #(
  parameter  int P          = 2,
  parameter  int A          = 4,
  parameter  int H          = 2,
  parameter  int G          = 8,
  parameter  int QueueDepth = 8,
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
  input  logic                out_ready_i,
  output logic                busy_o,
  output logic                msg_valid_o,
  output logic [21:0]         msg_o,
  output logic                write_o,
  output logic [9:0]          write_row_o,
  output logic [1:0]          write_level_a_o,
  output logic [NumPorts-1:0] write_lost_o,
  output logic [NumPorts-1:0] write_partial_o,
  output logic                cfg_ack_o,
  output logic [15:0]         fd_count_o,
  output logic [15:0]         fr_count_o,
  output logic [15:0]         wait_ram_o,
  output logic [15:0]         wait_queue_o,
  output logic [12:0]         probe_o
);

  localparam int RowWidth  = $clog2(Rows);
  localparam int WordWidth = 9 + 3 * NumPorts;

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StRead = 3'd1;
  localparam logic [2:0] StExecute = 3'd2;
  localparam logic [2:0] StSecond = 3'd3;
  localparam logic [2:0] StTell = 3'd4;
  localparam logic [2:0] StTellSecond = 3'd5;
  localparam logic [2:0] StPortTell = 3'd6;

  // Input registers.
  logic [8:0]          own_gid_q;
  logic [4:0]          own_bid_q;
  logic [5:0]          own_port_q;
  logic [1:0]          class_q;
  logic                safe_q, port_level_q;
  logic                cfg_valid_q, cfg_has_a_q;
  logic [9:0]          cfg_row_q;
  logic [5:0]          cfg_a_q;
  logic [NumPorts-1:0] cfg_b_q;
  logic                cmd_valid_q, cmd_isolated_q, route_read_q, out_ready_q;
  logic [1:0]          cmd_kind_q;
  logic [5:0]          cmd_port_q;
  logic [21:0]         cmd_message_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cfg_valid_q  <= 1'b0;
      cmd_valid_q  <= 1'b0;
      route_read_q <= 1'b0;
      out_ready_q  <= 1'b0;
    end else begin
      cfg_valid_q  <= cfg_valid_i;
      cmd_valid_q  <= cmd_valid_i;
      route_read_q <= route_read_i;
      out_ready_q  <= out_ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    own_gid_q      <= own_gid_i;
    own_bid_q      <= own_bid_i;
    own_port_q     <= own_port_i;
    class_q        <= class_i;
    safe_q         <= safe_i;
    port_level_q   <= port_level_i;
    cfg_has_a_q    <= cfg_has_a_i;
    cfg_row_q      <= cfg_row_i;
    cfg_a_q        <= cfg_a_i;
    cfg_b_q        <= cfg_b_i;
    cmd_isolated_q <= cmd_isolated_i;
    cmd_kind_q     <= cmd_kind_i;
    cmd_port_q     <= cmd_port_i;
    cmd_message_q  <= cmd_message_i;
  end

  // The message's kind bit says the same as cmd_kind_i.
  logic unused_kind;
  assign unused_kind = cmd_message_q[21];

  // The command at work.
  logic [2:0]  state_d, state_q;
  logic [9:0]  row_d, row_q;
  logic [1:0]  kind_q, work_class_q;
  logic [5:0]  fp_q;
  logic [20:0] message_q;  // without the kind, which kind_q has
  logic [8:0]  work_gid_q;
  logic        isolated_q, work_safe_q, work_port_level_q;
  logic        start;

  assign start = (state_q == StIdle) && cmd_valid_q;

  always_ff @(posedge clk_i) begin
    if (start) begin
      kind_q            <= cmd_kind_q;
      work_class_q      <= class_q;
      fp_q              <= cmd_port_q;
      message_q         <= cmd_message_q[20:0];
      work_gid_q        <= own_gid_q;
      isolated_q        <= cmd_isolated_q;
      work_safe_q       <= safe_q;
      work_port_level_q <= port_level_q;
    end
  end

  logic       travel, restores, start_travel;
  logic [9:0] aim_row, first_row;
  assign travel       = !kind_q[1] || (kind_q[0] && work_port_level_q);
  assign restores     = kind_q[0];
  assign start_travel = !cmd_kind_q[1] || (cmd_kind_q[0] && port_level_q);

  fault_aim #(.P(P), .A(A)) u_aim (
    .prefix_i (cmd_message_q[19:18]),
    .gid_i    (cmd_message_q[17:9]),
    .bid_i    (cmd_message_q[8:4]),
    .nid_i    (cmd_message_q[3:0]),
    .own_gid_i(own_gid_q),
    .own_bid_i(own_bid_q),
    .row_o    (aim_row)
  );

  assign first_row = start_travel ? 10'd0 : aim_row;

  // The RAM: {has_a, port_a, level_a, options_b, lost, partial}.
  logic                 ram_req, ram_write;
  logic [RowWidth-1:0]  ram_row;
  logic [WordWidth-1:0] ram_wdata, ram_rdata;
  logic                 cfg_write, mark_write;

  ram_1p #(.Width(WordWidth), .Depth(Rows)) u_ram (
    .clk_i, .rst_ni,
    .req_i  (ram_req),
    .write_i(ram_write),
    .addr_i (ram_row),
    .wdata_i(ram_wdata),
    .rdata_o(ram_rdata)
  );

  logic                has_a;
  logic [5:0]          port_a;
  logic [1:0]          level_a, new_level_a, level_d, level_s;
  logic [NumPorts-1:0] options_b, lost, partial, new_lost, new_partial;
  logic                changed;
  assign {has_a, port_a, level_a, options_b, lost, partial} = ram_rdata;

  // Zone, scope and level of the command on this row.
  logic [1:0] zone, scope, level;
  logic       own_group, fp_local;
  assign zone      = (row_q < 10'(P)) ? 2'd0 : (row_q < 10'(P + A)) ? 2'd1 : 2'd2;
  assign own_group = (message_q[17:9] == work_gid_q) && message_q[19];
  assign fp_local  = (fp_q >= 6'(P)) && (fp_q < 6'(P + A - 1));
  assign scope     = (travel || !fp_local || own_group || (message_q[19:18] == 2'd0)) ? 2'd0 : message_q[20] ? 2'd2 : 2'd1;
  assign level     = restores ? 2'd0 : (kind_q[1] && work_safe_q && message_q[19] && (zone == 2'd2)) ? 2'd1 : 2'd2;

  fault_action #(.P(P), .A(A), .H(H)) u_action (
    .safe_i     (work_safe_q),
    .isolated_i (isolated_q),
    .class_i    (work_class_q),
    .fp_i       (fp_q),
    .level_i    (level),
    .scope_i    (scope),
    .zone_i     (zone),
    .has_a_i    (has_a),
    .port_a_i   (port_a),
    .options_b_i(options_b),
    .level_a_i  (level_a),
    .lost_i     (lost),
    .partial_i  (partial),
    .changed_o  (changed),
    .level_a_o  (new_level_a),
    .lost_o     (new_lost),
    .partial_o  (new_partial),
    .level_d_o  (level_d),
    .level_s_o  (level_s)
  );

  // Accessibility: two bits a class and row.
  logic [2*Rows-1:0] level_d_q, level_s_q, told_d_q, told_s_q;
  logic [1:0]        now_d, now_s, told_d, told_s;
  logic              executing, telling;
  assign executing = state_q == StExecute;
  assign telling   = (state_q == StTell) || (state_q == StTellSecond);
  assign now_d     = executing ? level_d : level_d_q[2*row_q +: 2];
  assign now_s     = executing ? level_s : level_s_q[2*row_q +: 2];
  assign told_d    = told_d_q[2*row_q +: 2];
  assign told_s    = told_s_q[2*row_q +: 2];

  // Whether the other B entries of this port have been told to be full.
  logic [2*A-1:0] told_b, mask_b;
  logic           others_full;
  assign told_b      = told_d_q[2*P +: 2*A];
  assign mask_b      = (zone == 2'd1) ? ~((2*A)'(2'b11) << (2 * (row_q - 10'(P)))) : '1;
  assign others_full = (told_b & mask_b) == '0;

  logic changes_d, changes_s, held_back, need_d, need_s;
  assign changes_d = now_d != told_d;
  assign changes_s = now_s != told_s;
  assign held_back = (zone == 2'd1) && (work_class_q == 2'd2) && !others_full;
  assign need_d    = changes_d && !((now_d == 2'd0) && (work_port_level_q || held_back));
  assign need_s    = changes_s && !((now_s == 2'd0) && (work_port_level_q || held_back));

  // What happens in this cycle.
  logic queue_full, ram_wait, queue_wait, execute_done, first_done, second_done, speak_d, speak_s, push, row_done, last_row, port_tell;
  logic push_port;
  assign ram_wait     = (executing && changed && route_read_q) || ((start || (state_q == StRead)) && route_read_q);
  assign execute_done = executing && !(changed && route_read_q) && !(!restores && (need_d || need_s) && queue_full);
  assign first_done   = (execute_done && !restores) || ((state_q == StTell) && !((need_d || need_s) && queue_full));
  assign second_done  = ((state_q == StSecond) || (state_q == StTellSecond)) && !queue_full;
  assign speak_d      = first_done && changes_d;
  assign speak_s      = (first_done && changes_s && !(need_d && need_s)) || second_done;
  assign push_port    = (state_q == StPortTell) && !queue_full;
  assign push         = (first_done && (need_d || need_s)) || second_done || push_port;
  assign queue_wait   = (executing && !(changed && route_read_q) && !restores && (need_d || need_s) && queue_full) ||
                        ((state_q == StTell) && (need_d || need_s) && queue_full) ||
                        (((state_q == StSecond) || (state_q == StTellSecond) || (state_q == StPortTell)) && queue_full);
  assign row_done     = (first_done && !(need_d && need_s)) || second_done || (execute_done && restores && travel);
  assign last_row     = row_q == 10'(Rows - 1);

  // Recovery port_level: does the whole port speak at the end?
  logic check_tag_q, tag_now;
  assign tag_now   = work_port_level_q && ((speak_d && (now_d == 2'd0)) || (speak_s && (now_s == 2'd0)));
  assign port_tell = restores && work_port_level_q && (check_tag_q || tag_now) && (level_d_q == '0) && (level_s_q == '0);

  always_comb begin
    state_d = state_q;
    row_d   = row_q;
    unique case (state_q)
      StIdle: begin
        if (start) begin
          state_d = route_read_q ? StRead : StExecute;
          row_d   = first_row;
        end
      end
      StRead: state_d = route_read_q ? StRead : StExecute;
      StExecute, StSecond, StTell, StTellSecond: begin
        if (row_done) begin
          if (!travel) begin
            state_d = StIdle;
          end else if (!last_row) begin
            row_d   = row_q + 10'd1;
            state_d = telling ? StTell : StRead;
          end else if (restores && !telling) begin
            row_d   = 10'd0;
            state_d = StTell;
          end else begin
            state_d = port_tell ? StPortTell : StIdle;
          end
        end else if (execute_done && restores) begin
          state_d = StTell;
        end else if (first_done) begin
          state_d = executing ? StSecond : StTellSecond;
        end
      end
      default: state_d = push_port ? StIdle : state_q;  // port-level FR
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      row_q       <= 10'd0;
      check_tag_q <= 1'b0;
    end else begin
      state_q     <= state_d;
      row_q       <= row_d;
      check_tag_q <= start ? 1'b0 : (check_tag_q | tag_now);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_d_q <= '0;
      level_s_q <= '0;
      told_d_q  <= '0;
      told_s_q  <= '0;
    end else begin
      if (execute_done) begin
        level_d_q[2*row_q +: 2] <= level_d;
        level_s_q[2*row_q +: 2] <= level_s;
      end
      if (speak_d) told_d_q[2*row_q +: 2] <= now_d;
      if (speak_s) told_s_q[2*row_q +: 2] <= now_s;
      if (start && (cmd_kind_q == 2'd1) && (cmd_port_q == own_port_q)) begin
        told_d_q <= '0;
        told_s_q <= '0;
      end
    end
  end

  // RAM port.
  assign mark_write = execute_done && changed;
  assign cfg_write  = (state_q == StIdle) && !cmd_valid_q && cfg_valid_q && !route_read_q;
  assign ram_req    = ((start || (state_q == StRead)) && !route_read_q) || mark_write || cfg_write;
  assign ram_write  = mark_write || cfg_write;
  assign ram_row    = RowWidth'(cfg_write ? cfg_row_q : start ? first_row : row_q);
  assign ram_wdata  = cfg_write ? {cfg_has_a_q, cfg_a_q, 2'd0, cfg_b_q, {(2*NumPorts){1'b0}}}
                                : {has_a, port_a, new_level_a, options_b, new_lost, new_partial};

  // Messages.
  logic        says_s;
  logic [21:0] entry_message, queue_data;
  logic [8:0]  index;
  assign says_s = second_done || !need_d;
  assign index  = 9'(row_q - ((zone == 2'd1) ? 10'(P) : 10'(P + A)));

  fault_message u_message (
    .safe_i       (work_safe_q),
    .travel_i     (travel),
    .prefix_i     (message_q[19:18]),
    .address_i    (message_q[8:0]),
    .group_local_i(zone == 2'd1),
    .index_i      (index),
    .own_gid_i    (work_gid_q),
    .class_i      (says_s),
    .level_i      (says_s ? now_s : now_d),
    .message_o    (entry_message)
  );

  assign queue_data = push_port ? {1'b1, 21'd0} : entry_message;

  fault_queue #(.Depth(QueueDepth), .Width(22)) u_queue (
    .clk_i, .rst_ni,
    .push_i (push),
    .data_i (queue_data),
    .pop_i  (out_ready_q),
    .full_o (queue_full),
    .valid_o(msg_valid_o),
    .data_o (msg_o)
  );

  // Observation.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_o         <= 1'b0;
      write_row_o     <= 10'd0;
      write_level_a_o <= 2'd0;
      write_lost_o    <= '0;
      write_partial_o <= '0;
      cfg_ack_o       <= 1'b0;
      fd_count_o      <= 16'd0;
      fr_count_o      <= 16'd0;
      wait_ram_o      <= 16'd0;
      wait_queue_o    <= 16'd0;
    end else begin
      write_o         <= mark_write;
      write_row_o     <= mark_write ? row_q : 10'd0;
      write_level_a_o <= mark_write ? new_level_a : 2'd0;
      write_lost_o    <= mark_write ? new_lost : '0;
      write_partial_o <= mark_write ? new_partial : '0;
      cfg_ack_o       <= cfg_write;
      fd_count_o      <= fd_count_o + {15'd0, push && !queue_data[21]};
      fr_count_o      <= fr_count_o + {15'd0, push && queue_data[21]};
      wait_ram_o      <= wait_ram_o + {15'd0, ram_wait};
      wait_queue_o    <= wait_queue_o + {15'd0, queue_wait};
    end
  end

  assign busy_o  = (state_q != StIdle) || cmd_valid_q;
  assign probe_o = (state_q == StIdle) ? 13'd0 : {row_q, state_q};

`ifdef FORMAL
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      command_only_when_idle: assert (!(cmd_valid_q && (state_q != StIdle)));
      ram_left_to_route_compute: assert (!(ram_req && route_read_q));
      told_only_with_a_message_or_silently_full: assert (!(speak_d && (now_d != 2'd0) && !push));
    end
  end
`endif

endmodule : fault_port
