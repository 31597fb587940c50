// SPDX-License-Identifier: Apache-2.0
//
// What a link end delivers: the well-formed messages (docs/fault.md §2) out of whole frames, each number once, in
// order, and nothing else. The CRC is computed here from its definition, bit by bit. `bad_o` must never be 1.

module link_miter #(
  parameter int P = 2,
  parameter int A = 4,
  parameter int G = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        link_up_i,
  input  logic        msg_valid_i,
  input  logic [21:0] msg_i,
  input  logic        in_ready_i,
  input  logic        frame_valid_i,
  input  logic [39:0] frame_i,
  output logic        bad_o
);

  logic        ready, in_valid, frame_valid;
  logic [21:0] in_message;
  logic [39:0] frame;
  logic [15:0] dropped, malformed, again;
  fault_link #(.P(P), .A(A), .G(G)) u_link (
    .clk_i, .rst_ni, .link_up_i, .msg_valid_i, .msg_i, .ready_o(ready), .in_valid_o(in_valid),
    .in_message_o(in_message), .in_ready_i, .frame_valid_i, .frame_i, .frame_valid_o(frame_valid), .frame_o(frame),
    .dropped_o(dropped), .malformed_o(malformed), .again_o(again)
  );

  // The frame that is judged, and how many messages have been taken since the link came up.
  logic        started_q, came_q;
  logic [39:0] frame_q;
  logic [3:0]  taken_q;
  always_ff @(posedge clk_i) begin
    started_q <= !rst_ni || started_q;
    came_q    <= rst_ni && link_up_i && frame_valid_i;
    frame_q   <= frame_i;
    if (!rst_ni || !link_up_i) taken_q <= 4'd0;
    else if (in_valid && in_ready_i) taken_q <= taken_q + 4'd1;
  end

  // CRC by its definition: bit after bit, the highest first.
  logic [7:0] crc;
  logic       feedback;
  integer     n;
  always_comb begin
    crc      = 8'hFF;
    feedback = 1'b0;
    for (n = 31; n >= 0; n = n - 1) begin
      feedback = crc[7] ^ frame_q[n];
      crc      = {crc[6:0], 1'b0};
      if (feedback) crc = crc ^ 8'h07;
    end
  end

  // The message, as integers: what its prefix names is in the network, what is beyond it is 0.
  logic        fr, class_s, formed;
  logic [31:0] prefix, gid, bid, nid;
  assign {fr, class_s} = frame_q[25:24];
  assign prefix        = {30'd0, frame_q[23:22]};
  assign gid           = {23'd0, frame_q[21:13]};
  assign bid           = {27'd0, frame_q[12:8]};
  assign nid           = {28'd0, frame_q[7:4]};
  always_comb begin
    case (prefix)
      32'd0:   formed = fr && !class_s && (gid == 0) && (bid == 0) && (nid == 0);
      32'd1:   formed = (gid < G) && (bid == 0) && (nid == 0);
      32'd2:   formed = (gid < G) && (bid < A) && ((nid == 0) || (!fr && (nid == 1)));
      default: formed = (gid < G) && (bid < A) && (nid < P);
    endcase
  end

  logic whole;
  assign whole = came_q && (frame_q[39:32] == crc) && (frame_q[31:30] == 2'd1) && (frame_q[29:26] == taken_q) &&
                 (frame_q[3:0] == 4'd0);
  assign bad_o = started_q && rst_ni &&
                 ((in_valid != (whole && formed)) || (in_valid && (in_message != frame_q[25:4])));

endmodule : link_miter
