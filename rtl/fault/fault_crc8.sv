// SPDX-License-Identifier: Apache-2.0
//
// CRC-8 of a frame's low 32 bits: polynomial x^8+x^2+x+1, initial value 0xFF, most significant bit first
// (docs/fault.md §2).
//
// Cost: about 130 exclusive-or gates: combinational.

module fault_crc8 (
  input  logic [31:0] data_i,
  output logic [7:0]  crc_o
);

  // Byte k is the remainder after the k highest bits.
  logic [33*8-1:0] remainder /*verilator split_var*/;
  assign remainder[7:0] = 8'hFF;
  for (genvar k = 0; k < 32; k = k + 1) begin : gen_bit
    logic feedback;
    assign feedback = remainder[8*k+7] ^ data_i[31-k];
    assign remainder[8*(k+1) +: 8] = {remainder[8*k +: 7], 1'b0} ^ {5'd0, {3{feedback}}};
  end

  assign crc_o = remainder[8*32 +: 8];

endmodule : fault_crc8
