// SPDX-License-Identifier: Apache-2.0
//
// What fault_action promises for all inputs (docs/fault.md §3, §4), proved by yosys `sat` at the tiny and the full width.

module action_properties #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  input logic                safe_i,
  input logic                isolated_i,
  input logic [1:0]          class_i,
  input logic [5:0]          fp_i,
  input logic [1:0]          level_i,
  input logic [1:0]          scope_i,
  input logic [1:0]          zone_i,
  input logic                has_a_i,
  input logic [5:0]          port_a_i,
  input logic [NumPorts-1:0] options_b_i,
  input logic [1:0]          level_a_i,
  input logic [NumPorts-1:0] lost_i,
  input logic [NumPorts-1:0] partial_i
);

  localparam logic [NumPorts-1:0] GlobalPorts = {{H{1'b1}}, {(A-1){1'b0}}, {P{1'b0}}};

  logic                changed;
  logic [1:0]          level_a, level_d, level_s;
  logic [NumPorts-1:0] lost, partial, fp, named;

  fault_action #(.P(P), .A(A), .H(H)) u_action (
    .*,
    .changed_o(changed), .level_a_o(level_a), .lost_o(lost), .partial_o(partial), .level_d_o(level_d), .level_s_o(level_s)
  );

  assign fp    = NumPorts'(1'b1) << fp_i;
  assign named = ~fp;

  always_comb begin
    assume (level_i != 2'd3);
    assume (level_a_i != 2'd3);
    assume (class_i != 2'd3);
    assume (scope_i != 2'd3);
    assume ((lost_i & partial_i) == '0);

    // An entry never loses, or gets back, an option that was not named.
    only_fp_in_b: assert (((lost ^ lost_i) & named) == '0 && ((partial ^ partial_i) & named) == '0);
    only_fp_in_a: assert ((level_a == level_a_i) || (has_a_i && (port_a_i == fp_i)));
    marks_disjoint: assert ((lost & partial) == '0);
    // Restoring only restores; a diagnosis never improves to full.
    restore_only_restores: assert ((level_i != 2'd0) || (((lost & ~lost_i) == '0) && ((partial & ~partial_i) == '0)));
    named_option_is_restored: assert ((level_i != 2'd0) || (scope_i != 2'd0) || ((options_b_i & fp) == '0) || (((lost | partial) & fp) == '0));
    changed_is_true: assert (changed == ((lost != lost_i) || (partial != partial_i) || (level_a != level_a_i)));
    // A class is lost exactly when it has options and none is left.
    class_s_empties: assert (!((class_i == 2'd1) && (zone_i == 2'd2)) ||
      ((level_s == 2'd2) == ((has_a_i || ((options_b_i & GlobalPorts) != '0)) && !(has_a_i && (level_a != 2'd2)) &&
                             ((options_b_i & GlobalPorts & ~lost) == '0))));
    global_port_empties: assert (!((class_i == 2'd2) && (zone_i == 2'd2)) ||
      ((level_d == 2'd2) == ((has_a_i || (options_b_i != '0)) && !(has_a_i && (level_a != 2'd2)) && ((options_b_i & ~lost) == '0))));
    node_port_is_silent: assert ((class_i != 2'd0) || ((level_d == 2'd0) && (level_s == 2'd0)));
  end

endmodule : action_properties
