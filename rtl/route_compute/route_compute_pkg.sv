// SPDX-License-Identifier: Apache-2.0
//
// Widths and encodings of the route-compute unit (DOAR §3.2, Fig. 6). They are the same at every size of the network:
// what depends on the size are module parameters (P, A, H, G, NB, AbsoluteAtReset).

package route_compute_pkg;

  // Address {gid, bid, nid}: group, router in the group, node at the router.
  localparam int GidWidth  = 9;
  localparam int BidWidth  = 5;
  localparam int NidWidth  = 4;
  localparam int DestWidth = GidWidth + BidWidth + NidWidth;

  // A field function looks at its field only.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [GidWidth-1:0] dest_gid(input logic [DestWidth-1:0] dest);
    dest_gid = dest[BidWidth+NidWidth +: GidWidth];
  endfunction
  function automatic logic [BidWidth-1:0] dest_bid(input logic [DestWidth-1:0] dest);
    dest_bid = dest[NidWidth +: BidWidth];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // Physical port number, and the number that means "no port".
  localparam int               PortWidth = 6;
  localparam logic [PortWidth-1:0] PortNone = 6'd63;

  // Index into a routing table: 560 entries at most.
  localparam int IndexWidth = 10;

  // A global table-A entry {own, local port, map of global ports}: the own router, or one behind the local port.
  localparam int MapWidth     = 16;
  localparam int EntryAWidth  = MapWidth + PortWidth + 1;

  // A global table-B entry {map of the own global ports, eight local ports}.
  localparam int NeighboursB = 8;

  // A table-C entry: six bytes {valid, 0, local port}.
  localparam int WayWidth            = 8;
  localparam int LocalPortsPerRouter = 6;
  localparam int EntryCWidth         = WayWidth * LocalPortsPerRouter;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [MapWidth-1:0] entry_a_map(input logic [EntryAWidth-1:0] entry);
    entry_a_map = entry[MapWidth-1:0];
  endfunction
  function automatic logic [PortWidth-1:0] entry_a_port(input logic [EntryAWidth-1:0] entry);
    entry_a_port = entry[MapWidth +: PortWidth];
  endfunction
  function automatic logic entry_a_own(input logic [EntryAWidth-1:0] entry);
    entry_a_own = entry[MapWidth + PortWidth];
  endfunction
  function automatic logic [MapWidth-1:0] entry_b_map(input logic [63:0] entry);
    entry_b_map = entry[NeighboursB*PortWidth +: MapWidth];
  endfunction
  function automatic logic way_valid(input logic [WayWidth-1:0] way);
    way_valid = way[WayWidth-1];
  endfunction
  function automatic logic way_zero(input logic [WayWidth-1:0] way);
    way_zero = way[PortWidth];
  endfunction
  function automatic logic [PortWidth-1:0] way_port(input logic [WayWidth-1:0] way);
    way_port = way[PortWidth-1:0];
  endfunction

  // Fractions for the picks: the bytes of the random number.
  function automatic logic [7:0] fraction_low(input logic [15:0] random);
    fraction_low = random[7:0];
  endfunction
  function automatic logic [7:0] fraction_high(input logic [15:0] random);
    fraction_high = random[15:8];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // The enums name constants; signals are plain vectors, because iverilog 11 takes no variable of a package's type.

  // Zone of a destination.
  typedef enum logic [1:0] {ZoneN = 2'd0, ZoneB = 2'd1, ZoneG = 2'd2, ZoneInvalid = 2'd3} zone_e;

  // Class of a port, which is also its level in the virtual-channel order.
  typedef enum logic [1:0] {PortClassNode = 2'd0, PortClassLocal = 2'd1, PortClassGlobal = 2'd2,
                            PortClassReserved = 2'd3} port_class_e;

  // Hop class of a decision.
  typedef enum logic [2:0] {
    HopUnroutable = 3'd0,
    HopGA         = 3'd1,
    HopGB         = 3'd2,
    HopGC         = 3'd3,
    HopGD         = 3'd4,
    HopLE         = 3'd5,
    HopLF         = 3'd6,
    HopFallback   = 3'd7
  } hop_class_e;

  // Configuration: a 12-bit word address is {page, offset}.
  localparam int CfgAddrWidth = 12;

  typedef enum logic [1:0] {
    PageTableA   = 2'd0,  // byte address 0x0000
    PageTableB   = 2'd1,  // byte address 0x2000
    PageTableC   = 2'd2,  // byte address 0x4000
    PageRegister = 2'd3   // byte address 0x6000
  } page_e;

  // Counters: 0 requests, 1..8 responses of hop class 0..7, 9 writes, 10 cycles in which an operation waited.

  // Registers, written by ./dev units from models/route_compute/route_compute.toml.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */
  localparam logic [9:0]  RegId                = 10'h000;
  localparam logic [9:0]  RegRouterId          = 10'h001;
  localparam logic [9:0]  RegPort              = 10'h002;
  localparam logic [9:0]  RegThreshold         = 10'h003;
  localparam logic [9:0]  RegLfsr              = 10'h004;
  localparam logic [9:0]  RegSize              = 10'h005;
  localparam logic [9:0]  RegRule              = 10'h006;
  localparam logic [9:0]  RegCounter           = 10'h008;
  localparam logic [63:0] RouterIdBits         = 64'h0000_0000_0000_3FFF;
  localparam logic [63:0] PortBits             = 64'h0000_0000_0000_0007;
  localparam logic [63:0] ThresholdBits        = 64'h0000_0000_FFFF_FFFF;
  localparam logic [63:0] LfsrBits             = 64'h0000_0000_0000_FFFF;
  localparam logic [63:0] RuleBits             = 64'h0000_0000_0000_0007;
  localparam logic [63:0] IdValue              = 64'h0000_0001_4F44_5243;
  localparam logic [15:0] LocalThresholdReset  = 16'd10;
  localparam logic [15:0] GlobalThresholdReset = 16'd30;
  localparam logic [15:0] LfsrReset            = 16'd44257;
  localparam int          NumCounters          = 11;
  localparam int          CounterWidth         = 32;
  function automatic logic [4:0] router_id_bid(input logic [63:0] word);
    router_id_bid = word[4:0];
  endfunction
  function automatic logic [8:0] router_id_gid(input logic [63:0] word);
    router_id_gid = word[13:5];
  endfunction
  function automatic logic [1:0] port_class(input logic [63:0] word);
    port_class = word[1:0];
  endfunction
  function automatic logic port_absolute(input logic [63:0] word);
    port_absolute = word[2];
  endfunction
  function automatic logic [15:0] threshold_local(input logic [63:0] word);
    threshold_local = word[15:0];
  endfunction
  function automatic logic [15:0] threshold_global(input logic [63:0] word);
    threshold_global = word[31:16];
  endfunction
  function automatic logic rule_second(input logic [63:0] word);
    rule_second = word[0];
  endfunction
  function automatic logic rule_minimal_global(input logic [63:0] word);
    rule_minimal_global = word[1];
  endfunction
  function automatic logic rule_minimal_local(input logic [63:0] word);
    rule_minimal_local = word[2];
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_on UNUSEDPARAM */
  // End of the registers.

endpackage : route_compute_pkg
