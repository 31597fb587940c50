// SPDX-License-Identifier: Apache-2.0
//
// Walls as one router knows them (docs/torus.md §3): a run counter a port finds a wall beside this node, an OR over the
// free ports hands on what the neighbours know.
//
// A run that reaches the length of its ring is a wall. Runs need no restart: a port that is not blocked sets its run to
// 0, and blocked ports only grow until they are cleared.
//
// Cost: 4 * (CW + 1) + KX + KY flip-flops.

module torus_walls #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int CW = 4,
  localparam int RW = CW + 1
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            clear_i,
  input  logic [CW-1:0]   at_x_i,
  input  logic [CW-1:0]   at_y_i,
  input  logic [3:0]      blocked_i,
  input  logic [4*RW-1:0] run_i,     // of the neighbour at y- (ports 0, 1), at x- (ports 2, 3)
  input  logic [4*KX-1:0] wall_x_i,  // of the neighbour at port p
  input  logic [4*KY-1:0] wall_y_i,
  output logic [4*RW-1:0] run_o,
  output logic [KX-1:0]   wall_x_o,
  output logic [KY-1:0]   wall_y_o
);

  logic [3:0]      beside;
  logic [KX-1:0]   wall_x_q, own_x, told_x;
  logic [KY-1:0]   wall_y_q, own_y, told_y;
  logic [CW-1:0]   before_x, before_y;
  logic [4*RW-1:0] run_q;

  for (genvar p = 0; p < 4; p++) begin : gen_port
    localparam logic [RW-1:0] Length = RW'((p < 2) ? KY : KX);
    logic [RW-1:0] peer, next;
    assign peer      = run_i[p*RW +: RW];
    assign next      = (peer < Length) ? (peer + RW'(1'b1)) : Length;
    assign beside[p] = run_q[p*RW +: RW] == Length;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) run_q[p*RW +: RW] <= '0;
      else                    run_q[p*RW +: RW] <= blocked_i[p] ? next : '0;
    end
  end

  // The link behind a + port has the node's own number in its ring, the one behind a - port the number before.
  assign before_x = (at_x_i == '0) ? CW'(KX - 1) : (at_x_i - CW'(1'b1));
  assign before_y = (at_y_i == '0) ? CW'(KY - 1) : (at_y_i - CW'(1'b1));
  assign own_x    = (KX'(beside[0]) << at_x_i) | (KX'(beside[1]) << before_x);
  assign own_y    = (KY'(beside[2]) << at_y_i) | (KY'(beside[3]) << before_y);
  assign told_x   = (blocked_i[0] ? '0 : wall_x_i[0*KX +: KX]) | (blocked_i[1] ? '0 : wall_x_i[1*KX +: KX])
                  | (blocked_i[2] ? '0 : wall_x_i[2*KX +: KX]) | (blocked_i[3] ? '0 : wall_x_i[3*KX +: KX]);
  assign told_y   = (blocked_i[0] ? '0 : wall_y_i[0*KY +: KY]) | (blocked_i[1] ? '0 : wall_y_i[1*KY +: KY])
                  | (blocked_i[2] ? '0 : wall_y_i[2*KY +: KY]) | (blocked_i[3] ? '0 : wall_y_i[3*KY +: KY]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      wall_x_q <= '0;
      wall_y_q <= '0;
    end else begin
      wall_x_q <= wall_x_q | own_x | told_x;
      wall_y_q <= wall_y_q | own_y | told_y;
    end
  end

  assign run_o    = run_q;
  assign wall_x_o = wall_x_q;
  assign wall_y_o = wall_y_q;

endmodule : torus_walls
