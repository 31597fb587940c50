// SPDX-License-Identifier: Apache-2.0
//
// Route unit of an input port of a leaf switch: where a packet goes, on which virtual channel (docs/vtftr.md §9.1).
//
// r0 (inputs) -> stage 2: look-up of the destination in FR and FC, the rail of either dimension -> stage 3: the rules,
// the output port. A request a cycle, answered after three edges with tables and uplinks as they were at the first.
// Without a request all outputs but the probe are 0.
//
// Cost: 39 + N + M + 2*U, 28 and 16 flip-flops, and the logic of the two stages.

module vtftr_leaf #(
  parameter  int N  = 16,  // columns, 2..128
  parameter  int M  = 16,  // rows, 2..128
  parameter  int P  = 16,  // nodes of a leaf, 1..32
  parameter  int U  = 16,  // rails, a divisor of P
  localparam int CW = vtftr_pkg::CoordWidth,
  localparam int NW = vtftr_pkg::NodeWidth,
  localparam int PW = vtftr_pkg::PortWidth
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [CW-1:0]                      own_x_i,
  input  logic [CW-1:0]                      own_y_i,
  input  logic [1:0]                         class_i,
  input  logic                               safe_i,
  input  logic                               req_valid_i,
  input  logic [vtftr_pkg::AddressWidth-1:0] req_dest_i,
  input  logic                               req_vc_i,
  input  logic [N-1:0]                       fr_i,
  input  logic [M-1:0]                       fc_i,
  input  logic                               cf_i,
  input  logic [U-1:0]                       row_down_i,
  input  logic [U-1:0]                       column_down_i,
  output logic                               resp_valid_o,
  output logic [PW-1:0]                      resp_port_o,
  output logic                               resp_vc_o,
  output logic [3:0]                         resp_kind_o,
  output logic [5:0]                         probe_o
);

  // ---- r0 ----

  logic [CW-1:0]                      own_x_q, own_y_q;
  logic [1:0]                         class_q;
  logic                               safe_q, valid_q, vc_q, cf_q;
  logic [vtftr_pkg::AddressWidth-1:0] dest_q;
  logic [N-1:0]                       fr_q;
  logic [M-1:0]                       fc_q;
  logic [U-1:0]                       row_down_q, column_down_q;

  always_ff @(posedge clk_i) begin
    own_x_q       <= own_x_i;
    own_y_q       <= own_y_i;
    class_q       <= class_i;
    safe_q        <= safe_i;
    dest_q        <= req_dest_i;
    vc_q          <= req_vc_i;
    fr_q          <= fr_i;
    fc_q          <= fc_i;
    cf_q          <= cf_i;
    row_down_q    <= row_down_i;
    column_down_q <= column_down_i;
    valid_q       <= rst_ni && req_valid_i;
  end

  // ---- Stage 2: look-up ----

  logic          column_right, row_right, row_dead, column_dead, known, no_row, no_column;
  logic [NW-1:0] rail, row_rail, column_rail;

  vtftr_leaf_lookup #(.N(N), .M(M), .P(P), .U(U)) u_lookup (
    .own_x_i       (own_x_q),
    .own_y_i       (own_y_q),
    .dest_i        (dest_q),
    .fr_i          (fr_q),
    .fc_i          (fc_q),
    .column_right_o(column_right),
    .row_right_o   (row_right),
    .row_dead_o    (row_dead),
    .column_dead_o (column_dead),
    .known_o       (known),
    .rail_o        (rail)
  );
  vtftr_rail #(.U(U)) u_row_rail (.down_i(row_down_q), .wanted_i(rail), .rail_o(row_rail), .none_o(no_row));
  vtftr_rail #(.U(U)) u_column_rail (.down_i(column_down_q), .wanted_i(rail), .rail_o(column_rail), .none_o(no_column));

  logic          column_right_q, row_right_q, row_dead_q, column_dead_q, known_q, cf2_q, safe2_q, vc2_q, valid2_q;
  logic          no_row_q, no_column_q;
  logic [1:0]    class2_q;
  logic [NW-1:0] row_rail_q, column_rail_q, node_q;

  always_ff @(posedge clk_i) begin
    column_right_q <= column_right;
    row_right_q    <= row_right;
    row_dead_q     <= row_dead;
    column_dead_q  <= column_dead;
    known_q        <= known;
    no_row_q       <= no_row;
    no_column_q    <= no_column;
    row_rail_q     <= row_rail;
    column_rail_q  <= column_rail;
    node_q         <= dest_q[NW-1:0];
    class2_q       <= class_q;
    safe2_q        <= safe_q;
    cf2_q          <= cf_q;
    vc2_q          <= vc_q;
    valid2_q       <= rst_ni && valid_q;
  end

  // ---- Stage 3: decide ----

  logic [3:0]    rule, kind;
  logic          column, vc, goes;
  logic [PW-1:0] port;

  vtftr_leaf_rules u_rules (
    .class_i       (class2_q),
    .safe_i        (safe2_q),
    .vc_i          (vc2_q),
    .column_right_i(column_right_q),
    .row_right_i   (row_right_q),
    .row_dead_i    (row_dead_q),
    .column_dead_i (column_dead_q),
    .cf_i          (cf2_q),
    .known_i       (known_q),
    .kind_o        (rule),
    .column_o      (column),
    .vc_o          (vc)
  );

  assign goes = (rule != vtftr_pkg::LeafEject) && (rule < vtftr_pkg::LeafLoop);
  assign kind = (goes && (column ? no_column_q : no_row_q)) ? vtftr_pkg::LeafNoRail : rule;
  assign port = (kind >= vtftr_pkg::LeafLoop)   ? vtftr_pkg::NoPort
              : (kind == vtftr_pkg::LeafEject)  ? PW'(node_q)
              : column                          ? (PW'(P + U) + PW'(column_rail_q))
                                                : (PW'(P) + PW'(row_rail_q));

  logic          resp_valid_q, resp_vc_q;
  logic [PW-1:0] resp_port_q;
  logic [3:0]    resp_kind_q;
  logic [2:0]    read_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !valid2_q) begin
      resp_valid_q <= 1'b0;
      resp_port_q  <= '0;
      resp_vc_q    <= 1'b0;
      resp_kind_q  <= '0;
      read_q       <= '0;
    end else begin
      resp_valid_q <= 1'b1;
      resp_port_q  <= port;
      resp_vc_q    <= vc;
      resp_kind_q  <= kind;
      read_q       <= {cf2_q, column_dead_q, row_dead_q};
    end
  end

  assign resp_valid_o = resp_valid_q;
  assign resp_port_o  = resp_port_q;
  assign resp_vc_o    = resp_vc_q;
  assign resp_kind_o  = resp_kind_q;
  assign probe_o      = {read_q, resp_valid_q, valid2_q, valid_q};

endmodule : vtftr_leaf
