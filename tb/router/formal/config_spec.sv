// SPDX-License-Identifier: Apache-2.0
//
// The configuration port of a router: every operation that is taken is given to its unit once, as it came, stays there
// until the unit takes it, and is acknowledged once, by this unit or as refused; the next one is taken with the
// acknowledgement at the earliest. The units take and acknowledge when they like. What is read is that of the unit that
// acknowledges, and 0 without one. `bad_o` must never be 1.

module config_miter #(
  parameter  int Units = 3,
  localparam int Bits  = 2    // of address and data that are looked at
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic [6:0]       unit_i,
  input  logic             write_i,
  input  logic [Bits-1:0]  content_i,
  input  logic [Units-1:0] ready_i,
  input  logic [Units-1:0] answers_i,
  input  logic             error_i,
  input  logic [Units-1:0] rdata_i,
  output logic             bad_o
);
  logic              started_q, ready, ack, err, unit_write;
  logic [63:0]       rdata, unit_wdata;
  logic [11:0]       unit_addr;
  logic [Units-1:0]  valid, acks, pending_q, expected;
  assign acks = pending_q & answers_i;

  logic [64*Units-1:0] unit_rdata;
  for (genvar u = 0; u < Units; u = u + 1) begin : gen_unit
    assign unit_rdata[64*u +: 64] = {63'd0, rdata_i[u]};
  end
  router_config #(.Units(Units)) dut (
    .clk_i, .rst_ni, .cfg_valid_i(valid_i), .cfg_ready_o(ready), .cfg_unit_i(unit_i), .cfg_write_i(write_i),
    .cfg_addr_i({11'd0, content_i[0]}), .cfg_wdata_i({63'd0, content_i[1]}), .cfg_ack_o(ack), .cfg_err_o(err),
    .cfg_rdata_o(rdata), .valid_o(valid), .ready_i, .write_o(unit_write), .addr_o(unit_addr), .wdata_o(unit_wdata),
    .ack_i(acks), .err_i({Units{error_i}}), .rdata_i(unit_rdata)
  );

  // The operation under way.
  logic            open_q, given_q, write_q, nobody, gives;
  logic [6:0]      unit_q;
  logic [Bits-1:0] content_q;
  assign expected = (unit_q == 7'd64) ? Units'(1'b1) << (Units - 1)
                  : (unit_q < 7'(Units - 1)) ? Units'(1'b1) << unit_q
                  : '0;
  assign nobody   = (expected == '0);
  assign gives    = (valid & ready_i) != '0;

  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    if (!rst_ni) begin
      open_q    <= 1'b0;
      pending_q <= '0;
    end else begin
      pending_q <= (pending_q & ~acks) | (valid & ready_i);
      if (ready) begin
        open_q    <= valid_i;
        given_q   <= 1'b0;
        unit_q    <= unit_i;
        write_q   <= write_i;
        content_q <= content_i;
      end else if (gives) begin
        given_q <= 1'b1;
      end
    end
  end

  logic wrong_unit, wrong_content, wrong_time, wrong_ack, wrong_rdata;
  assign wrong_unit    = (valid != '0) && (!open_q || given_q || (valid != expected));
  assign wrong_content = (valid != '0) &&
                         ((unit_write != write_q) || (unit_addr != {11'd0, content_q[0]}) ||
                          (unit_wdata != {63'd0, content_q[1]}));
  assign wrong_time    = (open_q && !given_q && !nobody && (valid == '0)) || (ready != (!open_q || ack));
  assign wrong_ack     = ack &&
                         (!open_q || !(nobody || given_q) || (err != (nobody || error_i)));
  assign wrong_rdata   = rdata != {63'd0, ack && ((expected & rdata_i) != '0)};
  assign bad_o = started_q && rst_ni && (wrong_unit || wrong_content || wrong_time || wrong_ack || wrong_rdata);
endmodule : config_miter
