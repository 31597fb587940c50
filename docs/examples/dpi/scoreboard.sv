// SPDX-License-Identifier: Apache-2.0
// The RTL beside the golden unit behind DPI-C: random requests at a port of a real network, every output compared, the
// first difference explained. Plain modules and functions, no classes. How to run it: docs/examples/dpi.md.
`define SHOW(pin) if (got.pin !== want.pin) $display("  %s: %0h, not %0h", `"pin`", got.pin, want.pin);
module scoreboard;
  import odonata_dpi_pkg::*;

  typedef struct packed {
    logic        valid, ready, ack, err;
    logic [2:0]  hop_class;
    logic [5:0]  port;
    logic [1:0]  vc; logic [4:0] router; logic [63:0] rdata;
    logic [15:0] local_threshold, global_threshold;
    logic [23:0] probe;
  } outputs_t;
  outputs_t  got, want;
  bit        clk = 0, rst_n = 0, req_valid, cfg_valid;
  bit [17:0] req_dest; bit [1:0] req_vc;
  bit [11:0] cfg_addr;
  bit [63:0] cfg_wdata;
  bit [6:0]  cong_local, busy_local;
  bit [7:0]  cong_global, busy_global;
  chandle    golden;
  int        compared = 0;

  route_compute #(.P(2), .A(4), .H(2), .G(8)) dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_dest_i(req_dest), .req_src_gid_i(9'd4),
    .req_vc_i(req_vc), .cong_local_i(cong_local), .cong_global_i(cong_global), .busy_local_i(busy_local),
    .busy_global_i(busy_global), .cfg_valid_i(cfg_valid), .cfg_ready_o(got.ready), .cfg_write_i(1'b1),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_ack_o(got.ack), .cfg_err_o(got.err), .cfg_rdata_o(got.rdata),
    .resp_valid_o(got.valid), .resp_hop_class_o(got.hop_class), .resp_port_o(got.port), .resp_vc_o(got.vc),
    .resp_router_o(got.router), .local_threshold_o(got.local_threshold), .global_threshold_o(got.global_threshold),
    .probe_o(got.probe));

  initial begin
    golden = route_compute_create("tiny");
    for (int cycle = 0; cycle < 5000; ++cycle) begin
      rst_n = cycle > 2;  // then the tables of a global port of router 2 in group 1, a word a cycle, then requests
      cfg_valid = cycle > 4 && odonata_configuration("tiny", 1, 2, 5, cycle - 5, cfg_addr, cfg_wdata) != 0;
      req_valid = cycle > 120 && $urandom % 4 != 0;
      {req_dest, req_vc} = {18'($urandom) & 18'h00E31, 2'($urandom)};
      {cong_local, cong_global, busy_local, busy_global} = 30'($urandom & $urandom);
      #1 clk = 1;
      route_compute_step(golden, rst_n, req_valid, req_dest, 9'd4, req_vc, cfg_valid, 1'b1, cfg_addr, cfg_wdata,
        63'(cong_local), 512'(cong_global), 63'(busy_local), 512'(busy_global), want.probe, want.valid, want.hop_class,
        want.port, want.vc, want.router, want.ready, want.ack, want.err, want.rdata, want.local_threshold,
        want.global_threshold);
      #1 clk = 0;
      if (rst_n ? got !== want : got != want) begin  // an X, too, once the registers are reset
        $display("FAIL in cycle %0d\n%s", cycle, route_compute_explain(golden));
        `SHOW(valid) `SHOW(hop_class) `SHOW(port) `SHOW(vc) `SHOW(router) `SHOW(ready) `SHOW(ack) `SHOW(err)
        `SHOW(rdata) `SHOW(local_threshold) `SHOW(global_threshold) `SHOW(probe)
        $fatal(1, "the RTL and the golden unit differ");
      end
      compared += 32'(got.valid);
    end
    $display("PASS: %0d decisions compared", compared);
    $finish;
  end
endmodule
