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
import heapq
import importlib.util
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time

import jobs
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


def counter_wires(work, counters):
    """The wires that yosys puts between the counters' flip-flops and the counters where it mutates them."""
    found = set()
    for pins in re.findall(rf"connect \\Q (.*{counters}.*)", (work / "mutants.il").read_text()):
        found.update(re.findall(r"\$auto\$mutate\S+", pins))
    return found


# ---- Equivalence ----


class Cut:
    """The netlist with its memories outside: the word that a read port gives becomes an input, what ports are asked and
    told become outputs.

    Both sides of a proof have the same memory, as long as they tell it the same: so that is compared like an output, in
    every cycle, and a read port gives both sides the same word, or, when they ask for different ones, any two."""

    PIN = re.compile(r"odonata_(read|write)_(\d+)_(\w+)")
    PORTS = {
        "read": {"addr": ("ADDR", "ABITS"), "data": ("DATA", "WIDTH")},
        "write": {"addr": ("ADDR", "ABITS"), "data": ("DATA", "WIDTH"), "enable": ("EN", "WIDTH")},
    }

    @staticmethod
    def write(source, target):
        out, cell, number = [], None, 0
        for line in source.read_text().splitlines():
            words = line.split(None, 2)
            if cell is not None:
                if words[0] == "end":
                    out += Cut.pins(cell, number)
                    cell, number = None, number + 1
                else:
                    cell[words[1].lstrip("\\")] = words[2]
            elif words and (words[0] == "memory" or words[0] == "cell" and words[1].startswith("$mem")):
                while out[-1].lstrip().startswith("attribute "):
                    out.pop()
                cell = {"type": words[1]} if words[0] == "cell" else None
            else:
                out.append(line)
        target.write_text("\n".join(out) + "\n")

    @staticmethod
    def pins(cell, number):
        """In the place of a port: wires that are pins of the module, and what they are connected with."""
        kind = "write" if cell["type"].startswith("$memwr") else "read"
        if not cell["type"].startswith(("$memrd", "$memwr")) or kind == "read" and "1" in cell["CLK_ENABLE"]:
            tools.fail(f"cannot cut {cell['type']}: it is no write port, and no read port in front of a register")
        out = []
        for at, (what, (port, width)) in enumerate(Cut.PORTS[kind].items()):
            wire, signal, given = f"\\odonata_{kind}_{number}_{what}", cell[port], kind == "read" and what == "data"
            out.append(f"  wire width {cell[width]} {'input' if given else 'output'} {100000 + 3 * number + at} {wire}")
            out.append(f"  connect {signal} {wire}" if given else f"  connect {wire} {signal}")
        return out


