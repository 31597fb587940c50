#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/build.py: cards, verdicts, tables and pages of a small repository and a few results."""
import contextlib
import datetime
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import build  # noqa: E402
import data  # noqa: E402
import documents  # noqa: E402
import figures  # noqa: E402
import pictures  # noqa: E402
import results  # noqa: E402

FIGURE = """# Fig. 1: a < b

text

## Beside the paper

| quantity | measured | paper | deviation | explanation |
| --- | --- | --- | --- | --- |
| gain | 1 | 1 | +0.0 % | |
| other | 2 | 1 | +100.0 % | why |

## Times

| run | time |
| --- | --- |
| x | 4 |
| y | 2 |
"""
FILES = {
    "README.md": "# Read me\n",
    "docs/area.md": "# Area\n\n## part\n\n| unit | cells |\n| --- | --- |\n"
    + "".join(f"| u{n} | {n} |\n" for n in (10, 9, 8, 7, 6, 5, 4, 3)),
    "docs/results/fig1.md": FIGURE,
    "docs/results/fig1.csv": data.csv_text(FIGURE),
    "docs/results/plain.md": "# Plain\n",
    "docs/results/plain.csv": "unit,n\na,1\n",
    "docs/results/proofs.csv": "unit,n\na,1\nb,4\n",
    "docs/results/odd.csv": "unit\na\n",
    "sim/report/style.css": "style",
    "sim/python/package/__init__.py": '"""It."""\n',
    "tb/harness/odonata_device.h": "int x;\n",
    "npm/uplot/LICENSE": "MIT\n",
    "npm/uplot/dist/uPlot.iife.min.js": "plot()",
    "npm/uplot/dist/uPlot.min.css": "plotted",
    "npm/wavedrom/LICENSE": "ISC\n",
    "npm/wavedrom/wavedrom.min.js": "wave()",
    "npm/wavedrom/skins/default.js": "skin()",
} | {f"sim/report/{name}.js": f"{name} " for name in ("tables", "charts", "cycles", "pictures", "report")}
TABLE = {"type": "table", "title": "T", "header": ["a"], "rows": [["<b>"]]}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.root, self.out = self.folder / "root", self.folder / "site"
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        for name, value in (("ROOT", self.root), ("NPM", self.root / "npm"), ("commit", lambda: "commit 12 & 3")):
            self.patch(build, name, value)
        self.patch(build.reference.shutil, "which", lambda name: None)

    def patch(self, of, name, value):
        patched = mock.patch.object(of, name, value)
        patched.start()
        self.addCleanup(patched.stop)

    def text(self, name):
        return (self.out / name).read_text(encoding="utf-8")

    def embedded(self, name):
        """What the page draws."""
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text(name))[1])

    def result(self, name, **more):
        """A result that was read."""
        return {"command": "net", "report": [], "file": f"{name}.json", "day": "2026-11-05", **more}


