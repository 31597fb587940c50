// SPDX-License-Identifier: Apache-2.0
//
// A column of the crossbar: the flits that an output takes in the two phases, from whichever inputs, in the cycle after
// their grants, each with its VC on the link behind the output.
//
// Cost: two multiplexers of N flits, twice the number of an input and a VC in flip-flops.

module router_column #(
  parameter  int N          = 7,    // inputs
  parameter  int Width      = 128,  // of a flit
  localparam int IndexWidth = $clog2(N)
) (
  input  logic                  clk_i,
  // Grants
  input  logic [IndexWidth-1:0] from_0_i,
  input  logic [IndexWidth-1:0] from_1_i,
  input  logic [1:0]            vc_0_i,
  input  logic [1:0]            vc_1_i,
  // In the next cycle; the VC of the flits that come is 0
  input  logic [N*Width-1:0]    flits_0_i,
  input  logic [N*Width-1:0]    flits_1_i,
  output logic [Width-1:0]      flit_0_o,
  output logic [Width-1:0]      flit_1_o
);

  logic [IndexWidth-1:0] from_0_q, from_1_q;
  logic [1:0]            vc_0_q, vc_1_q;

  always_ff @(posedge clk_i) begin
    from_0_q <= from_0_i;
    from_1_q <= from_1_i;
    vc_0_q   <= vc_0_i;
    vc_1_q   <= vc_1_i;
  end

  assign flit_0_o = flits_0_i[Width*from_0_q +: Width] | Width'(vc_0_q);
  assign flit_1_o = flits_1_i[Width*from_1_q +: Width] | Width'(vc_1_q);

endmodule : router_column
