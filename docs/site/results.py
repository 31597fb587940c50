# SPDX-License-Identifier: Apache-2.0
"""The JSON results of a run: read and checked, sorted to pages, with the sections that a page adds to those that a result brings along."""
import csv
import json
import pathlib
import re
import time
import tomllib

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "sim/report/sections.json").read_text(encoding="utf-8"))
PAGES = (  # file, title, what it says, whether a result belongs to it; the first that takes a result has it
    ("workloads", "Workloads", "Programs of messages in the place of open traffic", lambda r: "jobs" in r or r["command"] == "workload"),
    ("torus", "Torus", "Fault regions of a torus and the ways around them", lambda r: "torus" in r or r.get("topology", {}).get("kind") == "torus"),
    ("fat_tree", "Fat tree", "Ways through a fat tree with failed leaves", lambda r: "fat_tree" in r or r.get("topology", {}).get("kind") == "fat_tree"),
    ("pipeline", "Pipeline", "Cycles of every stage, at three levels", lambda r: r["command"] in ("pipeline", "route")),
    ("cosimulation", "Co-simulation", "RTL and SystemC against the golden models, every output in every cycle", lambda r: r["command"] == "cosim"),
    ("congestion", "Congestion", "How old the congestion information is that a router sees", lambda r: r["command"] == "congestion"),
    ("fault", "Faults", "From a failure to the last right table", lambda r: r["command"] in ("fault", "fault-timing", "fault-study")),
    ("mesh", "Meshes", "Arbitration requests and freedom from deadlock",
     lambda r: r["command"] in ("arb", "arb-timing", "deadlock") or r.get("topology", {}).get("kind") == "mesh"),
    ("network", "Network", "A whole network under traffic", lambda r: r["command"] in ("net", "crosscheck", "sweep")),
    ("other", "Other", "Further results", lambda r: True),
)

ORDER = ("pipeline", "cosimulation", "congestion", "fault", "network", "workloads", "mesh", "torus", "fat_tree", "other")  # in the navigation


class Bad(Exception):
    """An input that is not what it has to be: one line."""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


KINDS = {
    "any": ("anything", lambda v: True),
    "text": ("a text", lambda v: isinstance(v, str)),
    "number": ("a number", is_number),
    "cell": ("a text or a number", lambda v: not isinstance(v, (dict, list))),
    "point": ("a list that begins with two numbers", lambda v: isinstance(v, list) and len(v) >= 2 and is_number(v[0]) and is_number(v[1])),
}


def problem_of(value, schema, where):
    """What of a value is not as a part of sim/report/sections.json says, in one line; "": nothing. sim/report/check.cpp does the same."""
    if isinstance(schema, str):
        expected, fits = KINDS[schema]
        return "" if fits(value) else f"{where}: expected {expected}"
    if isinstance(schema, list):
        if not isinstance(value, list):
            return f"{where}: expected a list"
        return next((found for i, v in enumerate(value) if (found := problem_of(v, schema[0], f"{where}[{i}]"))), "")
    if not isinstance(value, dict):
        return f"{where}: expected an object"
    for name, part in schema.items():
        key = name.removesuffix("?")
        if name == "*":
            found = next((found for k, v in value.items() if (found := problem_of(v, part, f"{where}.{k}"))), "")
        elif key in value:
            found = problem_of(value[key], part, f"{where}.{key}")
        else:
            found = "" if name != key else f"{where}.{key}: missing"
        if found:
            return found
    return ""


def problem_elsewhere(section, result, where):
    """The same of what a section draws that may lie beside it in the result."""
    kind, parts = section["type"], SCHEMA["elsewhere"]
    if kind == "path":
        return problem_of(result, parts["route"], "result")
    name = "coverage" if kind == "coverage" else "link_windows" if kind == "network" or "windows" in section else ""
    if not name:
        return ""
    holder, at = (section, where) if name in section else (result, "result")
    found = problem_of(holder, {name: parts[name]}, at)
    if found or name == "coverage":
        return found
    loads = holder[name]
    fits = loads["windows"] and all(len(w["load"]) == len(loads["links"]) for w in loads["windows"])
    return "" if fits else f"{at}.link_windows: no window, or one without a load for each link"


def problem(result):
    if not isinstance(result, dict) or "command" not in result:
        return 'no result of odonata: it has no "command"'
    if found := problem_of(result, SCHEMA["result"], "result"):
        return found
    for at, section in enumerate(result.get("report", [])):
        where, schema = f"report[{at}]", SCHEMA["sections"].get(section["type"])
        if schema is None:
            return f"{where}: unknown section type '{section['type']}'"
        if found := problem_of(section, schema, where) or problem_elsewhere(section, result, where):
            return found
    return ""


