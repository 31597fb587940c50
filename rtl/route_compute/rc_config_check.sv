// SPDX-License-Identifier: Apache-2.0
//
// What a configuration operation aims at, and whether it is refused. See the register map in docs/route_compute.md,
// section 4.
//
// Refused are: an address without a word, a write to a read-only word, a value with an undefined bit or out of its
// range, and a reserved encoding in a table entry. A global entry (zone G of tables A and B) is judged as such only at
// a node port.
//
// Cost: range checks of 15 port numbers and of the address: combinational.

module rc_config_check #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int G  = 512,
  parameter int NB = 8
) (
  input  logic [route_compute_pkg::CfgAddrWidth-1:0] addr_i,
  input  logic                                       write_i,
  input  logic [63:0]                                wdata_i,
  input  logic [1:0]                                 port_class_i,
  output logic                                       table_a_o,  // the target; none of them: another word, or refused
  output logic                                       table_b_o,
  output logic                                       table_c_o,
  output logic                                       identity_o,  // ROUTER_ID or PORT
  output logic                                       rule_o,
  output logic                                       lfsr_o,
  output logic                                       refused_o
);

  localparam int NumPorts = P + A - 1 + H;

  // The upper bits of a table word that no port owns.
  localparam logic [63:0] NoPortMask   = {64{1'b1}} << NumPorts;
  localparam logic [15:0] NoGlobalMask = {16{1'b1}} << H;

  localparam int PortWidth = route_compute_pkg::PortWidth;
  localparam int WayWidth  = route_compute_pkg::WayWidth;
  localparam int Ways      = route_compute_pkg::LocalPortsPerRouter;

  logic [1:0] page;
  logic [9:0] offset;

  assign {page, offset} = addr_i;

  logic global_entries;
  logic default_ok, global_a_ok, global_b_ok, entry_c_ok;
  logic value_ok;
  logic exists;

  assign global_entries = (port_class_i == route_compute_pkg::PortClassNode);

  assign default_ok = (wdata_i & NoPortMask) == '0;

  logic                 unused_own, port_a_local;
  logic [PortWidth-1:0] port_a;
  logic [15:0]          map_a;
  assign {unused_own, port_a, map_a} = route_compute_pkg::EntryAWidth'(wdata_i);
  rc_is_local #(.P(P), .A(A)) u_port_a (.port_i(port_a), .local_o(port_a_local));
  assign global_a_ok = ((map_a & NoGlobalMask) == '0) && ((wdata_i >> route_compute_pkg::EntryAWidth) == '0) &&
                       (port_a_local || (port_a == route_compute_pkg::PortNone));

  logic [route_compute_pkg::NeighboursB-1:0] lpc_ok;
  for (genvar k = 0; k < route_compute_pkg::NeighboursB; k = k + 1) begin : gen_lpc
    logic [PortWidth-1:0] port;
    assign port = wdata_i[PortWidth*k +: PortWidth];
    if (k < NB) begin : gen_used
      logic port_local;
      rc_is_local #(.P(P), .A(A)) u_port (.port_i(port), .local_o(port_local));
      assign lpc_ok[k] = port_local || (port == route_compute_pkg::PortNone);
    end else begin : gen_none
      assign lpc_ok[k] = (port == route_compute_pkg::PortNone);
    end
  end
  assign global_b_ok = ((wdata_i[route_compute_pkg::EntryBMapLsb +: 16] & NoGlobalMask) == '0) && (lpc_ok == '1);

  logic [Ways-1:0] way_ok;
  for (genvar k = 0; k < Ways; k = k + 1) begin : gen_way
    logic [WayWidth-1:0]  way;
    logic                 valid, zero, port_local;
    logic [PortWidth-1:0] port;
    assign way = wdata_i[WayWidth*k +: WayWidth];
    assign {valid, zero, port} = way;
    rc_is_local #(.P(P), .A(A)) u_port (.port_i(port), .local_o(port_local));
    assign way_ok[k] = valid ? (!zero && port_local) : (way == '0);
  end
  assign entry_c_ok = (way_ok == '1) && ((wdata_i >> route_compute_pkg::EntryCWidth) == '0);

  logic router_id_ok, port_ok, threshold_ok, lfsr_ok, rule_ok;

  assign router_id_ok = ((wdata_i & ~route_compute_pkg::RouterIdBits) == '0) &&
                        ({1'b0, wdata_i[route_compute_pkg::RouterIdBidLsb +: route_compute_pkg::BidWidth]} < 6'(A)) &&
                        ({1'b0, wdata_i[route_compute_pkg::RouterIdGidLsb +: route_compute_pkg::GidWidth]} < 10'(G));
  assign port_ok      = ((wdata_i & ~route_compute_pkg::PortBits) == '0) &&
                        (wdata_i[route_compute_pkg::PortClassLsb +: 2] != route_compute_pkg::PortClassReserved);
  assign threshold_ok = (wdata_i & ~route_compute_pkg::ThresholdBits) == '0;
  assign rule_ok      = (wdata_i & ~route_compute_pkg::RuleBits) == '0;
  assign lfsr_ok      = ((wdata_i & ~route_compute_pkg::LfsrBits) == '0) && (wdata_i != '0);

  logic register_exists, register_ok;

  assign register_exists = (offset <= route_compute_pkg::RegRule) ||
                           ((offset >= route_compute_pkg::RegCounter) &&
                            (offset < (route_compute_pkg::RegCounter + 10'(route_compute_pkg::NumCounters))));

  always_comb begin
    case (offset)
      route_compute_pkg::RegRouterId:  register_ok = router_id_ok;
      route_compute_pkg::RegPort:      register_ok = port_ok;
      route_compute_pkg::RegThreshold: register_ok = threshold_ok;
      route_compute_pkg::RegLfsr:      register_ok = lfsr_ok;
      route_compute_pkg::RegRule:      register_ok = rule_ok;
      default:                         register_ok = 1'b0;  // read-only, or nothing there
    endcase
  end

  always_comb begin
    case (page)
      route_compute_pkg::PageTableA: begin
        exists   = offset < 10'(P + A + G);
        value_ok = (global_entries && (offset >= 10'(P + A))) ? global_a_ok : default_ok;
      end
      route_compute_pkg::PageTableB: begin
        exists   = offset < 10'(A + G);
        value_ok = (global_entries && (offset >= 10'(A))) ? global_b_ok : default_ok;
      end
      route_compute_pkg::PageTableC: begin
        exists   = offset < 10'(A);
        value_ok = entry_c_ok;
      end
      default: begin
        exists   = register_exists;
        value_ok = register_ok;
      end
    endcase
  end

  assign refused_o = !exists || (write_i && !value_ok);

  assign table_a_o  = (page == route_compute_pkg::PageTableA);
  assign table_b_o  = (page == route_compute_pkg::PageTableB);
  assign table_c_o  = (page == route_compute_pkg::PageTableC);
  assign identity_o = (page == route_compute_pkg::PageRegister) &&
                      ((offset == route_compute_pkg::RegRouterId) || (offset == route_compute_pkg::RegPort));
  assign rule_o     = (page == route_compute_pkg::PageRegister) && (offset == route_compute_pkg::RegRule);
  assign lfsr_o     = (page == route_compute_pkg::PageRegister) && (offset == route_compute_pkg::RegLfsr);

endmodule : rc_config_check
