// SPDX-License-Identifier: Apache-2.0
//
// Codes of the arbitration-request block (docs/arb_request.md §2, §3). The enums name constants; signals are plain
// vectors, because iverilog 11 takes no variable of a package's type.

package arb_request_pkg;

  // A list of codes is complete whatever a top uses of it.
  /* verilator lint_off UNUSEDPARAM */
  typedef enum logic [1:0] {SchemeDor = 2'd0, SchemeDbra = 2'd1, SchemeD2ra = 2'd2} scheme_e;
  typedef enum logic [1:0] {PolicyRoundRobin = 2'd0, PolicyRandom = 2'd1, PolicyMostCredits = 2'd2} policy_e;
  /* verilator lint_on UNUSEDPARAM */

endpackage : arb_request_pkg
