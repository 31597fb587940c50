// SPDX-License-Identifier: Apache-2.0
//
// Accessibility of a port's entries (docs/fault.md §4, "Tell"): their levels and what the neighbour has been told, two
// bits a class and row, in flip-flops, so that all B entries can be asked at once. Says which rows of the step have
// something to tell.
//
// The rows of a step are judged in their order: whether an FR about a B entry is held back sees `told` as the rows
// before it have left it.
//
// Cost: 8*Rows flip-flops with their multiplexers.

module fault_accessibility #(
  parameter  int P         = 2,
  parameter  int A         = 4,
  parameter  int G         = 8,
  parameter  int Banks     = 1,
  localparam int Rows      = P + A + G,
  localparam int Steps     = (Rows + Banks - 1) / Banks,
  localparam int StepWidth = (Steps > 1) ? $clog2(Steps) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // The command at work
  input  logic                 start_i,
  input  logic                 own_link_up_i,  // the neighbour has forgotten what it was told
  input  logic                 restores_i,
  input  logic                 port_level_i,
  input  logic [1:0]           class_i,
  // The step
  input  logic [9:0]           base_row_i,
  input  logic [StepWidth-1:0] step_i,
  input  logic [Banks-1:0]     active_i,
  input  logic [2*Banks-1:0]   zone_i,
  input  logic [2*Banks-1:0]   level_d_i,      // after the action, with executing_i
  input  logic [2*Banks-1:0]   level_s_i,
  input  logic [Banks-1:0]     hold_i,         // class D stays as it was
  input  logic                 idle_i,
  input  logic                 executing_i,
  input  logic                 executed_i,
  input  logic                 first_done_i,
  // What is to be told: two bits a row, class D in the low one
  output logic [2*Banks-1:0]   need_o,
  output logic [4*Banks-1:0]   now_o,          // levels: two bits a class, in the same order
  output logic                 port_speaks_o   // recovery port_level: the whole port speaks at the end
);

  logic [2*Banks*Steps-1:0] level_d_q, level_s_q, told_d_q, told_s_q;
  logic [2*Banks-1:0]       now_d, now_s;
  logic [Banks-1:0]         need_d, need_s, back_to_full;

  // What the B entries of this port have been told, once the banks below b have spoken.
  logic [Banks*2*A-1:0] told_b /*verilator split_var*/;
  assign told_b[2*A-1:0] = told_d_q[2*P +: 2*A];

  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_bank
    logic [9:0]     row;
    logic [1:0]     zone, told_d, told_s;
    logic [2*A-1:0] mask_b;
    logic           others_full, held_back, changes_d, changes_s, full_d, full_s;
    assign row    = base_row_i + 10'(b);
    assign zone   = zone_i[2*b +: 2];
    assign told_d = told_d_q[2*(Banks*step_i + b) +: 2];
    assign told_s = told_s_q[2*(Banks*step_i + b) +: 2];
    assign now_d[2*b +: 2] = !active_i[b] ? told_d
                           : (executing_i && !hold_i[b]) ? level_d_i[2*b +: 2]
                           : level_d_q[2*(Banks*step_i + b) +: 2];
    assign now_s[2*b +: 2] = !active_i[b] ? told_s
                           : executing_i ? level_s_i[2*b +: 2]
                           : level_s_q[2*(Banks*step_i + b) +: 2];

    assign mask_b      = (zone == fault_pkg::ZoneB) ? ~((2*A)'(2'b11) << (2 * (row - 10'(P)))) : '1;
    assign others_full = (told_b[2*A*b +: 2*A] & mask_b) == '0;
    if (b + 1 < Banks) begin : gen_next_told
      assign told_b[2*A*(b+1) +: 2*A] = (told_b[2*A*b +: 2*A] & mask_b) |
                                        (((2*A)'(now_d[2*b +: 2]) << (2 * (row - 10'(P)))) & ~mask_b);
    end

    assign full_d    = now_d[2*b +: 2] == fault_pkg::LevelFull;
    assign full_s    = now_s[2*b +: 2] == fault_pkg::LevelFull;
    assign changes_d = now_d[2*b +: 2] != told_d;
    assign changes_s = now_s[2*b +: 2] != told_s;
    assign held_back = (zone == fault_pkg::ZoneB) && (class_i == fault_pkg::PortClassGlobal) && !others_full;
    assign need_d[b] = changes_d && !(full_d && (port_level_i || held_back));
    assign need_s[b] = changes_s && !(full_s && port_level_i);
    assign back_to_full[b] = (changes_d && full_d) || (changes_s && full_s);

    assign need_o[2*b +: 2] = {need_s[b], need_d[b]};
    assign now_o[4*b +: 4]  = {now_s[2*b +: 2], now_d[2*b +: 2]};
  end

  integer i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_d_q <= '0;
      level_s_q <= '0;
      told_d_q  <= '0;
      told_s_q  <= '0;
    end else begin
      for (i = 0; i < Banks; i = i + 1) begin
        if (executed_i && active_i[i]) begin
          if (!hold_i[i]) level_d_q[2*(Banks*step_i + i) +: 2] <= level_d_i[2*i +: 2];
          level_s_q[2*(Banks*step_i + i) +: 2] <= level_s_i[2*i +: 2];
        end
      end
      if (first_done_i) begin
        told_d_q[2*Banks*step_i +: 2*Banks] <= now_d;
        told_s_q[2*Banks*step_i +: 2*Banks] <= now_s;
      end
      if (own_link_up_i) begin
        told_d_q <= '0;
        told_s_q <= '0;
      end
    end
  end

  // Recovery port_level: the walk has made an entry full again, and all entries are full.
  logic check_tag_q, tag_now;
  assign tag_now       = port_level_i && first_done_i && (back_to_full != '0);
  assign port_speaks_o = restores_i && port_level_i &&
                         (check_tag_q || tag_now) && (level_d_q == '0) && (level_s_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) check_tag_q <= 1'b0;
    else check_tag_q <= start_i ? 1'b0 : (check_tag_q | tag_now);
  end

`ifndef SYNTHESIS
`ifndef __ICARUS__
  logic [1:0] first_told;
  assign first_told = told_d_q[2*Banks*step_i +: 2];
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      idle_has_told_everything: assert (!idle_i || ((told_d_q == level_d_q) && (told_s_q == level_s_q)));
      fall_is_said: assert (!first_done_i ||
                            (((2'(now_d) != first_told) && (2'(now_d) != fault_pkg::LevelFull)) <= need_d[0]));
    end
  end
`endif
`endif

endmodule : fault_accessibility
