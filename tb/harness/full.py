#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lockstep at full size (63 ports), with models that take minutes to make: once a release, or when a machine is free.

tb/harness/full.toml lists the parts. Each is made (its models are no part of the build) and run, one after the other,
and gets its line in docs/results/full.csv at once: cycles, processor time of the run, date, commit, and a key of the
models and the test. What stands there as passed with the same key is not run again (--again: it is), so a campaign that
was stopped goes on where it was; the compilers' work is kept as well. A mismatch fails the campaign.

  full.py [--only PART] [--again] [--list]

The table: a [[part]] has `name`; `what`, in words; `models`, targets of the release build; `program`, the test program
that they are loaded by; `source`, its file; `test`, a filter of its tests.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
import threading
import time
import tomllib

import tools

BUILD = tools.ROOT / "build/release"
RECORD = tools.ROOT / "docs/results/full.csv"
COLUMNS = ["part", "verdict", "cycles", "seconds", "key", "date", "commit"]
EVERY = 60  # seconds between two lines of progress


def read_parts():
    table = tomllib.loads((tools.ROOT / "tb/harness/full.toml").read_text())
    for part in table["part"]:
        missing = {"name", "what", "models", "program", "source", "test"} - part.keys()
        if missing:
            tools.fail(f"tb/harness/full.toml: {part.get('name', '?')}: no {', '.join(sorted(missing))}")
    return table["part"]


def read_record():
    return {row["part"]: row for row in tools.read_record(RECORD)}


def keep(row):
    rows = read_record() | {row["part"]: row}
    tools.write_record(RECORD, COLUMNS, [row for _, row in sorted(rows.items())])


def say(text):
    print(text, flush=True)


def make(part):
    """Builds the models and the program; whether that went well. ninja's own lines are the progress."""
    program = part["program"].rsplit("/", 1)[-1]
    command = ["ninja", "-C", str(BUILD), *part["models"], program]
    if os.environ.get("JOBS"):
        command += ["-j", os.environ["JOBS"]]
    process = subprocess.Popen(command, cwd=tools.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines, shown = [], time.monotonic()
    for line in process.stdout:
        lines.append(line)
        if re.match(r"\[\d+/\d+\]", line) and time.monotonic() - shown > EVERY:
            say(f"  {line.strip()[:110]}")
            shown = time.monotonic()
    if process.wait():
        print("".join(lines[-40:]))
    return process.returncode == 0


def key_of(part):
    """Of what a verdict follows from: the models as they are made, and the test."""
    key = hashlib.sha256((tools.ROOT / part["source"]).read_bytes() + part["test"].encode())
    for model in part["models"]:
        key.update((BUILD / "rtl_devices" / f"{model.removeprefix('device_')}.so").read_bytes())
    return key.hexdigest()[:16]


def run(part):
    """(whether all tests of the part pass, what they print, seconds of processor time)"""
    process = subprocess.Popen(
        [BUILD / part["program"], f"--gtest_filter={part['test']}"],
        cwd=tools.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    start, done = time.monotonic(), threading.Event()

    def tell():
        while not done.wait(EVERY):
            say(f"  runs since {time.monotonic() - start:.0f} s")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    done.set()
    return process.returncode == 0, text, usage.ru_utime + usage.ru_stime


def settle(part, again):
    """One part, from the record or anew; whether it passed."""
    say("  models and the test program are made, if they are not there")
    if not make(part):
        say(f"FAILED  {part['name']}: it cannot be made")
        return False
    key, known = key_of(part), read_record().get(part["name"], {})
    if not again and known.get("key") == key and known["verdict"] == "pass":
        say(f"passed  {part['name']}: {known['cycles']} cycles on {known['date']} (recorded)")
        return True
    say("  runs")
    good, text, seconds = run(part)
    cycles = sum(int(n) for n in re.findall(r"^(?:\d+ ports: )?(\d+) cycles", text, re.M))
    ran = re.search(r"\[  PASSED  \] (\d+) test", text)
    good = good and cycles > 0 and ran is not None and int(ran[1]) > 0  # a filter that fits nothing passes nothing
    keep(
        {
            "part": part["name"],
            "verdict": "pass" if good else "fail",
            "cycles": cycles,
            "seconds": f"{seconds:.0f}",
            "key": key,
            **tools.stamp(),
        }
    )
    say(f"{'passed' if good else 'FAILED'}  {part['name']}: {cycles} cycles, {seconds:.0f} s of processor time")
    if not good:
        print(text[-4000:])
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="PART", help="one part of the table")
    parser.add_argument("--again", action="store_true", help="run also what is recorded")
    parser.add_argument("--list", action="store_true", help="show the parts and their records, run nothing")
    args = parser.parse_args()
    parts = [p for p in read_parts() if args.only in (None, p["name"])]
    if not parts:
        tools.fail(f"--only {args.only}: expected one of {', '.join(p['name'] for p in read_parts())}")
    if args.list:
        for part in parts:
            row = read_record().get(part["name"])
            seen = f"{row['verdict']}, {row['cycles']} cycles, {row['date']}, {row['commit']}" if row else "never run"
            print(f"{part['name']}: {part['what']} ({seen})")
        return 0
    passed = 0
    for number, part in enumerate(parts, 1):
        say(f"part {number} of {len(parts)}: {part['name']}, {part['what']}")
        passed += settle(part, args.again)
    say(f"{passed} of {len(parts)} parts")
    return 0 if passed == len(parts) else 1


if __name__ == "__main__":
    sys.exit(main())