class Builder:
    """An and-inverter graph with structural hashing, built node by node; literal 2n+1 is the complement of 2n,
    0 is false."""

    def __init__(self):
        self.count, self.ands, self.known = 0, {}, {}  # ands: literal -> its two operands

    def variable(self):
        self.count += 1
        return 2 * self.count

    def both(self, a, b):
        if a < b:
            a, b = b, a
        if b == 0 or a == (b ^ 1):
            return 0
        if b == 1 or a == b:
            return a
        found = self.known.get((a, b))
        if found is None:
            found = self.known[a, b] = self.variable()
            self.ands[found] = (a, b)
        return found

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a, b):
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def all_of(self, literals):
        found = 1
        for literal in literals:
            found = self.both(found, literal)
        return found

    def below(self, bits, limit):
        """Whether the word, lowest bit first, is below the constant."""
        less = 0
        for n, bit in enumerate(bits):
            less = self.either(bit ^ 1, less) if limit >> n & 1 else self.both(bit ^ 1, less)
        return 1 if limit >> len(bits) else less

    def false_at_zero(self, wanted):
        """Whether the literal is false when all variables are."""
        value, todo = {0: False}, [wanted & ~1]
        while todo:
            literal = todo[-1]
            below = [x & ~1 for x in self.ands.get(literal, ())]
            missing = [x for x in below if x not in value]
            todo += missing
            if not missing:
                todo.pop()
                value[literal] = bool(below) and all(value[x & ~1] != bool(x & 1) for x in self.ands[literal])
        return value[wanted & ~1] == bool(wanted & 1)

    def write(self, path, inputs, latches, bad):
        """Binary AIGER of what the outputs `bad` (one or a list) depend on; latches: {literal: next}."""
        at = self.ands
        outputs = bad if isinstance(bad, list) else [bad]
        free, needed, todo = set(inputs), set(), list(outputs)
        while todo:
            lit = todo.pop() & ~1
            if lit in needed or lit == 0:
                continue
            needed.add(lit)
            todo += at[lit] if lit in at else [latches[lit]] if lit in latches else []
        ins = [lit for lit in inputs if lit in needed]
        regs = [lit for lit in latches if lit in needed]
        gates = [(lit, *at[lit]) for lit in sorted(needed) if lit in at]
        assert len(ins) + len(regs) + len(gates) == len(needed) and free.isdisjoint(latches)
        new = {0: 0}
        for n, lit in enumerate([*ins, *regs, *(g[0] for g in gates)]):
            new[lit] = 2 * (n + 1)

        def renamed(lit):
            return new[lit & ~1] | lit & 1

        data = bytearray(f"aig {len(needed)} {len(ins)} {len(regs)} {len(outputs)} {len(gates)}\n".encode())
        data += "".join(f"{renamed(lit)}\n" for lit in [latches[r] for r in regs] + outputs).encode()
        for lit, a, b in gates:
            high, low = sorted((renamed(a), renamed(b)), reverse=True)
            for delta in (new[lit] - high, high - low):
                while delta >= 128:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        path.write_bytes(data)
        return len(regs), len(gates)


class View:
    """What the facts of a block are made of: words of the netlist without a mutation by the names of their wires, in
    this cycle or after the edge."""

    def __init__(self, graph, after_edge):
        self.graph, self.builder = graph, graph.builder
        self.next = dict(zip(graph.state, graph.gold_next)) if after_edge else None

    def word(self, name):
        """Bits of a wire, lowest first; those that the netlist does not have are 0."""
        at = self.graph.wires.get(name)
        if at is None:
            tools.fail(f"facts: the netlist has no wire {name}")
        return [self.literal(name, at[n]) if n in at else 0 for n in range(1 + max(at))]

    def literal(self, name, index):
        now = self.graph.value[index >> 1] ^ (index & 1)
        if self.next is None or now <= 1:
            return now
        if now & ~1 not in self.next:
            tools.fail(f"facts: {name} is not a register")
        return self.next[now & ~1] ^ (now & 1)


