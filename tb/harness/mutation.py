# SPDX-License-Identifier: Apache-2.0
"""Equivalence of mutants: is a surviving mutant of a netlist with the input `mutsel` (yosys `mutate -ctrl mutsel 16 1`) the netlist itself?

All mutants are one and-inverter graph with the select as inputs. A mutant is the graph with the select set; what does not change is shared with the
netlist without a mutation, so that the miter of the two is small. Proved by berkeley-abc: in one step from any state that both share, or from reset on.
"""
import heapq
import re
import subprocess
import sys


def run(command, **options):
    """Standard output of a command; ends the program when it fails."""
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def make_graph(work, free=None, counters=lambda name: False):
    """The graph of work/mutants.il (clock clk_i, reset rst_ni active low, mutsel of 16 bits). `free`: a pattern of the names of memory bits that may
    hold anything in every cycle of a proof that does not change them; `counters`: whether a register's name is that of an event counter."""
    run(["yosys", "-q", "-p", f"read_rtlil {work}/mutants.il; memory_map; opt_expr; techmap; opt_clean; dfflegalize -cell $_DFF_P_ 0; setundef -zero -undriven; "
         f"aigmap; opt_clean; write_aiger -zinit -vmap {work}/one.map {work}/one.aig"])
    graph = Graph(work, free, counters)
    graph.find_zero()
    graph.gold()
    return graph


class Builder:
    """An and-inverter graph with structural hashing, built node by node; literal 2n+1 is the complement of 2n, 0 is false."""

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


class Graph:
    """one.aig of a folder: inputs, latches with next state, outputs, AND gates, as literals."""

    def __init__(self, work, free, counters):
        self.work = work
        data = (work / "one.aig").read_bytes()
        end = data.index(b"\n")
        _, inputs, latches, outputs, gates = map(int, data[:end].split()[1:6])
        at = end + 1
        rows = []
        for _ in range(latches + outputs):
            end = data.index(b"\n", at)
            rows.append(data[at:end].split())
            at = end + 1
        if any(len(row) > 1 and row[1] != b"0" for row in rows[:latches]):
            sys.exit("the graph has a latch that does not start at 0")
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
        self.select, self.reset, self.free_latches, self.counter_latches, self.zero = {}, None, set(), set(), set()
        for line in (work / "one.map").read_text().splitlines():
            kind, index, bit, name = line.split(None, 3)
            if kind == "input" and name == "mutsel":
                self.select[int(index)] = int(bit)
            elif kind == "input" and name == "rst_ni":
                self.reset = int(index)
            elif kind == "latch" and free and re.match(free, name):
                self.free_latches.add(int(index))
            if kind == "latch" and counters(name):
                self.counter_latches.add(int(index))
        if len(self.select) != 16 or self.reset is None:
            sys.exit("the graph has no select or no reset")

        self.users = [[] for _ in range(1 + inputs + latches + gates)]
        first = 1 + inputs + latches
        for n, (a, b) in enumerate(self.gates, first):
            self.users[a >> 1].append(n)
            self.users[b >> 1].append(n)
        self.first = first

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
        self.gold_next, self.gold_out = self.ends(value)

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
        return [value[n >> 1] ^ (n & 1) for n in self.next], [value[n >> 1] ^ (n & 1) for n in self.outputs]

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
        return value


def any_difference(builder, left, right):
    bad = 0
    for a, b in zip(left, right):
        bad = builder.either(bad, builder.differ(a, b))
    return bad


def abc(command, seconds):
    try:
        return run(["berkeley-abc", "-c", command], timeout=seconds)
    except subprocess.TimeoutExpired:
        return ""


def same_step(graph, number, value):
    """Same outputs and next state in every state: equivalent without any assumption."""
    following, out = graph.ends(value)
    bad = any_difference(graph.builder, graph.gold_next + graph.gold_out, following + out)
    if bad == 0:
        return True
    path = graph.work / f"step_{number}.aig"
    graph.builder.write(path, graph.pins + graph.state + [graph.started], {}, bad)
    return "UNSATISFIABLE" in abc(f"read_aiger {path}; iprove", 15)


def write_run(graph, number, value, preset=False):
    """AIGER of both, from reset on: the registers that the mutation reaches twice, the others once. With preset counters: any value after reset."""
    builder, doubled = graph.builder, {}
    while True:  # registers whose next state the mutation can reach
        following, out = graph.ends(value)
        reached = {n for n, (a, b) in enumerate(zip(graph.gold_next, following)) if a != b}
        new = sorted(reached - doubled.keys())
        if not new:
            break
        doubled |= {n: builder.variable() for n in new}
        graph.change(value, {1 + graph.inputs + n: doubled[n] for n in new})
    bad = builder.both(graph.started, any_difference(builder, graph.gold_out, out))
    free = {n for n in graph.free_latches - graph.zero if n not in doubled}
    registers = {lit: graph.gold_next[n] for n, lit in enumerate(graph.state) if n not in free and n not in graph.zero}
    registers |= {doubled[n]: following[n] for n in sorted(doubled)}
    presets = []
    for n in graph.counter_latches if preset else ():
        presets.append(builder.variable())
        for lit in {graph.state[n], doubled.get(n, 0)} - {0}:
            registers[lit] = builder.either(builder.both(graph.started, registers[lit]), builder.both(graph.started ^ 1, presets[-1]))
    registers[graph.started] = 1
    path = graph.work / f"{'preset' if preset else 'run'}_{number}.aig"
    builder.write(path, graph.pins + [graph.state[n] for n in sorted(free)] + presets, registers, bad)
    return path


def same_run(graph, number, value, seconds):
    """Same outputs from reset on, whatever the inputs."""
    answer = abc(f"read_aiger {write_run(graph, number, value)}; scorr; scorr -F 3; print_stats; pdr -T {seconds}", 3 * seconds)
    return "Property proved" in answer or "Networks are equivalent" in answer
