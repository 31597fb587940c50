// SPDX-License-Identifier: Apache-2.0
//
// Physical coding sublayer as the bitmap frames see it: a pipeline of `Latency` cycles (DOAR §3.1: about 30), several
// frames in flight.
//
// Cost: Latency * (H + 10) flip-flops a local link. In a real PCS the frame travels in the ranks that the flits pass
// anyway.

module pcs_transport #(
  parameter  int H       = 16,  // bits of a bitmap
  parameter  int Latency = 30,  // cycles, 1..255
  localparam int Width   = H + congestion_pkg::CrcWidth + 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                valid_i,
  input  logic [H-1:0]                        bits_i,
  input  logic [congestion_pkg::CrcWidth-1:0] crc_i,
  input  logic                                phase_i,
  output logic                                valid_o,
  output logic [H-1:0]                        bits_o,
  output logic [congestion_pkg::CrcWidth-1:0] crc_o,
  output logic                                phase_o
);

  logic [Latency:0]           valid;
  logic [(Latency+1)*Width-1:0] frame;

  assign valid[0]         = valid_i;
  assign frame[Width-1:0] = {phase_i, crc_i, bits_i};

  for (genvar i = 0; i < Latency; i++) begin : gen_rank
    logic             valid_q;
    logic [Width-1:0] frame_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= valid[i];
      if (valid[i]) frame_q <= frame[i*Width +: Width];
    end
    assign valid[i+1]                  = valid_q;
    assign frame[(i+1)*Width +: Width] = frame_q;
  end

  assign valid_o = valid[Latency];
  assign bits_o  = valid_o ? frame[Latency*Width +: H] : '0;
  assign crc_o   = valid_o ? frame[Latency*Width+H +: congestion_pkg::CrcWidth] : '0;
  assign phase_o = valid_o && frame[Latency*Width+Width-1];

endmodule : pcs_transport
