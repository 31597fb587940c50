// SPDX-License-Identifier: Apache-2.0
//
// The queues of the data path lose, invent and reorder nothing: one entry, picked at will among those that come, is
// followed until it leaves. No memory is read where it was not written, none is written where something lies. `bad_o`
// must never be 1.

// The control FIFO: one comes, up to two leave; what comes to an empty queue may leave at once. The youngest that stays
// may be taken back.
module control_miter #(
  parameter int Depth = 4,
  parameter int Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  input  logic [1:0]       pop_i,
  input  logic             cancel_i,
  input  logic             pick_i,
  output logic             bad_o
);
  logic [1:0]       valid, pop;
  logic [Width-1:0] first, second, word_q, word;
  logic             push, cancel, follows_q, started_q, follows;
  logic [3:0]       count_q, there, before_q, before;
  assign push  = push_i && (count_q != 4'(Depth));
  assign there = count_q + 4'(push);
  assign pop   = (pop_i == 2'd3) ? 2'd0 : (4'(pop_i) > there) ? 2'(there) : pop_i;
  assign cancel = cancel_i && (there != 4'(pop));

  router_control_fifo #(.Width(Width), .Depth(Depth)) dut (
    .clk_i, .rst_ni, .push_i(push), .data_i, .pop_i(pop), .cancel_i(cancel), .valid_o(valid), .first_o(first),
    .second_o(second)
  );

  // The followed entry, from the cycle of its push on.
  assign follows = follows_q || (push && pick_i);
  assign before  = follows_q ? before_q : count_q;
  assign word    = follows_q ? word_q : data_i;
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      count_q   <= '0;
      follows_q <= 1'b0;
    end else begin
      count_q   <= there - 4'(pop) - 4'(cancel);
      follows_q <= follows && (before >= 4'(pop)) && !(cancel && (before == there - 4'd1));
      before_q  <= before - 4'(pop);
      word_q    <= word;
    end
  end
  assign bad_o = started_q && rst_ni && ((valid != {there > 4'd1, there != 4'd0}) || 
                                         (follows && (before == 4'd0) && (first != word)) ||
                                         (follows && (before == 4'd1) && (second != word)));
endmodule : control_miter

// A virtual channel: flits of packets of any length up to Depth + 2, answers that come when they like, links that go
// down and cut the packet that is arriving, and the death of the router. `Drops`: no packet has an option.
module vc_miter #(
  parameter int Depth = 4,
  parameter int Drops = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic alive_i,
  input  logic write_i,
  input  logic data_i,
  input  logic tail_i,
  input  logic answer_i,  // the oldest unanswered head is answered
  input  logic way_i,
  input  logic down_i,
  input  logic pop_0_i,
  input  logic pop_1_i,
  input  logic pick_i,    // the flit that comes is followed
  input  logic choose_i,  // ... and so is the route of the packet that is answered
  output logic bad_o
);
  // Flits that are there; packets without an answer; flits that have come of the packet that is arriving; packets with
  // an answer, a poisoned tail among them.
  logic [3:0] count_q, unanswered_q, come_q, come, line_q, line, waits;
  logic       write, tail, push, asked, cut, gone, poison_q, poisons, started_q;
  assign write = write_i && (count_q != 4'(Depth));   // count_q: after the pops of the cycle before
  assign push  = answer_i && (unanswered_q != 4'd0);
  assign waits = unanswered_q - 4'(push);
  assign asked = (waits != 4'd0);                     // of the youngest head
  assign cut   = down_i && (come_q != 4'd0);
  assign come  = cut ? 4'd0 : come_q;
  assign tail  = tail_i || (come == 4'(Depth + 1));

  logic       now_valid, now_head, now_tail, next_valid, next_head, next_tail, pop_0, pop_1, bank_0, bank_1, even, odd;
  logic       poison, cut_said, arriving;
  logic [7:0] now_to, next_to;
  logic [8:0] freed;
  logic [2:0] left;
  assign pop_0 = pop_0_i && now_valid;
  assign pop_1 = pop_1_i && (pop_0 ? next_valid : now_valid);

  router_vc #(.Width(1), .Depth(Depth)) dut (
    .clk_i, .rst_ni, .alive_i, .write_i(write), .flit_i(data_i), .tail_i(tail), .push_i(push),
    .to_i({(Drops != 0) ? router_pkg::PortNone : 6'd0, 1'b0, way_i}), .down_i, .asked_i(asked), .cut_o(cut_said),
    .arriving_o(arriving), .now_valid_o(now_valid), .now_head_o(now_head), .now_tail_o(now_tail), .now_to_o(now_to),
    .next_valid_o(next_valid), .next_head_o(next_head), .next_tail_o(next_tail), .next_to_o(next_to), .pop_0_i(pop_0),
    .pop_1_i(pop_1), .poison_o(poison), .bank_0_o(bank_0), .bank_1_o(bank_1), .even_o(even), .odd_o(odd),
    .left_o(left), .freed_o(freed)
  );

  // What leaves the memories: the poisoned tail is not in them, and goes first. What a cut takes back.
  logic       goes_0, goes_1;
  logic [3:0] leave, stay, lost;
  assign goes_0  = pop_0 && !poison_q;
  assign goes_1  = pop_1 && (pop_0 || !poison_q);
  assign leave   = 4'(goes_0) + 4'(goes_1);
  assign stay    = count_q - leave;
  assign gone    = (stay < come_q);
  assign lost    = !cut ? 4'd0 : gone ? stay : come_q;
  assign poisons = cut && gone && (Drops == 0);

  // The followed flit: how many leave the memories before it, and the same of its packet's place.
  logic       follows_q, value_q, is_head_q, is_tail_q, due_0, due_1, due_0_q, due_1_q, odd_0_q, odd_1_q, due_value_q,
              due_head, due_tail;
  logic [3:0] before_q, seen;
  assign due_0 = follows_q && (before_q == 4'd0) && goes_0;
  assign due_1 = follows_q && goes_1 && (before_q == 4'(goes_0));
  // Flags of the followed flit when it is first, and when it is second; a poisoned tail is in front of it.
  assign seen     = before_q + 4'(poison_q);
  assign due_head = ((seen == 4'd0) && (now_head != is_head_q)) ||
                    ((seen == 4'd1) && next_valid && (next_head != is_head_q));
  assign due_tail = ((seen == 4'd0) && (now_tail != is_tail_q)) ||
                    ((seen == 4'd1) && next_valid && (next_tail != is_tail_q));

  // The followed packet: how many are in front of it, and its way.
  logic       chosen_q, chosen_way_q, chosen, chosen_way, wrong_way, back;
  logic [3:0] ahead_q, ahead, ended;
  assign line       = line_q + 4'(push);
  assign ended      = 4'(pop_0 && now_tail) + 4'(pop_1 && (pop_0 ? next_tail : now_tail));
  assign back       = cut && !asked && !poisons;   // the youngest one was never there
  assign chosen     = chosen_q || (push && choose_i);
  assign ahead      = chosen_q ? ahead_q : line_q;
  assign chosen_way = chosen_q ? chosen_way_q : way_i;
  assign wrong_way  = chosen && (((ahead == 4'd0) && now_valid && (now_to[0] != chosen_way)) ||
                                 ((ahead == 4'd1) && next_valid && now_tail && (next_to[0] != chosen_way)));

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    due_0_q     <= due_0;
    due_1_q     <= due_1;
    odd_0_q     <= bank_0;
    odd_1_q     <= bank_1;
    due_value_q <= value_q;
    if (!rst_ni || !alive_i) begin
      count_q      <= '0;
      unanswered_q <= '0;
      come_q       <= '0;
      follows_q    <= 1'b0;
      chosen_q     <= 1'b0;
      line_q       <= '0;
      poison_q     <= 1'b0;
    end else begin
      count_q      <= stay - lost + 4'(write);
      unanswered_q <= waits - 4'(cut && asked) + 4'(write && (come == 4'd0));
      come_q       <= !write ? come : tail ? 4'd0 : come + 4'd1;
      poison_q     <= poisons || (poison_q && !pop_0 && !pop_1);
      line_q       <= line - ended - 4'(back);
      chosen_q     <= chosen && (ahead >= ended) && !(back && (ahead == line - 4'd1));
      ahead_q      <= ahead - ended;
      chosen_way_q <= chosen_way;
      if (!follows_q && write && pick_i) begin
        follows_q <= 1'b1;
        before_q  <= stay - lost;
        value_q   <= data_i;
        is_head_q <= (come == 4'd0);
        is_tail_q <= tail;
      end else begin
        follows_q <= follows_q && !(due_0 || due_1) && (before_q - leave < stay - lost);
        before_q  <= before_q - leave;
      end
    end
  end

  logic live, wrong_flit, wrong_flag, wrong_count, wrong_tail;
  assign live        = started_q && rst_ni;
  assign wrong_flit  = (due_0_q && ((odd_0_q ? odd : even) != due_value_q)) ||
                       (due_1_q && ((odd_1_q ? odd : even) != due_value_q));
  assign wrong_flag  = follows_q && now_valid && (due_head || due_tail);
  assign wrong_count = (4'(left) != stay - lost) || (freed != 9'(leave) + 9'(lost)) || (cut_said != cut) ||
                       (arriving != (come != 4'd0)) || (goes_0 && goes_1 && (bank_0 == bank_1)) ||
                       (now_valid != (poison_q || ((count_q != 4'd0) && (line != 4'd0))));
  assign wrong_tail  = (poison != poison_q) || (poison_q && (now_head || !now_tail)) ||
                       (poisons && (line - ended != 4'd1));
  assign bad_o = live && (wrong_flit || wrong_flag || wrong_count || wrong_way || wrong_tail);
endmodule : vc_miter

// The output FIFO: up to two are granted and come a cycle later, one leaves unless its slot is taken.
module output_miter #(
  parameter int Depth = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic slot_taken_i,
  input  logic want_0_i,
  input  logic want_1_i,
  input  logic data_0_i,   // of the grants of the cycle before
  input  logic data_1_i,
  input  logic pick_0_i,   // the flit that comes is followed
  input  logic pick_1_i,
  output logic bad_o
);
  logic       room_0, room_1, take_0, take_1, valid, flit, departed, started_q;
  logic [3:0] fill_q, kept, fill_d;
  assign take_0 = want_0_i && room_0;
  assign take_1 = want_1_i && room_1;

  router_output_fifo #(.Width(1), .Depth(Depth)) dut (
    .clk_i, .rst_ni, .slot_taken_i, .room_0_o(room_0), .room_1_o(room_1), .take_0_i(take_0), .take_1_i(take_1),
    .flit_0_i(data_0_i), .flit_1_i(data_1_i), .link_valid_o(valid), .link_flit_o(flit), .departed_o(departed)
  );

  logic       leaves, come_0_q, come_1_q, follows_q, follows, value_q, value, fresh_q, fresh;
  logic [3:0] before_q, before, older;
  assign leaves = (fill_q != 4'd0) && !slot_taken_i;
  assign kept   = fill_q - 4'(leaves);
  assign fill_d = kept + 4'(take_0) + 4'(take_1);

  // A flit that comes now was counted in the cycle before; a followed one is compared from this cycle on.
  assign older   = fill_q - 4'(come_0_q) - 4'(come_1_q);
  assign follows = follows_q || (come_0_q && pick_0_i) || (come_1_q && pick_1_i);
  assign before  = follows_q ? before_q : (come_0_q && pick_0_i) ? older : older + 4'(come_0_q);
  assign value   = follows_q ? value_q : (come_0_q && pick_0_i) ? data_0_i : data_1_i;

  // The first flit at the end of the cycle: has it been first at the end of the one before?
  assign fresh = (fill_d != 4'd0) && (leaves || (fill_q == 4'd0));

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      fill_q    <= '0;
      come_0_q  <= 1'b0;
      come_1_q  <= 1'b0;
      follows_q <= 1'b0;
    end else begin
      fill_q    <= fill_d;
      come_0_q  <= take_0;
      come_1_q  <= take_1;
      follows_q <= follows && !(leaves && (before == 4'd0));
      before_q  <= before - 4'(leaves);
      value_q   <= value;
    end
  end

  assign bad_o = started_q && rst_ni && ((valid != leaves) || (!valid && flit) ||
                                         (follows && (before == 4'd0) && valid && (flit != value)) ||
                                         (room_0 != (kept < 4'(Depth))) ||
                                         (room_1 != (kept + 4'(take_0) < 4'(Depth))) || (fill_q > 4'(Depth)) ||
                                         (departed != fresh));
endmodule : output_miter

// An input port: an answer belongs to the oldest head that has none, whatever is cut. Packets of up to three flits; the
// answer says what they hold, a color, as the output port 1 or 2; what stands in the response register without a head
// to answer, or is said to a router that died, or of a packet that was cut, is anything.
module answer_miter #(
  parameter  int Depth = 2,
  localparam int Width = 80
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       alive_i,
  input  logic       write_i,
  input  logic       tail_i,
  input  logic       cut_i,
  input  logic       down_i,
  input  logic       vc_i,       // 0 or 1: two of the four
  input  logic       color_i,
  input  logic [7:0] noise_i,
  input  logic [3:0] pop_0_i,    // the lowest bit that is set
  input  logic [3:0] pop_1_i,
  output logic       bad_o
);
  logic        started_q, write, head, taken;
  logic [1:0]  vc;
  assign vc = {1'b0, vc_i};
  logic [15:0] count_q;          // flits that the sender knows of, a VC
  logic [35:0] owed;
  assign write = write_i && (count_q[4*vc +: 4] != 4'(Depth));

  // Packets that the sender is sending, and those of which the port has taken the last flit: their color.
  logic [3:0]  sends_q, second_q, open_q, open, color_vc_q;
  logic        color, cut, tail;
  assign head  = !sends_q[vc];
  assign open  = down_i ? 4'd0 : open_q;
  assign cut   = cut_i && (head || !open[vc]);
  assign taken = write && !cut && (head || open[vc]);
  assign color = head ? color_i : color_vc_q[vc];
  assign tail  = tail_i || (!head && second_q[vc]);

  logic [Width-1:0] flit, flit_0, flit_1;
  assign flit = {color, 75'd0, tail, head, vc};

  logic [3:0]  now_valid, now_head, now_tail, next_valid, next_head, next_tail, pop_0, pop_1, can_1;
  logic [31:0] now_to, next_to;
  logic [9:0]  way;
  logic [4:0]  asked_q, color_q, asked_vc_q;   // heads on their way, [4] is answered
  assign way = asked_q[4] ? {color_q[4] ? 6'd2 : 6'd1, noise_i[1:0], 2'd0} : {noise_i, 2'd0};

  assign can_1 = (now_valid & ~pop_0) | (next_valid & pop_0);
  assign pop_0 = (pop_0_i & now_valid) & (~(pop_0_i & now_valid) + 4'd1);
  assign pop_1 = (pop_1_i & can_1) & (~(pop_1_i & can_1) + 4'd1);

  router_input #(.Width(Width), .Depth(Depth), .N(3)) dut (
    .clk_i, .rst_ni, .alive_i, .in_valid_i(write), .in_cut_i(cut), .in_flit_i(flit), .down_i, .ans_port_i(way[9:4]),
    .ans_vc_i(way[3:2]), .now_valid_o(now_valid), .now_head_o(now_head), .now_tail_o(now_tail), .now_to_o(now_to),
    .next_valid_o(next_valid), .next_head_o(next_head), .next_tail_o(next_tail), .next_to_o(next_to), .pop_0_i(pop_0),
    .pop_1_i(pop_1), .flit_0_o(flit_0), .flit_1_o(flit_1), .credit_o(owed)
  );

  // The way of what leaves, as a color.
  logic       goes_0_q, goes_1_q, way_0_q, way_1_q, way_0, way_1;
  logic [3:0] ways, ways_after;
  for (genvar v = 0; v < 4; v = v + 1) begin : gen_way
    assign ways[v]       = now_to[8*v+2 +: 6] == 6'd2;
    assign ways_after[v] = pop_0[v] ? (next_to[8*v+2 +: 6] == 6'd2) : ways[v];
  end
  assign way_0 = (pop_0 & ways) != '0;
  assign way_1 = (pop_1 & ways_after) != '0;

  // A cut takes the youngest request of a VC whose packet is arriving out.
  logic [4:0] kept;
  logic [1:0] younger;   // VCs of younger requests
  integer r;
  always_comb begin
    kept    = asked_q;
    younger = 2'd0;
    for (r = 0; r < 4; r = r + 1) begin
      if (asked_q[r] && down_i && open_q[{1'b0, asked_vc_q[r]}] && !younger[asked_vc_q[r]]) kept[r] = 1'b0;
      if (asked_q[r]) younger[asked_vc_q[r]] = 1'b1;
    end
  end

  for (genvar v = 0; v < 4; v = v + 1) begin : gen_count
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q[4*v +: 4] <= '0;
      else count_q[4*v +: 4] <= count_q[4*v +: 4] + 4'(write && (vc == 2'(v))) - 4'(owed[9*v +: 9]);
      if (!rst_ni) sends_q[v] <= 1'b0;
      else if (write && (vc == 2'(v))) sends_q[v] <= !tail;
      if (write && (vc == 2'(v))) second_q[v] <= !head;   // two flits have been sent
      if (!rst_ni || !alive_i) open_q[v] <= 1'b0;
      else if (taken && (vc == 2'(v))) open_q[v] <= !tail;
      else open_q[v] <= open[v];
      if (write && (vc == 2'(v))) color_vc_q[v] <= color;
    end
  end
  always_ff @(posedge clk_i) begin
    started_q  <= !rst_ni || started_q;
    asked_q    <= {kept[3:0], taken && head};
    color_q    <= {color_q[3:0], color};
    asked_vc_q <= {asked_vc_q[3:0], vc_i};
    goes_0_q   <= rst_ni && (pop_0 != '0);
    goes_1_q   <= rst_ni && (pop_1 != '0);
    way_0_q    <= way_0;
    way_1_q    <= way_1;
    if (!rst_ni || !alive_i) asked_q <= '0;
  end
  // A poisoned tail holds nothing.
  assign bad_o = started_q && rst_ni &&
                 ((goes_0_q && !flit_0[4] && (flit_0[Width-1] != way_0_q)) ||
                  (goes_1_q && !flit_1[4] && (flit_1[Width-1] != way_1_q)));
endmodule : answer_miter
