#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the campaign of random networks finds, with programs made up for it in the place of odonata."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import random_draws
import random_networks


class Findings(unittest.TestCase):
    def outcome(self, body, kind="net", plant=""):
        """Of the first number that runs once more with threads; `body` has n, 1 in the first run, and the result's
        file."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = folder / "program"
            program.write_text(
                f"#!{sys.executable}\nimport os, pathlib, sys\nn = 2 if '--threads' in sys.argv else 1\n"
                "words = sys.argv[1:]\n"
                "file = pathlib.Path(words[words.index('--json') + 1] if '--json' in words else 'none')\n" + body
            )
            program.chmod(0o755)
            number = next(n for n in range(1, 99) if kind != "net" or random_networks.draw(kind, n).again == "threads")
            return random_networks.Runner(program, folder, plant).try_number(kind, number)

    def test_times_may_differ_and_nothing_else(self):
        self.assertEqual(self.outcome("""file.write_text('{"digest": "a", "seconds": %d}' % n)"""), "compared")
        self.assertEqual(
            self.outcome("""file.write_text('{"digest": "%d", "seconds": 1}' % n)"""), "threads: another result"
        )
        self.assertEqual(
            self.outcome("""file.write_text('{"faults": [{"lost": %d}]}' % n)"""), "threads: another result"
        )

    def test_another_exit_code_and_a_result_that_is_not_there(self):
        self.assertEqual(self.outcome("file.write_text('{}')\nsys.exit(n - 1)"), "threads: exit code 1, expected 0")
        self.assertEqual(self.outcome("if n == 1: file.write_text('{}')"), "threads: another result")

    def test_a_crash(self):
        self.assertEqual(self.outcome("os.abort()"), "exit code -6: ")

    def test_a_refusal_is_one_line(self):
        self.assertEqual(self.outcome("print('one', file=sys.stderr)\nsys.exit(2)"), "refused")
        self.assertEqual(self.outcome("print('one\\ntwo', file=sys.stderr)\nsys.exit(2)"), "not one line: one\ntwo")

    def test_a_difference_of_a_crosscheck_and_a_plant_that_is_not_found(self):
        self.assertEqual(self.outcome("sys.exit(0)", "crosscheck"), "compared")
        self.assertEqual(self.outcome("sys.exit(1)", "crosscheck"), "exit code 1, expected 0: ")
        self.assertEqual(self.outcome("sys.exit(1)", "crosscheck", "bug"), "compared")
        self.assertEqual(self.outcome("sys.exit(0)", "crosscheck", "bug"), "exit code 0, expected 1: ")

    def test_a_plane_that_is_not_right(self):
        verify = {"ok": True, "closed_form": "equal", "condition": True}
        good = {"verify": verify, "hardware": {"difference": "", "rtl_different": 0}}
        words = ["fault", "--device", "systemc"]
        judge = random_networks.judge_plane
        self.assertEqual(judge(words, 0, good), "compared")
        self.assertEqual(judge(["fault", "--device", "golden"], 0, {"verify": verify}), "compared")
        for code, wrong in (
            (1, good),
            (0, {"verify": verify}),
            (0, {"verify": verify, "hardware": {"difference": "x"}}),
            (0, {"verify": verify, "hardware": {"difference": "", "rtl_different": 1}}),
            (0, good | {"verify": verify | {"closed_form": "G0"}}),
            (0, good | {"verify": verify | {"closed_form": "G0", "condition": False}}),
            (0, good | {"verify": verify | {"ok": False}}),
        ):
            self.assertNotIn(judge(words, code, wrong), ("compared", "refused"), wrong)
        self.assertEqual(judge(words, 1, good | {"verify": verify | {"ok": False, "condition": False}}), "compared")

    def test_rtl_in_the_loop_changes_nothing(self):
        drawn = random_draws.Draw(["net", "--size", "tiny", "--device", "rtl", "--at", "0.1"], "alone")
        with_and_without = """file.write_text('{"digest": "%s"}' % ("a" if "--device" in words else NAME))"""
        for name, outcome in (("'a'", "compared"), ("'b'", "alone: another result")):
            with unittest.mock.patch.object(random_networks, "draw", lambda *_: drawn):
                self.assertEqual(self.outcome(with_and_without.replace("NAME", name), "rtl"), outcome)

    def test_options_as_a_file(self):
        words = ["net", "--load", "0.2", "--live-traffic", "--fail", "a@1", "--fail", "b@2", "--mesh", "4x4"]
        self.assertEqual(
            random_networks.as_toml(words), 'load = 0.2\nlive-traffic = true\nfail = ["a@1", "b@2"]\nmesh = "4x4"\n'
        )

    def test_a_campaign_goes_on_behind_the_last_number_and_counts_outcomes(self):
        outcomes = {8: "compared", 9: "refused", 10: "exit code 1: no", 11: "compared"}
        tried = []
        outcome = lambda runner, kind, number: tried.append((kind, number)) or outcomes[number]
        with (
            tempfile.TemporaryDirectory() as folder,
            unittest.mock.patch.object(random_networks.Runner, "try_number", outcome),
            contextlib.redirect_stdout(io.StringIO()) as said,
        ):
            record = pathlib.Path(folder) / "record.csv"
            counts = {"compared": 1, "refused": 0, "findings": 0}
            rows = [{"kind": kind, "first": 1, "last": last, **counts} for kind, last in (("net", 3), ("net", 7))]
            rows += [{"kind": "plane", "first": 1, "last": 90, **counts}, {**rows[0], "last": 2}]
            random_networks.tools.write_record(record, random_networks.COLUMNS, rows)
            words = ["random_networks.py", "odonata", "--kind", "net", "--count", "3", "--record", str(record)]

            def run(*more):
                tried.clear()
                with unittest.mock.patch.object(sys, "argv", [*words, *more]):
                    return random_networks.main()

            self.assertEqual(run(), 1, "a finding")
            self.assertEqual(tried, [("net", 8), ("net", 9), ("net", 10)])
            row = random_networks.tools.read_record(record)[-1]
            wanted = {"kind": "net", "first": "8", "last": "10", "compared": "1", "refused": "1", "findings": "1"}
            self.assertEqual({key: row[key] for key in wanted}, wanted)
            self.assertIn("net 10: exit code 1: no\n  odonata net ", said.getvalue())
            self.assertEqual(run("--count", "1"), 0)
            self.assertEqual(tried, [("net", 11)])
            self.assertEqual(run("--from", "9", "--count", "1"), 1, "nothing was compared")
            self.assertEqual(tried, [("net", 9)])
            before = record.read_text()
            run("--from", "8", "--count", "1", "--plant", "bug")
            self.assertEqual(record.read_text(), before, "a run with a bug is not recorded")

    def test_a_number_is_always_the_same_draw(self):
        for kind in random_networks.KINDS:
            self.assertEqual(random_networks.draw(kind, 7), random_networks.draw(kind, 7))
            self.assertNotEqual(random_networks.draw(kind, 7), random_networks.draw(kind, 8))


if __name__ == "__main__":
    unittest.main()
