// SPDX-License-Identifier: Apache-2.0
//
// Credits on their way to a monitor: in every cycle it gets all that are owed, two at most; none is lost and none is
// made. `owed_q` is what has come and was not given. Never more come than there are slots behind a port: a sum that
// does not fit into the counter says nothing. `bad_o` must never be 1.

module backlog_miter (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [8:0] credit_i,
  output logic       bad_o
);
  logic       started_q;
  logic [1:0] given, expected;
  logic [8:0] owed_q;
  logic [9:0] owed;

  router_backlog dut (.clk_i, .rst_ni, .credit_i, .credit_o(given));

  assign owed     = {1'b0, owed_q} + {1'b0, credit_i};
  assign expected = (owed >= 10'd2) ? 2'd2 : owed[1:0];

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    owed_q    <= rst_ni ? 9'(owed - {8'd0, given}) : '0;
  end

  assign bad_o = started_q && rst_ni && !owed[9] && (given != expected);
endmodule : backlog_miter
