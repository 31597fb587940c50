#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What campaigns keep, and how they end: two runs of prove.py that write one record, an abc that does not end
(mutant_proofs.py), a campaign of full.py that was stopped. What they judge: proofs, mutants, lint, coverage, area."""
import argparse
import collections
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import area  # noqa: E402
import coverage_table  # noqa: E402
import full  # noqa: E402
import lint  # noqa: E402
import mutant_proofs  # noqa: E402
import mutate  # noqa: E402
import prove  # noqa: E402
import tools  # noqa: E402


class Records(unittest.TestCase):
    def test_what_is_no_regular_file_is_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = pathlib.Path(folder) / "pipe"
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            tools.write_record(pipe, ("a", "b"), [{"a": 1}])
            self.assertTrue(pipe.is_fifo())
            self.assertEqual(os.read(reader, 100), b"a,b\n1,\n")
            os.close(reader)
            self.assertEqual(os.listdir(folder), ["pipe"])
            self.assertEqual(tools.read_record(pipe), [])


class ProofRecord(unittest.TestCase):
    def test_two_runs_of_a_family_keep_each_others_verdicts(self):
        (tools.ROOT / "build/prove").mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.object(prove, "RECORD", pathlib.Path(folder) / "proofs.csv"):
                family = prove.Family(tools.families("proofs.toml")[0])
                one, two = prove.Record(family), prove.Record(family)
                a, b = family.proofs[:2]
                sizes = [next(iter(p.sizes)) for p in (a, b)]
                one.keep(a, sizes[0], "", "proved", 1)
                two.keep(b, sizes[1], "", "proved", 2)
                one.keep(a, sizes[0], "", "no abc", 3)
                rows = prove.Record(family).read()
                self.assertEqual(rows[family.name, a.name, "", sizes[0]]["verdict"], "no verdict")
                self.assertEqual(rows[family.name, b.name, "", sizes[1]]["verdict"], "proved")
                self.assertEqual(len(rows), 2)

    def test_what_the_table_no_longer_has_is_forgotten_and_other_families_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "proofs.csv"
            path.write_text(",".join(prove.COLUMNS) + "\nnobody,p,,s,proved,1,k,d,c\n")
            with mock.patch.object(prove, "RECORD", path):
                family = prove.Family(tools.families("proofs.toml")[0])
                with open(path, "a") as file:
                    file.write(f"{family.name},gone,,s,proved,1,k,d,c\n")
                prove.Record(family).write()
                self.assertEqual([name[0] for name in prove.Record.read()], ["nobody"])


class Abc(unittest.TestCase):
    def script(self, folder, text):
        path = pathlib.Path(folder) / "abc"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_one_that_does_not_end_is_killed_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            child = pathlib.Path(folder) / "child"
            stub = self.script(folder, f"sleep 1000 & echo $! >{child}\nwait\n")
            start = time.monotonic()
            self.assertIsNone(mutant_proofs.abc("", 60, stub, wall=1))
            self.assertLess(time.monotonic() - start, 30)
            for _ in range(100):
                try:
                    os.kill(int(child.read_text()), 0)
                except ProcessLookupError:
                    return
                time.sleep(0.1)
            state = pathlib.Path(f"/proc/{int(child.read_text())}/stat").read_text().rsplit(")", 1)[1].split()[0]
            self.assertEqual(state, "Z")  # nobody has buried it yet

    def test_one_that_ends_is_heard(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(mutant_proofs.abc("", 60, self.script(folder, "echo UNSATISFIABLE\n")), "UNSATISFIABLE\n")


class Full(unittest.TestCase):
    PART = {"name": "p", "what": "w", "models": ["device_m"], "program": "t", "source": "s.cpp", "test": "*"}

    def settle(self, output, good=True, model=b"m", again=False):
        (self.root / "build/release/rtl_devices/m.so").write_bytes(model)
        with (
            mock.patch.object(full, "make", lambda part: True),
            mock.patch.object(full, "run", lambda part: (good, output, 7.0)) as self.run,
            contextlib.redirect_stdout(io.StringIO()) as said,
        ):
            passed = full.settle(self.PART, again)
        return passed, said.getvalue()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "build/release/rtl_devices").mkdir(parents=True)
        (self.root / "s.cpp").write_text("test")
        for where, name, value in (
            (full, "BUILD", self.root / "build/release"),
            (full, "RECORD", self.root / "full.csv"),
            (tools, "ROOT", self.root),
            (tools, "run", lambda command: "abc\n"),
        ):
            patch = mock.patch.object(where, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.addCleanup(self.folder.cleanup)

    GOOD = "63 ports: 100000 cycles, 5 flits\n[  PASSED  ] 1 test.\n"

    def test_what_passed_with_the_same_model_is_not_run_again(self):
        self.assertTrue(self.settle(self.GOOD)[0])
        self.assertEqual(full.read_record()["p"]["cycles"], "100000")
        passed, said = self.settle("", good=False)  # would fail
        self.assertTrue(passed)
        self.assertIn("(recorded)", said)
        self.assertFalse(self.settle("", good=False, again=True)[0])

    def test_another_model_is_run(self):
        self.settle(self.GOOD)
        self.assertFalse(self.settle("1 cycles,\n", good=False, model=b"n")[0])
        self.assertEqual(full.read_record()["p"]["verdict"], "fail")

    def test_what_fails_or_runs_nothing_does_not_pass(self):
        self.assertFalse(self.settle(self.GOOD, good=False)[0])
        self.assertFalse(self.settle("[  PASSED  ] 0 tests.\n")[0])
        self.assertFalse(self.settle("[  PASSED  ] 1 test.\n")[0])
        self.assertEqual(full.read_record()["p"]["verdict"], "fail")


class Proofs(unittest.TestCase):
    def test_the_suite_proves_first_and_last_size_less_the_slow_ones_and_a_control(self):
        sizes = {name: {} for name in ("a", "b", "c")}
        proof = prove.Proof("p", "w", "t", sizes, [("x", "a"), ("y", "a")], [("z", "b")])
        self.assertEqual(prove.what_to_prove(proof, True), (["a", "c"], [("x", "a")]))
        self.assertEqual(prove.what_to_prove(proof, False), (["a", "b", "c"], [("x", "a"), ("y", "a"), ("z", "b")]))
        proof.slow = ["c"]
        self.assertEqual(prove.what_to_prove(proof, True)[0], ["a"])
        self.assertEqual(prove.what_to_prove(prove.Proof("p", "w", "t", {"a": {}}), True), (["a"], []))

    def test_every_size_has_to_be_proved_and_every_control_refuted(self):
        proof = prove.Proof("p", "w", "t", {"a": {}, "b": {}})

        def shown(sizes, controls):
            outcomes = lambda verdicts: {n: prove.Outcome(v, 1.0) for n, v in verdicts.items()}
            with contextlib.redirect_stdout(io.StringIO()) as said:
                row = prove.show(proof, outcomes(sizes), outcomes(controls))
            return row["proved"], [line.split()[0] for line in said.getvalue().splitlines()]

        good, caught = {"a": "proved", "b": "proved"}, {("x", "a"): "refuted", ("y", "b"): "refuted"}
        self.assertEqual(shown(good, caught), (True, ["proved", "control", "control"]))
        for sizes, controls in (
            (good | {"b": "refuted"}, caught),
            (good | {"a": "no verdict"}, caught),
            (good, caught | {("x", "a"): "proved"}),
            (good, caught | {("y", "b"): "no verdict"}),
        ):
            self.assertEqual(shown(sizes, controls), (False, ["FAILED", "control", "control"]))


class Mutants(unittest.TestCase):
    def judge(self, folder, *opened, only=None):
        table = {
            f"unit{n}": {"mutants": 100, "killed": 87 - n, "preset": 5, "equivalent": 8 + n - left, "open": left}
            for n, left in enumerate(opened)
        }
        args = argparse.Namespace(json=folder / "m.json", record=folder / "m.csv", only=only, family="router", seed=3)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            return mutate.judge(args, [], [], table, {"all": 0}), said.getvalue()

    def test_97_percent_of_all_are_to_be_dead_however(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertEqual(self.judge(folder, 3)[0], 0)
            self.assertEqual(self.judge(folder, 4)[0], 1)
            self.assertEqual(self.judge(folder, 6, 0)[0], 0)
            code, said = self.judge(folder, 7, 0)
            self.assertEqual(code, 1)
            self.assertEqual(said.splitlines()[1].split(), "unit0 100 87 5 1 7 93.0%".split())
            self.assertEqual(said.splitlines()[3].split(), "all 200 173 10 10 7 96.5%".split())
            self.assertIn("equivalent: 96.5% (needed 97%)", said)
            self.assertEqual(json.loads((folder / "m.json").read_text())["share"], 0.965)

    def test_a_campaign_of_nothing_has_failed(self):
        with tempfile.TemporaryDirectory() as name:
            code, said = self.judge(pathlib.Path(name))
            self.assertEqual(code, 1)
            self.assertEqual(said.splitlines()[1].split(), "all 0 0 0 0 0 0.0%".split())

    def test_a_line_a_unit_is_recorded_of_whole_campaigns(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.judge(folder, 1, only="unit0")
            self.assertFalse((folder / "m.csv").exists())
            self.judge(folder, 1, 2)
            self.judge(folder, 0)
            rows = [list(row.values())[:8] for row in tools.read_record(folder / "m.csv")]
            self.assertEqual(
                rows,
                [
                    ["router", "unit0", "100", "87", "5", "7", "1", "3"],
                    ["router", "unit1", "100", "86", "5", "7", "2", "3"],
                    ["router", "unit0", "100", "87", "5", "8", "0", "3"],
                ],
            )

    def test_mutants_are_numbered_from_1_without_those_of_clocks(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "list.ys"
            lines = [f"mutate -cell c -port {port} -ctrl mutsel 16 {n} 1\n" for n, port in enumerate("DCQ", 1)]
            path.write_text("".join(lines).replace("-port C ", "-port CLK "))
            mutate.leave_out_clocks(path)
            self.assertEqual(path.read_text(), lines[0] + lines[2].replace(" 3 1", " 2 1"))


class Lint(unittest.TestCase):
    def test_a_warning_fails_as_an_error_does(self):
        for command, code in (("true", 0), ("echo w", 1), ("echo w >&2", 1), ("exit 1", 1)):
            checks = lambda family: [("first", ["sh", "-c", command]), ("second", ["true"])]
            with (
                mock.patch.object(lint, "checks", checks),
                mock.patch.object(sys, "argv", ["lint.py", "router"]),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                self.assertEqual(lint.main(), code, command)

    def test_every_tool_has_the_parameters_of_a_module(self):
        named = dict(
            lint.commands("top", "A=4 H=2", ["a.sv"], ["a.sv", "a_tiny.sv"], ["-Wno-x"], ["yosys", "verilator"])
        )
        self.assertEqual(list(named), ["yosys", "verilator"])
        self.assertIn("chparam -set A 4 -set H 2 top; hierarchy -check -top top", named["yosys"][-1])
        self.assertEqual(
            named["verilator"], "verilator --lint-only -Wall -Wno-x --top-module top -GA=4 -GH=2 a.sv a_tiny.sv".split()
        )
        icarus = dict(lint.commands("top", "A=4 H=2", ["a.sv"], [], [], ["iverilog"]))["iverilog"]
        self.assertEqual(icarus, "iverilog -g2012 -t null -s top -Ptop.A=4 -Ptop.H=2 a.sv".split())


class Coverage(unittest.TestCase):
    def test_a_place_counts_once_and_is_reached_in_any_instance(self):
        point = lambda file, place, page, count: (
            f"C '\1f\2{file}\1l\2{place}\1n\0021\1page\2{page}/x\1o\2\1h\2top.{count}' {count}\n"
        )
        rtl = str(tools.ROOT / "rtl/fault/a.sv")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (
                ("one/a.dat", point(rtl, 7, "v_line", 3) + point(rtl, 8, "v_line", 5)),
                ("two/a.dat", point(rtl, 7, "v_line", 0) + point("rtl/fault/b.sv", 9, "v_branch", 0)),
                ("two/b.dat", point("rtl/router/c.sv", 1, "v_toggle", 0) + point("tb/x.sv", 1, "v_line", 0)),
            ):
                path = pathlib.Path(folder) / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            rows = coverage_table.rtl_rows(coverage_table.rtl_points(pathlib.Path(folder)))
        self.assertEqual(
            rows,
            [
                ("RTL line", "rtl", 3, 2),
                ("RTL line", "rtl/fault", 3, 2),
                ("RTL toggle", "rtl", 1, 0),
                ("RTL toggle", "rtl/router", 1, 0),
            ],
        )

    def test_lines_of_cpp_are_those_of_the_folder_and_of_its_parts(self):
        lines = collections.OrderedDict(
            {"models/a/x.cpp": (10, 9), "models/a/y.h": (4, 4), "models/z.cpp": (6, 1), "sim/b/c/d.cpp": (8, 2)}
        )
        lines |= {"tb/a.cpp": (100, 0), "build/models/x.cpp": (100, 0)}
        files = [
            {"filename": str(tools.ROOT / name), "summary": {"lines": {"count": of, "covered": reached}}}
            for name, (of, reached) in lines.items()
        ]
        files.append({**files[0], "filename": "/usr/include/x.h"})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "summary.json"
            path.write_text(json.dumps({"data": [{"files": files}]}))
            rows = coverage_table.cpp_rows(path)
        self.assertEqual(
            rows,
            [
                ("C++ line", "models", 20, 14),
                ("C++ line", "models/a", 14, 13),
                ("C++ line", "sim", 8, 2),
                ("C++ line", "sim/b", 8, 2),
            ],
        )


class Area(unittest.TestCase):
    def figures(self, rows, kept, wanted=()):
        table = {"sizes": {"s": {"N": 2}, "l": {"N": 5}}, "row": rows}
        measured = lambda family, table, row, size, args: kept[row["name"], size] and dict(kept[row["name"], size])
        with mock.patch.object(area, "kept_or_measured", measured):
            return {(f["unit"], f["size"]): f for f in area.figures_of("f", table, wanted, None)}

    def test_a_sum_counts_parts_of_its_size_and_depths_are_the_largest(self):
        of = lambda cells, depth: {"cells": cells, "flip-flops": cells // 10, "RAM bits": 1, "depth": depth}
        kept = {("a", "s"): of(100, 7), ("a", "l"): of(1000, 9), ("b", "s"): of(30, 8), ("c", "s"): of(110, 1)}
        rows = [
            {"name": "a"},
            {"name": "b", "sizes": ["s"]},
            {"name": "c", "sizes": ["s"], "added_to": "a"},
            {"name": "all", "sum": {"a": "N", "b": 3}, "depth_of": ["a", "b"]},
        ]
        found = self.figures(rows, kept)
        own = {"size": "s", "unit": "all", "cells": 290, "flip-flops": 29, "RAM bits": 5, "depth": 8}
        self.assertEqual(found["all", "s"], own)
        own = {"size": "l", "unit": "all", "cells": 5090, "flip-flops": 509, "RAM bits": 8}
        self.assertEqual(found["all", "l"], own, "of a row without this size those of its last; no depth of it")
        self.assertEqual(found["c", "s"]["added"], "10.0%")
        self.assertEqual(list(self.figures(rows[:1], kept, ["l"])), [("a", "l")])

    def test_a_sum_of_what_is_not_synthesized_is_missing(self):
        part = {"cells": 10, "flip-flops": 2, "RAM bits": 0}
        found = self.figures([{"name": "a"}, {"name": "all", "sum": {"a": "N"}}], {("a", "s"): part, ("a", "l"): None})
        self.assertEqual(found["all", "s"]["cells"], 20)
        for unit in ("a", "all"):
            self.assertEqual(found[unit, "l"], {"size": "l", "unit": unit, "missing": True})


if __name__ == "__main__":
    unittest.main()