def read(path):
    """A result of odonata, with the name and the day of its file. Raises Bad with that name and what is wrong with it."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Bad(f"{path}: no valid JSON: {str(error).splitlines()[0]}") from None
    if found := problem(result):
        raise Bad(f"{path}: {found}")
    result.setdefault("report", [])
    if result.get("plant") and result.get("mismatches"):  # a bug that was planted, to be caught
        result.update(verdict="pass", headline=f"planted bug {result['plant']} caught: {result.get('headline', '')}")
    result["file"] = path.name
    result["day"] = time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    return result


def page_of(result):
    return next(name for name, _, _, takes in PAGES if takes(result))


KEPT = ("command", "command_line", "verdict", "headline", "problems", "facts", "dragonfly", "size", "plant", "block", "report", "seed", "compared", "mismatches",
        "rate_transactions_per_s", "rate_cycles_per_s", "cycles_per_s", "cycles", "seconds", "congested_ports", "failed_links", "file", "link_windows")


def for_page(result):
    """What the page draws; a path is drawn from all of its result."""
    if any(s["type"] == "path" for s in result["report"]):
        return result
    kept = {name: result[name] for name in KEPT if name in result}
    if any(s["type"] == "coverage" and "coverage" not in s for s in result["report"]):
        kept["coverage"] = result["coverage"]
    if isinstance(result.get("levels"), dict):
        kept["levels"] = {n: {k: v[k] for k in ("problems", "cycles_per_s") if k in v} for n, v in result["levels"].items() if isinstance(v, dict)}
    return kept


SIZES = {"dfly(2,4,2,8)": "tiny", "dfly(6,12,6,73)": "paper", "dfly(16,32,16,512)": "full"}


def commit_of(result):
    found = re.search(r"commit (\w+)", result.get("version", ""))
    return found[1] if found else ""


def runs_of(results, root):
    """Lockstep runs, of these results and of the record of long runs, as (unit, levels, size, traffic, compared, mismatches, coverage, planted bug, verdict, date, commit)."""
    for r in results:
        coverage = r.get("coverage") or {}
        size = r.get("size") or r.get("dragonfly", {}).get("name", "")
        yield (r.get("block", ""), f"{r.get('device', '')} = {r.get('reference', '')}", SIZES.get(size.split(" ")[0], size), r.get("traffic", ""), r.get("compared", ""),
               r.get("mismatches", ""), f"{coverage['percent']:.1f} %" if "percent" in coverage else "", r.get("plant", "") or "none", r.get("verdict", ""), r["day"], commit_of(r))
    record = root / "docs/results/soak.csv"
    if record.is_file():
        with open(record, encoding="utf-8", newline="") as file:
            for r in csv.DictReader(file):
                yield (r["block"], "rtl = golden", r["size"] or r["arguments"], f"{r['traffic']}, soak {r['seed']}", int(r["transactions"]), int(r["mismatches"]), "", "none",
                       r["verdict"], r["date"], commit_of(r))


def unit_checks(root):
    """{unit: (planted bugs of its family, proofs of its family, whether its netlist is mutated)}."""
    found = {}
    for description in sorted((root / "models").glob("*/*.toml")):
        family, unit = description.parent.name, description.stem
        lists = {}
        for name, key in (("plants", "plant"), ("proofs", "proof"), ("mutants", "unit")):
            path = root / f"tb/{family}/{name}.toml"
            lists[name] = tomllib.loads(path.read_text(encoding="utf-8")).get(key, []) if path.is_file() else []
        found[unit] = (family, len(lists["plants"]), len(lists["proofs"]), any(m["name"] == unit for m in lists["mutants"]))
    return found


def cosim_matrix(results, root):
    """The units by level and size, what else holds each of them, and all lockstep runs as a table."""
    runs, checks = list(runs_of(results, root)), unit_checks(root)
    sizes = [s for s in ("tiny", "paper", "full") if any(run[2] == s for run in runs)] + ["other sizes"]
    rows = []
    for unit, (family, plants, proofs, mutated) in checks.items():
        for level in dict.fromkeys(run[1] for run in runs if run[0] == unit and run[7] == "none") or ("-",):
            cells = []
            for size in sizes:
                here = [run for run in runs if run[0] == unit and run[1] == level and run[7] == "none" and (run[2] == size or (size == "other sizes" and run[2] not in sizes))]
                bad = sum(run[5] or 0 for run in here)
                cells.append(f"{sum(run[4] or 0 for run in here):,} compared, {bad:,} mismatches" if here else "-")
            rows.append([unit, level, *cells, f"{plants} ({family})", f"{proofs} ({family})", "yes" if mutated else "no"])
    matrix = {"type": "table", "title": "Units by level and size", "text": "Transactions compared in lockstep, in the runs of this page and the record of long runs; planted bugs that the "
              "family's bench has to catch, its proofs, and whether the unit's netlist is mutated (./dev test, ./dev prove, ./dev mutate; docs/verification.md has their results).",
              "header": ["unit", "levels", *sizes, "planted bugs", "proofs", "mutation"], "rows": rows}
    listed = {"type": "table", "title": "All runs", "text": "Each row is one lockstep run; the sections below have the coverage of those of this run.",
              "header": ["unit", "levels", "size", "traffic", "compared", "mismatches", "coverage", "planted bug", "verdict", "date", "commit"], "rows": [list(run) for run in runs]}
    return [matrix, listed]
