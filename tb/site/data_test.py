#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/data.py and figures.py: what they read from a page, and that a difference is found."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

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

    def write(self):
        """The data of the page."""
        self.data.write_text(data.csv_text(self.page.read_text()))

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
        self.write()
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
        self.write()
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
            self.write()
            titles[last] = {s["title"]: s["series"][0]["points"] for s in figures.sections(figures.Figure(self.data))}
        self.assertEqual(titles["yes"]["UR: accepted"], [[0.4, 0.4], [1.0, 0.517]])
        self.assertEqual(titles["yes"]["UR: slowest router"], [[0.4, 0.38], [1.0, 0.11]])
        self.assertEqual(list(titles["yes"]), ["UR: accepted", "UR: slowest router"])


class Tables(unittest.TestCase):
    """What is read from the text of a page."""

    def test_cells_are_between_bars(self):
        self.assertEqual(data.cells(" | a |b c| |  d \\| e | "), ["a", "b c", "", "d | e"])
        self.assertEqual(data.cells("|a|b|"), ["a", "b"])

    def test_a_table_has_the_heading_settings_and_line_above_it(self):
        text = """| a |
| --- |
| 0 |
# Page
a line

| a | b |
| --- | --- |
| 1 | 2 |
| 3 | 4 |

###  Deeper

  `x=1 y=2`  

`code` and a line

  the # line before |  
 

| c |
| --- |
| 5 |
text
| d |
| --- |
`z=3`
| e |
| --- |
| 6 |
## Next
more
| f |
| --- |
| 7 |"""
        self.assertEqual(
            list(data.tables(text)),
            [
                ("", "", ["a"], [["0"]]),
                ("Page", "", ["a", "b"], [["1", "2"], ["3", "4"]]),
                ("Deeper: the # line before |", "x=1 y=2", ["c"], [["5"]]),
                ("Deeper: text", "x=1 y=2", ["d"], []),
                ("Deeper", "z=3", ["e"], [["6"]]),
                ("Next", "", ["f"], [["7"]]),
            ],
        )
        self.assertEqual(list(data.tables("no table\n")), [])

    def test_columns_have_the_words_of_their_group(self):
        self.assertEqual(
            data.named(["run", "accepted: a: x", "b", "c", "at 1: a", "b"]),
            ["run", "accepted: a: x", "accepted: b", "accepted: c", "at 1: a", "at 1: b"],
        )

    def test_a_row_has_its_run_load_and_values_with_units(self):
        header = ["run", "load", "x", "none", "gain", "points", "text", "lowest and highest seed", "short"]
        row = ["min", "0.4", "-1.50", "", "+12.3 %", "3 points", "1 of 2", "0.60 0.61"]
        self.assertEqual(
            data.values(header, row),
            (
                "min",
                "0.4",
                [
                    ("x", "-1.50", ""),
                    ("gain", "+12.3", "%"),
                    ("points", "3", "points"),
                    ("text", "1 of 2", ""),
                    ("lowest seed", "0.60", ""),
                    ("highest seed", "0.61", ""),
                ],
            ),
        )
        self.assertEqual(data.values(["run", "x"], ["a", "5"]), ("a", "", [("x", "5", "")]))
        self.assertEqual(data.values(["load", "x"], ["0.1", "5"]), ("0.1", "0.1", [("x", "5", "")]))

    def test_a_number_is_read_whole(self):
        for cell, value in (
            ("1234", ("1234", "")),
            ("0.4001", ("0.4001", "")),
            ("+10.25 points", ("+10.25", "points")),
            ("1.", ("1.", "")),
            (".5", (".5", "")),
            ("1,234", ("1,234", "")),
            ("5  %", ("5  %", "")),
            ("5 %x", ("5 %x", "")),
            ("12x5 %", ("12x5 %", "")),
        ):
            self.assertEqual(data.values(["r", "q"], ["a", cell])[2], [("q", *value)], cell)

    def test_data_of_a_page_as_text(self):
        text = (
            "# T\n`s=1`\nb\n| run | load | g: x | y |\n| - | - | - | - |\n| a, b | 0.1 | 5 % | |\n| c | 1 | 6 | 7 |\n"
        )
        self.assertEqual(
            data.csv_text(text),
            "table,settings,run,load,quantity,value,unit\n"
            'T: b,s=1,"a, b",0.1,g: x,5,%\n'
            "T: b,s=1,c,1,g: x,6,\n"
            "T: b,s=1,c,1,g: y,7,\n",
        )


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.results = self.root / "docs/results"
        self.results.mkdir(parents=True)

    def main(self, *arguments):
        """Exit code and output."""
        out = io.StringIO()
        with mock.patch.object(data, "ROOT", self.root), mock.patch.object(sys, "argv", ["data.py", *arguments]):
            with contextlib.redirect_stdout(out):
                return data.main(), out.getvalue()

    def test_a_csv_is_that_of_a_page_or_a_record(self):
        own, record, empty = (self.results / f"{name}.csv" for name in ("own", "record", "empty"))
        own.write_text(data.csv_text("# T\n| r | q |\n| - | - |\n| a, b | 1 |\n"))
        record.write_text("table,settings,run\n")
        empty.write_text("")
        self.assertEqual([data.is_own(path) for path in (own, record, empty)], [True, False, False])
        self.assertEqual(
            data.read(own),
            [{"table": "T", "settings": "", "run": "a, b", "load": "", "quantity": "q", "value": "1", "unit": ""}],
        )

    def test_every_page_is_written_and_compared(self):
        for name in ("b", "a"):
            (self.results / f"{name}.md").write_text(f"# {name}\n| r | q |\n| - | - |\n| a | 1 |\n")
        missing = "".join(
            f"{self.results}/{name}.csv: not what the tables of {name}.md say; docs/site/data.py writes it\n"
            for name in ("a", "b")
        )
        self.assertEqual(self.main("--check"), (1, missing))
        self.assertEqual(self.main(), (0, ""))
        self.assertEqual((self.results / "a.csv").read_text().splitlines()[1], "a,,a,,q,1,")
        self.assertEqual(self.main("--check"), (0, ""))
        (self.results / "b.csv").write_text("")
        self.assertEqual(self.main("--check")[0], 1)
        self.assertEqual(self.main("--check", str(self.results / "a.md")), (0, ""))
        self.assertEqual((self.results / "b.csv").read_text(), "")
        self.assertEqual(self.main(str(self.results / "b.md")), (0, ""))
        self.assertEqual(self.main("--check"), (0, ""))

    def test_data_without_a_page_is_found_and_a_record_is_not(self):
        (self.results / "record.csv").write_text("a,b\n")
        (self.results / "lost.csv").write_text(data.csv_text(""))
        found = f"{self.results}/lost.csv: data without a page\n"
        self.assertEqual(self.main("--check"), (1, found))
        self.assertEqual(self.main(), (1, found))
        (self.results / "a.md").write_text("")
        self.assertEqual(self.main(str(self.results / "a.md")), (0, ""))
        (self.results / "lost.md").write_text("")
        self.assertEqual(self.main("--check"), (0, ""))


if __name__ == "__main__":
    unittest.main()
