// SPDX-License-Identifier: Apache-2.0
// The history window holds exactly the departures of the last `length` cycles since the last change of the length: the
// running sum over a circular memory equals a recount over a shift register, for every sequence of lengths and
// departures.
module proof_window #(
  parameter int MaxWindow = 4
) (
  input  logic       clk_i,
  input  logic [2:0] length_i,
  input  logic       event_i,
  output logic       bad_o
);
  localparam int LengthWidth = $clog2(MaxWindow + 1);

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic [LengthWidth-1:0] length, sum;
  assign length = (length_i > 3'(MaxWindow)) ? LengthWidth'(MaxWindow) : LengthWidth'(length_i);

  credit_history #(.MaxWindow(MaxWindow)) dut (.clk_i, .rst_ni(started), .length_i(length), .event_i, .sum_o(sum));

  // The last events, the newest first; a bit is 0 when it lies before the last restart.
  logic [MaxWindow-1:0]   last_q = '0;
  logic [LengthWidth-1:0] length_q = '0;
  logic                   restart;
  assign restart = (length != length_q);
  always_ff @(posedge clk_i) begin
    if (started) begin
      length_q <= length;
      last_q   <= (restart || (length == '0)) ? '0 : {last_q[MaxWindow-2:0], event_i};
    end
  end
  logic [(MaxWindow+1)*LengthWidth-1:0] part;
  assign part[LengthWidth-1:0] = '0;
  for (genvar i = 0; i < MaxWindow; i++) begin : gen_sum
    assign part[(i+1)*LengthWidth +: LengthWidth] = part[i*LengthWidth +: LengthWidth] +
                                                    LengthWidth'((LengthWidth'(i) < length_q) && last_q[i]);
  end
  assign bad_o = started && (sum != part[MaxWindow*LengthWidth +: LengthWidth]);
endmodule
