// SPDX-License-Identifier: Apache-2.0
//
// Global scheduler of the fault plane: serves link events first, polls the input FIFOs round robin, puts one command at
// a time on the ring and waits until all port units are done (docs/fault.md §6). Pipelined (beyond the paper, §6.1): it
// does not wait for the units, looks again after four cycles and stops only while commands wait in front of a unit.
//
// Cost: four registers a port, a 64-bit rotating window, a priority encoder, a ring counter.

module fault_scheduler #(
  parameter  int P             = 2,
  parameter  int A             = 4,
  parameter  int H             = 2,
  parameter  int Stations      = 64,  // length of the poll round and of the ring, at most 64
  parameter  int PollWidth     = 1,   // FIFOs looked at in a cycle, at most Stations
  parameter  int RingHop       = 1,   // cycles from station to station
  parameter  int Pipelined     = 0,   // beyond the paper: fetch the next command while the units work
  parameter  int ImmediateMask = 0,   // beyond the paper: show the dead ports
  localparam int NumPorts      = P + A - 1 + H
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                joins_i,  // in reset: then every link is an event
  input  logic [NumPorts-1:0] link_up_i,
  input  logic [NumPorts-1:0] queue_valid_i,
  input  logic [NumPorts-1:0] unit_busy_i,
  input  logic [NumPorts-1:0] unit_late_i,
  output logic                cmd_valid_o,
  output logic [1:0]          cmd_kind_o,
  output logic [5:0]          cmd_port_o,
  output logic                pop_o,
  output logic                working_o,
  output logic [5:0]          pointer_o,
  output logic [NumPorts-1:0] port_mask_o
);

  localparam int WaitCycles = (Pipelined != 0) ? 3 : 2 + (Stations - 1) * RingHop;
  localparam int WaitWidth  = $clog2(WaitCycles + 1);

  logic [NumPorts-1:0]  link_q, queue_q, stop_q, event_q;
  logic [WaitWidth-1:0] wait_q;
  logic [6:0]           pointer_q;
  logic                 working_q, working, joins_q;

  assign working = (working_q || (Pipelined != 0)) && ((wait_q != '0) || (stop_q != '0));

  // The lowest pending link event.
  logic                event_any;
  logic [NumPorts-1:0] event_one;
  logic [5:0]          event_port, poll_port;
  assign event_any = event_q != '0;
  assign event_one = event_q & (~event_q + NumPorts'(1'b1));

  rotating_pick #(.Width(64)) u_event (
    .request_i(64'(event_q)),
    .start_i  (6'd0),
    .index_o  (event_port)
  );

  // The first FIFO with a message in the window: two copies of the round, shifted by the pointer.
  logic [NumPorts-1:0]   waiting;
  logic [2*Stations-1:0] round;
  logic [PollWidth-1:0]  window;
  logic [5:0]            offset;
  logic [6:0]            sum, after_hit, after_miss;
  logic                  poll_any;
  assign waiting  = queue_q & link_q;
  assign round    = {2{Stations'(waiting)}};
  assign window   = PollWidth'(round >> pointer_q);
  assign poll_any = window != '0;

  rotating_pick #(.Width(64)) u_poll (
    .request_i(64'(window)),
    .start_i  (6'd0),
    .index_o  (offset)
  );

  assign sum        = pointer_q + {1'b0, offset};
  assign poll_port  = 6'((sum >= 7'(Stations)) ? sum - 7'(Stations) : sum);
  assign after_hit  = ({1'b0, poll_port} == 7'(Stations - 1)) ? 7'd0 : {1'b0, poll_port} + 7'd1;
  assign after_miss = (8'(pointer_q) + 8'(PollWidth) >= 8'(Stations)) ? 7'(8'(pointer_q) + 8'(PollWidth) - 8'(Stations))
                                                                      : pointer_q + 7'(PollWidth);

  // The command of this cycle.
  logic hit, take_event, up;
  assign hit        = !working && (event_any || poll_any);
  assign take_event = !working && event_any;
  assign up         = (link_q & event_one) != '0;

  assign cmd_valid_o = hit;
  assign cmd_kind_o  = !hit ? fault_pkg::CommandDown
                     : !event_any ? fault_pkg::CommandFd
                     : up ? fault_pkg::CommandUp
                     : fault_pkg::CommandDown;
  assign cmd_port_o  = !hit ? 6'd0 : event_any ? event_port : poll_port;
  assign pop_o       = hit && !event_any;
  assign working_o   = working;
  assign pointer_o   = 6'(pointer_q);
  assign port_mask_o = (ImmediateMask != 0) ? ~link_q : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      link_q    <= '1;
      queue_q   <= '0;
      stop_q    <= '0;
      event_q   <= '0;
      wait_q    <= '0;
      pointer_q <= 7'd0;
      working_q <= 1'b0;
      joins_q   <= joins_i;
    end else begin
      link_q    <= link_up_i;
      queue_q   <= queue_valid_i;
      stop_q    <= (Pipelined != 0) ? unit_late_i : unit_busy_i;
      event_q   <= (take_event ? (event_q & ~event_one) : event_q) | (link_up_i ^ link_q) | {NumPorts{joins_q}};
      wait_q    <= hit ? WaitWidth'(WaitCycles) : (working && (wait_q != '0)) ? wait_q - 1'b1 : wait_q;
      working_q <= working || hit;
      joins_q   <= 1'b0;
      if (!working) pointer_q <= pop_o ? after_hit : hit ? pointer_q : after_miss;
    end
  end

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      no_event_is_lost: assert (!hit || !pop_o || !event_any);
      pop_only_what_is_there: assert (!pop_o || ((queue_q >> cmd_port_o) & NumPorts'(1'b1)) != '0);
    end
  end
`endif
`endif

endmodule : fault_scheduler
