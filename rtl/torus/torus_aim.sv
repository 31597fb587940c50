// SPDX-License-Identifier: Apache-2.0
//
// First stage of torus_route (docs/torus.md §5, rules 1 to 3): where does the packet stand, in which phase, in which
// direction, in which class? Looks at coordinates, header and walls, not at the ports.
//
// Cost: one torus_direction for the dimension of the phase, six comparators of CW bits: combinational.

module torus_aim #(
  parameter int KX   = 10,
  parameter int KY   = 10,
  parameter int CW   = 4,  // bits of a coordinate
  parameter int Ring = 1   // side of phase x: 1 the ring's shorter way, 0 the sign of the offset
) (
  input  logic          fresh_i,   // from the node's own port: the header means nothing
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,  // {back, around, dir, dim}
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  output logic          in_column_o,
  output logic          in_row_o,
  output logic          phase_y_o,
  output logic          minus_o,   // direction of the phase
  output logic          walled_o,  // the phase begins, and walls part the packet from its destination
  output logic          class_o,   // r
  output logic          side_o,    // phase x: around after a step
  output logic          around_o,  // as the packet has it now
  output logic          back_o
);

  localparam int Width = (KX > KY) ? KX : KY;

  logic             had_y, begins, chosen_minus, walled;
  logic [CW-1:0]    at, dest, radius;
  logic [Width-1:0] wall;

  assign in_column_o = at_x_i == dest_x_i;
  assign in_row_o    = at_y_i == dest_y_i;
  assign had_y       = ~fresh_i & header_i[0];
  assign phase_y_o   = had_y | in_column_o;
  assign begins      = fresh_i | (in_column_o & ~had_y);

  assign at     = phase_y_o ? at_y_i : at_x_i;
  assign dest   = phase_y_o ? dest_y_i : dest_x_i;
  assign radius = phase_y_o ? CW'(KY / 2) : CW'(KX / 2);
  assign wall   = phase_y_o ? Width'(wall_y_i) : Width'(wall_x_i);

  torus_direction #(.CW(CW), .Width(Width)) u_direction (
    .at_i(at), .dest_i(dest), .radius_i(radius), .wall_i(wall), .minus_o(chosen_minus), .walled_o(walled)
  );

  assign minus_o  = begins ? chosen_minus : header_i[1];
  assign walled_o = begins & walled;
  assign class_o  = (dest < at) | (minus_o & (dest == at));

  if (Ring != 0) begin : gen_ring_side
    // The way up modulo KY is 1..KY/2; one more bit than a coordinate.
    logic [CW:0] up;
    assign up     = {1'b0, dest_y_i} - {1'b0, at_y_i} + ((dest_y_i < at_y_i) ? (CW+1)'(KY) : '0);
    assign side_o = (up == '0) || (up > (CW+1)'(KY / 2));
  end else begin : gen_sign_side
    assign side_o = dest_y_i <= at_y_i;
  end

  assign around_o = fresh_i ? side_o : header_i[2];
  assign back_o   = header_i[3];  // where a phase begins, phase x or the column itself, nobody asks for it

endmodule : torus_aim
