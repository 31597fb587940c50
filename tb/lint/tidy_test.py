#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tidy.py says when clang-tidy finds nothing, finds something, or does not work."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = "models/common/frame.cpp"


class Tidy(unittest.TestCase):
    def run_with(self, clang_tidy, folder="models"):
        """(exit code, stdout, stderr) of two runs with such a shell script as clang-tidy."""
        with tempfile.TemporaryDirectory() as name:
            build = pathlib.Path(name)
            for tool, script in (("clang-tidy", clang_tidy), ("clang++", "exit 0")):
                (build / tool).write_text(f"#!/bin/sh\n{script}\n")
                (build / tool).chmod(0o755)
            command = {"directory": str(HERE.parents[1]), "file": SOURCE, "command": f"clang++ -c {SOURCE}"}
            (build / "compile_commands.json").write_text(json.dumps([command]))
            words = [sys.executable, HERE / "tidy.py", build, folder]
            env = os.environ | {"PATH": f"{build}:{os.environ['PATH']}"}
            runs = [subprocess.run(words, env=env, capture_output=True, text=True) for _ in range(2)]
            return [(run.returncode, run.stdout, run.stderr) for run in runs]

    def test_clean_is_remembered(self):
        once = 'test ! -e "$0.ran" || exit 1; touch "$0.ran"'
        self.assertEqual(self.run_with(once), 2 * [(0, "clang-tidy: 1 sources, clean\n", "")])

    def test_findings_are_told_each_time(self):
        told = (1, "x.cpp:1: wrong\nclang-tidy: 1 sources, findings above\n", "")
        self.assertEqual(self.run_with("echo x.cpp:1: wrong; exit 1"), 2 * [told])

    def test_one_that_does_not_work_is_not_clean(self):
        for script, words in (
            ("echo out of memory >&2; exit 134", ["out of memory"]),
            ("exit 3", ["exit code 3"]),
            ("echo x.cpp:1: wrong; echo broken >&2; exit 139", ["x.cpp:1: wrong\n", "broken", "exit code 139"]),
        ):
            for code, said, _ in self.run_with(script):
                self.assertEqual(code, 1)
                for word in words:
                    self.assertIn(word, said)
                self.assertIn("findings above", said)

    def test_a_folder_without_sources_is_not_clean(self):
        for code, said, error in self.run_with("exit 0", "modles"):
            self.assertEqual((code, said), (1, ""))
            self.assertIn("modles: no source of", error)


if __name__ == "__main__":
    unittest.main()
