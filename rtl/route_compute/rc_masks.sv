// SPDX-License-Identifier: Apache-2.0
//
// The two group-wide masks that depend on configuration only: which global ports are cabled, and which are the own
// router's.
//
// They are registered, so that stage 3 does not decode ROUTER_ID in front of its wide logic. A write to ROUTER_ID or
// PORT (`changed_i`) is seen by the configuration registers after that edge, and by these masks one edge later. This
// delay can't be seen: such a write waits until r0..r2 are empty, so the next request is in stage 1 in the cycle in
// which the masks load, and stage 3 needs them two cycles later.
//
// Cost: 2 * A*H flip-flops.

module rc_masks #(
  parameter  int A          = 32,
  parameter  int H          = 16,
  parameter  int G          = 512,
  localparam int GroupPorts = A * H
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic                                   changed_i,  // ROUTER_ID or PORT is written at this edge
  input  logic [route_compute_pkg::GidWidth-1:0] own_gid_i,
  input  logic [route_compute_pkg::BidWidth-1:0] own_bid_i,
  input  logic                                   absolute_i,
  output logic [GroupPorts-1:0]                  usable_o,     // port j is cabled
  output logic [GroupPorts-1:0]                  own_window_o  // port j belongs to the own router
);

  localparam logic [GroupPorts-1:0] BelowGroups       = ~({GroupPorts{1'b1}} << G);
  localparam logic [GroupPorts-1:0] BelowGroupsButOne = ~({GroupPorts{1'b1}} << (G - 1));
  localparam logic [GroupPorts-1:0] OneRouter         = GroupPorts'({H{1'b1}});

  logic                  stale_q;
  logic [GroupPorts-1:0] usable_q;
  logic [GroupPorts-1:0] own_window_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) stale_q <= 1'b1;
    else         stale_q <= changed_i;
  end

  always_ff @(posedge clk_i) begin
    if (stale_q) begin
      usable_q     <= absolute_i ? BelowGroupsButOne : (BelowGroups & ~(GroupPorts'(1'b1) << own_gid_i));
      own_window_q <= OneRouter << (10'(H) * 10'(own_bid_i));
    end
  end

  assign usable_o     = usable_q;
  assign own_window_o = own_window_q;

endmodule : rc_masks
