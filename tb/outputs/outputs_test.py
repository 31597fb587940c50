#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The comparison of recorded outputs sees what changes, and only times do not count."""
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import outputs  # noqa: E402

PROGRAM = """#!/bin/sh
[ "$2" != --help ] || { echo "  --json FILE"; exit 0; }
cat said 2>/dev/null || echo "latency 12.5, 3.2 s"
if [ "$1" = bad ]; then echo "odonata: error: no" >&2; exit 2; fi
printf '{"latency": {"mean": %s, "seconds": %s}, "hops": [1, 2]}' 12.5 $$ >out/result.json
printf 'a,b\\n1,2\\n' >out/table.csv
"""
RECORD = """# head

$ odonata run --fast
latency 12.5, #s
--- out/result.json
latency.mean = 12.5
latency.seconds = "#"
hops = [1, 2]
--- out/table.csv
a,b
1,2

$ odonata bad # no --json
exit code 2
latency 12.5, #s
error: odonata: error: no
"""


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.put(PROGRAM)
        self.record = self.folder / "record.txt"

    def put(self, text):
        self.program.write_text(text)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        outputs.takes_json.cache_clear()

    def check(self, record, update=False):
        self.record.write_text(record)
        with mock.patch("builtins.print"):
            return outputs.check(str(self.program), self.record, update)

    def test_an_option_without_a_record_is_told(self):
        helps = """#!/bin/sh
case $1 in
  --help) printf 'Subcommands:\\n  run  a network\\n       in two lines\\n  crosscheck  it\\n  wrap  a tool\\n' ;;
  run) printf '  -h,--help  this\\n  --fast FILE  fast\\n  --slow  as --late\\n  --task N  many\\n' ;;
  crosscheck) printf '  --load N\\n  --own\\n' ;;
esac
"""
        self.put(helps)
        self.record.write_text(
            "# --slow\n\n$ odonata run --fast # --slow\n$ odonata net --load 1\n$ odonata other --own\n"
        )
        self.assertEqual(outputs.unrecorded(str(self.program), [self.record]), ["run --slow", "crosscheck --own"])
        self.record.write_text("# h\n\n$ odonata run --fast --slow\n\n$ odonata crosscheck --own --load 2\n")
        self.assertEqual(outputs.unrecorded(str(self.program), [self.record]), [])

    def test_the_same_agrees_whatever_time_it_took(self):
        self.assertEqual(self.check(RECORD), (0, 2))

    def test_every_change_is_seen(self):
        for old, new in (
            ("latency 12.5", "latency 12.6"),
            ('"mean": %s', '"mean": 1%s'),
            ('"hops"', '"hop"'),
            ("[1, 2]", "[2, 1]"),
            ("1,2\\n", "1,3\\n"),
            ("out/table.csv", "out/other.csv"),
            ("printf 'a,b", ": 'a,b"),
        ):
            self.assertIn(old, PROGRAM)
            self.put(PROGRAM.replace(old, new))
            self.assertGreater(self.check(RECORD)[0], 0, old)

    def test_exit_codes_and_errors_are_compared(self):
        self.put(PROGRAM.replace("exit 2", "exit 1"))
        self.assertEqual(self.check(RECORD), (1, 2))
        self.put(PROGRAM.replace("error: no", "error: yes"))
        self.assertEqual(self.check(RECORD), (1, 2))

    def test_update_writes_what_is_said(self):
        empty = "# head\n\n$ odonata run --fast\n\n$ odonata bad # no --json\n"
        self.assertEqual(self.check(empty, update=True), (2, 2))
        self.assertEqual(self.record.read_text(), RECORD)

    def test_long_lists_stand_with_their_ends_and_a_sum(self):
        lines = list(outputs.flat({"x": list(range(9))}))
        self.assertEqual(lines[1:], ["x[0] = 0", "x[8] = 8"])
        self.assertRegex(lines[0], "^x = 9 values, sum [0-9a-f]{8}$")
        for changed in ([0, 1, 2, 3, 5, 5, 6, 7, 8], [0, 2, 1, 3, 4, 5, 6, 7, 8]):
            self.assertNotEqual(next(outputs.flat({"x": changed})), lines[0])
        self.assertEqual(list(outputs.flat({"x": [{"a": 1}, {"a": []}]})), ["x[0].a = 1", "x[1].a = []"])

    def test_many_lines_stand_with_their_ends_and_a_sum(self):
        lines = [f"{i}" for i in range(37)]
        short = outputs.short(lines, "x")
        self.assertEqual(short[:12] + short[13:], lines[:12] + lines[-12:])
        self.assertRegex(short[12], "^x: 37 lines, sum [0-9a-f]{8}$")
        self.assertEqual(outputs.short(lines[:36], "x"), lines[:36])
        lines[20] = "changed"
        self.assertNotEqual(outputs.short(lines, "x"), short)

    def test_rates_do_not_count(self):
        table = {"header": ["cycles", "cycles a second"], "rows": [[5, 100], [6, 200]]}
        self.assertEqual(outputs.masked(table)["rows"], [[5, "#"], [6, "#"]])
        self.assertEqual(outputs.masked({"version": "1", "a": [1.00000000001]}), {"version": "#", "a": [1.0]})
        times = {"seconds": 1, "cpu_seconds": 2, "cycles_per_s": 3, "memory_bytes": 4, "text": "in 3.2 s, 5 MB"}
        self.assertEqual(outputs.masked(times), {**dict.fromkeys(times, "#"), "text": "in #s, #MB"})

    def test_what_is_counted_in_cycles_of_the_hardware_is_compared(self):
        counted = {"stream_rate": 0.5, "command": "net", "seconds_of_bits": 1, "text": "after 100 ns, 2.5 us"}
        self.assertEqual(outputs.masked(counted), counted)
        self.assertEqual(outputs.examples.normal(["100 ns, 3 s"], outputs.TIME), ["100 ns, #s"])


if __name__ == "__main__":
    unittest.main()
