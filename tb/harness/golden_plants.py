#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs in golden models, the engine and SystemC modules and runs the test that has to catch each.

Golden models are what everything is compared with, so a bug in one is found by its oracle or by nobody; bugs that the
suite had once let pass are kept here as well.
golden_plants.toml lists, for each [[plant]]:
  part     what it belongs to
  what     the bug in words
  file     the source or header; `find` stands exactly once in it and becomes `replace`
  through  of a header: the sources, of models or the test itself, that are compiled with it
  test     the test program that has to fail
  filter   of its tests those that guard the part, as gtest has it; all without it
A changed copy of the file is compiled as the build compiles the file, but not optimised; the test program is linked
with it in the place of the original, and run until a test fails. Linked in the same way with what the build made of the
file itself it has to pass, with at least one test run: else the test fails for another reason, or tests nothing.

  golden_plants.py BUILD [--only PART] [--table FILE]
"""
import argparse
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib

sys.dont_write_bytecode = True
from tools import ROOT  # noqa: E402


def compile_command(build, file, source, target):
    """The command, and the object that it makes of the original."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if pathlib.Path(entry["file"]) == ROOT / file:
            words = shlex.split(entry["command"])
            at = words.index("-o") + 1
            original, words[at] = words[at], str(target)
            words[words.index("-c") + 1] = str(source)
            words.append("-O0")
            if "-include-pch" in words:  # it is of optimised files
                words += ["-Xclang", "-fno-validate-pch"]
            return [w for w in words if not w.endswith("ccache")], original
    sys.exit(f"golden_plants: {file} is not in the build")


def link_command(build, test, own, originals, target):
    """The link of the test program with more objects in front of the libraries, so that the libraries' own are not
    taken, and without the originals."""
    lines = subprocess.run(
        ["ninja", "-C", str(build), "-t", "commands", test], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    for line in reversed(lines):
        link = re.search(r"(\S*clang\+\+|\S*g\+\+)\S* [^&]* -o (\S+/)?" + re.escape(test) + r" [^&]*", line)
        if link:
            words = [w for w in shlex.split(link.group(0)) if w not in originals]
            at = words.index("-o")
            words[at + 1] = str(target)
            return words[:at] + own + words[at:]
    sys.exit(f"golden_plants: no link of {test} in the build")


def outcome(build, plant, text, folder):
    """How the test program ends with `text` as the file, or with the file that the build has compiled (None): "passed
    N", "failed" or an error of the tools."""
    program, commands, own, originals = folder / plant["test"], [], [], []
    if text is not None:
        changed = folder / plant["file"]
        changed.parent.mkdir(parents=True)
        changed.write_text(text)
    for n, compiled in enumerate(plant.get("through", [plant["file"]])):
        source = folder / f"planted{n}.cpp"
        command, original = compile_command(build, compiled, source, source.with_suffix(".o"))
        originals.append(original)
        if text is None:
            own.append(original)
            continue
        source.write_text(text if compiled == plant["file"] else (ROOT / compiled).read_text())
        own.append(str(source.with_suffix(".o")))
        commands.append([command[0], f"-I{folder}", *command[1:]])  # before the folder with the header as it is
    for command in (*commands, link_command(build, plant["test"], own, originals, program)):
        done = subprocess.run(command, cwd=build, capture_output=True, text=True)
        if done.returncode != 0:
            return "error: " + done.stderr.strip().splitlines()[0]
    try:
        done = subprocess.run(
            [program, "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=" + plant.get("filter", "*")],
            cwd=ROOT,
            env=os.environ | {"ODONATA_RTL_DIR": str(build / "rtl_devices")},  # it is not where the RTL is
            capture_output=True,
            text=True,
            timeout=120,
        )
    except subprocess.TimeoutExpired:
        return "error: no end after two minutes"
    ran = re.search(r"(\d+) tests? from .* ran", done.stdout)
    if done.returncode != 0:
        return "failed"
    return f"passed {ran.group(1)}" if ran and int(ran.group(1)) > 0 else "error: no test ran"


@functools.cache
def clean_outcome(build, what):
    """Without a bug; once for all plants of the same file and tests."""
    with tempfile.TemporaryDirectory() as name:
        return outcome(build, json.loads(what), None, pathlib.Path(name))


def try_plant(build, plant):
    """Empty when the bug is caught, else why not."""
    text = (ROOT / plant["file"]).read_text()
    if text.count(plant["find"]) != 1:
        return f"'{plant['find']}' stands {text.count(plant['find'])} times in {plant['file']}, expected once"
    clean = clean_outcome(
        build, json.dumps({key: plant[key] for key in ("file", "through", "test", "filter") if key in plant})
    )
    if not clean.startswith("passed"):
        return f"without the bug {plant['test']}: {clean}"
    with tempfile.TemporaryDirectory() as name:
        planted = outcome(build, plant, text.replace(plant["find"], plant["replace"]), pathlib.Path(name))
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
