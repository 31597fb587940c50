// SPDX-License-Identifier: Apache-2.0
//
// A phase of the switch is what docs/router.md §2.3 says, with pointers that are numbers and searches that are loops:
// the same flits leave, the same outputs take, the pointers move as said; with turns both searches begin at the VC
// whose turn it is, if it can move. And, said on its own: an input gives up at most one flit, only one that could move;
// what leaves is taken once or dropped; an output that is asked takes. `bad_o` must never be 1.

module pick_spec #(
  parameter  int Width = 4,
  localparam int IndexWidth = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]      request_i,
  input  logic [IndexWidth-1:0] pointer_i,
  output logic [Width-1:0]      grant_o,
  output logic [IndexWidth-1:0] next_o
);
  integer k;
  logic   found;
  always_comb begin
    grant_o = '0;
    next_o  = pointer_i;
    found   = 1'b0;
    for (k = 0; k < 2 * Width; k = k + 1) begin
      if (!found && (8'(k) >= 8'(pointer_i)) && (8'(k) < 8'(pointer_i) + 8'(Width)) && request_i[k % Width]) begin
        found              = 1'b1;
        grant_o[k % Width] = 1'b1;
        next_o             = IndexWidth'((k + 1) % Width);
      end
    end
  end
endmodule : pick_spec

module pick_miter #(
  parameter  int Width = 4,
  localparam int IndexWidth = $clog2(Width)
) (
  input  logic [Width-1:0]      request_i,
  input  logic [IndexWidth-1:0] pointer_i,
  input  logic                  wrapped_i,  // pointer 0 as a mask of zeros
  output logic                  bad_o
);
  logic [IndexWidth-1:0] pointer, next;
  logic [Width-1:0]      mask, grant, expected, above;
  assign pointer = (wrapped_i || (pointer_i > IndexWidth'(Width - 1))) ? '0 : pointer_i;
  assign mask    = wrapped_i ? '0 : {Width{1'b1}} << pointer;
  router_pick #(.Width(Width)) u_pick (.request_i, .mask_i(mask), .grant_o(grant), .above_o(above));
  pick_spec #(.Width(Width)) u_spec (.request_i, .pointer_i(pointer), .grant_o(expected), .next_o(next));
  logic [Width-1:0] next_mask;
  assign next_mask = (next == '0) ? '0 : {Width{1'b1}} << next;
  assign bad_o = (grant != expected) || ((request_i != '0) && (above != next_mask));
endmodule : pick_miter

module phase_miter #(
  parameter  int N = 3,
  parameter  int V = 2,
  parameter  int Turns = 0,
  localparam int NW = $clog2(N),
  localparam int VW = $clog2(V)
) (
  input  logic [N*V-1:0]   can_i,
  input  logic [N*V*8-1:0] to_i,
  input  logic [N*VW-1:0]  vc_pointer_i,
  input  logic [N*NW-1:0]  in_pointer_i,
  input  logic [7:0]       turn_i,
  output logic             bad_o
);
  logic [N*V-1:0]   vc_mask, vc_mask_next, pop, expected_pop, chosen;
  logic [N*N-1:0]   in_mask, in_mask_next;
  logic [N-1:0]     drop, take, expected_drop, expected_take, wrong_input, wrong_output;
  logic [N*NW-1:0]  from;
  logic [N*8-1:0]   to, expected_to;
  logic [N*N-1:0]   won;   // [N*output + input]
  logic [N*V-1:0]   turn;
  assign turn = ((Turns != 0) && (turn_i < 8'(N * V))) ? (N*V)'(1'b1) << turn_i : '0;
  router_phase #(.N(N), .V(V), .Turns(Turns)) dut (
    .can_i, .to_i, .vc_mask_i(vc_mask), .in_mask_i(in_mask), .turn_i(turn), .pop_o(pop), .drop_o(drop), .to_o(to),
    .take_o(take), .from_o(from), .vc_mask_o(vc_mask_next), .in_mask_o(in_mask_next)
  );

  for (genvar i = 0; i < N; i = i + 1) begin : gen_input
    logic [VW-1:0]  pointer, begins, next, kept;
    logic [V-1:0]   picked, next_mask;
    logic [N-1:0]   granted;
    assign pointer = (vc_pointer_i[VW*i +: VW] > VW'(V - 1)) ? '0 : vc_pointer_i[VW*i +: VW];
    assign vc_mask[V*i +: V] = {V{1'b1}} << pointer;
    pick_spec #(.Width(V)) u_spec (.request_i(can_i[V*i +: V]), .pointer_i(begins), .grant_o(picked), .next_o(next));
    assign chosen[V*i +: V] = picked;
    integer f;
    always_comb begin
      begins = pointer;
      for (f = 0; f < V; f = f + 1) if (turn[V*i + f] && can_i[V*i + f]) begins = VW'(f);
    end
    integer v;
    always_comb begin
      expected_to[8*i +: 8] = '0;
      for (v = 0; v < V; v = v + 1) if (picked[v]) expected_to[8*i +: 8] = to_i[8*(V*i + v) +: 8];
    end
    assign expected_drop[i] = (picked != '0) && (expected_to[8*i+2 +: 6] == 6'd63);
    for (genvar o = 0; o < N; o = o + 1) begin : gen_granted
      assign granted[o] = won[N*o + i];
    end
    assign expected_pop[V*i +: V] = ((granted != '0) || expected_drop[i]) ? picked : '0;
    assign kept      = (expected_pop[V*i +: V] != '0) ? next : pointer;
    assign next_mask = {V{1'b1}} << kept;
    // A mask of zeros is the pointer 0.
    assign wrong_input[i] = ((vc_mask_next[V*i +: V] == '0) ? (kept != '0) : (vc_mask_next[V*i +: V] != next_mask)) ||
                            ((picked != '0) && (to[8*i +: 8] != expected_to[8*i +: 8])) ||
                            ((pop[V*i +: V] & (pop[V*i +: V] - 1'b1)) != '0) ||
                            ((pop[V*i +: V] & ~can_i[V*i +: V]) != '0);
  end

  for (genvar o = 0; o < N; o = o + 1) begin : gen_output
    logic [NW-1:0] pointer, begins, next;
    logic [N-1:0]  ask, next_mask;
    assign pointer = (in_pointer_i[NW*o +: NW] > NW'(N - 1)) ? '0 : in_pointer_i[NW*o +: NW];
    assign in_mask[N*o +: N] = {N{1'b1}} << pointer;
    for (genvar i = 0; i < N; i = i + 1) begin : gen_ask
      assign ask[i] = (chosen[V*i +: V] != '0) && (expected_to[8*i+2 +: 6] == 6'(o));
    end
    integer f;
    always_comb begin
      begins = pointer;
      for (f = 0; f < N * V; f = f + 1) if (turn[f] && can_i[f] && (to_i[8*f+2 +: 6] == 6'(o))) begins = NW'(f / V);
    end
    pick_spec #(.Width(N)) u_spec (.request_i(ask), .pointer_i(begins), .grant_o(won[N*o +: N]), .next_o(next));
    assign expected_take[o] = (ask != '0);
    assign next_mask = {N{1'b1}} << ((ask != '0) ? next : pointer);
    assign wrong_output[o] = ((in_mask_next[N*o +: N] == '0) ? (next_mask != {N{1'b1}})
                                                               : (in_mask_next[N*o +: N] != next_mask)) ||
                             (take[o] && (won[N*o +: N] != N'(1'b1) << from[NW*o +: NW]));
  end

  // What leaves is taken once or dropped.
  integer     k;
  logic [7:0] left, taken;
  always_comb begin
    left  = '0;
    taken = '0;
    for (k = 0; k < N * V; k = k + 1) left = left + 8'(pop[k]);
    for (k = 0; k < N; k = k + 1) taken = taken + 8'(take[k]) + 8'(drop[k]);
  end

  assign bad_o = (pop != expected_pop) || (drop != expected_drop) || (take != expected_take) || (wrong_input != '0) ||
                 (wrong_output != '0) || (left != taken);
endmodule : phase_miter
