// SPDX-License-Identifier: Apache-2.0
//
// What route compute may use of an entry, and which entry a message hits, for all inputs (docs/fault.md §3, §4).
// `bad_o` must never be 1.

module lookup_miter #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic [1:0]          class_i,
  input  logic                transit_i,
  input  logic [1:0]          vc_i,
  input  logic                has_a_i,
  input  logic [5:0]          a_i,
  input  logic [NumPorts-1:0] b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] partial_i,
  input  logic [NumPorts-1:0] mask_i,
  output logic                bad_o
);

  logic [NumPorts-1:0] a, b;
  fault_lookup #(.P(P), .A(A), .H(H)) u_lookup (.*, .a_o(a), .b_o(b));

  logic [NumPorts-1:0] want_a, want_b;
  logic                good, on_side, is_local, is_global;
  integer              k;
  always_comb begin
    want_a = '0;
    want_b = '0;
    good   = 1'b0;
    // Full and partial alike.
    for (k = 0; k < NumPorts; k = k + 1) begin
      is_local  = (k >= P) && (k < P + A - 1);
      is_global = k >= P + A - 1;
      on_side   = !((zone_i == 2'd2) && (class_i == 2'd1)) || (transit_i ? is_local : is_global);
      want_a[k] = has_a_i && (a_i == 6'(k)) && !mask_i[k] && ((level_a_i == 2'd0) || (level_a_i == 2'd1));
      want_b[k] = b_i[k] && on_side && !mask_i[k] && !lost_i[k];
      good      = good || want_a[k] || want_b[k];
    end
    // Only when there is none of these: gateway only.
    for (k = 0; k < NumPorts; k = k + 1) begin
      is_local  = (k >= P) && (k < P + A - 1);
      is_global = k >= P + A - 1;
      on_side   = !((zone_i == 2'd2) && (class_i == 2'd1)) || (transit_i ? is_local : is_global);
      if (!good) begin
        want_a[k] = has_a_i && (a_i == 6'(k)) && !mask_i[k] && (level_a_i == 2'd3);
        want_b[k] = b_i[k] && on_side && !mask_i[k] && lost_i[k] && partial_i[k];
      end
    end
    // The emergency detours.
    if ((zone_i == 2'd1) && (class_i == 2'd2) && ((want_a != '0) || (vc_i == 2'd3))) want_b = '0;
  end

  assign bad_o = (class_i != 2'd3) && (zone_i != 2'd3) && ((a != want_a) || (b != want_b));

endmodule : lookup_miter

module aim_miter #(
  parameter int P = 2,
  parameter int A = 4,
  parameter int G = 8,
  localparam int RowWidth = 10
) (
  input  logic [1:0] prefix_i,
  input  logic [8:0] gid_i,
  input  logic [4:0] bid_i,
  input  logic [3:0] nid_i,
  input  logic [8:0] own_gid_i,
  input  logic [4:0] own_bid_i,
  output logic       bad_o
);

  logic [RowWidth-1:0] row;
  fault_aim #(.P(P), .A(A), .RowWidth(RowWidth)) u_aim (.*, .row_o(row));

  // The row by counting: nodes, then routers, then groups.
  logic        allowed, of_group, of_router;
  logic [10:0] want;
  assign allowed   = (prefix_i != 2'd0) && ({1'b0, gid_i} < 10'(G)) && ({1'b0, bid_i} < 6'(A)) &&
                     ({1'b0, nid_i} < 5'(P)) && ({1'b0, own_gid_i} < 10'(G)) && ({1'b0, own_bid_i} < 6'(A));
  assign of_group  = (prefix_i == 2'd1) || (gid_i != own_gid_i);
  assign of_router = !of_group && ((prefix_i == 2'd2) || (bid_i != own_bid_i));
  assign want      = of_group ? 11'(P + A) + {2'd0, gid_i} : of_router ? 11'(P) + {6'd0, bid_i} : {7'd0, nid_i};

  assign bad_o = allowed && (({1'b0, row} != want) || (want >= 11'(P + A + G)));

endmodule : aim_miter

module message_miter (
  input  logic        safe_i,
  input  logic        travel_i,
  input  logic [1:0]  prefix_i,
  input  logic [8:0]  address_i,
  input  logic        group_local_i,
  input  logic [8:0]  index_i,
  input  logic [8:0]  own_gid_i,
  input  logic        class_i,
  input  logic [1:0]  level_i,
  output logic        bad_o
);

  logic [21:0] message;
  fault_message u_message (.*, .message_o(message));

  // The table of docs/fault.md §4 "Tell", field by field.
  logic       full, partial, lost, gateway, answers;
  logic [1:0] prefix;
  logic [8:0] gid;
  logic [4:0] bid;
  logic [3:0] nid;
  assign full    = level_i == 2'd0;
  assign partial = level_i == 2'd1;
  assign lost    = level_i == 2'd2;
  assign gateway = level_i == 2'd3;
  assign answers = !travel_i && ((prefix_i == 2'd2) || (prefix_i == 2'd3));
  always_comb begin
    prefix = 2'd1;
    gid    = index_i;
    bid    = 5'd0;
    nid    = 4'd0;
    if (group_local_i) begin
      prefix = 2'd2;
      gid    = own_gid_i;
      bid    = index_i[4:0];
      nid    = gateway ? 4'd1 : 4'd0;
    end else if (!safe_i ? answers : (partial || gateway || (full && answers))) begin
      prefix = (answers && !gateway) ? prefix_i : 2'd2;
      bid    = answers ? address_i[8:4] : 5'd0;
      nid    = gateway ? 4'd1 : (answers && (prefix_i == 2'd3)) ? address_i[3:0] : 4'd0;
    end
  end

  // Mode paper knows no level between; of zone B index_i is a router.
  logic allowed;
  assign allowed = (safe_i || full || lost) && (!group_local_i || (index_i < 9'd32));
  assign bad_o   = allowed && (message != {full, class_i, prefix, gid, bid, nid});

endmodule : message_miter
