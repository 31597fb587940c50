#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site: what docs/site/build.py makes of real results, and of what is none.

  site_test.py pages ODONATA     links, sizes, network access; refused inputs
  site_test.py browser ODONATA   every page in a headless Chromium; exit code 77 (skipped) where there is none
  site_test.py looks ODONATA     pages beside their stored thumbnails (looks.json; --update writes them); skipped where there is no browser
  site_test.py access ODONATA    every page searched by axe-core for barriers, in light and dark; skipped where that is not
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(ROOT / "docs/site"))
import area  # noqa: E402
import figures  # noqa: E402
import looks  # noqa: E402
from browser import Browser, program  # noqa: E402

BUILD = ROOT / "docs/site/build.py"
LIMIT = 1_500_000
RUNS = (  # small runs of every command that `./dev run` uses
    "pipeline --size tiny --requests 100",
    "route --size tiny --from 0,1,0 --to 5,2,1 --congested global:G0-G5",
    "cosim --size tiny --traffic corner --transactions 2000",
    "cosim --block bitmap_sender --size tiny --traffic corner --transactions 2000",
    "congestion --size tiny --cycles 20000",
    "fault --size tiny --fail global:G0-G2 --repair all",
    "arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits x+=1,y+=2",
    "deadlock --scheme d2ra --mesh 2x2 --slots 2 --packets 2",
    "fault --torus 6x6 --fail node:3,3;node:1,3",
    "deadlock --torus 5x5 --fail node:0,0;node:3,1 --routing torus_safe6",
    "deadlock --torus 5x5 --fail node:0,0;node:3,1 --routing torus_ring6",
    "route --fat-tree 4,3,2,2 --from 0,0,0 --to 3,2,1 --fail leaf:3,0",
    "net --size tiny --load 0.2 --warmup 100 --cycles 500 --timeline 100 --fail global:G0-G5@300",
    "cosim --size tiny --plant gb-gc-swap",
    "net --size tiny --workload dl:ranks=64,bytes=4096,algorithm=ring,it=1 --cycles 200000 --timeline 500",
    "net --mesh 4x4x2 --routing d2ra --traffic tornado --load 0.2 --vcs 3 --depth 8 --packet 5 --warmup 100 --cycles 500 --timeline 100",
    "net --torus 5x5 --load 0.2 --fail node:1,1 --warmup 100 --cycles 500 --timeline 100",
    "net --fat-tree 4,3,2,2 --load 0.2 --warmup 100 --cycles 500 --timeline 100 --fail leaf:1,1@300",
    "fault-study --size tiny --samples 20 --poll-width 1,4 --threads 2",
    "fault --fat-tree 4,3,2,2 --fail leaf:1,1",
    "route --torus 6x6 --fail node:3,3 --from 1,3 --to 5,3",
    "fault-timing --size tiny",
    f"net --topology {ROOT / 'sim/scenarios/graph_ring.json'} --vcs 2 --load 0.2 --warmup 100 --cycles 500 --timeline 100",
)
NETWORKS = (15, 16, 17)  # of these: mesh, torus, fat-tree
odonata = None  # the program
update = False  # whether the stored thumbnails are written anew


