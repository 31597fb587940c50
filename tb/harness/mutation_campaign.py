# SPDX-License-Identifier: Apache-2.0
"""A mutation campaign over one or more modules of a block: what tb/BLOCK/mutate runs; equivalence is mutation.py's.

yosys puts all mutants of a module into one netlist behind a select input (memories become flip-flops first, so that their address decoders are mutated
like any logic); the netlist is Verilated and run in lockstep with the golden model (a bench
of the block), mutant after mutant, until the first mismatch. Survivors are tried for equivalence on an and-inverter graph of the netlist with the
select set: first output and next state for the same state, whatever it is, but for registers and RAM bits that are 0 in every state after reset (abc
scorr finds them; all start with 0; abc iprove); then from reset on, with only those registers doubled that the mutation reaches (abc scorr, pdr).
Killed mutants are tried as well: if one is called equivalent, the proof is broken.

A campaign passes when every netlist without a mutation agrees with the golden model and at least 97 % of all mutants are killed or proved equivalent.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import sys
import time

import mutation

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"
LIBRARIES = [RELEASE / "models/libodonata_models.a", RELEASE / "rtl/libverilated_runtime.a"]
NEEDED = 0.97


@dataclasses.dataclass
class Block:
    """A module whose mutants are tried. Paths are relative to the root."""
    name: str
    filelist: str
    top: str
    parameters: dict
    bench: list  # C++ of the bench: FIRST LAST STRIDE CYCLES SEEDS -> survivors (0: no mutation), one a line, then "done CYCLES"
    defines: tuple = ()
    share: float = 1  # of the mutants

    @property
    def work(self):
        return ROOT / "build/mutate" / self.name


def make_netlist(block, mutants, seed):
    """mutants.v and mutants.il with the input `mutsel`, and the list of what each number is."""
    lines = (ROOT / block.filelist).read_text().split()
    sources = " ".join(line for line in lines if line.endswith(".sv") and not line.endswith(("_tiny.sv", "_paper.sv", "_full.sv")))
    chparam = " ".join(f"-chparam {k} {v}" for k, v in block.parameters.items())
    mutation.run(["yosys", "-q", "-p", f"read_verilog -sv {sources}; hierarchy -check -top {block.top} {chparam}; proc; flatten; memory_map; opt -full; "
         f"rename -top mutant; opt_clean; write_rtlil {block.work}/plain.il; "
         f"mutate -list {mutants} -seed {seed} -ctrl mutsel 16 1 -o {block.work}/list.ys"], cwd=ROOT)
    mutation.run(["yosys", "-q", "-p", f"read_rtlil {block.work}/plain.il; script {block.work}/list.ys; opt_clean; write_rtlil {block.work}/mutants.il; "
         f"write_verilog -noattr {block.work}/mutants.v"])


def build(block, jobs):
    """The Verilated netlist with its bench."""
    folder = block.work / "v"
    for old in (*folder.glob("*.cpp"), *folder.glob("*.o")):
        old.unlink()
    mutation.run(["verilator", "--cc", "--top-module", "mutant", "--prefix", "Vmutant", "-Wno-fatal", "-O3", "--x-assign", "fast", "--x-initial", "fast",
         "--Mdir", folder, block.work / "mutants.v"])
    include = pathlib.Path(mutation.run(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()) / "include"
    flags = ["-std=c++20", "-O1", "-march=native", "-w", f"-I{ROOT}", f"-I{folder}", f"-I{include}", f"-I{include}/vltstd",
             *(f"-D{d}" for d in block.defines)]
    cpp = [*folder.glob("*.cpp"), *(ROOT / name for name in block.bench)]
    cpp.sort(key=lambda path: -path.stat().st_size)
    objects = [folder / (path.stem + ".o") for path in cpp]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda pair: mutation.run(["clang++", *flags, "-c", pair[0], "-o", pair[1]]), zip(cpp, objects)))
    mutation.run(["clang++", *objects, *LIBRARIES, "-lz", "-lpthread", "-latomic", "-o", block.work / "bench"])


def lockstep(block, total, args):
    """The numbers of the survivors and the cycles that were run."""
    def part(first):
        lines = mutation.run([block.work / "bench", first, total, args.jobs, args.cycles, args.seeds]).splitlines()
        if not lines or not lines[-1].startswith("done "):
            sys.exit("the bench did not finish")
        return [int(n) for n in lines[:-1]], int(lines[-1].split()[1])
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        parts = list(pool.map(part, range(args.jobs)))
    survivors = sorted(n for numbers, _ in parts for n in numbers)
    if 0 not in survivors:
        sys.exit(f"{block.name}: the netlist without a mutation does not agree with the golden model")
    return survivors[1:], sum(cycles for _, cycles in parts)


GRAPH = None  # the processes of a pool inherit it


def try_step(number):
    return mutation.same_step(GRAPH, number, GRAPH.mutant(number))


def try_run(job):
    number, seconds, deadline = job
    return time.monotonic() < deadline and mutation.same_run(GRAPH, number, GRAPH.mutant(number), seconds)


def prove(block, total, survivors, args, deadline):
    """{number: how it was proved equivalent}."""
    global GRAPH
    GRAPH = mutation.make_graph(block.work)
    # A proof that proves everything would show here: a killed mutant that is called equivalent.
    killed_ones = [n for n in range(1, total + 1) if n not in survivors][:20]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        if any(pool.map(try_step, killed_ones[2:])) or any(pool.map(try_run, [(n, 1, deadline) for n in killed_ones[:2]])):
            sys.exit("a killed mutant was proved equivalent: the proof is broken")
        proof = {n: "same step" for n, proved in zip(survivors, pool.map(try_step, survivors)) if proved}
        rest = [n for n in survivors if n not in proof]
        print(f"  {len(proof)} survivors proved in one step, {len(rest)} to be tried from reset", flush=True)
        found = pool.map(try_run, [(n, args.pdr_seconds, deadline) for n in rest])
        proof |= {n: "from reset" for n, proved in zip(rest, found) if proved}
    return proof


def campaign(block, mutants, args, deadline):
    """Rows of the survivors, counts, and times of one block."""
    start = time.monotonic()
    (block.work / "v").mkdir(parents=True, exist_ok=True)
    if not args.reuse:
        make_netlist(block, mutants, args.seed)
        build(block, args.jobs)
    listed = (block.work / "list.ys").read_text().splitlines()
    built = time.monotonic() - start
    survivors, cycles = lockstep(block, len(listed), args)
    ran = time.monotonic() - start - built
    print(f"{block.name}: {len(listed)} mutants, {len(listed) - len(survivors)} killed; build {built:.0f} s, lockstep {ran:.0f} s, {cycles} cycles", flush=True)
    proof = prove(block, len(listed), survivors, args, deadline) if survivors else {}
    rows = []
    for n in survivors:
        line = listed[n - 1]
        src = " ".join(re.findall(r"-src (\S+)", line)).replace(str(ROOT) + "/", "")
        rows.append({"block": block.name, "mutant": n, "equivalent": n in proof, "proof": proof.get(n), "source": src, "mutation": line})
        if n not in proof:
            kind = " ".join(re.findall(r"-(?:mode|port|portbit) (\S+)", line))
            print(f"  {block.name} mutant {n} SURVIVES ({kind}): {src or line}", flush=True)
    counts = {"mutants": len(listed), "killed": len(listed) - len(rows), "equivalent": len(proof), "open": len(rows) - len(proof)}
    return rows, counts, {"build": built, "lockstep": ran, "proofs": time.monotonic() - start - built - ran, "cycles": cycles}


def main(blocks, title, text, cycles, seeds):
    """The command line of tb/TITLE/mutate; `cycles` and `seeds` are the bench's defaults."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--only", choices=[b.name for b in blocks])
    parser.add_argument("--cycles", type=int, default=cycles, help="of each random run after the directed tests")
    parser.add_argument("--seeds", type=int, default=seeds, help="number of random runs")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pdr-seconds", type=int, default=6)
    parser.add_argument("--budget", type=int, default=275, help="seconds after which no more proof from reset is begun")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / f"out/mutate_{title}.json")
    parser.add_argument("--reuse", action="store_true", help="the netlists and the benches of the last call")
    args = parser.parse_args()
    start = time.monotonic()
    for library in LIBRARIES:
        if not library.exists():
            sys.exit(f"{library} is missing: ./dev build first")
    chosen = [b for b in blocks if args.only in (None, b.name)]
    whole, done = sum(b.share for b in chosen), 0
    rows, table, seconds = [], {}, {}
    for block in chosen:
        done += block.share
        more, counts, times = campaign(block, round(args.mutants * block.share / whole), args, start + args.budget * done / whole)
        rows += more
        table[block.name] = counts
        seconds[block.name] = times
    all_of = {key: sum(row[key] for row in table.values()) for key in ("mutants", "killed", "equivalent", "open")}
    share = (all_of["mutants"] - all_of["open"]) / all_of["mutants"] if all_of["mutants"] else 0
    took = time.monotonic() - start
    print(f"{'':20}{'mutants':>9}{'killed':>9}{'equivalent':>12}{'open':>6}{'share':>8}")
    for name, row in (*table.items(), ("all", all_of)):
        good = (row["mutants"] - row["open"]) / row["mutants"]
        print(f"{name:20}{row['mutants']:9}{row['killed']:9}{row['equivalent']:12}{row['open']:6}{good:8.1%}")
    print(f"killed or proved equivalent: {share:.1%} (needed {NEEDED:.0%}); {took:.0f} s")
    args.json.parent.mkdir(parents=True, exist_ok=True)
    temporary = args.json.with_name(args.json.name + ".tmp")
    temporary.write_text(json.dumps({"sizes": {b.name: b.parameters for b in chosen}, "seed": args.seed, **all_of, "by_block": table, "share": share,
                                     "needed": NEEDED, "seconds": {"all": took, **seconds}, "survivors": rows}, indent=2) + "\n")
    os.replace(temporary, args.json)
    return 0 if all_of["mutants"] and share >= NEEDED else 1
