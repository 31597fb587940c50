// SPDX-License-Identifier: Apache-2.0
//
// What the pins promise (docs/route_compute.md §2, §3), whatever configuration operations come and go and whenever
// reset strikes. The tables and the wide stage logic are cut away for these proofs: their outputs may be anything.

// Check 0: latency. Check 1: acknowledgements.
module control_miter #(
  parameter  int Check      = 0,
  parameter  int P          = 2,
  parameter  int A          = 4,
  parameter  int H          = 2,
  parameter  int G          = 8,
  localparam int NumPorts   = P + A - 1 + H,
  localparam int GroupPorts = A * H
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  input  logic                  cfg_valid_i,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  bad_o
);

  logic        ready, ack, err, resp_valid;
  logic [63:0] rdata;
  logic [2:0]  hop_class;
  logic [5:0]  port;
  logic [1:0]  vc;
  logic [4:0]  router;
  logic [15:0] local_threshold, global_threshold;
  logic [23:0] probe;

  route_compute #(.P(P), .A(A), .H(H), .G(G)) u_dut (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i, .req_src_gid_i, .req_vc_i, .cong_local_i, .cong_global_i, .busy_local_i,
    .busy_global_i, .cfg_valid_i, .cfg_ready_o(ready), .cfg_write_i, .cfg_addr_i, .cfg_wdata_i, .cfg_ack_o(ack),
    .cfg_err_o(err), .cfg_rdata_o(rdata), .resp_valid_o(resp_valid), .resp_hop_class_o(hop_class), .resp_port_o(port),
    .resp_vc_o(vc), .resp_router_o(router), .local_threshold_o(local_threshold), .global_threshold_o(global_threshold),
    .probe_o(probe)
  );

  logic started = 1'b0;  // a reset has been seen

  always_ff @(posedge clk_i) started <= started || !rst_ni;

  // Latency exactly 4: a response is there exactly when a request was sampled four edges before and no reset came
  // between; else the response pins are 0.
  logic [4:0] sampled;  // bit n: a request was sampled n edges ago
  logic       late;

  always_ff @(posedge clk_i) sampled <= rst_ni ? {sampled[3:0], req_valid_i} : 5'd0;

  assign late = (resp_valid != sampled[4]) || (!resp_valid && {hop_class, port, vc, router} != 16'd0);

  // Every operation that is taken is acknowledged exactly once, in order, and none that was not taken.
  //
  // What must come back, oldest last: three kinds of operation whose answers are known, and the others.
  localparam logic [1:0] Other = 2'd0, Id = 2'd1, Size = 2'd2, Missing = 2'd3;

  logic [1:0] kind, oldest;
  logic [5:0] waiting;   // kinds of the operations that wait for their acknowledgement, the newest in the lowest bits
  logic [2:0] count;     // how many; more than three would be a fault
  logic [2:0] quiet;     // cycles without a request and without a new operation, up to 7
  logic       taken;

  assign kind = (cfg_addr_i == 12'hC07)                 ? Missing :
                (cfg_addr_i == 12'hC00 && !cfg_write_i) ? Id :
                (cfg_addr_i == 12'hC05 && !cfg_write_i) ? Size : Other;

  assign taken  = cfg_valid_i && ready;
  assign oldest = (count == 3'd1) ? waiting[1:0] : (count == 3'd2) ? waiting[3:2] : waiting[5:4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count <= 3'd0;
      quiet <= 3'd0;
    end else begin
      count <= count + 3'(taken) - 3'(ack);
      quiet <= (req_valid_i || taken) ? 3'd0 : (quiet == 3'd7) ? 3'd7 : quiet + 3'd1;
    end
    if (taken) waiting <= {waiting[3:0], kind};
  end

  logic wrong_answer;
  assign wrong_answer = (oldest == Id      && (err || rdata != 64'h0000_0001_4F44_5243)) ||
                        (oldest == Size    && (err || rdata != {16'd0, 8'd8, 16'(G), 8'(H), 8'(A), 8'(P)})) ||
                        (oldest == Missing && (!err || rdata != 64'd0));

  logic unanswered;
  assign unanswered = (ack && count == 3'd0) ||            // invented
                      (ack && wrong_answer) ||             // out of order
                      (count > 3'd3) ||                    // piled up
                      (quiet == 3'd7 && count != 3'd0) ||  // lost
                      (!ack && (err || rdata != 64'd0));

  assign bad_o = started && (Check == 0 ? late : unanswered);

endmodule : control_miter
