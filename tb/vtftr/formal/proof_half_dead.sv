// SPDX-License-Identifier: Apache-2.0
//
// Proofs of the rules for half-dead leaves (docs/vtftr.md §8.1).

// The local half of freedom from deadlock, whatever the tables say: the channel that a packet asks for has a higher
// rank than the one that it holds, as in proof_leaf.sv. A packet from a node starts on channel 0. It goes on, arrives
// or is dropped, one of the three.
module proof_half_dead_rank (
  input  logic [1:0] class_i,
  input  logic       vc_i,
  input  logic       column_right_i,
  input  logic       row_right_i,
  input  logic [1:0] own_i,
  input  logic [1:0] dest_i,
  input  logic [1:0] corner_i,
  input  logic       turn_i,
  input  logic [1:0] full_i,
  output logic       bad_o
);

  logic       eject, drop, column, around, vc, goes, from_node;
  logic [3:0] held, wanted;

  vtftr_half_dead_rules u_rules (
    .class_i, .vc_i, .column_right_i, .row_right_i, .own_i, .dest_i, .corner_i, .turn_i, .full_i,
    .eject_o(eject), .drop_o(drop), .column_o(column), .around_o(around), .vc_o(vc)
  );

  assign goes      = !eject && !drop;
  assign from_node = (class_i == 2'd0);
  // {vc, dimension, down} + 1; 0: none.
  assign held      = from_node ? 4'd0 : ({1'b0, vc_i, class_i[1], 1'b1} + 4'd1);
  assign wanted    = {1'b0, vc, column, 1'b0} + 4'd1;
  assign bad_o     = (goes && ((wanted <= held) || (from_node && vc) || !own_i[column])) || (eject && drop) ||
                     (!goes && (column || around || vc));

endmodule : proof_half_dead_rank

