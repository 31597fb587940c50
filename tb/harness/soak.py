#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long lockstep runs without reset, with another seed every time: once a release, or whenever a machine is free.

tb/harness/soak.toml says what is run. The seed of a soak is one more than the last one in the record
(docs/results/soak.csv), so no soak repeats another; --seed runs one again. What is finished of a soak stands in
out/soak/SEED.jsonl: a soak that was stopped goes on where it was. When all runs are done, a line for each is added to
the record. A mismatch, or a run that compared nothing, fails the soak; its shrunk stimulus is in out/soak.

tb/harness/lockstep.toml with docs/results/lockstep.csv is the same for short runs of every unit at every level and size
(./dev lockstep).

  soak.py PROGRAM [--seed N] [--scale X] [--only BLOCK] [--table FILE] [--record FILE] [--out DIR] [--fresh]

--scale multiplies the transactions (a first look: 0.01); such a soak, and one with --only, is not recorded. --slurm and
--print-tasks make every run a job of a cluster; the last one judges and writes the record.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tomllib

sys.dont_write_bytecode = True
import jobs  # noqa: E402
import tools  # noqa: E402

COLUMNS = [
    "seed",
    "block",
    "device",
    "size",
    "arguments",
    "traffic",
    "resets",
    "transactions",
    "compared",
    "cycles",
    "mismatches",
    "coverage",
    "verdict",
    "version",
    "date",
]


def recorded_seeds(record):
    return [int(row["seed"]) for row in tools.read_record(record)]


def tasks(table, only, scale):
    for run in tomllib.loads(table.read_text())["run"]:
        if only and run["block"] != only:
            continue
        for device in run.get("devices", ["rtl"]):
            for size in run["sizes"]:
                name, _, value = size.partition("=")
                words = [
                    "--block",
                    run["block"],
                    "--device",
                    device,
                    *run.get("arguments", []),
                    *(run.get("size_option", "--size {}").format(value or name).split() if name else []),
                ]
                yield {
                    "block": run.get("unit", run["block"]),
                    "device": device,
                    "size": name,
                    "arguments": " ".join(run.get("arguments", [])),
                    "traffic": run["traffic"],
                    "resets": run.get("resets", False),
                    "transactions": max(1, int(run["transactions"] * scale)),
                    "words": words,
                }


def run(program, task, seed, out):
    """One task in the program; its line of the record, or None when it was stopped."""
    result = out / "last.json"
    result.unlink(missing_ok=True)
    command = [
        program,
        "cosim",
        *task["words"],
        "--traffic",
        task["traffic"],
        "--transactions",
        str(task["transactions"]),
        "--seed",
        str(seed),
        "--artifacts",
        str(out),
        "--json",
        str(result),
    ] + ([] if task["resets"] else ["--one-reset"])
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode == 130:
        return None
    if not result.exists():
        return task | {
            "seed": seed,
            "compared": 0,
            "cycles": 0,
            "mismatches": 0,
            "verdict": f"error: {done.stderr.strip()}",
        }
    found = json.loads(result.read_text())
    passed = (
        done.returncode == 0 and found["verdict"] == "pass" and found["compared"] > 0
    )  # of units that take many cycles each, cosim bounds the cycles
    coverage = found.get("coverage", {}).get("percent")
    return task | {
        "seed": seed,
        "compared": found["compared"],
        "cycles": found["cycles"],
        "mismatches": found["mismatches"],
        "verdict": "pass" if passed else "fail",
        "coverage": "" if coverage is None else f"{coverage:.1f}",
        "version": found["version"],
    }


def read_journal(journal):
    """What is finished; a line that a kill has cut off is run again."""
    finished = []
    for line in journal.read_text().splitlines() if journal.exists() else []:
        try:
            finished.append(json.loads(line))
        except json.JSONDecodeError:
            print(f"soak: {journal}: a line is cut off, its run is made again", file=sys.stderr)
    return finished


def cut_off(journal):
    text = journal.read_text() if journal.exists() else ""
    return text != "" and not text.endswith("\n")


