// SPDX-License-Identifier: Apache-2.0
//
// Codes and widths of the VTFTR units (docs/vtftr.md §2, §9).

package vtftr_pkg;

  localparam int CoordWidth   = 7;   // a column or a row
  localparam int NodeWidth    = 5;
  localparam int AddressWidth = NodeWidth + 2 * CoordWidth;  // {y, x, node}
  localparam int PortWidth    = 7;
  localparam int MessageWidth = 22;  // {op[1:0], x[6:0], y[6:0], cm, rm, cf, epoch[2:0]}

  localparam logic [PortWidth-1:0] NoPort = 7'd127;

  // Where a packet came in at a leaf.
  localparam logic [1:0] ClassNode = 2'd0;
  localparam logic [1:0] ClassRow  = 2'd1;  // 2 and 3: column

  localparam logic FaultTolerant = 1'b1;  // the virtual channel that a turn enters

  // How a leaf decided; from LeafLoop on: dropped.
  localparam logic [3:0] LeafEject       = 4'd0;
  localparam logic [3:0] LeafDirect      = 4'd1;
  localparam logic [3:0] LeafXy          = 4'd2;
  localparam logic [3:0] LeafYx          = 4'd3;
  localparam logic [3:0] LeafBothRow     = 4'd4;
  localparam logic [3:0] LeafBothColumn  = 4'd5;
  localparam logic [3:0] LeafRowToColumn = 4'd6;
  localparam logic [3:0] LeafTurn        = 4'd7;
  localparam logic [3:0] LeafLoop        = 4'd8;
  localparam logic [3:0] LeafSecondTurn  = 4'd9;
  localparam logic [3:0] LeafBadAddress  = 4'd10;
  localparam logic [3:0] LeafNoRail      = 4'd11;

  // How a root decided; from RootDead on: dropped.
  localparam logic [2:0] RootDirect     = 3'd0;
  localparam logic [2:0] RootMisroute   = 3'd1;
  localparam logic [2:0] RootMasked     = 3'd2;
  localparam logic [2:0] RootBounce     = 3'd3;
  localparam logic [2:0] RootDead       = 3'd4;
  localparam logic [2:0] RootNoTurnLeft = 3'd5;
  localparam logic [2:0] RootNone       = 3'd6;
  localparam logic [2:0] RootBadAddress = 3'd7;

  // What a message does.
  localparam logic [1:0] OpFail        = 2'd0;
  localparam logic [1:0] OpColumnFirst = 2'd2;
  localparam logic [1:0] OpReserved    = 2'd3;

endpackage : vtftr_pkg
