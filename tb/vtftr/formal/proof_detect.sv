// SPDX-License-Identifier: Apache-2.0
//
// The detector's reports: each says of its link the contrary of the report before, so that none is told twice and none
// is lost on the way.

module proof_detect #(
  parameter int S = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [S-1:0] link_up_i,
  input  logic         detect_i,
  input  logic         report_ready_i,
  output logic         bad_o
);

  logic [S-1:0] dead, told_q, at;
  logic         valid, up, started_q;
  logic [6:0]   leaf;

  vtftr_detect #(.S(S)) u_detect (
    .clk_i, .rst_ni, .link_up_i, .detect_i({7'd0, detect_i}), .report_ready_i, .dead_o(dead), .report_valid_o(valid),
    .report_leaf_o(leaf), .report_up_o(up)
  );

  assign at = S'(1'b1) << leaf;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      told_q    <= '0;
      started_q <= 1'b1;
    end else if (valid && report_ready_i) begin
      told_q <= up ? (told_q & ~at) : (told_q | at);
    end
  end

  assign bad_o = started_q && valid && (((told_q & at) != '0) != up);

endmodule : proof_detect
