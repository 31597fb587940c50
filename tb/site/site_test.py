#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site: what docs/site/build.py makes of real results, and of what is none.

  site_test.py pages ODONATA     links, sizes, network access; refused inputs
  site_test.py browser ODONATA   every page in a headless Chromium (browser_test.mjs), searched for barriers by
                                 axe-core, and beside stored thumbnails (looks.json; --update writes them); exit code
                                 77 (skipped) where there is no browser or no npm
"""
import csv
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
sys.path[:0] = [str(ROOT / "docs/site"), str(ROOT / "cmake")]
import area  # noqa: E402
import figures  # noqa: E402
import public_headers  # noqa: E402
import reference  # noqa: E402

BUILD = ROOT / "docs/site/build.py"
NPM = ROOT / "build/npm/node_modules"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first takes half the time
PARTS = ("uplot", "wavedrom", "puppeteer-core", "axe-core")  # of docs/site/package.json
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
    "net --mesh 4x4x2 --routing d2ra --traffic tornado --load 0.2 --vcs 3 --depth 8 --packet 5 --warmup 100 "
    "--cycles 500 --timeline 100",
    "net --torus 5x5 --load 0.2 --fail node:1,1 --warmup 100 --cycles 500 --timeline 100",
    "net --fat-tree 4,3,2,2 --load 0.2 --warmup 100 --cycles 500 --timeline 100 --fail leaf:1,1@300",
    "fault-study --size tiny --samples 20 --poll-width 1,4 --threads 2",
    "fault --fat-tree 4,3,2,2 --fail leaf:1,1",
    "route --torus 6x6 --fail node:3,3 --from 1,3 --to 5,3",
    "fault-timing --size tiny",
    f"net --topology {ROOT / 'sim/scenarios/graph_ring.json'} --vcs 2 --load 0.2 --warmup 100 --cycles 500 "
    f"--timeline 100",
    "cosim --block credit_monitor --size tiny --traffic corner --plant capacity-off-by-one",  # a wave of two cycles
)
NETWORKS = (15, 16, 17)  # of these: mesh, torus, fat-tree
odonata = None  # the program
update = False  # whether the stored thumbnails are written anew


def chromium():
    """The browser, or None where there is none."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


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
            ran = subprocess.run(
                [odonata, *run.split(), "--json", cls.inputs[-1]], capture_output=True, text=True, cwd=cls.folder
            )
            assert ran.returncode in (0, 1), f"{run}: {ran.stderr}"
        cls.site = cls.folder / "site"
        made = build(cls.site, cls.inputs)
        assert made.returncode == 0, made.stderr
        cls.pages = sorted(cls.site.rglob("*.html"))
        # What odonata writes by itself: all of them on a page, pages that commands write, and a result without
        # sections.
        cls.own = [
            cls.folder / f"{name}.html" for name in ("report", "fault", "net", "congestion", "study", "data", "trace")
        ]
        report, fault, net, congestion, study, bare, trace = cls.own
        subprocess.run([odonata, "report", "--in", *cls.inputs, "--out", report], check=True, capture_output=True)
        for run, page in (
            (RUNS[5] + " --html", fault),
            (RUNS[12] + " --page", net),
            (RUNS[4] + " --page", congestion),
            (RUNS[18] + " --html", study),
        ):
            subprocess.run([odonata, *run.split(), page], check=True, capture_output=True)
        without = cls.folder / "data.json"
        without.write_text(
            json.dumps(
                {
                    k: v
                    for k, v in json.loads(cls.inputs[12].read_text(encoding="utf-8")).items()
                    if k not in ("report", "link_windows")
                }
            ),
            encoding="utf-8",
        )
        subprocess.run([odonata, "view", without], check=True, capture_output=True)
        subprocess.run(
            [odonata, *RUNS[5].split(), "--trace", trace.with_suffix(".json")], check=True, capture_output=True
        )
        subprocess.run([odonata, "view", trace.with_suffix(".json")], check=True, capture_output=True)


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
        subprocess.run(
            [odonata, *"net --size tiny --load 0.2 --warmup 150 --cycles 10000 --timeline 100 --json".split(), long],
            check=True,
            capture_output=True,
        )
        self.addCleanup(long.unlink)

        def wrong(result):
            windows, links = result["link_windows"]["windows"], result["link_windows"]["links"]
            spans = [(w["first"], w["last"]) for w in windows]
            if (
                spans[0][0] != result["parameters"]["warmup"]
                or any(a[1] != b[0] for a, b in zip(spans, spans[1:]))
                or not 1 < len(spans) <= 64
            ):
                return f"windows {spans}"
            if any(len(w["load"]) != len(links) for w in windows):
                return "a window without all links"
            flits = sum(digits.index(c) / 63 * (w["last"] - w["first"]) for w in windows for c in w["load"])
            mean = flits / len(links) / (spans[-1][1] - spans[0][0])
            sampled = next(
                use["mean"]
                for name, use in result["channels"].items()
                if name not in ("node", "group0") and (name != "local" or len(result["channels"]) == 2)
            )
            return "" if abs(mean - sampled) < 0.004 else f"mean load {mean}, of the sample {sampled}"

        plants = (
            lambda w: w.pop(1),
            lambda w: w[0].update(first=0),
            lambda w: w[1].update(load=w[1]["load"][1:]),
            lambda w: w[2].update(load="A" * len(w[2]["load"])),
        )
        for number in NETWORKS:
            self.assertEqual(wrong(json.loads(self.inputs[number].read_text(encoding="utf-8"))), "", RUNS[number])
        for path in (self.inputs[12], long):
            text = path.read_text(encoding="utf-8")
            self.assertEqual(wrong(json.loads(text)), "", path.name)
            for plant in plants[: 4 if path != long else 3]:  # one window of very many is little
                planted = json.loads(text)
                plant(planted["link_windows"]["windows"])
                self.assertNotEqual(wrong(planted), "", path.name)

    def test_a_page_of_a_command_is_that_of_its_result(self):
        for run, page in ((5, "fault"), (12, "net"), (4, "congestion"), (18, "study")):
            embedded = (
                (self.folder / f"{page}.html").read_text(encoding="utf-8").split('id="data">')[1].split("</script>")[0]
            )
            titles = [s["title"] for s in json.loads(embedded)["results"][0]["report"]]
            self.assertEqual(
                titles, [s["title"] for s in json.loads(self.inputs[run].read_text(encoding="utf-8"))["report"]]
            )

    def test_units_by_level_and_size(self):
        page = (self.site / "cosimulation.html").read_text(encoding="utf-8")
        sections = json.loads(page.split('id="data">')[1].split("</script>")[0])["results"][0]["report"]
        matrix, checks, runs = sections[:3]
        units = {p.stem for p in (ROOT / "models").glob("*/*.toml")}
        self.assertEqual({row[0] for row in matrix["rows"]}, units)
        row_of = lambda unit: next(
            row for row in matrix["rows"] if row[0] == unit and row[1:3] in (["rtl", "tiny"], ["rtl", "any"])
        )
        mutants = lambda unit: row_of(unit)[matrix["header"].index("mutants")]
        record = []
        for name in ("lockstep", "soak"):
            with open(ROOT / f"docs/results/{name}.csv", newline="", encoding="utf-8") as file:
                record += [
                    r
                    for r in csv.DictReader(file)
                    if (r["block"], r["device"], r["size"]) == ("bitmap_sender", "rtl", "tiny")
                ]
        compared = sum(int(r["compared"]) for r in record) + 2000  # and the run of this test
        self.assertEqual(row_of("bitmap_sender")[3:6], [compared, 0, "100.0 %"])
        self.assertRegex(mutants("bitmap_sender"), r"^\d+ of \d+$")
        with open(ROOT / "docs/results/mutants.csv", newline="", encoding="utf-8") as file:
            own = [r for r in csv.DictReader(file) if r["unit"] == "fault_scheduler"][-1]
        self.assertEqual(  # not those of the older campaign that it had together with the port unit
            mutants("fault_scheduler"), f"{int(own['mutants']) - int(own['open']):,} of {int(own['mutants']):,}"
        )
        self.assertEqual(mutants("pcs_transport"), "not measured")
        for family, plants, proofs in (row[:3] for row in checks["rows"]):
            for name, key, found in (("plants", "[[plant]]", plants), ("proofs", "[[proof]]", proofs)):
                self.assertEqual(
                    int(found),
                    (ROOT / f"tb/{family}/{name}.toml").read_text(encoding="utf-8").splitlines().count(key),
                    family,
                )
        self.assertIn("gb-gc-swap", [row[runs["header"].index("planted bug")] for row in runs["rows"]])
        self.assertTrue(
            all(re.fullmatch(r"\d{4}-\d\d-\d\d", row[runs["header"].index("date")]) for row in runs["rows"])
        )

    def test_large_data_lies_beside_its_page(self):
        big = self.folder / "big.json"
        rows = [[f"row {n}", n] for n in range(20000)]
        big.write_text(
            json.dumps(
                {
                    "command": "net",
                    "report": [{"type": "table", "title": "Many", "header": ["name", "n"], "rows": rows}],
                }
            ),
            encoding="utf-8",
        )
        self.addCleanup(big.unlink)
        out = self.folder / "large"
        self.addCleanup(shutil.rmtree, out)
        self.assertEqual(build(out, [big]).returncode, 0)
        self.assertLess((out / "network.html").stat().st_size, 60_000)
        self.assertEqual((out / "data/network-0-0.js").read_text(encoding="utf-8").count("row "), 20000)

    def test_any_csv_has_a_page(self):
        for text, charts in (
            ("unit,transactions,verdict\na,5,pass\nb,7,pass\n", ["bars"]),
            ("x,y\n1,2\n2,4\n", ["lines"]),
            ("a,b\n", []),
            ("", []),
        ):
            path = self.folder / "record.csv"
            path.write_text(text)
            self.addCleanup(path.unlink, missing_ok=True)
            sections = figures.of_record(path)
            self.assertEqual([s["type"] for s in sections], [*charts, "table"], text)
            self.assertEqual(len(sections[-1]["rows"]), max(0, text.count("\n") - 1))

    def test_without_npm_tables_stand_for_charts(self):
        folder = self.folder / "bare"
        self.addCleanup(shutil.rmtree, folder)
        code = (
            f"import sys, pathlib; sys.path.insert(0, {str(ROOT / 'docs/site')!r}); import build; build.NPM = "
            f"pathlib.Path('/nowhere'); sys.argv = ['build.py', '--out', {str(folder)!r}, '--in', "
            f"{str(self.inputs[0])!r}]; sys.exit(build.main())"
        )
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
            self.assertEqual(
                (int(lane["values"][-1], 16), int(lane["got"][-1], 16)), (int(d["expected"], 16), int(d["got"], 16))
            )
            self.assertEqual(lane["values"][:-1], lane["got"][:-1])

    def test_every_table_of_the_area_is_drawn(self):
        sections = area.area_sections((ROOT / "docs/area.md").read_text(encoding="utf-8"))
        self.assertEqual(
            [s["title"] for s in sections],
            [
                f"Area: {part}"
                for part in (
                    "route_compute",
                    "arb_request",
                    "arb_request, units",
                    "fault",
                    "router",
                    "torus",
                    "vtftr",
                )
            ],
        )
        bars = {s["title"]: {b["label"]: b["value"] for b in s["bars"]} for s in sections if s["type"] == "bars"}
        self.assertEqual(
            (bars["Area: fault"]["paper, port unit, Banks=8"], bars["Area: router"]["full, one phase of the switch"]),
            (28705, 72016),
        )
        self.assertEqual(sections[1]["series"][2]["points"][-1], [8, 435])
        self.assertEqual(bars["Area: arb_request, units"]["switch, n=8"], 8527)

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
        self.assertIn(
            "<td><code>map_o</code></td><td>out</td><td>RingStops x A*H</td>", congestion
        )  # of the unit's description
        self.assertIn(
            "<td><code>word_bid_i</code></td><td>in</td><td>[congestion_pkg::BidWidth-1:0]</td>", congestion
        )  # of the declaration

    def test_what_is_installed_is_in_the_reference(self):
        """Every installed header that is written by hand, with what it says in front; the Python module;
        the C interface."""
        listed = (self.site / "reference.html").read_text(encoding="utf-8")
        if shutil.which("doxygen"):
            self.assertEqual(
                set(re.findall(r">((?:\w+/)+\w+\.h)</a>", listed)),
                {name for name in public_headers.public(ROOT) if name != reference.DEVICE},
            )
            page = (self.site / "reference/sim_network.html").read_text(encoding="utf-8")
            self.assertIn("A policy is a class that a domain is compiled with", page)
            self.assertIn("static constexpr bool kAsks;", page)
        python = (self.site / "reference/python.html").read_text(encoding="utf-8")
        for words in (
            "class Unit(block: str",
            "Network.deliveries() -&gt; numpy.ndarray",
            "pandas.DataFrame",
            'id="sweep"',
        ):
            self.assertIn(words, python)
        self.assertIn(
            "#define ODONATA_DEVICE_VERSION", (self.site / "reference/device.html").read_text(encoding="utf-8")
        )

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
        texts = (
            '{"command": "x", "levels": {"rtl": null}}',
            '{"command": "x", "facts": {"a": [1]}}',
            '{"command": "x", "report": [{"type": "bars", "title": "t", "bars": [{"label": "a", "value": "3"}]}]}',
            '{"command": "x", "report": [{"type": "network", "title": "t", "places": [[0, 1]], "names": ["a"], '
            '"unit": "u", "windows": true}]}',
            '{"command": "x", "report": [{"type": "path", "title": "t"}]}',
            "",
            "{",
            "[]",
            '{"verdict": "pass"}',
            '{"command": 3}',
            '{"command": "net", "report": 1}',
            '{"command": "x", "report": [{"type": "nonsense"}]}',
            '{"command": "x", "report": [{"type": "lines"}]}',
            '{"command": "fault", "dragonfly": {}}',
            "\u0000",
        )
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
    def test_in_a_browser(self):
        command = ["node", ROOT / "tb/site/browser_test.mjs", self.folder, *(["--update"] if update else [])]
        self.assertEqual(subprocess.run(command, env=os.environ | {"ODONATA_CHROMIUM": chromium()}).returncode, 0)


def lacking():
    """What of a browser and its driver is not here; None: nothing."""
    if not chromium():
        return "no Chromium here (apt-get install chromium-headless-shell)"
    if not shutil.which("node"):
        return "no node here (apt-get install npm)"
    missing = [name for name in PARTS if not (NPM / name / "package.json").is_file()]
    return (
        f"no {', '.join(missing)} here (./dev build lays them into build/npm where npm reaches its registry)"
        if missing
        else None
    )


CASES = {"pages": Pages, "browser": InBrowser}

if __name__ == "__main__":
    which, odonata = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
    if update := "--update" in sys.argv:
        sys.argv.remove("--update")
    if which == "browser" and (said := lacking()):
        print(f"{said}: the pages were not opened")
        sys.exit(77)
    unittest.main(defaultTest=CASES[which].__name__)
