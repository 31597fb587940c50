#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the C++ sources, with the checks of .clang-tidy.

Usage: tidy.py BUILD [--jobs N] FOLDER...   (BUILD: a build folder with compile_commands.json; FOLDER: models, hw, sim,
tb or below)

The sources that are compiled with the same flags are read as one, so that the headers of the standard library are
visited once and not with every source; what cannot stand beside the others in one unit comes into the next. A unit that
was clean is not read again until a source, a header of the project that it includes, or .clang-tidy has changed
(BUILD/tidy remembers).
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def includes(path, seen):
    """Adds a source and every header of the project below it."""
    if path in seen or not path.is_file():
        return
    seen.add(path)
    for name in INCLUDE.findall(path.read_text()):
        includes(ROOT / name, seen)


def digest(sources, flags):
    seen = {ROOT / ".clang-tidy", pathlib.Path(__file__)}
    for source in sources:
        includes(source, seen)
    text = hashlib.sha256(" ".join(flags).encode())
    for path in sorted(seen):
        text.update(path.read_bytes())
    return text.hexdigest()


def flags_of(entry):
    """What a source is compiled with, less what names it and its object."""
    words = shlex.split(entry["command"])
    out, words = [], iter(words)
    for word in words:
        if word == "-isystem":
            out += [word, next(words)]
        elif word.startswith("-I") and word.endswith(".verilated"):  # what Verilator writes
            out += ["-isystem", word[2:]]
        elif re.match(r"-(I|D|std|m)", word) and not word.startswith("-MD"):
            out.append(word)
    return out


def together(file):
    """The sources of a file that CMake wrote to compile several of them at once, or the file itself."""
    if not file.name.startswith("unity_"):
        return [file]
    return [pathlib.Path(p) for p in re.findall(r'^#include "(.*)"', file.read_text(), re.MULTILINE)]


def groups(build, folders):
    """Flags -> sources. Generated sources are not ours."""
    found = collections.defaultdict(set)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(os.path.normpath(os.path.join(entry["directory"], entry["file"])))
        for path in together(file):
            if path.is_relative_to(build) or not any(path.is_relative_to(ROOT / f) for f in folders):
                continue
            found[tuple(flags_of(entry))].add(path)
    return {flags: sorted(sources) for flags, sources in found.items()}


def clashing(unit, flags, sources):
    """Those of the sources at which the compiler stops when all are read as one;
    the last of them when it names none."""
    run = subprocess.run(
        ["clang++", "-fsyntax-only", "-w", str(unit), *flags], cwd=ROOT, capture_output=True, text=True
    )
    named = set(re.findall(r"^(.*?):\d+:\d+: (?:fatal )?error:", run.stderr, re.MULTILINE))
    return [s for s in sources if str(s) in named] or (sources[-1:] if run.returncode else [])


def write_unit(unit, sources):
    unit.write_text("".join(f'#include "{s}"\n' for s in sources))


def read_as_one(unit, flags, sources):
    """Writes the unit of as many of the sources as can stand beside each other; returns the others."""
    others = []
    write_unit(unit, sources)
    while len(sources) > 1 and (away := clashing(unit, flags, sources)):
        away = away if len(away) < len(sources) else away[1:]
        others += away
        sources = [s for s in sources if s not in away]
        write_unit(unit, sources)
    return others


def check(build, flags, sources):
    """The findings in sources of the same flags."""
    findings, want = "", digest(sources, flags)
    name = hashlib.sha256(" ".join([*flags, str(sources[0].relative_to(ROOT).parts[0])]).encode()).hexdigest()[:12]
    stamp, unit = build / "tidy" / f"{name}.ok", build / "tidy" / f"{name}.cpp"
    if stamp.exists() and stamp.read_text() == want:
        return ""
    while sources:
        sources = read_as_one(unit, flags, sources)
        run = subprocess.run(
            [
                "clang-tidy",
                "--quiet",
                f"--config-file={ROOT / '.clang-tidy'}",
                "--checks=-bugprone-suspicious-include",
                "--warnings-as-errors=*",
                str(unit),
                "--",
                *flags,
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if run.returncode:
            findings += run.stdout
        if run.returncode not in (0, 1) or run.returncode and not run.stdout:  # it does not work
            findings += f"\n{run.stderr}\nclang-tidy: exit code {run.returncode}\n"
    if not findings:
        stamp.write_text(want)
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    build = args.build.resolve()
    (build / "tidy").mkdir(exist_ok=True)
    work = groups(build, args.folders)
    if not work:
        sys.exit(f"{', '.join(args.folders)}: no source of {args.build} is there, expected folders of the project")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        findings = list(pool.map(lambda item: check(build, *item), work.items()))
    text = "".join(findings)
    print(text, end="")
    print(f"clang-tidy: {sum(map(len, work.values()))} sources, {'clean' if not text else 'findings above'}")
    sys.exit(1 if text else 0)


if __name__ == "__main__":
    main()
