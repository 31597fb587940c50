// SPDX-License-Identifier: Apache-2.0
// pick(v, s): docs/route_compute.md §5, stage 4: the lowest set index >= s, or if there is none the lowest set index.

module pick_spec #(
  parameter int Width = 32
) (
  input  logic [Width-1:0] request_i,
  input  logic [15:0]      start_i,
  output logic [15:0]      index_o
);

  integer i;

  always_comb begin
    index_o = 16'd0;
    for (i = Width - 1; i >= 0; i = i - 1) begin
      if (request_i[i]) index_o = i;
    end
    for (i = Width - 1; i >= 0; i = i - 1) begin
      if (request_i[i] && i >= start_i) index_o = i;
    end
  end

endmodule : pick_spec

module pick_miter #(
  parameter  int Width      = 32,
  localparam int IndexWidth = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]      request_i,
  input  logic [IndexWidth-1:0] start_i,
  output logic                  bad_o
);

  logic [IndexWidth-1:0] index;
  logic [15:0]           index_spec;

  rotating_pick #(.Width(Width)) u_dut  (.request_i, .start_i, .index_o(index));
  pick_spec     #(.Width(Width)) u_spec (.request_i, .start_i(16'(start_i)), .index_o(index_spec));

  assign bad_o = (16'(index) != index_spec);

endmodule : pick_miter

// The pick as a grant: exactly one, and to a requester.
module grant_miter #(
  parameter  int Width      = 32,
  localparam int IndexWidth = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]      request_i,
  input  logic [IndexWidth-1:0] start_i,
  output logic                  bad_o
);

  logic [IndexWidth-1:0] index;
  logic [Width-1:0]      grant;

  rotating_pick #(.Width(Width)) u_dut (.request_i, .start_i, .index_o(index));

  for (genvar i = 0; i < Width; i = i + 1) begin : gen_grant
    assign grant[i] = (index == i) && (request_i != '0);
  end

  logic one_hot;
  assign one_hot = (grant != '0) && ((grant & (grant - 1'b1)) == '0);

  assign bad_o = (request_i != '0) ? (!one_hot || (grant & ~request_i) != '0) : (grant != '0);

endmodule : grant_miter
