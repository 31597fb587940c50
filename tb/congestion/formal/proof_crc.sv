// SPDX-License-Identifier: Apache-2.0
// The CRC of the package (eight parities) equals the serial division by x^8 + x^2 + x + 1, for all messages.
module proof_crc (
  input  logic        phase_i,
  input  logic [4:0]  bid_i,
  input  logic [15:0] bits_i,
  output logic        bad_o
);
  logic [22*8+7:0] crc;
  logic [21:0]     message;
  assign message  = {phase_i, bid_i, bits_i};
  assign crc[7:0] = 8'hFC;
  for (genvar i = 0; i < 22; i++) begin : gen_bit
    logic feedback;
    assign feedback             = crc[i*8+7] ^ message[21-i];
    assign crc[(i+1)*8 +: 8] = {crc[i*8 +: 7], 1'b0} ^ (feedback ? 8'h07 : 8'h00);
  end
  assign bad_o = (crc[22*8 +: 8] != congestion_pkg::crc8(phase_i, bid_i, bits_i));
endmodule
