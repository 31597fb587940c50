// SPDX-License-Identifier: Apache-2.0
//
// Direction round a ring (docs/torus.md §4): the shorter way, on a tie without the wrap link; the other one where that
// crosses a wall.
//
// The links of the way in direction + are the positions at..dest-1, cyclically: the exclusive or of two thermometer
// codes, inverted when the way goes over the wrap link. Bits above the ring are set then, and a wall has none there.
//
// Cost: a subtractor, two comparators, two thermometers and two AND-OR trees of Width bits: combinational.

module torus_direction #(
  parameter int CW    = 4,  // bits of a coordinate
  parameter int Width = 10  // nodes of the longest ring
) (
  input  logic [CW-1:0]    at_i,
  input  logic [CW-1:0]    dest_i,
  input  logic [CW-1:0]    radius_i,  // half the ring, rounded down
  input  logic [Width-1:0] wall_i,
  output logic             minus_o,
  output logic             walled_o   // both ways cross a wall
);

  logic             above, below, near, wanted_minus, plus_crosses, minus_crosses;
  logic [CW-1:0]    distance;
  logic [Width-1:0] plus_way;

  assign above    = dest_i > at_i;
  assign below    = dest_i < at_i;
  assign distance = above ? (dest_i - at_i) : (at_i - dest_i);
  assign near     = distance <= radius_i;

  assign plus_way      = ({Width{1'b1}} << at_i) ^ ({Width{1'b1}} << dest_i) ^ {Width{below}};
  assign plus_crosses  = (wall_i & plus_way) != '0;
  assign minus_crosses = (wall_i & ~plus_way) != '0;

  assign wanted_minus = above != near;
  assign minus_o      = wanted_minus ? ~minus_crosses : plus_crosses;
  assign walled_o     = plus_crosses & minus_crosses;

endmodule : torus_direction
