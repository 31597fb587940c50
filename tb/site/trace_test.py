#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces for Perfetto, of real runs, as a trace viewer takes them; and what a viewer would refuse is found.

  trace_test.py ODONATA
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import trace_check  # noqa: E402

RUNS = {
    "net": "net --size tiny --load 0.2 --warmup 100 --cycles 500 --timeline 100 --fail global:G0-G5@300",
    "fault": "fault --size tiny --fail global:G0-G2 --repair all",
    "many": "fault --size paper --fail random-links:5 --seed 3 --repair all",
}
odonata = None


def first(trace, phase):
    return next(e for e in trace["traceEvents"] if e["ph"] == phase)


# What a plant does to a trace, and words of what has to be found.
PLANTS = {
    "unknown phase": (lambda t: first(t, "X").update(ph="Q"), "phase"),
    "no thread": (lambda t: first(t, "X").pop("tid"), "no thread"),
    "text as time": (lambda t: first(t, "X").update(ts="12"), "no time"),
    "time before 0": (lambda t: first(t, "X").update(ts=-1), "no time"),
    "no duration": (lambda t: first(t, "X").pop("dur"), "no duration"),
    "no name": (lambda t: first(t, "X").update(name=""), "no name"),
    "thread without a name": (lambda t: t["traceEvents"].remove(next(e for e in t["traceEvents"] if e.get("name") == "thread_name")), "has no name"),
    "two names": (lambda t: t["traceEvents"].append({**next(e for e in t["traceEvents"] if e.get("name") == "process_name"), "args": {"name": "other"}}), "two names"),
    "overlap": (lambda t: t["traceEvents"].append({**first(t, "X"), "ts": first(t, "X")["ts"] + first(t, "X")["dur"] - 1, "dur": 10**6}), "overlap"),
    "arrow without an end": (lambda t: t["traceEvents"].remove(first(t, "f")), "not one start and an end"),
    "arrow from nowhere": (lambda t: first(t, "s").update(ts=0, tid=max(e["tid"] for e in t["traceEvents"] if e["ph"] == "X") + 1), "no slice at its start"),
    "arrow back in time": (lambda t: first(t, "s").update(ts=10**9), "ends before it starts"),
    "unit": (lambda t: t.update(displayTimeUnit="cycles"), "displayTimeUnit"),
    "no events": (lambda t: t.update(traceEvents=[]), "no event"),
}


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.traces = {}
        with tempfile.TemporaryDirectory() as folder:
            for name, run in RUNS.items():
                path = pathlib.Path(folder) / f"{name}.json"
                subprocess.run([odonata, *run.split(), "--trace", path], check=True, capture_output=True)
                cls.traces[name] = json.loads(path.read_text(encoding="utf-8"))

    def test_a_viewer_takes_them(self):
        for name, trace in self.traces.items():
            self.assertEqual(trace_check.problems(trace)[:5], [], name)
        self.assertGreater(len(self.traces["many"]["traceEvents"]), 10_000)

    def test_plants_are_found(self):
        for name, (plant, words) in PLANTS.items():
            trace = copy.deepcopy(self.traces["fault"])
            plant(trace)
            self.assertIn(words, " ".join(trace_check.problems(trace)), name)
        trace = copy.deepcopy(self.traces["net"])
        first(trace, "C")["args"] = {"flits": "many"}
        self.assertIn("no number", " ".join(trace_check.problems(trace)))
        for other in ([], {}, {"traceEvents": [{}]}, {"traceEvents": ["text"]}):
            self.assertNotEqual(trace_check.problems(other), [])


if __name__ == "__main__":
    odonata = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
