// SPDX-License-Identifier: Apache-2.0
//
// What fault_action promises for all inputs (docs/fault.md §3, §4). `bad_o` must never be 1.

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
  input  logic [1:0]          zone_i,
  input  logic                has_a_i,
  input  logic [5:0]          port_a_i,
  input  logic [NumPorts-1:0] options_b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  output logic                bad_o
);

  localparam logic [NumPorts-1:0] LocalPorts  = {{H{1'b0}}, {(A-1){1'b1}}, {P{1'b0}}};
  localparam logic [NumPorts-1:0] GlobalPorts = {{H{1'b1}}, {(A-1){1'b0}}, {P{1'b0}}};

  logic                changed, allowed;
  logic [1:0]          level_a, level_d, level_s;
  logic [NumPorts-1:0] lost, partial, fp, named;

  fault_action #(.P(P), .A(A), .H(H)) u_action (
    .*,
    .changed_o(changed), .level_a_o(level_a), .lost_o(lost), .partial_o(partial), .level_d_o(level_d), .level_s_o(level_s)
  );

  assign fp    = NumPorts'(1'b1) << fp_i;
  assign named = ~fp;
  assign allowed = (class_i != 2'd3) && (scope_i != 2'd3);

  // An option that was not named is as before; a named one has the level of the command, or is lost (a local port that is no full way).
  logic only_fp_in_b, only_fp_in_a, level_is_taken, fp_unchanged, fp_has_level, fp_is_lost, restore_only_restores, named_is_restored, changed_is_true;
  assign only_fp_in_b          = ((lost ^ lost_i) & named) == '0 && ((partial ^ partial_i) & named) == '0;
  assign only_fp_in_a          = (level_a == level_a_i) || (has_a_i && (port_a_i == fp_i));
  assign fp_unchanged          = (((lost ^ lost_i) | (partial ^ partial_i)) & fp) == '0;
  assign fp_has_level          = (((lost & fp) != '0) == level_i[1]) && (((partial & fp) != '0) == level_i[0]);
  assign fp_is_lost            = ((lost & fp) != '0) && ((partial & fp) == '0) && ((fp & LocalPorts) != '0) && (class_i != 2'd0);
  assign level_is_taken        = fp_unchanged || fp_has_level || fp_is_lost;
  assign restore_only_restores = (level_i != 2'd0) || (((lost & ~lost_i) == '0) && ((partial & ~partial_i) == '0));
  assign named_is_restored     = (level_i != 2'd0) || (scope_i != 2'd0) || ((options_b_i & fp) == '0) || (((lost | partial) & fp) == '0);
  assign changed_is_true       = changed == ((lost != lost_i) || (partial != partial_i) || (level_a != level_a_i));

  // A class is lost exactly when it had options and none is left.
  logic [NumPorts-1:0] gone;
  logic some_d, left_d, some_s, left_s, left_a, class_d_empties, class_s_empties, global_empties, node_is_silent;
  assign left_a          = has_a_i && (level_a != 2'd2);
  assign gone             = lost & ~partial;
  assign some_d          = has_a_i || ((options_b_i & LocalPorts) != '0);
  assign left_d          = left_a || ((options_b_i & LocalPorts & ~gone) != '0);
  assign some_s          = has_a_i || ((options_b_i & GlobalPorts) != '0);
  assign left_s          = left_a || ((options_b_i & GlobalPorts & ~gone) != '0);
  assign class_d_empties = (class_i != 2'd1) || (zone_i != 2'd2) || ((level_d == 2'd2) == (some_d && !left_d));
  assign class_s_empties = (class_i != 2'd1) || (zone_i != 2'd2) || ((level_s == 2'd2) == (some_s && !left_s));
  assign global_empties  = (class_i != 2'd2) || (zone_i != 2'd2) ||
                           ((level_d == 2'd2) == ((has_a_i || (options_b_i != '0)) && !left_a && ((options_b_i & ~gone) == '0)));
  assign node_is_silent  = (class_i != 2'd0) || ((level_d == 2'd0) && (level_s == 2'd0));

  assign bad_o = allowed && !(only_fp_in_b && only_fp_in_a && level_is_taken && restore_only_restores && named_is_restored && changed_is_true &&
                              class_d_empties && class_s_empties && global_empties && node_is_silent);

endmodule : action_miter
