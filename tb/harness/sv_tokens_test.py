#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which changes of a SystemVerilog text change its tokens, and with them the keys of the proofs."""
import unittest

import prove
from sv_tokens import tokens

TEXT = """\
// A counter.
module counter (input logic clk_i, output logic [3:0] count_o);
`ifndef SYNTHESIS
  initial $display("counts // up");
`endif
`define STEP 4'd1
  always_ff @(posedge clk_i) count_o <= (count_o & &count_o) + `STEP;  // wraps
endmodule
"""


class Tokens(unittest.TestCase):
    def same(self, old, new):
        self.assertIn(old, TEXT)
        self.assertEqual(tokens(TEXT), tokens(TEXT.replace(old, new)), new)

    def other(self, old, new):
        self.assertIn(old, TEXT)
        self.assertNotEqual(tokens(TEXT), tokens(TEXT.replace(old, new)), new)

    def test_comments_and_space_do_not_count(self):
        self.same("// A counter.", "// It counts up to 15,\n// then from 0 on.")
        self.same("// wraps", "/* wraps // around\n at 15 */")
        self.same("  // wraps", "")
        self.same("clk_i, output", "clk_i,\n  output")
        self.same(" <= (", "\n    <=\n( ")
        self.same("initial $display", "initial\n    $display")
        self.same("`define STEP 4'd1", "`define STEP \\\n  4'd1  // one")

    def test_tokens_count(self):
        self.other("4'd1", "4'd2")
        self.other("[3:0]", "[4:0]")
        self.other("& &", "&&")
        self.other("posedge clk_i", "posedgeclk_i")
        self.other("<= (", "<= /* (")

    def test_strings_count_as_they_are(self):
        self.other("counts // up", "counts  // up")
        self.other("counts // up", "counts")

    def test_directives_keep_their_place(self):
        self.other("`endif\n`define STEP 4'd1\n", "`define STEP 4'd1\n`endif\n")
        self.other("  initial $display", "`endif\n  initial $display")
        self.other("`define STEP 4'd1\n", "`define STEP 4'd1 ")
        self.other("`ifndef SYNTHESIS\n", "`ifndef SYNTHESIS ")
        self.other("`define STEP 4'd1\n", "`define STEP\n 4'd1\n")


class Key(unittest.TestCase):
    """Of a planted bug: its text counts, not what is said of it."""

    PLANT = {
        "name": "stuck",
        "what": "it does not count",
        "file": "counter.sv",
        "find": "count_o + 1",
        "replace": "count_o",
    }

    def test_plant(self):
        key = prove.of_plant(self.PLANT)
        self.assertEqual(key, prove.of_plant({**self.PLANT, "what": "it stands still", "find": "count_o\n    + 1"}))
        self.assertNotEqual(key, prove.of_plant({**self.PLANT, "replace": "count_o + 2"}))
        self.assertNotEqual(key, prove.of_plant({**self.PLANT, "find": "count_o + 2"}))
        self.assertIsNone(prove.of_plant(None))


if __name__ == "__main__":
    unittest.main()
