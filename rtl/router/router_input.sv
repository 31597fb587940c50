// SPDX-License-Identifier: Apache-2.0
//
// Input port: the virtual channels with their flits, and the heads that are on their way through route compute.
//
// What stands at the pins is taken at the edge. A tag accompanies every head through the four stages of route compute,
// so an answer finds its VC; when a link that is down cuts its packet before, the tag is taken out. A flit that is no
// head is discarded when the one before it was. Meaning: docs/router.md §2.2, §2.9.
//
// Cost: the VCs, 5 tags, a count of owed slots a VC, two multiplexers of 8 flits.

module router_input #(
  parameter  int Width       = 128,
  parameter  int Depth       = 32,                       // flits a VC, even
  parameter  int N           = 7,                        // ports
  localparam int V           = router_pkg::NumVcs,
  localparam int ToWidth     = router_pkg::ToWidth,
  localparam int TagWidth    = router_pkg::TagWidth,
  localparam int TagRanks    = router_pkg::TagRanks,
  localparam int CreditWidth = router_pkg::CreditWidth,
  localparam int CountWidth  = $clog2(Depth + 1)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     alive_i,
  // From the link
  input  logic                     in_valid_i,
  input  logic                     in_cut_i,
  input  logic [Width-1:0]         in_flit_i,
  input  logic                     down_i,               // it is down in this cycle
  // From the response register of route compute, for the head whose tag is in the last rank
  input  logic [5:0]               ans_port_i,
  input  logic [1:0]               ans_vc_i,
  // To the switch: the first flit of every VC, and what is first once it has left
  output logic [V-1:0]             now_valid_o,
  output logic [V-1:0]             now_head_o,
  output logic [V-1:0]             now_tail_o,
  output logic [V*ToWidth-1:0]     now_to_o,
  output logic [V-1:0]             next_valid_o,
  output logic [V-1:0]             next_head_o,
  output logic [V-1:0]             next_tail_o,
  output logic [V*ToWidth-1:0]     next_to_o,
  // Flits that leave: pins of their own for each phase, because the second depends on the first
  input  logic [V-1:0]             pop_0_i,              // one-hot or 0
  input  logic [V-1:0]             pop_1_i,
  output logic [Width-1:0]         flit_0_o,             // in the next cycle; its VC is 0
  output logic [Width-1:0]         flit_1_o,
  output logic [V*CreditWidth-1:0] credit_o              // slots that become free in this cycle
);

  // ---- Heads in route compute ----

  localparam int Asking = TagRanks - 1;   // heads that have no answer yet, the youngest is rank 0

  logic [TagRanks*TagWidth-1:0] tag_q;
  logic [Asking*TagWidth-1:0]   tag_kept;
  logic                         live, write, head;
  logic [1:0]                   in_vc;
  logic [V-1:0]                 cut, arriving;
  logic [V-1:0]                 asked;

  assign live  = rst_ni && alive_i;
  assign in_vc = in_flit_i[router_pkg::FlitVcLsb +: 2];
  assign head  = in_flit_i[router_pkg::FlitHeadBit];
  assign write = in_valid_i && !in_cut_i && (head || arriving[in_vc]);

  // VCs of the heads that ask. A cut takes out the youngest one of its VC: `asked` has those of the ranks before.
  integer                     r;
  logic [Asking*TagWidth-1:0] asking;
  logic [V-1:0]               whose;
  assign asking = tag_q[Asking*TagWidth-1:0];
  always_comb begin
    tag_kept = asking;
    asked    = '0;
    whose    = '0;
    for (r = 0; r < Asking; r = r + 1) begin
      whose = asking[TagWidth*r + TagWidth-1] ? V'(1'b1) << asking[TagWidth*r +: 2] : '0;
      tag_kept[TagWidth*r + TagWidth-1] = (whose & ~(cut & ~asked)) != '0;
      asked = asked | whose;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!live) tag_q <= '0;
    else       tag_q <= {tag_kept, write && head, in_vc};
  end

  logic               push;
  logic [1:0]         push_vc;
  logic [ToWidth-1:0] to;

  assign {push, push_vc} = tag_q[(TagRanks-1)*TagWidth +: TagWidth];
  assign to       = (ans_port_i < 6'(N)) ? {ans_port_i, ans_vc_i} : {router_pkg::PortNone, 2'd0};

  // ---- Virtual channels ----

  logic [2*V*Width-1:0] banks;   // [2*vc + bank]
  logic [V-1:0]         bank_0, bank_1, poison;

  for (genvar v = 0; v < V; v = v + 1) begin : gen_vc
    logic [CountWidth-1:0]  left;
    logic [CreditWidth-1:0] owed_q, freed;
    logic                   mine;

    assign mine = (in_vc == 2'(v));

    router_vc #(.Width(Width), .Depth(Depth)) u_vc (
      .clk_i, .rst_ni, .alive_i,
      .write_i     (write && mine),
      // Parentheses: yosys 0.23 takes ~Width for the size.
      .flit_i      (in_flit_i & ~(Width'(router_pkg::FlitVcMask))),
      .tail_i      (in_flit_i[router_pkg::FlitTailBit]),
      .push_i      (push && (push_vc == 2'(v))),
      .to_i        (to),
      .down_i,
      .asked_i     (asked[v]),
      .cut_o       (cut[v]),
      .arriving_o  (arriving[v]),
      .now_valid_o (now_valid_o[v]),
      .now_head_o  (now_head_o[v]),
      .now_tail_o  (now_tail_o[v]),
      .now_to_o    (now_to_o[ToWidth*v +: ToWidth]),
      .next_valid_o(next_valid_o[v]),
      .next_head_o (next_head_o[v]),
      .next_tail_o (next_tail_o[v]),
      .next_to_o   (next_to_o[ToWidth*v +: ToWidth]),
      .pop_0_i     (pop_0_i[v]),
      .pop_1_i     (pop_1_i[v]),
      .poison_o    (poison[v]),
      .bank_0_o    (bank_0[v]),
      .bank_1_o    (bank_1[v]),
      .even_o      (banks[2*v*Width +: Width]),
      .odd_o       (banks[(2*v+1)*Width +: Width]),
      .left_o      (left),
      .freed_o     (freed)
    );

    // Slots that the edge makes free: of a flit that is discarded, of all flits when the router dies.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q <= '0;
      else owed_q <= (alive_i ? '0 : CreditWidth'(left)) + CreditWidth'(in_valid_i && mine && (!write || !alive_i));
    end
    assign credit_o[CreditWidth*v +: CreditWidth] = owed_q + freed;
  end

  // ---- What has left, in the cycle after ----

  logic [2:0] at_0_q, at_1_q;    // {vc, bank}
  logic       poison_0_q, poison_1_q;
  logic [1:0] vc_0, vc_1;

  router_index #(.Width(V)) u_index_0 (.onehot_i(pop_0_i), .index_o(vc_0));
  router_index #(.Width(V)) u_index_1 (.onehot_i(pop_1_i), .index_o(vc_1));

  always_ff @(posedge clk_i) begin
    at_0_q <= {vc_0, (pop_0_i & bank_0) != '0};
    at_1_q <= {vc_1, (pop_1_i & bank_1) != '0};
    poison_0_q <= (pop_0_i & poison) != '0;
    poison_1_q <= (pop_1_i & poison & ~pop_0_i) != '0;
  end

  assign flit_0_o = poison_0_q ? Width'(router_pkg::PoisonedTail) : banks[Width*at_0_q +: Width];
  assign flit_1_o = poison_1_q ? Width'(router_pkg::PoisonedTail) : banks[Width*at_1_q +: Width];

endmodule : router_input