class Parts(Case):
    def test_a_card_has_title_text_and_verdict(self):
        self.assertEqual(
            build.card("a.html", "A <", "t &", "<svg/>"),
            '<a class="card" href="a.html"><svg/><b>A &lt;</b><span>t &amp;</span></a>',
        )
        self.assertIn('<b>A</b><span class="good">pass</span> <span>', build.card("a", "A", "t", "", "pass"))
        self.assertIn('<b>A</b><span class="bad">fail&lt;</span> <span>', build.card("a", "A", "t", "", "fail<"))
        self.assertIn('<span class="bad">interrupted</span>', build.card("a", "A", "t", "", "interrupted"))

    def test_one_failed_check_fails_a_group(self):
        verdict = lambda *said: build.verdict_of([{"verdict": v} if v else {} for v in said])
        self.assertEqual(
            [
                verdict(),
                verdict(""),
                verdict("", "pass"),
                verdict("pass", "fail", "pass"),
                verdict("pass", "timeout", "fail"),
            ],
            ["", "", "pass", "fail", "timeout"],
        )

    def test_a_table_of_html_cells(self):
        self.assertEqual(
            build.table(("a", "b"), [["<b>1</b>", 2], [3, 4]]),
            '<div '
            'class="scroll"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><b>1</b></td><td>2</td>'
            "</tr><tr><td>3</td><td>4</td></tr></tbody></table></div>",
        )

    def test_a_picture_is_of_the_first_curves_or_of_bars(self):
        line = lambda n, **more: {"points": [[0, 1, 9], [1, n, 9]], **more}
        lines = {"type": "lines", "series": [line(1), line(5, marks=True), *(line(n) for n in range(2, 9))]}
        bars = lambda *values: {"type": "bars", "bars": [{"value": v} for v in values]}
        self.assertEqual(
            build.figure_picture([bars(1), lines, {"type": "lines", "series": [line(99)]}]),
            pictures.curves([[[0, 1], [1, n]] for n in (1, 2, 3, 4, 5, 6)]),
        )
        self.assertEqual(
            build.figure_picture([bars(2, 4), bars(0, -1), bars(), {"type": "table"}, bars(10, 1)]),
            pictures.bars([0.5, 1, 1, 0.1]),
        )
        self.assertEqual(build.figure_picture([{"type": "table"}]), pictures.page_lines())


class Records(unittest.TestCase):
    def test_every_record_has_its_title(self):
        self.assertEqual(
            {name: title for name, (title, _) in build.RECORDS.items()},
            {
                "coverage": "Coverage",
                "full": "Lockstep at full size",
                "lockstep": "Lockstep runs of every unit",
                "mutants": "Mutation campaigns",
                "proofs": "Proofs",
                "random_networks": "Random networks",
                "soak": "Long lockstep runs",
            },
        )
        for path in (ROOT / "docs/results").glob("*.csv"):
            self.assertTrue(path.stem in build.RECORDS or path.with_suffix(".md").is_file(), path.name)


class Commit(unittest.TestCase):
    def test_the_commit_is_that_of_git_or_unknown(self):
        run = mock.Mock(return_value=subprocess.CompletedProcess([], 0, stdout="0123456789ab\n"))
        with mock.patch.object(build.subprocess, "run", run):
            self.assertEqual(build.commit(), "commit 0123456789ab")
        self.assertEqual(run.call_args.args, (["git", "-C", build.ROOT, "rev-parse", "--short=12", "HEAD"],))
        for error in (FileNotFoundError(), subprocess.CalledProcessError(128, "git")):
            with mock.patch.object(build.subprocess, "run", mock.Mock(side_effect=error)):
                self.assertEqual(build.commit(), "commit unknown")


