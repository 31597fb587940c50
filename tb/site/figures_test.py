#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/figures.py: the charts of small tables, their numbers, names, units and crosses of the paper."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import data  # noqa: E402
import figures  # noqa: E402

PAPER = """# F

## Beside the paper

| quantity | runs | measured | paper | deviation | source | explanation |
| --- | --- | --- | --- | --- | --- | --- |
"""


def table(title, settings, text):
    """A table of a page; its lines have cells between bars."""
    header, *rows = [line.strip() for line in text.strip().splitlines()]
    rule = " | ".join("---" for _ in header.split("|"))
    return f"\n## {title}\n\n`{settings}`\n\n" + "".join(f"| {line} |\n" for line in (header, rule, *rows))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "page.csv"

    def figure(self, *parts, paper=""):
        text = PAPER + "".join(f"| {line.strip()} |\n" for line in paper.strip().splitlines() if line) if paper else ""
        self.path.write_text(data.csv_text(text + "".join(parts)))
        return figures.Figure(self.path)

    def charts(self, *parts, paper=""):
        return figures.sections(self.figure(*parts, paper=paper))


class Values(Case):
    def test_a_number_is_finite(self):
        texts = ("0.5", "-3", "+12.3", "1e3", "", "no", "nan", "12e4567", "-inf")
        self.assertEqual([figures.number(t) for t in texts], [0.5, -3, 12.3, 1000] + [None] * 5)

    def test_settings_are_words_with_a_value(self):
        self.assertEqual(
            figures.settings_of("load=0.4 fail= traffic=a=b word"), {"load": "0.4", "fail": "", "traffic": "a=b"}
        )

    def test_a_page_has_its_tables_and_the_papers_values(self):
        figure = self.figure(
            table("UR", "size=paper", "run | load | latency\nmin | 0.1 | 12.5\nmin | 0.2 | 13.5"),
            table("UR", "size=tiny vcs=2", "run | gain\nmin | +3.5 %"),
            paper="latency: load=0.4 routing=doar | 3 | 12 | 11 | +9.1 % | §5 | why\nsaturation | 3 | 1 | 2 | "
            "-1.000 | §6 |",
        )
        self.assertEqual(
            [(title, fixed, rows) for title, fixed, rows in figure.parts],
            [
                (
                    "UR, size=paper",
                    {"size": "paper"},
                    {("min", "0.1"): {"latency": "12.5"}, ("min", "0.2"): {"latency": "13.5"}},
                ),
                ("UR, size=tiny vcs=2", {"size": "tiny", "vcs": "2"}, {("min", ""): {"gain": "+3.5"}}),
            ],
        )
        self.assertEqual(figure.parts[1][2]["min", ""].units, {"gain": "%"})
        self.assertEqual(
            figure.paper,
            [
                {
                    "quantity": "latency",
                    "where": {"load": "0.4", "routing": "doar"},
                    "runs": "3",
                    "measured": "12",
                    "paper": "11",
                    "deviation": "+9.1 %",
                    "source": "§5",
                    "explanation": "why",
                },
                {
                    "quantity": "saturation",
                    "where": {},
                    "runs": "3",
                    "measured": "1",
                    "paper": "2",
                    "deviation": "-1.000",
                    "source": "§6",
                },
            ],
        )
        self.assertEqual(self.figure(table("UR", "", "run | x\na | 1")).paper, [])

    def test_every_row_stays_where_two_have_one_name(self):
        figure = self.figure(
            table(
                "T", "", "run | load | a | b\nx | 1 | 1 | 2\nx | 1 | 3 | 4\nx | 1 | 5 |\nx | 2 | 6 | 7\ny | 1 | 8 | 9"
            ),
            table("T", "a=1", "run | load | a\nx | 1 | 1"),
            table("U", "", "run | load | a\nx | 1 | 1"),
        )
        self.assertEqual(
            [rows for _, _, rows in figure.parts],
            [
                {
                    ("x", "1"): {"a": "1", "b": "2"},
                    ("x (2)", "1"): {"a": "3", "b": "4"},
                    ("x (3)", "1"): {"a": "5"},
                    ("x", "2"): {"a": "6", "b": "7"},
                    ("y", "1"): {"a": "8", "b": "9"},
                },
                {("x", "1"): {"a": "1"}},
                {("x", "1"): {"a": "1"}},
            ],
        )

    def test_a_title_names_what_differs_from_parts_of_the_same_title(self):
        apart = figures.Figure.apart
        self.assertEqual(apart("UR", {"a": "1", "b": "2"}, [{"a": "1", "b": "2"}]), "UR")
        self.assertEqual(
            apart("UR", {"a": "1", "b": "2", "c": "3"}, [{"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9"}]),
            "UR, b=2 c=3",
        )

    def test_a_title_of_its_own_stays(self):
        figure = self.figure(table("UR", "a=1", "run | x\nr | 1"), table("ADV", "a=2", "run | x\nr | 1"))
        self.assertEqual([title for title, _, _ in figure.parts], ["UR", "ADV"])


