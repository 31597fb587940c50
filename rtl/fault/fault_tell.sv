// SPDX-License-Identifier: Apache-2.0
//
// What a port unit tells its neighbour (docs/fault.md §4, §5): the messages of a step leave one a cycle, in the order
// of the rows, class D before S. The first one leaves with the step, the rest are pending.
//
// Cost: two flip-flops a bank, a pick, a message.

module fault_tell #(
  parameter int P     = 2,
  parameter int A     = 4,
  parameter int Banks = 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // The command at work
  input  logic               safe_i,
  input  logic               travel_i,
  input  logic [1:0]         prefix_i,
  input  logic [8:0]         inner_i,
  input  logic [8:0]         own_gid_i,
  // The step
  input  logic [9:0]         base_row_i,
  input  logic [2*Banks-1:0] need_i,         // what has something to tell: two bits a row, class D in the low one
  input  logic [4*Banks-1:0] now_i,          // levels: two bits a class
  input  logic               idle_i,
  input  logic               following_i,
  input  logic               first_done_i,
  input  logic               next_done_i,
  input  logic               push_port_i,    // the FR of the whole port
  output logic               speaks_o,
  output logic               last_o,         // nothing is left after this message
  output logic [21:0]        message_o
);

  localparam int PickWidth = $clog2(Banks) + 1;

  logic [2*Banks-1:0]   pending_q, speaking;
  logic [PickWidth-1:0] pick;
  assign speaks_o = need_i != '0;
  assign speaking = following_i ? pending_q : need_i;
  assign last_o   = (speaking & (speaking - 1'b1)) == '0;

  rotating_pick #(.Width(2 * Banks)) u_pick (
    .request_i(speaking),
    .start_i  ('0),
    .index_o  (pick)
  );

  always_ff @(posedge clk_i) begin
    if (first_done_i) pending_q <= need_i & (need_i - 1'b1);
    if (next_done_i) pending_q <= (Banks == 1) ? '0 : pending_q & (pending_q - 1'b1);
  end

  // Of which row, and what?
  logic [21:0] entry_message;
  logic [9:0]  row;
  logic        zone_b;  // nobody is told about rows of zone N
  logic [8:0]  index;
  assign row    = base_row_i + (10'(pick) >> 1);
  assign zone_b = row < 10'(P + A);
  assign index  = 9'(row - (zone_b ? 10'(P) : 10'(P + A)));

  fault_message u_message (
    .safe_i, .travel_i, .prefix_i,
    .address_i    (inner_i),
    .group_local_i(zone_b),
    .index_i      (index),
    .own_gid_i,
    .class_i      (1'(pick)),
    .level_i      (now_i[2*pick +: 2]),
    .message_o    (entry_message)
  );

  assign message_o = push_port_i ? {fault_pkg::KindFr, 21'd0} : entry_message;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  // Messages that became due, and messages of entries that left.
  logic [3:0] due_q, left_q, due_now;
  integer     n;
  always_comb begin
    due_now = 4'd0;
    for (n = 0; n < 2 * Banks; n = n + 1) due_now = due_now + {3'd0, need_i[n]};
  end
  always_ff @(posedge clk_i) begin
    due_q  <= !rst_ni ? 4'd0 : first_done_i ? due_q + due_now : due_q;
    left_q <= !rst_ni ? 4'd0 : ((first_done_i && speaks_o) || next_done_i) ? left_q + 4'd1 : left_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      pending_while_following: assert (!following_i || (pending_q != '0));
      idle_has_said_everything: assert (!idle_i || (due_q == left_q));
    end
  end
`endif
`endif

endmodule : fault_tell
