#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Line coverage of the C++ code, line and toggle coverage of the RTL, as `./dev coverage` has measured them.

  coverage_table.py rtl PROGRAM FOLDER
      runs every unit in lockstep at every size (tb/harness/lockstep.toml) in a program whose Verilated models of a
      unit's first size count lines and toggles; their files go to FOLDER
  coverage_table.py table SUMMARY FOLDER
      prints the table; --record FILE writes it as CSV, --missed FILE what no run reached. SUMMARY: what
      llvm-cov export -summary-only wrote

A point of the RTL is a place in a source file (of a toggle: a bit of a signal), in whichever instance it
was reached. Of a signal that is as wide as at full size the upper bits cannot toggle in a small unit.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import soak  # noqa: E402
import tools  # noqa: E402
from tools import ROOT  # noqa: E402

COLUMNS = ("what", "part", "points", "reached", "percent", "date", "commit")


def run_units(program, folder):
    """Every unit at every size, with the transactions of the table; a unit that fails ends the campaign."""
    runs = [task for task in soak.tasks(ROOT / "tb/harness/lockstep.toml", None, 1) if task["device"] == "rtl"]
    for number, task in enumerate(runs):
        where = folder / f"{number:02}"
        where.mkdir(parents=True, exist_ok=True)
        os.environ["ODONATA_COVERAGE_DIR"] = str(where)
        line = soak.run(program, task, 1, where)
        if line is None or line["verdict"] != "pass":
            sys.exit(f"coverage: {soak.name_of(task)}: {'interrupted' if line is None else line['verdict']}")
        print(f"{soak.name_of(task)}: {line['cycles']} cycles", flush=True)
    if not runs:
        sys.exit("coverage: no unit was run")


def rtl_points(folder):
    """(kind, file, place) -> how often it was reached."""
    points = collections.Counter()
    for file in sorted(folder.rglob("*.dat")):
        for name, count in re.findall(r"^C '(.*)' (\d+)$", file.read_text(), re.M):
            field = dict(part.split("\2", 1) for part in name.split("\1") if "\2" in part)
            source = pathlib.Path(field["f"])
            source = source.relative_to(ROOT) if source.is_absolute() and source.is_relative_to(ROOT) else source
            kind = "toggle" if field["page"].startswith("v_toggle") else "line"
            points[kind, str(source), f"{field['l']}:{field['n']} {field.get('o', '')}"] += int(count)
    return points


def rtl_rows(points):
    parts = collections.defaultdict(lambda: [0, 0])
    for (kind, source, _), count in points.items():
        words = pathlib.Path(source).parts
        if words[0] != "rtl":
            continue
        for part in ("/".join(words[:2]), "rtl"):
            parts[f"RTL {kind}", part][0] += 1
            parts[f"RTL {kind}", part][1] += count > 0
    return [(*key, *counts) for key, counts in sorted(parts.items())]


def cpp_rows(summary):
    parts = collections.defaultdict(lambda: [0, 0])
    for file in json.loads(summary.read_text())["data"][0]["files"]:
        name = pathlib.Path(file["filename"])
        if not name.is_relative_to(ROOT):
            continue
        words, lines = name.relative_to(ROOT).parts, file["summary"]["lines"]
        if words[0] not in ("models", "hw", "sim"):
            continue
        for part in ("/".join(words[:2]) if len(words) > 2 else None, words[0]):
            if part:
                parts[part][0] += lines["count"]
                parts[part][1] += lines["covered"]
    return [("C++ line", part, *counts) for part, counts in sorted(parts.items())]


def table(o):
    points = rtl_points(o.folder)
    rows = cpp_rows(o.summary) + rtl_rows(points)
    if not any(row[0] == "C++ line" for row in rows) or not any(row[0] == "RTL toggle" for row in rows):
        sys.exit("coverage: nothing was measured")
    lines = [(*row, f"{100 * row[3] / row[2]:.1f}") for row in rows]
    for what, part, of, reached, percent in lines:
        print(f"{what:<12} {part:<22} {reached:>8} of {of:>8} {percent:>6} %")
    if o.record:
        stamp = tools.stamp()
        tools.write_record(o.record, COLUMNS, [dict(zip(COLUMNS, line)) | stamp for line in lines])
    if o.missed:
        missed = sorted(key for key, count in points.items() if count == 0 and key[1].startswith("rtl/"))
        o.missed.write_text("".join(f"{kind} {source}:{place}\n" for kind, source, place in missed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    rtl = commands.add_parser("rtl")
    rtl.add_argument("program", type=pathlib.Path)
    rtl.add_argument("folder", type=pathlib.Path)
    of = commands.add_parser("table")
    of.add_argument("summary", type=pathlib.Path)
    of.add_argument("folder", type=pathlib.Path)
    of.add_argument("--record", type=pathlib.Path)
    of.add_argument("--missed", type=pathlib.Path)
    o = parser.parse_args()
    if o.command == "rtl":
        run_units(o.program, o.folder)
    else:
        table(o)


if __name__ == "__main__":
    main()