class Published(Case):
    PAPER = """latency: load=0.4 routing=doar traffic=ur | 3 | 124.50 | 120 | +3.8 % | §5 |
        gain: vcs=4 | 3 | 12.3 | 14 | -1.7 points | §5 |
        gain: traffic=ur | 3 | 7 | 8 | -1.0 points | §5 |
        saturation: routing=min fail= | | | 0.5 | | §5 |
        hops3: routing=doar | 3 | 80 | 81 | -1.2 % | §5 |"""

    def published(self, *arguments, **named):
        return self.figure(paper=self.PAPER).published(*arguments, **named)

    def test_the_value_of_the_same_run_quantity_load_and_measurement(self):
        self.assertEqual(self.published("latency", {"traffic": "ur"}, "doar", 124.5, "0.40"), 120)
        self.assertEqual(self.published("latency", {}, "doar", 124.5), 120)
        self.assertEqual(self.published("latency", {}, "4 VCs, routing doar", 124.5), 120)

    def test_none_where_anything_differs(self):
        self.assertIsNone(self.published("hops3", {}, "doar", 124.5))
        self.assertIsNone(self.published("latency", {"traffic": "adv"}, "doar", 124.5))
        self.assertIsNone(self.published("latency", {}, "min", 124.5))
        self.assertIsNone(self.published("latency", {}, "doar", 124.5, "0.5"))
        self.assertIsNone(self.published("latency", {}, "doarx", 124.5))

    def test_the_measured_values_may_differ_by_what_is_rounded(self):
        self.assertEqual(self.published("latency", {}, "doar", 124.501), 120)
        self.assertIsNone(self.published("latency", {}, "doar", 124.502))
        self.assertIsNone(self.published("latency", {}, "doar", 124.498))
        self.assertEqual(self.published("latency", {}, "doar", 125.4, rounding=1), 120)
        self.assertIsNone(self.published("latency", {}, "doar", 125.5, rounding=1))

    def test_a_mean_has_the_value_that_names_no_traffic(self):
        self.assertEqual(self.published("gain", {}, "mean", 12.3), 14)
        self.assertIsNone(self.published("gain", {}, "mean", 7))
        self.assertIsNone(self.published("gain", {}, "other", 12.3))

    def test_what_was_not_measured_has_no_cross(self):
        self.assertIsNone(self.published("saturation", {}, "min", 0.5))


