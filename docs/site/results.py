# SPDX-License-Identifier: Apache-2.0
"""The JSON results of a run: read and checked, sorted to pages,
with the sections that a page adds to those that a result brings along."""
import csv
import json
import pathlib
import re
import time
import tomllib

SCHEMA = json.loads(
    (pathlib.Path(__file__).resolve().parents[2] / "sim/report/sections.json").read_text(encoding="utf-8")
)
PAGES = (  # file, title, what it says, whether a result belongs to it; the first that takes a result has it
    (
        "workloads",
        "Workloads",
        "Programs of messages in the place of open traffic",
        lambda r: "jobs" in r or r["command"] == "workload",
    ),
    (
        "torus",
        "Torus",
        "Fault regions of a torus and the ways around them",
        lambda r: "torus" in r or r.get("topology", {}).get("kind") == "torus",
    ),
    (
        "fat_tree",
        "Fat tree",
        "Ways through a fat tree with failed leaves",
        lambda r: "fat_tree" in r or r.get("topology", {}).get("kind") == "fat_tree",
    ),
    ("pipeline", "Pipeline", "Cycles of every stage, at three levels", lambda r: r["command"] in ("pipeline", "route")),
    (
        "cosimulation",
        "Co-simulation",
        "RTL and SystemC against the golden models, every output in every cycle",
        lambda r: r["command"] == "cosim",
    ),
    (
        "congestion",
        "Congestion",
        "How old the congestion information is that a router sees",
        lambda r: r["command"] == "congestion",
    ),
    (
        "fault",
        "Faults",
        "From a failure to the last right table",
        lambda r: r["command"] in ("fault", "fault-timing", "fault-study"),
    ),
    (
        "mesh",
        "Meshes",
        "Arbitration requests and freedom from deadlock",
        lambda r: r["command"] in ("arb", "arb-timing", "deadlock") or r.get("topology", {}).get("kind") == "mesh",
    ),
    ("network", "Network", "A whole network under traffic", lambda r: r["command"] in ("net", "crosscheck", "sweep")),
    ("other", "Other", "Further results", lambda r: True),
)

ORDER = (
    "pipeline",
    "cosimulation",
    "congestion",
    "fault",
    "network",
    "workloads",
    "mesh",
    "torus",
    "fat_tree",
    "other",
)  # in the navigation


class Bad(Exception):
    """An input that is not what it has to be: one line."""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


KINDS = {
    "any": ("anything", lambda v: True),
    "text": ("a text", lambda v: isinstance(v, str)),
    "number": ("a number", is_number),
    "cell": ("a text or a number", lambda v: not isinstance(v, (dict, list))),
    "point": (
        "a list that begins with two numbers",
        lambda v: isinstance(v, list) and len(v) >= 2 and is_number(v[0]) and is_number(v[1]),
    ),
}


def problem_of(value, schema, where):
    """What of a value is not as a part of sim/report/sections.json says, in one line; "": nothing.
    sim/report/check.cpp does the same."""
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


def problem_of_route(result, parts):
    """The same of a packet's way; where a packet goes no further its hop has no winner (null)."""
    if found := problem_of(result, parts["route"], "result"):
        return found
    if not result["hops"]:
        return "result.hops: no hop"
    won = ((hop.get("winner"), f"result.hops[{i}].winner") for i, hop in enumerate(result["hops"]))
    return next((found for w, at in won if w is not None and (found := problem_of(w, parts["winner"], at))), "")


def problem_elsewhere(section, result, where):
    """The same of what a section draws that may lie beside it in the result."""
    kind, parts = section["type"], SCHEMA["elsewhere"]
    if kind == "path":
        return problem_of_route(result, parts)
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
    if result.get("coverage") is not None and (
        found := problem_of(result["coverage"], {"percent": "number"}, "result.coverage")
    ):
        return found
    for at, section in enumerate(result.get("report", [])):
        where, schema = f"report[{at}]", SCHEMA["sections"].get(section["type"])
        if schema is None:
            return f"{where}: unknown section type '{section['type']}'"
        if found := problem_of(section, schema, where) or problem_elsewhere(section, result, where):
            return found
    return ""


def no_number(text):
    raise ValueError(f"{text} is no number of JSON")


