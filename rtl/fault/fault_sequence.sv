// SPDX-License-Identifier: Apache-2.0
//
// Sequence of a port unit (docs/fault.md §5): a match visits one row, a travel all of them, each row read and executed,
// restoring commands with a second pass that tells. Here are state and row, and what happens in a cycle: who waits for
// the RAM or for the output queue, what is done.
//
// Cost: 13 flip-flops, some tens of gates.

module fault_sequence #(
  parameter  int Rows      = 14,
  parameter  int Banks     = 1,                       // rows a step of a travel
  localparam int Steps     = (Rows + Banks - 1) / Banks,  // of a travel
  localparam int StepShift = $clog2(Banks),
  localparam int StepWidth = (Steps > 1) ? $clog2(Steps) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // The command
  input  logic                 start_i,         // it is taken in this cycle
  input  logic [9:0]           first_row_i,     // with start_i
  input  logic                 travel_i,
  input  logic                 restores_i,
  // What stands in the way
  input  logic                 route_read_i,    // route compute has the RAM
  input  logic                 queue_full_i,
  // What the step has found
  input  logic                 changed_i,       // a mark changes
  input  logic                 speaks_i,        // there is something to say
  input  logic                 last_message_i,  // this is the last of it
  input  logic                 port_speaks_i,   // the port says FR for all of it after its last row
  // State
  output logic [2:0]           state_o,
  output logic [9:0]           row_o,           // at work
  output logic [9:0]           base_row_o,      // first row of its step
  output logic [StepWidth-1:0] step_o,
  output logic                 idle_o,
  output logic                 executing_o,
  output logic                 following_o,     // messages after the first one of a step
  // What happens in this cycle
  output logic                 read_o,          // the RAM is addressed
  output logic                 executed_o,
  output logic                 first_done_o,    // the step is told, but for further messages
  output logic                 next_done_o,     // a further message leaves
  output logic                 push_port_o,     // the FR of the whole port leaves
  output logic                 push_o,          // a message leaves
  output logic                 ram_wait_o,
  output logic                 queue_wait_o
);

  logic [2:0] state_d, state_q;
  logic [9:0] row_d, row_q;

  assign state_o    = state_q;
  assign row_o      = row_q;
  assign base_row_o = (row_q >> StepShift) << StepShift;
  assign step_o     = StepWidth'(row_q >> StepShift);

  logic executing, telling, following;
  assign executing   = state_q == fault_pkg::StExecute;
  assign telling     = (state_q == fault_pkg::StTell) || (state_q == fault_pkg::StTellSecond);
  assign following   = (state_q == fault_pkg::StSecond) || (state_q == fault_pkg::StTellSecond);
  assign idle_o      = state_q == fault_pkg::StIdle;
  assign executing_o = executing;
  assign following_o = following;

  // In execute the wait for the RAM comes before the wait for the queue.
  logic reading, write_blocked, row_done, last_row;
  assign reading       = start_i || (state_q == fault_pkg::StRead);
  assign read_o        = reading && !route_read_i;
  assign write_blocked = changed_i && route_read_i;
  assign ram_wait_o    = (executing && write_blocked) || (reading && route_read_i);
  assign executed_o    = executing && !write_blocked && !(!restores_i && speaks_i && queue_full_i);
  assign first_done_o  = (executed_o && !restores_i) || ((state_q == fault_pkg::StTell) && !(speaks_i && queue_full_i));
  assign next_done_o   = following && !queue_full_i;
  assign push_port_o   = (state_q == fault_pkg::StPortTell) && !queue_full_i;
  assign push_o        = (first_done_o && speaks_i) || next_done_o || push_port_o;
  assign queue_wait_o  = queue_full_i && ((executing && !write_blocked && !restores_i && speaks_i) ||
                                          ((state_q == fault_pkg::StTell) && speaks_i) || following ||
                                          (state_q == fault_pkg::StPortTell));
  assign row_done      = ((first_done_o || next_done_o) && last_message_i) || (executed_o && restores_i && travel_i);
  assign last_row      = step_o == StepWidth'(Steps - 1);

  always_comb begin
    state_d = state_q;
    row_d   = row_q;
    unique case (state_q)
      fault_pkg::StIdle: begin
        if (start_i) begin
          state_d = route_read_i ? fault_pkg::StRead : fault_pkg::StExecute;
          row_d   = first_row_i;
        end
      end
      fault_pkg::StRead: state_d = route_read_i ? fault_pkg::StRead : fault_pkg::StExecute;
      fault_pkg::StExecute, fault_pkg::StSecond, fault_pkg::StTell, fault_pkg::StTellSecond: begin
        if (row_done) begin
          if (!travel_i) begin
            state_d = fault_pkg::StIdle;
          end else if (!last_row) begin
            row_d   = row_q + 10'(Banks);
            state_d = telling ? fault_pkg::StTell : fault_pkg::StRead;
          end else if (restores_i && !telling) begin
            row_d   = 10'd0;
            state_d = fault_pkg::StTell;
          end else begin
            state_d = port_speaks_i ? fault_pkg::StPortTell : fault_pkg::StIdle;
          end
        end else if (executed_o && restores_i) begin
          state_d = fault_pkg::StTell;
        end else if (first_done_o) begin
          state_d = executing ? fault_pkg::StSecond : fault_pkg::StTellSecond;
        end
      end
      default: state_d = push_port_o ? fault_pkg::StIdle : state_q;  // port-level FR
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= fault_pkg::StIdle;
      row_q   <= 10'd0;
    end else begin
      state_q <= state_d;
      row_q   <= row_d;
    end
  end

endmodule : fault_sequence
