#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs in golden models and runs the test that has to catch each.

Golden models are what everything is compared with, so a bug in one is found by its oracle or by nobody. golden_plants.toml lists, for each [[plant]]:
  part     what it belongs to
  what     the bug in words
  file     the source; `find` stands exactly once in it and becomes `replace`
  test     the test program that has to fail
A changed copy of the file is compiled as the build compiles the file, the test program is linked with it in the place of the original, and run. The
same copy without the bug has to pass, with at least one test run: else the test fails for another reason, or tests nothing.

  golden_plants.py BUILD [--only PART] [--table FILE]
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compile_command(build, file, source, target):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if pathlib.Path(entry["file"]) == ROOT / file:
            words = shlex.split(entry["command"])
            words[words.index("-o") + 1] = str(target)
            words[words.index("-c") + 1] = str(source)
            return [w for w in words if not w.endswith("ccache")]
    sys.exit(f"golden_plants: {file} is not in the build")


def link_command(build, test, own, target):
    """The link of the test program with one more object in front of the libraries, so that the libraries' own is not taken."""
    lines = subprocess.run(["ninja", "-C", str(build), "-t", "commands", test], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in reversed(lines):
        link = re.search(r"(\S*clang\+\+|\S*g\+\+)\S* [^&]* -o (\S+/)?" + re.escape(test) + r" [^&]*", line)
        if link:
            words = shlex.split(link.group(0))
            at = words.index("-o")
            words[at + 1] = str(target)
            return words[:at] + [str(own)] + words[at:]
    sys.exit(f"golden_plants: no link of {test} in the build")


def outcome(build, plant, text, folder):
    """How the test program ends with `text` as the file: "passed N", "failed N" or an error of the tools."""
    source, own, program = folder / "planted.cpp", folder / "planted.o", folder / plant["test"]
    source.write_text(text)
    for command in (compile_command(build, plant["file"], source, own), link_command(build, plant["test"], own, program)):
        done = subprocess.run(command, cwd=build, capture_output=True, text=True)
        if done.returncode != 0:
            return "error: " + done.stderr.strip().splitlines()[0]
    try:
        done = subprocess.run([program, "--gtest_brief=1"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "error: no end after two minutes"
    ran = re.search(r"(\d+) tests? from .* ran", done.stdout)
    if done.returncode != 0:
        return "failed"
    return f"passed {ran.group(1)}" if ran and int(ran.group(1)) > 0 else "error: no test ran"


def try_plant(build, plant):
    """Empty when the bug is caught, else why not."""
    text = (ROOT / plant["file"]).read_text()
    if text.count(plant["find"]) != 1:
        return f"'{plant['find']}' stands {text.count(plant['find'])} times in {plant['file']}, expected once"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        clean = outcome(build, plant, text, folder)
        if not clean.startswith("passed"):
            return f"without the bug {plant['test']}: {clean}"
        planted = outcome(build, plant, text.replace(plant["find"], plant["replace"]), folder)
    return "" if planted == "failed" else f"{plant['test']} does not see it: {planted}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", metavar="PART")
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "tb/harness/golden_plants.toml")
    o = parser.parse_args()
    plants = [p for p in tomllib.loads(o.table.read_text())["plant"] if o.only in (None, p["part"])]
    if not plants:
        sys.exit(f"golden_plants: no part {o.only} in {o.table}")
    missed = 0
    for plant in plants:
        why = try_plant(o.build.resolve(), plant)
        missed += bool(why)
        print(f"{plant['part']}: {plant['what']}: {why or 'caught by ' + plant['test']}", flush=True)
    print(f"{len(plants) - missed} of {len(plants)} caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
