// SPDX-License-Identifier: Apache-2.0
//
// Fields and widths of the router (docs/router.md). They are the same at every size of the network: what depends on the
// size are module parameters (P, A, H, FlitBits and the depths).

package router_pkg;

  // A list of fields is complete whatever a top uses of it.
  /* verilator lint_off UNUSEDPARAM */

  localparam int NumVcs      = 4;
  localparam int VcWidth     = 2;
  localparam int PortWidth   = 6;
  localparam int ComeWidth   = 6;   // flits of a packet that has not come as a whole
  localparam int CreditWidth = 9;   // slots of a virtual channel: in a buffer, and on the wires

  // No output port: the packet is dropped.
  localparam logic [PortWidth-1:0] PortNone = 6'd63;

  // Where a flit goes: {output port, VC on the link behind it}.
  localparam int ToWidth = PortWidth + VcWidth;

  // A head on its way through route compute: {valid, vc}.
  localparam int TagWidth = 1 + VcWidth;
  localparam int TagRanks = 5;   // after the edges n .. n+4 of a head that edge n has written

  // A flit from its lowest bit on: the fields that a router reads.
  localparam int FlitHeaderWidth = 79;
  localparam int FlitVcLsb       = 0;
  localparam int FlitHeadBit     = 2;
  localparam int FlitTailBit     = 3;
  localparam int FlitDestLsb     = 11;
  localparam int FlitSourceLsb   = 29;
  localparam int AddressWidth    = 18;  // {group, router in the group, node}
  localparam int GroupWidth      = 9;
  localparam int GroupLsb        = 9;
  localparam logic [4:0] PoisonedTail = 5'b11000;  // VC 0; all other bits are 0
  localparam logic [VcWidth-1:0] FlitVcMask = 2'b11;  // yosys 0.23 takes '1 for one bit

  // What is in a slot of a link: nothing, a flit, or a message of the fault plane.
  localparam logic [1:0] SlotIdle    = 2'd0;
  localparam logic [1:0] SlotFlit    = 2'd1;
  localparam logic [1:0] SlotMessage = 2'd2;

  // A grant of a phase, for supervision: {valid, dropped, input VC, to}.
  localparam int GrantWidth = 2 + VcWidth + ToWidth;

  /* verilator lint_on UNUSEDPARAM */

endpackage : router_pkg
