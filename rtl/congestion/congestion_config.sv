// SPDX-License-Identifier: Apache-2.0
//
// Configuration registers and event counters of a router's congestion plane.
//
// One operation a cycle: taken into c0, executed and checked at the next edge, acknowledged one edge later. It never
// waits. A refused write changes nothing. Counters wrap at 32 bits; a pulse is counted one edge after it appeared on
// its pins. Meaning: docs/congestion.md §6.
//
// Cost: about 220 + 5 * (A-1) flip-flops of configuration, 224 of counters, 150 of operation and acknowledgement, a
// read multiplexer of 14 + A-1 words.

module congestion_config #(
  parameter  int P           = 16,
  parameter  int A           = 32,
  parameter  int H           = 16,
  parameter  int RingStops   = 63,
  parameter  int MaxCapacity = 256,
  parameter  int MaxWindow   = 512,
  parameter  int NumPulses   = 188,  // underflow (and overflow) pulses: monitors * virtual channels
  localparam int LocalPorts  = A - 1
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  // Operations
  input  logic                                           cfg_valid_i,
  output logic                                           cfg_ready_o,
  input  logic                                           cfg_write_i,
  input  logic [congestion_pkg::CfgAddrWidth-1:0]        cfg_addr_i,
  input  logic [63:0]                                    cfg_wdata_i,
  output logic                                           cfg_ack_o,
  output logic                                           cfg_err_o,
  output logic [63:0]                                    cfg_rdata_o,
  // Events
  input  logic [LocalPorts-1:0]                          frame_valid_i,
  input  logic [LocalPorts-1:0]                          frame_idle_i,
  input  logic [LocalPorts-1:0]                          frame_stolen_i,
  input  logic [LocalPorts-1:0]                          good_i,
  input  logic [LocalPorts-1:0]                          bad_i,
  input  logic [NumPulses-1:0]                           underflow_i,
  input  logic [NumPulses-1:0]                           overflow_i,
  // Configuration
  output logic [congestion_pkg::BidWidth-1:0]            own_bid_o,
  output logic [congestion_pkg::IntervalWidth-1:0]       interval_o,
  output logic                                           alternate_o,
  output logic [congestion_pkg::LengthWidth-1:0]         local_window_o,
  output logic [congestion_pkg::LengthWidth-1:0]         global_window_o,
  output logic                                           local_enable_o,
  output logic                                           global_enable_o,
  output logic [congestion_pkg::ThresholdWidth-1:0]      local_threshold_o,
  output logic [congestion_pkg::ThresholdWidth-1:0]      global_threshold_o,
  output logic [congestion_pkg::ThresholdWidth-1:0]      local_busy_threshold_o,
  output logic [congestion_pkg::ThresholdWidth-1:0]      global_busy_threshold_o,
  output logic [congestion_pkg::CapacityWidth-1:0]       local_capacity_o,
  output logic [congestion_pkg::CapacityWidth-1:0]       global_capacity_o,
  output logic [congestion_pkg::LimitWidth-1:0]          stale_limit_o,
  output logic                                           stale_enable_o,
  output logic [LocalPorts*congestion_pkg::BidWidth-1:0] neighbour_o
);

  localparam int CounterWidth = congestion_pkg::CounterWidth;
  localparam int NumCounters  = congestion_pkg::NumCounters;
  localparam int AddrWidth    = congestion_pkg::CfgAddrWidth;
  localparam int BidWidth     = congestion_pkg::BidWidth;

  // ---- c0: the operation at hand ----

  logic                 c0_valid_q, c0_write_q;
  logic [AddrWidth-1:0] c0_addr_q;
  logic [63:0]          data;  // of c0

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c0_valid_q <= 1'b0;
    end else begin
      c0_valid_q <= cfg_valid_i;
      if (cfg_valid_i) begin
        c0_write_q <= cfg_write_i;
        c0_addr_q  <= cfg_addr_i;
        data       <= cfg_wdata_i;
      end
    end
  end

  assign cfg_ready_o = 1'b1;

  // ---- Is it allowed? ----

  logic                 at_counter, at_neighbour, read_ok, write_ok, refused, write;
  logic [4:0]           neighbour_index;
  logic [2:0]           counter_index;
  logic                 bid_ok, interval_ok, window_ok, capacity_ok, stale_ok;

  assign at_counter      = (c0_addr_q >= congestion_pkg::RegCounter) &&
                           (c0_addr_q < congestion_pkg::RegCounter + AddrWidth'(NumCounters));
  assign at_neighbour    = (c0_addr_q >= congestion_pkg::RegNeighbour) &&
                           (c0_addr_q < congestion_pkg::RegNeighbour + AddrWidth'(LocalPorts));
  assign neighbour_index = 5'(c0_addr_q - congestion_pkg::RegNeighbour);
  assign counter_index   = 3'(c0_addr_q - congestion_pkg::RegCounter);
  assign read_ok         = (c0_addr_q < congestion_pkg::RegCounter) || at_counter || at_neighbour;

  // Fields of the word that is written.
  logic [congestion_pkg::LengthWidth-1:0]   local_length, global_length;
  logic [congestion_pkg::CapacityWidth-1:0] local_slots, global_slots;
  logic [congestion_pkg::LimitWidth-1:0]    limit;
  logic [congestion_pkg::IntervalWidth-1:0] cycles;
  assign local_length  = data[congestion_pkg::WindowLocalLsb +: congestion_pkg::LengthWidth];
  assign global_length = data[congestion_pkg::WindowGlobalLsb +: congestion_pkg::LengthWidth];
  assign local_slots   = data[congestion_pkg::CapacityLocalLsb +: congestion_pkg::CapacityWidth];
  assign global_slots  = data[congestion_pkg::CapacityGlobalLsb +: congestion_pkg::CapacityWidth];
  assign limit         = data[congestion_pkg::StaleLimitLsb +: congestion_pkg::LimitWidth];
  assign cycles        = data[congestion_pkg::IntervalCyclesLsb +: congestion_pkg::IntervalWidth];

  assign bid_ok       = (data < 64'(A));
  assign interval_ok  = ((data & ~congestion_pkg::IntervalBits) == '0) && (cycles != '0);
  assign stale_ok     = ((data & ~congestion_pkg::StaleBits) == '0) && (limit != '0);
  assign window_ok    = ((data & ~congestion_pkg::WindowBits) == '0) && (local_length <= 10'(MaxWindow)) &&
                        (global_length <= 10'(MaxWindow));
  assign capacity_ok  = ((data & ~congestion_pkg::CapacityBits) == '0) && (local_slots != '0) && (global_slots != '0) &&
                        (local_slots <= 9'(MaxCapacity)) && (global_slots <= 9'(MaxCapacity));

  always_comb begin
    write_ok = 1'b0;
    case (c0_addr_q)
      congestion_pkg::RegRouterId:  write_ok = bid_ok;
      congestion_pkg::RegInterval:  write_ok = interval_ok;
      congestion_pkg::RegWindow:    write_ok = window_ok;
      congestion_pkg::RegThreshold: write_ok = 1'b1;  // every bit is defined
      congestion_pkg::RegCapacity:  write_ok = capacity_ok;
      congestion_pkg::RegStale:     write_ok = stale_ok;
      default:                      write_ok = at_neighbour && bid_ok;
    endcase
  end

  assign refused = c0_write_q ? !write_ok : !read_ok;
  assign write   = c0_valid_q && c0_write_q && write_ok;

  // ---- Registers ----

  logic [BidWidth-1:0]                       own_bid_q;
  logic [congestion_pkg::IntervalWidth-1:0]  interval_q;
  logic                                      alternate_q;
  logic [congestion_pkg::LengthWidth-1:0]    local_window_q, global_window_q;
  logic                                      local_enable_q, global_enable_q;
  logic [congestion_pkg::ThresholdWidth-1:0] local_threshold_q, global_threshold_q, local_busy_threshold_q,
                                             global_busy_threshold_q;
  logic [congestion_pkg::CapacityWidth-1:0]  local_capacity_q, global_capacity_q;
  logic [congestion_pkg::LimitWidth-1:0]     stale_limit_q;
  logic                                      stale_enable_q;
  logic [LocalPorts*BidWidth-1:0]            neighbour;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_bid_q               <= '0;
      interval_q              <= congestion_pkg::IntervalCyclesReset;
      alternate_q             <= 1'b0;
      local_window_q          <= congestion_pkg::LocalWindowReset;
      global_window_q         <= congestion_pkg::GlobalWindowReset;
      local_enable_q          <= 1'b1;
      global_enable_q         <= 1'b1;
      local_threshold_q       <= congestion_pkg::LocalThresholdReset;
      global_threshold_q      <= congestion_pkg::GlobalThresholdReset;
      local_busy_threshold_q  <= congestion_pkg::LocalBusyThresholdReset;
      global_busy_threshold_q <= congestion_pkg::GlobalBusyThresholdReset;
      local_capacity_q        <= congestion_pkg::LocalCapacityReset;
      global_capacity_q       <= congestion_pkg::GlobalCapacityReset;
      stale_limit_q           <= congestion_pkg::StaleLimitReset;
      stale_enable_q          <= 1'b1;
    end else if (write) begin
      case (c0_addr_q)
        congestion_pkg::RegRouterId: own_bid_q <= BidWidth'(data);
        congestion_pkg::RegInterval: begin
          interval_q  <= cycles;
          alternate_q <= data[congestion_pkg::IntervalAlternateLsb];
        end
        congestion_pkg::RegWindow: begin
          local_window_q  <= local_length;
          local_enable_q  <= data[congestion_pkg::WindowLocalEnableLsb];
          global_window_q <= global_length;
          global_enable_q <= data[congestion_pkg::WindowGlobalEnableLsb];
        end
        congestion_pkg::RegThreshold: begin
          local_threshold_q       <= data[congestion_pkg::ThresholdLocalLsb +: congestion_pkg::ThresholdWidth];
          global_threshold_q      <= data[congestion_pkg::ThresholdGlobalLsb +: congestion_pkg::ThresholdWidth];
          local_busy_threshold_q  <= data[congestion_pkg::ThresholdLocalBusyLsb +: congestion_pkg::ThresholdWidth];
          global_busy_threshold_q <= data[congestion_pkg::ThresholdGlobalBusyLsb +: congestion_pkg::ThresholdWidth];
        end
        congestion_pkg::RegCapacity: begin
          local_capacity_q  <= local_slots;
          global_capacity_q <= global_slots;
        end
        congestion_pkg::RegStale: begin
          stale_limit_q  <= limit;
          stale_enable_q <= data[congestion_pkg::StaleEnableLsb];
        end
        default: ;
      endcase
    end
  end

  for (genvar k = 0; k < LocalPorts; k++) begin : gen_neighbour
    logic [BidWidth-1:0] bid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bid_q <= BidWidth'(k + 1);
      else if (write && (c0_addr_q == congestion_pkg::RegNeighbour + AddrWidth'(k))) bid_q <= BidWidth'(data);
    end
    assign neighbour[k*BidWidth +: BidWidth] = bid_q;
  end

  // ---- Counters ----

  localparam int FrameCount = $clog2(LocalPorts + 1);
  localparam int PulseCount = $clog2(NumPulses + 1);

  logic [FrameCount-1:0] tails, idles, stolen, good, bad;
  logic [PulseCount-1:0] underflows, overflows;

  congestion_popcount #(.Width(LocalPorts)) u_tails (.bits_i(frame_valid_i & ~frame_idle_i), .count_o(tails));
  congestion_popcount #(.Width(LocalPorts)) u_idles (.bits_i(frame_idle_i), .count_o(idles));
  congestion_popcount #(.Width(LocalPorts)) u_stolen (.bits_i(frame_stolen_i), .count_o(stolen));
  congestion_popcount #(.Width(LocalPorts)) u_good (.bits_i(good_i), .count_o(good));
  congestion_popcount #(.Width(LocalPorts)) u_bad (.bits_i(bad_i), .count_o(bad));
  congestion_popcount #(.Width(NumPulses)) u_underflows (.bits_i(underflow_i), .count_o(underflows));
  congestion_popcount #(.Width(NumPulses)) u_overflows (.bits_i(overflow_i), .count_o(overflows));

  logic [NumCounters*CounterWidth-1:0] counters_q, added;
  assign added[congestion_pkg::CounterTails*CounterWidth +: CounterWidth]      = CounterWidth'(tails);
  assign added[congestion_pkg::CounterIdles*CounterWidth +: CounterWidth]      = CounterWidth'(idles);
  assign added[congestion_pkg::CounterStolen*CounterWidth +: CounterWidth]     = CounterWidth'(stolen);
  assign added[congestion_pkg::CounterGood*CounterWidth +: CounterWidth]       = CounterWidth'(good);
  assign added[congestion_pkg::CounterBad*CounterWidth +: CounterWidth]        = CounterWidth'(bad);
  assign added[congestion_pkg::CounterUnderflows*CounterWidth +: CounterWidth] = CounterWidth'(underflows);
  assign added[congestion_pkg::CounterOverflows*CounterWidth +: CounterWidth]  = CounterWidth'(overflows);

  integer n;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      counters_q <= '0;
    end else begin
      for (n = 0; n < NumCounters; n = n + 1) begin
        counters_q[n*CounterWidth +: CounterWidth] <= counters_q[n*CounterWidth +: CounterWidth] +
                                                      added[n*CounterWidth +: CounterWidth];
      end
    end
  end

  // ---- Read and acknowledge ----

  logic [63:0] rdata;

  always_comb begin
    rdata = '0;
    case (c0_addr_q)
      congestion_pkg::RegId:        rdata = congestion_pkg::IdValue;
      congestion_pkg::RegRouterId:  rdata = 64'(own_bid_q);
      congestion_pkg::RegInterval:  rdata = {55'd0, alternate_q, interval_q};
      congestion_pkg::RegWindow:    rdata = {15'd0, global_enable_q, 6'd0, global_window_q, 15'd0, local_enable_q, 6'd0,
                                             local_window_q};
      congestion_pkg::RegThreshold: rdata = {global_busy_threshold_q, local_busy_threshold_q, global_threshold_q,
                                             local_threshold_q};
      congestion_pkg::RegCapacity:  rdata = {39'd0, global_capacity_q, 7'd0, local_capacity_q};
      congestion_pkg::RegStale:     rdata = {55'd0, stale_enable_q, stale_limit_q};
      congestion_pkg::RegSize:      rdata = {32'd0, 8'(RingStops), 8'(H), 8'(A), 8'(P)};
      default: begin
        if (at_counter)        rdata = 64'(counters_q[counter_index*CounterWidth +: CounterWidth]);
        else if (at_neighbour) rdata = 64'(neighbour[neighbour_index*BidWidth +: BidWidth]);
      end
    endcase
  end

  logic        c1_valid_q, c1_err_q;
  logic [63:0] c1_rdata_q;
  logic        ack_q, err_q;
  logic [63:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c1_valid_q <= 1'b0;
      c1_err_q   <= 1'b0;
      c1_rdata_q <= '0;
      ack_q      <= 1'b0;
      err_q      <= 1'b0;
      rdata_q    <= '0;
    end else begin
      c1_valid_q <= c0_valid_q;
      c1_err_q   <= c0_valid_q && refused;
      c1_rdata_q <= (c0_valid_q && !c0_write_q && !refused) ? rdata : '0;
      ack_q      <= c1_valid_q;
      err_q      <= c1_err_q;
      rdata_q    <= c1_rdata_q;
    end
  end

  assign cfg_ack_o   = ack_q;
  assign cfg_err_o   = err_q;
  assign cfg_rdata_o = rdata_q;

  assign own_bid_o               = own_bid_q;
  assign interval_o              = interval_q;
  assign alternate_o             = alternate_q;
  assign local_window_o          = local_window_q;
  assign global_window_o         = global_window_q;
  assign local_enable_o          = local_enable_q;
  assign global_enable_o         = global_enable_q;
  assign local_threshold_o       = local_threshold_q;
  assign global_threshold_o      = global_threshold_q;
  assign local_busy_threshold_o  = local_busy_threshold_q;
  assign global_busy_threshold_o = global_busy_threshold_q;
  assign local_capacity_o        = local_capacity_q;
  assign global_capacity_o       = global_capacity_q;
  assign stale_limit_o           = stale_limit_q;
  assign stale_enable_o          = stale_enable_q;
  assign neighbour_o             = neighbour;

endmodule : congestion_config
