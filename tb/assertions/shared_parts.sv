// SPDX-License-Identifier: Apache-2.0
//
// The shared parts of the RTL with all their pins open, so that a test can break their rules. The inputs pass a rank of
// registers: the combinational parts see one consistent set of values a cycle.

module shared_parts (
  input  logic        clk_i,
  input  logic        rst_ni,
  // rotating_pick and even_pick
  input  logic [4:0]  request_i,
  input  logic [2:0]  start_i,
  input  logic [7:0]  fraction_i,
  output logic [2:0]  rotating_o,
  output logic [2:0]  even_o,
  // ram_1p and lfsr16
  input  logic        ram_req_i,
  input  logic        ram_write_i,
  input  logic [2:0]  ram_addr_i,
  input  logic        lfsr_load_i,
  input  logic [15:0] lfsr_value_i,
  output logic [3:0]  ram_rdata_o,
  output logic [15:0] lfsr_o,
  // fault_fifo and fault_queue
  input  logic        push_i,
  input  logic        pop_i,
  input  logic        clear_i,
  input  logic [3:0]  data_i,
  output logic [2:0]  fifo_count_o,
  output logic [3:0]  fifo_data_o,
  output logic        queue_full_o,
  output logic        queue_valid_o,
  output logic [3:0]  queue_data_o,
  input  logic        fifo_i,  // push, pop and clear go to the FIFO, else to the queue
  // arb_switch_output and arb_request_priority
  input  logic [2:0]  ask_i,
  input  logic [11:0] need_i,
  input  logic        return_i,
  input  logic [2:0]  lowest_i,
  output logic [2:0]  grant_o,
  output logic [7:0]  credit_o,
  output logic [2:0]  high_o,
  output logic [2:0]  low_o
);

  logic [4:0]  request;
  logic [2:0]  start, ram_addr, ask, lowest;
  logic [7:0]  fraction;
  logic        ram_req, ram_write, lfsr_load, push, pop, clear, fifo, give_back;
  logic [15:0] lfsr_value;
  logic [3:0]  data;
  logic [11:0] need;

  always_ff @(posedge clk_i) begin
    request    <= request_i;
    start      <= start_i;
    fraction   <= fraction_i;
    ram_req    <= ram_req_i;
    ram_write  <= ram_write_i;
    ram_addr   <= ram_addr_i;
    lfsr_load  <= lfsr_load_i;
    lfsr_value <= lfsr_value_i;
    push       <= push_i;
    pop        <= pop_i;
    clear      <= clear_i;
    fifo       <= fifo_i;
    data       <= data_i;
    ask        <= ask_i;
    need       <= need_i;
    give_back  <= return_i;
    lowest     <= lowest_i;
  end

  rotating_pick #(.Width(5)) u_rotating (.request_i(request), .start_i(start), .index_o(rotating_o));
  even_pick #(.Width(5)) u_even (.request_i(request), .fraction_i(fraction), .index_o(even_o));

  ram_1p #(.Width(4), .Depth(5)) u_ram (
    .clk_i, .rst_ni, .req_i(ram_req), .write_i(ram_write), .addr_i(ram_addr), .wdata_i(data), .rdata_o(ram_rdata_o)
  );
  lfsr16 u_lfsr (.clk_i, .rst_ni, .advance_i(1'b1), .load_i(lfsr_load), .load_value_i(lfsr_value), .state_o(lfsr_o));

  fault_fifo #(.Depth(4), .Width(4)) u_fifo (
    .clk_i, .rst_ni, .clear_i(clear && fifo), .push_i(push && fifo), .data_i(data), .pop_i(pop && fifo),
    .count_o(fifo_count_o), .data_o(fifo_data_o)
  );
  fault_queue #(.Depth(4), .Width(4)) u_queue (
    .clk_i, .rst_ni, .push_i(push && !fifo), .data_i(data), .pop_i(pop && !fifo), .full_o(queue_full_o),
    .valid_o(queue_valid_o), .data_o(queue_data_o)
  );

  arb_switch_output #(.P(3), .Slots(2)) u_output (
    .clk_i, .rst_ni, .ask_i(ask), .need_i(need), .return_i(give_back), .grant_o, .credit_o
  );
  arb_request_priority u_priority (
    .credit_i(24'h010203), .lowest_i(lowest), .z_i(4'd4), .request_i(ask), .high_o, .low_o
  );

endmodule : shared_parts
