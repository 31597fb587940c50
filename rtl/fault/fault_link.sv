// SPDX-License-Identifier: Apache-2.0
//
// Link level of the fault plane, one end of a link (docs/fault.md §2 "Frame"): puts messages into numbered frames with
// a CRC, keeps them until they are acknowledged, takes only what comes whole, well-formed and in order, and asks again
// for the rest (go-back-N, window 8).
//
// Cycle c: the frame in the input register is judged, a message of the port unit is stored, and the frame for cycle
// c + 1 is made. Answers go before messages, a request before an acknowledgement.
//
// Cost: 8 * 22 flip-flops of messages, 80 of frames, two CRCs, four small counters, three event counters of 16 bits.

module fault_link #(
  parameter int P = 2,
  parameter int A = 4,
  parameter int G = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        link_up_i,     // 0 at an edge: everything but the event counters is forgotten
  // From and to the port: the head of the output queue, and the input FIFO
  input  logic        msg_valid_i,
  input  logic [21:0] msg_i,
  output logic        ready_o,       // to out_ready_i of the port unit
  output logic        in_valid_o,
  output logic [21:0] in_message_o,
  input  logic        in_ready_i,    // the FIFO has room in this cycle; else the message is dropped and asked for again
  // Wire
  input  logic        frame_valid_i,
  input  logic [39:0] frame_i,
  output logic        frame_valid_o,
  output logic [39:0] frame_o,       // 0 when not valid
  // Events
  output logic [15:0] dropped_o,     // frames that were not taken
  output logic [15:0] malformed_o,   // of these: right CRC, but no message that may be applied
  output logic [15:0] again_o        // messages sent again
);

  localparam int          MessageWidth = fault_pkg::MessageWidth;
  localparam logic [3:0]  Window       = 4'd8;
  localparam logic [10:0] Timeout      = 11'd1025;  // cycles without progress

  // ---- Receive: is the frame whole and well-formed? ----

  logic        rx_valid_q;
  logic [39:0] rx_q;

  always_ff @(posedge clk_i) begin
    rx_valid_q <= rst_ni && link_up_i && frame_valid_i;
    rx_q       <= frame_i;
  end

  logic [7:0] rx_crc;
  fault_crc8 u_rx_crc (.data_i(rx_q[fault_pkg::BodyWidth-1:0]), .crc_o(rx_crc));

  logic [7:0]  crc;
  logic [1:0]  rx_type, prefix;
  logic [3:0]  rx_sequence, zero;
  logic [21:0] rx_message;
  logic [8:0]  gid;
  logic [4:0]  bid;
  logic [3:0]  nid;
  logic        restores, message_class, whole, in_range, gateway, empty_fields, whole_port, well_formed;
  assign {crc, rx_type, rx_sequence, rx_message, zero} = rx_q;
  assign {restores, message_class, prefix, gid, bid, nid} = rx_message;
  assign whole       = (rx_crc == crc) && (zero == '0) &&
                       (rx_type != fault_pkg::FrameReserved) &&
                       ((rx_type == fault_pkg::FrameMessage) || (rx_message == '0));
  assign in_range    = ({1'b0, gid} < 10'(G)) && ({1'b0, bid} < 6'(A)) &&
                       ((prefix != fault_pkg::PrefixNode) || ({1'b0, nid} < 5'(P)));
  assign gateway      = (prefix == fault_pkg::PrefixRouter) && !restores && (nid == fault_pkg::GatewayOnly);
  assign empty_fields = ((prefix == fault_pkg::PrefixNode) || (nid == '0) || gateway) &&
                        (prefix[1] || (bid == '0));
  assign whole_port  = restores && (gid == '0) && (message_class == fault_pkg::ClassD);
  assign well_formed = in_range && empty_fields && ((prefix != fault_pkg::PrefixPort) || whole_port);

  // ---- State ----

  logic [3:0]    base_q, count_q, flying_q, expected_q;  // base: number of the oldest message kept
  logic          asked_q, owes_ack_q, owes_ask_q, ready_q, link_q;
  logic [10:0]   timer_q;
  logic [8*MessageWidth-1:0] kept_q;

  // ---- Transmit ----

  logic       expired, sends, send_ask, send_ack;
  logic [3:0] flying_now, flying_sent;
  assign send_ask    = owes_ask_q;
  assign send_ack    = owes_ack_q && !owes_ask_q;
  assign expired     = !owes_ask_q && !owes_ack_q && (flying_q != 4'd0) && (timer_q == Timeout);
  assign flying_now  = expired ? 4'd0 : flying_q;
  assign sends       = !owes_ask_q && !owes_ack_q && (flying_now != count_q);  // at most the eight that are kept
  assign flying_sent = flying_now + {3'd0, sends};

  logic [3:0]  tx_sequence;
  logic [2:0]  tx_slot;
  logic [1:0]  tx_type;
  logic [31:0] tx_low;
  logic [7:0]  tx_crc;
  logic        tx_valid;
  assign tx_valid    = send_ask || send_ack || sends;
  assign tx_type     = send_ask ? fault_pkg::FrameAskAgain
                     : send_ack ? fault_pkg::FrameAcknowledge
                     : fault_pkg::FrameMessage;
  assign tx_sequence = sends ? base_q + flying_now : expected_q;
  assign tx_slot     = 3'(tx_sequence);
  assign tx_low      = {tx_type, tx_sequence, sends ? kept_q[MessageWidth*tx_slot +: MessageWidth] : 22'd0, 4'd0};
  fault_crc8 u_tx_crc (.data_i(tx_low), .crc_o(tx_crc));

  // ---- What the frame does ----

  logic       is_message, is_ack, is_ask, expected, repeated, takes, drops, malformed, progress;
  logic [3:0] done;
  assign is_message = rx_valid_q && whole && (rx_type == fault_pkg::FrameMessage);
  assign is_ack     = rx_valid_q && whole && (rx_type == fault_pkg::FrameAcknowledge);
  assign is_ask     = rx_valid_q && whole && (rx_type == fault_pkg::FrameAskAgain);
  assign expected   = is_message && well_formed && (rx_sequence == expected_q);
  assign repeated   = is_message && well_formed && !expected && (4'(expected_q - rx_sequence) <= Window);
  assign malformed  = is_message && !well_formed;
  assign takes      = expected && in_ready_i;
  assign drops      = rx_valid_q && !takes && !is_ack && !is_ask && !repeated;

  assign in_valid_o   = expected;
  assign in_message_o = expected ? rx_message : 22'd0;

  assign done     = rx_sequence - base_q;
  assign progress = (is_ack && (done != 4'd0) && (done <= flying_sent)) || (is_ask && (done <= flying_sent));

  // ---- Next state ----

  logic [3:0]  base_d, count_d, flying_d;
  logic        stores;
  logic [2:0]  slot;
  assign stores   = ready_q && msg_valid_i && link_q;
  assign base_d   = progress ? rx_sequence : base_q;
  assign flying_d = !progress ? flying_sent : is_ask ? 4'd0 : flying_sent - done;
  assign count_d  = count_q - (progress ? done : 4'd0) + {3'd0, stores};
  assign slot     = 3'(base_q + count_q);
  assign ready_o  = !link_q || (count_q + {3'd0, ready_q} < Window);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !link_up_i) begin
      base_q        <= 4'd0;
      count_q       <= 4'd0;
      flying_q      <= 4'd0;
      expected_q    <= 4'd0;
      asked_q       <= 1'b0;
      owes_ack_q    <= 1'b0;
      owes_ask_q    <= 1'b0;
      frame_valid_o <= 1'b0;
      frame_o       <= 40'd0;
    end else begin
      base_q        <= base_d;
      count_q       <= count_d;
      flying_q      <= flying_d;
      expected_q    <= expected_q + {3'd0, takes};
      asked_q       <= takes ? 1'b0 : (asked_q || send_ask);
      owes_ack_q    <= takes || repeated || (owes_ack_q && !send_ack);
      owes_ask_q    <= (drops && !(asked_q || send_ask)) || (owes_ask_q && !send_ask);
      frame_valid_o <= tx_valid;
      frame_o       <= tx_valid ? {tx_crc, tx_low} : 40'd0;
    end
  end

  always_ff @(posedge clk_i) begin
    link_q  <= rst_ni && link_up_i;
    ready_q <= rst_ni && ready_o;
    if (stores) kept_q[MessageWidth*slot +: MessageWidth] <= msg_i;
    if (expired || progress || (sends && (flying_now == 4'd0))) timer_q <= 11'd1;
    else if (timer_q != Timeout) timer_q <= timer_q + 11'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dropped_o   <= 16'd0;
      malformed_o <= 16'd0;
      again_o     <= 16'd0;
    end else if (link_up_i) begin
      dropped_o   <= dropped_o + {15'd0, drops || repeated};
      malformed_o <= malformed_o + {15'd0, malformed};
      again_o     <= again_o + {12'd0, expired ? flying_q : 4'd0} +
                     {12'd0, (progress && is_ask) ? flying_sent - done : 4'd0};
    end
  end

endmodule : fault_link