class Site(Case):
    def test_assets_are_scripts_styles_and_libraries(self):
        site = build.Site(self.out)
        self.assertEqual(self.text("assets/report.js"), "tables charts cycles pictures report ")
        self.assertEqual(self.text("assets/style.css"), f"style\n{(ROOT / 'docs/site/site.css').read_text()}\nplotted")
        self.assertEqual(self.text("assets/uplot.js"), "/*! uplot\nMIT\n*/\nplot()")
        self.assertEqual(self.text("assets/wavedrom.js"), "/*! wavedrom\nISC\n*/\nwave()\nskin()")
        self.assertEqual((site.lacking, site.navigation), ([], [("index.html", "Start")]))
        self.assertEqual(site.footer, f"Odonata, commit 12 & 3, {datetime.date.today().isoformat()}")

    def test_libraries_that_are_not_there_are_lacking(self):
        (self.root / "npm/uplot/LICENSE").unlink()
        site = build.Site(self.out)
        self.assertEqual(site.lacking, ["uplot"])
        self.assertEqual(
            sorted(p.name for p in (self.out / "assets").iterdir()), ["report.js", "style.css", "wavedrom.js"]
        )
        self.assertNotIn("plotted", self.text("assets/style.css"))
        kinds = {"results": [{"report": [{"type": "lines"}, {"type": "waves"}]}]}
        self.assertEqual(site.libraries(kinds, "../"), '<script src="../assets/wavedrom.js"></script>\n')

    def test_a_page_loads_the_libraries_that_it_draws_with(self):
        site = build.Site(self.out)
        script = lambda name: f'<script src="assets/{name}.js"></script>\n'
        for kind, libraries in (
            ("lines", ["uplot"]),
            ("scatter", ["uplot"]),
            ("timing", ["wavedrom"]),
            ("waves", ["wavedrom"]),
            ("table", []),
        ):
            content = {"results": [{}, {"report": [{"type": "text"}, {"type": kind}]}]}
            self.assertEqual(site.libraries(content, ""), "".join(map(script, libraries)), kind)
        self.assertEqual(site.libraries(None, ""), "")
        self.assertEqual(site.libraries({}, ""), "")

    def test_a_page_has_navigation_data_and_text(self):
        site = build.Site(self.out)
        self.patch(site, "layout", "{{title}}|{{root}}|{{nav}}|{{footer}}|{{libraries}}|{{data}}|{{body}}|{{root}}")
        site.navigation = [("index.html", "Start"), ("a/b.html", "B <")]
        content = {"results": [{"command": "net", "report": [TABLE, {"type": "lines"}]}]}
        site.page("a/b.html", "Title <", "<p>body</p>", content)
        links = '<a href="../index.html">Start</a><a href="../a/b.html" aria-current=page>B &lt;</a>'
        drawn = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
        self.assertEqual(
            self.text("a/b.html").split("|"),
            [
                "Title &lt;",
                "../",
                links,
                f"Odonata, commit 12 &amp; 3, {datetime.date.today().isoformat()}",
                '<script src="../assets/uplot.js"></script>\n',
                f'<script type="application/json" id="data">{drawn}</script>',
                "<p>body</p>",
                "../",
            ],
        )
        self.assertEqual(self.embedded("a/b.html"), content)
        site.page("index.html", "T", "")
        self.assertEqual(
            self.text("index.html").split("|")[1:3],
            ["", '<a href="index.html" aria-current=page>Start</a><a href="a/b.html">B &lt;</a>'],
        )
        self.assertEqual(self.text("index.html").split("|")[4:], ["", "", "", ""])
        site.page("marks.html", "{{body}}", "{{root}} {{none}}")  # text, not marks
        self.assertEqual(self.text("marks.html").split("|")[0], "{{body}}")
        self.assertEqual(self.text("marks.html").split("|")[6], "{{root}} {{none}}")

    def test_a_page_has_a_limit(self):
        site = build.Site(self.out)
        self.patch(site, "layout", "{{body}}")
        site.page("a.html", "", "ä" * 750_000)
        with self.assertRaises(results.Bad) as caught:
            site.page("b.html", "", "ä" * 750_000 + "b")
        self.assertEqual(str(caught.exception), "b.html: a page of 1500001 bytes, expected at most 1500000")
        self.assertFalse((self.out / "b.html").exists())

    def test_large_sections_lie_in_files_of_their_own(self):
        site = build.Site(self.out)
        large = {"type": "table", "title": "L", "text": "of many", "rows": ["x" * 60_000]}
        network = {"type": "network", "title": "N", "windows": True}
        content = {
            "title": "t",
            "results": [
                {"command": "a", "report": [TABLE]},
                {"command": "b", "link_windows": "w" * 60_000, "report": [TABLE, large, network]},
                {"command": "c"},
            ],
        }
        shown = site.apart("x/y.html", content)
        self.assertEqual(
            shown,
            {
                "title": "t",
                "results": [
                    {"command": "a", "report": [TABLE]},
                    {
                        "command": "b",
                        "report": [
                            TABLE,
                            {"type": "table", "title": "L", "text": "of many", "file": "data/x-y-1-1.js"},
                            {"type": "network", "title": "N", "file": "data/x-y-1-2.js"},
                        ],
                    },
                    {"command": "c", "report": []},
                ],
            },
        )
        self.assertEqual(
            self.text("data/x-y-1-1.js"), f'arrived("data/x-y-1-1.js",{json.dumps(large, separators=(",", ":"))});\n'
        )
        said = json.loads(re.fullmatch(r'arrived\("data/x-y-1-2.js",(.*)\);\n', self.text("data/x-y-1-2.js"))[1])
        self.assertEqual(said, {**network, "link_windows": "w" * 60_000})

    def test_pages_in_folders_keep_their_large_sections(self):
        site = build.Site(self.out)
        large = {"type": "list", "title": "L", "items": ["x" * 60_000]}
        content = {"results": [{"command": "a", "report": [large]}]}
        for name in ("a.html", "b/a.html"):
            site.page(name, "T", "", content)
        self.assertEqual(self.embedded("a.html")["results"][0]["report"][0]["file"], "data/a-0-0.js")
        self.assertEqual(self.embedded("b/a.html"), content)

    def test_small_sections_stay_with_what_they_draw(self):
        site = build.Site(self.out)
        network = {"type": "network", "windows": True}
        size = build.LATER - len(json.dumps({"type": "text", "text": ""}, separators=(",", ":")))
        just = {"type": "text", "text": "x" * size}
        result = {"report": [network, {"type": "network"}, just], "link_windows": [1]}
        self.assertEqual(
            site.apart("a.html", {"results": [result]})["results"],
            [{"report": [{**network, "link_windows": [1]}, {"type": "network"}, just]}],
        )
        self.assertEqual(
            site.apart("a.html", {"results": [{"report": [{"type": "text", "text": "x" * (size + 1)}]}]})["results"][0][
                "report"
            ][0]["file"],
            "data/a-0-0.js",
        )


