// SPDX-License-Identifier: Apache-2.0
//
// The RTL beside the golden unit behind DPI-C: random requests, every response compared, the first difference explained.
// Plain modules and functions, no classes. docs/examples/dpi.md says how each simulator runs it.

module scoreboard;
  import odonata_dpi_pkg::*;

  bit        clk = 0, rst_n = 0, req_valid, cfg_valid;
  bit [17:0] req_dest;
  bit [1:0]  req_vc;
  bit [11:0] cfg_addr;
  bit [63:0] cfg_wdata;
  bit [6:0]  cong_local;
  bit [7:0]  cong_global, busy_global;
  bit [6:0]  busy_local;

  wire [23:0] probe;
  wire [63:0] cfg_rdata;
  wire [15:0] local_threshold, global_threshold;
  wire [5:0]  port;
  wire [4:0]  router;
  wire [2:0]  hop_class;
  wire [1:0]  vc;
  wire        valid, cfg_ready, cfg_ack, cfg_err;

  route_compute #(.P(2), .A(4), .H(2), .G(8)) dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_dest_i(req_dest), .req_src_gid_i(9'd1), .req_vc_i(req_vc),
    .cong_local_i(cong_local), .cong_global_i(cong_global), .busy_local_i(busy_local), .busy_global_i(busy_global), .cfg_valid_i(cfg_valid), .cfg_ready_o(cfg_ready), .cfg_write_i(1'b1),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_ack_o(cfg_ack), .cfg_err_o(cfg_err), .cfg_rdata_o(cfg_rdata),
    .resp_valid_o(valid), .resp_hop_class_o(hop_class), .resp_port_o(port), .resp_vc_o(vc), .resp_router_o(router),
    .local_threshold_o(local_threshold), .global_threshold_o(global_threshold), .probe_o(probe));

  // What the golden unit shows.
  bit [23:0] g_probe;
  bit [63:0] g_rdata;
  bit [15:0] g_local, g_global;
  bit [5:0]  g_port;
  bit [4:0]  g_router;
  bit [2:0]  g_class;
  bit [1:0]  g_vc;
  bit        g_valid, g_ready, g_ack, g_err;
  chandle    golden;
  int        compared = 0;

  initial begin
    golden = route_compute_create("tiny");
    for (int cycle = 0; cycle < 5000; ++cycle) begin
      rst_n = cycle > 2;
      cfg_valid = cycle > 4 && cycle < 100;  // a local port; then every entry of tables A and B: any option
      cfg_addr = cycle < 10 ? 12'hC02 : cycle < 40 ? 12'(cycle - 10) : 12'h400 + 12'(cycle - 40);
      cfg_wdata = cycle < 10 ? 64'd1 : 64'($urandom & 32'h7C);
      req_valid = cycle > 120 && $urandom % 4 != 0;
      req_dest = 18'($urandom) & 18'h00E31;
      req_vc = 2'($urandom);
      cong_local = 7'($urandom & $urandom);
      cong_global = 8'($urandom);
      busy_local = cong_local | 7'($urandom);
      busy_global = cong_global | 8'($urandom);
      #1 clk = 1;
      route_compute_step(golden, rst_n, req_valid, req_dest, 9'd1, req_vc, cfg_valid, 1'b1, cfg_addr, cfg_wdata, 63'(cong_local),
                         512'(cong_global), 63'(busy_local), 512'(busy_global), g_probe, g_valid, g_class, g_port, g_vc, g_router, g_ready, g_ack, g_err, g_rdata, g_local, g_global);
      #1 clk = 0;
      if ({valid, hop_class, port, vc, router, cfg_ack, cfg_err, cfg_rdata} !=
          {g_valid, g_class, g_port, g_vc, g_router, g_ack, g_err, g_rdata}) begin
        $display("FAIL in cycle %0d: port %0d, expected %0d\n%s", cycle, port, g_port, odonata_explain(golden));
        $finish;
      end
      compared += 32'(valid);
    end
    $display("PASS: %0d decisions compared", compared);
    odonata_destroy(golden);
    $finish;
  end
endmodule
