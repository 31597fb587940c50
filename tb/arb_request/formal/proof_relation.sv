// SPDX-License-Identifier: Apache-2.0
//
// Proofs about circuits (a) and (b) of Fig. 4 side by side, for all inputs. Property 0: a D2RA request is a superset of
// a DBRA request.
// Property 1: they agree when every credit is >= N. Property 2: what D2RA adds is only ever the lowest remaining
// dimension, that is the low class, at most one, and only if its queue has a free slot.

module proof_relation #(
  parameter int N        = 3,
  parameter int CW       = 8,
  parameter int KW       = 8,
  parameter int Property = 0
) (
  input  logic [N*CW-1:0] at_i,
  input  logic [N*CW-1:0] dest_i,
  input  logic [N*KW-1:0] credit_i,
  output logic            bad_o
);

  logic [N-1:0] dbra, d2ra, remaining_a, remaining_b, lowest, high, low;
  logic [3:0]   z_a, z_b;

  arb_request_dbra #(.N(N), .CW(CW), .KW(KW)) u_dbra (
    .at_i, .dest_i, .credit_i, .remaining_o(remaining_a), .z_o(z_a), .request_o(dbra)
  );
  arb_request_d2ra #(.N(N), .CW(CW), .KW(KW)) u_d2ra (
    .at_i, .dest_i, .credit_i, .remaining_o(remaining_b), .lowest_o(lowest), .z_o(z_b), .request_o(d2ra)
  );
  arb_request_priority #(.N(N), .KW(KW)) u_priority (
    .credit_i, .lowest_i(lowest), .z_i(z_b), .request_i(d2ra), .high_o(high), .low_o(low)
  );

  logic [N-1:0] rich, added_wrongly;
  for (genvar i = 0; i < N; i++) begin : gen_dim
    logic is_lowest;
    if (i == 0) begin : gen_first
      assign is_lowest = (at_i[0 +: CW] != dest_i[0 +: CW]);
    end else begin : gen_next
      assign is_lowest = (at_i[i*CW +: CW] != dest_i[i*CW +: CW]) && (at_i[i*CW-1:0] == dest_i[i*CW-1:0]);
    end
    assign rich[i]          = 10'(credit_i[i*KW +: KW]) >= 10'(N);
    assign added_wrongly[i] = low[i] && (!is_lowest || (credit_i[i*KW +: KW] == '0) || dbra[i]);
  end

  assign bad_o = (Property == 0) ? ((dbra & ~d2ra) != '0)
               : (Property == 1) ? ((rich == {N{1'b1}}) && ((dbra != d2ra) || (low != '0)))
               : ((added_wrongly != '0) || (high != dbra) || ((high | low) != d2ra));

endmodule : proof_relation