class Start(Case):
    def start(self, *read):
        site = mock.Mock()
        build.start_page(site, read, ["<card1>", "<card2>"])
        ((name, title, body),) = [call.args for call in site.page.call_args_list]
        self.assertEqual((name, title), ("index.html", "Odonata"))
        return body

    FRONT = (
        "<h1>Odonata</h1><p>An executable hardware specification of adaptive, self-healing interconnect routers: of "
        "dragonflies, meshes, tori and fat-trees, and of the networks that they make.</p>"
    )

    def test_every_result_has_a_row(self):
        read = [
            self.result(
                "a<", block="po<rt", verdict="pass", headline="1 < 2", version="0.2 (commit 0123)", command="cosim"
            ),
            self.result("b", verdict="fail", version="0.3 <"),
            self.result("c"),
        ]
        rows = [
            [
                '<a href="cosimulation.html">a&lt;.json</a>',
                "cosim po&lt;rt",
                '<span class="good">pass</span>',
                "1 &lt; 2",
                '<span class="date">2026-11-05</span>',
                "0123",
            ],
            [
                '<a href="network.html">b.json</a>',
                "net ",
                '<span class="bad">fail</span>',
                "",
                '<span class="date">2026-11-05</span>',
                "0.3 &lt;",
            ],
            ['<a href="network.html">c.json</a>', "net ", "", "", '<span class="date">2026-11-05</span>', ""],
        ]
        self.assertEqual(
            self.start(*read),
            f'{self.FRONT}<div class="banner fail"><strong>Not validated: 1 of 2 checks failed</strong></div>'
            '<div class="cards"><card1><card2></div><section><h2>Every result of this run</h2>'
            + build.table(("file", "command", "verdict", "result", "date", "commit"), rows)
            + "</section>",
        )

    def banner(self, *verdicts):
        body = self.start(*(self.result("a", **({"verdict": v} if v else {})) for v in verdicts))
        return re.search(r'<div class="(banner.*?)"><strong>(.*?)</strong>', body).groups()

    def test_the_banner_says_whether_all_checks_hold(self):
        self.assertEqual(self.banner("pass", None, "pass"), ("banner pass", "Validated: all 2 checks of this run hold"))
        self.assertEqual(self.banner("pass", "odd", "fail"), ("banner fail", "Not validated: 2 of 3 checks failed"))
        self.assertEqual(self.banner(None), ("banner", "No result of this run was checked."))
        hint = "There are no results of a run here: <code>./dev run</code> makes them."
        self.assertEqual(self.banner(), ("banner", hint))
        self.assertEqual(
            self.start(),
            f'{self.FRONT}<div class="banner"><strong>{hint}</strong></div><div class="cards"><card1><card2></div>',
        )


