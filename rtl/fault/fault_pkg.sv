// SPDX-License-Identifier: Apache-2.0
//
// Codes, messages and frames of the fault plane (docs/fault.md §1, §2, §5, §6). They are the same at every size of the
// network: what depends on the size are module parameters (P, A, H, G).
//
// The enums name constants; signals are plain vectors, because iverilog 11 takes no variable of a package's type.

package fault_pkg;

  // A list of codes is complete whatever a top uses of it.
  /* verilator lint_off UNUSEDPARAM */

  // Zone of a row, class of a port.
  typedef enum logic [1:0] {ZoneN = 2'd0, ZoneB = 2'd1, ZoneG = 2'd2} zone_e;
  typedef enum logic [1:0] {PortClassNode = 2'd0, PortClassLocal = 2'd1, PortClassGlobal = 2'd2} port_class_e;

  // Level of an option or an entry, from best to worst: full, partial, gateway only, lost (a Gray code). An option of
  // table B has it in its marks {lost, partial}.
  typedef enum logic [1:0] {LevelFull = 2'd0, LevelPartial = 2'd1, LevelLost = 2'd2, LevelGateway = 2'd3} level_e;

  // What a command touches: everything, what class D or class S stands for, or nothing (end mark).
  typedef enum logic [1:0] {ScopeAll = 2'd0, ScopeD = 2'd1, ScopeS = 2'd2, ScopeNone = 2'd3} scope_e;

  // Command on the ring. The scheduler says CommandFd for every message of a FIFO; the message's own kind tells FD from
  // FR. The bits are {there is a message, it restores}.
  typedef enum logic [1:0] {CommandDown = 2'd0, CommandUp = 2'd1, CommandFd = 2'd2, CommandFr = 2'd3} command_e;

  // State of a port unit.
  typedef enum logic [2:0] {
    StIdle       = 3'd0,
    StRead       = 3'd1,
    StExecute    = 3'd2,
    StSecond     = 3'd3,  // further messages of execute
    StTell       = 3'd4,
    StTellSecond = 3'd5,  // further messages of tell
    StPortTell   = 3'd6   // FR of the whole port: end mark, port-level FR
  } state_e;

  // Message {kind, class, prefix, gid, bid, nid}.
  localparam int GidWidth     = 9;
  localparam int BidWidth     = 5;
  localparam int NidWidth     = 4;
  localparam int InnerWidth   = BidWidth + NidWidth;  // {bid, nid}: the address in the group
  localparam int AddressWidth = GidWidth + InnerWidth;
  localparam int PrefixLsb    = AddressWidth;
  localparam int ClassLsb     = PrefixLsb + 2;
  localparam int KindLsb      = ClassLsb + 1;
  localparam int MessageWidth = KindLsb + 1;

  // Bit 1 of a prefix: it names a router, perhaps a node of it.
  typedef enum logic {KindFd = 1'd0, KindFr = 1'd1} kind_e;
  typedef enum logic {ClassD = 1'd0, ClassS = 1'd1} class_e;
  typedef enum logic [1:0] {PrefixPort = 2'd0, PrefixGroup = 2'd1, PrefixRouter = 2'd2, PrefixNode = 2'd3} prefix_e;

  // In the nid field of an FD with prefix 2: only packets for the sender itself arrive.
  localparam logic [NidWidth-1:0] GatewayOnly = 4'd1;

  // Frame {crc, body}; body {type, sequence, message, 4 zeros}.
  localparam int FrameZeroWidth = 4;
  localparam int SequenceWidth  = 4;
  localparam int SequenceLsb    = FrameZeroWidth + MessageWidth;
  localparam int TypeLsb        = SequenceLsb + SequenceWidth;
  localparam int BodyWidth      = TypeLsb + 2;
  localparam int CrcWidth       = 8;
  localparam int FrameWidth     = CrcWidth + BodyWidth;

  typedef enum logic [1:0] {FrameReserved = 2'd0, FrameMessage = 2'd1, FrameAcknowledge = 2'd2,
                            FrameAskAgain = 2'd3} frame_e;

  /* verilator lint_on UNUSEDPARAM */

endpackage : fault_pkg