class Latency(Case):
    UR = table(
        "UR",
        "traffic=ur",
        """run | load | latency | spread
        min | 0.4 | 30 | 0.5
        min | 0.1 | 10 | 0.2
        doar | 0.1 | 12 | 0.2
        doar | 0.4 | 101 | 1
        doar | 0.5 | - | 1
        doar | | 9 | 1
        doar | 0.6 | 7 | -""",
    )

    def test_lines_over_the_load_with_spread_and_crosses(self):
        charts = self.charts(self.UR, paper="latency: load=0.4 routing=doar traffic=ur | 3 | 101 | 99 | +2 % | §5 |")
        self.assertEqual(
            charts,
            [
                {
                    "type": "lines",
                    "title": "UR: latency",
                    "text": "Mean of the seeds; the bar is their spread, a cross is the paper's value.",
                    "x_label": "load, flits a node and cycle",
                    "y_label": "latency, cycles",
                    "log": True,
                    "series": [
                        {"name": "min", "points": [[0.1, 10, 0.2], [0.4, 30, 0.5]]},
                        {"name": "doar", "points": [[0.1, 12, 0.2], [0.4, 101, 1], [0.6, 7]]},
                        {"name": "doar, paper", "points": [[0.4, 99]], "marks": True, "like": 1},
                    ],
                }
            ],
        )

    def test_a_single_seed_has_no_spread(self):
        one = "run | load | latency | spread\ndoar | 0.1 | 12 | \ndoar | 0.4 | 101 | "
        (chart,) = self.charts(table("UR", "", one))
        self.assertEqual(chart["series"], [{"name": "doar", "points": [[0.1, 12], [0.4, 101]]}])
        self.assertEqual(chart["text"], "One seed, a cross is the paper's value.")
        (bars,) = self.charts(table("UR", "", one.rsplit("\n", 1)[0]))
        self.assertEqual(bars["bars"], [{"label": "doar at 0.1", "value": 12, "text": "12"}])
        self.assertEqual(bars["text"], "Cycles, one seed.")

    def test_the_axis_is_logarithmic_from_a_decade_on(self):
        self.assertTrue(figures.unlike([1, 10.1]))
        self.assertTrue(figures.unlike([2, 20.1]))
        self.assertFalse(figures.unlike([1, 10]))
        self.assertFalse(figures.unlike([2, 20]))
        self.assertFalse(figures.unlike([0, 10.1]))
        self.assertFalse(figures.unlike([-1, 10.1]))

    def test_one_load_makes_bars(self):
        charts = self.charts(
            table("UR", "", "run | load | latency | spread\nmin | 0.40 | 30 | 0.5\ndoar | 0.40 | 12.5 | 0.2"),
            paper="latency: load=0.4 routing=doar | 3 | 12.5 | 11.50 | +2 % | §5 |",
        )
        self.assertEqual(
            charts,
            [
                {
                    "type": "bars",
                    "title": "UR: latency",
                    "text": "Cycles, mean and spread of the seeds.",
                    "bars": [
                        {"label": "min at 0.4", "value": 30, "text": "30 ± 0.5"},
                        {"label": "doar at 0.4", "value": 12.5, "text": "12.5 ± 0.2, paper 11.5"},
                    ],
                }
            ],
        )
        elsewhere = self.charts(
            table("UR", "", "run | load | latency | spread\ndoar | 0.4 | 12.5 | 0.2"),
            paper="latency: load=0.5 routing=doar | 3 | 12.5 | 11.50 | +2 % | §5 |",
        )
        self.assertEqual(elsewhere[0]["bars"][0]["text"], "12.5 ± 0.2")


