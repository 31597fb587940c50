// SPDX-License-Identifier: Apache-2.0
//
// What the action does to an entry, for all inputs, option by option (docs/fault.md §3, §4): exactly the option that
// the command names gets the level, or is lost where a local port knows nothing between; and the levels of the entry
// follow from the options as they count. `bad_o` must never be 1.

module action_miter #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic                safe_i,
  input  logic                isolated_i,
  input  logic [1:0]          class_i,
  input  logic [5:0]          fp_i,
  input  logic [1:0]          level_i,
  input  logic [1:0]          scope_i,
  input  logic [NumPorts-1:0] unheard_i,
  input  logic [1:0]          zone_i,
  input  logic                has_a_i,
  input  logic [5:0]          port_a_i,
  input  logic [NumPorts-1:0] options_b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  output logic                bad_o
);

  logic                changed, hold;
  logic [1:0]          level_a, level_d, level_s;
  logic [NumPorts-1:0] lost, partial;

  fault_action #(.P(P), .A(A), .H(H)) u_action (
    .*,
    .changed_o(changed), .level_a_o(level_a), .lost_o(lost), .partial_o(partial), .level_d_o(level_d),
    .level_s_o(level_s), .hold_o(hold)
  );

  // Places in the order of levels: 0 full, 1 partial, 2 gateway only, 3 lost; and back.
  function automatic logic [1:0] place(input logic [1:0] level);
    place = (level == 2'd0) ? 2'd0 : (level == 2'd1) ? 2'd1 : (level == 2'd3) ? 2'd2 : 2'd3;
  endfunction
  function automatic logic [1:0] level_at(input logic [1:0] rank);
    level_at = (rank == 2'd0) ? 2'd0 : (rank == 2'd1) ? 2'd1 : (rank == 2'd2) ? 2'd3 : 2'd2;
  endfunction

  logic [NumPorts-1:0] want_lost, want_partial;
  logic [1:0]          want_a, want_d, want_s, rank, counted_a, best_local, best_global, best_any;
  logic                names_a, names_b, some_local, some_global, some_any, a_unheard, detour, is_local, is_global,
                       want_hold;
  integer              k;

  always_comb begin
    // The option.
    names_a = (scope_i == 2'd0) || (scope_i == 2'd1);
    names_b = (scope_i == 2'd0) || ((scope_i == 2'd1) && (class_i != 2'd0)) || ((scope_i == 2'd2) && (class_i == 2'd0));
    want_lost    = lost_i;
    want_partial = partial_i;
    for (k = 0; k < NumPorts; k = k + 1) begin
      if (names_b && options_b_i[k] && (fp_i == 6'(k))) begin
        is_local        = (k >= P) && (k < P + A - 1);
        want_lost[k]    = (level_i == 2'd2) || (level_i == 2'd3) ||
                          ((level_i == 2'd1) && is_local && (class_i != 2'd0));
        want_partial[k] = ((level_i == 2'd1) || (level_i == 2'd3)) && !(is_local && (class_i != 2'd0));
      end
    end
    want_a = (names_a && has_a_i && (port_a_i == fp_i)) ? level_i : level_a_i;

    // The best option of each kind, as they count.
    a_unheard   = 1'b0;
    best_local  = 2'd3;
    best_global = 2'd3;
    best_any    = 2'd3;
    detour      = 1'b0;
    some_local  = has_a_i;
    some_global = has_a_i;
    some_any    = has_a_i;
    for (k = 0; k < NumPorts; k = k + 1) begin
      is_local  = (k >= P) && (k < P + A - 1);
      is_global = k >= P + A - 1;
      rank      = unheard_i[k] ? 2'd3 : place({want_lost[k], want_partial[k]});
      if (has_a_i && (port_a_i == 6'(k)) && unheard_i[k]) a_unheard = 1'b1;
      if (options_b_i[k]) begin
        some_any = 1'b1;
        if (rank < best_any) best_any = rank;
        if (rank < 2'd2) detour = 1'b1;
        if (is_local) some_local = 1'b1;
        if (is_local && (rank < best_local)) best_local = rank;
        if (is_global) some_global = 1'b1;
        if (is_global && (rank < best_global)) best_global = rank;
      end
    end
    counted_a = !has_a_i ? 2'd3 : a_unheard ? 2'd3 : place(want_a);
    if (counted_a < best_local) best_local = counted_a;
    if (counted_a < best_global) best_global = counted_a;
    if (counted_a < best_any) best_any = counted_a;

    // The entry: at node ports and in zone N always full.
    want_d    = 2'd0;
    want_s    = 2'd0;
    want_hold = 1'b0;
    if ((class_i != 2'd0) && (zone_i == 2'd1) && has_a_i) begin
      want_d = level_at(counted_a);
      if ((class_i == 2'd2) && safe_i && (counted_a != 2'd0)) begin
        want_d    = isolated_i ? 2'd3 : detour ? 2'd1 : 2'd0;
        want_hold = !isolated_i && a_unheard && (want_a == 2'd0);
      end
    end
    if ((class_i == 2'd1) && (zone_i == 2'd2)) begin
      if (some_local) want_d = level_at(best_local);
      if (some_global) want_s = level_at(best_global);
    end
    if ((class_i == 2'd2) && (zone_i == 2'd2) && some_any) want_d = level_at(best_any);
  end

  logic marks_differ, levels_differ, changed_lies;
  assign marks_differ  = (lost != want_lost) || (partial != want_partial) || (level_a != want_a);
  assign levels_differ = (!want_hold && (level_d != want_d)) || (level_s != want_s) || (hold != want_hold);
  assign changed_lies  = changed != ((lost != lost_i) || (partial != partial_i) || (level_a != level_a_i));

  assign bad_o = (class_i != 2'd3) && (zone_i != 2'd3) && (marks_differ || levels_differ || changed_lies);

endmodule : action_miter
