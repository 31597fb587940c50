// SPDX-License-Identifier: Apache-2.0
// The masks of the configuration: from the second cycle after a change on they are their function of the registers.

module masks_miter #(
  parameter int A = 32,
  parameter int H = 16,
  parameter int G = 512
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       write_i,
  input  logic [8:0] gid_i,
  input  logic [4:0] bid_i,
  input  logic       absolute_i,
  output logic       bad_o
);

  // The configuration registers change only where changed_i says so, and keep to their range.
  logic [8:0] gid_q;
  logic [4:0] bid_q;
  logic       absolute_q;
  logic       changed;
  logic       fresh_q   = 1'b0;  // the registers changed at the last edge
  logic       started_q = 1'b0;

  assign changed = write_i && (gid_i < G) && (bid_i < A);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gid_q      <= '0;
      bid_q      <= '0;
      absolute_q <= 1'b0;
    end else if (changed) begin
      gid_q      <= gid_i;
      bid_q      <= bid_i;
      absolute_q <= absolute_i;
    end
    fresh_q   <= !rst_ni || changed;
    started_q <= started_q || !rst_ni;
  end

  logic [A*H-1:0] usable, own_window, usable_spec, own_window_spec;

  rc_masks #(.A(A), .H(H), .G(G)) u_dut (
    .clk_i, .rst_ni, .changed_i(changed), .own_gid_i(gid_q), .own_bid_i(bid_q), .absolute_i(absolute_q),
    .usable_o(usable), .own_window_o(own_window)
  );

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_port
    assign usable_spec[j]     = dragonfly_spec::usable(11'(j), gid_q, absolute_q, 11'(G));
    assign own_window_spec[j] = (bid_q == 5'(j / H));
  end

  assign bad_o = started_q && !fresh_q && (usable != usable_spec || own_window != own_window_spec);

endmodule : masks_miter