// Who is served, in a tree of any size: up to two leaves anywhere that are dead or lack their row or their column,
// which all tables know; any packet, any picks. It arrives after `Most` routings at most. Left out are the packets from
// a leaf without row to one without column of the same line, which two virtual channels cannot serve. N, M: 3 at least,
// so that a line without a fault is left.
module proof_half_dead_way #(
  parameter int N      = 4,
  parameter int M      = 4,
  parameter int Faults = 2,
  parameter int Most   = 4   // routings, 4 at most
) (
  input  logic [13:0] from_i,  // {y, x}
  input  logic [13:0] to_i,
  input  logic [15:0] fault_0_i,  // {lacks its column, lacks its row, y, x}
  input  logic [15:0] fault_1_i,
  input  logic [27:0] pick_i,     // of the roots on the way
  output logic        bad_o
);

  logic [15:0] fault_1;
  logic [13:0] at_0, at_1, at_2, at_3, at_4;
  logic [1:0]  class_0, class_1, class_2, class_3, from_lacks, to_lacks;
  logic [3:0]  vc, eject, lost, legal, busy;
  logic        inside, apart, excused, arrived;

  assign fault_1 = (Faults == 1) ? 16'd0 : fault_1_i;
  assign at_0    = from_i;
  assign class_0 = 2'd0;
  assign vc[0]   = 1'b0;

  half_dead_step #(.N(N), .M(M)) u_step_0 (
    .at_i(at_0), .class_i(class_0), .vc_i(vc[0]), .to_i, .fault_0_i, .fault_1_i(fault_1), .pick_i(pick_i[6:0]),
    .eject_o(eject[0]), .lost_o(lost[0]), .legal_o(legal[0]), .at_o(at_1), .class_o(class_1), .vc_o(vc[1])
  );
  half_dead_step #(.N(N), .M(M)) u_step_1 (
    .at_i(at_1), .class_i(class_1), .vc_i(vc[1]), .to_i, .fault_0_i, .fault_1_i(fault_1), .pick_i(pick_i[13:7]),
    .eject_o(eject[1]), .lost_o(lost[1]), .legal_o(legal[1]), .at_o(at_2), .class_o(class_2), .vc_o(vc[2])
  );
  half_dead_step #(.N(N), .M(M)) u_step_2 (
    .at_i(at_2), .class_i(class_2), .vc_i(vc[2]), .to_i, .fault_0_i, .fault_1_i(fault_1), .pick_i(pick_i[20:14]),
    .eject_o(eject[2]), .lost_o(lost[2]), .legal_o(legal[2]), .at_o(at_3), .class_o(class_3), .vc_o(vc[3])
  );
  half_dead_step #(.N(N), .M(M)) u_step_3 (
    .at_i(at_3), .class_i(class_3), .vc_i(vc[3]), .to_i, .fault_0_i, .fault_1_i(fault_1), .pick_i(pick_i[27:21]),
    .eject_o(eject[3]), .lost_o(lost[3]), .legal_o(legal[3]), .at_o(at_4), .class_o(), .vc_o()
  );

  // Under way before the step k.
  assign busy[0] = !eject[0];
  assign busy[1] = busy[0] && !eject[1];
  assign busy[2] = busy[1] && !eject[2] && (Most > 2);
  assign busy[3] = busy[2] && !eject[3] && (Most > 3);
  assign arrived = !busy[1] || (at_2 == to_i) || ((Most > 2) && (at_3 == to_i)) || ((Most > 3) && (at_4 == to_i));

  half_dead_lacks u_from (.at_i(from_i), .fault_0_i, .fault_1_i(fault_1), .lacks_o(from_lacks));
  half_dead_lacks u_to (.at_i(to_i), .fault_0_i, .fault_1_i(fault_1), .lacks_o(to_lacks));

  assign inside  = (8'(from_i[6:0]) < 8'(N)) && (8'(from_i[13:7]) < 8'(M))
                   && (8'(to_i[6:0]) < 8'(N)) && (8'(to_i[13:7]) < 8'(M))
                   && (8'(fault_0_i[6:0]) < 8'(N)) && (8'(fault_0_i[13:7]) < 8'(M))
                   && (8'(fault_1[6:0]) < 8'(N)) && (8'(fault_1[13:7]) < 8'(M));
  assign apart   = (fault_0_i[13:0] != fault_1[13:0]) || (fault_0_i[15:14] == 2'd0) || (fault_1[15:14] == 2'd0);
  assign excused = from_lacks[0] && to_lacks[1] && ((from_i[6:0] == to_i[6:0]) || (from_i[13:7] == to_i[13:7]));

  assign bad_o = inside && apart && (from_i != to_i) && (from_lacks != 2'd3) && (to_lacks != 2'd3) && !excused
                 && ((~busy | lost | legal) == 4'hF) && (((busy & lost) != 4'd0) || !arrived);

endmodule : proof_half_dead_way

