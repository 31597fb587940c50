# SPDX-License-Identifier: Apache-2.0
"""What the drivers of campaigns share: the tables of a family (tb/FAMILY/*.toml), its sources, tools under limits,
records."""
import csv
import datetime
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fail(message):
    print(f"{pathlib.Path(sys.argv[0]).stem}: {message}", file=sys.stderr)
    sys.exit(2)


def families(table):
    """The families that have tb/FAMILY/TABLE."""
    return sorted(path.parent.name for path in (ROOT / "tb").glob(f"*/{table}"))


def read_table(family, table, needed=()):
    """tb/FAMILY/TABLE as a dictionary that has the needed keys."""
    path = ROOT / "tb" / family / table
    if not path.exists():
        fail(f"there is no tb/{family}/{table}; expected one of {', '.join(families(table))}")
    try:
        values = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        fail(f"tb/{family}/{table}: {error}")
    for key in needed:
        if key not in values:
            fail(f"tb/{family}/{table}: {key} is missing")
    return values


def rtl(family, wrappers=False):
    """The sources of a family in the order of its file list, relative to ROOT;
    the wrappers fix the sizes for synthesis."""
    lines = (ROOT / f"rtl/{family}/{family}.f").read_text().split()
    return [
        line
        for line in lines
        if line.endswith(".sv") and (wrappers or not line.endswith(("_tiny.sv", "_paper.sv", "_full.sv")))
    ]


def woven(family, sources, plant, out):
    """The sources with one planted bug of tb/FAMILY/plants.toml as a constant."""
    names = [p["name"] for p in read_table(family, "plants.toml", ["plant"])["plant"]]
    if plant not in names:
        fail(f"tb/{family}/plants.toml has no planted bug '{plant}'")
    run(
        [
            sys.executable,
            ROOT / "tb/harness/weave.py",
            "--plants",
            ROOT / f"tb/{family}/plants.toml",
            "--root",
            ROOT,
            "--out",
            out,
            "--block",
            family,
            "--select",
            names.index(plant) + 1,
            *(ROOT / s for s in sources),
        ]
    )
    return [out / "odonata_plant_pkg.sv", *(out / s for s in sources)]


def run(command, timeout=None):
    """What a tool prints; ends the program when it fails."""
    try:
        result = subprocess.run(
            [str(c) for c in command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=timeout
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        fail(error)
    if result.returncode:
        fail(
            f"{' '.join(map(str, command))[:1000]}\nreturned {result.returncode}:\n"
            f"{result.stdout[-2000:]}{result.stderr[-2000:]}"
        )
    return result.stdout


def run_limited(command, log, seconds, memory):
    """(what a tool prints, its seconds of processor time), under limits of that time (a loaded machine changes no
    verdict) and of address space; the text is None when it was stopped or failed."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        os.nice(5)

    with open(log, "w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return plain(log.read_text()) if process.returncode == 0 else None, usage.ru_utime + usage.ru_stime


def plain(text):
    """Without the colours of berkeley-abc."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def stamp():
    """When and of what a row of a record is: the date of today, and the commit of HEAD in 9 digits, empty without git.
    Rows of before 2026-11-28 may have the date of the commit, and commits of 7 or 8 digits."""
    commit = ["git", "rev-parse", "--short=9", "HEAD"]
    said = subprocess.run(commit, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {"date": str(datetime.date.today()), "commit": said.strip()}


def read_record(path):
    """The rows of a CSV, dictionaries; none when there is no such file, or it is a device."""
    if not path.is_file():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write_record(path, columns, rows):
    """A CSV, as a whole or not at all; a row without a column leaves it empty. A device or a pipe is written to."""
    direct = path.exists() and not path.is_file()
    place = path if direct else path.with_name(path.name + ".tmp")
    with place.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(rows)
    if not direct:
        os.replace(place, path)


def write_json(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(values, indent=2) + "\n")
    os.replace(temporary, path)