class Graph:
    """The netlist with all mutants and the select as an and-inverter graph: inputs, latches with next state, outputs,
    AND gates, as literals.

    Of a block, free: latches (a pattern of names) that may hold anything in every cycle where the mutation does not
    reach them. counters: latches, and wires in front of them, that needs_counts() presets. facts: as in Block."""

    def __init__(self, block):
        self.work, free, counters, facts = block.work, block.free, block.counters, block.facts
        work, netlist = self.work, self.work / "mutants.il"
        if block.cut_memories:
            Cut.write(netlist, work / "cut.il")
            netlist = work / "cut.il"
        # Memories that are left as flip-flops; one.map names the pins.
        start = "-init " if facts else ""
        run(
            [
                "yosys",
                "-q",
                "-p",
                f"read_rtlil {netlist}; memory_map; opt_expr; techmap; opt_clean; dfflegalize -cell $_DFF_P_ 0; "
                f"setundef -zero -undriven {start}; aigmap; opt_clean; write_aiger -zinit -vmap {work}/one.map "
                f"{work}/one.aig",
            ]
        )
        self.read((work / "one.aig").read_bytes())
        self.name_pins((work / "one.map").read_text(), free, counters)
        self.users = [[] for _ in range(1 + self.inputs + len(self.next) + len(self.gates))]
        self.first = 1 + self.inputs + len(self.next)
        for n, (a, b) in enumerate(self.gates, self.first):
            self.users[a >> 1].append(n)
            self.users[b >> 1].append(n)
        self.zero = set()
        if not facts:
            self.find_zero()
        self.gold()
        self.assumed = self.known = 1
        if facts:
            self.prove_facts(facts)

    def prove_facts(self, facts):
        """Proves the invariants under the assumptions: they hold when all registers are 0,
        and every edge keeps them."""
        builder, (assumptions, invariants) = self.builder, facts
        self.assumed = builder.all_of(assumptions(View(self, False)))
        self.known = builder.all_of(invariants(View(self, False)))
        then = builder.all_of(invariants(View(self, True)))
        path = self.work / "facts.aig"
        builder.write(
            path, self.pins + self.state + [self.started], {}, builder.all_of([self.assumed, self.known, then ^ 1])
        )
        if builder.false_at_zero(self.known) or "UNSATISFIABLE" not in (abc(f"read_aiger {path}; iprove", 60) or ""):
            tools.fail("the facts are not invariants")

    def read(self, data):
        end = data.index(b"\n")
        _, inputs, latches, outputs, gates = map(int, data[:end].split()[1:6])
        at = end + 1
        rows = []
        for _ in range(latches + outputs):
            end = data.index(b"\n", at)
            rows.append(data[at:end].split())
            at = end + 1
        if any(len(row) > 1 and row[1] != b"0" for row in rows[:latches]):
            tools.fail("the graph has a latch that does not start at 0")
        self.inputs = inputs
        self.next = [int(row[0]) for row in rows[:latches]]
        self.outputs = [int(row[0]) for row in rows[latches:]]
        self.gates = []
        for n in range(inputs + latches + 1, inputs + latches + gates + 1):
            pair = []
            for _ in range(2):
                value = shift = 0
                while True:
                    byte = data[at]
                    at += 1
                    value |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                pair.append(value)
            self.gates.append((2 * n - pair[0], 2 * n - pair[0] - pair[1]))

    def name_pins(self, names, free, counters):
        wires = counter_wires(self.work, counters) if counters else set()
        self.select, self.reset, self.free_latches, self.counter_latches, self.wires = {}, None, set(), set(), {}
        ports = {}  # of memories that are cut: (kind, number) -> pin -> bit -> index
        for line in names.splitlines():
            kind, index, bit, name = line.split(None, 3)
            if kind == "input" and name == "mutsel":
                self.select[int(index)] = int(bit)
            elif kind == "input" and name == "rst_ni":
                self.reset = int(index)
            elif kind in ("input", "output") and (pin := Cut.PIN.fullmatch(name)):
                ports.setdefault((pin[1], int(pin[2])), {}).setdefault(pin[3], {})[int(bit)] = int(index)
            elif kind == "wire":
                self.wires.setdefault(name, {})[int(bit)] = int(index)
            elif kind == "latch" and free and re.match(free, name):
                self.free_latches.add(int(index))
            if kind == "latch" and counters and (re.match(counters, name) or name in wires):
                self.counter_latches.add(int(index))
        if len(self.select) != 16 or self.reset is None:
            tools.fail("the graph has no select or no reset")
        named = {key: {pin: [at[bit] for bit in sorted(at)] for pin, at in pins.items()} for key, pins in ports.items()}
        self.reads, self.writes = (
            [pins for (kind, _), pins in sorted(named.items()) if kind == wanted] for wanted in ("read", "write")
        )
        asked = {index for port in self.writes for at in port.values() for index in at} | {
            index for port in self.reads for index in port["addr"]
        }
        self.plain = [n for n in range(len(self.outputs)) if n not in asked]

    def gold(self):
        """The netlist without a mutation, from which every mutant is made; its first edge is in reset."""
        self.builder = builder = Builder()
        self.pins = [builder.variable() for _ in range(self.inputs)]
        self.state = [0 if n in self.zero else builder.variable() for n in range(len(self.next))]
        self.started = builder.variable()
        value = [0, *self.pins, *self.state]
        for index in self.select:
            value[1 + index] = 0
        value[1 + self.reset] = builder.both(self.pins[self.reset], self.started)
        for a, b in self.gates:
            value.append(builder.both(value[a >> 1] ^ (a & 1), value[b >> 1] ^ (b & 1)))
        self.value = value
        self.gold_next, self.gold_out, self.gold_told = self.ends(value)
        self.other_words = [[builder.variable() for _ in port["data"]] for port in self.reads]
        self.inputs_of_proof = self.pins + [literal for word in self.other_words for literal in word]

    def find_zero(self):
        """Registers that are 0 in every state of the netlist without a mutation; gold() then knows it."""
        self.gold()
        registers = dict(zip(self.state, self.gold_next)) | {self.started: 1}
        self.builder.write(self.work / "zero.aig", self.pins, registers, list(self.state))
        (self.work / "zero_found.aig").unlink(missing_ok=True)
        abc(f"read_aiger {self.work}/zero.aig; strash; scorr; write_aiger {self.work}/zero_found.aig", 60)
        if not (self.work / "zero_found.aig").exists():
            return  # without this knowledge fewer mutants are proved
        lines = (self.work / "zero_found.aig").read_bytes().split(b"\n")
        _, _, latches, outputs, _ = map(int, lines[0].split()[1:6])
        self.zero = {n for n in range(outputs) if lines[1 + latches + n] == b"0"}

    def ends(self, value):
        """Next states, outputs, and what memories that are cut are told."""
        out = [value[n >> 1] ^ (n & 1) for n in self.outputs]
        return [value[n >> 1] ^ (n & 1) for n in self.next], [out[n] for n in self.plain], self.told(out)

    def told(self, out):
        """What counts of it: the enabled bits, and where to when any is."""
        builder, found = self.builder, []
        for port in self.writes:
            enable = [out[n] for n in port["enable"]]
            some = builder.all_of(e ^ 1 for e in enable) ^ 1
            found += enable
            found += [builder.both(e, out[n]) for e, n in zip(enable, port["data"])]
            found += [builder.both(some, out[n]) for n in port["addr"]]
        return found

    def read_words(self, value):
        """Gives a copy the words of the memories: those of the netlist without a mutation where it asks
        for the same."""
        builder = self.builder
        while True:
            changes = {}
            for port, other in zip(self.reads, self.other_words):
                differ = any_difference(
                    builder,
                    *(
                        [v[self.outputs[n] >> 1] ^ (self.outputs[n] & 1) for n in port["addr"]]
                        for v in (self.value, value)
                    ),
                )
                for n, literal in zip(port["data"], other):
                    word = builder.either(builder.both(differ, literal), builder.both(differ ^ 1, self.pins[n]))
                    if value[1 + n] != word:
                        changes[1 + n] = word
            if not changes:
                return
            self.change(value, changes)

    def change(self, value, changes):
        """Sets nodes of a copy and follows what changes."""
        todo = []
        queued = set()

        def put(node, literal):
            if value[node] != literal:
                value[node] = literal
                for user in self.users[node]:
                    if user not in queued:
                        queued.add(user)
                        heapq.heappush(todo, user)

        for node, literal in changes.items():
            put(node, literal)
        both = self.builder.both
        while todo:
            node = heapq.heappop(todo)
            a, b = self.gates[node - self.first]
            put(node, both(value[a >> 1] ^ (a & 1), value[b >> 1] ^ (b & 1)))

    def mutant(self, number):
        value = list(self.value)
        self.change(value, {1 + index: number >> bit & 1 for index, bit in self.select.items()})
        self.read_words(value)
        return value


