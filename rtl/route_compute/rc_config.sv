// SPDX-License-Identifier: Apache-2.0
//
// Configuration port: handshake, the configuration registers, the counters, and the way to the tables.
//
// An operation is taken into c0. In the first cycle in which the stage that uses its target is idle it is executed, at
// the edge that ends this cycle; route requests always win and the operation waits, which holds `cfg_ready_o` low. A
// refused operation is executed without waiting and without an effect. The result goes through c1 (there the RAMs
// deliver what was read) into the acknowledgement registers. One operation a cycle can be sustained.
//
// Cost: about 80 flip-flops for c0, 70 for c1, 66 for the acknowledgement, 53 of registers, 11 counters of 32 bits.

module rc_config #(
  parameter int P               = 16,
  parameter int A               = 32,
  parameter int H               = 16,
  parameter int G               = 512,
  parameter int NB              = 8,
  parameter int AbsoluteAtReset = 0
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  // Pins
  input  logic                                       cfg_valid_i,
  output logic                                       cfg_ready_o,
  input  logic                                       cfg_write_i,
  input  logic [route_compute_pkg::CfgAddrWidth-1:0] cfg_addr_i,
  input  logic [63:0]                                cfg_wdata_i,
  output logic                                       cfg_ack_o,
  output logic                                       cfg_err_o,
  output logic [63:0]                                cfg_rdata_o,
  // Pipeline: busy stages and counted events
  input  logic                                       r0_valid_i,
  input  logic                                       r1_valid_i,
  input  logic                                       r2_valid_i,
  input  logic                                       decision_valid_i,
  input  logic [2:0]                                 decision_hop_class_i,
  // Tables and LFSR. The requests are for the present cycle; index and data go with them.
  input  logic                                       table_hold_i,        // writes of tables A and B have to wait
  input  logic                                       table_hold_reads_i,  // reads, too
  output logic                                       table_a_req_o,
  output logic                                       table_b_req_o,
  output logic                                       table_c_write_o,
  output logic                                       lfsr_write_o,
  output logic                                       write_o,
  output logic [route_compute_pkg::IndexWidth-1:0]   index_o,
  output logic [63:0]                                wdata_o,
  input  logic [63:0]                                table_a_rdata_i,  // the cycle after the request
  input  logic [63:0]                                table_b_rdata_i,  // the cycle after the request
  input  logic [route_compute_pkg::EntryCWidth-1:0]  table_c_rdata_i,  // of index_o, same cycle
  input  logic [15:0]                                lfsr_i,
  // Configuration registers
  output logic [route_compute_pkg::GidWidth-1:0]     own_gid_o,
  output logic [route_compute_pkg::BidWidth-1:0]     own_bid_o,
  output logic [1:0]                                 port_class_o,
  output logic                                       absolute_o,
  output logic                                       identity_changed_o,  // ROUTER_ID or PORT is written at this edge
  output logic                                       rule_second_o,
  output logic                                       rule_minimal_global_o,
  output logic                                       rule_minimal_local_o,
  output logic [15:0]                                local_threshold_o,
  output logic [15:0]                                global_threshold_o
);

  localparam int NumCounters  = route_compute_pkg::NumCounters;
  localparam int CounterWidth = route_compute_pkg::CounterWidth;

  // ---- c0: the operation at hand ----

  logic                                       c0_valid_q;
  logic                                       c0_write_q;
  logic [route_compute_pkg::CfgAddrWidth-1:0] c0_addr_q;
  logic [63:0]                                c0_wdata_q;

  logic execute;

  assign cfg_ready_o = !c0_valid_q || execute;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c0_valid_q <= 1'b0;
    end else if (cfg_valid_i && cfg_ready_o) begin
      c0_valid_q <= 1'b1;
      c0_write_q <= cfg_write_i;
      c0_addr_q  <= cfg_addr_i;
      c0_wdata_q <= cfg_wdata_i;
    end else if (execute) begin
      c0_valid_q <= 1'b0;
    end
  end

  // ---- Where to, allowed, and now? ----

  logic at_table_a, at_table_b, at_table_c, at_identity, at_rule, at_lfsr;
  logic refused;
  logic busy;
  logic execute_ok;
  logic write_ok;

  rc_config_check #(.P(P), .A(A), .H(H), .G(G), .NB(NB)) u_check (
    .addr_i      (c0_addr_q),
    .write_i     (c0_write_q),
    .wdata_i     (c0_wdata_q),
    .port_class_i(port_class_o),
    .table_a_o   (at_table_a),
    .table_b_o   (at_table_b),
    .table_c_o   (at_table_c),
    .identity_o  (at_identity),
    .rule_o      (at_rule),
    .lfsr_o      (at_lfsr),
    .refused_o   (refused)
  );

  assign busy = ((at_table_a || at_table_b) && r1_valid_i) ||
                ((at_table_a || at_table_b) && !c0_write_q && table_hold_reads_i) ||
                (c0_write_q && (((at_table_a || at_table_b) && table_hold_i) ||
                                (at_table_c && r2_valid_i) ||
                                ((at_identity || at_rule) && (r0_valid_i || r1_valid_i || r2_valid_i)) ||
                                (at_lfsr && r0_valid_i)));

  assign execute    = c0_valid_q && (refused || !busy);
  assign execute_ok = c0_valid_q && !refused && !busy;
  assign write_ok   = execute_ok && c0_write_q;

  assign table_a_req_o   = execute_ok && at_table_a;
  assign table_b_req_o   = execute_ok && at_table_b;
  assign table_c_write_o = write_ok && at_table_c;
  assign lfsr_write_o    = write_ok && at_lfsr;
  assign write_o         = c0_write_q;
  assign index_o         = 10'(c0_addr_q);
  assign wdata_o         = c0_wdata_q;

  // ---- Configuration registers ----

  logic [route_compute_pkg::GidWidth-1:0] own_gid_q;
  logic [route_compute_pkg::BidWidth-1:0] own_bid_q;
  logic [1:0]                             port_class_q;
  logic                                   absolute_q;
  logic [15:0]                            local_threshold_q;
  logic [15:0]                            global_threshold_q;
  logic                                   second_q, minimal_global_q, minimal_local_q;

  logic       at_register;
  logic [1:0] page;
  logic [9:0] offset;

  assign {page, offset} = c0_addr_q;
  assign at_register    = (page == route_compute_pkg::PageRegister);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_gid_q          <= '0;
      own_bid_q          <= '0;
      port_class_q       <= route_compute_pkg::PortClassNode;
      absolute_q         <= 1'(AbsoluteAtReset);
      local_threshold_q  <= route_compute_pkg::LocalThresholdReset;
      global_threshold_q <= route_compute_pkg::GlobalThresholdReset;
      second_q           <= 1'b0;
      minimal_global_q   <= 1'b0;
      minimal_local_q    <= 1'b0;
    end else if (write_ok && at_register) begin
      if (offset == route_compute_pkg::RegRouterId) begin
        own_bid_q <= c0_wdata_q[route_compute_pkg::RouterIdBidLsb +: route_compute_pkg::BidWidth];
        own_gid_q <= c0_wdata_q[route_compute_pkg::RouterIdGidLsb +: route_compute_pkg::GidWidth];
      end
      if (offset == route_compute_pkg::RegPort) begin
        port_class_q <= c0_wdata_q[route_compute_pkg::PortClassLsb +: 2];
        absolute_q   <= c0_wdata_q[route_compute_pkg::PortAbsoluteLsb];
      end
      if (offset == route_compute_pkg::RegThreshold) begin
        local_threshold_q  <= c0_wdata_q[route_compute_pkg::ThresholdLocalLsb +: 16];
        global_threshold_q <= c0_wdata_q[route_compute_pkg::ThresholdGlobalLsb +: 16];
      end
      if (offset == route_compute_pkg::RegRule) begin
        second_q         <= c0_wdata_q[route_compute_pkg::RuleSecondLsb];
        minimal_global_q <= c0_wdata_q[route_compute_pkg::RuleMinimalGlobalLsb];
        minimal_local_q  <= c0_wdata_q[route_compute_pkg::RuleMinimalLocalLsb];
      end
    end
  end

  assign own_gid_o          = own_gid_q;
  assign own_bid_o          = own_bid_q;
  assign port_class_o       = port_class_q;
  assign absolute_o         = absolute_q;
  assign identity_changed_o = write_ok && at_identity;
  assign rule_second_o      = second_q;
  assign local_threshold_o  = local_threshold_q;
  assign global_threshold_o = global_threshold_q;

  assign rule_minimal_global_o = minimal_global_q;
  assign rule_minimal_local_o  = minimal_local_q;

  // ---- Counters ----

  logic [NumCounters-1:0]              count_event;
  logic [NumCounters*CounterWidth-1:0] count_q;

  assign count_event = {c0_valid_q && !execute,
                        write_ok,
                        8'(decision_valid_i) << decision_hop_class_i,
                        r0_valid_i};

  for (genvar k = 0; k < NumCounters; k = k + 1) begin : gen_counter
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q[k*CounterWidth +: CounterWidth] <= '0;
      end else if (count_event[k]) begin
        count_q[k*CounterWidth +: CounterWidth] <= count_q[k*CounterWidth +: CounterWidth] + CounterWidth'(1);
      end
    end
  end

  // ---- c1: what was read, and the acknowledgement ----

  logic [63:0] word;
  logic [3:0]  counter;

  assign counter = 4'(offset - route_compute_pkg::RegCounter);

  always_comb begin
    case (offset)
      route_compute_pkg::RegId:        word = route_compute_pkg::IdValue;
      route_compute_pkg::RegRouterId:  word = {50'd0, own_gid_q, own_bid_q};
      route_compute_pkg::RegPort:      word = {61'd0, absolute_q, port_class_q};
      route_compute_pkg::RegThreshold: word = {32'd0, global_threshold_q, local_threshold_q};
      route_compute_pkg::RegLfsr:      word = {48'd0, lfsr_i};
      route_compute_pkg::RegSize:      word = {16'd0, 8'(NB), 16'(G), 8'(H), 8'(A), 8'(P)};
      route_compute_pkg::RegRule:      word = {61'd0, minimal_local_q, minimal_global_q, second_q};
      default:                         word = {32'd0, count_q[9'(CounterWidth) * 9'(counter) +: CounterWidth]};
    endcase
  end

  logic        c1_valid_q;
  logic        c1_err_q;
  logic        c1_table_a_q;
  logic        c1_table_b_q;
  logic [63:0] c1_word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c1_valid_q <= 1'b0;
    end else begin
      c1_valid_q <= execute;
      if (execute) begin
        c1_err_q     <= refused;
        c1_table_a_q <= execute_ok && !c0_write_q && at_table_a;
        c1_table_b_q <= execute_ok && !c0_write_q && at_table_b;
        c1_word_q    <= (refused || c0_write_q) ? 64'd0
                      : at_register ? word
                      : at_table_c ? {16'd0, table_c_rdata_i}
                      : 64'd0;
      end
    end
  end

  logic        ack_q;
  logic        err_q;
  logic [63:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !c1_valid_q) begin
      ack_q   <= 1'b0;
      err_q   <= 1'b0;
      rdata_q <= 64'd0;
    end else begin
      ack_q   <= 1'b1;
      err_q   <= c1_err_q;
      rdata_q <= c1_table_a_q ? table_a_rdata_i : c1_table_b_q ? table_b_rdata_i : c1_word_q;
    end
  end

  assign cfg_ack_o   = ack_q;
  assign cfg_err_o   = err_q;
  assign cfg_rdata_o = rdata_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    config_identity_in_range: assert (({1'b0, own_bid_q} < 6'(A)) && ({1'b0, own_gid_q} < 10'(G)));
    config_port_class_known: assert (port_class_q != route_compute_pkg::PortClassReserved);
    rule_is_still: assert (!((r0_valid_i || r1_valid_i || r2_valid_i) && write_ok && at_rule));
  end
`endif
`endif

endmodule : rc_config
