# SPDX-License-Identifier: Apache-2.0
"""Whether a mutant is equivalent: an and-inverter graph of a netlist of mutants (mutate.py), its cut at memories, and
the proofs in one step and from reset, by abc."""
import heapq
import os
import re
import resource
import signal
import subprocess
import time

import tools
from tools import run


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