class ResultPages(Case):
    def test_a_page_and_a_card_for_each_subject_in_the_order_of_the_navigation(self):
        site = build.Site(self.out)
        read = [
            self.result("n1", verdict="pass", version="x"),
            self.result("c1", command="cosim", verdict="fail", report=[TABLE]),
            self.result("n2", verdict="pass"),
            self.result("p1", command="pipeline"),
        ]
        cards, write = build.result_pages(site, read)
        self.assertEqual(
            site.navigation,
            [("index.html", "Start"), ("pipeline.html", "Pipeline"), ("cosimulation.html", "Co-simulation")]
            + [("network.html", "Network")],
        )
        text = {name: said for name, _, said, _ in results.PAGES}
        self.assertEqual(
            cards,
            [
                build.card("pipeline.html", "Pipeline", text["pipeline"], pictures.stages(4)),
                build.card("cosimulation.html", "Co-simulation", text["cosimulation"], pictures.bars([0]), "fail"),
                build.card("network.html", "Network", text["network"], pictures.ring(dead=False), "pass"),
            ],
        )
        write(["<figure1>", "<figure2>"])
        self.assertEqual(
            self.embedded("network.html"),
            {"title": "Network", "results": [results.for_page(read[0]), results.for_page(read[2])]},
        )
        self.assertIn(
            '<div id="page"></div><h2>The papers\' figures, reproduced</h2><div class="cards"><figure1><figure2></div>',
            self.text("network.html"),
        )
        self.assertIn("<title>Network: Odonata</title>", self.text("network.html"))
        self.assertNotIn("<figure1>", self.text("pipeline.html"))
        report = self.embedded("cosimulation.html")["results"][0]["report"]
        self.assertEqual(
            [s["title"] for s in report],
            ["Units by level and size", "Planted bugs, proofs and mutants by family", "All runs", "T"],
        )
        self.assertEqual(len(report[2]["rows"]), 1)


