#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/area.py: sizes and speeds as the page shows them, of small tables."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import area  # noqa: E402

TABLE = """
| size | unit | cells | flip-flops | RAM bits | depth |
| --- | --- | ---: | ---: | ---: | ---: |
| tiny | port | 1,377 | 12 | 3,400 | 27 |
| tiny | path | 770,189 | 20,497 | 0 |  |

| gate | delay |
| --- | --- |
| AND | 3 |
"""
TEXT = """Reproduce: `./dev area fault`

tiny: P, A = 2, 4
                                cells  flip-flops  RAM bits  depth
  port unit                     2,980         553       420     53
    mode paper alone            2,922         549         0     52
  scheduler, 64 stations          155          45         0     14
    PollWidth=64                  567          46         0     46
  marks a port: mode safe 224 RAM bits and 112 flip-flops
  look-up                          72           0         0     10
the sum of all                  9,999       9,999     9,999     99
full: P, A = 16, 32
  port unit                    35,081       5,269   110,880     60
"""
MESH = """of each dimension (a) few; cells / AIG depth / LUT6 / LUT depth
 n                (a) DBRA                (b) D2RA    added             (b) + class    added
 2      50 /  8 /  18 /  3      54 / 11 /  20 /  3     8.0%      52 /  9 /  21 /  3     4.0%
10   1,295  / 28  / 89  /  6   1,327 / 29 / 1,083 /  6    10.8%     435 / 30 / 139 /  7    47.5%
input-port unit, not (b) + class:
  n=2 V=4 S=2: 911 cells, 171 flip-flops, AIG depth 46
"""


class Area(unittest.TestCase):
    def test_numbers_have_commas_between_thousands(self):
        self.assertEqual([area.number(n) for n in ("7", "1,377", "1,234,567.5")], [7, 1377, 1234567.5])

    def test_each_heading_of_the_second_level_has_its_text(self):
        parts = area.cut("# Title\nfront\n##  one \ntext 1\n### deeper\n## two\ntext 2\n")
        self.assertEqual(parts, [("one ", "\ntext 1\n### deeper\n"), ("two", "\ntext 2\n")])
        self.assertEqual(area.cut("# Title\n"), [])

    def test_tables_that_count_cells_give_a_row_each(self):
        self.assertEqual(
            list(area.from_tables(TABLE)),
            [
                ("tiny, port", 1377, "12 flip-flops, 3,400 RAM bits, depth 27"),
                ("tiny, path", 770189, "20,497 flip-flops, 0 RAM bits"),  # nothing stands for an empty cell
            ],
        )

    def test_a_second_column_names_the_row_only_when_it_is_the_unit(self):
        row = lambda header, row: list(area.from_tables(f"| {header} |\n| --- |\n| {row} |\n"))
        self.assertEqual(
            row("size | P, A | cells | RAM bits", "tiny | 2, 4 | 6,003 | 9"), [("tiny", 6003, "9 RAM bits")]
        )
        self.assertEqual(row("unit | cells", "box | 5"), [("box", 5, "")])
        self.assertEqual(row("size | cells | unit", "box | 5 | 7"), [("box", 5, "")])

    def test_text_gives_size_unit_and_the_kinds_of_a_unit(self):
        self.assertEqual(
            list(area.from_text(TEXT)),
            [
                ("tiny, port unit", 2980, "553 flip-flops, 420 RAM bits, depth 53"),
                ("tiny, port unit, mode paper alone", 2922, "549 flip-flops, 0 RAM bits, depth 52"),
                ("tiny, scheduler, 64 stations", 155, "45 flip-flops, 0 RAM bits, depth 14"),
                ("tiny, scheduler, 64 stations, PollWidth=64", 567, "46 flip-flops, 0 RAM bits, depth 46"),
                ("tiny, look-up", 72, "0 flip-flops, 0 RAM bits, depth 10"),
                ("full, port unit", 35081, "5,269 flip-flops, 110,880 RAM bits, depth 60"),
            ],
        )

    def test_cells_over_the_dimensions_are_a_line_each(self):
        self.assertEqual(
            area.by_dimension(MESH),
            [
                {"name": "(a) DBRA", "points": [[2, 50], [10, 1295]]},
                {"name": "(b) D2RA", "points": [[2, 54], [10, 1327]]},
                {"name": "(b) + class", "points": [[2, 52], [10, 435]]},
            ],
        )
        short = MESH.replace("435 / 30 / 139 /  7", "")  # a row that ends early has no point in the last line
        self.assertEqual([len(line["points"]) for line in area.by_dimension(short)], [2, 2, 1])
        self.assertEqual(area.by_dimension(TEXT), [])
        self.assertEqual(area.by_dimension(" n (a) DBRA (b) D2RA\n"), [])
        three = "n   (a) A   (b) B   (c) C + Dim\n 2   5 / 1 / 1 / 1   6 / 1 / 1 / 1   7 / 1 / 1 / 1\n(b) + class\n"
        self.assertEqual(
            [(line["name"], line["points"]) for line in area.by_dimension(three)],
            [("(a) A", [[2, 5]]), ("(b) B", [[2, 6]]), ("(c) C + Dim", [[2, 7]])],
        )

    def test_sizes_below_the_lines_are_bars(self):
        lists = (
            "input-port unit, cells and flip-flops:\n  n=2 V=4 S=2: 1,911 cells, 171 flip-flops, AIG depth 46\n"
            "switch (2n + 1 input ports), cells:\n  n=8: 8527 cells, 213 flip-flops, AIG depth 39\n"
        )
        self.assertEqual(
            list(area.listed(lists)),
            [
                ("input-port unit, n=2 V=4 S=2", 1911, "171 flip-flops, depth 46"),
                ("switch, n=8", 8527, "213 flip-flops, depth 39"),
            ],
        )
        lines, bars = area.area_sections(f"## mesh\n{MESH}{lists}{TABLE}")
        self.assertEqual((lines["title"], bars["title"]), ("Area: mesh", "Area: mesh, units"))
        self.assertEqual([b["label"] for b in bars["bars"]][:2], ["tiny, path", "switch, n=8"])
        self.assertEqual(len(bars["bars"]), 3 + len(list(area.from_tables(TABLE))))
        self.assertEqual([s["title"] for s in area.area_sections(f"## none\n{lists}")], [])

    def test_sections_are_lines_or_bars_with_the_largest_first(self):
        lines, units, bars = area.area_sections(f"## mesh\n{MESH}\n## both\n{TABLE}\n{TEXT}\n## none\ntext\n")
        self.assertEqual(
            {k: v for k, v in lines.items() if k != "series"},
            {
                "type": "lines",
                "title": "Area: mesh",
                "text": "Inverters and two-input gates, over the dimensions of the mesh.",
                "x_label": "dimensions",
                "y_label": "cells",
            },
        )
        self.assertEqual(len(lines["series"]), 3)
        self.assertEqual([b["value"] for b in units["bars"]], [911])
        self.assertEqual(
            {k: v for k, v in bars.items() if k != "bars"},
            {"type": "bars", "title": "Area: both", "text": "Inverters and two-input gates."},
        )
        self.assertEqual(
            [b["value"] for b in bars["bars"]], [770189, 35081, 2980, 2922, 1377, 567, 155, 72], "of tables and of text"
        )
        self.assertEqual(
            bars["bars"][0],
            {"label": "tiny, path", "value": 770189, "text": "770,189", "note": "20,497 flip-flops, 0 RAM bits"},
        )

    def test_a_chart_says_how_many_bars_it_leaves_out(self):
        rows = lambda count: "".join(f"| unit {n} | {n} |\n" for n in range(1, count + 1))
        table = lambda count: area.area_sections(f"## many\n| unit | cells |\n| --- | --- |\n{rows(count)}")[0]
        self.assertEqual(table(24)["text"], "Inverters and two-input gates.")
        self.assertEqual(table(25)["text"], "Inverters and two-input gates. The largest 24 of 25.")
        self.assertEqual([b["value"] for b in table(25)["bars"]], list(range(25, 1, -1)))