def any_difference(builder, left, right):
    bad = 0
    for a, b in zip(left, right):
        bad = builder.either(bad, builder.differ(a, b))
    return bad


def abc(command, seconds, program="berkeley-abc", wall=None):
    """What abc says; None when it did not end within so many seconds of processor time (a loaded machine changes no
    verdict). It and all that it has started are killed when it still stands after ten times as long, or `wall`."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    process = subprocess.Popen(
        [program, "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=limit,
    )
    try:
        out, errors = process.communicate(timeout=wall or 10 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    if process.returncode > 0:
        tools.fail(f"berkeley-abc failed:\n{out[-2000:]}{errors[-2000:]}")
    return out if process.returncode == 0 else None


def same_step(graph, number, value):
    """Same outputs and next state in every state: equivalent without any assumption."""
    following, out, told = graph.ends(value)
    builder = graph.builder
    bad = builder.all_of(
        [
            any_difference(builder, graph.gold_next + graph.gold_out + graph.gold_told, following + out + told),
            graph.assumed,
            graph.known,
        ]
    )
    if bad == 0:
        return True
    path = graph.work / f"step_{number}.aig"
    graph.builder.write(path, graph.inputs_of_proof + graph.state + [graph.started], {}, bad)
    return "UNSATISFIABLE" in (abc(f"read_aiger {path}; iprove", 15) or "")


def write_run(graph, number, value, preset=False):
    """AIGER of both, from reset on: the registers that the mutation reaches twice, the others once. With preset
    counters: any value after reset."""
    builder, doubled = graph.builder, {}
    while True:  # registers whose next state the mutation can reach
        following, out, told = graph.ends(value)
        reached = {n for n, (a, b) in enumerate(zip(graph.gold_next, following)) if a != b}
        new = sorted(reached - doubled.keys())
        if not new:
            break
        doubled |= {n: builder.variable() for n in new}
        graph.change(value, {1 + graph.inputs + n: doubled[n] for n in new})
        graph.read_words(value)
    bad = builder.either(
        builder.both(graph.started, any_difference(builder, graph.gold_out, out)),
        any_difference(builder, graph.gold_told, told),
    )
    registers = {}
    if graph.assumed != 1:  # in every cycle up to this one
        broken = builder.variable()
        registers[broken] = builder.all_of([graph.assumed, graph.known, broken ^ 1]) ^ 1
        bad = builder.all_of([bad, broken ^ 1, graph.assumed, graph.known])
    free = {n for n in graph.free_latches - graph.zero if n not in doubled}
    registers |= {lit: graph.gold_next[n] for n, lit in enumerate(graph.state) if n not in free and n not in graph.zero}
    registers |= {doubled[n]: following[n] for n in sorted(doubled)}
    presets = []
    for n in graph.counter_latches if preset else ():
        presets.append(builder.variable())
        for lit in {graph.state[n], doubled.get(n, 0)} - {0}:
            registers[lit] = builder.either(
                builder.both(graph.started, registers[lit]), builder.both(graph.started ^ 1, presets[-1])
            )
    registers[graph.started] = 1
    path = graph.work / f"{'preset' if preset else 'run'}_{number}.aig"
    builder.write(path, graph.inputs_of_proof + [graph.state[n] for n in sorted(free)] + presets, registers, bad)
    return path


def same_run(graph, number, value, seconds):
    """Same outputs from reset on, whatever the inputs."""
    answer = abc(f"read_aiger {write_run(graph, number, value)}; scorr; scorr -F 3; print_stats; pdr", seconds) or ""
    return "Property proved" in answer or "Networks are equivalent" in answer


def needs_counts(graph, number):
    """Differs within a few cycles when the counters stand at some value, but not when they stand at 0."""
    following, _, _ = graph.ends(graph.mutant(number))
    if any(a != b and n not in graph.counter_latches for n, (a, b) in enumerate(zip(graph.gold_next, following))):
        return False  # not about counters

    def differs(preset):
        answer = abc(f"read_aiger {write_run(graph, number, graph.mutant(number), preset)}; strash; bmc3 -F 9", 20)
        return None if answer is None else "was asserted in frame" in answer

    return differs(True) is True and differs(False) is False


GRAPH = None  # the processes of a pool inherit it


def try_step(number):
    return same_step(GRAPH, number, GRAPH.mutant(number))


def try_run(job):
    number, seconds, deadline = job
    return time.monotonic() < deadline and same_run(GRAPH, number, GRAPH.mutant(number), seconds)


def try_counts(number):
    return needs_counts(GRAPH, number)


def run_longer(block, survivors, args):
    """Those that the longer runs kill."""

    def one(number):
        return run([block.work / "bench", number, number, 1, block.longer, args.seeds]).startswith("done ")

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return {n for n, killed in zip(survivors, pool.map(one, survivors)) if killed}


def prove(block, total, survivors, args, deadline):
    """{number: how it was proved equivalent}, the numbers that longer runs killed,
    and of those that differ only from preset counters."""
    global GRAPH
    GRAPH = Graph(block)
    # A proof that proves everything would show here: a killed mutant that is called equivalent.
    killed_ones = [n for n in range(1, total + 1) if n not in survivors][:20]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        if any(pool.map(try_step, killed_ones[2:])) or any(
            pool.map(try_run, [(n, 5, deadline) for n in killed_ones[:2]])
        ):
            tools.fail("a killed mutant was proved equivalent: the proof is broken")
        proof = {n: "same step" for n, proved in zip(survivors, pool.map(try_step, survivors)) if proved}
        rest = [n for n in survivors if n not in proof]
        late = run_longer(block, rest, args) if block.longer else set()
        rest = [n for n in rest if n not in late]
        print(
            f"  {len(proof)} survivors proved in one step, {len(late)} killed by longer runs, {len(rest)} to be "
            f"tried from reset",
            flush=True,
        )
        deadline = max(deadline, time.monotonic() + 60)  # a loaded machine has at least a minute for these
        found = pool.map(try_run, [(n, args.pdr_seconds, deadline) for n in rest])
        proof |= {n: "from reset" for n, proved in zip(rest, found) if proved}
        rest = [n for n in rest if n not in proof]
        counted = {n for n, differs in zip(rest, pool.map(try_counts, rest)) if differs} if block.counters else set()
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
    date, commit = (run(["git", "-C", ROOT, "show", "-s", f"--format={what}"]).strip() for what in ("%cs", "%h"))
    rows = [
        {"family": args.family, "unit": unit, **counts, "seed": args.seed, "date": date, "commit": commit}
        for unit, counts in table.items()
    ]
    tools.write_record(args.record, RECORD, tools.read_record(args.record) + rows)


def judge(args, chosen, rows, table, seconds):
    """Prints the table and writes the file; whether enough mutants are dead."""
    all_of = {
        key: sum(row[key] for row in table.values()) for key in ("mutants", "killed", "preset", "equivalent", "open")
    }
    share = (all_of["mutants"] - all_of["open"]) / all_of["mutants"] if all_of["mutants"] else 0
    took = seconds["all"]
    print(f"{'':34}{'mutants':>9}{'killed':>9}{'preset counters':>17}{'equivalent':>12}{'open':>6}{'share':>8}")
    for kind, row in (*table.items(), ("all", all_of)):
        good = (row["mutants"] - row["open"]) / row["mutants"]
        print(
            f"{kind:34}{row['mutants']:9}{row['killed']:9}{row['preset']:17}"
            f"{row['equivalent']:12}{row['open']:6}{good:8.1%}"
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
