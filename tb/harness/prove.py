#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proofs of a family's RTL with yosys and berkeley-abc, each with its negative controls; tb/FAMILY/proofs.toml lists
them.

A proof is a module (a miter) with one output `bad_o` that must never be 1. yosys writes it as an AIGER file, abc proves
it:
  comb   no state: SAT with fraiging (`iprove`)
  seq    with state: k-induction on equivalent signals (`scorr`), the rest by property-directed reachability (`pdr`)
  assert the immediate assertions of RTL and miter in place of `bad_o`
A control is the same proof with a planted bug (tb/FAMILY/plants.toml): abc has to find a counterexample. A proof of
which a control is not refuted, a time-out, and an error of a tool all fail.

The table: `spec`, the files of the miters; `start`: "zero" (default: registers without reset start with 0; `bad_o`
counts only after the first reset, and what reset leaves alone is equal on both sides) or "any"; [sizes]: parameters by
name. A [[proof]] has
  name, what       what: in words, for the report
  top              the miter
  sizes            size = {parameters}, or a list of names of [sizes], of which `parameters` says what the miter has
  set              parameters at all sizes
  controls         planted bugs, each at the first size or as "bug@size"; none for a lemma in which no RTL takes part
  more             further ones; at least five together
  slow             sizes that --quick leaves out: they take most of the time
  kind, frames     as above; k of the induction
  cut              patterns of module names: what they put out may be anything
  memory_free      what is read of memories may be anything
  init             size -> {wire pattern = initial value}, where reset needs a second cycle
  assertions       kind assert: so many there are at least (default 2)

  prove.py FAMILY [--quick | --again] [--jobs 2] [--json FILE] [PROOF...]

