# SPDX-License-Identifier: Apache-2.0
"""Proofs with yosys and berkeley-abc, each with its negative control. tb/<block>/formal/prove lists the proofs of a block.

A proof is a module (a miter) with one output `bad_o` that must never be 1. yosys writes it as an AIGER file, abc proves it:
  comb   no state: SAT with fraiging (`iprove`)
  seq    with state: k-induction on equivalent signals (`scorr`), the rest by property-directed reachability (`pdr`)
  assert the immediate assertions of the RTL itself (`ifdef FORMAL`) in place of `bad_o`
The negative control of a proof is the same proof with a planted bug (tb/<block>/plants.toml): abc has to find a counterexample. A proof whose
control is not refuted, a time-out, and an error of a tool all fail.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class Proof:
    name: str
    what: str                 # in words, for the report
    top: str                  # the miter
    sizes: dict               # size name -> module parameters
    control: str = ""         # name of the planted bug that must break it; "" for a lemma in which no RTL takes part
    control_size: str = ""
    kind: str = "comb"        # comb, seq, assert
    frames: int = 1           # seq: k of the induction
    cut: tuple = ()           # module name patterns whose outputs may be anything
    memory_free: bool = False  # reads of memories may be anything
    init: dict = dataclasses.field(default_factory=dict)  # wire pattern -> initial value (size -> value), where reset needs a second cycle


@dataclasses.dataclass
class Setup:
    block: str
    rtl: list                 # sources, relative to ROOT
    spec: list
    work: pathlib.Path
    timeout: int = 170        # seconds of processor time for a tool run: a loaded machine changes no verdict
    memory: int = 6 << 30     # bytes of address space for a tool run


def run_tool(setup, command, log):
    """Output of a tool under limits of time and memory; None when it was stopped or failed."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (setup.memory, setup.memory))
        resource.setrlimit(resource.RLIMIT_CPU, (setup.timeout, setup.timeout))
        os.nice(5)
    with open(log, "w") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, preexec_fn=limit, check=False).returncode
    return log.read_text() if code == 0 else None


def plant_number(block, name):
    plants = tomllib.loads((ROOT / f"tb/{block}/plants.toml").read_text())["plant"]
    for number, plant in enumerate(plants, start=1):
        if plant["name"] == name:
            return number
    sys.exit(f"prove: there is no planted bug '{name}' in tb/{block}/plants.toml")


def woven(setup, plant):
    """The RTL with one planted bug as a constant."""
    out = setup.work / "woven" / plant
    subprocess.run([sys.executable, ROOT / "tb/harness/weave.py", "--plants", ROOT / f"tb/{setup.block}/plants.toml", "--root", ROOT, "--out", out,
                    "--block", setup.block, "--select", str(plant_number(setup.block, plant))] + [ROOT / s for s in setup.rtl], check=True)
    return [out / "odonata_plant_pkg.sv"] + [out / s for s in setup.rtl]


def write_aiger(setup, proof, size, rtl, stem):
    sources = " ".join(str(s) for s in rtl + ([ROOT / s for s in setup.spec] if proof.kind != "assert" else []))
    parameters = " ".join(f"-set {k} {v}" for k, v in proof.sizes[size].items())
    script = [f"read_verilog -sv -defer {'-formal' if proof.kind == 'assert' else ''} {sources}",
              f"chparam {parameters} {proof.top}" if parameters else "", f"hierarchy -check -top {proof.top}",
              "cutpoint " + " ".join(f"t:*{m}*" for m in proof.cut) if proof.cut else "",
              "proc", "flatten",
              *[f"setattr -set init {values[size]} w:{wire}" for wire, values in proof.init.items()],
              "delete -output o:*" if proof.kind == "assert" else "",
              "memory_collect",
              "delete t:$mem*; setundef -undriven -anyseq" if proof.memory_free else "",
              "opt_expr", "opt_clean -purge", "memory_map",
              # Registers start at 0: `bad_o` counts only after the first reset, and what reset leaves alone is equal on both sides.
              "setundef -zero -undriven" + (" -init" if proof.kind != "comb" else ""),
              "techmap", "dffunmap", "setundef -zero", "aigmap", f"write_aiger {stem}.aig"]
    aig = pathlib.Path(f"{stem}.aig")
    aig.unlink(missing_ok=True)
    log = pathlib.Path(f"{stem}.yosys.log")
    if run_tool(setup, ["yosys", "-p", "; ".join(s for s in script if s)], log) is None or not aig.exists():
        return f"yosys failed or was stopped, see {log}"
    return ""


