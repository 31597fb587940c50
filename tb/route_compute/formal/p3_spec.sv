// SPDX-License-Identifier: Apache-2.0
// P3: docs/route_compute.md §5, stage 4, RTB.

module p3_spec #(
  parameter int NumPorts = 63
) (
  input  logic [NumPorts-1:0] s1_i,
  input  logic [NumPorts-1:0] s2_i,
  input  logic [NumPorts-1:0] fallback_i,
  input  logic [15:0]         random_i,
  output logic [2:0]          nonempty_o,
  output logic [2:0]          hop_class_o,
  output logic [15:0]         port_o
);

  logic [NumPorts-1:0] chosen;

  assign nonempty_o = {|fallback_i, |s2_i, |s1_i};

  always_comb begin
    hop_class_o = 3'd0;
    chosen      = fallback_i;
    if (fallback_i != '0) hop_class_o = 3'd7;
    if (s2_i != '0) begin hop_class_o = 3'd6; chosen = s2_i; end
    if (s1_i != '0) begin hop_class_o = 3'd5; chosen = s1_i; end
  end

  // Proved by `pick`, see p1_spec.
  logic [$clog2(NumPorts)-1:0] port;

  even_pick #(.Width(NumPorts), .FractionWidth(16)) u_pick (.request_i(chosen), .fraction_i(random_i), .index_o(port));

  assign port_o = 16'(port);

endmodule : p3_spec

module p3_miter #(
  parameter int NumPorts = 63
) (
  input  logic [NumPorts-1:0] s1_i,
  input  logic [NumPorts-1:0] s2_i,
  input  logic [NumPorts-1:0] fallback_i,
  input  logic [15:0]         random_i,
  output logic                bad_o
);

  logic [2:0]  nonempty, nonempty_spec, hop_class, hop_class_spec;
  logic [5:0]  port;
  logic [15:0] port_spec;

  rc_p3 #(.NumPorts(NumPorts)) u_dut (
    .s1_i, .s2_i, .fallback_i, .random_i, .nonempty_o(nonempty), .hop_class_o(hop_class), .port_o(port)
  );
  p3_spec #(.NumPorts(NumPorts)) u_spec (
    .s1_i, .s2_i, .fallback_i, .random_i, .nonempty_o(nonempty_spec), .hop_class_o(hop_class_spec), .port_o(port_spec)
  );

  assign bad_o = (nonempty != nonempty_spec) || (hop_class != hop_class_spec) ||
                 (hop_class_spec != 3'd0 && 16'(port) != port_spec);

endmodule : p3_miter

// Properties of P3 that do not use its specification: the port asked, in the class that is reported, and no better
// class did.
module p3_grant_miter #(
  parameter int NumPorts = 63
) (
  input  logic [NumPorts-1:0] s1_i,
  input  logic [NumPorts-1:0] s2_i,
  input  logic [NumPorts-1:0] fallback_i,
  input  logic [15:0]         random_i,
  output logic                bad_o
);

  logic [2:0]          nonempty, hop_class;
  logic [5:0]          port;
  logic [NumPorts-1:0] reported, granted;

  rc_p3 #(.NumPorts(NumPorts)) u_dut (
    .s1_i, .s2_i, .fallback_i, .random_i, .nonempty_o(nonempty), .hop_class_o(hop_class), .port_o(port)
  );

  assign reported = (hop_class == 3'd5) ? s1_i : (hop_class == 3'd6) ? s2_i : (hop_class == 3'd7) ? fallback_i : '0;

  for (genvar k = 0; k < NumPorts; k = k + 1) begin : gen_port
    assign granted[k] = (port == k);
  end

  assign bad_o = (s1_i != '0 && hop_class != 3'd5) || (s2_i != '0 && hop_class != 3'd5 && hop_class != 3'd6) ||
                 (fallback_i != '0 && hop_class == 3'd0) || (hop_class != 3'd0 && (granted & reported) == '0);

endmodule : p3_grant_miter
