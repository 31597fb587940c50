// SPDX-License-Identifier: Apache-2.0
//
// What round-robin promises, and what it does not. `bad_o` must never be 1.

// Who asks in every phase is granted within Width phases: a pick with its pointer, which moves with every grant.
module fair_miter #(
  parameter  int Width = 4,
  localparam int CountWidth = $clog2(Width + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] request_i,
  input  logic [Width-1:0] who_i,      // one of them asks always; the lowest bit that is set
  output logic             bad_o
);
  logic [Width-1:0]      request, grant, above, mask_q, who_q;
  logic [CountWidth-1:0] waits_q;
  logic                  started_q;
  assign request = request_i | who_q;
  router_pick #(.Width(Width)) dut (.request_i(request), .mask_i(mask_q), .grant_o(grant), .above_o(above));
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      mask_q  <= '1;
      waits_q <= '0;
      who_q   <= who_i & (~who_i + 1'b1);
    end else begin
      if (request != '0) mask_q <= above;
      waits_q <= ((grant & who_q) != '0) ? '0 : (waits_q == CountWidth'(Width)) ? waits_q : waits_q + 1'b1;
    end
  end
  assign bad_o = started_q && rst_ni && (who_q != '0) &&
                 ((waits_q + CountWidth'((grant & who_q) == '0)) >= CountWidth'(Width));
endmodule : fair_miter

// It does not promise that a packet is granted which asks in every first phase and can not move in the second: with two
// phases a cycle and one pointer for both, the second phase can move the pointer back behind it every cycle. Here:
//   input 0: a packet for output 1, VC 0;
//   input 1: in the first phase a packet for output 2, in the second one for output 1, VC 1;
//   input 2: a packet for output 1, VC 0, whenever there is a credit.
// A credit comes back a cycle and VC. Input 2 is granted in every first phase and takes the credit of VC 0, input 1 in
// every second one, and the pointer of output 1 is back at input 2. `bad_o` is 1 when input 0 is granted after all.
module starve_miter (
  input  logic clk_i,
  input  logic rst_ni,
  output logic bad_o
);
  logic [5:0]  can_0, can_1, vc_mask_q, vc_mask_0, vc_mask_1, pop_0, pop_1;   // N = 3, V = 2
  logic [8:0]  in_mask_q, in_mask_0, in_mask_1;
  logic [47:0] to_0, to_1;
  logic [23:0] way_0, way_1;
  logic [2:0]  drop_0, drop_1, take_0, take_1;
  logic [5:0]  from_0, from_1;
  logic [3:0]  head_0, body_0, head_1, body_1;
  logic [8:0]  back_q;
  logic        started_q, warm_q;

  localparam logic [7:0] To1Vc0 = {6'd1, 2'd0};
  localparam logic [7:0] To1Vc1 = {6'd1, 2'd1};
  localparam logic [7:0] To2    = {6'd2, 2'd0};

  // VC 0 of the inputs, and of input 1 VC 1 too. Output 2 takes everything, one flit a phase: input 1 alone asks it.
  logic gone;   // input 1 has given up the flit of its VC 0; the next one comes with the next cycle
  assign gone  = pop_0[2];
  assign to_0  = {8'd0, To1Vc0, To1Vc1, To2, 8'd0, To1Vc0};
  assign to_1  = to_0;
  assign can_0 = {1'b0, head_0[0], head_0[1], 1'b1, 1'b0, head_0[0]};
  assign can_1 = {1'b0, head_1[0], head_1[1], !gone, 1'b0, head_1[0]};

  router_phase #(.N(3), .V(2)) u_phase_0 (
    .can_i(can_0), .to_i(to_0), .vc_mask_i(vc_mask_q), .in_mask_i(in_mask_q), .turn_i('0), .pop_o(pop_0),
    .drop_o(drop_0), .to_o(way_0), .take_o(take_0), .from_o(from_0), .vc_mask_o(vc_mask_0), .in_mask_o(in_mask_0)
  );
  router_phase #(.N(3), .V(2)) u_phase_1 (
    .can_i(can_1), .to_i(to_1), .vc_mask_i(vc_mask_0), .in_mask_i(in_mask_0), .turn_i('0), .pop_o(pop_1),
    .drop_o(drop_1), .to_o(way_1), .take_o(take_1), .from_o(from_1), .vc_mask_o(vc_mask_1), .in_mask_o(in_mask_1)
  );

  // Output 1: one credit a VC, back in the next cycle.
  logic [1:0] vc_0, vc_1;
  assign vc_0 = way_0[8*from_0[3:2] +: 2];
  assign vc_1 = way_1[8*from_1[3:2] +: 2];
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      vc_mask_q <= '1;
      in_mask_q <= {3'b111, 3'b100, 3'b111};   // output 1 begins its search at input 2
    end else begin
      vc_mask_q <= vc_mask_1;
      in_mask_q <= in_mask_1;
    end
  end
  router_credits #(.Credits(1)) u_credits (
    .clk_i, .rst_ni, .alive_i(1'b1), .packet_last_i(6'd0),
    .credit_i({18'd0, 8'd0, (take_0[1] && (vc_0 == 2'd1)) || (take_1[1] && (vc_1 == 2'd1)), 8'd0,
               (take_0[1] && (vc_0 == 2'd0)) || (take_1[1] && (vc_1 == 2'd0))}),
    .room_0_i(1'b1), .room_1_i(1'b1), .head_0_o(head_0), .body_0_o(body_0), .head_1_o(head_1), .body_1_o(body_1),
    .take_0_i(take_0[1]), .vc_0_i(vc_0), .tail_0_i(1'b1), .take_1_i(take_1[1]), .vc_1_i(vc_1), .tail_1_i(1'b1)
  );
  assign bad_o = started_q && rst_ni && (pop_0[0] || pop_1[0]);
endmodule : starve_miter

// Nor would it, if only the grants of the first phase moved the pointers. Here a packet can move in the first phase of
// every cycle:
//   input 0: a packet for output 1, VC 0, and one for output 2, VC 1, at which its search begins;
//   input 1: packets for output 1, VC 0 and for output 2, VC 0;
//   input 2: packets for output 1, VC 0 and for output 2, VC 1.
// A credit comes back a cycle, but to VC 1 of output 2 only every second one. In odd cycles input 0 asks output 2 and
// loses to input 2, in even ones it asks output 1 and loses again; in the odd cycles between input 1 moves the pointer
// of output 1 back to input 2, in the even ones that of output 2. `bad_o` is 1 when input 0 is granted after all, or
// when its packet for output 1 can not move.
module flicker_miter (
  input  logic clk_i,
  input  logic rst_ni,
  output logic bad_o
);
  logic [5:0]  can_0, can_1, vc_mask_q, vc_mask_0, unused_vc_mask, pop_0, pop_1;   // N = 3, V = 2
  logic [8:0]  in_mask_q, in_mask_0, unused_in_mask;
  logic [47:0] to;
  logic [23:0] way_0, way_1;
  logic [2:0]  drop_0, drop_1, take_0, take_1;
  logic [5:0]  from_0, from_1;
  logic [3:0]  head_0 [1:2], body_0 [1:2], head_1 [1:2], body_1 [1:2];   // by output
  logic        started_q;

  localparam logic [7:0] To1Vc0 = {6'd1, 2'd0};
  localparam logic [7:0] To2Vc0 = {6'd2, 2'd0};
  localparam logic [7:0] To2Vc1 = {6'd2, 2'd1};

  assign to    = {To2Vc1, To1Vc0, To2Vc0, To1Vc0, To2Vc1, To1Vc0};
  assign can_0 = {head_0[2][1], head_0[1][0], head_0[2][0], head_0[1][0], head_0[2][1], head_0[1][0]};
  assign can_1 = {head_1[2][1], head_1[1][0], head_1[2][0], head_1[1][0], head_1[2][1], head_1[1][0]};

  router_phase #(.N(3), .V(2)) u_phase_0 (
    .can_i(can_0), .to_i(to), .vc_mask_i(vc_mask_q), .in_mask_i(in_mask_q), .turn_i('0), .pop_o(pop_0), .drop_o(drop_0),
    .to_o(way_0), .take_o(take_0), .from_o(from_0), .vc_mask_o(vc_mask_0), .in_mask_o(in_mask_0)
  );
  router_phase #(.N(3), .V(2)) u_phase_1 (
    .can_i(can_1), .to_i(to), .vc_mask_i(vc_mask_0), .in_mask_i(in_mask_0), .turn_i('0), .pop_o(pop_1), .drop_o(drop_1),
    .to_o(way_1), .take_o(take_1), .from_o(from_1), .vc_mask_o(unused_vc_mask), .in_mask_o(unused_in_mask)
  );
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      vc_mask_q <= {2'b10, 2'b11, 2'b10};            // VC 1, VC 0, VC 1: an odd cycle comes first
      in_mask_q <= {3'b100, 3'b111, 3'b111};         // output 2 begins its search at input 2
    end else begin
      vc_mask_q <= vc_mask_0;
      in_mask_q <= in_mask_0;
    end
  end

  for (genvar o = 1; o < 3; o = o + 1) begin : gen_output
    logic [1:0] vc_0, vc_1, used;
    logic       later_q;
    assign vc_0 = way_0[8*from_0[2*o +: 2] +: 2];
    assign vc_1 = way_1[8*from_1[2*o +: 2] +: 2];
    assign used[0] = (take_0[o] && (vc_0 == 2'd0)) || (take_1[o] && (vc_1 == 2'd0));
    assign used[1] = (take_0[o] && (vc_0 == 2'd1)) || (take_1[o] && (vc_1 == 2'd1));
    always_ff @(posedge clk_i) later_q <= rst_ni && used[1];
    router_credits #(.Credits(1)) u_credits (
      .clk_i, .rst_ni, .alive_i(1'b1), .packet_last_i(6'd0), .credit_i({18'd0, 8'd0, later_q, 8'd0, used[0]}),
      .room_0_i(1'b1), .room_1_i(1'b1), .head_0_o(head_0[o]), .body_0_o(body_0[o]), .head_1_o(head_1[o]),
      .body_1_o(body_1[o]), .take_0_i(take_0[o]), .vc_0_i(vc_0), .tail_0_i(1'b1), .take_1_i(take_1[o]), .vc_1_i(vc_1),
      .tail_1_i(1'b1)
    );
  end
  assign bad_o = started_q && rst_ni && ((pop_0[1:0] != 2'd0) || (pop_1[1:0] != 2'd0) || !can_0[0]);
endmodule : flicker_miter

// With turns it is granted: a packet that can move in a phase of at least one of any `Cycles` cycles is passed over for
// less than Cycles * (N * V + 1) cycles, whatever all others do and wherever the pointers are.
module turn_miter #(
  parameter  int N      = 3,
  parameter  int V      = 2,
  parameter  int Cycles = 2,
  localparam int Bound      = Cycles * (N * V + 1),
  localparam int CountWidth = $clog2(Bound + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [N*V-1:0]   can_0_i,
  input  logic [N*V-1:0]   can_1_i,
  input  logic [N*V*8-1:0] to_0_i,
  input  logic [N*V*8-1:0] to_1_i,
  input  logic [N*V-1:0]   who_i,      // the VC that is looked at: the lowest bit that is set
  input  logic             phase_i,    // in which it can move when it has to
  output logic             bad_o
);
  logic [N*V-1:0]        who_q, due_0, due_1, can_0, can_1, turn, vc_mask_q, vc_mask_0, vc_mask_1, pop_0, pop_1;
  logic [N*N-1:0]        in_mask_q, in_mask_0, in_mask_1;
  logic [N*8-1:0]        way_0, way_1;
  logic [N-1:0]          drop_0, drop_1, take_0, take_1;
  logic [N*$clog2(N)-1:0] from_0, from_1;
  logic [CountWidth-1:0] waits_q;
  logic [7:0]            idle_q;     // cycles in which it could not move
  logic                  started_q, could, goes;

  // An output of the router, or none.
  logic [N*V*8-1:0] to_0, to_1;
  for (genvar n = 0; n < N * V; n = n + 1) begin : gen_to
    assign to_0[8*n +: 8] = (to_0_i[8*n+2 +: 6] < 6'(N)) ? to_0_i[8*n +: 8] : {router_pkg::PortNone, 2'd0};
    assign to_1[8*n +: 8] = (to_1_i[8*n+2 +: 6] < 6'(N)) ? to_1_i[8*n +: 8] : {router_pkg::PortNone, 2'd0};
  end

  assign due_0 = ((idle_q >= 8'(Cycles - 1)) && !phase_i) ? who_q : '0;
  assign due_1 = ((idle_q >= 8'(Cycles - 1)) && phase_i) ? who_q : '0;
  assign can_0 = can_0_i | due_0;
  assign can_1 = can_1_i | due_1;
  assign could = ((can_0 | can_1) & who_q) != '0;
  assign goes  = ((pop_0 | pop_1) & who_q) != '0;

  router_turn #(.Places(N * V), .Cycles(Cycles)) u_turn (.clk_i, .rst_ni, .turn_o(turn));
  router_phase #(.N(N), .V(V), .Turns(1)) u_phase_0 (
    .can_i(can_0), .to_i(to_0), .vc_mask_i(vc_mask_q), .in_mask_i(in_mask_q), .turn_i(turn), .pop_o(pop_0),
    .drop_o(drop_0), .to_o(way_0), .take_o(take_0), .from_o(from_0), .vc_mask_o(vc_mask_0), .in_mask_o(in_mask_0)
  );
  router_phase #(.N(N), .V(V), .Turns(1)) u_phase_1 (
    .can_i(can_1), .to_i(to_1), .vc_mask_i(vc_mask_0), .in_mask_i(in_mask_0), .turn_i(turn), .pop_o(pop_1),
    .drop_o(drop_1), .to_o(way_1), .take_o(take_1), .from_o(from_1), .vc_mask_o(vc_mask_1), .in_mask_o(in_mask_1)
  );
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      vc_mask_q <= '1;
      in_mask_q <= '1;
      who_q     <= who_i & (~who_i + 1'b1);
      waits_q   <= '0;
      idle_q    <= '0;
    end else begin
      vc_mask_q <= vc_mask_1;
      in_mask_q <= in_mask_1;
      waits_q   <= goes ? '0 : (waits_q == CountWidth'(Bound)) ? waits_q : waits_q + 1'b1;
      idle_q    <= could ? '0 : idle_q + 8'd1;
    end
  end
  assign bad_o = started_q && rst_ni && (who_q != '0) && !goes && (waits_q >= CountWidth'(Bound - 1));
endmodule : turn_miter