class Saturation(Case):
    CURVE = """run | load | accepted | slowest router | saturated
        min | 0.6 | 0.5 | 0.4 | {}
        min | 0.2 | 0.2 | | no
        doar | 0.2 | 0.21 | 0.15 | no
        doar | x | 0.9 | 0.9 | no"""

    def test_accepted_and_slowest_over_the_load(self):
        common = {"type": "lines", "x_label": "load, flits a node and cycle"}
        self.assertEqual(
            self.charts(table("UR", "", self.CURVE.format("yes"))),
            [
                common
                | {
                    "title": "UR: accepted",
                    "text": "Accepted load. Flits a node and cycle, mean of the seeds.",
                    "y_label": "accepted",
                    "series": [
                        {"name": "min", "points": [[0.2, 0.2], [0.6, 0.5]]},
                        {"name": "doar", "points": [[0.2, 0.21]]},
                    ],
                },
                common
                | {
                    "title": "UR: slowest router",
                    "text": "What the nodes of the router send that sends the least. Flits a node and cycle, "
                    "mean of the "
                    "seeds.",
                    "y_label": "slowest router",
                    "series": [{"name": "min", "points": [[0.6, 0.4]]}, {"name": "doar", "points": [[0.2, 0.15]]}],
                },
            ],
        )

    def drawn(self, text):
        figure = self.figure(table("UR", "", text))
        return [c["title"] for c in figures.saturation_charts(figure, "UR", {}, figure.parts[0][2])]

    def test_no_chart_without_saturation_or_with_one_load(self):
        self.assertEqual(self.drawn(self.CURVE.format("no")), [])
        head = "run | load | accepted | saturated\n"
        self.assertEqual(self.drawn(head + "min | 0.6 | 0.5 | yes\ndoar | 0.6 | 0.5 | no"), [])
        self.assertEqual(self.drawn(head + "min | 0.6 | 0.5 | yes\ndoar | 0.2 | 0.2 | no"), ["UR: accepted"])
        without = "run | load | slowest router | saturated\n"
        self.assertEqual(self.drawn(without + "a | 0.6 | 0.5 | yes\nb | 0.2 | 0.2 | no"), ["UR: slowest router"])
        self.assertEqual(self.drawn(without + "a | 0.6 | 0.5 | yes\nb | 0.2 | 0.2 |"), [])

    def test_a_run_without_a_value_has_no_line(self):
        text = "run | load | accepted | saturated\nmin | 0.6 | 0.5 | yes\ndoar | 0.2 | | no\nlast | 0.2 | 0.2 | no"
        figure = self.figure(table("UR", "", text))
        (chart,) = figures.saturation_charts(figure, "UR", {}, figure.parts[0][2])
        self.assertEqual([s["name"] for s in chart["series"]], ["min", "last"])

    def test_bars_of_the_highest_load(self):
        charts = self.charts(
            table(
                "Saturation",
                "",
                """run | highest load not saturated | lowest and highest seed
                min | 0.710 | 0.710 0.710
                doar | 0.603 | 0.600 0.610
                none | - | - -
                bare | 0.5 |
                gain | +3.5 % |
                loss | -3.5 % |""",
            ),
            paper="saturation: routing=doar | 3 | 0.603 | 0.670 | -0.067 | §5 | why",
        )
        self.assertEqual(
            charts,
            [
                {
                    "type": "bars",
                    "title": "Saturation",
                    "text": "Highest load that is not saturated, flits a node and cycle.",
                    "bars": [
                        {"label": "min", "value": 0.71, "max": 1, "text": "0.710", "note": ""},
                        {
                            "label": "doar",
                            "value": 0.603,
                            "max": 1,
                            "text": "0.603, paper 0.67",
                            "note": "seeds from 0.600 to 0.610",
                        },
                        {"label": "bare", "value": 0.5, "max": 1, "text": "0.5", "note": ""},
                    ],
                }
            ],
        )


class Hops(Case):
    def test_shares_of_the_highest_load_that_is_not_saturated(self):
        charts = self.charts(
            table(
                "UR",
                "",
                """run | load | saturated | 2 links % | 3 links % | 12 links % | links % | 4 links % more
                min | 0.4 | no | 20 | 70 | 10 | 1 | 1
                min | 0.6 | no | 25 | 65 | 10 | 1 | 1
                min | 0.5 | no | 26 | 64 | 10 | 1 | 1
                min | 0.8 | yes | 90 | 5 | 5 | 1 | 1
                doar | 0.4 | no | 30 | 60.5 | 9.5 | 1 | 1
                none | 0.4 | no | | | | 1 | 1
                odd | | no | 1 | 2 | 3 | 1 | 1""",
            ),
            paper="""hops3: load=0.4 routing=doar | 3 | 60.5 | 61 | -0.8 % | §5 |
            hops12: load=0.4 routing=doar | 3 | 9.5 | 9 | +5.6 % | §5 |
            hops2: load=0.6 routing=doar | 3 | 30 | 31 | +5.6 % | §5 |""",
        )
        self.assertEqual(
            charts,
            [
                {
                    "type": "lines",
                    "title": "UR: links of a path",
                    "text": "At the highest load run that is not saturated; a cross is the paper's value.",
                    "x_label": "links",
                    "y_label": "packets, %",
                    "y_max": 100,
                    "series": [
                        {"name": "min at 0.6", "points": [[2, 25], [3, 65], [12, 10]]},
                        {"name": "doar at 0.4", "points": [[2, 30], [3, 60.5], [12, 9.5]]},
                        {"name": "doar, paper", "points": [[3, 61], [12, 9]], "marks": True, "like": 1},
                    ],
                }
            ],
        )

    def test_load_0_counts_and_ten_runs_are_drawn(self):
        rows = "\n".join(f"run {n} | {0 if n else 0.5} | no | {n}" for n in range(12))
        (chart,) = self.charts(table("UR", "", f"run | load | saturated | 2 links %\n{rows}"))
        self.assertEqual(
            [s["name"] for s in chart["series"]], ["run 0 at 0.5"] + [f"run {n} at 0" for n in range(1, 10)]
        )

    def test_the_later_of_two_rows_at_one_load_counts(self):
        (chart,) = self.charts(
            table("UR", "", "run | load | saturated | 2 links %\na | 0.5 | no | 1\na | 0.50 | no | 2")
        )
        self.assertEqual(chart["series"], [{"name": "a at 0.50", "points": [[2, 2]]}])


