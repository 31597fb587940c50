// SPDX-License-Identifier: Apache-2.0
//
// The rules of a leaf in K dimensions: the first that fits of docs/vtftr.md §8.2. Bit d is dimension d. The channel
// that a packet asks for has a higher rank, {channel, dimension, down}, than the one that it holds, whatever the inputs
// say.
//
// Cost: seven masks of K bits, the lowest bit of the first that is not empty: combinational.

module vtftr_dimensions_rules #(
  parameter int K = 3  // dimensions, 2..4
) (
  input  logic [2:0]   from_i,     // 0: a node; d + 1: a root of dimension d
  input  logic [1:0]   vc_i,
  input  logic [1:0]   last_vc_i,
  input  logic         known_i,    // the destination lives
  input  logic [K-1:0] differs_i,  // the coordinate is not the destination's
  input  logic [K-1:0] own_i,      // the leaf has an uplink
  input  logic [K-1:0] next_i,     // the leaf at the destination's coordinate is attached
  input  logic [K-1:0] full_i,     // every line across is masked
  output logic         eject_o,
  output logic         drop_o,
  output logic [1:0]   dimension_o,
  output logic         around_o,
  output logic [1:0]   vc_o
);

  logic [K-1:0] above, leads, open, clean, on, turn, out, aside, through, back, behind, chosen;
  logic         up, last;

  // Dimensions above the one that the packet comes from; the others are behind it.
  assign above = {K{1'b1}} << from_i;
  assign last  = (vc_i == last_vc_i);

  assign leads = differs_i & own_i & next_i;
  assign open  = differs_i & own_i;
  assign clean = own_i & ~full_i;

  // In the order of the rules: on, on the next channel, round a blocked one, aside, through masked ones, both on the
  // next channel.
  assign on      = leads & above;
  assign turn    = (vc_i < last_vc_i) ? (leads & ~above) : '0;
  assign out     = open & clean & above;
  assign aside   = clean & ~differs_i & above;
  assign through = open & above;
  assign back    = last ? '0 : (open & clean & ~above);
  assign behind  = last ? '0 : (open & ~above);

  assign chosen = (on != '0)      ? on
                : (turn != '0)    ? turn
                : (out != '0)     ? out
                : (aside != '0)   ? aside
                : (through != '0) ? through
                : (back != '0)    ? back
                                  : behind;

  assign eject_o = (differs_i == '0);
  assign drop_o  = !eject_o && (!known_i || (chosen == '0));
  assign up      = !eject_o && !drop_o;

  logic [K-1:0] lowest;
  assign lowest = chosen & (~chosen + K'(1'b1));

  integer d;
  always_comb begin
    dimension_o = 2'd0;
    for (d = 0; d < K; d = d + 1) begin
      if (up && lowest[d]) dimension_o = 2'(d);
    end
  end

  assign around_o = up && (on == '0) && (turn == '0);
  assign vc_o     = !up ? 2'd0 : ((chosen & above) != '0) ? vc_i : (vc_i + 2'd1);

endmodule : vtftr_dimensions_rules
