#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of fault_action with yosys `sat`, then shows for planted bugs that the proof fails (negative controls)."""
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROPERTIES = ROOT / "tb/fault/formal/action_properties.sv"
ACTION = ROOT / "rtl/fault/fault_action.sv"
SIZES = {"tiny": (2, 4, 2), "full": (16, 32, 16)}
CONTROLS = ["unnamed-option", "restore-keeps-partial", "lost-and-partial", "s-forgets-a"]


def proves(sources, size):
    p, a, h = size
    files = " ".join(str(s) for s in sources)
    script = (f"read_verilog -sv -formal {files}; chparam -set P {p} -set A {a} -set H {h} action_properties; "
              "hierarchy -check -top action_properties; proc; flatten; opt; sat -prove-asserts -set-assumes")
    run = subprocess.run(["yosys", "-p", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    # Neither verdict is a broken script, not a failed proof: it must not pass for a caught bug.
    success, failure = "no model found: SUCCESS!" in run.stdout, "model found: FAIL!" in run.stdout
    if run.returncode != 0 or success == failure:
        sys.exit(f"prove: yosys gave no verdict:\n{run.stdout[-2000:]}")
    return success


def main():
    good = True
    for name, size in SIZES.items():
        ok = proves([ACTION, PROPERTIES], size)
        good &= ok
        print(f"fault_action, {name}: {'proved' if ok else 'NOT PROVED'}")
    names = [p["name"] for p in tomllib.loads((ROOT / "tb/fault/plants.toml").read_text())["plant"]]
    for plant in CONTROLS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "tb/harness/weave.py", "--plants", ROOT / "tb/fault/plants.toml", "--root", ROOT, "--out", folder,
                            "--block", "fault", "--select", str(names.index(plant) + 1), *[ROOT / f"rtl/fault/fault_{f}.sv" for f in
                            ("aim", "action", "message", "queue", "port", "scheduler")]], check=True)
            woven = [pathlib.Path(folder) / "odonata_plant_pkg.sv", pathlib.Path(folder) / "rtl/fault/fault_action.sv", PROPERTIES]
            caught = not proves(woven, SIZES["tiny"])
        good &= caught
        print(f"negative control {plant}: {'caught' if caught else 'NOT CAUGHT'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