class FigurePages(Case):
    def setUp(self):
        super().setUp()
        self.site = build.Site(self.out)
        self.documents = documents.Documents(self.root, self.out)

    def test_a_record_has_a_page_of_its_rows(self):
        path = self.root / "docs/results/proofs.csv"
        (self.out / "docs/results").mkdir(parents=True)
        sections = figures.of_record(path)
        title, text = build.RECORDS["proofs"]
        self.assertEqual(
            build.record_page(self.site, path),
            build.card("docs/results/proofs.html", title, "2 rows", build.figure_picture(sections)),
        )
        self.assertEqual(
            self.embedded("docs/results/proofs.html"),
            {"bare": True, "results": [{"command": "record", "report": sections}]},
        )
        page = self.text("docs/results/proofs.html")
        self.assertIn(
            f'<h1>{title}</h1><p>{text} As data: <a href="proofs.csv">proofs.csv</a>.</p><div id="page"></div>', page
        )
        self.assertIn(f"<title>{title}: Odonata</title>", page)
        for text, rows in (("x\n1\n", "1 row"), ("x\n", "0 rows")):
            (self.root / "docs/results/a<b.csv").write_text(text)
            card = build.record_page(self.site, self.root / "docs/results/a<b.csv")
            self.assertIn(f"<span>{rows}</span>", card)
        self.assertIn('<h1>a&lt;b</h1><p> As data: <a href="a<b.csv">', self.text("docs/results/a<b.html"))

    def test_every_data_has_a_card_and_every_page_its_charts(self):
        cards = build.figure_pages(self.site, self.documents)
        charts = figures.sections(figures.Figure(self.root / "docs/results/fig1.csv"))
        plain = figures.of_record(self.root / "docs/results/plain.csv")
        self.assertEqual([c["title"] for c in charts], ["Times: time"])
        self.assertEqual(
            cards,
            [
                build.card(
                    "docs/results/fig1.html",
                    "Fig. 1: a < b",
                    "1 of 2 published values agree; the page says why others do not",
                    pictures.bars([1, 0.5]),
                ),
                build.card("docs/results/odd.html", "odd", "1 row", pictures.page_lines()),
                build.card(
                    "docs/results/plain.html", "Plain", "Measured, without published numbers", pictures.bars([1])
                ),
                build.card("docs/results/proofs.html", build.RECORDS["proofs"][0], "2 rows", pictures.bars([0.25, 1])),
            ],
        )
        for name, sections in (("fig1", charts), ("plain", plain)):
            self.assertEqual(
                self.embedded(f"docs/results/{name}.html"),
                {"bare": True, "results": [{"command": "sweep", "report": sections}]},
            )
        self.assertIn(
            '<h1 id="fig-1-a--b">Fig. 1: a &lt; b</h1><p>The tables below as data: <a href="fig1.csv">fig1.csv</a>.</p>'
            '<div id="page"></div>\n<p>text</p>',
            self.text("docs/results/fig1.html"),
        )
        self.assertIn("<title>Fig. 1: a &lt; b: Odonata</title>", self.text("docs/results/fig1.html"))
        self.assertEqual(self.documents.pages, {"README.md", "docs/area.md"})
        self.assertEqual(
            sorted(p.name for p in (self.out / "docs/results").glob("*.csv")),
            ["fig1.csv", "odd.csv", "plain.csv", "proofs.csv"],
        )
        self.assertEqual(self.text("docs/results/fig1.csv"), FILES["docs/results/fig1.csv"])
        page = self.text("results.html")
        self.assertIn(f'<div class="cards">{"".join(cards)}</div><div id="page"></div>', page)
        self.assertIn("<title>Results: Odonata</title>", page)
        self.assertIn('<h1>Results beside the papers</h1><p>Every figure', page)
        (result,) = self.embedded("results.html")["results"]
        self.assertEqual(
            result["report"],
            [figures.comparison({"Fig. 1: a < b": figures.Figure(self.root / "docs/results/fig1.csv")})],
        )

    def test_without_published_values_there_is_no_comparison(self):
        for name in ("fig1.md", "fig1.csv"):
            (self.root / "docs/results" / name).unlink()
        build.figure_pages(self.site, self.documents)
        self.assertEqual(self.embedded("results.html"), {"bare": True, "results": [{"command": "sweep", "report": []}]})


