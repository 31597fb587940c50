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

  // Physical port number, and the number that means "no port".
  localparam int               PortWidth = 6;
  localparam logic [PortWidth-1:0] PortNone = 6'd63;

  // Index into a routing table: 560 entries at most.
  localparam int IndexWidth = 10;

  // A table-C entry: six bytes {valid, 0, local port}.
  localparam int LocalPortsPerRouter = 6;
  localparam int EntryCWidth         = 8 * LocalPortsPerRouter;

  // Zone of a destination.
  localparam logic [1:0] ZoneN       = 2'd0;
  localparam logic [1:0] ZoneB       = 2'd1;
  localparam logic [1:0] ZoneG       = 2'd2;
  localparam logic [1:0] ZoneInvalid = 2'd3;

  // Class of a port, which is also its level in the virtual-channel order.
  localparam logic [1:0] PortClassNode     = 2'd0;
  localparam logic [1:0] PortClassLocal    = 2'd1;
  localparam logic [1:0] PortClassGlobal   = 2'd2;
  localparam logic [1:0] PortClassReserved = 2'd3;

  // Hop class of a decision.
  localparam logic [2:0] HopUnroutable = 3'd0;
  localparam logic [2:0] HopGA         = 3'd1;
  localparam logic [2:0] HopGB         = 3'd2;
  localparam logic [2:0] HopGC         = 3'd3;
  localparam logic [2:0] HopGD         = 3'd4;
  localparam logic [2:0] HopLE         = 3'd5;
  localparam logic [2:0] HopLF         = 3'd6;
  localparam logic [2:0] HopFallback   = 3'd7;

  // Configuration: a 12-bit word address is {page, offset}.
  localparam int         CfgAddrWidth = 12;
  localparam logic [1:0] PageTableA   = 2'd0;  // byte address 0x0000
  localparam logic [1:0] PageTableB   = 2'd1;  // byte address 0x2000
  localparam logic [1:0] PageTableC   = 2'd2;  // byte address 0x4000
  localparam logic [1:0] PageRegister = 2'd3;  // byte address 0x6000

  localparam logic [9:0] RegId        = 10'd0;
  localparam logic [9:0] RegRouterId  = 10'd1;
  localparam logic [9:0] RegPort      = 10'd2;
  localparam logic [9:0] RegThreshold = 10'd3;
  localparam logic [9:0] RegLfsr      = 10'd4;
  localparam logic [9:0] RegSize      = 10'd5;
  localparam logic [9:0] RegCounter   = 10'd8;

  // Counters: 0 requests, 1..8 responses of hop class 0..7, 9 writes, 10 cycles in which an operation waited.
  localparam int NumCounters  = 11;
  localparam int CounterWidth = 32;

  localparam logic [63:0] IdValue              = 64'h0000_0001_4F44_5243;
  localparam logic [15:0] LfsrReset            = 16'hACE1;
  localparam logic [15:0] LocalThresholdReset  = 16'd10;
  localparam logic [15:0] GlobalThresholdReset = 16'd30;

endpackage : route_compute_pkg
