// SPDX-License-Identifier: Apache-2.0
//
// What docs/route_compute.md §1 says about ports and groups, as functions. Used by every *_spec.sv of this folder.
//
// A specification here is written from the document, bit by bit and without a thought of gates; it shares nothing with
// rtl/. Beside each `X_spec` stands `X_miter`: the unit and its specification side by side, with `bad_o` = 1 where they
// differ although the input is one that can occur. The proof is that `bad_o` is never 1.

package dragonfly_spec;

  // Local port P+k of router own_bid leads to this router.
  function automatic logic [5:0] neighbour(input logic [5:0] k, input logic [4:0] own_bid);
    neighbour = (k < {1'b0, own_bid}) ? k : k + 6'd1;
  endfunction

  // Group-wide port j of group x leads to this group.
  function automatic logic [10:0] group_behind(input logic [10:0] j, input logic [8:0] x, input logic absolute);
    group_behind = (absolute && j >= {2'd0, x}) ? j + 11'd1 : j;
  endfunction

  // Group-wide port of group x that leads to group t (t is not x).
  function automatic logic [10:0] port_towards(input logic [10:0] t, input logic [8:0] x, input logic absolute);
    port_towards = (absolute && t >= {2'd0, x}) ? t - 11'd1 : t;
  endfunction

  // Group-wide port j of group x is cabled.
  function automatic logic usable(input logic [10:0] j, input logic [8:0] x, input logic absolute,
                                  input logic [10:0] groups);
    usable = absolute ? (j < groups - 11'd1) : (j < groups && j != {2'd0, x});
  endfunction

endpackage : dragonfly_spec
