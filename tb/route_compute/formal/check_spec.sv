// SPDX-License-Identifier: Apache-2.0
// Which configuration operations are refused, and which target they have: docs/route_compute.md §4.

module check_spec #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int G  = 512,
  parameter int NB = 8
) (
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  input  logic [1:0]  port_class_i,
  output logic        table_a_o,
  output logic        table_b_o,
  output logic        table_c_o,
  output logic        router_id_o,
  output logic        port_o,
  output logic        threshold_o,
  output logic        lfsr_o,
  output logic        rule_o,
  output logic        refused_o
);

  integer address, i;
  logic   fits_default, fits_global_a, fits_global_b, fits_c;
  logic   exists, fits;

  // A local port, or none.
  function automatic logic neighbour_ok(input logic [5:0] port, input logic may_be_local);
    neighbour_ok = (port == 6'd63) || (may_be_local && port >= P && port < P + A - 1);
  endfunction

  always_comb begin
    address = 8 * addr_i;

    fits_default = 1'b1;
    for (i = P + A - 1 + H; i < 64; i = i + 1) begin
      if (wdata_i[i]) fits_default = 1'b0;
    end

    fits_global_a = neighbour_ok(wdata_i[21:16], 1'b1) && (wdata_i[63:23] == '0);
    for (i = H; i < 16; i = i + 1) begin
      if (wdata_i[i]) fits_global_a = 1'b0;
    end

    fits_global_b = 1'b1;
    for (i = 0; i < 8; i = i + 1) begin
      if (!neighbour_ok(wdata_i[6*i +: 6], i < NB)) fits_global_b = 1'b0;
    end
    for (i = 48 + H; i < 64; i = i + 1) begin
      if (wdata_i[i]) fits_global_b = 1'b0;
    end

    fits_c = (wdata_i[63:48] == '0);
    for (i = 0; i < 6; i = i + 1) begin
      if (wdata_i[8*i + 7]) begin
        if (wdata_i[8*i + 6] || wdata_i[8*i +: 6] < P || wdata_i[8*i +: 6] >= P + A - 1) fits_c = 1'b0;
      end else if (wdata_i[8*i +: 8] != 8'd0) begin
        fits_c = 1'b0;
      end
    end
  end

  always_comb begin
    {table_a_o, table_b_o, table_c_o, router_id_o, port_o, threshold_o, lfsr_o, rule_o} = 8'd0;
    exists = 1'b1;
    fits   = 1'b0;  // of a write
    if (address < 8 * (P + A + G)) begin
      table_a_o = 1'b1;
      fits      = (port_class_i == 2'd0 && address >= 8 * (P + A)) ? fits_global_a : fits_default;
    end else if (address >= 'h2000 && address < 'h2000 + 8 * (A + G)) begin
      table_b_o = 1'b1;
      fits      = (port_class_i == 2'd0 && address >= 'h2000 + 8 * A) ? fits_global_b : fits_default;
    end else if (address >= 'h4000 && address < 'h4000 + 8 * A) begin
      table_c_o = 1'b1;
      fits      = fits_c;
    end else if (address == 'h6008) begin
      router_id_o = 1'b1;
      fits        = (wdata_i[4:0] < A) && (wdata_i[13:5] < G) && (wdata_i[63:14] == '0);
    end else if (address == 'h6010) begin
      port_o = 1'b1;
      fits   = (wdata_i[1:0] != 2'd3) && (wdata_i[63:3] == '0);
    end else if (address == 'h6018) begin
      threshold_o = 1'b1;
      fits        = (wdata_i[63:32] == '0);
    end else if (address == 'h6020) begin
      lfsr_o = 1'b1;
      fits   = (wdata_i[15:0] != '0) && (wdata_i[63:16] == '0);
    end else if (address == 'h6030) begin
      rule_o = 1'b1;
      fits   = (wdata_i[63:3] == '0);
    end else if (address == 'h6000 || address == 'h6028 || (address >= 'h6040 && address < 'h6040 + 8 * 11)) begin
      fits = 1'b0;  // read-only
    end else begin
      exists = 1'b0;
    end
  end

  assign refused_o = !exists || (write_i && !fits);

endmodule : check_spec

module check_miter #(
  parameter int P  = 16,
  parameter int A  = 32,
  parameter int H  = 16,
  parameter int G  = 512,
  parameter int NB = 8
) (
  input  logic [11:0] addr_i,
  input  logic        write_i,
  input  logic [63:0] wdata_i,
  input  logic [1:0]  port_class_i,
  output logic        bad_o
);

  logic table_a, table_b, table_c, identity, lfsr, rule, refused;
  logic table_a_spec, table_b_spec, table_c_spec, router_id_spec, port_spec, threshold_spec, lfsr_spec, rule_spec,
        refused_spec;

  rc_config_check #(.P(P), .A(A), .H(H), .G(G), .NB(NB)) u_dut (
    .addr_i, .write_i, .wdata_i, .port_class_i,
    .table_a_o(table_a), .table_b_o(table_b), .table_c_o(table_c), .identity_o(identity), .lfsr_o(lfsr), .rule_o(rule),
    .refused_o(refused)
  );
  check_spec #(.P(P), .A(A), .H(H), .G(G), .NB(NB)) u_spec (
    .addr_i, .write_i, .wdata_i, .port_class_i,
    .table_a_o(table_a_spec), .table_b_o(table_b_spec), .table_c_o(table_c_spec), .router_id_o(router_id_spec),
    .port_o(port_spec), .threshold_o(threshold_spec), .lfsr_o(lfsr_spec), .rule_o(rule_spec), .refused_o(refused_spec)
  );

  // The target of a refused operation does not matter.
  assign bad_o = (refused != refused_spec) ||
                 (!refused && {table_a, table_b, table_c, identity, lfsr, rule} !=
                              {table_a_spec, table_b_spec, table_c_spec, router_id_spec || port_spec, lfsr_spec,
                               rule_spec});

endmodule : check_miter
