// SPDX-License-Identifier: Apache-2.0
//
// Proof about torus_sides (docs/torus.md §3): from reset on, for whatever comes in, runs and sides are what the text
// says: the run of a port is one more than that of the node after, up to the length of the ring beside it, and 0 at a
// free port; a side bit says that the run of its direction was the shorter one before the edge. No order is compared in
// the statement: the difference of the two runs is looked at, with a bit more.

module proof_sides #(
  parameter  int KX = 4,
  parameter  int KY = 4,
  parameter  int CW = 2,
  localparam int RW = CW + 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,
  input  logic [3:0]      blocked_i,
  input  logic [4*RW-1:0] minus_run_i,
  input  logic [4*RW-1:0] run_i,
  output logic            bad_o
);

  logic            started_q, forget;
  logic [4*RW-1:0] run;
  logic [7:0]      sides;
  logic [3:0]      bad_run, bad_side;

  torus_sides #(.KX(KX), .KY(KY), .CW(CW)) u_sides (
    .clk_i, .rst_ni, .clear_i, .blocked_i, .minus_run_i, .run_i, .run_o(run), .sides_o(sides)
  );

  assign forget = !rst_ni || clear_i;
  always_ff @(posedge clk_i) if (!rst_ni) started_q <= 1'b1;

  for (genvar p = 0; p < 4; p++) begin : gen_port
    localparam int Ring = (p < 2) ? KY : KX;
    logic [RW:0]   longer, difference;  // of the runs: towards + less towards -
    logic [RW-1:0] run_q;
    logic          negative_q, positive_q;
    assign longer     = {1'b0, run_i[p*RW +: RW]} + (RW + 1)'(1);
    assign difference = {1'b0, run_q} - {1'b0, minus_run_i[p*RW +: RW]};
    always_ff @(posedge clk_i) begin
      if (forget || !blocked_i[p])       run_q <= '0;
      else if (longer > (RW + 1)'(Ring)) run_q <= RW'(Ring);
      else                               run_q <= RW'(longer);
      negative_q <= !forget && difference[RW];
      positive_q <= !forget && !difference[RW] && (difference != '0);
    end
    assign bad_run[p]  = run[p*RW +: RW] != run_q;
    assign bad_side[p] = (sides[p] != negative_q) || (sides[4 + p] != positive_q);
  end

  assign bad_o = started_q && ((bad_run != '0) || (bad_side != '0));

endmodule : proof_sides