def prove_once(setup, proof, size, plant=""):
    """('proved' | 'refuted' | an error, seconds)"""
    start = time.monotonic()
    rtl = woven(setup, plant) if plant else [ROOT / s for s in setup.rtl]
    stem = setup.work / f"{proof.name}.{size}{'.' + plant if plant else ''}"
    error = write_aiger(setup, proof, size, rtl, stem)
    if not error:
        if proof.kind == "comb":
            commands = "strash; iprove"
        elif plant:  # a counterexample of few cycles is looked for, first without, then with help
            commands = "orpos; strash; bmc3 -F 24"
        else:
            commands = f"orpos; strash; lcorr; scorr -F {proof.frames}; print_stats; pdr"
        log = pathlib.Path(f"{stem}.abc.log")
        text = run_tool(setup, ["berkeley-abc", "-c", f"read_aiger {stem}.aig; print_stats; {commands}"], log) or ""
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
        if "UNSATISFIABLE" in text or "Property proved" in text:
            error = "proved"
        elif re.search(r"^SATISFIABLE", text, re.M) or "was asserted in frame" in text:
            error = "refuted"
        else:
            error = f"no verdict, see {log}"
        outputs = re.search(r"i/o = *\d+/ *(\d+)", text)
        if proof.kind == "assert" and outputs and int(outputs[1]) < 2:
            error = "no assertions found"
    return error, time.monotonic() - start


def main(setup, proofs):
    parser = argparse.ArgumentParser(description=f"Proves the RTL of {setup.block} (yosys, berkeley-abc).")
    parser.add_argument("--quick", action="store_true", help="without the full size")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="only these proofs")
    args = parser.parse_args()
    unknown = set(args.names) - {p.name for p in proofs}
    if unknown:
        sys.exit(f"prove: unknown {', '.join(sorted(unknown))}; expected some of: {', '.join(p.name for p in proofs)}")
    for tool in ("yosys", "berkeley-abc"):
        if subprocess.run(["which", tool], capture_output=True).returncode:
            sys.exit(f"prove: {tool} is not installed (./dev setup)")
    setup.work.mkdir(parents=True, exist_ok=True)

    start = time.monotonic()
    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for proof in proofs:
            if args.names and proof.name not in args.names:
                continue
            sizes = [s for s in proof.sizes if not (args.quick and s == "full" and len(proof.sizes) > 1)]
            runs = {s: pool.submit(prove_once, setup, proof, s) for s in sizes}
            control = pool.submit(prove_once, setup, proof, proof.control_size or sizes[0], proof.control) if proof.control else None
            rows.append((proof, runs, control))
        failures = 0
        report = []
        for proof, runs, control in rows:
            results = {s: r.result() for s, r in runs.items()}
            refuted, control_seconds = control.result() if control else ("refuted", 0.0)
            good = all(v == "proved" for v, _ in results.values()) and refuted == "refuted"
            failures += not good
            text = "  ".join(f"{s} {t:.1f} s" + ("" if v == "proved" else f" [{v}]") for s, (v, t) in results.items())
            check = f"control {proof.control} {'' if refuted == 'refuted' else 'NOT '}refuted {control_seconds:.1f} s" if control else "lemma"
            if control and refuted not in ("refuted", "proved"):
                check += f" [{refuted}]"
            print(f"{'proved' if good else 'FAILED'}  {proof.name:<12} {text}  ({check})", flush=True)
            report.append({"name": proof.name, "what": proof.what, "proved": good, "control": proof.control, "control_seconds": round(control_seconds, 1),
                           "seconds": {s: round(t, 1) for s, (_, t) in results.items()}})
    seconds = time.monotonic() - start
    print(f"{len(rows) - failures} of {len(rows)} proofs, {seconds:.0f} s")
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps({"block": setup.block, "seconds": round(seconds, 1), "failures": failures, "proofs": report}, indent=2) + "\n")
    if not rows:
        sys.exit("prove: nothing was proved")
    sys.exit(1 if failures else 0)
