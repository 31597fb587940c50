#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/results.py: what is a result, to which page it belongs, and the tables of units, families and runs."""
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import results  # noqa: E402


class Problems(unittest.TestCase):
    def test_a_part_is_of_its_kind(self):
        for kind, right, wrong, words in (
            ("text", ["", "a"], [1, None, []], "a text"),
            ("number", [0, -1.5], ["1", True, None], "a number"),
            ("cell", ["a", 1, None, True], [[], {}], "a text or a number"),
            (
                "point",
                [[1, 2], [1.5, 2, "x"]],
                [[1], ["1", 2], [1, "2"], [1, True], "12", None],
                "a list that begins with two numbers",
            ),
            ("any", [None, [], "x"], [], "anything"),
        ):
            for value in right:
                self.assertEqual(results.problem_of(value, kind, "w"), "", (kind, value))
            for value in wrong:
                self.assertEqual(results.problem_of(value, kind, "w"), f"w: expected {words}", (kind, value))

    def test_the_first_problem_has_its_place(self):
        problem = lambda value, schema: results.problem_of(value, schema, "r")
        self.assertEqual(problem({}, ["text"]), "r: expected a list")
        self.assertEqual(problem(["a", 1, 2], ["text"]), "r[1]: expected a text")
        self.assertEqual(problem([], ["text"]), "")
        self.assertEqual(problem([], {"a": "text"}), "r: expected an object")
        self.assertEqual(problem({}, {"a": "text"}), "r.a: missing")
        self.assertEqual(problem({}, {"a?": "text"}), "")
        self.assertEqual(problem({"a": 1}, {"a?": "text"}), "r.a: expected a text")
        self.assertEqual(
            problem({"a": "x", "b": [{"c": 1}]}, {"a": "text", "b": [{"c": "text"}]}), "r.b[0].c: expected a text"
        )
        self.assertEqual(problem({"x": 1, "y": "2"}, {"*": "number"}), "r.y: expected a number")
        self.assertEqual(problem({"a": 1, "b": 2}, {"a": "text", "b": "text"}), "r.a: expected a text")
        self.assertEqual(problem({"more": 1}, {}), "")

    WINDOWS = {"links": [[0, 1], [1, 0]], "windows": [{"first": 0, "last": 9, "load": "AB"}], "faults": []}
    COVERAGE = {"percent": 50, "bins": 2, "reached": 1, "unreachable": 0, "groups": []}

    def test_what_lies_beside_a_section_is_there(self):
        elsewhere = lambda section, result: results.problem_elsewhere(section, result, "here")
        self.assertEqual(elsewhere({"type": "table"}, {}), "")
        self.assertEqual(elsewhere({"type": "path"}, {}), "result.from: missing")
        self.assertEqual(elsewhere({"type": "coverage"}, {}), "result.coverage: missing")
        self.assertEqual(elsewhere({"type": "coverage"}, {"coverage": self.COVERAGE}), "")
        self.assertEqual(
            elsewhere({"type": "coverage", "coverage": {}}, {"coverage": self.COVERAGE}),
            "here.coverage.percent: missing",
        )
        for section in ({"type": "network"}, {"type": "dragonfly", "windows": True}):
            self.assertEqual(elsewhere(section, {}), "result.link_windows: missing")
            self.assertEqual(elsewhere(section, {"link_windows": self.WINDOWS}), "")
            self.assertEqual(elsewhere({**section, "link_windows": self.WINDOWS}, {}), "")
        wrong = "result.link_windows: no window, or one without a load for each link"
        for windows in (
            [],
            [{"first": 0, "last": 9, "load": "A"}],
            self.WINDOWS["windows"] + [{"first": 9, "last": 10, "load": ""}],
        ):
            result = {"link_windows": {**self.WINDOWS, "windows": windows}}
            self.assertEqual(elsewhere({"type": "network"}, result), wrong)
        section = {"type": "network", "link_windows": {**self.WINDOWS, "windows": []}}
        self.assertEqual(elsewhere(section, {}), wrong.replace("result", "here"))

    def test_a_packets_way_lacks_nothing_that_is_drawn(self):
        router, winner = {"gid": 0, "bid": 1}, {"port": 3, "name": "p", "vc": 0}
        hop = {
            "router": router,
            "in_port": {"name": "p"},
            "vc_in": 0,
            "hop_class": "GA",
            "unit": "RTA",
            "sentences": [],
        }
        node = {**router, "nid": 0}
        way = {"from": node, "to": node, "outcome": "delivered", "why": [], "hops": [{**hop, "winner": winner}, hop]}
        problem = lambda **other: results.problem_elsewhere({"type": "path"}, {**way, **other}, "here")
        self.assertEqual(problem(), "")
        self.assertEqual(problem(minimal_path=[router]), "")
        self.assertEqual(problem(hops=[{**hop, "winner": None}]), "")  # of a packet that goes no further
        for end in ("from", "to"):
            self.assertEqual(problem(**{end: router}), f"result.{end}.nid: missing")
        self.assertEqual(problem(**{"from": {"gid": 0, "nid": 0}}), "result.from.bid: missing")
        self.assertEqual(problem(minimal_path=[router, {"gid": 0}]), "result.minimal_path[1].bid: missing")
        self.assertEqual(problem(hops=[]), "result.hops: no hop")
        for name in winner:
            lacking = {key: value for key, value in winner.items() if key != name}
            hops = [{**hop, "winner": winner}, {**hop, "winner": lacking}]
            self.assertEqual(problem(hops=hops), f"result.hops[1].winner.{name}: missing")

    def test_a_result_has_a_command_and_sections_as_they_are_drawn(self):
        none = 'no result of odonata: it has no "command"'
        self.assertEqual([results.problem(r) for r in ([], {}, {"verdict": "pass"})], [none] * 3)
        self.assertEqual(results.problem({"command": "x"}), "")
        self.assertEqual(results.problem({"command": 3}), "result.command: expected a text")
        section = lambda **more: results.problem(
            {"command": "x", "report": [{"type": "text", "title": "a"}, {"title": "t", **more}]}
        )
        self.assertEqual(section(type="odd"), "report[1]: unknown section type 'odd'")
        self.assertEqual(section(type="list", items=["a"]), "")
        self.assertEqual(section(type="list", items=[1]), "report[1].items[0]: expected a text")
        self.assertEqual(section(type="coverage"), "result.coverage: missing")
        self.assertEqual(section(type="coverage", coverage=self.COVERAGE), "")


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "run.json"

    def read(self, result):
        self.path.write_text(result if isinstance(result, str) else json.dumps(result))
        day = time.mktime((2026, 11, 5, 12, 0, 0, 0, 0, -1))
        os.utime(self.path, (day, day))
        return results.read(self.path)

    def test_a_result_has_the_name_and_day_of_its_file(self):
        self.assertEqual(
            self.read({"command": "net"}), {"command": "net", "report": [], "file": "run.json", "day": "2026-11-05"}
        )

    SECTIONS = [{"type": "text", "title": "a"}, {"type": "coverage", "title": "c", "coverage": Problems.COVERAGE}]

    def test_a_planted_bug_that_is_caught_is_right(self):
        result = {"command": "cosim", "verdict": "fail", "report": self.SECTIONS, "plant": "bug", "mismatches": 1}
        found = self.read({**result, "headline": "1 mismatch"})
        self.assertEqual((found["verdict"], found["headline"]), ("pass", "planted bug bug caught: 1 mismatch"))
        self.assertEqual(found["report"], self.SECTIONS[:1])
        self.assertEqual(self.read(result)["headline"], "planted bug bug caught: ")
        for change in ({"plant": ""}, {"mismatches": 0}):
            found = self.read({**result, **change})
            self.assertEqual((found["verdict"], found["report"]), ("fail", self.SECTIONS), change)

    def test_what_is_no_result_is_refused_with_its_name(self):
        for text, words in (
            ("{", "no valid JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
            ('{"command": "net", "latency": NaN}', "no valid JSON: NaN is no number of JSON"),
            ('{"command": "net", "latency": -Infinity}', "no valid JSON: -Infinity is no number of JSON"),
            ("[" * 200_000, "no valid JSON: nested too deeply"),
            ('{"command": "cosim", "coverage": [1]}', "result.coverage: expected an object"),
            ('{"command": "cosim", "coverage": {"percent": "1"}}', "result.coverage.percent: expected a number"),
            ("[]", 'no result of odonata: it has no "command"'),
        ):
            with self.assertRaises(results.Bad) as caught:
                self.read(text)
            self.assertEqual(str(caught.exception), f"{self.path}: {words}")
        self.path.unlink()
        with self.assertRaisesRegex(results.Bad, "run.json: no valid JSON: .*No such file"):
            results.read(self.path)

    def test_every_result_has_its_page(self):
        kind = lambda name: {"topology": {"kind": name}}
        for result, page in (
            ({"command": "net", "jobs": []}, "workloads"),
            ({"command": "workload"}, "workloads"),
            ({"command": "fault", "torus": {}}, "torus"),
            ({"command": "net"} | kind("torus"), "torus"),
            ({"command": "route", "fat_tree": {}}, "fat_tree"),
            ({"command": "net"} | kind("fat_tree"), "fat_tree"),
            ({"command": "pipeline"}, "pipeline"),
            ({"command": "route"}, "pipeline"),
            ({"command": "cosim"}, "cosimulation"),
            ({"command": "congestion"}, "congestion"),
            ({"command": "fault"}, "fault"),
            ({"command": "fault-timing"}, "fault"),
            ({"command": "fault-study"}, "fault"),
            ({"command": "arb"}, "mesh"),
            ({"command": "arb-timing"}, "mesh"),
            ({"command": "deadlock"}, "mesh"),
            ({"command": "net"} | kind("mesh"), "mesh"),
            ({"command": "net"} | kind("graph"), "network"),
            ({"command": "crosscheck"}, "network"),
            ({"command": "sweep"}, "network"),
            ({"command": "new"}, "other"),
        ):
            self.assertEqual(results.page_of(result), page, result)
        self.assertEqual(sorted(results.ORDER), sorted(name for name, *_ in results.PAGES))
        self.assertEqual(
            [(name, title) for name, title, *_ in sorted(results.PAGES, key=lambda p: results.ORDER.index(p[0]))],
            [
                ("pipeline", "Pipeline"),
                ("cosimulation", "Co-simulation"),
                ("congestion", "Congestion"),
                ("fault", "Faults"),
                ("network", "Network"),
                ("workloads", "Workloads"),
                ("mesh", "Meshes"),
                ("torus", "Torus"),
                ("fat_tree", "Fat tree"),
                ("other", "Other"),
            ],
        )

    def test_a_page_has_what_it_draws(self):
        drawn = dict.fromkeys(
            "command command_line verdict headline problems facts dragonfly size plant block seed compared mismatches "
            "rate_transactions_per_s rate_cycles_per_s cycles_per_s cycles seconds congested_ports failed_links file "
            "link_windows".split(),
            "x",
        )
        levels = {"rtl": {"problems": [], "cycles_per_s": 1, "stages": []}, "golden": {"stages": []}, "n": 3}
        result = {**drawn, "report": [{"type": "text"}], "other": "x", "coverage": "c", "levels": levels}
        kept = {
            **drawn,
            "report": [{"type": "text"}],
            "levels": {"rtl": {"problems": [], "cycles_per_s": 1}, "golden": {}},
        }
        self.assertEqual(results.for_page(result), kept)
        self.assertEqual(results.for_page({**result, "levels": 3}), {k: v for k, v in kept.items() if k != "levels"})
        self.assertEqual(results.for_page({**result, "report": []}), {**result, "report": []})
        path = {**result, "report": [{"type": "text"}, {"type": "path"}]}
        self.assertEqual(results.for_page(path), path)
        for sections, coverage in (
            ([{"type": "coverage"}], True),
            ([{"type": "coverage", "coverage": "own"}], False),
            ([{"type": "text"}, {"type": "coverage"}], True),
        ):
            self.assertEqual("coverage" in results.for_page({**result, "report": sections}), coverage, sections)

    def test_the_commit_has_eight_digits(self):
        self.assertEqual(results.commit_of({"version": "0.2.0 (commit dd5e09ac8e42)"}), "dd5e09ac")
        self.assertEqual([results.commit_of(r) for r in ({}, {"version": "0.2.0"})], ["", ""])


def line(unit, mutants, left, **more):
    counts = {"mutants": mutants, "killed": mutants - left - 3, "preset": 1, "equivalent": 2, "open": left}
    return {"family": "f", "unit": unit, **{k: str(v) for k, v in counts.items()}, "date": "d", "commit": "c", **more}


class Tables(unittest.TestCase):
    HEAD = "seed,block,device,size,arguments,traffic,transactions,compared,mismatches,coverage,verdict,version,date\n"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_rows_of_a_record(self):
        self.assertEqual(results.rows_of(self.root, "soak"), [])
        self.put("docs/results/soak.csv", 'a,b\n1,"2,3"\n')
        self.assertEqual(results.rows_of(self.root, "soak"), [{"a": "1", "b": "2,3"}])

    RUN = {
        "block": "port",
        "device": "rtl",
        "size": "dfly(2,4,2,8) direct",
        "traffic": "ur",
        "compared": 100,
        "mismatches": 1,
        "coverage": {"percent": 61.25},
        "plant": "bug",
        "verdict": "fail",
        "day": "2026-11-05",
        "version": "0.2 (commit 0123456789ab)",
    }

    def test_runs_are_of_results_and_of_records(self):
        self.put(
            "docs/results/soak.csv",
            self.HEAD + "7,port,,,--mesh 4x4,ur,500,,0,,pass,0.2 (commit abcdef012345),2026-11-04\n",
        )
        self.put(
            "docs/results/lockstep.csv", self.HEAD + "1,fifo,systemc,tiny,x,all,500,400,2,99.5,fail,0.2,2026-11-03\n"
        )
        self.assertEqual(
            list(
                results.runs_of(
                    [
                        self.RUN,
                        {"day": "d", "dragonfly": {"name": "dfly(6,12,6,73)"}, "device": "rtl", "reference": "systemc"},
                        {
                            "day": "d",
                            "size": "dfly(16,32,16,512)",
                            "reference": "golden",
                            "device": "rtl",
                            "coverage": None,
                        },
                        {"day": "d", "size": "mesh 4x4"},
                    ],
                    self.root,
                )
            ),
            [
                ("port", "rtl", "tiny", "ur", 100, 1, 61.25, "bug", "fail", "2026-11-05", "01234567"),
                ("", "rtl = systemc", "paper", "", 0, 0, None, "none", "", "d", ""),
                ("", "rtl", "full", "", 0, 0, None, "none", "", "d", ""),
                ("", "", "mesh 4x4", "", 0, 0, None, "none", "", "d", ""),
                ("fifo", "systemc", "tiny", "all", 400, 2, 99.5, "none", "fail", "2026-11-03", ""),
                ("port", "rtl", "--mesh 4x4", "ur, soak 7", 500, 0, None, "none", "pass", "2026-11-04", "abcdef01"),
            ],
        )

    def test_a_run_of_a_soak_has_the_size_of_the_lockstep(self):
        """Of a unit with one size, and of a mesh, whose size is an argument."""
        self.put("docs/results/lockstep.csv", self.HEAD + "1,port,rtl,any,,ur,5,5,0,99,pass,0.2,2026-11-03\n")
        self.put(
            "docs/results/soak.csv",
            self.HEAD
            + "7,port,rtl,tiny,,ur,5,5,0,99,pass,0.2,2026-11-04\n7,arb,rtl,,--dims 3,ur,5,5,0,99,pass,0.2,2026-11-04\n"
            + "7,fifo,rtl,tiny,,ur,5,5,0,99,pass,0.2,2026-11-04\n",
        )
        self.assertEqual(
            [(run[0], run[2]) for run in results.runs_of([], self.root)],
            [("port", "any"), ("port", "any"), ("arb", "3 dimensions"), ("fifo", "tiny")],
        )

    def test_families_have_units_bugs_proofs_and_campaigns(self):
        self.put("models/f/port.toml", 'top = "f_port_top"\n')
        self.put("models/f/fifo.toml", "")
        self.put("models/e/one.toml", 'top = "other"\n')
        self.put("models/none.toml", "")
        self.put("tb/f/plants.toml", '[[plant]]\nname = "a"\n[[plant]]\nname = "b"\n')
        self.put("tb/f/proofs.toml", "sizes = 1\n")
        self.put("tb/e/proofs.toml", '[[proof]]\ncontrols = ["x"]\n')
        self.put("docs/results/mutants.csv", "family,unit\nf,fifo\ng,x\nf,port\n")
        found = results.families(self.root)
        self.assertEqual(
            found,
            {
                "e": ({"one": {"one", "other"}}, [], [{"controls": ["x"]}], []),
                "f": (
                    {"fifo": {"fifo"}, "port": {"port", "f_port", "f_port_top"}},
                    [{"name": "a"}, {"name": "b"}],
                    [],
                    [{"family": "f", "unit": "fifo"}, {"family": "f", "unit": "port"}],
                ),
            },
        )
        self.assertEqual((list(found), list(found["f"][0])), (["e", "f"], ["fifo", "port"]))

    def test_the_last_campaign_of_each_unit_counts(self):
        both, a, b, again = line("a and b", 100, 1), line("a", 80, 0), line("b", 20, 0), line("a", 60, 2)
        self.assertEqual(results.latest([both]), [both])
        self.assertEqual(results.latest([a, b, again]), [b, again])
        self.assertEqual(results.latest([both, a, b]), [a, b], "no mutant counts twice")
        longer, shorter = line("router_data", 100, 1), line("router", 80, 0)
        self.assertEqual(results.latest([longer, shorter]), [longer, shorter], "names that begin alike")
        self.assertEqual(results.latest([]), [])

    def test_mutants_of_a_unit_are_its_own_or_those_of_all_together(self):
        both = line("port and fifo", 1100, 6)
        self.assertEqual(results.mutants_of({"port", "port_top"}, [both]), "1,094 of 1,100")
        self.assertEqual(results.mutants_of({"port"}, [both, line("port", 80, 3), line("fifo", 20, 0)]), "77 of 80")
        self.assertEqual(results.mutants_of({"port"}, [line("port", 80, 3), line("x and y", 20, 0)]), "77 of 80")
        self.assertEqual(results.mutants_of({"port"}, [line("fifo", 20, 0)]), "not measured")

    def runs(self):
        run = lambda **more: {**self.RUN, "plant": "", **more}
        return [
            run(),
            run(day="2026-11-07", version="(commit aaaaaaaa)", compared=23, mismatches=2, coverage={"percent": 99.96}),
            run(day="2026-11-06", version="(commit bbbbbbbb)", coverage=None),
            run(size="full", coverage=None),
            run(device="systemc"),
            run(plant="bug"),
            run(block="other"),
        ]

    def test_units_by_level_and_size(self):
        self.put("models/f/port.toml", "")
        self.put("models/f/fifo.toml", "")
        self.put("tb/f/plants.toml", '[[plant]]\nname = "a"\n[[plant]]\nname = "b"\n')
        self.put("tb/f/proofs.toml", '[[proof]]\ncontrols = ["x"]\n')
        self.put(
            "docs/results/mutants.csv",
            ",".join(line("port", 1100, 6)) + "\n" + ",".join(line("port", 1100, 6).values()),
        )
        matrix, families, runs = results.cosim_matrix(self.runs(), self.root)
        beside = [2, 1, "1,094 of 1,100"]
        self.assertEqual(
            matrix["rows"],
            [
                ["fifo", "in the suite's tests", "-"] + ["not measured"] * 3 + [2, 1, "not measured", "", ""],
                ["port", "rtl", "tiny", 223, 4, "99.9 %", *beside, "2026-11-07", "aaaaaaaa"],
                ["port", "rtl", "full", 100, 1, "not measured", *beside, "2026-11-05", "01234567"],
                ["port", "systemc", "tiny", 100, 1, "61.2 %", *beside, "2026-11-05", "01234567"],
            ],
        )
        self.assertEqual((matrix["type"], matrix["title"]), ("table", "Units by level and size"))
        self.assertEqual(
            matrix["header"],
            "unit,level,size,compared,mismatches,coverage,planted bugs,proofs,mutants,date,commit".split(","),
        )
        self.assertEqual(families, results.family_table(results.families(self.root)))
        self.assertEqual((runs["type"], runs["title"], len(runs["rows"])), ("table", "All runs", 7))
        self.assertEqual(
            runs["header"],
            "unit,level,size,traffic,compared,mismatches,coverage,planted bug,verdict,date,commit".split(","),
        )
        self.assertEqual(
            runs["rows"][2:6],
            [
                ["port", "rtl", "tiny", "ur", 100, 1, "", "none", "fail", "2026-11-06", "bbbbbbbb"],
                ["port", "rtl", "full", "ur", 100, 1, "", "none", "fail", "2026-11-05", "01234567"],
                ["port", "systemc", "tiny", "ur", 100, 1, "61.2 %", "none", "fail", "2026-11-05", "01234567"],
                ["port", "rtl", "tiny", "ur", 100, 1, "61.2 %", "bug", "fail", "2026-11-05", "01234567"],
            ],
        )

    def test_less_than_all_is_not_100_percent(self):
        texts = [results.percent(value) for value in (100, 99.96, 99.95, 99.949, 61.25, 0)]
        self.assertEqual(texts, ["100.0 %", "99.9 %", "99.9 %", "99.9 %", "61.2 %", "0.0 %"])

    def test_families_have_the_sums_of_their_last_campaigns(self):
        proofs = [{"controls": ["x"]}, {}, {"controls": ["z"], "more": ["y"]}]
        lines = [
            line("port", 9, 9),
            line("port", 1000, 7, date="2026-11-05", commit="one"),
            line("fifo", 2000, 4, date="2026-11-07", commit="two"),
            line("ring", 100, 0, date="2026-11-06", commit="one"),
        ]
        table = results.family_table({"f": ({}, [1, 2], proofs, lines), "e": ({}, [], [], [])})
        self.assertEqual((table["type"], table["title"]), ("table", "Planted bugs, proofs and mutants by family"))
        self.assertEqual(
            table["header"],
            "family,planted bugs,proofs,controls,mutants,killed,with preset counters,equivalent,open,killed or "
            "equivalent,"
            "date,commit".split(","),
        )
        self.assertEqual(
            table["rows"],
            [
                ["f", "2", "3", "3", "3,100", "3,080", "3", "6", "11", "99.6 %", "2026-11-07", "one two"],
                ["e", "0", "0", "0", "not measured", "", "", "", "", "not measured", "", ""],
            ],
        )


if __name__ == "__main__":
    unittest.main()