class Whole(Case):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "run.json"
        self.input.write_text(json.dumps({"command": "net", "verdict": "pass", "cycles_per_s": 1500}))
        day = time.mktime((2026, 11, 5, 12, 0, 0, 0, 0, -1))
        os.utime(self.input, (day, day))

    def main(self, *arguments):
        """Exit code, output and errors."""
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["build.py", *map(str, arguments)]):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return build.main(), out.getvalue(), err.getvalue()

    PAGES = [
        "README.html",
        "docs/area.html",
        "docs/results/fig1.html",
        "docs/results/odd.html",
        "docs/results/plain.html",
        "docs/results/proofs.html",
        "documents.html",
        "index.html",
        "network.html",
        "reference.html",
        "reference/device.html",
        "reference/python.html",
        "results.html",
        "speed.html",
    ]

    def test_the_site_has_every_page(self):
        self.out.mkdir()
        (self.out / "old.html").write_text("")
        said = f"{self.out}/index.html: 14 pages, open without a network\n"
        self.assertEqual(self.main("--out", self.out, "--in", self.input), (0, said, ""))
        self.assertEqual(sorted(str(p.relative_to(self.out)) for p in self.out.rglob("*.html")), self.PAGES)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("site")], ["site"])
        navigation = re.findall(r'<a href="([^"]*)"(?: aria-current=page)?>([^<]*)</a>', self.text("index.html"))
        self.assertEqual(
            navigation[:6],
            [
                ("index.html", "Start"),
                ("network.html", "Network"),
                ("speed.html", "Speed and area"),
                ("results.html", "Results"),
                ("documents.html", "Documents"),
                ("reference.html", "Reference"),
            ],
        )
        for name, title in (
            ("speed.html", "Speed and area: Odonata"),
            ("documents.html", "Documents: Odonata"),
            ("README.html", "Read me: Odonata"),
            ("reference.html", "Reference: Odonata"),
        ):
            self.assertIn(f"<title>{title}</title>", self.text(name))
        self.assertIn('<a href="docs/area.html">Area</a>', self.text("documents.html"))
        self.assertIn('<h1 id="read-me">Read me</h1>', self.text("README.html"))
        self.assertIn("<h1>Reference</h1>", self.text("reference.html"))
        self.assertIn(
            '<h1>Speed and area</h1><p>Before placement, from Yosys: <a href="docs/area.html">', self.text("speed.html")
        )

    def test_speed_is_that_of_the_results_and_area_that_of_the_document(self):
        self.main("--out", self.out, "--in", self.input)
        drawn = self.embedded("speed.html")
        self.assertEqual((drawn["bare"], drawn["results"][0]["command"]), (True, "area"))
        speed, bars = drawn["results"][0]["report"]
        self.assertEqual(speed["rows"], [["run.json", "net", "", "1,500", "cycles a second"]])
        self.assertEqual([b["value"] for b in bars["bars"]], [10, 9, 8, 7, 6, 5, 4, 3])

    def test_the_start_page_has_a_card_for_each_subject(self):
        self.main("--out", self.out, "--in", self.input)
        page = self.text("index.html")
        cards = re.findall(
            r'<a class="card" href="([^"]*)">.*?<b>(.*?)</b>(?:<span class="good">pass</span> )?<span>(.*?)</span>',
            page,
        )
        self.assertEqual(
            cards,
            [
                ("network.html", "Network", "A whole network under traffic"),
                ("speed.html", "Speed and area", "How fast these runs were; cells of every unit"),
                ("results.html", "Results", "The papers&#x27; figures, measured beside published"),
                ("documents.html", "Documents", "Specifications, how-tos, results and notes"),
                ("reference.html", "Reference", "SystemVerilog modules with their pins, Python, C, C++ headers"),
            ],
        )
        self.assertIn(pictures.bars([1, 0.6]), page)  # of the sizes 10 and 6: every fourth
        self.assertIn("Validated: all 1 checks of this run hold", page)
        self.assertIn('<span class="date">2026-11-05</span>', page)

    def test_bad_input_leaves_the_site_as_it_was(self):
        self.main("--out", self.out)
        before = self.text("index.html")
        self.input.write_text("[]")
        self.assertEqual(
            self.main("--out", self.out, "--in", self.input),
            (2, "", f'site: error: {self.input}: no result of odonata: it has no "command"\n'),
        )
        self.patch(build, "LIMIT", 10)
        code, out, err = self.main("--out", self.out)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1))
        self.assertIn(" bytes, expected at most 10\n", err)
        self.assertEqual(self.text("index.html"), before)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.name.startswith("site")], ["site"])

    def test_lacking_libraries_are_said(self):
        self.patch(build, "NPM", self.root / "nowhere")
        self.assertEqual(
            self.main("--out", self.out)[2],
            "site: without uplot and wavedrom (npm ci of docs/site into build/npm): tables stand in the place "
            "of charts\n",
        )


if __name__ == "__main__":
    unittest.main()
