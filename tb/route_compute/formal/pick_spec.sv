// SPDX-License-Identifier: Apache-2.0
// pick(v, f): docs/route_compute.md §5, stage 4: of n set bits the one that has (f * n) >> FractionWidth set bits below
// it.

module pick_spec #(
  parameter int Width         = 32,
  parameter int FractionWidth = 8
) (
  input  logic [Width-1:0]         request_i,
  input  logic [FractionWidth-1:0] fraction_i,
  output logic [15:0]              index_o
);

  logic [6:0]  below [0:Width];
  logic [31:0] rank;

  assign below[0] = 7'd0;
  for (genvar i = 0; i < Width; i = i + 1) begin : gen_below
    assign below[i+1] = below[i] + 7'(request_i[i]);
  end

  assign rank = (32'(fraction_i) * 32'(below[Width])) >> FractionWidth;

  logic [15:0] upto [0:Width];

  assign upto[0] = 16'd0;
  for (genvar i = 0; i < Width; i = i + 1) begin : gen_index
    assign upto[i+1] = (request_i[i] && 32'(below[i]) == rank) ? 16'(i) : upto[i];
  end

  assign index_o = upto[Width];

endmodule : pick_spec

module pick_miter #(
  parameter  int Width         = 32,
  parameter  int FractionWidth = 8,
  localparam int IndexWidth    = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]         request_i,
  input  logic [FractionWidth-1:0] fraction_i,
  output logic                     bad_o
);

  logic [IndexWidth-1:0] index;
  logic [15:0]           index_spec;

  even_pick #(.Width(Width), .FractionWidth(FractionWidth)) u_dut  (.request_i, .fraction_i, .index_o(index));
  pick_spec #(.Width(Width), .FractionWidth(FractionWidth)) u_spec (.request_i, .fraction_i, .index_o(index_spec));

  assign bad_o = (16'(index) != index_spec);

endmodule : pick_miter

// The pick as a grant: exactly one, and to a requester.
module grant_miter #(
  parameter  int Width         = 32,
  parameter  int FractionWidth = 8,
  localparam int IndexWidth    = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]         request_i,
  input  logic [FractionWidth-1:0] fraction_i,
  output logic                     bad_o
);

  logic [IndexWidth-1:0] index;
  logic [Width-1:0]      grant;

  even_pick #(.Width(Width), .FractionWidth(FractionWidth)) u_dut (.request_i, .fraction_i, .index_o(index));

  for (genvar i = 0; i < Width; i = i + 1) begin : gen_grant
    assign grant[i] = (index == i) && (request_i != '0);
  end

  logic one_hot;
  assign one_hot = (grant != '0) && ((grant & (grant - 1'b1)) == '0);

  assign bad_o = (request_i != '0) ? (!one_hot || (grant & ~request_i) != '0) : (grant != '0);

endmodule : grant_miter
