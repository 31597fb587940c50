#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py with a program that only pretends: seeds, record, going on, and what does not pass;
the command line of prove.py."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import tomllib
import unittest

SOAK = pathlib.Path(__file__).with_name("soak.py")
PROGRAM = """#!/usr/bin/env python3
import json, os, sys
words = dict(zip(sys.argv[2::1], sys.argv[3::1]))
wanted = int(words["--transactions"])
mode = os.environ.get("MODE", "")
with open(os.environ["CALLS"], "a") as calls:
    calls.write(words["--block"] + " " + words["--seed"] + "\\n")
if mode == "stop" and words["--block"] == "two":
    sys.exit(130)
if mode == "error":
    sys.exit("odonata: no")
json.dump({"cycles": 2 * wanted, "compared": 0 if mode == "nothing" else wanted, "mismatches": int(mode == "bug"),
           "verdict": "fail" if mode == "bug" else "pass", "version": "x"}, open(words["--json"], "w"))
sys.exit(1 if mode == "bug" else 0)
"""
TABLE = """[[run]]
block = "one"
sizes = ["tiny", "full"]
traffic = "ur"
transactions = 100
[[run]]
block = "two"
sizes = [""]
arguments = ["--dims", "2"]
traffic = "corner"
transactions = 50
"""


class Soak(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        program = self.at / "program"
        program.write_text(PROGRAM)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        (self.at / "table.toml").write_text(TABLE)

    def tearDown(self):
        self.folder.cleanup()

    def soak(self, *words, mode=""):
        self.calls = self.at / "calls"
        self.calls.unlink(missing_ok=True)
        done = subprocess.run(
            [
                sys.executable,
                SOAK,
                self.at / "program",
                "--table",
                self.at / "table.toml",
                "--record",
                self.at / "record.csv",
                "--out",
                self.at / "out",
                *words,
            ],
            env={**os.environ, "MODE": mode, "CALLS": str(self.calls)},
            capture_output=True,
            text=True,
        )
        self.called = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done

    def record(self):
        file = self.at / "record.csv"
        return [line.split(",") for line in file.read_text().splitlines()[1:]] if file.exists() else []

    def test_every_soak_has_another_seed(self):
        self.assertEqual(self.soak().returncode, 0)
        self.assertEqual(self.called, ["one 1", "one 1", "two 1"])
        self.assertEqual(self.soak().returncode, 0)
        self.assertEqual(self.called, ["one 2", "one 2", "two 2"])
        self.assertEqual([line[0] for line in self.record()], ["1"] * 3 + ["2"] * 3)

    def test_what_is_run_and_recorded_is_what_the_table_says(self):
        (self.at / "table.toml").write_text(
            """[[run]]
block = "one"
devices = ["systemc", "rtl"]
sizes = ["tiny"]
traffic = "ur"
transactions = 100
[[run]]
block = "arb"
unit = "arb_logic"
sizes = ["4x4=4x4x2"]
size_option = "--set torus={}"
arguments = ["--set", "part=logic"]
traffic = "corner"
resets = true
transactions = 55
"""
        )
        (self.at / "program").write_text(
            """#!/usr/bin/env python3
import json, os, sys
at = sys.argv.index("--artifacts")
with open(os.environ["CALLS"], "a") as calls:
    calls.write(" ".join(sys.argv[1:at] + sys.argv[at + 4:]) + "\\n")
json.dump({"cycles": 70, "compared": 30, "mismatches": 0, "verdict": "pass", "version": "v",
           "coverage": {"percent": 98.76}}, open(sys.argv[at + 3], "w"))
"""
        )
        self.assertEqual(self.soak().returncode, 0)
        self.assertEqual(
            self.called,
            [
                "cosim --block one --device systemc --size tiny --traffic ur --transactions 100 --seed 1 --one-reset",
                "cosim --block one --device rtl --size tiny --traffic ur --transactions 100 --seed 1 --one-reset",
                "cosim --block arb --device rtl --set part=logic --set torus=4x4x2 --traffic corner --transactions 55 "
                "--seed 1",
            ],
        )
        self.assertEqual(
            [row[:-1] for row in self.record()],
            [
                ["1", "one", "systemc", "tiny", "", "ur", "False", "100", "30", "70", "0", "98.8", "pass", "v"],
                ["1", "one", "rtl", "tiny", "", "ur", "False", "100", "30", "70", "0", "98.8", "pass", "v"],
                ["1", "arb_logic", "rtl", "4x4", "--set part=logic", "corner", "True", "55", "30", "70", "0"]
                + ["98.8", "pass", "v"],
            ],
        )

    def test_what_failed_stays_so_until_it_is_forgotten(self):
        self.assertEqual(self.soak("--seed", "7", mode="bug").returncode, 1)
        self.assertEqual(self.soak("--seed", "7").returncode, 1)
        self.assertEqual(self.called, [])
        self.assertEqual(self.soak("--seed", "7", "--fresh").returncode, 0)
        self.assertEqual(len(self.called), 3)

    def test_a_stopped_soak_goes_on(self):
        self.assertEqual(self.soak(mode="stop").returncode, 130)
        self.assertEqual(self.record(), [])
        self.assertEqual(self.soak().returncode, 0)
        self.assertEqual(self.called, ["two 1"])
        self.assertEqual(len(self.record()), 3)

    def test_a_line_that_a_kill_cut_off_is_run_again(self):
        self.assertEqual(self.soak(mode="stop").returncode, 130)
        journal = self.at / "out/1.jsonl"
        journal.write_text(journal.read_text()[:-10])
        done = self.soak()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a line is cut off", done.stderr)
        self.assertEqual(self.called, ["one 1", "two 1"])
        self.assertEqual(self.soak("--seed", "1").returncode, 0)
        self.assertEqual(self.called, [], "all is known")

    def test_what_does_not_pass(self):
        for mode in ("bug", "nothing", "error"):
            self.assertEqual(
                self.soak("--seed", {"bug": "7", "nothing": "8", "error": "9"}[mode], mode=mode).returncode, 1, mode
            )
        self.assertEqual(self.record(), [], "a soak that is run again is not recorded")

    def test_a_first_look_is_not_recorded(self):
        self.assertEqual(self.soak("--scale", "0.1").returncode, 0)
        self.assertEqual(self.soak("--only", "two").returncode, 0)
        self.assertEqual(self.record(), [])
        self.assertNotEqual(self.soak("--only", "three").returncode, 0)

    def test_a_soak_runs_every_block(self):
        blocks = [
            {run["block"] for run in tomllib.loads(SOAK.with_name(table).read_text())["run"]}
            for table in ("lockstep.toml", "soak.toml")
        ]
        self.assertGreater(len(blocks[0]), 20)
        self.assertEqual(blocks[0] - blocks[1], set(), "in lockstep.toml, not in soak.toml")


class Prove(unittest.TestCase):
    def test_proofs_may_follow_the_options(self):
        done = subprocess.run(
            [sys.executable, SOAK.with_name("prove.py"), "congestion", "--quick", "nosuch"],
            capture_output=True,
            text=True,
        )
        self.assertIn("unknown nosuch; expected some of: crc", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