Every verdict is kept in docs/results/proofs.csv, with a key of all that it follows from: the RTL, the miters, the row
of the table, the planted bug, the commands. Comments and line breaks do not count (sv_tokens.py). What stands there
with the same key is not run again (--again: it is), so that a run that was stopped goes on. --quick, the suite's,
writes nothing: of the first and the last size and the first control of each proof it runs what the record does not
hold, and what takes no time.
"""
import argparse
import ast
import concurrent.futures
import dataclasses
import fcntl
import hashlib
import inspect
import pathlib
import re
import sys
import threading
import time

import tools
from sv_tokens import tokens

SECONDS = 170  # of processor time, a run of a tool
MEMORY = 6 << 30  # bytes of its address space
MAX_FRAMES = 24  # of a counterexample
QUICK = 1  # controls of a proof with --quick
CHEAP = 1  # second of processor time: what --quick runs though it is recorded
FEWEST = 5  # planted bugs of a proof
RECORD = tools.ROOT / "docs/results/proofs.csv"
COLUMNS = ["family", "proof", "plant", "size", "verdict", "seconds", "key", "date", "commit"]


@dataclasses.dataclass
class Proof:
    name: str
    what: str
    top: str
    sizes: dict
    controls: list = dataclasses.field(default_factory=list)
    more: list = dataclasses.field(default_factory=list)
    slow: list = dataclasses.field(default_factory=list, repr=False)  # says nothing of what a verdict is about
    kind: str = "comb"
    frames: int = 1
    cut: list = dataclasses.field(default_factory=list)
    memory_free: bool = False
    init: dict = dataclasses.field(default_factory=dict)
    assertions: int = 2


class Family:
    """The table of a family."""

    def __init__(self, name):
        self.name = name
        self.work = tools.ROOT / "build/prove" / name
        table = tools.read_table(name, "proofs.toml", ["spec", "proof"])
        self.rtl = tools.rtl(name)
        self.spec = [tools.ROOT / f"tb/{name}/formal/{file}" for file in table["spec"]]
        self.any_start = table.get("start", "zero") == "any"
        self.proofs = [self.proof(dict(row), table.get("sizes", {})) for row in table["proof"]]

    def proof(self, row, known):
        where = f"tb/{self.name}/proofs.toml: {row.get('name', '?')}"
        more, wanted = row.pop("set", {}), row.pop("parameters", None)
        try:
            if isinstance(row["sizes"], list):
                row["sizes"] = {
                    n: {k: v for k, v in known[n].items() if wanted is None or k in wanted.split()}
                    for n in row["sizes"]
                }
            row["sizes"] = {n: {**p, **more} for n, p in row["sizes"].items()}
            found = Proof(**row)
        except (KeyError, TypeError) as error:
            tools.fail(f"{where}: {error}")
        found.controls, found.more = (
            [(plant, size or next(iter(found.sizes))) for plant, _, size in (c.partition("@") for c in controls)]
            for controls in (found.controls, found.more)
        )
        every = found.controls + found.more
        if found.kind not in ("comb", "seq", "assert") or any(
            size not in found.sizes for size in [*found.slow, *(size for _, size in every)]
        ):
            tools.fail(f"{where}: unknown kind, or a control or slow size that is not among the sizes")
        if every and len(set(every)) < FEWEST:
            tools.fail(f"{where}: {len(set(every))} planted bugs, expected at least {FEWEST}")
        return found


def write_aiger(family, proof, size, rtl, stem):
    """(an error or nothing, seconds)"""
    parameters = " ".join(f"-set {k} {v}" for k, v in proof.sizes[size].items())
    script = [
        f"read_verilog -sv -defer {'-formal' if proof.kind == 'assert' else ''} "
        + " ".join(str(s) for s in rtl + family.spec),
        f"chparam {parameters} {proof.top}" if parameters else "",
        f"hierarchy -check -top {proof.top}",
        "cutpoint " + " ".join(f"t:*{m}*" for m in proof.cut) if proof.cut else "",
        "proc",
        "flatten",
        *[
            f"select -assert-min 1 w:{wire}; setattr -set init {value} w:{wire}"
            for wire, value in proof.init.get(size, {}).items()
        ],
        "delete -output o:*" if proof.kind == "assert" else "",
        "memory_collect",
        "delete t:$mem*; setundef -undriven -anyseq" if proof.memory_free else "",
        "opt_expr",
        "opt_clean -purge",
        "memory_map",
        "async2sync",
        "setundef -zero -undriven" + (" -init" if proof.kind != "comb" and not family.any_start else ""),
        "techmap",
        "dffunmap",
        "setundef -zero",
        "aigmap",
        "opt_clean",
        f"write_aiger {'-zinit' if family.any_start else ''} {stem}.aig",
    ]
    aig = pathlib.Path(f"{stem}.aig")
    aig.unlink(missing_ok=True)
    log = pathlib.Path(f"{stem}.yosys.log")
    text, seconds = tools.run_limited(["yosys", "-p", "; ".join(s for s in script if s)], log, SECONDS, MEMORY)
    return "" if text is not None and aig.exists() else f"yosys failed or was stopped, see {log}", seconds


def prove_once(family, proof, size, plant=""):
    """('proved' | 'refuted' | an error, seconds of processor time)"""
    stem = family.work / f"{proof.name}.{size}{'.' + plant if plant else ''}"
    # a folder of its own: another proof with the same bug may read while this one writes
    rtl = tools.woven(family.name, family.rtl, plant, family.work / "woven" / stem.name) if plant else family.rtl
    verdict, seconds = write_aiger(family, proof, size, rtl, stem)
    if not verdict:
        if proof.kind == "comb":
            commands = "strash; iprove"
        elif plant:  # a counterexample of few cycles is looked for
            commands = f"orpos; strash; bmc3 -F {MAX_FRAMES}"
        else:
            commands = f"orpos; strash; lcorr; scorr -F {proof.frames}; print_stats; pdr"
        log = pathlib.Path(f"{stem}.abc.log")
        text, more = tools.run_limited(
            ["berkeley-abc", "-c", f"read_aiger {stem}.aig; print_stats; {commands}"], log, SECONDS, MEMORY
        )
        text, seconds = text or "", seconds + more
        if "UNSATISFIABLE" in text or "Property proved" in text:
            verdict = "proved"
        elif re.search(r"^SATISFIABLE", text, re.M) or "was asserted in frame" in text:
            verdict = "refuted"
        else:
            verdict = f"no verdict, see {log}"
        outputs = re.search(r"i/o = *\d+/ *(\d+)", text)
        if proof.kind == "assert" and outputs and int(outputs[1]) < proof.assertions:
            verdict = f"{outputs[1]} assertions, expected {proof.assertions}"
    return verdict, seconds


def without_format(function):
    """The source of a function without comments and line breaks."""
    return ast.dump(ast.parse(inspect.getsource(function)))


def of_plant(plant):
    """What a planted bug changes, for the key."""
    return plant and (plant["file"], tokens(plant["find"]), tokens(plant["replace"]))


class Record:
    """The verdicts of a family that are known."""

    def __init__(self, family):
        self.family, self.lock = family, threading.Lock()
        self.plants = {p["name"]: p for p in tools.read_table(family.name, "plants.toml", ["plant"])["plant"]}
        self.base = hashlib.sha256(
            repr([tokens((tools.ROOT / s).read_text()) for s in [*family.rtl, *family.spec]]).encode()
        )
        self.base.update(
            repr([without_format(write_aiger), without_format(prove_once), tools.run(["yosys", "-V"])]).encode()
        )
        self.stamp = tools.stamp()
        self.there = {
            (p.name, plant, size)
            for p in family.proofs
            for plant, size in [("", s) for s in p.sizes] + p.controls + p.more
        }
        self.rows = {name: row for name, row in self.read().items() if self.known(name)}
        self.new = {}  # of this run

    def known(self, name):
        """Whether the table of the family still has it."""
        return name[0] == self.family.name and name[1:] in self.there

    @staticmethod
    def read():
        """What stands there: (family, proof, plant, size) -> row."""
        return {tuple(row[c] for c in COLUMNS[:4]): row for row in tools.read_record(RECORD)}

    def key(self, proof, size, plant):
        """Of all that a verdict follows from."""
        key = self.base.copy()
        key.update(
            repr(
                (
                    proof.top,
                    proof.sizes[size],
                    proof.kind,
                    proof.frames,
                    proof.cut,
                    proof.memory_free,
                    proof.init.get(size),
                    proof.assertions,
                    of_plant(self.plants.get(plant)),
                )
            ).encode()
        )
        return key.hexdigest()[:16]

    def find(self, proof, size, plant):
        """(verdict, seconds), or None: not known, or no verdict."""
        row = self.rows.get((self.family.name, proof.name, plant, size), {})
        good = row.get("key") == self.key(proof, size, plant) and row["verdict"] in ("proved", "refuted")
        return (row["verdict"], float(row["seconds"])) if good else None

    def keep(self, proof, size, plant, verdict, seconds):
        """Writes one down, also one that is no good."""
        row = {
            "family": self.family.name,
            "proof": proof.name,
            "plant": plant,
            "size": size,
            "verdict": verdict if verdict in ("proved", "refuted") else "no verdict",
            "seconds": f"{seconds:.1f}",
            "key": self.key(proof, size, plant),
            **self.stamp,
        }
        with self.lock:
            self.rows[name := tuple(row[c] for c in COLUMNS[:4])] = row
            self.new[name] = row
            self.write()

    def write(self):
        """The verdicts of this run, beside what other runs write, of this family or of others; without those of proofs,
        bugs and sizes that the family's table no longer has."""
        with open(tools.ROOT / "build/prove/lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = {n: row for n, row in self.read().items() if n[0] != self.family.name or self.known(n)} | self.new
            tools.write_record(RECORD, COLUMNS, [row for _, row in sorted(rows.items())])


def show(proof, sizes, controls):
    """Prints the verdicts of a proof; returns its row of the report."""
    good = all(r.verdict == "proved" for r in sizes.values()) and all(r.verdict == "refuted" for r in controls.values())
    text = "  ".join(
        f"{s} {r.words()}" + ("" if r.verdict == "proved" else f" [{r.verdict}]") for s, r in sizes.items()
    )
    print(f"{'proved' if good else 'FAILED'}  {proof.name:<14} {text}" + ("" if controls else "  (lemma)"))
    for (plant, size), r in controls.items():
        name = plant if size == next(iter(proof.sizes)) else f"{plant}@{size}"
        print(
            f"          control {name:<28} "
            f"{'refuted' if r.verdict == 'refuted' else f'NOT refuted [{r.verdict}]'} {r.words()}"
        )
    sys.stdout.flush()
    return {
        "name": proof.name,
        "what": proof.what,
        "proved": good,
        "seconds": {s: round(r.seconds, 1) for s, r in sizes.items()},
        "controls": {
            plant
            if size == next(iter(proof.sizes))
            else f"{plant}@{size}": {"refuted": r.verdict == "refuted", "size": size, "seconds": round(r.seconds, 1)}
            for (plant, size), r in controls.items()
        },
        "recorded": sum(r.recorded for r in [*sizes.values(), *controls.values()]),
    }


@dataclasses.dataclass
class Outcome:
    verdict: str
    seconds: float
    recorded: bool = False  # it was not run

    def words(self):
        return f"{self.seconds:.1f} s" + (" (recorded)" if self.recorded else "")


def settle(record, proof, size, plant, args):
    """One verdict, from the record or anew."""
    known = None if args.again else record.find(proof, size, plant)
    if known and not (args.quick and known[1] <= CHEAP):
        return Outcome(*known, recorded=True)
    outcome = Outcome(*prove_once(record.family, proof, size, plant))
    if not args.quick:
        record.keep(proof, size, plant, outcome.verdict, outcome.seconds)
    return outcome


def what_to_prove(proof, quick):
    """(sizes, controls)"""
    if not quick:
        return list(proof.sizes), proof.controls + proof.more
    sizes = list(proof.sizes)
    return [size for size in sizes[:: max(len(sizes) - 1, 1)] if size not in proof.slow], proof.controls[:QUICK]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=tools.families("proofs.toml"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--quick",
        action="store_true",
        help=f"first and last size, less the slow ones, {QUICK} control a proof; what is recorded and takes over "
        f"{CHEAP} s is not run: the suite's",
    )
    which.add_argument("--again", action="store_true", help="run also what is recorded")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="PROOF", help="only these proofs")
    args = parser.parse_intermixed_args()  # PROOF may follow the options
    family = Family(args.family)
    unknown = set(args.names) - {p.name for p in family.proofs}
    if unknown:
        tools.fail(
            f"unknown {', '.join(sorted(unknown))}; expected some of: {', '.join(p.name for p in family.proofs)}"
        )
    family.work.mkdir(parents=True, exist_ok=True)
    record = Record(family)
    if not args.quick:
        record.write()

    start = time.monotonic()
    jobs, report, left = [], [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for proof in family.proofs:
            if args.names and proof.name not in args.names:
                continue
            sizes, controls = what_to_prove(proof, args.quick)
            if not sizes:
                left.append(proof.name)
                continue
            jobs.append(
                (
                    proof,
                    {s: pool.submit(settle, record, proof, s, "", args) for s in sizes},
                    {(plant, size): pool.submit(settle, record, proof, size, plant, args) for plant, size in controls},
                )
            )
        for proof, sizes, controls in jobs:
            report.append(
                show(
                    proof,
                    {s: job.result() for s, job in sizes.items()},
                    {p: job.result() for p, job in controls.items()},
                )
            )
    seconds, recorded = time.monotonic() - start, sum(row["recorded"] for row in report)
    failures = sum(not row["proved"] for row in report)
    print(
        f"{len(report) - failures} of {len(report)} proofs, {sum(len(row['controls']) for row in report)} "
        f"controls, {seconds:.0f} s"
        + (f"; {recorded} verdicts of the same sources are recorded and were not run" if recorded else "")
        + (f"; without --quick also {', '.join(left)}" if left else "")
    )
    if args.json:
        tools.write_json(
            args.json, {"block": family.name, "seconds": round(seconds, 1), "failures": failures, "proofs": report}
        )
    return 1 if failures or not report else 0


if __name__ == "__main__":
    sys.exit(main())
