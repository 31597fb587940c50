#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks, with settings that nobody thought of in a test: what is compared must be the same.

Number N draws a network, its settings and faults, and one of
  crosscheck   the engine and the network of SystemC routers (dragonfly, torus, fat-tree)
  net          a run, and the same one with threads, over ranks, or from the checkpoint of a run that was killed
A call that the program refuses (exit code 2) has to say why in one line. Everything else that ends with another code
than the run it is compared with, or with a crosscheck's 1, is a finding: its command is printed.

  random_networks.py PROGRAM [--seconds 600] [--from N] [--count N] [--kind crosscheck|net] [--plant NAME]
                     [--record FILE]

The record has a row for each call: numbers, what was compared, what was refused, findings. The next call goes on behind
it. --plant: of the SystemC side; every crosscheck that it fits has to find it.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = ["kind", "first", "last", "compared", "refused", "findings", "date", "commit"]
LONGEST = 300  # seconds, of a run
OWN = {  # of a run: what a second one need not have alike
    "command_line", "cpu_seconds", "cycles_per_s", "exchange", "flit_hops_per_s", "memory_bytes", "ranks", "seconds",
    "threads",
}  # fmt: skip

# An option is drawn with a probability of one of its values. "" has no value.
COMMON = [
    (0.2, "--switching", ["wormhole"]),
    (0.25, "--phases", [1, 3, 4]),
    (0.35, "--packet", [2, 3, 5, 8, 16]),
    (0.15, "--fifo", [1, 4, 16]),
    (0.2, "--live-traffic", [""]),
]
DRAGONFLY = [
    (0.3, "--local-latency", [1, 2, 3, 5, 20]),
    (0.3, "--global-latency", [5, 10, 30, 150]),
    (0.2, "--local-buffer", [4, 8, 64]),
    (0.2, "--global-buffer", [8, 64, 256]),
    (0.2, "--node-buffer", [2, 4, 8]),
    (0.15, "--interval", [1, 5, 40]),
    (0.15, "--pcs", [1, 2, 60]),
    (0.2, "--recovery", ["port_level"]),
    (0.2, "--mode", ["paper"]),
    (0.2, "--pipelined", [""]),
    (0.15, "--minimal-router", ["printed"]),
    (0.15, "--neighbours", ["lowest"]),
    (0.1, "--turn-cycles", [1, 16]),
    (0.3, "--traffic", ["adv+1", "adv+2", "rp"]),
]
MESH = [
    (0.3, "--traffic", ["tornado", "transpose", "neighbor"]),
    (0.2, "--selection", ["random", "most-credits"]),
    (0.2, "--vc-reuse", ["empty", "tail"]),
]
TORUS = [(0.2, "--rule", ["any", "dim"]), (0.3, "--local-latency", [1, 2, 5, 20]), (0.2, "--depth", [8, 16, 64])]
TREE = [
    (0.2, "--mode", ["paper"]),
    (0.2, "--pick", ["exclude", "bounce"]),
    (0.2, "--turn-leaf", ["next", "common"]),
    (0.2, "--service", [10, 100, 2000]),
]
ROUTINGS = {
    "dragonfly": "doar doar doar_stable min val ugal_l ugal_g tpr par par_ph",
    "mesh": "duato dyxy footprint dor dbra d2ra dyxy_d2ra footprint_d2ra",
    "torus": "torus_safe6_ring torus_safe6 torus_safe6_short torus_safe4_ring torus_safe4 ecube torus_adaptive "
    "torus_boxes torus_duato torus_up_down",
    "fat_tree": "ft_a vtftr vtftr vtftr_adaptive vtftr_k xy",
}
WITH_HARDWARE = {
    "dragonfly": "doar doar_stable",
    "torus": "torus_safe6_ring torus_safe6 torus_safe4_ring torus_safe4",
    "fat_tree": "vtftr",
}
FAULTS = {
    "dragonfly": ["random-links", "random-routers"],
    "torus": ["random-nodes", "random-links"],
    "fat_tree": ["random-leaves", "random-links"],
}


def some(r, options):
    """The options of a list that are drawn, as words."""
    words = []
    for probability, name, values in options:
        if r.random() < probability:
            words += [name] + [str(v) for v in [r.choice(values)] if v != ""]
    return words


