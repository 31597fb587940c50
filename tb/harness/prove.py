#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proofs of a family's RTL with yosys and berkeley-abc, each with its negative controls; tb/FAMILY/proofs.toml lists them.

A proof is a module (a miter) with one output `bad_o` that must never be 1. yosys writes it as an AIGER file, abc proves it:
  comb   no state: SAT with fraiging (`iprove`)
  seq    with state: k-induction on equivalent signals (`scorr`), the rest by property-directed reachability (`pdr`)
  assert the immediate assertions of RTL and miter in place of `bad_o`
A control is the same proof with a planted bug (tb/FAMILY/plants.toml): abc has to find a counterexample. A proof of which a control is not
refuted, a time-out, and an error of a tool all fail.

The table: `spec`, the files of the miters; `start`: "zero" (default: registers without reset start with 0; `bad_o` counts only after the first reset, and
what reset leaves alone is equal on both sides) or "any"; [sizes]: parameters by name. A [[proof]] has
  name, what       what: in words, for the report
  top              the miter
  sizes            size = {parameters}, or a list of names of [sizes], of which `parameters` says what the miter has
  set              parameters at all sizes
  controls         planted bugs, each at the first size or as "bug@size"; none for a lemma in which no RTL takes part
  more             further ones, tried without --quick; at least five together
  slow             sizes that --quick leaves out: they take most of the time
  kind, frames     as above; k of the induction
  cut              patterns of module names: what they put out may be anything
  memory_free      what is read of memories may be anything
  init             size -> {wire pattern = initial value}, where reset needs a second cycle
  assertions       kind assert: so many there are at least (default 2)

  prove.py FAMILY [--quick | --plants] [--jobs 2] [--json FILE] [PROOF...]