def read(path):
    """A result of odonata, with the name and the day of its file.
    Raises Bad with that name and what is wrong with it."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"), parse_constant=no_number)
    except RecursionError:
        raise Bad(f"{path}: no valid JSON: nested too deeply") from None
    except (OSError, ValueError) as error:
        raise Bad(f"{path}: no valid JSON: {str(error).splitlines()[0]}") from None
    if found := problem(result):
        raise Bad(f"{path}: {found}")
    result.setdefault("report", [])
    if result.get("plant") and result.get("mismatches"):  # a bug that was planted, to be caught
        result.update(verdict="pass", headline=f"planted bug {result['plant']} caught: {result.get('headline', '')}")
        result["report"] = [
            s for s in result["report"] if s["type"] != "coverage"
        ]  # of a run that ends where it is caught
    result["file"] = path.name
    result["day"] = time.strftime("%Y-%m-%d", time.localtime(path.stat().st_mtime))
    return result


def page_of(result):
    return next(name for name, _, _, takes in PAGES if takes(result))


KEPT = (
    "command",
    "command_line",
    "verdict",
    "headline",
    "problems",
    "facts",
    "dragonfly",
    "size",
    "plant",
    "block",
    "report",
    "seed",
    "compared",
    "mismatches",
    "rate_transactions_per_s",
    "rate_cycles_per_s",
    "cycles_per_s",
    "cycles",
    "seconds",
    "congested_ports",
    "failed_links",
    "file",
    "link_windows",
)


def for_page(result):
    """What the page draws; a path, and tables of a result without sections, are drawn from all of the result."""
    if not result["report"] or any(s["type"] == "path" for s in result["report"]):
        return result
    kept = {name: result[name] for name in KEPT if name in result}
    if any(s["type"] == "coverage" and "coverage" not in s for s in result["report"]):
        kept["coverage"] = result["coverage"]
    if isinstance(result.get("levels"), dict):
        kept["levels"] = {
            n: {k: v[k] for k in ("problems", "cycles_per_s") if k in v}
            for n, v in result["levels"].items()
            if isinstance(v, dict)
        }
    return kept


SIZES = {"dfly(2,4,2,8)": "tiny", "dfly(6,12,6,73)": "paper", "dfly(16,32,16,512)": "full"}


def commit_of(result):
    found = re.search(r"commit (\w+)", result.get("version", ""))
    return found[1][:8] if found else ""


DIMENSIONS = re.compile(r"^--dims (\d)$")  # a size of arb_request, as the arguments of a soak have it
RECORDS = ("lockstep", "soak")  # of docs/results: ./dev lockstep, ./dev soak


def rows_of(root, name):
    """The lines of a record in docs/results as dictionaries; none where it is not there."""
    path = root / f"docs/results/{name}.csv"
    if not path.is_file():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def runs_of(results, root):
    """Lockstep runs, of these results and of the records, as (unit, levels, size, traffic, compared, mismatches,
    coverage in percent, planted bug, verdict, date, commit)."""
    for r in results:
        size = r.get("size") or r.get("dragonfly", {}).get("name", "")
        against = "" if r.get("reference", "golden") == "golden" else f" = {r['reference']}"
        yield (
            r.get("block", ""),
            r.get("device", "") + against,
            SIZES.get(size.split(" ")[0], size),
            r.get("traffic", ""),
            r.get("compared", 0),
            r.get("mismatches", 0),
            (r.get("coverage") or {}).get("percent"),
            r.get("plant", "") or "none",
            r.get("verdict", ""),
            r["day"],
            commit_of(r),
        )
    one_size = {r["block"] for r in rows_of(root, "lockstep") if r["size"] == "any"}
    for name in RECORDS:
        for r in rows_of(root, name):
            more = f", soak {r['seed']}" if name == "soak" else ""
            yield (
                r["block"],
                r.get("device") or "rtl",
                "any" if r["block"] in one_size else r["size"] or DIMENSIONS.sub(r"\1 dimensions", r["arguments"]),
                r["traffic"] + more,
                int(r.get("compared") or r["transactions"]),
                int(r["mismatches"]),
                float(r["coverage"]) if r.get("coverage") else None,
                "none",
                r["verdict"],
                r["date"],
                commit_of(r),
            )


def families(root):
    """{family: ({unit: names that campaigns know it by}, its tables of planted bugs and of proofs as lists, lines of
    the record of its mutation campaigns)}."""
    found = {}
    for description in sorted((root / "models").glob("*/*.toml")):
        unit = description.stem
        top = tomllib.loads(description.read_text(encoding="utf-8")).get("top", unit)
        found.setdefault(description.parent.name, {})[unit] = {unit, top, top.removesuffix("_top")}
    campaigns = rows_of(root, "mutants")

    def listed(family, name, key):
        path = root / f"tb/{family}/{name}.toml"
        return tomllib.loads(path.read_text(encoding="utf-8")).get(key, []) if path.is_file() else []

    return {
        family: (
            units,
            listed(family, "plants", "plant"),
            listed(family, "proofs", "proof"),
            [r for r in campaigns if r["family"] == family],
        )
        for family, units in found.items()
    }


def latest(campaigns):
    """The last line of each unit; that of several units together only until there are some of one of them."""
    last = {}
    for r in campaigns:
        last = {name: line for name, line in last.items() if r["unit"] not in name.split(" and ")} | {r["unit"]: r}
    return list(last.values())


def mutants_of(names, campaigns):
    """How many mutants of a unit are killed or proved equivalent;
    of all of a family together where the campaign does not tell units apart."""
    lines = latest(campaigns)
    said = [r for r in lines if r["unit"] in names] or [r for r in lines if " and " in r["unit"]]
    if not said:
        return "not measured"
    return f"{int(said[0]['mutants']) - int(said[0]['open']):,} of {int(said[0]['mutants']):,}"


def percent(value):
    """With one digit; less than all is never 100.0 %."""
    return f"{value if value == 100 else min(value, 99.94):.1f} %"


def cosim_matrix(results, root):
    """The units by level and size with what else holds each of them and its family, the families,
    and all lockstep runs: three tables."""
    runs, known = list(runs_of(results, root)), families(root)
    rows = []
    for family, (units, plants, proofs, campaigns) in known.items():
        for unit, names in units.items():
            own = [run for run in runs if run[0] == unit and run[7] == "none"]
            beside = [len(plants), len(proofs), mutants_of(names, campaigns)]
            for level, size in dict.fromkeys(run[1:3] for run in own):
                here = [run for run in own if run[1:3] == (level, size)]
                coverage = max((run[6] for run in here if run[6] is not None), default=None)
                rows.append(
                    [
                        unit,
                        level,
                        size,
                        sum(run[4] for run in here),
                        sum(run[5] for run in here),
                        "not measured" if coverage is None else percent(coverage),
                        *beside,
                        *max((run[9:11] for run in here), key=lambda run: run[0]),
                    ]
                )
            if not own:
                rows.append(
                    [unit, "in the suite's tests", "-", "not measured", "not measured", "not measured", *beside, "", ""]
                )
    matrix = {
        "type": "table",
        "title": "Units by level and size",
        "text": "Transactions compared in lockstep, mismatches and functional coverage, in the "
        "runs of this page and the "
        "records of "
        "./dev lockstep and ./dev soak, each level against the golden model, with date and commit of the last; "
        "planted bugs that the bench of the unit's family has to catch, the family's proofs, and how many mutants "
        "of the netlist are killed or proved equivalent.",
        "header": [
            "unit",
            "level",
            "size",
            "compared",
            "mismatches",
            "coverage",
            "planted bugs",
            "proofs",
            "mutants",
            "date",
            "commit",
        ],
        "rows": rows,
    }
    return [
        matrix,
        family_table(known),
        {
            "type": "table",
            "title": "All runs",
            "text": "Each row is one lockstep run; the sections below have the coverage of those of this run.",
            "header": [
                "unit",
                "level",
                "size",
                "traffic",
                "compared",
                "mismatches",
                "coverage",
                "planted bug",
                "verdict",
                "date",
                "commit",
            ],
            "rows": [[*run[:6], "" if run[6] is None else percent(run[6]), *run[7:]] for run in runs],
        },
    ]


def family_table(known):
    """Planted bugs, proofs and mutants of each family."""
    rows = []
    for family, (_, plants, proofs, campaigns) in known.items():
        said = latest(campaigns)
        total = {key: sum(int(r[key]) for r in said) for key in ("mutants", "killed", "preset", "equivalent", "open")}
        controls = sum(len(proof.get("controls", [])) + len(proof.get("more", [])) for proof in proofs)
        dead = percent(100 * (total["mutants"] - total["open"]) / total["mutants"]) if said else "not measured"
        counts = [f"{n:,}" for n in total.values()] if said else ["not measured"] + [""] * 4
        rows.append(
            [
                family,
                f"{len(plants)}",
                f"{len(proofs)}",
                f"{controls}",
                *counts,
                dead,
                max((r["date"] for r in said), default=""),
                " ".join(dict.fromkeys(r["commit"] for r in said)),
            ]
        )
    return {
        "type": "table",
        "title": "Planted bugs, proofs and mutants by family",
        "text": "Of tb/FAMILY/plants.toml and proofs.toml, which ./dev test and ./dev prove "
        "hold (a control is a planted "
        "bug "
        "that a proof has to refute), and of docs/results/mutants.csv, where ./dev mutate keeps each unit's last "
        "campaign.",
        "header": [
            "family",
            "planted bugs",
            "proofs",
            "controls",
            "mutants",
            "killed",
            "with preset counters",
            "equivalent",
            "open",
            "killed or equivalent",
            "date",
            "commit",
        ],
        "rows": rows,
    }