// What a leaf lacks: {column, row}.
module half_dead_lacks (
  input  logic [13:0] at_i,
  input  logic [15:0] fault_0_i,
  input  logic [15:0] fault_1_i,
  output logic [1:0]  lacks_o
);

  assign lacks_o = ((at_i == fault_0_i[13:0]) ? fault_0_i[15:14] : 2'd0) |
                   ((at_i == fault_1_i[13:0]) ? fault_1_i[15:14] : 2'd0);

endmodule : half_dead_lacks

// A routing: a leaf by the rules, and the root that it goes to (docs/vtftr.md §2.3, mode safe, bounces excluded).
module half_dead_step #(
  parameter int N = 4,
  parameter int M = 4
) (
  input  logic [13:0] at_i,
  input  logic [1:0]  class_i,
  input  logic        vc_i,
  input  logic [13:0] to_i,
  input  logic [15:0] fault_0_i,
  input  logic [15:0] fault_1_i,
  input  logic [6:0]  pick_i,
  output logic        eject_o,
  output logic        lost_o,
  output logic        legal_o,  // the root may pick this
  output logic [13:0] at_o,
  output logic [1:0]  class_o,
  output logic        vc_o
);

  logic [1:0]  own, dest, xy, yx, target_lacks, picked_lacks, fault_0, fault_1;
  logic [6:0]  x, y, to_x, to_y, target, in, first, second, size;
  logic [13:0] picked, straight;
  logic        drop, column, around, down, direct, last, masked, unmasked_left, live, live_left, here_0, here_1,
               bounced;

  assign {y, x}       = at_i;
  assign {to_y, to_x} = to_i;

  half_dead_lacks u_own (.at_i, .fault_0_i, .fault_1_i, .lacks_o(own));
  half_dead_lacks u_dest (.at_i(to_i), .fault_0_i, .fault_1_i, .lacks_o(dest));
  half_dead_lacks u_xy (.at_i({y, to_x}), .fault_0_i, .fault_1_i, .lacks_o(xy));
  half_dead_lacks u_yx (.at_i({to_y, x}), .fault_0_i, .fault_1_i, .lacks_o(yx));

  vtftr_half_dead_rules u_rules (
    .class_i, .vc_i, .column_right_i(x == to_x), .row_right_i(y == to_y), .own_i(~own), .dest_i(~dest),
    .corner_i({yx == 2'd0, xy == 2'd0}), .turn_i(!xy[0]), .full_i(2'd0), .eject_o(eject_o), .drop_o(drop),
    .column_o(column), .around_o(around), .vc_o(vc_o)
  );

  assign size     = column ? 7'(M) : 7'(N);
  assign target   = column ? to_y : to_x;
  assign in       = column ? y : x;
  assign straight = column ? {to_y, x} : {y, to_x};
  assign picked   = column ? {pick_i, x} : {y, pick_i};
  assign fault_0  = fault_0_i[15:14];
  assign fault_1  = fault_1_i[15:14];
  assign first    = column ? fault_0_i[13:7] : fault_0_i[6:0];
  assign second   = column ? fault_1_i[13:7] : fault_1_i[6:0];

  half_dead_lacks u_straight (.at_i(straight), .fault_0_i, .fault_1_i, .lacks_o(target_lacks));
  half_dead_lacks u_picked (.at_i(picked), .fault_0_i, .fault_1_i, .lacks_o(picked_lacks));

  assign down   = column ? target_lacks[1] : target_lacks[0];
  assign last   = column ? (x == to_x) : (y == to_y);
  assign direct = !around && !down;

  // Lines across with a fault are masked; leaves of this line that lack it are down.
  assign masked = ((fault_0 != 2'd0) && (pick_i == first)) || ((fault_1 != 2'd0) && (pick_i == second));
  assign here_0 = (column ? (fault_0[1] && (fault_0_i[6:0] == x)) : (fault_0[0] && (fault_0_i[13:7] == y)));
  assign here_1 = (column ? (fault_1[1] && (fault_1_i[6:0] == x)) : (fault_1[0] && (fault_1_i[13:7] == y)));
  half_dead_left u_unmasked (.size_i(size), .target_i(target), .in_i(in), .first_i(first), .second_i(second),
                             .has_i({fault_1 != 2'd0, fault_0 != 2'd0}), .left_o(unmasked_left));
  half_dead_left u_live (.size_i(size), .target_i(target), .in_i(in), .first_i(first), .second_i(second),
                         .has_i({here_1, here_0}), .left_o(live_left));
  assign live    = (pick_i < size) && !(column ? picked_lacks[1] : picked_lacks[0]) && (pick_i != target) &&
                   (pick_i != in);
  assign bounced = !live_left && (pick_i == in);

  assign lost_o  = drop || (!eject_o && !direct && ((!around && last) || vc_o));
  assign legal_o = direct || bounced || (live && (!masked || !unmasked_left));
  assign at_o    = direct ? straight : picked;
  assign class_o = {column, !column};

endmodule : half_dead_step

// Is a coordinate below the size left beside the target, the port that the packet comes from, and the lines of the
// faults that count?
module half_dead_left (
  input  logic [6:0] size_i,
  input  logic [6:0] target_i,
  input  logic [6:0] in_i,
  input  logic [6:0] first_i,
  input  logic [6:0] second_i,
  input  logic [1:0] has_i,
  output logic       left_o
);

  logic       own, first, second;
  logic [2:0] taken;

  assign own    = (in_i != target_i);
  assign first  = has_i[0] && (first_i != target_i) && (first_i != in_i);
  assign second = has_i[1] && (second_i != target_i) && (second_i != in_i) && !(first && (second_i == first_i));
  assign taken  = 3'd1 + 3'(own) + 3'(first) + 3'(second);
  assign left_o = size_i > 7'(taken);

endmodule : half_dead_left