def add_to_record(record, lines):
    date = tools.stamp()["date"]  # the commit is in the version
    rows = tools.read_record(record) + [line | {"date": date} for line in lines]  # older ones have fewer columns
    tools.write_record(record, COLUMNS, rows)


def name_of(task):
    return " ".join(
        w
        for w in (task["block"], task["size"], task["arguments"], task["device"] if task["device"] != "rtl" else "")
        if w
    )


def run_one(o, task):
    """A job of a cluster; without a result where the program could not run."""
    out = o.out / f"job-{o.one}"
    out.mkdir(parents=True, exist_ok=True)
    line = run(o.program, task, o.seed, out)
    if line is None or line["verdict"].startswith("error"):
        print("soak: " + ("interrupted" if line is None else line["verdict"]), file=sys.stderr)
        return 130 if line is None else 1
    pathlib.Path(o.result).write_text(json.dumps(line))
    return 0 if line["verdict"] == "pass" else 1


def hand_out(o, seed, todo):
    same = [
        sys.executable,
        str(pathlib.Path(__file__).resolve()),
        str(o.program.resolve()),
        "--seed",
        str(seed),
        "--scale",
        str(o.scale),
        "--table",
        str(o.table),
        "--record",
        str(o.record),
        "--out",
        str(o.out),
    ] + (["--only", o.only] if o.only else [])
    list_ = [
        {
            "name": name_of(task),
            "work": task["transactions"] / 20_000,
            "command": same + ["--one", str(number), "--result", "{result}"],
        }
        for number, task in enumerate(todo)
    ]
    merge = same + ["--results", "{results}"] + (["--drawn"] if o.seed is None else [])
    return jobs.hand_out(o.program, o.out / f"{seed}.soak", list_, merge, o)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", metavar="BLOCK")
    parser.add_argument("--table", type=pathlib.Path, default=tools.ROOT / "tb/harness/soak.toml")
    parser.add_argument("--record", type=pathlib.Path, default=tools.ROOT / "docs/results/soak.csv")
    parser.add_argument("--out", type=pathlib.Path, default=tools.ROOT / "out/soak")
    parser.add_argument("--fresh", action="store_true", help="forget what was finished of this soak")
    jobs.add_options(parser)
    for name in (
        "--one",
        "--result",
        "--results",
    ):  # of a job: its number and where its line goes; of the last one: what they have found
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument(
        "--drawn", action="store_true", help=argparse.SUPPRESS
    )  # the seed is the next one of the record
    o = parser.parse_args()
    todo = list(tasks(o.table, o.only, o.scale))
    if not todo:
        sys.exit(f"soak: no run of block {o.only} in {o.table}")
    if o.one is not None:
        return run_one(o, todo[int(o.one)])
    whole = o.scale == 1 and not o.only
    seed = o.seed if o.seed is not None else max(recorded_seeds(o.record), default=0) + 1
    if jobs.wanted(o):
        return hand_out(o, seed, todo)
    o.out.mkdir(parents=True, exist_ok=True)
    journal = o.out / f"{seed}.jsonl"
    if o.fresh:
        journal.unlink(missing_ok=True)
    finished = read_journal(journal)
    if o.results:
        finished = [found["result"] for found in json.loads(pathlib.Path(o.results).read_text())]
    key = lambda line: tuple(
        line.get(k) for k in ("block", "device", "size", "arguments", "traffic", "resets", "transactions")
    )
    known = {key(line): line for line in finished}
    lines = []
    for number, task in enumerate(todo, 1):
        line = known.get(key(task))
        if line is None:
            line = run(o.program, task, seed, o.out)
            if line is None:
                print("soak: interrupted; the same command goes on here", file=sys.stderr)
                return 130
            with journal.open("a") as file:
                file.write(("\n" if cut_off(journal) else "") + json.dumps(line) + "\n")
        lines.append(line)
        print(
            f"[{number}/{len(todo)}] seed {seed}: {name_of(task)}, {task['transactions']} transactions, "
            f"{line['cycles']} cycles: {line['verdict']}",
            flush=True,
        )
    if whole and (o.seed is None or o.drawn):
        add_to_record(o.record, lines)
    return 0 if all(line["verdict"] == "pass" for line in lines) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
