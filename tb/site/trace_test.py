#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces for Perfetto and waveforms, of real runs, as a viewer takes them; and what a viewer would refuse is found.

  trace_test.py ODONATA
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fst  # noqa: E402
import trace_check  # noqa: E402

RUNS = {
    "net": "net --size tiny --load 0.2 --warmup 100 --cycles 500 --timeline 100 --fail global:G0-G5@300",
    "fault": "fault --size tiny --fail global:G0-G2 --repair all",
    "many": "fault --size paper --fail random-links:5 --seed 3 --repair all",
    "study": "fault-study --size tiny --class local,global,router --samples 20 --threads 2",
    "mismatch": "cosim --size tiny --plant gb-gc-swap",
    "unchanged": "cosim --block bitmap_sender --size tiny --plant interval-exact --traffic corner",
}
MISMATCHES = ("mismatch", "unchanged")  # traces of --mismatch-trace; the others: --trace
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
    "thread without a name": (
        lambda t: t["traceEvents"].remove(next(e for e in t["traceEvents"] if e.get("name") == "thread_name")),
        "has no name",
    ),
    "two names": (
        lambda t: t["traceEvents"].append(
            {**next(e for e in t["traceEvents"] if e.get("name") == "process_name"), "args": {"name": "other"}}
        ),
        "two names",
    ),
    "overlap": (
        lambda t: t["traceEvents"].append(
            {**first(t, "X"), "ts": first(t, "X")["ts"] + first(t, "X")["dur"] - 1, "dur": 10**6}
        ),
        "overlap",
    ),
    "arrow without an end": (lambda t: t["traceEvents"].remove(first(t, "f")), "not one start and an end"),
    "arrow from nowhere": (
        lambda t: first(t, "s").update(ts=0, tid=max(e["tid"] for e in t["traceEvents"] if e["ph"] == "X") + 1),
        "no slice at its start",
    ),
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
                ran = subprocess.run(
                    [odonata, *run.split(), "--mismatch-trace" if name in MISMATCHES else "--trace", path],
                    capture_output=True,
                    cwd=folder,
                )
                assert ran.returncode == (1 if name in MISMATCHES else 0), f"{run}: {ran.stderr}"
                cls.traces[name] = json.loads(path.read_text(encoding="utf-8"))

    def test_a_viewer_takes_them(self):
        for name, trace in self.traces.items():
            self.assertEqual(trace_check.problems(trace)[:5], [], name)
        self.assertGreater(len(self.traces["many"]["traceEvents"]), 10_000)

    def test_a_study_shows_its_slowest_chains(self):
        events = self.traces["study"]["traceEvents"]
        services = [e for e in events if e.get("cat") == "service"]
        self.assertEqual({e["pid"] for e in services}, {0, 1, 2})
        for process in (0, 1, 2):
            chain = sorted((e["ts"], e["ts"] + e["dur"]) for e in services if e["pid"] == process)
            self.assertTrue(
                all(a[1] == b[0] for a, b in zip(chain, chain[1:])), "each service begins where the one before it ended"
            )
            shares = sum(e["dur"] for e in events if e.get("cat") == "share" and e["pid"] == process)
            self.assertEqual(shares, chain[-1][1] - chain[0][0])

    def test_a_mismatch_says_what_is_wrong(self):
        # "unchanged": the output keeps the value that was right before, where it should have changed
        for name, said in (("mismatch", "8, right is a"), ("unchanged", "0, right is 1")):
            events = self.traces[name]["traceEvents"]
            wrong = [e for e in events if e.get("cat") == "mismatch"]
            self.assertEqual([e["name"] for e in wrong], [said])
            end = max(e["ts"] + e["dur"] for e in events if e["ph"] == "X")
            self.assertEqual((wrong[0]["ts"], wrong[0]["dur"]), (end - 1, 1), "it is the last cycle")
            before = [
                e
                for e in events
                if (e["ph"], e["pid"], e["tid"]) == ("X", wrong[0]["pid"], wrong[0]["tid"]) and e["ts"] < end - 1
            ]
            self.assertTrue(before and all(e["cat"] == "value" for e in before), "it was right before")
        got = wrong[0]["name"].partition(",")[0]
        self.assertEqual(before[-1]["name"], got, "and did not change")

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