def draw_network(r, kind):
    """(topology, words)"""
    name = r.choice(sorted(WITH_HARDWARE if kind == "crosscheck" else ROUTINGS))
    routing = r.choice((WITH_HARDWARE if kind == "crosscheck" else ROUTINGS)[name].split())
    if name == "dragonfly":
        p, a, h = r.randint(1, 3), r.randint(2, 5), r.randint(1, 3)
        words = ["--dragonfly", f"{p},{a},{h},{r.randint(2, min(a * h + 1, 14))}", *some(r, DRAGONFLY)]
        if routing.startswith("doar") and r.random() < 0.4:
            words += ["--route-compute", r.choice(["pipeline", "arrival"])]
    elif name == "mesh":
        words = ["--mesh", r.choice(["4x4", "3x5", "2x2x2", "8x8", "2x3x2x2"]), *some(r, MESH)]
        words += ["--vcs", r.choice("2345"), "--depth", r.choice("248")]
    elif name == "torus":
        size = r.choice(["4x4", "5x6", "3x3", "8x4", "6x6", "3x4x5", "4x4x4"])
        routing = "torus_boxes" if size.count("x") == 2 else routing
        words = ["--torus", size, *some(r, TORUS)]
    else:
        ways = ["manager", "never"] + ["broadcast", "at-once"] * (kind == "net")
        sizes = ["4,4,2,2", "3,4,2,2", "2,2,1,1", "4,4,2,1", "3,3,3,3"] + ["2,3,2,2,2"] * (kind == "net")
        words = ["--fat-tree", r.choice(sizes), *some(r, TREE), *some(r, [(0.3, "--reconfigure", ways)])]
    words += ["--routing", routing, "--load", r.choice(["0.05", "0.2", "0.4", "0.6", "0.9"])]
    return name, words + ["--seed", str(r.randint(1, 10**6)), *some(r, COMMON)]


def draw_faults(r, name, routing, cycles):
    """Faults of the first half of a run, and repairs, of routings whose tables they change."""
    if name not in FAULTS or r.random() < 0.3 or (name == "dragonfly" and not routing.startswith("doar")):
        return []
    words = []
    for _ in range(r.choice([1, 1, 2])):
        words += ["--fail", f"{r.choice(FAULTS[name])}:{r.randint(1, 3)}@{r.randint(50, cycles // 2)}"]
    if name != "torus" and r.random() < 0.5:
        words += ["--repair", "all", "--repair-at", str(cycles - 100)]
    return words


def draw(kind, number):
    """(words of the command, how it is done once more)"""
    r = random.Random(f"{kind} {number}")
    name, words = draw_network(r, kind)
    cycles = r.choice([800, 1500, 3000])
    faults = draw_faults(r, name, words[words.index("--routing") + 1], cycles)
    if kind == "crosscheck":
        faults = ["--random-faults"] if r.random() < 0.5 else faults
        return ["crosscheck", *words, "--cycles", str(cycles), *faults], ""
    run = ["--warmup", str(r.choice([0, 300])), "--cycles", str(cycles), "--drain", "2500", "--watchdog", "1500"]
    again = r.choice(["threads", "checkpoint", "checkpoint", "ranks"])
    return ["net", *words, *run, *faults, *some(r, [(0.3, "--timeline", [100])])], again


def comparable(value):
    """A result without what is a run's own."""
    if isinstance(value, dict):
        return {k: comparable(v) for k, v in value.items() if k not in OWN}
    return [comparable(v) for v in value] if isinstance(value, list) else value