class Gains(Case):
    def test_every_column_in_percent_has_bars(self):
        charts = self.charts(
            table(
                "Gains",
                "",
                """run | largest reduction of latency | highest accepted: duato | change | at load 0.9: duato | change
                ur | 30 % | 0.2 | +12.3 % | 0.3 | -4.5 %
                mean | 20 % | 0.2 | +10.0 % | 0.3 | +1 %
                odd | | 0.2 | - | |""",
            ),
            paper="""gain: traffic=ur | 3 | 12.8 | 15 | -2.2 points | §5 |
            largest_reduction: traffic=ur | 3 | 30.6 | 33 | -3 points | §5 |
            largest_reduction | 3 | 20 | 22 | -2 points | §5 |
            gain_at_last | 3 | 1 | 3 | -2 points | §5 |""",
        )
        bars = lambda quantity, *bars: {
            "type": "bars",
            "title": f"Gains, {quantity}",
            "text": "In percent.",
            "bars": [dict(zip(("label", "value", "text"), bar)) for bar in bars],
        }
        self.assertEqual(
            charts,
            [
                bars("largest reduction of latency", ("ur", 30, "30 %"), ("mean", 20, "20 %, paper 22 %")),
                bars("highest accepted: change", ("ur", 12.3, "12.3 %, paper 15 %"), ("mean", 10, "10 %")),
                bars("at load 0.9: change", ("ur", -4.5, "-4.5 %"), ("mean", 1, "1 %, paper 3 %")),
            ],
        )


