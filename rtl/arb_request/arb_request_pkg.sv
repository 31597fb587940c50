// SPDX-License-Identifier: Apache-2.0
//
// Codes of the arbitration-request block (docs/arb_request.md §2, §3).

package arb_request_pkg;

  // A list of codes is complete whatever a top uses of it.
  /* verilator lint_off UNUSEDPARAM */
  localparam logic [1:0] SchemeDor  = 2'd0;
  localparam logic [1:0] SchemeDbra = 2'd1;
  localparam logic [1:0] SchemeD2ra = 2'd2;

  localparam logic [1:0] PolicyRoundRobin  = 2'd0;
  localparam logic [1:0] PolicyRandom      = 2'd1;
  localparam logic [1:0] PolicyMostCredits = 2'd2;
  /* verilator lint_on UNUSEDPARAM */

endpackage : arb_request_pkg