class Runner:
    """Runs commands of the program in a folder of their own."""

    def __init__(self, program, folder, plant):
        self.program, self.folder, self.plant = program, folder, plant
        ranks = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.environment = os.environ | ranks

    def run(self, words, before=()):
        """(exit code or "no end", what it says on stderr)"""
        command = [*before, self.program, *words]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return "no end", ""
        return done.returncode, done.stderr.strip()

    def result(self, name):
        """What a run has written, and the file is gone."""
        file = self.folder / name
        if not file.exists():
            return None
        value = comparable(json.loads(file.read_text()))
        file.unlink()
        return value

    def killed(self, words, seconds):
        """A run with checkpoints is killed; whether it has left one."""
        state = self.folder / "net.state"
        shutil.rmtree(state) if state.is_dir() else state.unlink(missing_ok=True)  # of ranks, of one process
        run = subprocess.Popen(
            [self.program, *words, "--checkpoint", state, "--checkpoint-every", "400"],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        run.kill()
        run.wait()
        return state.exists()

    def once_more(self, words, again, number):
        """(code, result) of the same run another way, or None when there is no such way."""
        if again == "threads":
            code, said = self.run([*words, "--threads", "3", "--json", "b.json"])
        elif again == "ranks" and shutil.which("mpirun"):
            code, said = self.run([*words, "--json", "b.json"], ["mpirun", "--oversubscribe", "-n", "2"])
            if code == 2 and "domain" in said:
                return None
        elif again == "checkpoint" and self.killed(words, [0.02, 0.05, 0.1, 0.3][number % 4]):
            code, said = self.run([*words, "--resume", "net.state", "--json", "b.json"])
        else:
            return None
        return code, self.result("b.json")

    def try_number(self, kind, number):
        """ "compared", "refused" or what was found."""
        words, again = draw(kind, number)
        planted = ["--plant", self.plant] if self.plant else []
        json_file = ["--json", "a.json"] if kind == "net" else []
        code, said = self.run([*words, *planted, *json_file])
        if code == 2:
            return "refused" if "\n" not in said else f"not one line: {said}"
        if kind == "crosscheck":
            wanted = 1 if self.plant else 0
            return "compared" if code == wanted else f"exit code {code}, expected {wanted}: {said}"
        if code not in (0, 1):
            return f"exit code {code}: {said}"
        first = self.result("a.json")
        second = self.once_more(words, again, number)
        if second is not None and second[0] != code:
            return f"{again}: exit code {second[0]}, expected {code}"
        return "compared" if second in (None, (code, first)) else f"{again}: another result"


def read_record(file):
    return list(csv.DictReader(file.open())) if file and file.exists() else []


def write_record(file, rows):
    with open(f"{file}.tmp", "w", newline="") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    os.replace(f"{file}.tmp", file)


def campaign(args, kind, program, folder):
    """Numbers of a kind until the time or the count is over; its row of the record."""
    known = [int(row["last"]) for row in read_record(args.record) if row["kind"] == kind]
    first = args.first if args.first is not None else max(known, default=0) + 1
    runner = Runner(program, folder, args.plant if kind == "crosscheck" else "")
    row = {"kind": kind, "first": first, "last": first - 1, "compared": 0, "refused": 0, "findings": 0}
    end = time.monotonic() + args.seconds
    try:
        while time.monotonic() < end and (args.count is None or row["last"] < first + args.count - 1):
            number = row["last"] + 1
            outcome = runner.try_number(kind, number)
            row["last"] = number
            row[outcome if outcome in row else "findings"] += 1
            if outcome not in row:
                print(f"{kind} {number}: {outcome}\n  odonata {' '.join(draw(kind, number)[0])}", flush=True)
    except KeyboardInterrupt:
        args.interrupted = True
    print(
        "{kind}: numbers {first} to {last}, {compared} compared, {refused} refused, {findings} findings".format(**row)
    )
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600, help="for each kind (default 600)")
    parser.add_argument("--from", dest="first", type=int, metavar="N", help="the first number")
    parser.add_argument("--count", type=int, metavar="N", help="so many numbers at most")
    parser.add_argument("--kind", choices=["crosscheck", "net"])
    parser.add_argument("--plant", default="", metavar="NAME")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    args.interrupted = False
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    commit = subprocess.run(["git", "rev-parse", "--short=9", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in [args.kind] if args.kind else ["crosscheck", "net"]:
            if not args.interrupted:
                rows.append(campaign(args, kind, args.program.resolve(), pathlib.Path(folder)))
    if args.record and not args.plant:
        more = {"date": str(datetime.date.today()), "commit": commit.strip()}
        rows_done = [row | more for row in rows if row["last"] >= row["first"]]
        write_record(args.record, read_record(args.record) + rows_done)
    if args.interrupted:
        return 130
    return 1 if any(row["findings"] for row in rows) or not all(row["compared"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
