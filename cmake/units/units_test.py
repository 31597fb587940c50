#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator of the units: what it makes of a small description, and what it says about wrong ones."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cpp  # noqa: E402
import description  # noqa: E402
import documents  # noqa: E402
import registers  # noqa: E402
import systemc  # noqa: E402
import systemverilog  # noqa: E402
import verilated  # noqa: E402

GOOD = """
text = "Small"
cpp = "Small"
golden = "Golden"
transaction = ["full"]
idle = ["push", "ready=1"]
tops = ["tiny"]
[parameters]
A = [4, "routers", "2..32"]
Depth = [8, "words", "1..16", "2 * A"]
[[rtl]]
[[rtl]]
sizes = ["any"]
variants = ["debug"]
set = { Depth = 3 }
[in]
push = { bits = 1, text = "a word comes" }
ready = { bits = 1, text = "one may leave" }
word = { count = "A-1", bits = "Depth", text = "words" }
[out]
full = { bits = 1, stage = "store", text = "no room" }
sum = { bits = "Depth+clog2(A)", stage = "add", probe = "the sum", text = "of all" }
[[register]]
name = "LevelOfFill"
address = 0x10
access = "rw"
fields = [{ lsb = 4, bits = 3, reset = 5, text = "words" }]
[registers]
bytes = 32
"""


def unit(text):
    made = description.Unit(pathlib.Path("models/family/small.toml"), text)
    made.resolve({})
    made.siblings = [made]
    return made


