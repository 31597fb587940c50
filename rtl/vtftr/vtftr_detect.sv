// SPDX-License-Identifier: Apache-2.0
//
// Detector of a root: which of its links are down, debounced both ways, and a report for the manager of every change
// (docs/vtftr.md §9.4).
//
// A link counts as changed when it has been otherwise for `detect_i` + 1 samples in a row. A change waits until it is
// reported, the lowest link first; one that is undone before is not reported.
//
// Cost: 8 + 3 flip-flops and a counter a link, a priority encoder of S bits.

module vtftr_detect #(
  parameter  int S  = 16,  // links, 2..128
  localparam int CW = vtftr_pkg::CoordWidth
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [S-1:0]  link_up_i,
  input  logic [7:0]    detect_i,
  input  logic          report_ready_i,
  output logic [S-1:0]  dead_o,
  output logic          report_valid_o,
  output logic [CW-1:0] report_leaf_o,
  output logic          report_up_o
);

  logic [S-1:0] down_q, dead_q, told_q, waiting, lowest;
  logic [7:0]   detect_q;

  always_ff @(posedge clk_i) begin
    down_q   <= rst_ni ? ~link_up_i : '0;
    detect_q <= detect_i;
  end

  for (genvar k = 0; k < S; k++) begin : gen_link
    logic [7:0] count_q;
    logic       otherwise;

    assign otherwise = (down_q[k] != dead_q[k]);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        count_q   <= '0;
        dead_q[k] <= 1'b0;
      end else if (!otherwise) begin
        count_q <= '0;
      end else if (count_q >= detect_q) begin
        count_q   <= '0;
        dead_q[k] <= down_q[k];
      end else begin
        count_q <= count_q + 8'd1;
      end
    end
  end

  // ---- Reports ----

  logic          valid_q, up_q, next, free;
  logic [CW-1:0] leaf_q, leaf;

  assign waiting = told_q ^ dead_q;
  assign lowest  = waiting & (~waiting + S'(1'b1));
  assign free    = !valid_q || report_ready_i;
  assign next    = free && (waiting != '0);

  integer i;
  always_comb begin
    leaf = '0;
    for (i = 0; i < S; i = i + 1) begin
      if (lowest[i]) leaf = leaf | CW'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      leaf_q  <= '0;
      up_q    <= 1'b0;
      told_q  <= '0;
    end else if (free) begin
      valid_q <= next;
      leaf_q  <= next ? leaf : '0;
      up_q    <= next && ((lowest & dead_q) == '0);
      told_q  <= next ? (told_q ^ lowest) : told_q;
    end
  end

  assign dead_o         = dead_q;
  assign report_valid_o = valid_q;
  assign report_leaf_o  = leaf_q;
  assign report_up_o    = up_q;

endmodule : vtftr_detect
