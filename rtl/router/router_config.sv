// SPDX-License-Identifier: Apache-2.0
//
// One configuration port for all units of a router: an operation names its unit and is held until that unit takes it.
// One is under way at a time.
//
// Unit k < NumPorts is route compute of port k, unit 64 the congestion plane. An operation for another one is
// acknowledged as refused.
// Meaning: docs/router.md §3.1.
//
// Cost: 87 flip-flops, a multiplexer of the ready bits, an OR of the units' answers.

module router_config #(
  parameter  int Units       = 8,   // the last one is the congestion plane
  localparam int NumberWidth = 7
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Pins
  input  logic                   cfg_valid_i,
  output logic                   cfg_ready_o,
  input  logic [NumberWidth-1:0] cfg_unit_i,
  input  logic                   cfg_write_i,
  input  logic [11:0]            cfg_addr_i,
  input  logic [63:0]            cfg_wdata_i,
  output logic                   cfg_ack_o,
  output logic                   cfg_err_o,
  output logic [63:0]            cfg_rdata_o,
  // Units
  output logic [Units-1:0]       valid_o,
  input  logic [Units-1:0]       ready_i,
  output logic                   write_o,
  output logic [11:0]            addr_o,
  output logic [63:0]            wdata_o,
  input  logic [Units-1:0]       ack_i,
  input  logic [Units-1:0]       err_i,
  input  logic [64*Units-1:0]    rdata_i
);

  localparam logic [NumberWidth-1:0] PlaneUnit = 7'd64;

  logic                   busy_q, valid_q, write_q, refused_q, nobody, taken;
  logic [NumberWidth-1:0] unit_q;
  logic [11:0]            addr_q;
  logic [63:0]            wdata_q;
  logic [Units-1:0]       chosen;

  assign chosen      = (unit_q == PlaneUnit) ? Units'(1'b1) << (Units - 1)
                     : (unit_q < NumberWidth'(Units - 1)) ? Units'(1'b1) << unit_q
                     : '0;
  assign nobody      = (chosen == '0);
  assign valid_o     = valid_q ? chosen : '0;
  assign taken       = nobody || ((valid_o & ready_i) != '0);
  assign cfg_ready_o = !busy_q || cfg_ack_o;
  assign write_o     = write_q;
  assign addr_o      = addr_q;
  assign wdata_o     = wdata_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;   // from the edge that takes an operation to its acknowledgement
      valid_q   <= 1'b0;   // to the edge at which its unit takes it
      refused_q <= 1'b0;
    end else begin
      refused_q <= valid_q && nobody;
      if (cfg_ready_o) begin
        busy_q  <= cfg_valid_i;
        valid_q <= cfg_valid_i;
        unit_q  <= cfg_unit_i;
        write_q <= cfg_write_i;
        addr_q  <= cfg_addr_i;
        wdata_q <= cfg_wdata_i;
      end else if (taken) begin
        valid_q <= 1'b0;
      end
    end
  end

  integer u;
  always_comb begin
    cfg_rdata_o = '0;
    for (u = 0; u < Units; u = u + 1) begin
      if (ack_i[u]) cfg_rdata_o = cfg_rdata_o | rdata_i[64*u +: 64];
    end
  end
  assign cfg_ack_o = (ack_i != '0) || refused_q;
  assign cfg_err_o = ((ack_i & err_i) != '0) || refused_q;

endmodule : router_config
