#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation campaigns on the units of a family: tb/FAMILY/mutants.toml lists them, tb/FAMILY/mutants.h has their
stimuli.

yosys puts all mutants of a module into one netlist behind a select input; the netlist is Verilated and run in lockstep
with the golden model (tb/harness/mutate_main.cpp), mutant after mutant, until the first mismatch. Survivors are tried
for equivalence on an and-inverter graph of the netlist with the select set: first output and next state for the same
state, whatever it is, but for registers and RAM bits that are 0 in every state after reset (abc scorr finds them; all
start with 0; abc iprove); then from reset on, with only those registers doubled that the mutation reaches (abc scorr,
pdr). A block may state facts: assumptions on what comes in, and invariants of the registers, which are proved first and
then hold in both kinds of proof; there RAMs and registers without reset start with 0, as in the lockstep.
Killed mutants are tried as well: if one is called equivalent, the proof is broken. A mutant that differs within a few
cycles from preset counters, but not from those after reset (abc bmc3), counts as killed and is counted apart: the upper
bits of wide event counters are beyond a run.

A campaign passes when every netlist without a mutation agrees with the golden model and at least 97 % of all mutants
are killed or proved equivalent.

The table: `cycles` of each random run and `seeds`, their number; `libraries` of the release build with golden models
and stimuli. A [[unit]] has
  name           of the unit, also of the struct in mutants.h: CamelCase of it
  top            the module, by default the name; parameters: of the module, numbers
  share          of the mutants, 0..1
  map_memories   memories become flip-flops before they are mutated
  cut_memories   in proofs memories stay outside (Cut): large ones would be too many flip-flops
  free           pattern of registers that may hold anything in a proof from reset
  counters       pattern of registers that are preset
  longer         cycles of a random run a seed, for what the lockstep left and no single step proves equivalent
  facts          two functions of a View in tb/FAMILY/mutant_facts.py: literals assumed of what comes in, and literals
                 over registers that are invariants

Needs the release build (./dev build).

  mutate.py FAMILY [--mutants 1000] [--only UNIT] [--cycles N] [--seeds N] [--seed 1] [--jobs 2] [--pdr-seconds 12]
            [--budget 275] [--reuse] [--json FILE] [--record FILE]
            [--slurm | --print-tasks]   (a job a unit: docs/cluster.md)
