// SPDX-License-Identifier: Apache-2.0
//
// Widths, register addresses and the CRC of the congestion plane (docs/congestion.md; DOAR §3.1, Fig. 5). They are the
// same at every size of the network: what depends on the size are module parameters (P, A, H, RingStops).

package congestion_pkg;

  // Configuration pins.
  localparam int BidWidth       = 5;
  localparam int CapacityWidth  = 9;   // packets a virtual channel
  localparam int LengthWidth    = 10;  // cycles of the history window
  localparam int ThresholdWidth = 16;  // packets
  localparam int IntervalWidth  = 8;   // cycles
  localparam int LimitWidth     = 8;   // intervals

  // Output pins of the credit monitor.
  localparam int InUseWidth     = 9;   // a virtual channel
  localparam int OccupancyWidth = 11;
  localparam int WindowWidth    = 10;

  localparam int CrcWidth = 8;

  // Configuration: 12-bit word addresses (byte address / 8).
  localparam int CfgAddrWidth = 12;

  typedef enum logic [2:0] {
    CounterTails      = 3'd0,  // frames in tail flits
    CounterIdles      = 3'd1,
    CounterStolen     = 3'd2,
    CounterGood       = 3'd3,
    CounterBad        = 3'd4,
    CounterUnderflows = 3'd5,
    CounterOverflows  = 3'd6
  } counter_e;

  // Registers, written by ./dev units from models/congestion/congestion_plane.toml.
  /* verilator lint_off UNUSEDPARAM */
  localparam logic [11:0] RegId                    = 12'h000;
  localparam logic [11:0] RegRouterId              = 12'h001;
  localparam logic [11:0] RegInterval              = 12'h002;
  localparam logic [11:0] RegWindow                = 12'h003;
  localparam logic [11:0] RegThreshold             = 12'h004;
  localparam logic [11:0] RegCapacity              = 12'h005;
  localparam logic [11:0] RegStale                 = 12'h006;
  localparam logic [11:0] RegSize                  = 12'h007;
  localparam logic [11:0] RegCounter               = 12'h008;
  localparam logic [11:0] RegNeighbour             = 12'h020;
  localparam logic [63:0] RouterIdBits             = 64'h0000_0000_0000_001F;
  localparam logic [63:0] IntervalBits             = 64'h0000_0000_0000_01FF;
  localparam logic [63:0] WindowBits               = 64'h0001_03FF_0001_03FF;
  localparam logic [63:0] ThresholdBits            = 64'hFFFF_FFFF_FFFF_FFFF;
  localparam logic [63:0] CapacityBits             = 64'h0000_0000_01FF_01FF;
  localparam logic [63:0] StaleBits                = 64'h0000_0000_0000_01FF;
  localparam logic [63:0] IdValue                  = 64'h0000_0001_4F44_4347;
  localparam logic [7:0]  IntervalCyclesReset      = 8'd10;
  localparam logic [9:0]  LocalWindowReset         = 10'd20;
  localparam logic [9:0]  GlobalWindowReset        = 10'd200;
  localparam logic [15:0] LocalThresholdReset      = 16'd10;
  localparam logic [15:0] GlobalThresholdReset     = 16'd30;
  localparam logic [15:0] LocalBusyThresholdReset  = 16'd10;
  localparam logic [15:0] GlobalBusyThresholdReset = 16'd30;
  localparam logic [8:0]  LocalCapacityReset       = 9'd32;
  localparam logic [8:0]  GlobalCapacityReset      = 9'd256;
  localparam logic [7:0]  StaleLimitReset          = 8'd8;
  localparam int          IntervalCyclesLsb        = 0;
  localparam int          IntervalAlternateLsb     = 8;
  localparam int          WindowLocalLsb           = 0;
  localparam int          WindowLocalEnableLsb     = 16;
  localparam int          WindowGlobalLsb          = 32;
  localparam int          WindowGlobalEnableLsb    = 48;
  localparam int          ThresholdLocalLsb        = 0;
  localparam int          ThresholdGlobalLsb       = 16;
  localparam int          ThresholdLocalBusyLsb    = 32;
  localparam int          ThresholdGlobalBusyLsb   = 48;
  localparam int          CapacityLocalLsb         = 0;
  localparam int          CapacityGlobalLsb        = 16;
  localparam int          StaleLimitLsb            = 0;
  localparam int          StaleEnableLsb           = 8;
  localparam int          NumCounters              = 7;
  localparam int          CounterWidth             = 32;
  /* verilator lint_on UNUSEDPARAM */
  // End of the registers.

  // CRC-8 (x^8 + x^2 + x + 1, start value 0xFC) of the 22 bits {phase, bid, bitmap}, most significant bit first. The
  // code is linear: every CRC bit is the parity of some message bits, and the start value contributes a constant.
  // tb/congestion/formal proves it equal to the serial form.
  function automatic logic [7:0] crc8(input logic phase, input logic [4:0] bid, input logic [15:0] bits);
    logic [21:0] message;
    message = {phase, bid, bits};
    crc8 = {^(message & 22'h16A8E0), ^(message & 22'h2B5470), ^(message & 22'h15AA38), ^(message & 22'h0AD51C),
            ^(message & 22'h056A8E), ^(message & 22'h02B547), ^(message & 22'h37F243), ^(message & 22'h2D51C1)} ^ 8'hA6;
  endfunction

endpackage : congestion_pkg
