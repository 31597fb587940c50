// SPDX-License-Identifier: Apache-2.0
//
// Switch of a D2RA mesh router (docs/arb_request.md §6): the output half of the separable allocator, one
// arb_switch_output a direction and one for ejection.
//
// Every input port shows one request. It is decoded into a line to one output; the outputs choose independently in the
// same cycle, and because an input port asks one output only, the grants of all outputs need no second arbitration:
// they are ORed.
//
// Cost: 2*N+1 arb_switch_output, P*(2*N+1) decoders of 4 bits; `grant_o` is combinational in the requests.

module arb_switch #(
  parameter  int N     = 3,        // dimensions, 1..8
  parameter  int KW    = 8,        // bits of a credit, 1..8
  parameter  int Slots = 4,        // packet slots behind each output, 1..2**KW-1
  localparam int P     = 2 * N + 1  // input ports
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [P-1:0]      req_valid_i,
  input  logic [P-1:0]      req_eject_i,
  input  logic [3*P-1:0]    req_dim_i,
  input  logic [P-1:0]      req_minus_i,
  input  logic [4*P-1:0]    req_need_i,
  input  logic [2*N-1:0]    return_i,  // credits that come back, bit 2*dimension + minus
  output logic [P-1:0]      grant_o,   // to the input ports
  output logic [2*N*KW-1:0] credit_o   // field 2*dimension + minus
);

  for (genvar o = 0; o < P; o++) begin : gen_output
    logic [P-1:0] ask, grant, so_far;
    for (genvar p = 0; p < P; p++) begin : gen_input
      if (o == P - 1) begin : gen_eject
        assign ask[p] = req_valid_i[p] && req_eject_i[p];
      end else begin : gen_direction
        assign ask[p] = req_valid_i[p] && !req_eject_i[p] && ({req_dim_i[3*p +: 3], req_minus_i[p]} == 4'(o));
      end
    end

    if (o == P - 1) begin : gen_ejection
      logic [KW-1:0] unused_credit;
      arb_switch_output #(.P(P), .KW(KW), .Slots(Slots), .Ejection(1)) u_output (
        .clk_i, .rst_ni, .ask_i(ask), .need_i(req_need_i), .return_i(1'b0), .grant_o(grant), .credit_o(unused_credit)
      );
    end else begin : gen_link
      arb_switch_output #(.P(P), .KW(KW), .Slots(Slots), .Ejection(0)) u_output (
        .clk_i, .rst_ni, .ask_i(ask), .need_i(req_need_i), .return_i(return_i[o]), .grant_o(grant),
        .credit_o(credit_o[o*KW +: KW])
      );
    end

    if (o == 0) begin : gen_first
      assign so_far = grant;
    end else begin : gen_next
      assign so_far = gen_output[o-1].so_far | grant;
    end
  end

  assign grant_o = gen_output[P-1].so_far;

endmodule : arb_switch