"""
import argparse
import concurrent.futures
import dataclasses
import importlib.util
import json
import pathlib
import re
import sys
import time

import jobs
import mutant_proofs
import tools
from tools import ROOT, run

RELEASE = ROOT / "build/release"
LIBRARIES = [
    "hw/libodonata_hw.a",
    "tb/libodonata_harness.a",
    "models/libodonata_models.a",
    "rtl/libverilated_runtime.a",
]
NEEDED = 0.97


@dataclasses.dataclass
class Unit:
    """A module whose mutants are tried; the keys are those of the table."""

    family: str
    libraries: list
    name: str
    top: str = ""
    parameters: dict = dataclasses.field(default_factory=dict)
    share: float = 1
    map_memories: bool = False
    cut_memories: bool = False
    free: str | None = None
    counters: str | None = None
    longer: int = 0
    facts: tuple | None = None

    @property
    def work(self):
        return ROOT / "build/mutate" / self.name


def load_units(family, table):
    units = []
    for row in table["unit"]:
        try:
            unit = Unit(family, table["libraries"], **row)
        except TypeError as error:
            tools.fail(f"tb/{family}/mutants.toml: {row.get('name', '?')}: {error}")
        unit.top = unit.top or unit.name
        if unit.facts:
            spec = importlib.util.spec_from_file_location("mutant_facts", ROOT / f"tb/{family}/mutant_facts.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            unit.facts = tuple(getattr(module, name) for name in unit.facts)
        units.append(unit)
    return units


# ---- Netlist, bench, lockstep ----


def make_netlist(block, mutants, seed):
    """mutants.v and mutants.il with the input `mutsel`, and the list of what each number is.

    In the Verilog every wire has one bit: with many mutations in one word the bits of different words depend on each
    other in a circle, word by word, although no bit depends on itself, and Verilator 5.006 (UNOPTFLAT) stops before
    such a circle has settled."""
    sources = " ".join(tools.rtl(block.family))
    chparam = " ".join(f"-chparam {k} {v}" for k, v in block.parameters.items())
    memories = "memory_map; opt -full; " if block.map_memories else ""
    run(
        [
            "yosys",
            "-q",
            "-p",
            f"read_verilog -sv {sources}; hierarchy -check -top {block.top} {chparam}; proc; flatten; "
            f"{memories}opt -full; "
            f"rename -top mutant; opt_clean; write_rtlil {block.work}/plain.il; "
            f"mutate -list {mutants} -seed {seed} -ctrl mutsel 16 1 -o {block.work}/list.ys",
        ]
    )
    leave_out_clocks(block.work / "list.ys")
    run(
        [
            "yosys",
            "-q",
            "-p",
            f"read_rtlil {block.work}/plain.il; script {block.work}/list.ys; opt_clean; "
            f"write_rtlil {block.work}/mutants.il; "
            f"splitnets; write_verilog -noattr {block.work}/mutants.v",
        ]
    )


def leave_out_clocks(path):
    """A graph of next states knows no clocks: a stopped one would be called equivalent."""
    kept = [line for line in path.read_text().splitlines() if " -port CLK " not in line]
    path.write_text(
        "".join(re.sub(r"-ctrl mutsel 16 \d+", f"-ctrl mutsel 16 {n}", line) + "\n" for n, line in enumerate(kept, 1))
    )


def build(block, jobs):
    """The Verilated netlist with its bench."""
    folder = block.work / "v"
    for old in (*folder.glob("*.cpp"), *folder.glob("*.o")):
        old.unlink()
    run(
        [
            "verilator",
            "--cc",
            "--top-module",
            "mutant",
            "--prefix",
            "Vmutant",
            "-Wno-fatal",
            "-O3",
            "--x-assign",
            "fast",
            "--x-initial",
            "fast",
            "--Mdir",
            folder,
            block.work / "mutants.v",
        ]
    )
    include = pathlib.Path(run(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()) / "include"
    defines = [
        f"-DMUTANT_HEADER=\"tb/{block.family}/mutants.h\"",
        f"-DMUTANT_UNIT={block.name.title().replace('_', '')}",
        *(f"-DMUTANT_{k}={v}" for k, v in block.parameters.items()),
    ]
    flags = [
        "-std=c++20",
        "-O1",
        "-march=native",
        "-w",
        f"-I{ROOT}",
        f"-I{RELEASE}/generated",
        f"-I{folder}",
        f"-I{include}",
        f"-I{include}/vltstd",
        *defines,
    ]
    cpp = [*folder.glob("*.cpp"), ROOT / "tb/harness/mutate_main.cpp"]
    cpp.sort(key=lambda path: -path.stat().st_size)
    objects = [folder / (path.stem + ".o") for path in cpp]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda pair: run(["clang++", *flags, "-c", pair[0], "-o", pair[1]]), zip(cpp, objects)))
    # The stimuli stand in one object with the adapters of the SystemC modules.
    run(
        [
            "clang++",
            *objects,
            ROOT / "tb/common/no_sc_main.cpp",
            *libraries(block),
            "-lsystemc",
            "-lfmt",
            "-lz",
            "-lpthread",
            "-latomic",
            "-o",
            block.work / "bench",
        ]
    )


def libraries(block):
    return [RELEASE / name for name in [*block.libraries, *LIBRARIES]]


def lockstep(block, total, args):
    """The numbers of the survivors and the cycles that were run."""

    def part(first):
        lines = run([block.work / "bench", first, total, args.jobs, args.cycles, args.seeds]).splitlines()
        if not lines or not lines[-1].startswith("done "):
            tools.fail("the bench did not finish")
        return [int(n) for n in lines[:-1]], int(lines[-1].split()[1])

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        parts = list(pool.map(part, range(args.jobs)))
    survivors = sorted(n for numbers, _ in parts for n in numbers)
    if 0 not in survivors:
        tools.fail(f"{block.name}: the netlist without a mutation does not agree with the golden model")
    return survivors[1:], sum(cycles for _, cycles in parts)


def run_longer(block, survivors, args):
    """Those that the longer runs kill."""

    def one(number):
        return run([block.work / "bench", number, number, 1, block.longer, args.seeds]).startswith("done ")

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return {n for n, killed in zip(survivors, pool.map(one, survivors)) if killed}


def prove(block, total, survivors, args, deadline):
    """{number: how it was proved equivalent}, the numbers that longer runs killed,
    and of those that differ only from preset counters."""
    mutant_proofs.GRAPH = mutant_proofs.Graph(block)
    # A proof that proves everything would show here: a killed mutant that is called equivalent.
    killed_ones = [n for n in range(1, total + 1) if n not in survivors][:20]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        if any(pool.map(mutant_proofs.try_step, killed_ones[2:])) or any(
            pool.map(mutant_proofs.try_run, [(n, 5, deadline) for n in killed_ones[:2]])
        ):
            tools.fail("a killed mutant was proved equivalent: the proof is broken")
        proof = {n: "same step" for n, proved in zip(survivors, pool.map(mutant_proofs.try_step, survivors)) if proved}
        rest = [n for n in survivors if n not in proof]
        late = run_longer(block, rest, args) if block.longer else set()
        rest = [n for n in rest if n not in late]
        print(
            f"  {len(proof)} survivors proved in one step, {len(late)} killed by longer runs, {len(rest)} to be "
            f"tried from reset",
            flush=True,
        )
        deadline = max(deadline, time.monotonic() + 60)  # a loaded machine has at least a minute for these
        found = pool.map(mutant_proofs.try_run, [(n, args.pdr_seconds, deadline) for n in rest])
        proof |= {n: "from reset" for n, proved in zip(rest, found) if proved}
        rest = [n for n in rest if n not in proof]
        counted = (
            {n for n, differs in zip(rest, pool.map(mutant_proofs.try_counts, rest)) if differs}
            if block.counters
            else set()
        )
    return proof, late, counted


def is_memory_address(line):
    return bool(re.search(r"-cell \S*\$mem\S* -port \S*ADDR", line))


def campaign(block, mutants, args, deadline):
    """Rows of the survivors, counts by kind, and times of one block."""
    start = time.monotonic()
    (block.work / "v").mkdir(parents=True, exist_ok=True)
    if not args.reuse:
        make_netlist(block, mutants, args.seed)
        build(block, args.jobs)
    listed = (block.work / "list.ys").read_text().splitlines()
    built = time.monotonic() - start
    survivors, cycles = lockstep(block, len(listed), args)
    ran = time.monotonic() - start - built
    print(
        f"{block.name}: {len(listed)} mutants, {len(listed) - len(survivors)} killed; build {built:.0f} s, "
        f"lockstep {ran:.0f} s, {cycles} cycles",
        flush=True,
    )
    proof, late, counted = prove(block, len(listed), survivors, args, deadline) if survivors else ({}, set(), set())
    survivors = [n for n in survivors if n not in late]
    rows = []
    for n in survivors:
        line = listed[n - 1]
        src = " ".join(re.findall(r"-src (\S+)", line)).replace(str(ROOT) + "/", "")
        rows.append(
            {
                "block": block.name,
                "mutant": n,
                "equivalent": n in proof,
                "killed_with_preset_counters": n in counted,
                "proof": proof.get(n),
                "memory_address": is_memory_address(line),
                "source": src,
                "mutation": line,
            }
        )
        if n not in proof and n not in counted:
            kind = " ".join(re.findall(r"-(?:mode|port|portbit) (\S+)", line))
            print(f"  {block.name} mutant {n} SURVIVES ({kind}): {src or line}", flush=True)
    table = {}
    for name, is_address in ((block.name, False), (block.name + ", memory address", True)):
        number = sum(is_memory_address(line) == is_address for line in listed)
        own = [r for r in rows if r["memory_address"] == is_address]
        same, counts = (sum(r[key] for r in own) for key in ("equivalent", "killed_with_preset_counters"))
        if number:
            table[name] = {
                "mutants": number,
                "killed": number - len(own),
                "preset": counts,
                "equivalent": same,
                "open": len(own) - same - counts,
            }
    return (
        rows,
        table,
        {"build": built, "lockstep": ran, "proofs": time.monotonic() - start - built - ran, "cycles": cycles},
    )


def main():
    families = tools.families("mutants.toml")
    if len(sys.argv) < 2 or sys.argv[1] not in families:
        tools.fail(f"usage: mutate.py FAMILY [OPTIONS]; families: {', '.join(families)}")
    name = sys.argv[1]
    listed = tools.read_table(name, "mutants.toml", ["cycles", "seeds", "libraries", "unit"])
    blocks = load_units(name, listed)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family")
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--only", choices=[b.name for b in blocks])
    parser.add_argument(
        "--cycles", type=int, default=listed["cycles"], help="of each random run after the directed tests"
    )
    parser.add_argument("--seeds", type=int, default=listed["seeds"], help="number of random runs")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of mutants")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pdr-seconds", type=int, default=12, help="processor time of a proof from reset")
    parser.add_argument("--budget", type=int, default=275, help="seconds after which no more proof from reset is begun")
    parser.add_argument("--json", type=pathlib.Path, default=ROOT / f"out/mutate_{name}.json")
    parser.add_argument(
        "--record",
        type=pathlib.Path,
        help="a line a unit is added to this CSV (docs/results/mutants.csv), when all units of the family took part",
    )
    parser.add_argument("--reuse", action="store_true", help="the netlists and the benches of the last call")
    parser.add_argument("--results", type=pathlib.Path, help=argparse.SUPPRESS)  # what the jobs of a cluster have found
    jobs.add_options(parser)
    args = parser.parse_args()
    start = time.monotonic()
    for library in [] if args.results else libraries(blocks[0]):
        if not library.exists():
            tools.fail(f"{library} is missing: ./dev build first")
    chosen = [b for b in blocks if args.only in (None, b.name)]
    whole, done = sum(b.share for b in chosen), 0
    if jobs.wanted(args):
        return hand_out(args, chosen, whole)
    rows, table, seconds = [], {}, {}
    if args.results:
        for found in json.loads(args.results.read_text()):
            rows += found["result"]["survivors"]
            table |= found["result"]["by_kind"]
        return judge(args, chosen, rows, table, {"all": 0})
    for block in chosen:
        done += block.share
        more, counts, times = campaign(
            block, round(args.mutants * block.share / whole), args, start + args.budget * done / whole
        )
        rows += more
        table |= counts
        seconds[block.name] = times
    return judge(args, chosen, rows, table, {"all": time.monotonic() - start, **seconds})


def hand_out(args, chosen, whole):
    """A job a unit: its share of the mutants and of the time."""
    program = ROOT / "build/release/sim/odonata"
    same = [sys.executable, str(pathlib.Path(__file__).resolve()), args.family]
    for name in ("cycles", "seeds", "seed", "jobs", "pdr_seconds"):
        same += ["--" + name.replace("_", "-"), str(getattr(args, name))]
    list_ = [
        {
            "name": block.name,
            "work": args.budget * block.share / whole,
            "command": same
            + [
                "--only",
                block.name,
                "--mutants",
                str(round(args.mutants * block.share / whole)),
                "--budget",
                str(round(args.budget * block.share / whole)),
                "--json",
                "{result}",
            ],
        }
        for block in chosen
    ]
    merge = [*same, "--json", str(args.json), "--results", "{results}"] + (["--only", args.only] if args.only else [])
    merge += ["--record", str(args.record.resolve())] if args.record else []
    return jobs.hand_out(program, args.json.with_name(args.json.stem + "_jobs"), list_, merge, args)


RECORD = ["family", "unit", "mutants", "killed", "preset", "equivalent", "open", "seed", "date", "commit"]


def add_to_record(args, table):
    """A line a unit of a whole campaign: docs/results/mutants.csv, of which the site tells."""
    rows = [
        {"family": args.family, "unit": unit, **counts, "seed": args.seed, **tools.stamp()}
        for unit, counts in table.items()
    ]
    tools.write_record(args.record, RECORD, tools.read_record(args.record) + rows)


def judge(args, chosen, rows, table, seconds):
    """Prints the table and writes the file; whether enough mutants are dead."""
    all_of = {
        key: sum(row[key] for row in table.values()) for key in ("mutants", "killed", "preset", "equivalent", "open")
    }
    dead = lambda row: (row["mutants"] - row["open"]) / row["mutants"] if row["mutants"] else 0
    share = dead(all_of)
    took = seconds["all"]
    print(f"{'':34}{'mutants':>9}{'killed':>9}{'preset counters':>17}{'equivalent':>12}{'open':>6}{'share':>8}")
    for kind, row in (*table.items(), ("all", all_of)):
        print(
            f"{kind:34}{row['mutants']:9}{row['killed']:9}{row['preset']:17}"
            f"{row['equivalent']:12}{row['open']:6}{dead(row):8.1%}"
        )
    print(f"killed or proved equivalent: {share:.1%} (needed {NEEDED:.0%}); {took:.0f} s")
    tools.write_json(
        args.json,
        {
            "sizes": {b.name: b.parameters for b in chosen},
            "seed": args.seed,
            **all_of,
            "by_kind": table,
            "share": share,
            "needed": NEEDED,
            "seconds": seconds,
            "survivors": rows,
        },
    )
    if args.record and not args.only:
        add_to_record(args, table)
    return 0 if all_of["mutants"] and share >= NEEDED else 1


if __name__ == "__main__":
    sys.exit(main())