class Others(Case):
    def test_words_lose_their_marks(self):
        self.assertEqual(figures.plain("**UR**, `x` * y"), "UR, x * y")

    def test_a_sibling_is_of_the_same_group(self):
        self.assertEqual(figures.sibling("NIC: mean", "spread"), "NIC: spread")
        self.assertEqual(figures.sibling("a: b: mean", "spread"), "a: b: spread")

    def test_bars_say_value_unit_spread_and_paper(self):
        charts = self.charts(
            table(
                "T `x`",
                "",
                """run | NIC: mean | spread | load it has: measured | paper | **words** | seed
                `a` | 1234567.8 | 0.5 | +3 % | 4 % | 5 | 9
                b | 2 points | | 0.25 | | x | 9
                c | -0 | 1 | no | 2 | 6 points | 9
                d | 1 | | 1 | 1 | y | 9""",
            )
        )
        self.assertEqual(
            charts,
            [
                {
                    "type": "bars",
                    "title": "T `x`: NIC: mean",
                    "bars": [
                        {"label": "a", "value": 1234567.8, "text": "1.23457e+06 ± 0.5"},
                        {"label": "b", "value": 2, "text": "2 points"},
                        {"label": "c", "value": 0, "text": "0 ± 1"},
                        {"label": "d", "value": 1, "text": "1"},
                    ],
                },
                {
                    "type": "bars",
                    "title": "T `x`: load it has",
                    "bars": [
                        {"label": "a", "value": 3, "text": "3 %, paper 4"},
                        {"label": "b", "value": 0.25, "text": "0.25"},
                        {"label": "d", "value": 1, "text": "1, paper 1"},
                    ],
                },
                {
                    "type": "bars",
                    "title": "T `x`: load it has: words",
                    "bars": [
                        {"label": "a", "value": 5, "text": "5"},
                        {"label": "c", "value": 6, "text": "6 points"},
                    ],
                },
            ],
        )

    def test_units_are_those_of_the_table(self):
        charts = self.charts(
            table("A", "", "run | gain\na | 1 %\nb | 2 %"), table("B", "", "run | gain\na | 1\nb | 2 points")
        )
        self.assertEqual([[b["text"] for b in c["bars"]] for c in charts], [["1 %", "2 %"], ["1", "2 points"]])

    def test_several_loads_make_lines(self):
        charts = self.charts(
            table(
                "T",
                "",
                """run | load | cycles
                `a` | 0.4 | 5
                `a` | 0.1 | 51
                b | 0.1 | 7
                b | | 8
                | 0.2 | 9""",
            )
        )
        self.assertEqual(
            charts,
            [
                {
                    "type": "lines",
                    "title": "T: cycles",
                    "x_label": "load",
                    "y_label": "cycles",
                    "log": True,
                    "series": [
                        {"name": "a", "points": [[0.1, 51], [0.4, 5]]},
                        {"name": "b", "points": [[0.1, 7]]},
                        {"name": "cycles", "points": [[0.2, 9]]},
                    ],
                }
            ],
        )

    def test_one_load_makes_bars_that_say_it(self):
        (chart,) = self.charts(table("T", "", "run | load | cycles\na | 0.50 | 5\nb | | 6"))
        self.assertEqual([b["label"] for b in chart["bars"]], ["a at 0.5", "b"])

    def test_a_column_needs_two_numbers_and_half_of_the_rows(self):
        few = "run | x | y\n" + "\n".join(f"{n} | {n if n < 3 else '-'} | {n if n < 2 else '-'}" for n in range(6))
        self.assertEqual([c["title"] for c in self.charts(table("T", "", few))], ["T: x"])
        self.assertEqual(self.charts(table("T", "", "run | x\na | 1")), [])
        self.assertEqual(len(self.charts(table("T", "", "run | x\na | 1\nb | 2\nc | -\nd | -\ne | -"))), 1)

    def test_three_charts_of_a_table_and_sixty_bars_of_a_chart(self):
        self.assertEqual(
            [
                c["title"]
                for c in self.charts(table("T", "", "run | q | r | s | t\na | 1 | 1 | 1 | 1\nb | 1 | 1 | 1 | 1"))
            ],
            ["T: q", "T: r", "T: s"],
        )
        many = lambda count: self.charts(table("T", "", "run | x\n" + "\n".join(f"{n} | {n}" for n in range(count))))
        self.assertEqual([len(c["bars"]) for c in many(60)], [60])
        self.assertEqual(many(61), [])

    def test_counts_seeds_and_spreads_have_no_chart(self):
        charts = self.charts(
            table("T", "", "run | runs | t: seed | spread | paper\na | 1 | 2 | 3 | 4\nb | 1 | 2 | 3 | 4")
        )
        self.assertEqual([c["title"] for c in charts], ["T: t: paper"])


