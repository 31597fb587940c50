// SPDX-License-Identifier: Apache-2.0
//
// Port unit of the fault plane: travel, match and action on the tables of one port (docs/fault.md §5).
//
// A command from the ring is matched to one row, or walks all rows. Each row is read, changed and written back in two cycles of the
// RAM that route compute leaves free; what the neighbour has to know goes into the output queue. Accessibility (level, told: two
// classes of two bits a row) is in flip-flops, so that all B entries can be asked at once. With Banks > 1 (beyond the paper) the rows
// lie in so many RAMs and a travel handles a row of each at a time; with CommandDepth > 0 commands that come while the unit works wait.
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

  localparam int RowWidth  = $clog2(Rows);
  localparam int Steps     = (Rows + Banks - 1) / Banks;  // of a travel
  localparam int StepShift = $clog2(Banks);
  localparam int StepWidth = (Steps > 1) ? $clog2(Steps) : 1;
  localparam int PickWidth = StepShift + 1;
  localparam int LaneWidth = (Banks > 1) ? StepShift : 1;
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
  logic [9:0]          route_row_q;
  logic                start;

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
    route_row_q    <= route_row_i;
  end

  // Commands that wait.
  logic        queued, new_isolated;
  logic [1:0]  new_kind;
  logic [5:0]  new_port;
  logic [21:0] new_message;
  logic [2:0]  state_d, state_q;
  if (CommandDepth > 0) begin : gen_commands
    localparam int CountWidth = $clog2(CommandDepth + 1);
    logic [CountWidth-1:0]             count;
    logic [30:0]                       oldest, newest;
    assign newest = {cmd_kind_q, cmd_port_q, cmd_isolated_q, cmd_message_q};
    assign queued = count != '0;
    fault_fifo #(.Depth(CommandDepth), .Width(31)) u_commands (
      .clk_i, .rst_ni,
      .clear_i(1'b0),
      .push_i (cmd_valid_q && ((state_q != StIdle) || queued) && (count != CountWidth'(CommandDepth))),
      .data_i (newest),
      .pop_i  (start && queued),
      .count_o(count),
      .data_o (oldest)
    );
    assign {new_kind, new_port, new_isolated, new_message} = queued ? oldest : newest;
  end else begin : gen_no_commands
    assign queued = 1'b0;
    assign {new_kind, new_port, new_isolated, new_message} = {cmd_kind_q, cmd_port_q, cmd_isolated_q, cmd_message_q};
  end

  // The message's kind bit says the same as new_kind.
  logic unused_kind;
  assign unused_kind = new_message[21];

  // The command at work.
  logic [9:0]  row_d, row_q;
  logic [1:0]  kind_q, work_class_q;
  logic [5:0]  fp_q;
  logic [20:0] message_q;  // without the kind, which kind_q has
  logic [8:0]  work_gid_q;
  logic        isolated_q, work_safe_q, work_port_level_q;

  assign start = (state_q == StIdle) && (cmd_valid_q || queued);

  always_ff @(posedge clk_i) begin
    if (start) begin
      kind_q            <= new_kind;
      work_class_q      <= class_q;
      fp_q              <= new_port;
      message_q         <= new_message[20:0];
      work_gid_q        <= own_gid_q;
      isolated_q        <= new_isolated;
      work_safe_q       <= safe_q;
      work_port_level_q <= port_level_q;
    end
  end

  logic       travel, restores, start_travel;
  logic [RowWidth-1:0] aim_row;
  logic [9:0] first_row;
  assign travel       = !kind_q[1] || (kind_q[0] && work_port_level_q);
  assign restores     = kind_q[0];
  assign start_travel = !new_kind[1] || (new_kind[0] && port_level_q);

  fault_aim #(.P(P), .A(A), .RowWidth(RowWidth)) u_aim (
    .prefix_i (new_message[19:18]),
    .gid_i    (new_message[17:9]),
    .bid_i    (new_message[8:4]),
    .nid_i    (new_message[3:0]),
    .own_gid_i(own_gid_q),
    .own_bid_i(own_bid_q),
    .row_o    (aim_row)
  );

  assign first_row = start_travel ? 10'd0 : 10'(aim_row);

  // The rows at work: one of a match, up to Banks neighbours of a travel.
  logic [9:0]           base_row, own_row;
  logic [StepWidth-1:0] step;
  logic [Banks-1:0]     active;
  assign base_row = (row_q >> StepShift) << StepShift;
  assign step     = StepWidth'(row_q >> StepShift);

  // Scope and level of the command.
  logic [1:0] scope;
  logic       own_group, fp_local;
  assign own_group = (message_q[17:9] == work_gid_q) && message_q[19];
  assign fp_local  = (fp_q >= 6'(P)) && (fp_q < 6'(P + A - 1));
  assign scope     = (travel || !fp_local || own_group || (message_q[19:18] == 2'd0)) ? 2'd0 : message_q[20] ? 2'd2 : 2'd1;

  // Accessibility: two bits a class and row. Bank b of a step has the bits 2*b +: 2 of these.
  logic [2*Banks*Steps-1:0] level_d_q, level_s_q, told_d_q, told_s_q;
  logic [2*Banks-1:0]       now_d, now_s, level_d, level_s, new_level_a;
  logic                     executing, telling, ram_read, ram_write, mark_write, cfg_write;
  logic [StepWidth-1:0]     ram_step;
  logic                     fetched_q;  // the RAM shows what the action has read
  logic [Banks*WordWidth-1:0] route_words;
  logic [Banks-1:0]         changed, need_d, need_s, back_to_full;
  logic [Banks*NumPorts-1:0] new_lost, new_partial;
  assign executing = state_q == StExecute;
  assign telling   = (state_q == StTell) || (state_q == StTellSecond);

  // What the B entries of this port have been told, once the banks below b have spoken.
  logic [Banks*2*A-1:0] told_b /*verilator split_var*/;
  assign told_b[2*A-1:0] = told_d_q[2*P +: 2*A];

  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_bank
    logic [9:0] row;
    logic [1:0] zone;
    assign row  = base_row + 10'(b);
    assign zone = (row < 10'(P)) ? 2'd0 : (row < 10'(P + A)) ? 2'd1 : 2'd2;
    assign active[b] = (Banks == 1) || (travel ? (row < 10'(Rows)) : (row == row_q));

    // The RAM: {has_a, port_a, level_a, options_b, lost, partial}. Route compute may read while the action waits: the action's word is kept.
    logic [WordWidth-1:0] ram_wdata, ram_rdata, word, word_q;
    logic                 writes;
    ram_1p #(.Width(WordWidth), .Depth(Steps)) u_ram (
      .clk_i, .rst_ni,
      .req_i  (ram_read || writes || route_read_q),
      .write_i(ram_write),
      .addr_i (ram_step),
      .wdata_i(ram_wdata),
      .rdata_o(ram_rdata)
    );

    always_ff @(posedge clk_i) begin
      if (fetched_q) word_q <= ram_rdata;
    end
    assign word = fetched_q ? ram_rdata : word_q;
    assign route_words[b*WordWidth +: WordWidth] = ram_rdata;

    logic                has_a;
    logic [5:0]          port_a;
    logic [1:0]          level_a, level;
    logic [NumPorts-1:0] options_b, lost, partial;
    logic                row_changed;
    assign {has_a, port_a, level_a, options_b, lost, partial} = word;
    assign level = restores ? 2'd0 : (kind_q[1] && work_safe_q && message_q[19] && (zone == 2'd2)) ? 2'd1 : 2'd2;

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
      .changed_o  (row_changed),
      .level_a_o  (new_level_a[2*b +: 2]),
      .lost_o     (new_lost[b*NumPorts +: NumPorts]),
      .partial_o  (new_partial[b*NumPorts +: NumPorts]),
      .level_d_o  (level_d[2*b +: 2]),
      .level_s_o  (level_s[2*b +: 2])
    );
    assign changed[b] = row_changed && active[b];
    assign writes     = cfg_write ? ((Banks == 1) || (cfg_row_q == 10'(cfg_row_q >> StepShift << StepShift) + 10'(b))) : (mark_write && changed[b]);
    assign ram_wdata  = cfg_write ? {cfg_has_a_q, cfg_a_q, 2'd0, cfg_b_q, {(2*NumPorts){1'b0}}}
                                  : {has_a, port_a, new_level_a[2*b +: 2], options_b, new_lost[b*NumPorts +: NumPorts],
                                     new_partial[b*NumPorts +: NumPorts]};

    // What has to be said about the row.
    logic [1:0]     told_d, told_s;
    logic [2*A-1:0] mask_b;
    logic           others_full, held_back, changes_d, changes_s;
    assign told_d = told_d_q[2*(Banks*step + b) +: 2];
    assign told_s = told_s_q[2*(Banks*step + b) +: 2];
    assign now_d[2*b +: 2] = !active[b] ? told_d : executing ? level_d[2*b +: 2] : level_d_q[2*(Banks*step + b) +: 2];
    assign now_s[2*b +: 2] = !active[b] ? told_s : executing ? level_s[2*b +: 2] : level_s_q[2*(Banks*step + b) +: 2];

    assign mask_b      = (zone == 2'd1) ? ~((2*A)'(2'b11) << (2 * (row - 10'(P)))) : '1;
    assign others_full = (told_b[2*A*b +: 2*A] & mask_b) == '0;
    if (b + 1 < Banks) begin : gen_next_told
      assign told_b[2*A*(b+1) +: 2*A] = (told_b[2*A*b +: 2*A] & mask_b) | (((2*A)'(now_d[2*b +: 2]) << (2 * (row - 10'(P)))) & ~mask_b);
    end

    assign changes_d = now_d[2*b +: 2] != told_d;
    assign changes_s = now_s[2*b +: 2] != told_s;
    assign held_back = (zone == 2'd1) && (work_class_q == 2'd2) && !others_full;
    assign need_d[b] = changes_d && !((now_d[2*b +: 2] == 2'd0) && (work_port_level_q || held_back));
    assign need_s[b] = changes_s && !((now_s[2*b +: 2] == 2'd0) && work_port_level_q);
    assign back_to_full[b] = (changes_d && (now_d[2*b +: 2] == 2'd0)) || (changes_s && (now_s[2*b +: 2] == 2'd0));
  end

  // The messages of the step: row by row, class D before S. One leaves in the step's first cycle, the rest are pending.
  logic [2*Banks-1:0] need, pending_q, speaking;
  logic               need_any, following, last_word;
  logic [PickWidth-1:0] pick;
  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_need
    assign need[2*b +: 2] = {need_s[b], need_d[b]};
  end
  assign need_any  = need != '0;
  assign following = (state_q == StSecond) || (state_q == StTellSecond);
  assign speaking  = following ? pending_q : need;
  assign last_word = (speaking & (speaking - 1'b1)) == '0;

  rotating_pick #(.Width(2 * Banks)) u_pick (
    .request_i(speaking),
    .start_i  ('0),
    .index_o  (pick)
  );

  // What happens in this cycle.
  logic queue_full, ram_wait, queue_wait, execute_done, first_done, next_done, push, push_port, row_done, last_row, port_tell, write_blocked;
  assign write_blocked = (changed != '0) && route_read_q;
  assign ram_wait      = (executing && write_blocked) || ((start || (state_q == StRead)) && route_read_q);
  assign execute_done  = executing && !write_blocked && !(!restores && need_any && queue_full);
  assign first_done    = (execute_done && !restores) || ((state_q == StTell) && !(need_any && queue_full));
  assign next_done     = following && !queue_full;
  assign push_port     = (state_q == StPortTell) && !queue_full;
  assign push          = (first_done && need_any) || next_done || push_port;
  assign queue_wait    = queue_full && ((executing && !write_blocked && !restores && need_any) ||
                                        ((state_q == StTell) && need_any) || following || (state_q == StPortTell));
  assign row_done      = ((first_done || next_done) && last_word) || (execute_done && restores && travel);
  assign last_row      = step == StepWidth'(Steps - 1);

  // Recovery port_level: does the whole port speak at the end?
  logic check_tag_q, tag_now;
  assign tag_now   = work_port_level_q && first_done && (back_to_full != '0);
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
            row_d   = row_q + 10'(Banks);
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

  integer i;

  always_ff @(posedge clk_i) begin
    if (first_done) pending_q <= (Banks == 1) ? (2*Banks)'({need[1] && need[0], 1'b0}) : need & (need - 1'b1);
    if (next_done) pending_q <= (Banks == 1) ? '0 : pending_q & (pending_q - 1'b1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_d_q <= '0;
      level_s_q <= '0;
      told_d_q  <= '0;
      told_s_q  <= '0;
    end else begin
      for (i = 0; i < Banks; i = i + 1) begin
        if (execute_done && active[i]) begin
          level_d_q[2*(Banks*step + i) +: 2] <= level_d[2*i +: 2];
          level_s_q[2*(Banks*step + i) +: 2] <= level_s[2*i +: 2];
        end
      end
      if (first_done) begin
        told_d_q[2*Banks*step +: 2*Banks] <= now_d;
        told_s_q[2*Banks*step +: 2*Banks] <= now_s;
      end
      if (start && (new_kind == 2'd1) && (new_port == own_port_q)) begin
        told_d_q <= '0;
        told_s_q <= '0;
      end
    end
  end

  // RAM port.
  assign mark_write = execute_done && (changed != '0);
  assign cfg_write  = (state_q == StIdle) && !start && cfg_valid_q && !route_read_q;
  assign ram_read   = (start || (state_q == StRead)) && !route_read_q;
  assign ram_write  = mark_write || cfg_write;
  assign own_row    = cfg_write ? cfg_row_q : start ? first_row : row_q;
  assign ram_step   = StepWidth'((route_read_q ? route_row_q : own_row) >> StepShift);

  // What route compute has read.
  logic [LaneWidth-1:0] route_bank_q;
  always_ff @(posedge clk_i) begin
    fetched_q    <= ram_read;
    route_bank_q <= LaneWidth'((Banks > 1) ? route_row_q & 10'(Banks - 1) : 10'd0);
  end
  assign route_word_o = route_words[WordWidth*route_bank_q +: WordWidth];

  // Messages.
  logic [21:0]        entry_message, queue_data;
  logic [9:0]         said_row;
  logic               said_b;
  logic [1:0]         said_level;
  logic [8:0]         index;
  logic [4*Banks-1:0] now;
  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_now
    assign now[4*b +: 4] = {now_s[2*b +: 2], now_d[2*b +: 2]};
  end
  assign said_row   = base_row + (10'(pick) >> 1);
  assign said_b     = said_row < 10'(P + A);  // nobody is told about rows of zone N
  assign said_level = now[2*pick +: 2];
  assign index      = 9'(said_row - (said_b ? 10'(P) : 10'(P + A)));

  fault_message u_message (
    .safe_i       (work_safe_q),
    .travel_i     (travel),
    .prefix_i     (message_q[19:18]),
    .address_i    (message_q[8:0]),
    .group_local_i(said_b),
    .index_i      (index),
    .own_gid_i    (work_gid_q),
    .class_i      (pick[0]),
    .level_i      (said_level),
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

  // Observation: lane i is row write_row_o + i.
  logic [Banks-1:0]          lane_write;
  logic [2*Banks-1:0]        lane_level_a;
  logic [Banks*NumPorts-1:0] lane_lost, lane_partial;
  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_lane
    logic [9:0] row;
    logic       from;
    logic [9:0] bank;
    assign row  = row_q + 10'(b);
    assign bank = row - base_row;  // of a travel b; a match has lane 0 only
    assign from = mark_write && (bank < 10'(Banks)) && changed[LaneWidth'(bank)];
    assign lane_write[b]                         = from;
    assign lane_level_a[2*b +: 2]                = from ? new_level_a[2*LaneWidth'(bank) +: 2] : 2'd0;
    assign lane_lost[NumPorts*b +: NumPorts]     = from ? new_lost[NumPorts*LaneWidth'(bank) +: NumPorts] : '0;
    assign lane_partial[NumPorts*b +: NumPorts]  = from ? new_partial[NumPorts*LaneWidth'(bank) +: NumPorts] : '0;
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
      write_row_o     <= mark_write ? row_q : 10'd0;
      write_level_a_o <= lane_level_a;
      write_lost_o    <= lane_lost;
      write_partial_o <= lane_partial;
      cfg_ack_o       <= cfg_write;
      fd_count_o      <= fd_count_o + {15'd0, push && !queue_data[21]};
      fr_count_o      <= fr_count_o + {15'd0, push && queue_data[21]};
      wait_ram_o      <= wait_ram_o + {15'd0, ram_wait};
      wait_queue_o    <= wait_queue_o + {15'd0, queue_wait};
    end
  end

  assign busy_o  = (state_q != StIdle) || cmd_valid_q || queued;
  assign late_o  = queued;
  assign probe_o = (state_q == StIdle) ? 13'd0 : {row_q, state_q};

`ifdef FORMAL
  // Messages that became due, and messages of entries that were pushed.
  logic [3:0] due_q, pushed_q, due_now;
  integer     n;
  always_comb begin
    due_now = 4'd0;
    for (n = 0; n < 2 * Banks; n = n + 1) due_now = due_now + {3'd0, need[n]};
  end
  always_ff @(posedge clk_i) begin
    due_q    <= !rst_ni ? 4'd0 : first_done ? due_q + due_now : due_q;
    pushed_q <= !rst_ni ? 4'd0 : (push && !push_port) ? pushed_q + 4'd1 : pushed_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ram_left_to_route_compute: assert (!((ram_read || ram_write) && route_read_q));
      pending_while_following: assert (!following || (pending_q != '0));
      idle_has_told_everything: assert ((state_q != StIdle) || ((told_d_q == level_d_q) && (told_s_q == level_s_q)));
      idle_has_said_everything: assert ((state_q != StIdle) || (due_q == pushed_q));
      fall_is_said: assert (!first_done || (((now_d[1:0] != told_d_q[2*Banks*step +: 2]) && (now_d[1:0] != 2'd0)) <= need_d[0]));
      command_is_taken: assert ((state_q != StIdle) || !(cmd_valid_q || queued) || start);
    end
  end
`endif

endmodule : fault_port
