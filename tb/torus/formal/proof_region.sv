// SPDX-License-Identifier: Apache-2.0
//
// Proofs about a whole torus of fault_region units with any faults.
//
// Property 0 (with state): in every cycle after the reset each unit shows what the rounds of docs/torus.md §3 say,
// computed over the whole torus at once: the marks of round n after edge n. Property 1 (no state): KX*KY rounds reach
// the fixed point.
module proof_region #(
  parameter int KX       = 3,
  parameter int KY       = 3,
  parameter int Property = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               rule_i,
  input  logic [KX*KY-1:0]   dead_i,    // nodes
  input  logic [2*KX*KY-1:0] broken_i,  // links, 2 * node + dimension
  output logic               bad_o
);

  localparam int N = KX * KY;

  if (Property == 0) begin : gen_rounds
    logic [N-1:0] bad, bad_q, bad_d, wrong;
    logic         seen_q, first_q;  // two edges, one edge since the reset
    always_ff @(posedge clk_i) begin
      seen_q       <= rst_ni && first_q;
      first_q <= rst_ni;
    end
    torus_round_spec #(.KX(KX), .KY(KY)) u_round (.rule_i, .dead_i, .broken_i, .bad_i(bad_q), .bad_o(bad_d));
    always_ff @(posedge clk_i) begin
      if (!rst_ni) bad_q <= '0;
      else         bad_q <= bad_d;
    end
    for (genvar n = 0; n < N; n++) begin : gen_node
      localparam int X  = n % KX;
      localparam int Y  = n / KX;
      localparam int XP = Y * KX + (X + 1) % KX;
      localparam int XM = Y * KX + (X + KX - 1) % KX;
      localparam int YP = ((Y + 1) % KY) * KX + X;
      localparam int YM = ((Y + KY - 1) % KY) * KX + X;
      logic [3:0] blocked, blocked_q, links, peers;
      logic       changed, changed_q;
      assign links = {broken_i[2*YM+1], broken_i[2*n+1], broken_i[2*XM], broken_i[2*n]};
      assign peers = {bad_q[YM] | dead_i[YM], bad_q[YP] | dead_i[YP], bad_q[XM] | dead_i[XM], bad_q[XP] | dead_i[XP]};
      always_ff @(posedge clk_i) begin
        blocked_q <= links | peers;
        changed_q <= (bad_d[n] != bad_q[n]) || ((links | peers) != blocked_q);
      end
      fault_region u_region (
        .clk_i, .rst_ni, .fail_self_i(dead_i[n]), .fail_link_i(links),
        .peer_bad_i({bad[YM] | dead_i[YM], bad[YP] | dead_i[YP], bad[XM] | dead_i[XM], bad[XP] | dead_i[XP]}),
        .rule_i, .clear_i(1'b0), .bad_o(bad[n]), .blocked_o(blocked), .changed_o(changed)
      );
      assign wrong[n] = (bad[n] != bad_q[n]) || (seen_q && ((blocked != blocked_q) || (changed != changed_q)));
    end
    assign bad_o = wrong != '0;
  end else begin : gen_closure
    logic [N-1:0] more;
    for (genvar i = 0; i < N; i++) begin : gen_round
      logic [N-1:0] bad, next;
      if (i == 0) begin : gen_first
        assign bad = dead_i;
      end else begin : gen_next
        assign bad = gen_round[i-1].next;
      end
      torus_round_spec #(.KX(KX), .KY(KY)) u_round (.rule_i, .dead_i, .broken_i, .bad_i(bad), .bad_o(next));
    end
    torus_round_spec #(.KX(KX), .KY(KY)) u_more (.rule_i, .dead_i, .broken_i, .bad_i(gen_round[N-1].next),
                                                 .bad_o(more));
    assign bad_o = more != gen_round[N-1].next;
  end

endmodule : proof_region

// One round of marking over the whole torus, a node at a time.
module torus_round_spec #(
  parameter int KX = 3,
  parameter int KY = 3
) (
  input  logic               rule_i,
  input  logic [KX*KY-1:0]   dead_i,
  input  logic [2*KX*KY-1:0] broken_i,
  input  logic [KX*KY-1:0]   bad_i,
  output logic [KX*KY-1:0]   bad_o
);

  for (genvar n = 0; n < KX * KY; n++) begin : gen_node
    localparam int X  = n % KX;
    localparam int Y  = n / KX;
    localparam int XP = Y * KX + (X + 1) % KX;
    localparam int XM = Y * KX + (X + KX - 1) % KX;
    localparam int YP = ((Y + 1) % KY) * KX + X;
    localparam int YM = ((Y + KY - 1) % KY) * KX + X;
    logic       xp, xm, yp, ym;
    logic [2:0] count;
    assign xp       = broken_i[2*n] || bad_i[XP] || dead_i[XP];
    assign xm       = broken_i[2*XM] || bad_i[XM] || dead_i[XM];
    assign yp       = broken_i[2*n+1] || bad_i[YP] || dead_i[YP];
    assign ym       = broken_i[2*YM+1] || bad_i[YM] || dead_i[YM];
    assign count    = 3'(xp) + 3'(xm) + 3'(yp) + 3'(ym);
    assign bad_o[n] = dead_i[n] || bad_i[n] || (rule_i ? ((xp || xm) && (yp || ym)) : (count >= 3'd2));
  end

endmodule : torus_round_spec
