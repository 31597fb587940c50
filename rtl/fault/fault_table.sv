// SPDX-License-Identifier: Apache-2.0
//
// Access to the table of a port and the action on it (docs/fault.md §5, §6.1): Banks single-port RAMs, row r in bank r
// mod Banks, shared by three masters. Route compute always has them, then comes the command at work, then the
// configuration. Every bank has its own action unit; the RAMs are outside.
//
// Because a read of route compute may come between the action's read and its write, the word that the action has read
// is kept.
//
// Cost: in each bank a register of 9 + 3*NumPorts bits and the action's logic.

module fault_table #(
  parameter  int P         = 2,
  parameter  int A         = 4,
  parameter  int H         = 2,
  parameter  int G         = 8,
  parameter  int Banks     = 1,
  localparam int NumPorts  = P + A - 1 + H,
  localparam int Rows      = P + A + G,
  localparam int Steps     = (Rows + Banks - 1) / Banks,
  localparam int StepShift = $clog2(Banks),
  localparam int StepWidth = (Steps > 1) ? $clog2(Steps) : 1,
  localparam int WordWidth = 9 + 3 * NumPorts  // {has_a, port_a, level_a, options_b, lost, partial}
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Pins of the unit
  input  logic                      cfg_valid_i,
  input  logic [9:0]                cfg_row_i,
  input  logic                      cfg_has_a_i,
  input  logic [5:0]                cfg_a_i,
  input  logic [NumPorts-1:0]       cfg_b_i,
  input  logic                      route_read_i,
  input  logic [9:0]                route_row_i,
  output logic [WordWidth-1:0]      route_word_o,
  // The RAMs
  output logic [Banks-1:0]           ram_req_o,
  output logic                       ram_write_o,  // of those that are asked
  output logic [StepWidth-1:0]       ram_step_o,
  output logic [Banks*WordWidth-1:0] ram_wdata_o,
  input  logic [Banks*WordWidth-1:0] ram_rdata_i,  // in the cycle after a read
  // The command at work, and the step
  input  logic                      travel_i,
  input  logic                      restores_i,
  input  logic                      partial_i,
  input  logic                      gateway_i,
  input  logic                      safe_i,
  input  logic                      isolated_i,
  input  logic [1:0]                class_i,
  input  logic [5:0]                fp_i,
  input  logic [1:0]                scope_i,
  input  logic [NumPorts-1:0]       unheard_i,
  input  logic                      idle_i,
  input  logic                      start_i,
  input  logic [9:0]                first_row_i,
  input  logic [9:0]                row_i,
  input  logic [9:0]                base_row_i,
  input  logic                      read_i,      // the row is read
  input  logic                      executed_i,  // and written, if it has changed
  // The rows of the step, one a bank
  output logic                      route_read_o,  // the RAMs are route compute's in this cycle
  output logic                      cfg_write_o,
  output logic                      write_o,
  output logic [Banks-1:0]          active_o,    // the row exists and is meant
  output logic [2*Banks-1:0]        zone_o,
  output logic [Banks-1:0]          changed_o,
  output logic [2*Banks-1:0]        level_a_o,   // marks after the action
  output logic [Banks*NumPorts-1:0] lost_o,
  output logic [Banks*NumPorts-1:0] partial_o,
  output logic [2*Banks-1:0]        level_d_o,   // accessibility after the action
  output logic [2*Banks-1:0]        level_s_o,
  output logic [Banks-1:0]          hold_o       // class D stays as it was
);

  localparam int LaneWidth = (Banks > 1) ? StepShift : 1;

  // Input registers.
  logic                cfg_valid_q, cfg_has_a_q, route_read_q;
  logic [9:0]          cfg_row_q, route_row_q;
  logic [5:0]          cfg_a_q;
  logic [NumPorts-1:0] cfg_b_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cfg_valid_q  <= 1'b0;
      route_read_q <= 1'b0;
    end else begin
      cfg_valid_q  <= cfg_valid_i;
      route_read_q <= route_read_i;
    end
  end

  always_ff @(posedge clk_i) begin
    cfg_has_a_q <= cfg_has_a_i;
    cfg_row_q   <= cfg_row_i;
    cfg_a_q     <= cfg_a_i;
    cfg_b_q     <= cfg_b_i;
    route_row_q <= route_row_i;
  end

  assign route_read_o = route_read_q;

  // Who has the RAMs?
  logic                 fetched_q;  // the RAMs show what the action has read
  logic                 write;
  logic [9:0]           own_row;
  assign write_o     = executed_i && (changed_o != '0);
  assign cfg_write_o = idle_i && !start_i && cfg_valid_q && !route_read_q;
  assign write       = write_o || cfg_write_o;
  assign own_row     = cfg_write_o ? cfg_row_q : start_i ? first_row_i : row_i;
  assign ram_write_o = write;
  assign ram_step_o  = StepWidth'((route_read_q ? route_row_q : own_row) >> StepShift);

  for (genvar b = 0; b < Banks; b = b + 1) begin : gen_bank
    logic [9:0] row;
    logic [1:0] zone;
    assign row  = base_row_i + 10'(b);
    assign zone = (row < 10'(P)) ? fault_pkg::ZoneN : (row < 10'(P + A)) ? fault_pkg::ZoneB : fault_pkg::ZoneG;
    assign zone_o[2*b +: 2] = zone;
    assign active_o[b] = (Banks == 1) || (travel_i ? (row < 10'(Rows)) : (row == row_i));

    logic [WordWidth-1:0] ram_wdata, ram_rdata, word, word_q;
    logic                 writes;
    assign ram_req_o[b]                            = read_i || writes || route_read_q;
    assign ram_wdata_o[b*WordWidth +: WordWidth]   = ram_wdata;
    assign ram_rdata                               = ram_rdata_i[b*WordWidth +: WordWidth];

    always_ff @(posedge clk_i) begin
      if (fetched_q) word_q <= ram_rdata;
    end
    assign word = fetched_q ? ram_rdata : word_q;

    logic                has_a, row_changed;
    logic [5:0]          port_a;
    logic [1:0]          level_a, level;
    logic [NumPorts-1:0] options_b, lost, partial;
    assign {has_a, port_a, level_a, options_b, lost, partial} = word;
    assign level = restores_i ? fault_pkg::LevelFull : !(partial_i && (zone == fault_pkg::ZoneG)) ? fault_pkg::LevelLost
                 : gateway_i ? fault_pkg::LevelGateway : fault_pkg::LevelPartial;

    fault_action #(.P(P), .A(A), .H(H)) u_action (
      .safe_i, .isolated_i, .class_i, .fp_i,
      .level_i    (level),
      .scope_i, .unheard_i,
      .zone_i     (zone),
      .has_a_i    (has_a),
      .port_a_i   (port_a),
      .options_b_i(options_b),
      .level_a_i  (level_a),
      .lost_i     (lost),
      .partial_i  (partial),
      .changed_o  (row_changed),
      .level_a_o  (level_a_o[2*b +: 2]),
      .lost_o     (lost_o[b*NumPorts +: NumPorts]),
      .partial_o  (partial_o[b*NumPorts +: NumPorts]),
      .level_d_o  (level_d_o[2*b +: 2]),
      .level_s_o  (level_s_o[2*b +: 2]),
      .hold_o     (hold_o[b])
    );
    assign changed_o[b] = row_changed && active_o[b];
    assign writes       = cfg_write_o
                        ? ((Banks == 1) || (cfg_row_q == 10'(cfg_row_q >> StepShift << StepShift) + 10'(b)))
                        : (write_o && changed_o[b]);
    assign ram_wdata    = cfg_write_o ? {cfg_has_a_q, cfg_a_q, fault_pkg::LevelFull, cfg_b_q, {(2*NumPorts){1'b0}}}
                                      : {has_a, port_a, level_a_o[2*b +: 2], options_b, lost_o[b*NumPorts +: NumPorts],
                                         partial_o[b*NumPorts +: NumPorts]};
  end

  // What route compute has read.
  logic [LaneWidth-1:0] route_bank_q;
  always_ff @(posedge clk_i) begin
    fetched_q    <= read_i;
    route_bank_q <= LaneWidth'((Banks > 1) ? route_row_q & 10'(Banks - 1) : 10'd0);
  end
  assign route_word_o = ram_rdata_i[WordWidth*route_bank_q +: WordWidth];

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      ram_left_to_route_compute: assert (!((read_i || write) && route_read_q));
    end
  end
`endif
`endif

endmodule : fault_table