class Speed(unittest.TestCase):
    RESULTS = [
        {"command": "cosim", "block": "port", "file": "a.json", "rate_transactions_per_s": 1234567.8},
        {"command": "cosim", "file": "b.json", "rate_cycles_per_s": 7, "dragonfly": {"name": "dfly(2,4,2,8)"}},
        {"command": "net", "file": "c.json", "cycles_per_s": 1500.4, "flit_hops_per_s": 2e6},
        {
            "command": "pipeline",
            "file": "d.json",
            "cycles_per_s": 0,
            "flit_hops_per_s": "fast",
            "dragonfly": {"name": "d"},
            "levels": {"rtl": {"cycles_per_s": 1000}, "golden": {"cycles_per_s": 0}, "none": 3},
        },
        {"command": "fault", "file": "e.json", "levels": ["rtl"]},
    ]

    def test_every_speed_has_a_row_with_its_unit(self):
        self.assertEqual(
            area.speed_rows(self.RESULTS),
            [
                ["a.json", "cosim port", "", "1,234,568", "transactions a second"],
                ["b.json", "cosim", "dfly(2,4,2,8)", "7", "cycles a second"],
                ["c.json", "net", "", "1,500", "cycles a second"],
                ["c.json", "net", "", "2,000,000", "flit-hops a second"],
                ["d.json", "pipeline, rtl", "d", "1,000", "cycles a second"],
            ],
        )

    def test_speed_comes_before_area(self):
        speed, bars = area.sections(self.RESULTS[:1], f"## part\n{TABLE}")
        self.assertEqual(
            speed,
            {
                "type": "table",
                "title": "Speed of this run",
                "text": "Of the runs that say it, on the machine that made them.",
                "header": ["file", "run", "network", "speed", "unit"],
                "rows": [["a.json", "cosim port", "", "1,234,568", "transactions a second"]],
            },
        )
        self.assertEqual(bars["title"], "Area: part")
        self.assertEqual([s["title"] for s in area.sections(self.RESULTS[4:], f"## part\n{TABLE}")], ["Area: part"])


if __name__ == "__main__":
    unittest.main()
