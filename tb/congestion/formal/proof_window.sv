// SPDX-License-Identifier: Apache-2.0
// The history window holds exactly the sends of the last `length` cycles since the last change of the length: the running sum over a circular memory
// equals a recount over a shift register, for every sequence of lengths and counts.
module proof_window #(
  parameter int MaxWindow = 4
) (
  input  logic       clk_i,
  input  logic [2:0] length_i,
  input  logic [1:0] count_i,
  output logic       bad_o
);
  localparam int LengthWidth = $clog2(MaxWindow + 1);
  localparam int SumWidth    = $clog2(MaxWindow * 3 + 1);

  logic started = 1'b0;
  always_ff @(posedge clk_i) started <= 1'b1;

  logic [LengthWidth-1:0] length;
  logic [SumWidth-1:0]    sum;
  assign length = (length_i > 3'(MaxWindow)) ? LengthWidth'(MaxWindow) : LengthWidth'(length_i);

  credit_history #(.MaxWindow(MaxWindow), .MaxCount(3)) dut (.clk_i, .rst_ni(started), .length_i(length), .count_i, .sum_o(sum));

  // The last counts, the newest first; an entry is 0 when it lies before the last restart.
  logic [MaxWindow*2-1:0] last_q = '0;
  logic [LengthWidth-1:0] length_q = '0;
  logic                   restart;
  assign restart = (length != length_q);
  always_ff @(posedge clk_i) begin
    if (started) begin
      length_q <= length;
      last_q   <= (restart || (length == '0)) ? '0 : {last_q[MaxWindow*2-3:0], count_i};
    end
  end
  logic [MaxWindow*SumWidth+SumWidth-1:0] part;
  assign part[SumWidth-1:0] = '0;
  for (genvar i = 0; i < MaxWindow; i++) begin : gen_sum
    assign part[(i+1)*SumWidth +: SumWidth] = part[i*SumWidth +: SumWidth] +
                                              ((LengthWidth'(i) < length_q) ? SumWidth'(last_q[i*2 +: 2]) : SumWidth'(0));
  end
  assign bad_o = started && (sum != part[MaxWindow*SumWidth +: SumWidth]);
endmodule
