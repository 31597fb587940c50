#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and depth of the request logic: circuit (a) DBRA against circuit (b) D2RA of D2RA Fig. 4, n = 2..8.

Cells: two-input gates and inverters after yosys `synth; abc -g ...` (AND, NAND, OR, NOR, XOR, XNOR, ANDNOT,
ORNOT, NOT); depth: levels of the and-inverter graph after `dch; balance`; LUTs and their depth: 6-input LUTs. Added fractions: (b) over (a), and
(b) with the class high/low that Alg. 1 needs beside the circuit of the figure. The scheme multiplexers and the direction selector, which both
have, are left out; with them the fraction is smaller. Below: the whole input-port unit and the switch, cells and flip-flops.

  area.py [--coordinate-bits 8] [--credit-bits 8] [--json FILE]
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLASS_TOP = ROOT / "tb/arb_request/area_d2ra_class.sv"


def sources():
    lines = (ROOT / "rtl/arb_request/arb_request.f").read_text().split()
    return " ".join(str(ROOT / line) for line in lines if line.endswith(".sv")) + f" {CLASS_TOP}"


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stdout[-1500:]}{result.stderr}")
    return result.stdout


def measure(top, parameters):
    chparam = " ".join(f"-chparam {k} {v}" for k, v in parameters.items())
    with tempfile.TemporaryDirectory(prefix="odonata_area_") as directory:
        aig = f"{directory}/x.aig"
        text = run(["yosys", "-p", f"read_verilog -sv {sources()}; hierarchy -check -top {top} {chparam}; synth -flatten -top {top}; "
                    f"abc -g AND,NAND,OR,NOR,XOR,XNOR,ANDNOT,ORNOT; opt_clean; tee -o {directory}/stat stat; "
                    f"dfflegalize -cell $_DFF_P_ x; aigmap; opt_clean; write_aiger -zinit {aig}"])
        stat = pathlib.Path(f"{directory}/stat").read_text()
        counts = {m[1]: int(m[2]) for m in re.finditer(r"^\s+(\$_\w+_)\s+(\d+)$", stat, re.M)}
        flops = sum(n for name, n in counts.items() if "DFF" in name)
        abc = run(["berkeley-abc", "-c", f"read_aiger {aig}; dch; balance; print_stats; dch; if -K 6; print_stats"])
    plain = re.sub(r"\x1b\[[0-9;]*m", "", abc)
    ands = [(int(m[1]), int(m[2])) for m in re.finditer(r"and =\s*(\d+)\s+lev =\s*(\d+)", plain)]
    luts = [(int(m[1]), int(m[2])) for m in re.finditer(r"nd =\s*(\d+).*lev =\s*(\d+)", plain)]
    if not counts or not ands or not luts:
        sys.exit(f"no figures for {top} {parameters}:\n{plain}")
    return {"cells": sum(counts.values()) - flops, "flip_flops": flops, "aig_and": ands[0][0], "aig_depth": ands[0][1],
            "lut6": luts[-1][0], "lut6_depth": luts[-1][1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coordinate-bits", type=int, default=8)
    parser.add_argument("--credit-bits", type=int, default=8)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    widths = {"CW": args.coordinate_bits, "KW": args.credit_bits}
    print(f"coordinates of {args.coordinate_bits} bits, credits of {args.credit_bits} bits; cells / AIG depth / LUT6 / LUT depth")
    print(f"{'n':>2}  {'(a) DBRA':>22}  {'(b) D2RA':>22}  {'added':>7}  {'(b) + class':>22}  {'added':>7}")
    rows = []
    for n in range(2, 9):
        row = {"n": n, **{key: measure(top, {"N": n, **widths}) for key, top in
                          [("dbra", "arb_request_dbra"), ("d2ra", "arb_request_d2ra"), ("d2ra_class", "area_d2ra_class")]}}
        row["added"] = row["d2ra"]["cells"] / row["dbra"]["cells"] - 1
        row["added_class"] = row["d2ra_class"]["cells"] / row["dbra"]["cells"] - 1
        rows.append(row)
        show = {k: "{cells:>5} /{aig_depth:>3} /{lut6:>4} /{lut6_depth:>3}".format(**row[k]) for k in ("dbra", "d2ra", "d2ra_class")}
        print(f"{n:>2}  {show['dbra']:>22}  {show['d2ra']:>22}  {row['added']:>7.1%}  {show['d2ra_class']:>22}  {row['added_class']:>7.1%}", flush=True)
    ports = []
    print("input-port unit, cells and flip-flops:")
    for n, v, s in [(2, 4, 2), (3, 4, 1), (3, 4, 2), (3, 4, 4), (3, 8, 2), (4, 4, 2)]:
        port = {"n": n, "V": v, "S": s, **measure("arb_input_port", {"N": n, "V": v, "S": s, **widths})}
        ports.append(port)
        print(f"  n={n} V={v} S={s}: {port['cells']} cells, {port['flip_flops']} flip-flops, AIG depth {port['aig_depth']}", flush=True)
    switches = []
    print("switch (2n + 1 input ports, 4 slots), cells and flip-flops:")
    for n in (2, 3, 4, 8):
        switch = {"n": n, **measure("arb_switch", {"N": n, "KW": args.credit_bits, "Slots": 4})}
        switches.append(switch)
        print(f"  n={n}: {switch['cells']} cells, {switch['flip_flops']} flip-flops, AIG depth {switch['aig_depth']}", flush=True)
    if args.json:
        temporary = args.json.with_name(args.json.name + ".tmp")
        temporary.write_text(json.dumps({**widths, "logic": rows, "ports": ports, "switches": switches}, indent=2) + "\n")
        os.replace(temporary, args.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
