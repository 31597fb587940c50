// SPDX-License-Identifier: Apache-2.0
//
// Widths and encodings of the route-compute unit (DOAR §3.2, Fig. 6). They are the same at every size of the network:
// what depends on the size are module parameters (P, A, H, G, NB, AbsoluteAtReset).
//
// No functions, here and in what uses this: Verilator numbers their variables through the whole design, so that two
// instances of a module would not share their code (odonata_share in cmake/OdonataVerilate.cmake).

package route_compute_pkg;

  // Address {gid, bid, nid}: group, router in the group, node at the router.
  localparam int GidWidth  = 9;
  localparam int BidWidth  = 5;
  localparam int NidWidth  = 4;
  localparam int DestWidth = GidWidth + BidWidth + NidWidth;

  // Physical port number, and the number that means "no port".
  localparam int               PortWidth = 6;
  localparam logic [PortWidth-1:0] PortNone = 6'd63;

  // Index into a routing table: 560 entries at most.
  localparam int IndexWidth = 10;

  // A global table-A entry {own, local port, map of global ports}: the own router, or one behind the local port.
  localparam int MapWidth     = 16;
  localparam int EntryAWidth  = MapWidth + PortWidth + 1;

  // A global table-B entry {map of the own global ports, eight local ports}.
  localparam int NeighboursB  = 8;
  localparam int EntryBMapLsb = NeighboursB * PortWidth;

  // A table-C entry: six bytes {valid, 0, local port}.
  localparam int WayWidth            = 8;
  localparam int LocalPortsPerRouter = 6;
  localparam int EntryCWidth         = WayWidth * LocalPortsPerRouter;

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
  localparam int          RouterIdBidLsb       = 0;
  localparam int          RouterIdGidLsb       = 5;
  localparam int          PortClassLsb         = 0;
  localparam int          PortAbsoluteLsb      = 2;
  localparam int          ThresholdLocalLsb    = 0;
  localparam int          ThresholdGlobalLsb   = 16;
  localparam int          RuleSecondLsb        = 0;
  localparam int          RuleMinimalGlobalLsb = 1;
  localparam int          RuleMinimalLocalLsb  = 2;
  localparam int          NumCounters          = 11;
  localparam int          CounterWidth         = 32;
  /* verilator lint_on UNUSEDPARAM */
  // End of the registers.

endpackage : route_compute_pkg
