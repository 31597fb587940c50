// SPDX-License-Identifier: Apache-2.0
//
// A request a cycle, answered after exactly 3 edges in a leaf, 4 in a root (5 above 32 ports), whatever comes beside
// it; a reset forgets what is on its way. A root keeps the virtual channel.

module proof_latency #(
  parameter int N = 4,
  parameter int S = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         req_valid_i,
  input  logic         req_vc_i,
  input  logic [18:0]  req_dest_i,
  input  logic [6:0]   own_i,
  input  logic [1:0]   class_i,
  input  logic         safe_i,
  input  logic [N-1:0] fr_i,
  input  logic [S-1:0] dead_i,
  input  logic         upd_valid_i,
  input  logic [6:0]   upd_row_i,
  output logic         bad_o
);

  localparam int Root = (S > 32) ? 5 : 4;

  logic       leaf_valid, root_valid, root_vc, started_q;
  logic [4:0] valid_q, vc_q;

  vtftr_leaf #(.N(N), .M(N), .P(2), .U(2)) u_leaf (
    .clk_i, .rst_ni, .own_x_i(own_i), .own_y_i(own_i), .class_i, .safe_i, .req_valid_i, .req_dest_i, .req_vc_i, .fr_i,
    .fc_i(fr_i), .cf_i(1'b0), .row_down_i(2'd0), .column_down_i(2'd0), .resp_valid_o(leaf_valid), .resp_port_o(),
    .resp_vc_o(), .resp_kind_o(), .probe_o()
  );
  vtftr_root #(.N(S), .M(S), .S(S)) u_root (
    .clk_i, .rst_ni, .dim_i(class_i[0]), .own_i, .in_port_i(own_i), .safe_i, .exclude_i(safe_i), .req_valid_i,
    .req_leaf_i(req_dest_i[18:5]), .req_vc_i, .dead_i, .mask_i('0), .upd_valid_i, .upd_row_i, .upd_data_i('0),
    .lfsr_load_i(1'b0), .lfsr_value_i(16'd1), .upd_ready_o(), .resp_valid_o(root_valid), .resp_port_o(),
    .resp_vc_o(root_vc), .resp_kind_o(), .lfsr_o(), .probe_o()
  );

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni ? {valid_q[3:0], req_valid_i} : '0;
    vc_q    <= {vc_q[3:0], req_vc_i};
    if (!rst_ni) started_q <= 1'b1;
  end

  assign bad_o = started_q &&
                 ((leaf_valid != valid_q[2]) || (root_valid != valid_q[Root-1]) ||
                  (root_valid && (root_vc != vc_q[Root-1])));

endmodule : proof_latency
