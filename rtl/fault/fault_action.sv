// SPDX-License-Identifier: Apache-2.0
//
// The action on one entry (docs/fault.md §3, §4): sets option Fp to a level, then says how accessible the entry is by
// class. Options of unheard ports count as lost, whatever their marks.
//
// Cost: about 20 gates an option and a dozen wide ORs: combinational.

module fault_action #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  // The command.
  input  logic                safe_i,
  input  logic                isolated_i,
  input  logic [1:0]          class_i,
  input  logic [5:0]          fp_i,
  input  logic [1:0]          level_i,
  input  logic [1:0]          scope_i,
  input  logic [NumPorts-1:0] unheard_i,
  // The entry.
  input  logic [1:0]          zone_i,
  input  logic                has_a_i,
  input  logic [5:0]          port_a_i,
  input  logic [NumPorts-1:0] options_b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  // The entry afterwards.
  output logic                changed_o,
  output logic [1:0]          level_a_o,
  output logic [NumPorts-1:0] lost_o,
  output logic [NumPorts-1:0] partial_o,
  output logic [1:0]          level_d_o,
  output logic [1:0]          level_s_o,
  output logic                hold_o       // class D: the accessibility stays as it was
);

  localparam logic [1:0] Full    = fault_pkg::LevelFull;
  localparam logic [1:0] Partial = fault_pkg::LevelPartial;
  localparam logic [1:0] Lost    = fault_pkg::LevelLost;
  localparam logic [1:0] Gateway = fault_pkg::LevelGateway;

  localparam logic [NumPorts-1:0] LocalPorts  = {{H{1'b0}}, {(A-1){1'b1}}, {P{1'b0}}};
  localparam logic [NumPorts-1:0] GlobalPorts = {{H{1'b1}}, {(A-1){1'b0}}, {P{1'b0}}};

  logic node, local_port, global_port;
  assign node        = class_i == fault_pkg::PortClassNode;
  assign local_port  = class_i == fault_pkg::PortClassLocal;
  assign global_port = class_i == fault_pkg::PortClassGlobal;

  // Set the option.
  logic [NumPorts-1:0] fp;
  logic                hit_a, hit_b, fp_local;
  logic [1:0]          level_b;

  assign fp       = NumPorts'(1'b1) << fp_i;
  assign fp_local = (fp & LocalPorts) != '0;
  assign hit_a    = has_a_i && (port_a_i == fp_i) && (scope_i != fault_pkg::ScopeS) &&
                    (scope_i != fault_pkg::ScopeNone);
  assign hit_b    = ((options_b_i & fp) != '0) && (scope_i != fault_pkg::ScopeNone) &&
                    ((scope_i == fault_pkg::ScopeAll) || ((scope_i == fault_pkg::ScopeD) == !node));
  assign level_b  = ((level_i != Full) && !node && fp_local) ? Lost : level_i;

  assign level_a_o = hit_a ? level_i : level_a_i;
  assign lost_o    = !hit_b ? lost_i    : level_b[1] ? (lost_i | fp)    : (lost_i & ~fp);
  assign partial_o = !hit_b ? partial_i : level_b[0] ? (partial_i | fp) : (partial_i & ~fp);
  assign changed_o = (level_a_o != level_a_i) || (lost_o != lost_i) || (partial_o != partial_i);

  // The marks as they count.
  logic [NumPorts-1:0] lost, partial;
  logic                unheard_a;
  assign lost      = lost_o | unheard_i;
  assign partial   = partial_o & ~unheard_i;
  assign unheard_a = has_a_i && ((unheard_i & (NumPorts'(1'b1) << port_a_i)) != '0);

  // Accessibility of parts of table B.
  logic [NumPorts-1:0] full_b, left_b, gateway_b;
  logic [1:0]          best_local, best_global, best_b, own_a;

  assign full_b      = options_b_i & ~lost & ~partial;
  assign left_b      = options_b_i & ~lost;
  assign gateway_b   = options_b_i & lost & partial;
  assign best_local  = ((full_b & LocalPorts) != '0)     ? Full    : ((left_b & LocalPorts) != '0)  ? Partial
                     : ((gateway_b & LocalPorts) != '0)  ? Gateway : Lost;
  assign best_global = ((full_b & GlobalPorts) != '0)    ? Full    : ((left_b & GlobalPorts) != '0) ? Partial
                     : ((gateway_b & GlobalPorts) != '0) ? Gateway : Lost;
  assign best_b      = (full_b != '0) ? Full : (left_b != '0) ? Partial : (gateway_b != '0) ? Gateway : Lost;
  assign own_a       = (has_a_i && !unheard_a) ? level_a_o : Lost;

  // Of the entry.
  logic [1:0] zone_b, zone_g_d, zone_g_s;
  logic       detours_matter, any_local, any_global, any_b;
  logic [1:0] with_local, with_b, with_global;

  assign any_local  = has_a_i || ((options_b_i & LocalPorts) != '0);
  assign any_global = has_a_i || ((options_b_i & GlobalPorts) != '0);
  assign any_b      = has_a_i || (options_b_i != '0);

  assign detours_matter = global_port && safe_i && has_a_i && (own_a != Full);
  assign zone_b   = detours_matter ? (isolated_i ? Gateway : (left_b != '0) ? Partial : Full)
                  : (has_a_i ? own_a : Full);
  fault_better u_with_local  (.one_i(own_a), .other_i(best_local),  .better_o(with_local));
  fault_better u_with_b      (.one_i(own_a), .other_i(best_b),      .better_o(with_b));
  fault_better u_with_global (.one_i(own_a), .other_i(best_global), .better_o(with_global));
  assign zone_g_d = local_port ? (any_local ? with_local : Full)
                               : (any_b     ? with_b     : Full);
  assign zone_g_s = (local_port && any_global) ? with_global : Full;

  assign level_d_o =
      node ? Full : (zone_i == fault_pkg::ZoneB) ? zone_b : (zone_i == fault_pkg::ZoneG) ? zone_g_d : Full;
  assign level_s_o = (!node && (zone_i == fault_pkg::ZoneG)) ? zone_g_s : Full;

  // While its own link is unheard nothing about the router behind it is news: the end mark will decide.
  assign hold_o = detours_matter && (zone_i == fault_pkg::ZoneB) && unheard_a && (level_a_o == Full) && !isolated_i;

endmodule : fault_action