class Page(html.parser.HTMLParser):
    """Targets of links, what is loaded, and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(v for k, v in attributes if k in ("id", "name"))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in ("link", "img", "script") and ("href" in values or "src" in values):
            self.loads.append(values.get("href") or values.get("src"))


def build(out, inputs):
    return subprocess.run([sys.executable, BUILD, "--out", out, "--in", *inputs], capture_output=True, text=True)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.inputs = []
        for number, run in enumerate(RUNS):
            cls.inputs.append(cls.folder / f"{number}.json")
            ran = subprocess.run([odonata, *run.split(), "--json", cls.inputs[-1]], capture_output=True, text=True, cwd=cls.folder)
            assert ran.returncode in (0, 1), f"{run}: {ran.stderr}"
        cls.site = cls.folder / "site"
        made = build(cls.site, cls.inputs)
        assert made.returncode == 0, made.stderr
        cls.pages = sorted(cls.site.rglob("*.html"))
        # What odonata writes by itself: all of them on a page, pages that commands write, and a result without sections.
        cls.own = [cls.folder / f"{name}.html" for name in ("report", "fault", "net", "congestion", "study", "data")]
        report, fault, net, congestion, study, bare = cls.own
        subprocess.run([odonata, "report", "--in", *cls.inputs, "--out", report], check=True, capture_output=True)
        for run, page in ((RUNS[5] + " --html", fault), (RUNS[12] + " --page", net), (RUNS[4] + " --page", congestion), (RUNS[18] + " --html", study)):
            subprocess.run([odonata, *run.split(), page], check=True, capture_output=True)
        without = cls.folder / "data.json"
        without.write_text(json.dumps({k: v for k, v in json.loads(cls.inputs[12].read_text(encoding="utf-8")).items() if k not in ("report", "link_windows")}), encoding="utf-8")
        subprocess.run([odonata, "view", without], check=True, capture_output=True)


class Pages(Case):
    def test_every_link_resolves_and_nothing_is_loaded_from_elsewhere(self):
        read = {page: Page(page.read_text(encoding="utf-8")) for page in self.pages}
        for page, found in read.items():
            for load in found.loads:
                self.assertTrue(load.startswith("data:") or (page.parent / load).is_file(), f"{page}: {load}")
            for link in found.links:
                if link.startswith("https://"):
                    continue
                path, _, anchor = link.partition("#")
                target = (page.parent / path).resolve() if path else page
                self.assertTrue(target.is_file(), f"{page}: {link}")
                if anchor and target in read:
                    self.assertIn(anchor, read[target].anchors, f"{page}: {link}")

    def test_pages_are_small(self):
        self.assertGreater(len(self.pages), 30)
        for page in self.pages:
            self.assertLess(page.stat().st_size, LIMIT, page)

    def test_loads_of_links_over_time_are_those_of_the_sample(self):
        digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        long = self.folder / "long.json"  # more windows than are kept: two become one
        subprocess.run([odonata, *"net --size tiny --load 0.2 --warmup 150 --cycles 10000 --timeline 100 --json".split(), long], check=True, capture_output=True)
        self.addCleanup(long.unlink)

        def wrong(result):
            windows, links = result["link_windows"]["windows"], result["link_windows"]["links"]
            spans = [(w["first"], w["last"]) for w in windows]
            if spans[0][0] != result["parameters"]["warmup"] or any(a[1] != b[0] for a, b in zip(spans, spans[1:])) or not 1 < len(spans) <= 64:
                return f"windows {spans}"
            if any(len(w["load"]) != len(links) for w in windows):
                return "a window without all links"
            flits = sum(digits.index(c) / 63 * (w["last"] - w["first"]) for w in windows for c in w["load"])
            mean = flits / len(links) / (spans[-1][1] - spans[0][0])
            sampled = next(use["mean"] for name, use in result["channels"].items() if name not in ("node", "group0") and (name != "local" or len(result["channels"]) == 2))
            return "" if abs(mean - sampled) < 0.004 else f"mean load {mean}, of the sample {sampled}"

        plants = (lambda w: w.pop(1), lambda w: w[0].update(first=0), lambda w: w[1].update(load=w[1]["load"][1:]), lambda w: w[2].update(load="A" * len(w[2]["load"])))
        for number in NETWORKS:
            self.assertEqual(wrong(json.loads(self.inputs[number].read_text(encoding="utf-8"))), "", RUNS[number])
        for path in (self.inputs[12], long):
            text = path.read_text(encoding="utf-8")
            self.assertEqual(wrong(json.loads(text)), "", path.name)
            for plant in plants[:4 if path != long else 3]:  # one window of very many is little
                planted = json.loads(text)
                plant(planted["link_windows"]["windows"])
                self.assertNotEqual(wrong(planted), "", path.name)

    def test_a_page_of_a_command_is_that_of_its_result(self):
        for run, page in ((5, "fault"), (12, "net"), (4, "congestion"), (18, "study")):
            embedded = (self.folder / f"{page}.html").read_text(encoding="utf-8").split('id="data">')[1].split("</script>")[0]
            titles = [s["title"] for s in json.loads(embedded)["results"][0]["report"]]
            self.assertEqual(titles, [s["title"] for s in json.loads(self.inputs[run].read_text(encoding="utf-8"))["report"]])

    def test_units_by_level_and_size(self):
        page = (self.site / "cosimulation.html").read_text(encoding="utf-8")
        sections = json.loads(page.split('id="data">')[1].split("</script>")[0])["results"][0]["report"]
        matrix, runs = sections[:2]
        units = {p.stem for p in (ROOT / "models").glob("*/*.toml")}
        self.assertEqual({row[0] for row in matrix["rows"]}, units)
        rc = next(row for row in matrix["rows"] if row[:2] == ["route_compute", "rtl = golden"])
        self.assertRegex(rc[matrix["header"].index("tiny")], "^2,0[0-9][0-9] compared, 0 mismatches$")
        self.assertNotEqual(rc[matrix["header"].index("planted bugs")][0], "0")
        self.assertIn("gb-gc-swap", [row[runs["header"].index("planted bug")] for row in runs["rows"]])
        self.assertTrue(all(re.fullmatch(r"\d{4}-\d\d-\d\d", row[runs["header"].index("date")]) for row in runs["rows"]))

    def test_large_data_lies_beside_its_page(self):
        big = self.folder / "big.json"
        rows = [[f"row {n}", n] for n in range(20000)]
        big.write_text(json.dumps({"command": "net", "report": [{"type": "table", "title": "Many", "header": ["name", "n"], "rows": rows}]}), encoding="utf-8")
        self.addCleanup(big.unlink)
        out = self.folder / "large"
        self.addCleanup(shutil.rmtree, out)
        self.assertEqual(build(out, [big]).returncode, 0)
        self.assertLess((out / "network.html").stat().st_size, 60_000)
        self.assertEqual((out / "data/network-0-0.js").read_text(encoding="utf-8").count("row "), 20000)

    def test_any_csv_has_a_page(self):
        for text, charts in (("unit,transactions,verdict\na,5,pass\nb,7,pass\n", ["bars"]), ("x,y\n1,2\n2,4\n", ["lines"]), ("a,b\n", []), ("", [])):
            path = self.folder / "record.csv"
            path.write_text(text)
            self.addCleanup(path.unlink, missing_ok=True)
            sections = figures.of_record(path)
            self.assertEqual([s["type"] for s in sections], [*charts, "table"], text)
            self.assertEqual(len(sections[-1]["rows"]), max(0, text.count("\n") - 1))

    def test_without_npm_tables_stand_for_charts(self):
        folder = self.folder / "bare"
        self.addCleanup(shutil.rmtree, folder)
        code = f"import sys, pathlib; sys.path.insert(0, {str(ROOT / 'docs/site')!r}); import build; build.NPM = pathlib.Path('/nowhere'); sys.argv = ['build.py', '--out', {str(folder)!r}, '--in', {str(self.inputs[0])!r}]; sys.exit(build.main())"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("without uplot and wavedrom", ran.stderr)
        self.assertEqual(sorted(p.name for p in (folder / "assets").iterdir()), ["report.js", "style.css"])

    def test_a_mismatch_has_its_last_cycles(self):
        result = json.loads(self.inputs[13].read_text(encoding="utf-8"))
        waves, last = result["mismatch"]["shrunk"]["waves"], result["mismatch"]["shrunk"]["mismatch"]
        lanes = {lane["name"]: lane for lane in waves["lanes"]}
        self.assertIn("1", lanes["req_valid"]["values"])
        self.assertEqual(waves["first"] + len(lanes["req_valid"]["values"]) - 1, last["cycle"])
        differing = {name: lane for name, lane in lanes.items() if "got" in lane}
        self.assertEqual(set(differing), {d["probe"] for d in last["differences"]})
        for d in last["differences"]:
            lane = differing[d["probe"]]
            self.assertEqual((int(lane["values"][-1], 16), int(lane["got"][-1], 16)), (int(d["expected"], 16), int(d["got"], 16)))
            self.assertEqual(lane["values"][:-1], lane["got"][:-1])

    def test_every_table_of_the_area_is_drawn(self):
        sections = area.area_sections((ROOT / "docs/area.md").read_text(encoding="utf-8"))
        self.assertEqual([s["title"] for s in sections], [f"Area: {family}" for family in ("route_compute", "arb_request", "fault", "router", "torus", "vtftr")])
        bars = {s["title"]: {b["label"]: b["value"] for b in s["bars"]} for s in sections if s["type"] == "bars"}
        self.assertEqual((bars["Area: fault"]["paper, port unit, Banks=8"], bars["Area: router"]["full, one phase of the switch"]), (28705, 72972))
        self.assertEqual(sections[1]["series"][2]["points"][-1], [8, 435])

    def test_the_start_page_has_every_verdict(self):
        start = (self.site / "index.html").read_text(encoding="utf-8")
        self.assertIn("Not validated: 1 of", start)  # torus_ring6 can deadlock; the planted bug was caught
        self.assertIn("planted bug gb-gc-swap caught", start)
        for path in self.inputs:
            self.assertIn(f">{path.name}</a>", start)

    def test_every_module_is_in_the_reference(self):
        listed = (self.site / "reference.html").read_text(encoding="utf-8")
        files = sorted((ROOT / "rtl").glob("*/*.sv"))
        self.assertGreater(len(files), 50)
        for file in files:
            self.assertIn(f'rtl_{file.parent.name}.html#{file.stem}"', listed)
        congestion = (self.site / "reference/rtl_congestion.html").read_text(encoding="utf-8")
        self.assertIn("<td><code>map_o</code></td><td>out</td><td>RingStops x A*H</td>", congestion)  # of the unit's description
        self.assertIn("<td><code>word_bid_i</code></td><td>in</td><td>[congestion_pkg::BidWidth-1:0]</td>", congestion)  # of the declaration

    def test_a_failed_check_is_said(self):
        bad = self.folder / "failed.json"
        bad.write_text(json.dumps({"command": "cosim", "verdict": "fail", "headline": "<script>alert(1)</script>"}))
        out = self.folder / "failed"
        self.assertEqual(build(out, [bad]).returncode, 0)
        start = (out / "index.html").read_text(encoding="utf-8")
        self.assertIn("Not validated: 1 of 1 checks failed", start)
        for page in ("index.html", "cosimulation.html"):
            self.assertNotIn("<script>alert", (out / page).read_text(encoding="utf-8"))

    def test_what_is_no_result_is_refused(self):
        texts = ('{"command": "x", "levels": {"rtl": null}}', '{"command": "x", "facts": {"a": [1]}}', '{"command": "x", "report": [{"type": "bars", "title": "t", "bars": [{"label": "a", "value": "3"}]}]}',
                 '{"command": "x", "report": [{"type": "network", "title": "t", "places": [[0, 1]], "names": ["a"], "unit": "u", "windows": true}]}',
                 '{"command": "x", "report": [{"type": "path", "title": "t"}]}', "", "{", "[]", '{"verdict": "pass"}', '{"command": 3}', '{"command": "net", "report": 1}', '{"command": "x", "report": [{"type": "nonsense"}]}',
                 '{"command": "x", "report": [{"type": "lines"}]}', '{"command": "fault", "dragonfly": {}}', "\u0000")
        before = sorted(p.name for p in self.folder.iterdir())
        for text in texts:
            bad = self.folder / "bad.json"
            bad.write_text(text)
            ran = build(self.folder / "none", [self.inputs[0], bad])
            bad.unlink()
            self.assertEqual(ran.returncode, 2, text)
            self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
            self.assertIn("bad.json: ", ran.stderr)
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before, text)
            bad.write_text(text)  # the program says the same
            for command in (["view", bad], ["report", "--in", bad, "--out", self.folder / "none.html"]):
                ran = subprocess.run([odonata, *command], capture_output=True, text=True)
                self.assertEqual((ran.returncode, ran.stderr.count("\n")), (2, 1), text + ran.stderr)
                self.assertIn("bad.json", ran.stderr)
            bad.unlink()
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before, text)


class InBrowser(Case):
    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def overflow(self):
        """By how many pixels the page is wider than its window."""
        return self.browser.evaluate("document.documentElement.scrollWidth - innerWidth")

    def test_every_page_loads_and_fits(self):
        alike = [page for page in self.pages if page.parent != self.site]  # of documents and reference pages every third is opened at both widths
        for page in (*self.pages, *self.own):
            for width, first_dark in ((360, True), (1400, False)):
                if width != 360 and page in alike and page not in alike[::3]:
                    continue
                self.browser.show(width, first_dark)
                self.assertEqual(self.browser.open(page), [], page)
                for dark in (first_dark, not first_dark):
                    self.browser.show(width, dark)
                    self.assertLessEqual(self.overflow(), 0, f"{page} at {width}")
                self.assertEqual(self.browser.wrong(), [], page)
            self.browser.show(2000)
            self.assertLessEqual(self.overflow(), 0, f"{page} at 2000")
            words = self.browser.evaluate("document.querySelector('main').innerText")
            for word in ("cannot be drawn", "unknown section", "undefined", "NaN"):
                if page.parent in (self.site, self.folder):
                    self.assertNotIn(word, words, page)
            self.assertGreater(len(words), 20, page)
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('h1').length"), 1, page)

    def test_a_planted_error_and_a_planted_overflow_are_seen(self):
        bad = self.site / "planted.html"
        self.addCleanup(bad.unlink)
        page = (self.site / "index.html").read_text(encoding="utf-8")
        plants = {"<script>missing()</script>": "missing is not defined", "<script>console.error('planted')</script>": "planted",
                  "<img alt='' src='none.png'>": "none.png", "<img alt='' src='http://127.0.0.1:9/'>": "asks the network"}
        for plant, said in plants.items():
            bad.write_text(page.replace("</main>", plant + "</main>"), encoding="utf-8")
            self.assertIn(said, "".join(self.browser.open(bad)))
        bad.write_text(page.replace("</main>", "<pre>" + 300 * "wide" + "</pre></main>"), encoding="utf-8")
        for width in (360, 1400):
            self.browser.show(width)
            self.browser.open(bad)
            self.assertGreater(self.overflow(), 100)

    def test_sliders_over_time_draw_what_was(self):
        self.browser.show(1400)
        move = "(() => {{ const at = document.querySelector('input[type=range]'); at.value = {}; at.dispatchEvent(new Event('input')); " \
               "return document.querySelector('.player output').textContent; }})()"
        self.assertEqual(self.browser.open(self.site / "network.html"), [])
        failed = "[...document.querySelectorAll('.player')[0].previousElementSibling.querySelectorAll('.link')].filter((l) => l.style.stroke.includes('--bad')).length"
        self.assertTrue(self.browser.evaluate(move.format(0)).startswith("100 to 199; mean load 0."))
        self.assertEqual(self.browser.evaluate(failed), 0)
        before = self.browser.evaluate("document.querySelector('.link').getAttribute('style')")
        self.assertTrue(self.browser.evaluate(move.format(2)).startswith("300 to 399; "))
        self.assertEqual(self.browser.evaluate(failed), 1)  # it fails in cycle 300
        self.assertNotEqual(self.browser.evaluate("document.querySelector('.link').getAttribute('style')"), before)
        self.assertEqual(self.browser.open(self.site / "fault.html"), [])
        self.assertEqual(self.browser.evaluate(move.format(0)), "0: 2 routers work, 0 have, 0 messages on their way")
        end = self.browser.evaluate(move.format("at.max"))
        self.assertRegex(end, "^[0-9,]+: 0 routers work, 24 have, 0 messages on their way$")
        self.browser.evaluate(move.format(0))
        self.browser.evaluate("document.querySelector('.player button').click()")
        moved = "new Promise((done) => setTimeout(() => done(document.querySelector('.player output').textContent), 500))"
        self.assertNotRegex(self.browser.evaluate(moved), "^0:")

    def test_a_mismatch_is_drawn_with_its_end_in_view(self):
        self.browser.show(360)
        self.assertEqual(self.browser.open(self.site / "cosimulation.html"), [])
        wrong = "[...document.querySelectorAll('.cycles use')].filter((u) => u.getAttribute('xlink:href').endsWith('vvv-9')).map((u) => " \
                "[u.getBoundingClientRect().left, u.closest('[id^=wavelane_]').parentNode.textContent])"
        shown = self.browser.evaluate(wrong)
        self.assertGreater(len(shown), 0)
        self.assertLess(max(x for x, _ in shown), 360)
        self.assertIn("non-empty GA GB GC", shown[0][1])

    def test_the_pipeline_is_drawn_in_cycles(self):
        self.browser.show(1400)
        self.assertEqual(self.browser.open(self.site / "pipeline.html"), [])
        drawn = "[...document.querySelectorAll('.cycles svg [id^=wavelane_] > text.info')].map((t) => t.textContent)"
        self.assertIn("stage 3 filter", self.browser.evaluate(drawn))
        self.assertGreater(self.browser.evaluate("document.querySelectorAll('.cycles use').length"), 40)

    def test_a_chart_answers_to_keys_and_follows_the_colours(self):
        self.browser.show(1400)
        self.assertEqual(self.browser.open(self.site / "docs/results/fig10.html"), [])
        press = "(() => { const plot = document.querySelector('.plot'); plot.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'})); return plot.nextElementSibling.textContent; })()"
        first = self.browser.evaluate(press)
        self.assertRegex(first, r"^load, flits a node and cycle 0\.1: val \d+")
        self.assertRegex(self.browser.evaluate(press), r"0\.4: val .*; val, paper \d+")
        self.browser.evaluate("document.querySelector('.keys button').click()")
        self.assertNotIn("val 2", self.browser.evaluate(press))
        pixels = "(() => { const c = document.querySelector('.plot canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0, s = 0; " \
                 "for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) { n += 1; s += d[i] + d[i + 1] + d[i + 2]; } return [n, s / n]; })()"
        count, light = self.browser.evaluate(pixels)
        self.assertGreater(count, 1000)
        self.browser.show(1400, True)
        self.browser.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(0), 50)))")
        self.assertLess(self.browser.evaluate(pixels)[1], light - 100, "lines of the grid are dark in the dark")
        values = "(() => { const d = document.querySelector('details.values'); d.open = true; return d.querySelector('tbody').rows.length; })()"
        self.assertGreater(self.browser.evaluate(values), 1)

    def test_networks_have_their_links_over_time(self):
        self.browser.show(1400)
        for page, links in (("mesh", 2 * (2 * 24 + 16)), ("torus", 100), ("fat_tree", 2 * 2 * 2 * 12), ("network", 0)):
            self.assertEqual(self.browser.open(self.site / f"{page}.html"), [])
            found = self.browser.evaluate("[...document.querySelectorAll('svg[aria-label^=\"network of\"]')].map((s) => s.querySelectorAll('.link').length)")
            self.assertIn(links, found) if links else self.assertEqual(len(found), 1)
        self.browser.open(self.site / "fat_tree.html")
        red = "[...document.querySelectorAll('[data-router]')].filter((n) => n.style.fill.includes('--bad')).length"
        self.assertEqual(self.browser.evaluate(red), 1)
        self.browser.evaluate("(() => { const at = document.querySelector('.player input'); at.value = 0; at.dispatchEvent(new Event('input')); })()")
        self.assertEqual(self.browser.evaluate(red), 0)

    def test_large_data_comes_when_its_section_is_near(self):
        page = (self.site / "network.html").read_text(encoding="utf-8")
        head, rest = page.split('id="data">')
        result = json.loads(rest.split("</script>")[0])
        result["results"] = [{"command": "x", "report": [{"type": "text", "title": f"{n}", "text": "words " * 2000} for n in range(4)] + [{"type": "table", "title": "Far", "file": "data/far.js"}]}]
        folder, planted = self.site / "data", self.site / "planted.html"
        folder.mkdir(exist_ok=True)
        (folder / "far.js").write_text('arrived("data/far.js",{"type":"table","title":"Far","header":["a"],"rows":[["1"],["2"],["3"]]});')
        planted.write_text(head + 'id="data">' + json.dumps(result) + "</script>" + rest.split("</script>", 1)[1], encoding="utf-8")
        self.addCleanup(planted.unlink)
        self.browser.show(1400)
        self.assertEqual(self.browser.open(planted), [])
        there = "document.querySelectorAll('.later table').length"
        self.assertEqual(self.browser.evaluate(there), 0)
        self.browser.evaluate("document.querySelector('.later').scrollIntoView()")
        self.browser.evaluate("new Promise((done) => setTimeout(() => done(0), 400))")
        self.assertEqual(self.browser.evaluate(there), 1)
        self.assertEqual(self.browser.wrong(), [])

    def test_a_table_sorts_filters_and_copies(self):
        self.browser.show(1280)
        self.assertEqual(self.browser.open(self.site / "docs/cli.html"), [])
        column = "[...document.querySelector('table').tBodies[0].rows].filter((r) => !r.hidden).map((r) => r.cells[0].innerText)"
        commands = self.browser.evaluate(column)
        rising = self.browser.evaluate(column + ".sort((a, b) => a.localeCompare(b))")
        for order in (rising, rising[::-1]):
            self.browser.evaluate("document.querySelector('th button').click()")
            self.assertEqual(self.browser.evaluate(column), order)
        self.assertNotEqual(commands, rising)  # it had something to do
        self.browser.evaluate("{ const f = document.querySelector('.tools input'); f.value = 'congestion'; f.dispatchEvent(new Event('input')); }")
        shown = self.browser.evaluate(column)
        self.assertIn("congestion", shown)
        self.assertLess(len(shown), len(commands))
        self.assertEqual(self.browser.evaluate("csvOf(document.querySelector('table')).trim().split('\\n').length"), len(shown) + 1)


AXE = ROOT / "build/npm/node_modules/axe-core/axe.min.js"
# Of long tables the first rows, which are all alike. The colours are what a dark page has of its own.
AXE_RUN = """(document.querySelectorAll("tbody").forEach((body) => [...body.rows].slice(4).forEach((row) => row.remove())),
  axe.run(document, {resultTypes: ["violations"], preload: false, iframes: false%s}).then((found) => found.violations
    .flatMap((v) => v.nodes.map((n) => [n.impact, v.id, n.target.join(" "), n.failureSummary.split("\\n").at(-1).trim()]))))"""


class Access(Case):
    """axe-core; what it calls serious or critical fails. Of documents and reference pages, which are made alike, every fifth; with
    ODONATA_EVERY_PAGE=1 all of them."""

    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)
        self.script = AXE.read_text(encoding="utf-8") + ";0"

    def findings(self, page):
        found = []
        for dark in (False, True):
            self.browser.show(360, dark)
            if not dark:
                self.browser.open(page)
                self.browser.evaluate(self.script)
            for impact, rule, where, why in self.browser.evaluate(AXE_RUN % (', runOnly: ["color-contrast"]' if dark else "")):
                if impact in ("serious", "critical"):
                    found.append(f"{page.relative_to(self.folder)}{', dark' if dark else ''}: {rule}: {where}: {why}")
        return found

    def test_every_page(self):
        alike = [page for page in self.pages if page.parent != self.site]
        some = self.pages if os.environ.get("ODONATA_EVERY_PAGE") else [page for page in self.pages if page not in alike[1:] or page in alike[::5]]
        found = [finding for page in (*some, *self.own) for finding in self.findings(page)]
        self.assertEqual(found, [], "\n".join(found))

    def test_planted_barriers_are_found(self):
        bad = self.site / "planted.html"
        self.addCleanup(bad.unlink)
        page = (self.site / "index.html").read_text(encoding="utf-8")
        grey = "<style>@media (prefers-color-scheme: dark) { .planted { color: #333c48; } }</style><p class=planted>words</p>"
        for plant, said in {"<img src='data:,'>": ": image-alt: ", "<button></button>": ": button-name: ", grey: ", dark: color-contrast: .planted"}.items():
            bad.write_text(page.replace("</main>", plant + "</main>"), encoding="utf-8")
            self.assertIn(said, "".join(self.findings(bad)))


def made_with():
    """Browser and fonts, of which the look of letters depends."""
    fonts = [subprocess.run(["fc-match", family], capture_output=True, text=True, check=False).stdout.strip() for family in ("sans-serif", "monospace")]
    browser = subprocess.run([program(), "--version"], capture_output=True, text=True, check=False).stdout.split(".")[0]
    return ", ".join([browser, *fonts])


class Looks(Case):
    """The top of each kind of page beside its stored thumbnail, loosely: a line of words more does not count, a lost style sheet does."""

    STORED = pathlib.Path(__file__).with_name("looks.json")
    SIZES = ((360, 1408, 11), (1408, 2112, 22))  # width, height, pixels of a thumbnail's cell
    LIMIT = 7  # percent

    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def stored(self):
        """The thumbnails; skips the test where letters are drawn by another browser or in another font."""
        stored = json.loads(self.STORED.read_text(encoding="utf-8"))
        expected = stored.pop("made with")
        if expected != made_with():
            self.skipTest(f"the thumbnails were made with {expected}, here is {made_with()}")
        return stored

    def thumbnails(self, page, style=""):
        for width, height, cell in self.SIZES:
            for dark in (False, True):
                self.browser.show(width, dark)
                self.browser.open(page)
                self.browser.evaluate(f"document.head.insertAdjacentHTML('beforeend', '<style>{style}</style>')")
                yield f"{page.relative_to(self.site)}, {width} pixels, {'dark' if dark else 'light'}", looks.thumbnail(self.browser, width, height, cell)

    def test_pages_look_as_stored(self):
        kinds = sorted(self.site.glob("*.html")) + [self.site / "docs/results/fig10.html", self.site / "reference/rtl_congestion.html"]
        seen = {name: picture for page in kinds if page.stem not in ("README", "CHANGELOG", "CONTRIBUTING") for name, picture in self.thumbnails(page)}
        if update:
            pictures = {name: looks.packed(picture) for name, picture in seen.items()}
            self.STORED.write_text(json.dumps({"made with": made_with(), **pictures}, indent=0) + "\n", encoding="utf-8")
        stored = self.stored()
        self.assertEqual(sorted(seen), sorted(stored), "pages came or went")
        far = {name: looks.apart(picture, looks.unpacked(stored[name])) for name, picture in seen.items()}
        wrong = [f"{name}: {percent:.1f} % unlike" for name, percent in far.items() if percent > self.LIMIT]
        self.assertEqual(wrong, [], "look at these pages; if they are right: tb/site/site_test.py looks build/release/sim/odonata --update")

    def test_planted_bugs_of_the_layout_are_seen(self):
        stored = self.stored()
        plants = {".cards { display: block }": 1408, ".card svg { height: 300px }": 360, "main { margin-left: 0 }": 1408, "header.site nav, header.site nav a { display: block }": 360,
                  ":root { --paper: #fbfbf9 !important }": 360, "p { letter-spacing: .01em }": None}
        for style, width in plants.items():
            far = {name: looks.apart(picture, looks.unpacked(stored[name])) for name, picture in self.thumbnails(self.site / "index.html", style)}
            seen = [name for name, percent in far.items() if percent > self.LIMIT]
            self.assertEqual(any(f" {width} pixels" in name for name in seen) if width else bool(seen), bool(width), f"{style}: {far}")


CASES = {"pages": Pages, "browser": InBrowser, "access": Access, "looks": Looks}

if __name__ == "__main__":
    which, odonata = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
    if update := "--update" in sys.argv:
        sys.argv.remove("--update")
    if which != "pages" and not program():
        print("no Chromium here (apt-get install chromium): the pages were not opened")
        sys.exit(77)
    if which in ("browser", "looks") and not (AXE.parents[1] / "uplot/LICENSE").is_file():
        print("no uPlot and WaveDrom here (./dev build lays them into build/npm where npm reaches its registry): pages without drawings were not opened")
        sys.exit(77)
    if which == "access" and not AXE.is_file():
        print("no axe-core here (./dev build lays it into build/npm where npm reaches its registry): the pages were not searched for barriers")
        sys.exit(77)
    unittest.main(defaultTest=CASES[which].__name__)
