// SPDX-License-Identifier: Apache-2.0
//
// Even pick, second half: the number of the port that has `rank` ports below it; none is 127.
//
// The ports are counted byte by byte. The winner lies in the first byte up to whose end there are more than `rank`;
// inside it the ports are counted one by one.
//
// Cost: S/8 adders of 7 bits, a multiplexer of bytes, eight counters of 4 bits: combinational.

module vtftr_select #(
  parameter int S = 16  // ports, 2..128
) (
  input  logic [S-1:0]                    ports_i,
  input  logic [6:0]                      rank_i,
  output logic [vtftr_pkg::PortWidth-1:0] port_o
);

  localparam int Bytes = (S + 7) / 8;

  logic [8*Bytes-1:0] all;
  logic [7:0]         upto, here, left;  // ports below the byte, up to its end; of the winner's byte that are left
  logic [7:0]         lane;              // the winner's byte
  logic [3:0]         at;
  logic               found;
  logic [7:0]         below;             // ports below a bit of it
  logic [2:0]         bit_at;

  assign all = (8 * Bytes)'(ports_i);

  integer b, i;
  always_comb begin
    upto  = '0;
    here  = '0;
    lane  = '0;
    at    = '0;
    left  = '0;
    found = 1'b0;
    for (b = 0; b < Bytes; b = b + 1) begin
      here = upto + 8'(all[8*b]) + 8'(all[8*b+1]) + 8'(all[8*b+2]) + 8'(all[8*b+3]) + 8'(all[8*b+4]) + 8'(all[8*b+5])
           + 8'(all[8*b+6]) + 8'(all[8*b+7]);
      if (!found && (here > 8'(rank_i))) begin
        found = 1'b1;
        lane  = all[8*b +: 8];
        at    = 4'(b);
        left  = 8'(rank_i) - upto;
      end
      upto = here;
    end
  end

  always_comb begin
    below  = '0;
    bit_at = '0;
    for (i = 0; i < 8; i = i + 1) begin
      if (lane[i] && (below == left)) bit_at = 3'(i);
      below = below + 8'(lane[i]);
    end
  end

  assign port_o = found ? {at, bit_at} : vtftr_pkg::NoPort;

endmodule : vtftr_select
