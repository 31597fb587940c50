// SPDX-License-Identifier: Apache-2.0
//
// The options of a table row, as ports of this router, from its words (docs/router.md §3.2). A global entry (zone G at
// a node port) names routers; all others are maps of ports. Table A names at most one port: of a word with more the
// lowest one speaks for all.
//
// Cost: NB + 1 port decoders, a priority encoder: combinational.

module router_options #(
  parameter  int P        = 2,
  parameter  int A        = 4,
  parameter  int H        = 2,
  parameter  int NB       = 8,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic                global_i,  // the row is a global entry
  input  logic                has_b_i,   // the row has a word of table B
  input  logic [63:0]         word_a_i,
  input  logic [63:0]         word_b_i,
  output logic                has_a_o,
  output logic [5:0]          port_a_o,
  output logic [NumPorts-1:0] options_b_o
);

  localparam logic [NumPorts-1:0] LocalPorts = {{H{1'b0}}, {(A-1){1'b1}}, {P{1'b0}}};

  logic                own;
  logic [5:0]          port;
  logic [15:0]         own_a, own_b;
  logic [NumPorts-1:0] global_a, global_b, way, neighbours, options_a;

  assign {own, port, own_a} = route_compute_pkg::EntryAWidth'(word_a_i);
  assign own_b = word_b_i[route_compute_pkg::EntryBMapLsb +: 16];
  assign way   = NumPorts'(64'd1 << port) & LocalPorts;

  assign global_a = own ? {own_a[H-1:0], {(P+A-1){1'b0}}} : way;
  assign global_b = {own_b[H-1:0], {(P+A-1){1'b0}}} | (neighbours & LocalPorts);

  integer n;
  always_comb begin
    neighbours = '0;
    for (n = 0; n < NB; n = n + 1) begin
      neighbours = neighbours | NumPorts'(64'd1 << word_b_i[6*n +: 6]);
    end
  end

  assign options_a   = global_i ? global_a : NumPorts'(word_a_i);
  assign options_b_o = !has_b_i ? '0 : global_i ? global_b : NumPorts'(word_b_i);
  assign has_a_o     = options_a != '0;

  integer k;
  always_comb begin
    port_a_o = 6'd0;
    for (k = NumPorts - 1; k >= 0; k = k - 1) begin
      if (options_a[k]) port_a_o = 6'(k);
    end
  end

  if (NumPorts < 64 || H < 16 || NB < 8) begin : gen_unused
    logic unused_words;
    assign unused_words = ^{word_a_i, word_b_i, own_a, own_b};
  end

endmodule : router_options
