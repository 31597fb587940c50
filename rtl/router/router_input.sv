// SPDX-License-Identifier: Apache-2.0
//
// Input port: the virtual channels with their flits, and the heads that are on their way through route compute.
//
// What stands at the pins is taken at the edge. A tag accompanies every head through the four stages of route compute,
// so an answer finds its VC. Meaning: docs/router.md §2.2.
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

  logic [TagRanks*TagWidth-1:0] tag_q;
  logic [TagWidth-1:0]          tag_d, answered;
  logic                         live, write;
  logic [1:0]                   in_vc;

  assign live  = rst_ni && alive_i;
  assign write = in_valid_i && !in_cut_i;
  assign in_vc = router_pkg::flit_vc(in_flit_i[router_pkg::FlitHeaderWidth-1:0]);
  assign tag_d = {write && router_pkg::flit_head(in_flit_i[router_pkg::FlitHeaderWidth-1:0]),
                  router_pkg::flit_last(in_flit_i[router_pkg::FlitHeaderWidth-1:0]), in_vc};

  always_ff @(posedge clk_i) begin
    if (!live) tag_q <= '0;
    else       tag_q <= {tag_q[(TagRanks-1)*TagWidth-1:0], tag_d};
  end

  logic                                push;
  logic [1:0]                          push_vc;
  logic [router_pkg::ControlWidth-1:0] control;

  assign answered = tag_q[(TagRanks-1)*TagWidth +: TagWidth];
  assign push     = router_pkg::tag_valid(answered);
  assign push_vc  = router_pkg::tag_vc(answered);
  assign control  = {router_pkg::tag_last(answered),
                     (ans_port_i < 6'(N)) ? {ans_port_i, ans_vc_i} : {router_pkg::PortNone, 2'd0}};

  // ---- Virtual channels ----

  logic [2*V*Width-1:0] banks;   // [2*vc + bank]
  logic [V-1:0]         bank_0, bank_1;

  for (genvar v = 0; v < V; v = v + 1) begin : gen_vc
    logic [CountWidth-1:0]  left;
    logic [CreditWidth-1:0] owed_q;
    logic                   mine;

    assign mine = (in_vc == 2'(v));

    router_vc #(.Width(Width), .Depth(Depth)) u_vc (
      .clk_i, .rst_ni, .alive_i,
      .write_i     (write && mine),
      // Parentheses: yosys 0.23 takes ~Width for the size.
      .flit_i      (in_flit_i & ~(Width'(router_pkg::FlitVcMask))),
      .push_i      (push && (push_vc == 2'(v))),
      .control_i   (control),
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
      .bank_0_o    (bank_0[v]),
      .bank_1_o    (bank_1[v]),
      .even_o      (banks[2*v*Width +: Width]),
      .odd_o       (banks[(2*v+1)*Width +: Width]),
      .left_o      (left)
    );

    // Slots that the edge makes free: of a flit that is discarded, of all flits when the router dies.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q <= '0;
      else owed_q <= (alive_i ? '0 : CreditWidth'(left)) + CreditWidth'(in_valid_i && mine && (in_cut_i || !alive_i));
    end
    assign credit_o[CreditWidth*v +: CreditWidth] = owed_q + CreditWidth'(pop_0_i[v]) + CreditWidth'(pop_1_i[v]);
  end

  // ---- What has left, in the cycle after ----

  logic [2:0] at_0_q, at_1_q;    // {vc, bank}
  logic [1:0] vc_0, vc_1;

  router_index #(.Width(V)) u_index_0 (.onehot_i(pop_0_i), .index_o(vc_0));
  router_index #(.Width(V)) u_index_1 (.onehot_i(pop_1_i), .index_o(vc_1));

  always_ff @(posedge clk_i) begin
    at_0_q <= {vc_0, (pop_0_i & bank_0) != '0};
    at_1_q <= {vc_1, (pop_1_i & bank_1) != '0};
  end

  assign flit_0_o = banks[Width*at_0_q +: Width];
  assign flit_1_o = banks[Width*at_1_q +: Width];

endmodule : router_input