class Units(unittest.TestCase):
    def test_structures_have_no_gap_and_the_greatest_widths(self):
        small = unit(GOOD)
        inputs, outputs = cpp.structure(small, False), cpp.structure(small, True)
        self.assertIn("std::array<uint16_t, 31> word{};", inputs)
        self.assertIn("uint32_t sum = 0;", outputs)  # 16 + 5 bits
        self.assertIn("uint8_t spare[3] = {};", outputs)

    def test_block(self):
        block = cpp.block_header(unit(GOOD))
        self.assertIn('input_field<Inputs, 496, [](auto& in) -> auto& { return in.word; }>("word")', block)
        self.assertIn(
            '{"the sum", "add", ProbeKind::cycle_exact, [](const Outputs& o) -> uint64_t { return o.sum; }}', block
        )
        self.assertIn("out.ready = 1;", block)

    def test_libraries_and_top(self):
        small = unit(GOOD)
        made = {
            library.name("small"): library.parameters
            for library in small.libraries({"dragonfly": {"tiny": (2, 4, 2, 8, 0)}})
        }
        self.assertEqual(made, {"small_tiny": {"A": 4, "Depth": 8}, "small_any_debug": {"Depth": 3}})
        top = systemverilog.top(small, "tiny")
        self.assertIn("input  logic [23:0] word_i", top)
        self.assertIn("output logic [9:0]  sum_o", top)
        self.assertIn("drive_elements<A-1, Depth>(m.word_i", verilated.pins_header(small))
        self.assertIn("template <class Model, int A, int Depth>", verilated.pins_header(small))

    def test_a_size_is_within_the_ranges(self):
        made = unit(
            GOOD.replace('"2..32"]', '"2..min(G, 32)"]\nG = [8, "groups", "2..9"]\nOld = [0, "", "0, 1", "G / 9"]')
        )
        for numbers, told in (
            ((2, 4, 2, 9, 0), None),
            ((2, 1, 2, 8, 0), r"small.toml: size own: A = 1, expected 2..min\(G, 32\)"),
            ((2, 6, 2, 5, 0), r"small.toml: size own: A = 6, expected 2..min\(G, 32\)"),
            ((2, 4, 2, 10, 0), "small.toml: size own: G = 10, expected 2..9"),
            ((2, 8, 2, 8, 0), None),
            ((2, 9, 2, 9, 0), "small.toml: size own: Depth = 18, expected 1..16"),
        ):
            if told is None:
                self.assertTrue(made.libraries({"dragonfly": {"own": numbers}}), numbers)
                continue
            with self.assertRaisesRegex(SystemExit, told):
                made.libraries({"dragonfly": {"own": numbers}})
        for allowed, right in (("0, 1", True), ("1, 2", False), ("max(3, A)", False), ("max(0, A - 4)", True)):
            text = GOOD.replace('"2..32"]', f'"2..32"]\nOne = [0, "", "{allowed}", "A - 4"]')
            try:
                unit(text).libraries({"dragonfly": {"own": (2, 4, 2, 8, 0)}})
                self.assertTrue(right, allowed)
            except SystemExit as error:
                self.assertFalse(right, allowed)
                self.assertIn(f"One = 0, expected {allowed}", str(error))

    def test_what_somebody_has_to_ask_for(self):
        for demand, asked in (("", []), ("demand = true", ["fast", "netlist"]), ('demand = ["netlist"]', ["netlist"])):
            small = unit(GOOD.replace('["debug"]', f'["fast", "netlist"]\n{demand}'))
            made = small.libraries({"dragonfly": {}})
            self.assertEqual([library.variant for library in made if library.demand], asked, demand)
            self.assertEqual("\n".join(documents.levels({"small": small})).count("on demand"), len(asked))

    def test_a_unit_without_parameters(self):
        fixed = GOOD
        for name, value in (
            ('A = [4, "routers", "2..32"]\n', ""),
            ('Depth = [8, "words", "1..16", "2 * A"]\n', ""),
            ("set = { Depth = 3 }\n", ""),
            ('"A-1"', "3"),
            ('"Depth"', "8"),
            ('"Depth+clog2(A)"', "10"),
        ):
            fixed = fixed.replace(name, value)
        small = unit(fixed)
        self.assertIn("template <class Model>", verilated.pins_header(small))
        self.assertNotIn("template", systemc.shell(small))
        for library in small.libraries({"dragonfly": {"tiny": (2, 4, 2, 8, 0)}}):
            self.assertIn(f"SmallBlockRtlPins<V{library.name('small')}>>", verilated.device(small, library))

    def test_documents_and_registers(self):
        small = unit(GOOD)
        page = documents.filled({"small": small}, "page", "a\n<!-- unit small: registers -->\nold\n<!-- end -->\nb")
        self.assertIn("| `0x010` | `LEVEL_OF_FILL` | rw | `[6:4]` words, reset 5 |\n<!-- end -->\nb", page)
        self.assertIn("kLevelOfFillReset = 0x50;", registers.header(small))
        package = registers.filled(
            {"small": small},
            "  // Registers, written by ./dev units from models/family/small.toml.\nold\n  // End of the registers.\n",
        )
        self.assertIn("localparam logic [1:0]  RegLevelOfFill   = 2'h2;", package)
        self.assertIn("localparam logic [63:0] LevelOfFillBits  = 64'h0000_0000_0000_0070;", package)
        self.assertNotIn("old", package)

    def test_wrong_descriptions_are_named(self):
        for change, told in (
            (
                ('bits = 1, text = "a word comes"', 'bit = 1'),
                r"small.toml: in.push: unknown key 'bit', expected one of bits",
            ),
            (('"Depth+clog2(A)"', '"Dept+1"'), r"out.sum: 'Dept\+1': .*expected an integer expression over A, Depth"),
            (('transaction = ["full"]', 'transaction = ["fall"]'), "there is no output pin 'fall'"),
            (('cpp = "Small"', ''), "'cpp' is missing"),
            (('sizes = ["any"]', 'sizes = ["any"'), "small.toml: "),
            (
                ('variants = ["debug"]', 'variants = ["slow"]'),
                "variant 'slow', expected one of fast, debug, netlist, random",
            ),
            (
                ('variants = ["debug"]', 'variants = ["debug"]\ndemand = ["fast"]'),
                "demand 'fast', expected one of its variants, or true",
            ),
        ):
            with self.assertRaisesRegex(SystemExit, told):
                broken = unit(GOOD.replace(*change))
                broken.libraries({"dragonfly": {}})
                cpp.block_header(broken)
        with self.assertRaisesRegex(SystemExit, "<!-- unit other -->, expected one of small"):
            documents.filled({"small": unit(GOOD)}, "page", "<!-- unit other: pins -->\n<!-- end -->")


if __name__ == "__main__":
    unittest.main()