class Waveforms(unittest.TestCase):
    """A wave viewer lists every pin under its name and with its width,
    and shows texts for the values of enumerations."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.fst, cls.vcd = (pathlib.Path(folder.name) / name for name in ("rtl.fst", "systemc.vcd"))
        for device, path in (("rtl", cls.fst), ("systemc", cls.vcd)):
            run = f"cosim --block route_compute --size tiny --transactions 50 --device {device} --trace"
            subprocess.run([odonata, *run.split(), path], check=True, capture_output=True)
        cls.unit = tomllib.loads((ROOT / "models/route_compute/route_compute.toml").read_text(encoding="utf-8"))

    def pins(self, signals):
        """Pins of the unit's description that the waveform does not have, or not so wide."""
        shown = {name.partition(" ")[0]: bits for name, (bits, _) in signals.items()}
        pins = {
            f"rtl.{name}_{side[0]}": pin["bits"]
            for side in ("in", "out")
            for name, pin in self.unit[side].items()
            if isinstance(pin.get("bits"), int)
        }
        self.assertGreater(len(pins), 10)
        return {name: bits for name, bits in pins.items() if shown.get(name) != bits}

    def test_every_pin_has_its_name_and_width(self):
        signals = fst.read(self.fst)
        self.assertEqual(
            {name for name in self.pins(signals) if not name.startswith("rtl.cong_")}, set()
        )  # those are as wide as the size says
        self.assertIn("rtl.route_compute.clk_i", signals)
        planted = {name: found for name, found in signals.items() if not name.startswith("rtl.resp_vc_o")}
        self.assertIn("rtl.resp_vc_o", self.pins(planted))

    def test_the_systemc_module_shows_its_stages(self):
        signals = fst.read(self.vcd)
        for name in ("resp_valid", "resp_hop_class", "resp_port", "resp_vc"):
            self.assertEqual(
                signals["SystemC.route_compute.response." + name[5:]][0], self.unit["out"][name]["bits"], name
            )
        self.assertEqual(
            {name.split(".")[2] for name in signals if "stage" in name}, {"stage1", "stage2", "stage3", "stage4"}
        )

    def test_enumerations_have_their_texts(self):
        hop, zone = (
            {i: name for i, name in enumerate(names.split())}
            for names in (
                "HopUnroutable HopGA HopGB HopGC HopGD HopLE HopLF HopFallback",
                "ZoneN ZoneB ZoneG ZoneInvalid",
            )
        )
        bits = lambda texts, width: {f"{value:0{width}b}": text for value, text in texts.items()}
        signals = {name.partition(" ")[0]: found for name, found in fst.read(self.fst).items()}
        self.assertEqual(signals["rtl.resp_hop_class_o"], (3, bits(hop, 3)))
        self.assertEqual(signals["rtl.route_compute.u_pipeline.r1_zone_q"], (2, bits(zone, 2)))
        self.assertEqual(signals["rtl.resp_vc_o"], (2, None))
        width, texts = fst.read(self.vcd)["SystemC.route_compute.response.hop_class"]
        self.assertEqual(width, 3)
        self.assertGreater(len(texts), 3)
        for value, text in texts.items():
            self.assertEqual(text, hop[value])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "port.fst"
            subprocess.run(
                [
                    odonata,
                    *"cosim --block fault_port --size tiny --traffic corner --transactions 50 --trace".split(),
                    path,
                ],
                check=True,
                capture_output=True,
            )
            port = {name.partition(" ")[0]: found for name, found in fst.read(path).items()}
        self.assertEqual(
            port["rtl.cmd_kind_i"], (2, {"00": "CommandDown", "01": "CommandUp", "10": "CommandFd", "11": "CommandFr"})
        )
        self.assertIn(
            "StTellSecond",
            next(texts for name, (_, texts) in port.items() if name.endswith(".state_q") and texts).values(),
        )

    def test_a_damaged_file_is_seen(self):
        whole = self.fst.read_bytes()
        for damaged in (whole[:400], whole[:-600]):
            with self.assertRaises((fst.Bad, IndexError, ValueError)):
                fst.of_fst(damaged)
        with self.assertRaises(fst.Bad):
            fst.of_vcd(self.vcd.read_text(encoding="utf-8").partition("$enddefinitions")[0])


if __name__ == "__main__":
    odonata = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
