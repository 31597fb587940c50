#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/data.py and figures.py: what they read from a page, and that a difference is found."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import data  # noqa: E402
import figures  # noqa: E402

PAGE = """# A figure

## Beside the paper

| quantity | runs | measured | paper | deviation | source | explanation |
| --- | --- | --- | --- | --- | --- | --- |
| latency: load=0.4 routing=doar traffic=ur | 3 | 124.50 | 120 | +3.8 % | §5 | a reason \\| another |
| latency: load=0.1 routing=min traffic=ur | 3 | 123.00 | 123 | +0.0 % | §5 |  |

## UR

`size=paper traffic=ur`

| run | load | runs | latency | spread |
| --- | --- | --- | --- | --- |
| min | 0.1 | 3 | 123.00 | 0.01 |
| doar | 0.1 | 3 | 123.00 | 0.02 |
| doar | 0.4 | 3 | 124.50 | 0.30 |

## Gains

`size=paper`

d2ra against duato

| run | highest accepted: duato | d2ra | change | at load 1: duato |
| --- | --- | --- | --- | --- |
| mean | 0.241 | 0.271 | +12.3 % | 0.206 |
"""


class Data(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = pathlib.Path(folder.name) / "page.md"
        self.page.write_text(PAGE)
        self.data = self.page.with_suffix(".csv")

    def program(self, *arguments):
        return subprocess.run(
            [sys.executable, ROOT / "docs/site/data.py", *arguments, self.page], capture_output=True, text=True
        )

    def test_every_value_has_a_line(self):
        rows = data.of_page(PAGE)
        self.assertIn(("UR", "size=paper traffic=ur", "doar", "0.4", "latency", "124.50", ""), rows)
        self.assertIn(
            ("Gains: d2ra against duato", "size=paper", "mean", "", "highest accepted: change", "+12.3", "%"), rows
        )
        self.assertIn(
            (
                "Beside the paper",
                "",
                "latency: load=0.4 routing=doar traffic=ur",
                "",
                "explanation",
                "a reason | another",
                "",
            ),
            rows,
        )
        self.assertEqual(len(rows), 6 + 5 + 3 * 3 + 4)

    def test_a_difference_is_found(self):
        self.assertEqual(self.program("--check").returncode, 1)
        self.assertEqual(self.program().returncode, 0)
        self.assertEqual(self.program("--check").returncode, 0)
        self.page.write_text(PAGE.replace("| 124.50 | 0.30", "| 124.51 | 0.30"))
        ran = self.program("--check")
        self.assertEqual((ran.returncode, ran.stdout.count("\n")), (1, 1))

    def test_published_values_are_set_beside_the_runs_that_they_are_about(self):
        self.program()
        figure = figures.Figure(self.data)
        self.assertEqual(figures.agreement(figure), (1, 2))
        chart = figures.sections(figure)[0]
        crosses = {s["name"]: s["points"] for s in chart["series"] if s.get("marks")}
        self.assertEqual(crosses, {"min, paper": [[0.1, 123.0]], "doar, paper": [[0.4, 120.0]]})
        self.assertEqual([s["points"] for s in chart["series"]][1], [[0.1, 123.0, 0.02], [0.4, 124.5, 0.3]])

    def test_values_stand_beside_their_spread_and_the_published_ones(self):
        self.page.write_text(
            """# A figure

## Loads

| run | DOAR: measured | DOAR: paper | time: mean | time: spread |
| --- | --- | --- | --- | --- |
| **UR** `x` | 0.91 | 0.95 | 12.5 | 0.30 |
| RP | 0.53 | 0.59 | 13.5 | 0.10 |

## Gains

| run | highest load not saturated |
| --- | --- |
| 2 | +17.9 % |
| 4 | -9.8 % |
"""
        )
        self.program()
        charts = figures.sections(figures.Figure(self.data))
        self.assertEqual(
            [c["title"] for c in charts], ["Loads: DOAR", "Loads: time: mean", "Gains: highest load not saturated"]
        )
        self.assertEqual(
            [(b["label"], b["text"]) for b in charts[0]["bars"]],
            [("UR x", "0.91, paper 0.95"), ("RP", "0.53, paper 0.59")],
        )
        self.assertEqual(charts[1]["bars"][1]["text"], "13.5 ± 0.10")
        self.assertEqual([(b["value"], b["text"]) for b in charts[2]["bars"]], [(17.9, "17.9 %"), (-9.8, "-9.8 %")])

    def test_a_curve_with_saturated_runs_shows_what_is_accepted(self):
        head = (
            "## UR\n\n`size=paper`\n\n| run | load | accepted | slowest router | saturated |\n"
            "| --- | --- | --- | --- | --- |\n"
        )
        titles = {}
        for last in ("no", "yes"):
            self.page.write_text(
                head + f"| doar | 0.4 | 0.4000 | 0.380 | no |\n| doar | 1 | 0.5170 | 0.110 | {last} |\n"
            )
            self.program()
            titles[last] = {s["title"]: s["series"][0]["points"] for s in figures.sections(figures.Figure(self.data))}
        self.assertEqual(titles["yes"]["UR: accepted"], [[0.4, 0.4], [1.0, 0.517]])
        self.assertEqual(titles["yes"]["UR: slowest router"], [[0.4, 0.38], [1.0, 0.11]])
        self.assertEqual(list(titles["yes"]), ["UR: accepted", "UR: slowest router"])


if __name__ == "__main__":
    unittest.main()
