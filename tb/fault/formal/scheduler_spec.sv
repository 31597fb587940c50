// SPDX-License-Identifier: Apache-2.0
//
// The scheduler loses no command: a change of a link (one port, picked at will in reset) stays due until it is served,
// is served with the link's state of that time and before any message; a message is popped only where there is one; a
// command goes out only when the ring and the units are done with the one before. `bad_o` must never be 1.

module scheduler_miter #(
  parameter  int P = 1,
  parameter  int A = 2,
  parameter  int H = 2,
  parameter  int Stations = 4,
  parameter  int PollWidth = 1,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                joins_i,
  input  logic [NumPorts-1:0] link_up_i,
  input  logic [NumPorts-1:0] queue_valid_i,
  input  logic [NumPorts-1:0] unit_busy_i,
  input  logic [1:0]          pick_i,
  output logic                bad_o
);

  logic                cmd_valid, pop, working;
  logic [1:0]          kind;
  logic [5:0]          port, pointer;
  logic [NumPorts-1:0] mask;

  fault_scheduler #(.P(P), .A(A), .H(H), .Stations(Stations), .PollWidth(PollWidth)) u_scheduler (
    .clk_i, .rst_ni, .joins_i, .link_up_i, .queue_valid_i, .unit_busy_i, .unit_late_i('0),
    .cmd_valid_o(cmd_valid), .cmd_kind_o(kind), .cmd_port_o(port), .pop_o(pop), .working_o(working),
    .pointer_o(pointer), .port_mask_o(mask)
  );

  logic [NumPorts-1:0] link_q, queue_q, busy_q;
  logic [1:0]          watch_q;
  logic                due_q, started_q, waiting_q, joins_q;
  logic [4:0]          passed_q;          // messages of other ports served while the port's message waits
  logic [4:0]          since_q, idle_q;  // cycles since a command; looks without one although the port's message waits
  logic                served, waits;
  assign served       = cmd_valid && !pop && (port == {4'd0, watch_q});
  assign waits        = queue_q[watch_q] && link_q[watch_q];

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    link_q    <= !rst_ni ? '1 : link_up_i;
    joins_q   <= !rst_ni && joins_i;
    queue_q   <= !rst_ni ? '0 : queue_valid_i;
    busy_q    <= !rst_ni ? '0 : unit_busy_i;
    if (!rst_ni) watch_q <= pick_i;
    due_q     <= rst_ni && ((due_q && !served) || (link_up_i[watch_q] != link_q[watch_q]) || joins_q);
    since_q   <= !rst_ni ? 5'd31 : cmd_valid ? 5'd1 : (since_q != 5'd31) ? since_q + 5'd1 : since_q;
    waiting_q <= rst_ni && (cmd_valid || (waiting_q && working));
    passed_q  <= (!rst_ni || !waits || (pop && (port == {4'd0, watch_q}))) ? 5'd0 : passed_q + {4'd0, pop};
    idle_q    <= (!rst_ni || cmd_valid || working || !waits) ? 5'd0 : idle_q + 5'd1;
  end

  logic event_first, event_true, event_not_lost, pops_what_is_there, one_at_a_time, waits_for_units, finds_in_a_round,
        fair;
  assign event_first        = !(due_q && pop);
  assign event_true         = !served || (due_q && (kind == {1'b0, link_q[watch_q]}));
  assign event_not_lost     = !due_q || working || (cmd_valid && !pop);
  assign pops_what_is_there = !pop || (queue_q[port[1:0]] && link_q[port[1:0]] && (kind == 2'd2));
  assign one_at_a_time      = !cmd_valid || (since_q >= 5'(3 + Stations - 1));
  assign waits_for_units    = !cmd_valid || !waiting_q || (busy_q == '0);
  assign finds_in_a_round   = idle_q < 5'(Stations);

  assign fair               = passed_q < 5'(NumPorts);

  assign bad_o = started_q && rst_ni && !(event_first && event_true && event_not_lost && pops_what_is_there &&
                                          one_at_a_time && waits_for_units && finds_in_a_round && fair);

endmodule : scheduler_miter
