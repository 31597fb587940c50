// SPDX-License-Identifier: Apache-2.0
//
// Proof about torus_walls (docs/torus.md §3): from reset on, for whatever comes in, runs and walls are what the text
// says. Stated link by link: the run of a port is one more than that of the node before, up to the length of the ring
// beside it, and 0 at a free port; a link is a wall once a run beside it went all round, or a neighbour behind a free
// port said so, until the walls are cleared.

module proof_walls #(
  parameter  int KX = 4,
  parameter  int KY = 4,
  parameter  int CW = 2,
  localparam int RW = CW + 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,
  input  logic [CW-1:0]   at_x_i,
  input  logic [CW-1:0]   at_y_i,
  input  logic [3:0]      blocked_i,
  input  logic [4*RW-1:0] run_i,
  input  logic [4*KX-1:0] wall_x_i,
  input  logic [4*KY-1:0] wall_y_i,
  output logic            bad_o
);

  logic            started_q, at_is_a_node, forget;
  logic [4*RW-1:0] run;
  logic [KX-1:0]   wall_x, bad_x;
  logic [KY-1:0]   wall_y, bad_y;
  logic [3:0]      bad_run;

  torus_walls #(.KX(KX), .KY(KY), .CW(CW)) u_walls (
    .clk_i, .rst_ni, .clear_i, .at_x_i, .at_y_i, .blocked_i, .run_i, .wall_x_i, .wall_y_i, .run_o(run),
    .wall_x_o(wall_x), .wall_y_o(wall_y)
  );

  assign forget = !rst_ni || clear_i;
  always_ff @(posedge clk_i) if (!rst_ni) started_q <= 1'b1;

  // A stimulus that names no node is left out.
  logic named_q;
  assign at_is_a_node = (8'(at_x_i) < 8'(KX)) && (8'(at_y_i) < 8'(KY));
  always_ff @(posedge clk_i) named_q <= at_is_a_node && (!rst_ni || named_q);

  for (genvar p = 0; p < 4; p++) begin : gen_run
    localparam int Ring = (p < 2) ? KY : KX;
    logic [RW:0]   longer;
    logic [RW-1:0] run_q;
    assign longer = {1'b0, run_i[p*RW +: RW]} + (RW + 1)'(1);
    always_ff @(posedge clk_i) begin
      if (forget || !blocked_i[p])             run_q <= '0;
      else if (longer > (RW + 1)'(Ring))       run_q <= RW'(Ring);
      else                                     run_q <= RW'(longer);
    end
    assign bad_run[p] = run[p*RW +: RW] != run_q;
  end

  for (genvar k = 0; k < KX; k++) begin : gen_x
    logic wall_q, here;
    assign here = ((at_x_i == CW'(k)) && (run[0*RW +: RW] == RW'(KY))) ||
                  ((at_x_i == CW'((k + 1) % KX)) && (run[1*RW +: RW] == RW'(KY)));
    always_ff @(posedge clk_i) begin
      if (forget) wall_q <= 1'b0;
      else if (here || (!blocked_i[0] && wall_x_i[k]) || (!blocked_i[1] && wall_x_i[KX+k]) ||
               (!blocked_i[2] && wall_x_i[2*KX+k]) || (!blocked_i[3] && wall_x_i[3*KX+k])) wall_q <= 1'b1;
    end
    assign bad_x[k] = wall_x[k] != wall_q;
  end

  for (genvar k = 0; k < KY; k++) begin : gen_y
    logic wall_q, here;
    assign here = ((at_y_i == CW'(k)) && (run[2*RW +: RW] == RW'(KX))) ||
                  ((at_y_i == CW'((k + 1) % KY)) && (run[3*RW +: RW] == RW'(KX)));
    always_ff @(posedge clk_i) begin
      if (forget) wall_q <= 1'b0;
      else if (here || (!blocked_i[0] && wall_y_i[k]) || (!blocked_i[1] && wall_y_i[KY+k]) ||
               (!blocked_i[2] && wall_y_i[2*KY+k]) || (!blocked_i[3] && wall_y_i[3*KY+k])) wall_q <= 1'b1;
    end
    assign bad_y[k] = wall_y[k] != wall_q;
  end

  assign bad_o = started_q && named_q && ((bad_run != '0) || (bad_x != '0) || (bad_y != '0));

endmodule : proof_walls