class Records(Case):
    def sections(self, text):
        self.path.write_text(text)
        *charts, rows = figures.of_record(self.path)
        return charts, rows

    def test_texts_name_the_bars_of_the_numbers(self):
        charts, rows = self.sections("unit,n,kind,other,m\na,1,x,p,-2\nb,2.5,x,p,3\na,3,y,q,4\n")
        labels = ("a, x", "b, x", "a, y")
        self.assertEqual(
            charts,
            [
                {
                    "type": "bars",
                    "title": title,
                    "bars": [{"label": label, "value": value} for label, value in zip(labels, values)],
                }
                for title, values in (("n", (1, 2.5, 3)), ("m", (-2, 3, 4)))
            ],
        )
        self.assertEqual(
            rows,
            {
                "type": "table",
                "title": "All rows",
                "header": ["unit", "n", "kind", "other", "m"],
                "rows": [["a", "1", "x", "p", "-2"], ["b", "2.5", "x", "p", "3"], ["a", "3", "y", "q", "4"]],
            },
        )

    def test_one_text_is_enough_where_it_tells_rows_apart_or_none_do(self):
        self.assertEqual([b["label"] for b in self.sections("u,k,n\na,x,1\nb,x,2\n")[0][0]["bars"]], ["a", "b"])
        self.assertEqual([b["label"] for b in self.sections("u,k,n\na,x,1\na,x,2\n")[0][0]["bars"]], ["a", "a"])
        self.assertEqual([b["label"] for b in self.sections("u,k,n\na,x,1\na,y,2\n")[0][0]["bars"]], ["a, x", "a, y"])
        self.assertEqual([b["label"] for b in self.sections("u,k,n\na,x,1\n")[0][0]["bars"]], ["a"])

    def test_numbers_alone_are_lines_over_the_first_column(self):
        charts, _ = self.sections("x,y,z\n3,1,5\n1,2,6\n")
        self.assertEqual(
            charts,
            [
                {
                    "type": "lines",
                    "title": name,
                    "x_label": "x",
                    "y_label": name,
                    "series": [{"name": name, "points": points}],
                }
                for name, points in (("y", [[1, 2], [3, 1]]), ("z", [[1, 6], [3, 5]]))
            ],
        )

    def test_three_charts_and_sixty_bars_at_most(self):
        self.assertEqual([c["title"] for c in self.sections("u,a,b,c,d\nx,1,2,3,4\n")[0]], ["a", "b", "c"])
        self.assertEqual([c["title"] for c in self.sections("a,b,c,d,e\n1,2,3,4,5\n")[0]], ["b", "c", "d"])
        many = lambda count: self.sections("u,n\n" + "".join(f"u{n},{n}\n" for n in range(count)))[0]
        self.assertEqual([len(c["bars"]) for c in many(60)], [60])
        self.assertEqual(many(61), [])

    def test_rows_are_as_long_as_the_header(self):
        charts, rows = self.sections("u,n\na\nb,1,2\n")
        self.assertEqual((charts, rows["rows"]), ([], [["a", ""], ["b", "1"]]))
        self.assertEqual(self.sections("u,n\n")[1]["rows"], [])
        self.assertEqual(self.sections("")[1], {"type": "table", "title": "All rows", "header": [], "rows": []})


class Comparison(Case):
    PAPER = """latency: load=0.4 routing=doar | 3 | 124.50 | 120 | +3.8 % | §5 | a reason
        gain | 2 | 7.5 | 8 | -0.5 points | §6 |
        saturation: fail= | 3 | 0.710 | 0.78 | -0.070 | §7 | another
        hops4 | | | 1 | | §8 |"""

    def test_every_published_value_is_a_row_with_the_unit_of_its_deviation(self):
        found = figures.comparison(
            {"Fig. 16: mixtures: more": self.figure(paper=self.PAPER), "No colon": self.figure()}
        )
        self.assertEqual(
            found,
            {
                "type": "table",
                "title": "Every published value",
                "text": "Measured beside published; where they differ, the page of the figure says why.",
                "header": ["figure", "quantity", "runs", "measured", "paper", "deviation", "source", "why"],
                "rows": [
                    ["Fig. 16", "latency: load=0.4 routing=doar", "3", "124.50", "120", "+3.8 %", "§5", "a reason"],
                    ["Fig. 16", "gain", "2", "7.5", "8", "-0.5 points", "§6", ""],
                    ["Fig. 16", "saturation: fail=", "3", "0.710", "0.78", "-0.070", "§7", "another"],
                    ["Fig. 16", "hops4", "", "", "1", "", "§8", ""],
                ],
            },
        )

    def test_what_has_no_explanation_agrees(self):
        self.assertEqual(figures.agreement(self.figure(paper=self.PAPER)), (1, 3))
        self.assertEqual(figures.agreement(self.figure()), (0, 0))


class Pages(Case):
    def test_a_part_has_all_of_its_charts_or_those_of_other_tables(self):
        row = "a | {} | {} | {} | {} | 50 | 1 | 0.5 | 1 % | {}"
        head = (
            "run | load | latency | spread | saturated | 2 links % | accepted | highest load not saturated | "
            "largest reduction of latency | y\n"
        )
        rows = row.format(0.1, 5, 1, "no", 1) + "\n" + row.format(0.2, 6, 1, "yes", 1)
        self.assertEqual(
            [c["title"] for c in self.charts(table("T", "", head + rows), table("U", "", "run | y\na | 1\nb | 2"))],
            ["T: latency", "T: accepted", "T: links of a path", "T", "T, largest reduction of latency", "U: y"],
        )


if __name__ == "__main__":
    unittest.main()
