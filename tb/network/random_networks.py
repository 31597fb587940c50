#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks, with settings that nobody thought of in a test: what is compared must be the same.

Number N draws a network, its settings, traffic or programs and faults (random_draws.py), and one of
  crosscheck   the engine and the network of SystemC routers (dragonfly, torus, fat-tree)
  net          a run, and the same one with threads, over ranks, from the checkpoint of a run that was killed, or with
               its options from a file
  graph        the same, of a network from a file
  plane        the fault plane's model, SystemC and, in one router, RTL, with scripts of failures and repairs
  rtl          RTL in the loop: routers in SystemC's network; or a run of the engine with a unit, and one without it
A call that the program refuses (exit code 2) has to say why in one line. Everything else that ends with another code
than the run it is compared with, or with a crosscheck's 1, is a finding: its command is printed.

  random_networks.py PROGRAM [--seconds 600] [--from N] [--count N] [--kind KIND] [--plant NAME] [--record FILE]

The record has a row for each call: numbers, what was compared, what was refused, findings. The next call goes on behind
it. --plant: of the SystemC side; every crosscheck that it fits has to find it.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
import tools  # noqa: E402
from random_draws import KINDS, draw  # noqa: E402

COLUMNS = ["kind", "first", "last", "compared", "refused", "findings", "date", "commit"]
LONGEST = 300  # seconds, of a run
NUMBER = re.compile(r"-?\d+(\.\d+)?")
OWN = {  # of a run: what a second one need not have alike
    "command_line", "compared", "cpu_seconds", "cycles_per_s", "device", "exchange", "flit_hops_per_s", "memory_bytes",
    "ranks", "seconds", "threads",
}  # fmt: skip


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
        """(exit code or "no end", what it says on stderr); stdout stays in `said`."""
        command = [*before, self.program, *words]
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return "no end", ""
        self.said = done.stdout
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
        elif again == "file":
            (self.folder / "options.toml").write_text(as_toml(words))
            code, said = self.run([words[0], "--config", "options.toml", "--json", "b.json"])
        elif again == "alone":
            code, said = self.run([*words[: words.index("--device")], "--json", "b.json"])
        else:
            return None
        return code, self.result("b.json")

    def try_number(self, kind, number):
        """ "compared", "refused" or what was found."""
        drawn = draw(kind, number)
        for name, text in drawn.files.items():
            (self.folder / name).write_text(text)
        words, command = drawn.words, drawn.words[0]
        planted = ["--plant", self.plant] if self.plant else []
        json_file = ["--json", "a.json"] if command != "crosscheck" else []
        code, said = self.run([*words, *planted, *json_file])
        if code == 2:
            return "refused" if "\n" not in said else f"not one line: {said}"
        if command == "crosscheck" and not planted and code == 1 and "no service was compared" in self.said:
            return "refused"  # the faults are far from whole routers beside the engine
        if command == "crosscheck":
            wanted = 1 if self.plant else 0
            return "compared" if code == wanted else f"exit code {code}, expected {wanted}: {said}"
        if code not in (0, 1):
            return f"exit code {code}: {said}"
        first = self.result("a.json")
        if first is None:
            return "no result"
        if command == "fault":
            return judge_plane(words, code, first)
        return self.compare(drawn, number, code, first)

    def compare(self, drawn, number, code, first):
        """A run and the same one another way."""
        if drawn.again == "alone" and "Nothing was compared" in self.said:
            return "refused"
        second = self.once_more(drawn.words, drawn.again, number)
        if second is not None and second[0] != code:
            return f"{drawn.again}: exit code {second[0]}, expected {code}"
        return "compared" if second in (None, (code, first)) else f"{drawn.again}: another result"


def as_toml(words):
    """The options of a command as a file for --config."""
    options, name = {}, ""
    for word in words[1:]:
        if word.startswith("--"):
            name = word[2:]
            options.setdefault(name, [])
        else:
            options[name].append(word)
    lines = []
    for name, values in options.items():
        written = [v if NUMBER.fullmatch(v) else json.dumps(v) for v in values]
        value = "true" if not written else written[0] if len(written) == 1 else f"[{', '.join(written)}]"
        lines.append(f"{name} = {value}\n")
    return "".join(lines)


def judge_plane(words, code, result):
    """Of a run of the fault plane. Recovery port_level may leave options that never come back (docs/readings.md §5.10),
    and packets may be lost where routers of a group are not within two links (docs/fault.md §7.4)."""
    verify, hardware = result["verify"], result.get("hardware")
    if hardware is None and words[words.index("--device") + 1] != "golden":
        return "no hardware"
    if hardware and (hardware["difference"] or hardware.get("rtl_different")):
        return f"SystemC or RTL: {hardware}"
    stuck = "port_level" in words and "--repair" in words
    if verify["closed_form"] != "equal" and not stuck:
        return f"closed form: {verify['closed_form']}"
    may_fail = stuck or not verify["condition"]
    return "compared" if may_fail or (code == 0 and verify["ok"]) else f"exit code {code}, {verify}"


def campaign(args, kind, program, folder):
    """Numbers of a kind until the time or the count is over; its row of the record."""
    record = tools.read_record(args.record) if args.record else []
    known = [int(row["last"]) for row in record if row["kind"] == kind]
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
                print(f"{kind} {number}: {outcome}\n  odonata {shlex.join(draw(kind, number).words)}", flush=True)
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
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--plant", default="", metavar="NAME")
    parser.add_argument("--record", type=pathlib.Path, metavar="FILE")
    args = parser.parse_args()
    args.interrupted = False
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    stamp = tools.stamp()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in [args.kind] if args.kind else KINDS:
            if not args.interrupted:
                rows.append(campaign(args, kind, args.program.resolve(), pathlib.Path(folder)))
    if args.record and not args.plant:
        rows_done = [row | stamp for row in rows if row["last"] >= row["first"]]
        tools.write_record(args.record, COLUMNS, tools.read_record(args.record) + rows_done)
    if args.interrupted:
        return 130
    return 1 if any(row["findings"] for row in rows) or not all(row["compared"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
