// SPDX-License-Identifier: Apache-2.0
//
// Which side of a fault region is the shorter way round it (docs/torus.md §3); for safe6_short only.
//
// Beside the runs towards - that torus_walls counts this unit counts those towards +; the two of a port are compared a
// cycle later.
//
// Cost: 4 * (CW + 1) + 8 flip-flops, eight comparators of CW + 1 bits.

module torus_sides #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int CW = 4,
  localparam int RW = CW + 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,
  input  logic [3:0]      blocked_i,
  input  logic [4*RW-1:0] minus_run_i,  // of this node's torus_walls
  input  logic [4*RW-1:0] run_i,        // of the neighbour at y+ (ports 0, 1), at x+ (ports 2, 3)
  output logic [4*RW-1:0] run_o,
  output logic [7:0]      sides_o
);

  logic [4*RW-1:0] run_q;
  logic [3:0]      plus_q, minus_q;

  for (genvar p = 0; p < 4; p++) begin : gen_port
    localparam logic [RW-1:0] Length = RW'((p < 2) ? KY : KX);
    logic [RW-1:0] peer, towards_plus, towards_minus;
    assign peer          = run_i[p*RW +: RW];
    assign towards_plus  = run_q[p*RW +: RW];
    assign towards_minus = minus_run_i[p*RW +: RW];
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        run_q[p*RW +: RW] <= '0;
        plus_q[p]         <= 1'b0;
        minus_q[p]        <= 1'b0;
      end else begin
        plus_q[p]  <= towards_plus < towards_minus;
        minus_q[p] <= towards_minus < towards_plus;
        if (!blocked_i[p])       run_q[p*RW +: RW] <= '0;
        else if (peer >= Length) run_q[p*RW +: RW] <= Length;
        else                     run_q[p*RW +: RW] <= peer + RW'(1'b1);
      end
    end
  end

  assign run_o   = run_q;
  assign sides_o = {minus_q, plus_q};

endmodule : torus_sides