--plants tries the planted bugs only. What was tried before, with the same sources, is not tried again: a run that was stopped goes on. The verdicts stand
in docs/results/planted_proofs.csv.
"""
import argparse
import concurrent.futures
import csv
import dataclasses
import datetime
import hashlib
import json
import pathlib
import re
import sys
import time

import tools

SECONDS = 170      # of processor time, a run of a tool
MEMORY = 6 << 30   # bytes of its address space
MAX_FRAMES = 24    # of a counterexample
QUICK = 1          # controls of a proof with --quick
FEWEST = 5         # planted bugs of a proof
VERDICTS = tools.ROOT / "docs/results/planted_proofs.csv"
COLUMNS = ["family", "proof", "plant", "size", "verdict", "seconds", "date", "commit"]


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
                row["sizes"] = {n: {k: v for k, v in known[n].items() if wanted is None or k in wanted.split()} for n in row["sizes"]}
            row["sizes"] = {n: {**p, **more} for n, p in row["sizes"].items()}
            found = Proof(**row)
        except (KeyError, TypeError) as error:
            tools.fail(f"{where}: {error}")
        found.controls, found.more = ([(plant, size or next(iter(found.sizes))) for plant, _, size in (c.partition("@") for c in controls)]
                                      for controls in (found.controls, found.more))
        every = found.controls + found.more
        if found.kind not in ("comb", "seq", "assert") or any(size not in found.sizes for size in [*found.slow, *(size for _, size in every)]):
            tools.fail(f"{where}: unknown kind, or a control or slow size that is not among the sizes")
        if every and len(set(every)) < FEWEST:
            tools.fail(f"{where}: {len(set(every))} planted bugs, expected at least {FEWEST}")
        return found


def write_aiger(family, proof, size, rtl, stem):
    """An error, or nothing."""
    parameters = " ".join(f"-set {k} {v}" for k, v in proof.sizes[size].items())
    script = [f"read_verilog -sv -defer {'-formal' if proof.kind == 'assert' else ''} " + " ".join(str(s) for s in rtl + family.spec),
              f"chparam {parameters} {proof.top}" if parameters else "", f"hierarchy -check -top {proof.top}",
              "cutpoint " + " ".join(f"t:*{m}*" for m in proof.cut) if proof.cut else "",
              "proc", "flatten",
              *[f"select -assert-min 1 w:{wire}; setattr -set init {value} w:{wire}" for wire, value in proof.init.get(size, {}).items()],
              "delete -output o:*" if proof.kind == "assert" else "",
              "memory_collect",
              "delete t:$mem*; setundef -undriven -anyseq" if proof.memory_free else "",
              "opt_expr", "opt_clean -purge", "memory_map", "async2sync",
              "setundef -zero -undriven" + (" -init" if proof.kind != "comb" and not family.any_start else ""),
              "techmap", "dffunmap", "setundef -zero", "aigmap", "opt_clean", f"write_aiger {'-zinit' if family.any_start else ''} {stem}.aig"]
    aig = pathlib.Path(f"{stem}.aig")
    aig.unlink(missing_ok=True)
    log = pathlib.Path(f"{stem}.yosys.log")
    if tools.run_limited(["yosys", "-p", "; ".join(s for s in script if s)], log, SECONDS, MEMORY) is None or not aig.exists():
        return f"yosys failed or was stopped, see {log}"
    return ""


def prove_once(family, proof, size, plant=""):
    """('proved' | 'refuted' | an error, seconds)"""
    start = time.monotonic()
    stem = family.work / f"{proof.name}.{size}{'.' + plant if plant else ''}"
    # a folder of its own: another proof with the same bug may read while this one writes
    rtl = tools.woven(family.name, family.rtl, plant, family.work / "woven" / stem.name) if plant else family.rtl
    verdict = write_aiger(family, proof, size, rtl, stem)
    if not verdict:
        if proof.kind == "comb":
            commands = "strash; iprove"
        elif plant:  # a counterexample of few cycles is looked for
            commands = f"orpos; strash; bmc3 -F {MAX_FRAMES}"
        else:
            commands = f"orpos; strash; lcorr; scorr -F {proof.frames}; print_stats; pdr"
        log = pathlib.Path(f"{stem}.abc.log")
        text = tools.run_limited(["berkeley-abc", "-c", f"read_aiger {stem}.aig; print_stats; {commands}"], log, SECONDS, MEMORY) or ""
        if "UNSATISFIABLE" in text or "Property proved" in text:
            verdict = "proved"
        elif re.search(r"^SATISFIABLE", text, re.M) or "was asserted in frame" in text:
            verdict = "refuted"
        else:
            verdict = f"no verdict, see {log}"
        outputs = re.search(r"i/o = *\d+/ *(\d+)", text)
        if proof.kind == "assert" and outputs and int(outputs[1]) < proof.assertions:
            verdict = f"{outputs[1]} assertions, expected {proof.assertions}"
    return verdict, time.monotonic() - start


def show(proof, sizes, controls):
    """Prints the verdicts of a proof; returns its row of the report."""
    good = all(v == "proved" for v, _ in sizes.values()) and all(v == "refuted" for v, _ in controls.values())
    text = "  ".join(f"{s} {t:.1f} s" + ("" if v == "proved" else f" [{v}]") for s, (v, t) in sizes.items())
    print(f"{'proved' if good else 'FAILED'}  {proof.name:<14} {text}" + ("" if controls else "  (lemma)"))
    for (plant, _), (verdict, seconds) in controls.items():
        print(f"          control {plant:<28} {'refuted' if verdict == 'refuted' else f'NOT refuted [{verdict}]'} {seconds:.1f} s")
    sys.stdout.flush()
    return {"name": proof.name, "what": proof.what, "proved": good, "seconds": {s: round(t, 1) for s, (_, t) in sizes.items()},
            "controls": {plant if size == next(iter(sizes)) else f"{plant}@{size}": {"refuted": v == "refuted", "size": size, "seconds": round(t, 1)}
                         for (plant, size), (v, t) in controls.items()}}


def try_plants(family, names, jobs):
    """Every planted bug of every proof, those that were not tried before with these sources; 1 when one is not refuted."""
    memory = family.work / "tried.json"
    tried = json.loads(memory.read_text()) if memory.exists() else {}
    sources = hashlib.sha256(b"".join((tools.ROOT / s).read_bytes() for s in [*family.rtl, *family.spec]))
    plants = {p["name"]: p for p in tools.read_table(family.name, "plants.toml", ["plant"])["plant"]}
    commit = tools.run(["git", "rev-parse", "--short=9", "HEAD"]).strip()
    rows = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for proof in family.proofs:
            if names and proof.name not in names:
                continue
            for plant, size in proof.controls + proof.more:
                key = sources.copy()
                key.update(repr((dataclasses.replace(proof, controls=[], more=[]), size, plants.get(plant))).encode())
                known = tried.get(key.hexdigest())
                rows.append((proof.name, plant, size, key.hexdigest(), known or pool.submit(prove_once, family, proof, size, plant)))
        for proof, plant, size, key, result in rows:
            if not isinstance(result, dict):
                verdict, seconds = result.result()
                verdict = verdict if verdict in ("refuted", "proved") else "no verdict"
                tried[key] = result = {"verdict": verdict, "seconds": round(seconds, 1), "date": str(datetime.date.today()), "commit": commit}
                tools.write_json(memory, tried)
                print(f"{result['verdict']:<10} {proof:<14} {plant}@{size} {seconds:.1f} s", flush=True)
    found = {(proof, plant, size): tried[key] for proof, plant, size, key, _ in rows}
    keep_verdicts(family.name, found)
    failures = sum(result["verdict"] != "refuted" for result in found.values())
    print(f"{family.name}: {len(found) - failures} of {len(found)} planted bugs refute their proof")
    return 1 if failures or not found else 0


def keep_verdicts(family, found):
    """Writes them into VERDICTS, in the place of what stood there of these proofs."""
    rows = []
    if VERDICTS.exists():
        with open(VERDICTS, newline="") as file:
            rows = list(csv.DictReader(file))
    proofs = {proof for proof, _, _ in found}
    rows = [row for row in rows if row["family"] != family or row["proof"] not in proofs]
    rows += [{"family": family, "proof": proof, "plant": plant, "size": size, **result} for (proof, plant, size), result in found.items()]
    rows.sort(key=lambda row: (row["family"], row["proof"], row["plant"], row["size"]))
    with open(VERDICTS.with_suffix(".tmp"), "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    VERDICTS.with_suffix(".tmp").replace(VERDICTS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=tools.families("proofs.toml"))
    parser.add_argument("--plants", action="store_true", help="only the planted bugs, all of them; goes on after a kill")
    parser.add_argument("--quick", action="store_true", help=f"first and last size, less the slow ones, {QUICK} control a proof: what the suite runs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="PROOF", help="only these proofs")
    args = parser.parse_intermixed_args()  # PROOF may follow the options
    family = Family(args.family)
    unknown = set(args.names) - {p.name for p in family.proofs}
    if unknown:
        tools.fail(f"unknown {', '.join(sorted(unknown))}; expected some of: {', '.join(p.name for p in family.proofs)}")
    family.work.mkdir(parents=True, exist_ok=True)
    if args.plants:
        return try_plants(family, args.names, args.jobs)

    start = time.monotonic()
    jobs, report, left = [], [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for proof in family.proofs:
            if args.names and proof.name not in args.names:
                continue
            sizes = list(proof.sizes)
            if args.quick:
                sizes = [size for size in sizes[:: max(len(sizes) - 1, 1)] if size not in proof.slow]
                if not sizes:
                    left.append(proof.name)
                    continue
                proof = dataclasses.replace(proof, controls=proof.controls[:QUICK])
            else:
                proof = dataclasses.replace(proof, controls=proof.controls + proof.more)
            jobs.append((proof, {s: pool.submit(prove_once, family, proof, s) for s in sizes},
                         {(plant, size): pool.submit(prove_once, family, proof, size, plant) for plant, size in proof.controls}))
        for proof, sizes, controls in jobs:
            report.append(show(proof, {s: job.result() for s, job in sizes.items()}, {p: job.result() for p, job in controls.items()}))
    seconds = time.monotonic() - start
    failures = sum(not row["proved"] for row in report)
    print(f"{len(report) - failures} of {len(report)} proofs, {sum(len(row['controls']) for row in report)} controls, {seconds:.0f} s"
          + (f"; without --quick also {', '.join(left)}" if left else ""))
    if args.json:
        tools.write_json(args.json, {"block": family.name, "seconds": round(seconds, 1), "failures": failures, "proofs": report})
    return 1 if failures or not report else 0


if __name__ == "__main__":
    sys.exit(main())
