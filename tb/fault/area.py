#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and depth of the fault plane: cells, flip-flops, RAM bits and logic depth of its parts at three sizes; what mode safe and the parameters
beyond the paper cost.

Cells: inverters and two-input gates after yosys `synth -flatten -run begin:fine; opt; techmap; opt; abc -g AND,NAND,OR,NOR,XOR,XNOR,ANDNOT,ORNOT`.
Flip-flops: bits; enable and reset are pins of theirs. RAM bits: memories, kept as such; the read register of a RAM is part of it. Depth: levels of the
and-inverter graph between registers, RAM pins and pins of the block (berkeley-abc `strash; balance`), before placement.
Mode paper alone: the port unit with safe_i tied to 0; its table needs Rows * (NumPorts + 1) bits less (no partial marks, one level bit).

  area.py [--json FILE] [--sizes tiny,paper,full]
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
SIZES = {"tiny": (2, 4, 2, 8), "paper": (6, 12, 6, 73), "full": (16, 32, 16, 512)}
GATES = "AND,NAND,OR,NOR,XOR,XNOR,ANDNOT,ORNOT"
TIMEOUT = 900


def run(command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stdout[-1500:]}{result.stderr[-1500:]}")
    return result.stdout


def sources():
    return " ".join(line for line in (ROOT / "rtl/fault/fault.f").read_text().split() if not line.endswith(("_tiny.sv", "_paper.sv", "_full.sv")))


def measure(top, parameters, tie=""):
    """Cells, flip-flops, RAM bits and depth of a module; `tie` is an input that is 0."""
    chparam = " ".join(f"-set {k} {v}" for k, v in parameters.items())
    tied = f"delete -input w:{tie}; connect -set {tie} 1'0; opt;" if tie else ""
    with tempfile.TemporaryDirectory(prefix="odonata_area_") as directory:
        run(["yosys", "-q", "-p", f"read_verilog -sv -defer {sources()}; chparam {chparam} {top}; hierarchy -check -top {top}; proc; flatten; {tied} "
             f"synth -flatten -run begin:fine; opt -full; techmap; opt; abc -g {GATES}; opt_clean; write_json {directory}/net.json; "
             f"cutpoint t:$mem*; opt_clean; dfflegalize -cell $_DFF_P_ x; aigmap; opt_clean; write_aiger {directory}/net.aig"])
        module = next(iter(json.loads(pathlib.Path(f"{directory}/net.json").read_text())["modules"].values()))
        plain = re.sub(r"\x1b\[[0-9;]*m", "", run(["berkeley-abc", "-c", f"read_aiger {directory}/net.aig; strash; balance; print_stats"]))
    cells = module["cells"].values()
    memories = [c for c in cells if c["type"].startswith("$mem")]
    flops = [c for c in cells if "DFF" in c["type"]]
    ram = sum(int(c["parameters"]["SIZE"], 2) * int(c["parameters"]["WIDTH"], 2) for c in memories)
    depth = re.search(r"lev =\s*(\d+)", plain)
    if not depth or not cells:
        sys.exit(f"no figures for {top} {parameters}:\n{plain}")
    return {"cells": len(cells) - len(memories) - len(flops), "flip_flops": len(flops), "ram_bits": ram, "depth": int(depth[1])}


def rows_of(size):
    p, a, h, g = SIZES[size]
    common = {"P": p, "A": a, "H": h}
    pipelined = 1 + (63 + 2) // 4
    yield "port unit", measure("fault_port", {**common, "G": g})
    yield "  mode paper alone", measure("fault_port", {**common, "G": g}, tie="safe_i")
    if size != "full":
        for banks in (2, 4, 8):
            yield f"  Banks={banks}", measure("fault_port", {**common, "G": g, "Banks": banks})
    yield f"  CommandDepth={pipelined}", measure("fault_port", {**common, "G": g, "CommandDepth": pipelined})
    yield "scheduler, 64 stations", measure("fault_scheduler", {**common, "Stations": 64})
    yield "  PollWidth=64", measure("fault_scheduler", {**common, "Stations": 64, "PollWidth": 64})
    yield "  Pipelined=1", measure("fault_scheduler", {**common, "Stations": 64, "Pipelined": 1})
    yield "link level, one port", measure("fault_link", {"P": p, "A": a, "G": g})
    depth = 2 * (p + a + g) if p + a + g > 32 else 64  # InputDepth of fault_router
    yield f"input FIFO of {depth:,}", measure("fault_fifo", {"Depth": depth, "Width": 22})
    yield "look-up with mask", measure("fault_lookup", common)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="tiny,paper,full")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    table = {}
    for size in args.sizes.split(","):
        p, a, h, g = SIZES[size]
        ports, rows = p + a - 1 + h, p + a + g
        print(f"{size}: P, A, H, G = {p}, {a}, {h}, {g}; {ports} ports, {rows} rows")
        print(f"  {'':26}{'cells':>9}{'flip-flops':>12}{'RAM bits':>10}{'depth':>7}")
        for name, figures in rows_of(size):
            print(f"  {name:26}{figures['cells']:9,}{figures['flip_flops']:12,}{figures['ram_bits']:10,}{figures['depth']:7}", flush=True)
            table[f"{size}, {name.strip()}"] = figures
        print(f"  marks a port: mode safe {rows * (2 + 2 * ports):,} RAM bits and {8 * rows:,} flip-flops, mode paper {rows * (1 + ports):,} and {4 * rows:,}")
    if args.json:
        temporary = args.json.with_name(args.json.name + ".tmp")
        temporary.write_text(json.dumps(table, indent=2) + "\n")
        os.replace(temporary, args.json)


if __name__ == "__main__":
    main()
