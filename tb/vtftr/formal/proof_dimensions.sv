// SPDX-License-Identifier: Apache-2.0
//
// Proofs of the rules for K dimensions (docs/vtftr.md §8.2).

// The local half of freedom from deadlock, whatever the tables say: {channel, dimension, down} rises. A packet goes on,
// arrives or is dropped, one of the three; never above the last channel, never where there is no uplink.
module proof_dimensions_rank #(
  parameter int K = 3
) (
  input  logic [2:0]   from_i,
  input  logic [1:0]   vc_i,
  input  logic [1:0]   last_vc_i,
  input  logic         known_i,
  input  logic [K-1:0] differs_i,
  input  logic [K-1:0] own_i,
  input  logic [K-1:0] next_i,
  input  logic [K-1:0] full_i,
  output logic         bad_o
);

  logic       eject, drop, around, goes, inside;
  logic [1:0] dimension, vc, from;
  logic [5:0] held, wanted;
  logic [3:0] own;

  vtftr_dimensions_rules #(.K(K)) u_rules (
    .from_i, .vc_i, .last_vc_i, .known_i, .differs_i, .own_i, .next_i, .full_i,
    .eject_o(eject), .drop_o(drop), .dimension_o(dimension), .around_o(around), .vc_o(vc)
  );

  assign goes   = !eject && !drop;
  assign from   = 2'(from_i - 3'd1);
  // {vc, dimension, down} + 1; 0: none.
  assign held   = (from_i == 3'd0) ? 6'd0 : ({1'b0, vc_i, from, 1'b1} + 6'd1);
  assign wanted = {1'b0, vc, dimension, 1'b0} + 6'd1;
  assign own    = 4'(own_i);
  assign inside = (from_i <= 3'(K)) && (vc_i <= last_vc_i);
  assign bad_o  = inside && ((goes && ((wanted <= held) || (vc > last_vc_i) || !own[dimension])) || (eject && drop)
                             || (!goes && (around || (dimension != 2'd0) || (vc != 2'd0))));

endmodule : proof_dimensions_rank

// Who is served: up to `Faults` dead leaves anywhere in S leaves a dimension, which all tables know; any packet, any
// picks. It arrives after four routings at most.
module proof_dimensions_way #(
  parameter  int K      = 3,
  parameter  int S      = 3,  // leaves of a line
  parameter  int Faults = 3,
  parameter  int LastVc = 2,
  localparam int PW     = 7 * K
) (
  input  logic [PW-1:0]        from_i,
  input  logic [PW-1:0]        to_i,
  input  logic [Faults*PW-1:0] fault_i,
  input  logic [Faults-1:0]    there_i,
  input  logic [27:0]          pick_i,  // of the roots on the way
  output logic                 bad_o
);

  logic [PW-1:0] at_1, at_2, at_3, at_4;
  logic [2:0]    class_1, class_2, class_3;
  logic [1:0]    vc_1, vc_2, vc_3;
  logic [3:0]    eject, lost, legal, busy;
  logic          inside, live;

  dimensions_step #(.K(K), .S(S), .Faults(Faults), .LastVc(LastVc)) u_step_0 (
    .at_i(from_i), .class_i(3'd0), .vc_i(2'd0), .to_i, .fault_i, .there_i, .pick_i(pick_i[6:0]),
    .eject_o(eject[0]), .lost_o(lost[0]), .legal_o(legal[0]), .at_o(at_1), .class_o(class_1), .vc_o(vc_1)
  );
  dimensions_step #(.K(K), .S(S), .Faults(Faults), .LastVc(LastVc)) u_step_1 (
    .at_i(at_1), .class_i(class_1), .vc_i(vc_1), .to_i, .fault_i, .there_i, .pick_i(pick_i[13:7]),
    .eject_o(eject[1]), .lost_o(lost[1]), .legal_o(legal[1]), .at_o(at_2), .class_o(class_2), .vc_o(vc_2)
  );
  dimensions_step #(.K(K), .S(S), .Faults(Faults), .LastVc(LastVc)) u_step_2 (
    .at_i(at_2), .class_i(class_2), .vc_i(vc_2), .to_i, .fault_i, .there_i, .pick_i(pick_i[20:14]),
    .eject_o(eject[2]), .lost_o(lost[2]), .legal_o(legal[2]), .at_o(at_3), .class_o(class_3), .vc_o(vc_3)
  );
  dimensions_step #(.K(K), .S(S), .Faults(Faults), .LastVc(LastVc)) u_step_3 (
    .at_i(at_3), .class_i(class_3), .vc_i(vc_3), .to_i, .fault_i, .there_i, .pick_i(pick_i[27:21]),
    .eject_o(eject[3]), .lost_o(lost[3]), .legal_o(legal[3]), .at_o(at_4), .class_o(), .vc_o()
  );

  // Under way before the step k.
  assign busy[0] = !eject[0];
  assign busy[1] = busy[0] && !eject[1];
  assign busy[2] = busy[1] && !eject[2];
  assign busy[3] = busy[2] && !eject[3];

  integer i, f;
  always_comb begin
    inside = 1'b1;
    live   = 1'b1;
    for (i = 0; i < K; i = i + 1) begin
      if ((8'(from_i[7*i+:7]) >= 8'(S)) || (8'(to_i[7*i+:7]) >= 8'(S))) inside = 1'b0;
      for (f = 0; f < Faults; f = f + 1) begin
        if (8'(fault_i[PW*f+7*i+:7]) >= 8'(S)) inside = 1'b0;
      end
    end
    for (f = 0; f < Faults; f = f + 1) begin
      if (there_i[f] && ((fault_i[PW*f+:PW] == from_i) || (fault_i[PW*f+:PW] == to_i))) live = 1'b0;
    end
  end

  assign bad_o = inside && live && ((~busy | lost | legal) == 4'hF) &&
                 (((busy & lost) != 4'd0) || (busy[3] && (at_4 != to_i)));

endmodule : proof_dimensions_way

// A routing: a leaf by the rules, and the root that it goes to (docs/vtftr.md §2.3, mode safe, bounces excluded).
module dimensions_step #(
  parameter  int K      = 3,
  parameter  int S      = 3,
  parameter  int Faults = 3,
  parameter  int LastVc = 2,
  localparam int PW     = 7 * K
) (
  input  logic [PW-1:0]        at_i,
  input  logic [2:0]           class_i,
  input  logic [1:0]           vc_i,
  input  logic [PW-1:0]        to_i,
  input  logic [Faults*PW-1:0] fault_i,
  input  logic [Faults-1:0]    there_i,
  input  logic [6:0]           pick_i,
  output logic                 eject_o,
  output logic                 lost_o,
  output logic                 legal_o,  // the root may pick this
  output logic [PW-1:0]        at_o,
  output logic [2:0]           class_o,
  output logic [1:0]           vc_o
);

  logic [K-1:0] differs, next, full;
  logic         drop, around;
  logic [1:0]   dimension;

  // Of each dimension: the leaf at the destination's coordinate, and the lines across with a fault.
  for (genvar d = 0; d < K; d = d + 1) begin : gen_dimension
    logic [PW-1:0] beside;
    logic          dead, left;
    always_comb begin
      beside         = at_i;
      beside[7*d+:7] = to_i[7*d+:7];
    end
    dimensions_dead #(.K(K), .Faults(Faults)) u_beside (.at_i(beside), .fault_i, .there_i, .dead_o(dead));
    dimensions_left #(.K(K), .S(S), .Faults(Faults), .D(d)) u_full (
      .fault_i, .has_i(there_i), .use_i(1'b0), .target_i('0), .in_i('0), .left_o(left)
    );
    assign differs[d] = (at_i[7*d+:7] != to_i[7*d+:7]);
    assign next[d]    = !dead;
    assign full[d]    = !left;
  end

  vtftr_dimensions_rules #(.K(K)) u_rules (
    .from_i(class_i), .vc_i, .last_vc_i(2'(LastVc)), .known_i(1'b1), .differs_i(differs), .own_i({K{1'b1}}),
    .next_i(next), .full_i(full), .eject_o(eject_o), .drop_o(drop), .dimension_o(dimension), .around_o(around),
    .vc_o(vc_o)
  );

  // The root of each dimension; the one that the leaf asks for counts.
  logic [K-1:0]    lost, legal;
  logic [K*PW-1:0] to;
  for (genvar d = 0; d < K; d = d + 1) begin : gen_root
    dimensions_root #(.K(K), .S(S), .Faults(Faults), .D(d)) u_root (
      .at_i, .to_i, .fault_i, .there_i, .pick_i, .around_i(around), .last_vc_i(vc_o == 2'(LastVc)),
      .lost_o(lost[d]), .legal_o(legal[d]), .at_o(to[PW*d+:PW])
    );
  end

  integer i;
  always_comb begin
    lost_o  = drop;
    legal_o = 1'b0;
    at_o    = at_i;
    for (i = 0; i < K; i = i + 1) begin
      if (!eject_o && !drop && (dimension == 2'(i))) begin
        lost_o  = lost[i];
        legal_o = legal[i];
        at_o    = to[PW*i+:PW];
      end
    end
  end
  assign class_o = {1'b0, dimension} + 3'd1;

endmodule : dimensions_step

module dimensions_root #(
  parameter  int K      = 3,
  parameter  int S      = 3,
  parameter  int Faults = 3,
  parameter  int D      = 0,
  localparam int PW     = 7 * K
) (
  input  logic [PW-1:0]        at_i,
  input  logic [PW-1:0]        to_i,
  input  logic [Faults*PW-1:0] fault_i,
  input  logic [Faults-1:0]    there_i,
  input  logic [6:0]           pick_i,
  input  logic                 around_i,
  input  logic                 last_vc_i,
  output logic                 lost_o,
  output logic                 legal_o,
  output logic [PW-1:0]        at_o
);

  logic [PW-1:0]     straight, picked, others;
  logic [Faults-1:0] line;
  logic [6:0]        target, in;
  logic              down, dead, direct, last, masked, unmasked_left, live_left, live;

  assign target = to_i[7*D+:7];
  assign in     = at_i[7*D+:7];

  integer f;
  always_comb begin
    others         = {PW{1'b1}};
    others[7*D+:7] = '0;
    straight       = (at_i & others) | (to_i & ~others);
    picked         = at_i & others;
    picked[7*D+:7] = pick_i;
    masked         = 1'b0;
    for (f = 0; f < Faults; f = f + 1) begin
      line[f] = there_i[f] && (((fault_i[PW*f+:PW] ^ at_i) & others) == '0);
      if (there_i[f] && (fault_i[PW*f+7*D+:7] == pick_i)) masked = 1'b1;
    end
  end

  dimensions_dead #(.K(K), .Faults(Faults)) u_straight (.at_i(straight), .fault_i, .there_i, .dead_o(down));
  dimensions_dead #(.K(K), .Faults(Faults)) u_picked (.at_i(picked), .fault_i, .there_i, .dead_o(dead));
  dimensions_left #(.K(K), .S(S), .Faults(Faults), .D(D)) u_unmasked (
    .fault_i, .has_i(there_i), .use_i(1'b1), .target_i(target), .in_i(in), .left_o(unmasked_left)
  );
  dimensions_left #(.K(K), .S(S), .Faults(Faults), .D(D)) u_live (
    .fault_i, .has_i(line), .use_i(1'b1), .target_i(target), .in_i(in), .left_o(live_left)
  );

  assign direct  = !around_i && !down;
  assign last    = ((at_i ^ to_i) & others) == '0;
  assign live    = (8'(pick_i) < 8'(S)) && !dead && (pick_i != target) && (pick_i != in);
  assign lost_o  = !direct && ((!around_i && last) || last_vc_i);
  assign legal_o = direct || (!live_left && (pick_i == in)) || (live && (!masked || !unmasked_left));
  assign at_o    = direct ? straight : picked;

endmodule : dimensions_root

module dimensions_dead #(
  parameter  int K      = 3,
  parameter  int Faults = 3,
  localparam int PW     = 7 * K
) (
  input  logic [PW-1:0]        at_i,
  input  logic [Faults*PW-1:0] fault_i,
  input  logic [Faults-1:0]    there_i,
  output logic                 dead_o
);

  integer f;
  always_comb begin
    dead_o = 1'b0;
    for (f = 0; f < Faults; f = f + 1) begin
      if (there_i[f] && (fault_i[PW*f+:PW] == at_i)) dead_o = 1'b1;
    end
  end

endmodule : dimensions_dead

// Is a coordinate of dimension D left beside those of the faults that count and, with use_i, the target and the port
// that the packet comes from?
module dimensions_left #(
  parameter  int K      = 3,
  parameter  int S      = 3,
  parameter  int Faults = 3,
  parameter  int D      = 0,
  localparam int PW     = 7 * K
) (
  input  logic [Faults*PW-1:0] fault_i,
  input  logic [Faults-1:0]    has_i,
  input  logic                 use_i,
  input  logic [6:0]           target_i,
  input  logic [6:0]           in_i,
  output logic                 left_o
);

  logic [6:0] here;
  logic       fresh;
  logic [7:0] taken;

  integer f, g;
  always_comb begin
    taken = use_i ? ((target_i == in_i) ? 8'd1 : 8'd2) : 8'd0;
    for (f = 0; f < Faults; f = f + 1) begin
      here  = fault_i[PW*f+7*D+:7];
      fresh = has_i[f] && !(use_i && ((here == target_i) || (here == in_i)));
      for (g = 0; g < f; g = g + 1) begin
        if (has_i[g] && (fault_i[PW*g+7*D+:7] == here)) fresh = 1'b0;
      end
      if (fresh) taken = taken + 8'd1;
    end
  end
  assign left_o = taken < 8'(S);

endmodule : dimensions_left
