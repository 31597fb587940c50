// SPDX-License-Identifier: Apache-2.0
//
// Route unit of an input port of a root switch: to the target's leaf, or misrouted round it (docs/vtftr.md §9.2).
//
// r0 (inputs) -> stage 2: the target's row of the table of alternatives, the LFSR -> stage 3: the ports that may be
// taken -> stage 4: one of them (above 32 ports a stage more: its rank, then its number). A request a cycle, answered
// after 4 (5) edges with the links and masks as they were at the first. A write of the table waits while a request is
// read. Without a request all response pins are 0.
//
// Cost: S words of S bits of RAM with one port (mask form: none), about 4*S + 70 flip-flops.

module vtftr_root #(
  parameter  int N          = 16,  // columns, 2..128
  parameter  int M          = 16,  // rows, 2..128
  parameter  int S          = 16,  // ports: the longer of both
  parameter  int MaskForm   = 0,   // 1: no table, the alternatives follow from `mask_i`
  localparam int CW         = vtftr_pkg::CoordWidth,
  localparam int PW         = vtftr_pkg::PortWidth,
  localparam int PickStages = (S > 32) ? 2 : 1
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic                               dim_i,
  input  logic [CW-1:0]                      own_i,
  input  logic [CW-1:0]                      in_port_i,
  input  logic                               safe_i,
  input  logic                               exclude_i,
  input  logic                               req_valid_i,
  input  logic [2*CW-1:0]                    req_leaf_i,
  input  logic                               req_vc_i,
  input  logic [S-1:0]                       dead_i,
  input  logic [S-1:0]                       mask_i,
  input  logic                               upd_valid_i,
  input  logic [CW-1:0]                      upd_row_i,
  input  logic [S-1:0]                       upd_data_i,
  input  logic                               lfsr_load_i,
  input  logic [15:0]                        lfsr_value_i,
  output logic                               upd_ready_o,
  output logic                               resp_valid_o,
  output logic [PW-1:0]                      resp_port_o,
  output logic                               resp_vc_o,
  output logic [2:0]                         resp_kind_o,
  output logic [15:0]                        lfsr_o,
  output logic [5:0]                         probe_o
);

  localparam int RowWidth = $clog2(S);

  // ---- r0 ----

  logic                               dim_q, safe_q, exclude_q, valid_q, vc_q, load_q;
  logic [CW-1:0]                      own_q, in_q, x_q, y_q;
  logic [S-1:0]                       dead_q;
  logic [15:0]                        load_value_q;

  always_ff @(posedge clk_i) begin
    dim_q        <= dim_i;
    own_q        <= own_i;
    in_q         <= in_port_i;
    safe_q       <= safe_i;
    exclude_q    <= exclude_i;
    x_q          <= req_leaf_i[CW-1:0];
    y_q          <= req_leaf_i[2*CW-1:CW];
    vc_q         <= req_vc_i;
    dead_q       <= dead_i;
    load_value_q <= lfsr_value_i;
    valid_q      <= rst_ni && req_valid_i;
    load_q       <= rst_ni && lfsr_load_i && (lfsr_value_i != '0);
  end

  // ---- Stage 2: the target, its alternatives, the LFSR ----

  logic [CW-1:0] target, other;
  logic          known;
  logic [15:0]   lfsr;

  assign target = dim_q ? y_q : x_q;
  assign other  = dim_q ? x_q : y_q;
  assign known  = (8'(x_q) < 8'(N)) && (8'(y_q) < 8'(M));

  lfsr16 u_lfsr (
    .clk_i,
    .rst_ni,
    .advance_i   (valid_q),
    .load_i      (load_q),
    .load_value_i(load_value_q),
    .state_o     (lfsr)
  );

  logic          valid2_q, dim2_q, safe2_q, exclude2_q, known2_q, last2_q, vc2_q;
  logic [CW-1:0] target2_q, in2_q;
  logic [S-1:0]  dead2_q, row2;
  logic [15:0]   lfsr2_q;

  always_ff @(posedge clk_i) begin
    valid2_q   <= rst_ni && valid_q;
    dim2_q     <= dim_q;
    safe2_q    <= safe_q;
    exclude2_q <= exclude_q;
    known2_q   <= known;
    last2_q    <= (other == own_q);
    vc2_q      <= vc_q;
    target2_q  <= target;
    in2_q      <= in_q;
    dead2_q    <= dead_q;
    lfsr2_q    <= lfsr;
  end

  logic upd_waits;

  if (MaskForm != 0) begin : gen_mask
    logic [S-1:0] mask_q, mask2_q;
    logic         unused;
    always_ff @(posedge clk_i) begin
      mask_q  <= mask_i;
      mask2_q <= mask_q;
    end
    assign unused      = ^{upd_valid_i, upd_row_i, upd_data_i};
    assign row2        = ~mask2_q;
    assign upd_waits   = 1'b0;
    assign upd_ready_o = 1'b1;
  end else begin : gen_table
    logic          read, write, upd_q;
    logic          unused;
    logic [CW-1:0] upd_row_q;
    logic [S-1:0]  upd_data_q;

    logic [RowWidth-1:0] row_at;

    assign row_at      = read ? target[RowWidth-1:0] : upd_row_q[RowWidth-1:0];
    assign unused      = ^{mask_i, upd_row_q};
    assign read        = valid_q && known;
    assign write       = upd_q && !read;
    assign upd_waits   = upd_q;
    assign upd_ready_o = !upd_q || !read;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        upd_q <= 1'b0;
      end else if (upd_ready_o) begin
        upd_q <= upd_valid_i && (8'(upd_row_i) < 8'(S));
      end
      if (upd_ready_o) begin
        upd_row_q  <= upd_row_i;
        upd_data_q <= upd_data_i;
      end
    end

    ram_1p #(.Width(S), .Depth(S)) u_table (
      .clk_i,
      .rst_ni,
      .req_i  (read || write),
      .write_i(write),
      .addr_i (row_at),
      .wdata_i(upd_data_q),
      .rdata_o(row2)
    );
  end

  // ---- Stage 3: the ports that may be taken ----

  logic [2:0]   kind;
  logic [S-1:0] ports;

  vtftr_candidates #(.N(N), .M(M), .S(S)) u_candidates (
    .dim_i    (dim2_q),
    .safe_i   (safe2_q),
    .exclude_i(exclude2_q),
    .known_i  (known2_q),
    .last_i   (last2_q),
    .vc_i     (vc2_q),
    .target_i (target2_q),
    .in_i     (in2_q),
    .dead_i   (dead2_q),
    .row_i    (row2),
    .kind_o   (kind),
    .ports_o  (ports)
  );

  logic         valid3_q, vc3_q;
  logic [2:0]   kind3_q;
  logic [S-1:0] ports3_q;
  logic [15:0]  lfsr3_q;

  always_ff @(posedge clk_i) begin
    valid3_q <= rst_ni && valid2_q;
    vc3_q    <= vc2_q;
    kind3_q  <= kind;
    ports3_q <= ports;
    lfsr3_q  <= lfsr2_q;
  end

  // ---- Stage 4: one of them ----

  logic [6:0]    rank, select_rank;
  logic [S-1:0]  select_ports;
  logic          select_valid, select_vc, extra_valid;
  logic [2:0]    select_kind;
  logic [PW-1:0] port;

  vtftr_rank #(.S(S)) u_rank (.ports_i(ports3_q), .lfsr_i(lfsr3_q), .rank_o(rank));

  if (PickStages == 2) begin : gen_two
    logic         valid4_q, vc4_q;
    logic [2:0]   kind4_q;
    logic [S-1:0] ports4_q;
    logic [6:0]   rank4_q;
    always_ff @(posedge clk_i) begin
      valid4_q <= rst_ni && valid3_q;
      vc4_q    <= vc3_q;
      kind4_q  <= kind3_q;
      ports4_q <= ports3_q;
      rank4_q  <= rank;
    end
    assign select_valid = valid4_q;
    assign select_vc    = vc4_q;
    assign select_kind  = kind4_q;
    assign select_ports = ports4_q;
    assign select_rank  = rank4_q;
    assign extra_valid  = valid4_q;
  end else begin : gen_one
    assign select_valid = valid3_q;
    assign select_vc    = vc3_q;
    assign select_kind  = kind3_q;
    assign select_ports = ports3_q;
    assign select_rank  = rank;
    assign extra_valid  = 1'b0;
  end

  vtftr_select #(.S(S)) u_select (.ports_i(select_ports), .rank_i(select_rank), .port_o(port));

  logic          resp_valid_q, resp_vc_q;
  logic [PW-1:0] resp_port_q;
  logic [2:0]    resp_kind_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !select_valid) begin
      resp_valid_q <= 1'b0;
      resp_port_q  <= '0;
      resp_vc_q    <= 1'b0;
      resp_kind_q  <= '0;
    end else begin
      resp_valid_q <= 1'b1;
      resp_port_q  <= port;
      resp_vc_q    <= select_vc;
      resp_kind_q  <= select_kind;
    end
  end

  assign resp_valid_o = resp_valid_q;
  assign resp_port_o  = resp_port_q;
  assign resp_vc_o    = resp_vc_q;
  assign resp_kind_o  = resp_kind_q;
  assign lfsr_o       = lfsr;
  assign probe_o      = {upd_waits, resp_valid_q, extra_valid, valid3_q, valid2_q, valid_q};

endmodule : vtftr_root
