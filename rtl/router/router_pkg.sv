// SPDX-License-Identifier: Apache-2.0
//
// Fields and widths of the router (docs/router.md). They are the same at every size of the network: what depends on the
// size are module parameters (P, A, H, FlitBits and the depths).

package router_pkg;

  // A list of fields is complete whatever a top uses of it, and a field function looks at its field only.
  /* verilator lint_off UNUSEDPARAM */
  /* verilator lint_off UNUSEDSIGNAL */

  localparam int NumVcs      = 4;
  localparam int VcWidth     = 2;
  localparam int PortWidth   = 6;
  localparam int ComeWidth   = 6;   // flits of a packet that has not come as a whole
  localparam int CreditWidth = 9;   // slots of a virtual channel: in a buffer, and on the wires

  // No output port: the packet is dropped.
  localparam logic [PortWidth-1:0] PortNone = 6'd63;

  // Where a flit goes: {output port, VC on the link behind it}.
  localparam int ToWidth = PortWidth + VcWidth;
  function automatic logic [PortWidth-1:0] to_port(input logic [ToWidth-1:0] to);
    to_port = to[VcWidth +: PortWidth];
  endfunction
  function automatic logic [VcWidth-1:0] to_vc(input logic [ToWidth-1:0] to);
    to_vc = to[VcWidth-1:0];
  endfunction
  function automatic logic to_nowhere(input logic [ToWidth-1:0] to);
    to_nowhere = (to[VcWidth +: PortWidth] == PortNone);
  endfunction

  // A head on its way through route compute: {valid, vc}.
  localparam int TagWidth = 1 + VcWidth;
  localparam int TagRanks = 5;   // after the edges n .. n+4 of a head that edge n has written
  function automatic logic tag_valid(input logic [TagWidth-1:0] tag);
    tag_valid = tag[TagWidth-1];
  endfunction
  function automatic logic [VcWidth-1:0] tag_vc(input logic [TagWidth-1:0] tag);
    tag_vc = tag[VcWidth-1:0];
  endfunction

  // A flit from its lowest bit on: the fields that a router reads.
  localparam int FlitHeaderWidth = 79;
  localparam int AddressWidth    = 18;  // {group, router in the group, node}
  localparam int GroupWidth      = 9;
  localparam int GroupLsb        = 9;
  localparam int FlitTailBit = 3;
  localparam logic [4:0] PoisonedTail = 5'b11000;  // VC 0; all other bits are 0
  localparam logic [VcWidth-1:0] FlitVcMask = 2'b11;  // yosys 0.23 takes '1 for one bit
  function automatic logic [VcWidth-1:0] flit_vc(input logic [FlitHeaderWidth-1:0] flit);
    flit_vc = flit[1:0];
  endfunction
  function automatic logic flit_head(input logic [FlitHeaderWidth-1:0] flit);
    flit_head = flit[2];
  endfunction
  function automatic logic flit_tail(input logic [FlitHeaderWidth-1:0] flit);
    flit_tail = flit[FlitTailBit];
  endfunction
  function automatic logic [AddressWidth-1:0] flit_dest(input logic [FlitHeaderWidth-1:0] flit);
    flit_dest = flit[28:11];
  endfunction
  function automatic logic [GroupWidth-1:0] flit_source_group(input logic [FlitHeaderWidth-1:0] flit);
    flit_source_group = flit[29+GroupLsb +: GroupWidth];
  endfunction

  // What is in a slot of a link: nothing, a flit, or a message of the fault plane.
  localparam logic [1:0] SlotIdle    = 2'd0;
  localparam logic [1:0] SlotFlit    = 2'd1;
  localparam logic [1:0] SlotMessage = 2'd2;

  // A grant of a phase, for supervision: {valid, dropped, input VC, to}.
  localparam int GrantWidth = 2 + VcWidth + ToWidth;

  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_on UNUSEDPARAM */

endpackage : router_pkg
