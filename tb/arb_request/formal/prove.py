#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formal proofs of the arbitration-request RTL, each with a negative control.

RTL and property -> yosys -> AIGER -> berkeley-abc (combinational: `iprove`), or yosys `sat -tempinduct` for the sequential assertions
of the input port. A proof must hold for the RTL as it is and must fail with every planted bug that is named beside it; a property that
cannot fail proves nothing. Exit code 0 only if all of that is so.

  prove.py [--dims 2,3,4] [--only NAME] [--json FILE]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[3]
FORMAL = pathlib.Path(__file__).resolve().parent
PLANTS = ROOT / "tb/arb_request/plants.toml"
WEAVE = ROOT / "tb/harness/weave.py"

# Property, its module, parameters, and the planted bugs that it must refute.
PROOFS = [
    ("request logic equals the specification", "proof_request", {},
     ["z-or", "direction-swap", "credit-swap", "coordinate-bit", "chain-one-step", "chain-cut", "selector-swap", "threshold-lowered",
      "request-without-remaining", "class-strict", "class-follows-lowest", "low-everywhere", "dor-adaptive", "dbra-low", "eject-early"]),
    ("circuit (a) equals the specification", "proof_dbra", {}, ["z-or", "dbra-strict"]),
    ("D2RA request is a superset of DBRA's", "proof_relation", {"Property": 0}, ["coordinate-bit"]),
    ("D2RA and DBRA agree when every credit is >= n", "proof_relation", {"Property": 1}, ["request-without-remaining", "dbra-strict"]),
    ("the low class only for the lowest remaining dimension", "proof_relation", {"Property": 2}, ["chain-cut", "low-everywhere"]),
    ("selection: high before low, the policy's dimension", "proof_select", {}, ["low-competes", "fewest-credits", "random-scale"]),
]
# These differ from the RTL only with three or more dimensions.
NEEDS_THREE = {"chain-one-step"}
# Sequential: assertions inside arb_input_port by k-induction, at a small size (N, CW, KW, V, S).
SEQUENTIAL = [
    ("input port: no packet lost, requests only from packets", "proof_input_port", {"N": 3, "CW": 1, "KW": 2, "V": 3, "S": 2},
     ["window-overrun", "pointer-wraps-early", "ready-when-full"]),
    # All sub-queues are looked at: only here can one be looked at right after it asked.
    ("input port: no packet lost, requests only from packets", "proof_input_port", {"N": 2, "CW": 1, "KW": 2, "V": 3, "S": 3}, ["asks-twice"]),
    ("input port: no packet lost, requests only from packets", "proof_input_port", {"N": 2, "CW": 2, "KW": 3, "V": 4, "S": 1}, []),
]


def run(command, timeout=120):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def rtl_sources():
    lines = (ROOT / "rtl/arb_request/arb_request.f").read_text().split()
    return [ROOT / line for line in lines if line.endswith(".sv")]


def woven(plant, out):
    """The RTL with one planted bug as a constant; the RTL itself for plant None."""
    if plant is None:
        return [str(s) for s in rtl_sources()]
    names = [p["name"] for p in tomllib.loads(PLANTS.read_text())["plant"]]
    result = run([sys.executable, str(WEAVE), "--plants", str(PLANTS), "--root", str(ROOT), "--out", str(out), "--block", "arb_request",
                  "--select", str(names.index(plant) + 1), *map(str, rtl_sources())])
    if result.returncode:
        sys.exit(result.stderr)
    return [str(out / "odonata_plant_pkg.sv")] + [str(out / s.relative_to(ROOT)) for s in rtl_sources()]


def combinational(top, parameters, plant, directory):
    """True: proved. False: refuted."""
    aig = directory / "miter.aig"
    chparam = " ".join(f"-chparam {k} {v}" for k, v in parameters.items())
    sources = " ".join(woven(plant, directory)) + f" {FORMAL / (top + '.sv')}"
    script = (f"read_verilog -sv {sources}; hierarchy -check -top {top} {chparam}; proc; flatten; opt -full; techmap; opt; "
              f"aigmap; opt_clean; write_aiger {aig}")
    made = run(["yosys", "-q", "-p", script])
    if made.returncode:
        sys.exit(f"yosys failed for {top}:\n{made.stdout}{made.stderr}")
    answer = run(["berkeley-abc", "-c", f"read_aiger {aig}; print_stats; iprove"])
    if "UNSATISFIABLE" in answer.stdout:
        return True
    if "SATISFIABLE" in answer.stdout:
        return False
    sys.exit(f"abc gave no answer for {top} {parameters}:\n{answer.stdout}{answer.stderr}")


def sequential(top, parameters, plant, directory):
    chparam = " ".join(f"-chparam {k} {v}" for k, v in parameters.items())
    sources = " ".join(woven(plant, directory)) + f" {FORMAL / (top + '.sv')}"
    script = (f"read_verilog -sv -formal -DFORMAL {sources}; hierarchy -check -top {top} {chparam}; proc; flatten; opt; memory_map; "
              f"async2sync; dffunmap; opt; select -assert-min 4 t:$assert; "
              f"sat -prove-asserts -tempinduct -maxsteps 8 -timeout 60 {top}")
    answer = run(["yosys", "-p", script])
    if "Induction step proven: SUCCESS!" in answer.stdout:
        return True
    if "model found for base case: FAIL!" in answer.stdout:
        return False
    sys.exit(f"yosys sat gave no answer for {top} {parameters}:\n{answer.stdout[-2000:]}{answer.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dims", default="2,3,4,8")
    parser.add_argument("--only")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    rows, failures = [], 0

    def check(name, how, top, parameters, plant):
        nonlocal failures
        with tempfile.TemporaryDirectory(prefix="odonata_prove_") as directory:
            start = time.monotonic()
            proved = how(top, parameters, plant, pathlib.Path(directory))
            seconds = time.monotonic() - start
        good = proved == (plant is None)
        failures += not good
        size = ",".join(f"{k}={v}" for k, v in parameters.items())
        rows.append({"property": name, "size": size, "plant": plant or "", "proved": proved, "ok": good, "seconds": round(seconds, 2)})
        verdict = ("proved" if proved else "REFUTED") if plant is None else ("REMAINS PROVED" if proved else "refuted, as it must be")
        print(f"{name:56} {size:24} {plant or '-':26} {verdict} ({seconds:.1f} s)", flush=True)

    dims = [int(n) for n in args.dims.split(",")]
    for name, top, extra, plants in PROOFS:
        if args.only and args.only not in name:
            continue
        for n in dims:
            check(name, combinational, top, {"N": n, **extra}, None)
        for plant in plants:
            check(name, combinational, top, {"N": 3 if plant in NEEDS_THREE else dims[0], **extra}, plant)
    for name, top, parameters, plants in SEQUENTIAL:
        if args.only and args.only not in name:
            continue
        for plant in [None, *plants]:
            check(name, sequential, top, parameters, plant)
    if not rows:
        sys.exit("nothing was proved: no property has this name")
    print(f"{len(rows)} checks, {failures} not as they must be")
    if args.json:
        temporary = args.json.with_name(args.json.name + ".tmp")
        temporary.write_text(json.dumps({"proofs": rows, "failures": failures}, indent=2) + "\n")
        os.replace(temporary, args.json)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
