// SPDX-License-Identifier: Apache-2.0
//
// One phase of the switch: an iteration of separable input-first allocation. Every input picks one VC that could move,
// every output picks one of the inputs that ask for it. Pointers move past the winner of a grant. A packet without an
// option asks for no output: it is dropped when its input picks it. A VC whose turn it is goes first wherever it could
// be. Meaning: docs/router.md §2.
//
// Cost: N picks of V and N picks of N places, N * N wires each way with a comparator a crossing, N multiplexers of V
// places: combinational.

module router_phase #(
  parameter  int N          = 7,                        // ports, 2..63
  parameter  int V          = 4,                        // virtual channels, 1..4
  parameter  int Turns      = 0,                        // 1: there are turns
  localparam int ToWidth    = router_pkg::ToWidth,
  localparam int IndexWidth = $clog2(N)
) (
  input  logic [N*V-1:0]          can_i,      // the first flit of VC v of input i could move
  input  logic [N*V*ToWidth-1:0]  to_i,       // where to
  input  logic [N*V-1:0]          vc_mask_i,  // pointer of every input, as a mask (router_pick)
  input  logic [N*N-1:0]          in_mask_i,  // pointer of every output
  input  logic [N*V-1:0]          turn_i,     // one-hot: the VC whose turn it is
  output logic [N*V-1:0]          pop_o,      // VC v of input i gives up its first flit
  output logic [N-1:0]            drop_o,     // and it goes nowhere
  output logic [N*ToWidth-1:0]    to_o,       // where the flit that input i has picked would go
  output logic [N-1:0]            take_o,     // output o takes a flit
  output logic [N*IndexWidth-1:0] from_o,     // from this input
  output logic [N*V-1:0]          vc_mask_o,
  output logic [N*N-1:0]          in_mask_o
);

  for (genvar i = 0; i < N; i = i + 1) begin : gen_input
    logic [V-1:0]         can, first, picked, above;
    logic [ToWidth*V-1:0] every;
    logic [ToWidth-1:0]   to;
    logic [5:0]           port;
    logic [N-1:0]         ask, won;   // of output o
    logic                 dropped, granted;

    assign can   = can_i[V*i +: V];
    assign every = to_i[ToWidth*V*i +: ToWidth*V];
    assign first = (Turns != 0) ? can & turn_i[V*i +: V] : '0;
    router_pick #(.Width(V)) u_pick (.request_i(can), .mask_i((first != '0) ? first : vc_mask_i[V*i +: V]),
                                     .grant_o(picked), .above_o(above));

    integer v;
    always_comb begin
      to = '0;
      for (v = 0; v < V; v = v + 1) begin
        if (picked[v]) to = to | every[ToWidth*v +: ToWidth];
      end
    end

    assign port    = to[router_pkg::VcWidth +: router_pkg::PortWidth];
    assign ask     = (can != '0) ? N'(1'b1) << port : '0;
    assign dropped = (can != '0) && (port == router_pkg::PortNone);
    assign granted = dropped || (won != '0);

    assign pop_o[V*i +: V]           = granted ? picked : '0;
    assign drop_o[i]                 = dropped;
    assign to_o[ToWidth*i +: ToWidth] = to;
    assign vc_mask_o[V*i +: V]       = granted ? above : vc_mask_i[V*i +: V];
  end

  for (genvar o = 0; o < N; o = o + 1) begin : gen_output
    logic [N-1:0] asked, first, picked, above;
    for (genvar i = 0; i < N; i = i + 1) begin : gen_crossing
      assign asked[i]            = gen_input[i].ask[o];
      assign first[i]            = gen_input[i].ask[o] && (gen_input[i].first != '0);
      assign gen_input[i].won[o] = picked[i];
    end
    router_pick #(.Width(N)) u_pick (.request_i(asked), .mask_i((first != '0) ? first : in_mask_i[N*o +: N]),
                                     .grant_o(picked), .above_o(above));

    router_index #(.Width(N)) u_index (.onehot_i(picked), .index_o(from_o[IndexWidth*o +: IndexWidth]));
    assign take_o[o]           = (asked != '0);
    assign in_mask_o[N*o +: N] = take_o[o] ? above : in_mask_i[N*o +: N];
  end

  if (Turns == 0) begin : gen_no_turns
    logic unused_turn;
    assign unused_turn = (turn_i == '0);
  end

endmodule : router_phase
