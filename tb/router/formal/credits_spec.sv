// SPDX-License-Identifier: Apache-2.0
//
// The flags of an output port against numbers: free slots and owners after every grant (docs/router.md §2.3), with any
// grants that the flags allow and any return of slots that are in use. Slots here and behind the port are always as
// many as after reset. `bad_o` must never be 1.

module credits_miter #(
  parameter int Credits  = 3,
  parameter int Ejection = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        alive_i,
  input  logic        last_i,      // packets of 1 or 2 flits; changes at any time
  input  logic [1:0]  room_i,
  input  logic [7:0]  back_i,      // slots that come back, a VC: at most what is in use
  input  logic        want_0_i,
  input  logic [1:0]  vc_0_i,
  input  logic        tail_0_i,
  input  logic        want_1_i,
  input  logic [1:0]  vc_1_i,
  input  logic        tail_1_i,
  output logic        bad_o
);
  logic        started_q = 1'b0, live;
  always_ff @(posedge clk_i) started_q <= started_q || !rst_ni;
  assign live = started_q && rst_ni;

  // The model: slots in use, owners.
  logic [15:0] used_q, used_1;
  logic [3:0]  held_q, held_1, allowed_head_0, allowed_body_0, allowed_head_1, allowed_body_1;
  logic [3:0]  head_0, body_0, head_1, body_1;
  logic [35:0] credit;
  logic        take_0, take_1;
  logic [3:0]  hit_0, hit_1;
  assign hit_0 = take_0 ? 4'd1 << vc_0_i : 4'd0;
  assign hit_1 = take_1 ? 4'd1 << vc_1_i : 4'd0;

  // Does the flit come as a head or as a body? As a body exactly when a packet holds the VC.
  assign take_0 = want_0_i && (held_q[vc_0_i] ? body_0[vc_0_i] : head_0[vc_0_i]);
  assign take_1 = want_1_i && (held_1[vc_1_i] ? body_1[vc_1_i] : head_1[vc_1_i]);

  for (genvar v = 0; v < 4; v = v + 1) begin : gen_vc
    logic [3:0] used, after, back;
    assign used  = used_q[4*v +: 4];
    assign after = used + 4'(hit_0[v]);
    assign used_1[4*v +: 4] = after;
    assign back  = (4'(back_i[2*v +: 2]) > used) ? used : 4'(back_i[2*v +: 2]);
    assign credit[9*v +: 9] = (Ejection != 0) ? 9'(back_i[2*v +: 2]) : 9'(back);
    assign held_1[v] = hit_0[v] ? !tail_0_i : held_q[v];
    assign allowed_head_0[v] = room_i[0] && !held_q[v] && ((Ejection != 0) || (used + 4'(last_q) < 4'(Credits)));
    assign allowed_body_0[v] = room_i[0] && ((Ejection != 0) || (used < 4'(Credits)));
    assign allowed_head_1[v] = room_i[1] && !held_1[v] && ((Ejection != 0) || (after + 4'(last_q) < 4'(Credits)));
    assign allowed_body_1[v] = room_i[1] && ((Ejection != 0) || (after < 4'(Credits)));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        used_q[4*v +: 4] <= '0;
        held_q[v]        <= 1'b0;
      end else begin
        used_q[4*v +: 4] <= (Ejection != 0) ? 4'd0 : after + 4'(hit_1[v]) - back;
        held_q[v]        <= !alive_i ? 1'b0 : hit_1[v] ? !tail_1_i : held_1[v];
      end
    end
  end
  logic last_q;
  always_ff @(posedge clk_i) last_q <= last_i;

  router_credits #(.Credits(Credits), .Ejection(Ejection)) dut (
    .clk_i, .rst_ni, .alive_i, .packet_last_i({5'd0, last_q}), .credit_i(credit), .room_0_i(room_i[0]),
    .room_1_i(room_i[1]), .head_0_o(head_0), .body_0_o(body_0), .head_1_o(head_1), .body_1_o(body_1), .take_0_i(take_0),
    .vc_0_i, .tail_0_i, .take_1_i(take_1), .vc_1_i, .tail_1_i
  );

  assign bad_o = live &&
                 ((head_0 != allowed_head_0) || (body_0 != allowed_body_0) || (head_1 != allowed_head_1) ||
                  (body_1 != allowed_body_1));
endmodule : credits_miter

// A buffer behind a link never overflows, and no slot is lost or made: an output port, wires both ways, and a VC that
// gives flits up whenever it likes. The link goes down now and then: it cuts what is arriving, what is on it then may
// be discarded, and so is the rest of a packet that was cut. A poisoned tail has a slot that nobody counts.

module buffer_miter #(
  parameter int Depth = 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       want_0_i,
  input  logic       want_1_i,
  input  logic       tail_i,   // of the flit that arrives
  input  logic       down_i,
  input  logic       cut_i,
  input  logic       pop_0_i,
  input  logic       pop_1_i,
  output logic       bad_o
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= started_q || !rst_ni;

  logic [3:0] head_0, body_0, head_1, body_1;
  logic       take_0, take_1, pop_0, pop_1, now_valid, next_valid;
  assign take_0 = want_0_i && head_0[0];
  assign take_1 = want_1_i && head_1[0];
  assign pop_0  = pop_0_i && now_valid;
  assign pop_1  = pop_1_i && (pop_0 ? next_valid : now_valid);

  // Two flits may be granted in a cycle, one goes onto the wire; a credit word goes back. Packets of up to three flits,
  // as the sender counts them.
  logic [3:0] fifo_q;
  logic       wire_q, push_q, goes, head, tail, write, arriving;
  logic [1:0] sent_q;
  logic [8:0] back_q, freed;
  assign goes  = (fifo_q != '0);
  assign head  = (sent_q == 2'd0);
  assign tail  = tail_i || (sent_q == 2'd2);
  assign write = wire_q && (head ? !cut_i : arriving);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fifo_q <= '0;
      wire_q <= 1'b0;
      back_q <= '0;
      push_q <= 1'b0;
      sent_q <= '0;
    end else begin
      fifo_q <= fifo_q - 4'(goes) + 4'(take_0) + 4'(take_1);
      wire_q <= goes;
      back_q <= freed + 9'(wire_q && !write);
      push_q <= write && head;
      if (wire_q) sent_q <= tail ? 2'd0 : sent_q + 2'd1;
    end
  end

  router_credits #(.Credits(Depth)) u_credits (
    .clk_i, .rst_ni, .alive_i(1'b1), .packet_last_i(6'd0), .credit_i({27'd0, back_q}), .room_0_i(1'b1), .room_1_i(1'b1),
    .head_0_o(head_0), .body_0_o(body_0), .head_1_o(head_1), .body_1_o(body_1), .take_0_i(take_0), .vc_0_i(2'd0),
    .tail_0_i(1'b1), .take_1_i(take_1), .vc_1_i(2'd0), .tail_1_i(1'b1)
  );

  logic now_head, now_tail, next_head, next_tail, bank_0, bank_1, even, odd, cut, poison;
  logic [7:0] now_to, next_to;
  logic [$clog2(Depth+1)-1:0] left;
  router_vc #(.Width(1), .Depth(Depth)) u_vc (
    .clk_i, .rst_ni, .alive_i(1'b1), .write_i(write), .flit_i(1'b0), .tail_i(tail), .push_i(push_q), .to_i(8'd0),
    .down_i, .asked_i(1'b0), .cut_o(cut), .arriving_o(arriving), .now_valid_o(now_valid), .now_head_o(now_head),
    .now_tail_o(now_tail), .now_to_o(now_to), .next_valid_o(next_valid), .next_head_o(next_head),
    .next_tail_o(next_tail), .next_to_o(next_to), .pop_0_i(pop_0), .pop_1_i(pop_1), .poison_o(poison),
    .bank_0_o(bank_0), .bank_1_o(bank_1), .even_o(even), .odd_o(odd), .left_o(left), .freed_o(freed)
  );

  // Slots that the sender has taken and not got back: of flits in its FIFO, on the wire, in the buffer, and of credits.
  logic [5:0] out_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_q <= '0;
    else out_q <= out_q + 6'(take_0) + 6'(take_1) - 6'(back_q);
  end
  assign bad_o = started_q && rst_ni &&
                 ((write && (32'(left) >= 32'(Depth))) ||
                  (out_q != 6'(fifo_q) + 6'(wire_q) + 6'(left) + 6'(freed) + 6'(back_q)));
endmodule : buffer_miter

// Between head and tail no other packet has the VC: sources that hold to the flags, in any order, two grants a cycle.

module owner_miter #(
  parameter int Ejection = 0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       room_i,
  input  logic [1:0] who_0_i,   // the source that is granted in phase 0, and its packet's VC and length
  input  logic [1:0] vc_0_i,
  input  logic       tail_0_i,
  input  logic       want_0_i,
  input  logic [1:0] who_1_i,
  input  logic [1:0] vc_1_i,
  input  logic       tail_1_i,
  input  logic       want_1_i,
  output logic       bad_o
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= started_q || !rst_ni;

  // A source is in a packet, which has a VC. A packet's VC is owned by a source.
  logic [3:0] busy_q, busy_1, owned_q, owned_1;
  logic [7:0] vc_q, vc_at_1, owner_q, owner_at_1;
  logic [3:0] head_0, body_0, head_1, body_1;
  logic       take_0, take_1, first_0, first_1, bad_0, bad_1;
  logic [1:0] vc_0, vc_1;

  assign first_0 = !busy_q[who_0_i];
  assign vc_0    = first_0 ? vc_0_i : vc_q[2*who_0_i +: 2];
  assign take_0  = want_0_i && (first_0 ? head_0[vc_0] : body_0[vc_0]);
  assign bad_0   = take_0 && (first_0 ? owned_q[vc_0] : !(owned_q[vc_0] && (owner_q[2*vc_0 +: 2] == who_0_i)));
  assign first_1 = !busy_1[who_1_i];
  assign vc_1    = first_1 ? vc_1_i : vc_at_1[2*who_1_i +: 2];
  assign take_1  = want_1_i && (first_1 ? head_1[vc_1] : body_1[vc_1]);
  assign bad_1   = take_1 && (first_1 ? owned_1[vc_1] : !(owned_1[vc_1] && (owner_at_1[2*vc_1 +: 2] == who_1_i)));

  for (genvar s = 0; s < 4; s = s + 1) begin : gen_source
    logic mine_0, mine_1;
    assign mine_0 = take_0 && (who_0_i == 2'(s));
    assign mine_1 = take_1 && (who_1_i == 2'(s));
    assign busy_1[s] = mine_0 ? !tail_0_i : busy_q[s];
    assign vc_at_1[2*s +: 2] = mine_0 ? vc_0 : vc_q[2*s +: 2];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) busy_q[s] <= 1'b0;
      else busy_q[s] <= mine_1 ? !tail_1_i : busy_1[s];
      vc_q[2*s +: 2] <= mine_1 ? vc_1 : vc_at_1[2*s +: 2];
    end
  end
  for (genvar v = 0; v < 4; v = v + 1) begin : gen_vc
    logic hit_0, hit_1;
    assign hit_0 = take_0 && (vc_0 == 2'(v));
    assign hit_1 = take_1 && (vc_1 == 2'(v));
    assign owned_1[v] = hit_0 ? !tail_0_i : owned_q[v];
    assign owner_at_1[2*v +: 2] = hit_0 ? who_0_i : owner_q[2*v +: 2];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) owned_q[v] <= 1'b0;
      else owned_q[v] <= hit_1 ? !tail_1_i : owned_1[v];
      owner_q[2*v +: 2] <= hit_1 ? who_1_i : owner_at_1[2*v +: 2];
    end
  end

  // Slots come back as fast as they are taken.
  logic [35:0] credit;
  for (genvar v = 0; v < 4; v = v + 1) begin : gen_credit
    assign credit[9*v +: 9] = 9'(take_0 && (vc_0 == 2'(v))) + 9'(take_1 && (vc_1 == 2'(v)));
  end
  router_credits #(.Credits(2), .Ejection(Ejection)) dut (
    .clk_i, .rst_ni, .alive_i(1'b1), .packet_last_i(6'd0), .credit_i(credit), .room_0_i(room_i), .room_1_i(room_i),
    .head_0_o(head_0), .body_0_o(body_0), .head_1_o(head_1), .body_1_o(body_1), .take_0_i(take_0), .vc_0_i(vc_0),
    .tail_0_i, .take_1_i(take_1), .vc_1_i(vc_1), .tail_1_i
  );
  assign bad_o = started_q && rst_ni && (bad_0 || bad_1);
endmodule : owner_miter
