#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site: what docs/site/build.py makes of real results, and of what is none.

  site_test.py pages ODONATA     links, sizes, network access; refused inputs
  site_test.py browser ODONATA   every page in a headless Chromium; exit code 77 (skipped) where there is none
"""
import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
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
)
odonata = None  # the program


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

    def test_the_start_page_has_every_verdict(self):
        start = (self.site / "index.html").read_text(encoding="utf-8")
        self.assertIn("Not validated: 1 of", start)  # torus_ring6 can deadlock
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
        texts = ("", "{", "[]", '{"verdict": "pass"}', '{"command": 3}', '{"command": "net", "report": 1}', '{"command": "x", "report": [{"type": "nonsense"}]}',
                 '{"command": "x", "report": [{"type": "lines"}]}', '{"command": "congestion"}', '{"command": "fault", "dragonfly": {}}', "\u0000")
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


class InBrowser(Case):
    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def test_every_page_loads_and_fits(self):
        for width, dark in ((360, True), (1280, False)):
            self.browser.show(width, dark)
            for page in self.pages if width == 360 else [p for p in self.pages if p.parent == self.site]:
                self.assertEqual(self.browser.open(page), [], page)
                words = self.browser.evaluate("document.getElementById('main').innerText")
                for word in ("cannot be drawn", "unknown section", "undefined", "NaN"):
                    if page.parent == self.site:
                        self.assertNotIn(word, words, page)
                self.assertGreater(len(words), 20, page)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width, f"{page} at {width}")
                unnamed = "[...document.querySelectorAll('img:not([alt]), svg:not([aria-label]):not([aria-hidden]), main input')]" \
                          ".filter((e) => e.tagName !== 'INPUT' || !e.labels.length).length"
                self.assertEqual(self.browser.evaluate(unnamed), 0, page)
                self.assertEqual(self.browser.evaluate("document.querySelectorAll('h1').length"), 1, page)

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


if __name__ == "__main__":
    which, odonata = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
    if which == "browser" and not program():
        print("no Chromium here (apt-get install chromium): the pages were not opened")
        sys.exit(77)
    unittest.main(defaultTest="InBrowser" if which == "browser" else "Pages")
