#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What campaigns keep, and how they end: two runs of prove.py that write one record, an abc that does not end
(mutant_proofs.py), a campaign of full.py that was stopped."""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import full  # noqa: E402
import mutant_proofs  # noqa: E402
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


if __name__ == "__main__":
    unittest.main()
