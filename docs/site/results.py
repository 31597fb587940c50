# SPDX-License-Identifier: Apache-2.0
"""The JSON results of a run: read and checked, sorted to pages, with the sections that a page adds to those that a result brings along."""
import json
import re
import tomllib

SECTIONS = {  # type of a section of "report": the lists that it has to have (docs/cli.md)
    "text": (), "list": ("items",), "table": ("header", "rows"), "timing": ("lanes",), "bars": ("bars",), "lines": ("series",), "coverage": (), "path": (),
    "dragonfly": ("links",), "grid": ("cells",), "stacked": ("parts", "bars"), "scatter": ("points",), "waves": ("lanes",),
}
PAGES = (  # file, title, what it says, whether a result belongs to it; the first that takes a result has it
    ("workloads", "Workloads", "Programs of messages in the place of open traffic", lambda r: "jobs" in r or r["command"] == "workload"),
    ("torus", "Torus", "Fault regions of a torus and the ways around them", lambda r: "torus" in r),
    ("fat_tree", "Fat tree", "Ways through a fat tree with failed leaves", lambda r: "fat_tree" in r or r.get("topology", {}).get("kind") == "fat_tree"),
    ("pipeline", "Pipeline", "Cycles of every stage, at three levels", lambda r: r["command"] in ("pipeline", "route")),
    ("cosimulation", "Co-simulation", "RTL and SystemC against the golden models, every output in every cycle", lambda r: r["command"] == "cosim"),
    ("congestion", "Congestion", "How old the congestion information is that a router sees", lambda r: r["command"] == "congestion"),
    ("fault", "Faults", "From a failure to the last right table", lambda r: r["command"] in ("fault", "fault-timing", "fault-study")),
    ("mesh", "Meshes", "Arbitration requests and freedom from deadlock",
     lambda r: r["command"] in ("arb", "arb-timing", "deadlock") or r.get("topology", {}).get("kind") in ("mesh", "torus")),
    ("network", "Network", "A whole network under traffic", lambda r: r["command"] in ("net", "crosscheck", "sweep")),
    ("other", "Other", "Further results", lambda r: True),
)

ORDER = ("pipeline", "cosimulation", "congestion", "fault", "network", "workloads", "mesh", "torus", "fat_tree", "other")  # in the navigation


class Bad(Exception):
    """An input that is not what it has to be: one line."""


def read(path):
    """A result of odonata. Raises Bad with the name of the file and what is wrong with it."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Bad(f"{path}: no valid JSON: {str(error).splitlines()[0]}") from None
    if not isinstance(result, dict) or not isinstance(result.get("command"), str):
        raise Bad(f"{path}: no result of odonata: it has no \"command\"")
    for name, kind in (("report", list), ("verdict", str), ("headline", str), ("topology", dict), ("version", str), ("facts", dict)):
        if name in result and not isinstance(result[name], kind):
            raise Bad(f"{path}: \"{name}\" is no {({list: 'list', str: 'text', dict: 'object'})[kind]}")
    for at, section in enumerate(result.get("report", [])):
        where = f"{path}: report[{at}]"
        if not isinstance(section, dict) or section.get("type") not in SECTIONS:
            raise Bad(f"{where}: expected a section of type {', '.join(SECTIONS)}")
        for name in SECTIONS[section["type"]]:
            if not isinstance(section.get(name), list):
                raise Bad(f"{where}: a section \"{section['type']}\" needs the list \"{name}\"")
        if section.get("windows") and not isinstance(result.get("link_windows"), dict):
            raise Bad(f"{where}: its windows are drawn from \"link_windows\", which is no object")
    result["file"] = path.name
    try:
        result["report"] = result.get("report", []) + extra(result)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError) as error:
        raise Bad(f"{path}: a result of {result['command']}, but not as odonata writes it: {type(error).__name__} {error}") from None
    return result


def page_of(result):
    return next(name for name, _, _, takes in PAGES if takes(result))


def congestion(result):
    """Mean age by stage beside the closed form, and the distribution of the whole age."""
    sections = []
    if result.get("report"):  # a newer program draws its own
        return sections
    for traffic, measured in result["traffic"].items():
        stages = measured["stages"]
        bars = []
        for name, stage in stages.items():
            form = stage["closed_form"]
            bars.append({"label": name, "value": stage["mean"], "max": stages["total"]["max"],
                         "text": f"{stage['mean']:.2f} ({stage['min']} to {stage['max']})",
                         "note": f"closed form: {form['min']} to {form['max']}", "bad": stage["min"] < form["min"] or stage["max"] > form["max"]})
        sections.append({"type": "bars", "title": f"Age by stage, {traffic}", "text": "Cycles from a change to where it is read: mean, least and most.", "bars": bars})
    series = []
    for traffic, measured in result["traffic"].items():
        counts = {int(age): n for age, n in measured["stages"]["total"]["histogram"].items()}
        whole = sum(counts.values())
        series.append({"name": traffic, "points": [[age, 100 * counts[age] / whole] for age in sorted(counts)]})
    sections.append({"type": "lines", "title": "Age of the information", "text": "How often a bit was so old when another router read it.",
                     "x_label": "age, cycles", "y_label": "share, %", "series": series})
    return sections


def dragonfly_size(result):
    shape = result["dragonfly"]
    return {"groups": shape["g"], "routers": shape["a"]}


def target(shape, gid, port):
    """The group at the group-wide global port (models/topology/dragonfly.h)."""
    return port if shape["arrangement"] == "direct" or port < gid else port + 1


def ports_of(shape, gid):
    """Cabled group-wide global ports."""
    return [j for j in range(shape["a"] * shape["h"]) if target(shape, gid, j) != gid and target(shape, gid, j) < shape["g"]]


def fault_links(shape, names):
    """The failed links and routers of a result as links of the picture."""
    links, routers = [], []
    for name in names:
        if found := re.match(r"global:G(\d+)-G(\d+)", name):
            a, b = int(found[1]), int(found[2])
            port = lambda x, y: y if shape["arrangement"] == "direct" or y < x else y - 1
            links.append({"from": [a, port(a, b) // shape["h"]], "to": [b, port(b, a) // shape["h"]], "bad": True, "text": name})
        elif found := re.match(r"local:G(\d+)\.s(\d+)-(?:G\d+\.)?s(\d+)", name):
            links.append({"from": [int(found[1]), int(found[2])], "to": [int(found[1]), int(found[3])], "bad": True, "text": name})
        elif found := re.match(r"router:G(\d+)\.s(\d+)", name):
            routers.append([int(found[1]), int(found[2])])
    return links, routers


def fault(result):
    """The network with what failed, the routers coloured by the services that they gave; the exchanged ways to groups."""
    shape = result["dragonfly"]
    links, routers = fault_links(shape, [f["name"] for f in result["faults"]])
    services = []
    for m in result["diagnosis"]["messages"]:
        gid, sid = re.fullmatch(r"G(\d+)\.s(\d+)", m["router"]).groups()
        services.append({"router": [int(gid), int(sid)], "value": m["services"], "text": f"{m['router']}: {m['services']} services"})
    return [{"type": "dragonfly", "title": f"Who took part: {', '.join(f['name'] for f in result['faults'][:3])}", "unit": "services", "links": links, "dead": routers,
             "values": services, "text": "Routers around a ring of groups, coloured by the services of their fault planes in the diagnosis; what failed is red.",
             **dragonfly_size(result)}]


def net(result):
    """The dragonfly with the load of the global channels of group 0 and what failed."""
    if result["topology"]["kind"] != "dragonfly" or "dragonfly" not in result or "link_windows" in result:  # those say more
        return []
    shape = result["dragonfly"]
    use = result["channels"].get("group0", [])
    links = []
    for port, value in zip(ports_of(shape, 0), use):
        to = target(shape, 0, port)
        back = 0  # group 0 is at port 0 of every other group
        links.append({"from": [0, port // shape["h"]], "to": [to, back // shape["h"]], "value": value, "text": f"group 0 to group {to}: {value:.3f} flits a cycle"})
    failed, routers = fault_links(shape, fault_names(result))
    return [{"type": "dragonfly", "title": "Global channels of group 0", "unit": "flits a cycle", "links": links + failed, "dead": routers, "values": [],
             "text": "Every group is a part of the ring, every router a dot. Links are coloured by their mean load in the sample; failed ones are red.",
             **dragonfly_size(result)}] if links else []


def fault_names(result):
    return [name for names in re.findall(r"--fail[ =](\S+)", result.get("command_line", "")) for name in names.split(",")]


STEP = {"x+": (1, 0), "x-": (-1, 0), "y+": (0, 1), "y-": (0, -1)}


def torus(result):
    """The torus with its failed nodes: their regions, one packet's way, or a cycle of channels that wait for each other."""
    columns, rows = (int(n) for n in result["torus"].split("x"))
    cells = [{"at": [int(n) for n in found.groups()], "bad": True, "text": "failed"} for names in result["fail"] for found in re.finditer(r"node:(\d+),(\d+)", names)]
    shape = {"type": "grid", "columns": columns, "rows": rows, "wrap": True, "cells": cells}
    if "marked_in_round" in result:
        for y, line in enumerate(result["marked_in_round"]):
            for x, mark in enumerate(line):
                change = result["last_change"][y][x]
                text = {-1: "healthy", 0: "failed"}.get(mark, f"healthy, but in a region since round {mark}")
                cells.append({"at": [x, y], "bad": mark == 0, "value": change, "text": f"{text}; last change in cycle {change}"})
        return [{**shape, "title": f"Regions: {'; '.join(result['fail'])}", "unit": "cycles until a node knows",
                 "text": "What a node knows of the walls around a region, coloured by the cycle of its last change."}]
    if "hops" in result:
        path = [h["at"] for h in result["hops"]] + [result["end"]]
        return [{**shape, "title": f"One way: {result['headline']}", "paths": [path]},
                {"type": "table", "title": "Link by link", "header": ["at", "out", "channel"], "rows": [[str(tuple(h["at"])), h["out"], h["vc"]] for h in result["hops"]]}]
    holds = [c["holds"] for c in result.get("cycle", [])]
    ways = [[h["at"], [(a + d) % n for a, d, n in zip(h["at"], STEP[h["out"]], (columns, rows))]] for h in holds]
    said = "No cycle of channels." if not ways else "Each arrow is a channel that is held while the next one is waited for."
    picture = {**shape, "title": result["headline"], "text": said, "paths": ways}
    return [picture] + ([{"type": "list", "title": "The cycle in words", "items": [c["text"] for c in result["cycle"]]}] if ways else [])


def fat_tree(result):
    """The leaves of a fat tree and one packet's way between them: every step goes through a root of a row or a column."""
    columns, rows = (int(n) for n in re.match(r"fat-tree (\d+)x(\d+)", result["fat_tree"]).groups())
    cells = [{"at": leaf, "bad": True, "text": "failed"} for leaf in result["fail"]]
    path = [result["from"][:2]] + [h["at"] for h in result["hops"]]
    return [{"type": "grid", "columns": columns, "rows": rows, "wrap": False, "cells": cells, "paths": [path], "title": "One way through the leaves",
             "text": result["headline"]}]


def arb(result):
    return [{"type": "list", "title": f"One decision of {result['scheme']}", "text": result["summary"], "items": result["reasons"]}]


EXTRA = {"congestion": congestion, "fault": fault, "net": net, "arb": arb}


def extra(result):
    if isinstance(result.get("torus"), str):
        return torus(result)
    if isinstance(result.get("fat_tree"), str):
        return fat_tree(result) if result["command"] == "route" else []
    return EXTRA.get(result["command"], lambda _: [])(result)


KEPT = ("command", "command_line", "verdict", "headline", "problems", "facts", "dragonfly", "block", "report", "seed", "compared", "mismatches",
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


def cosim_matrix(results):
    """All lockstep runs as one table."""
    rows = []
    for r in results:
        coverage = r.get("coverage") or {}
        rows.append([r.get("block", ""), f"{r.get('device', '')} = {r.get('reference', '')}", r.get("dragonfly", {}).get("name", ""), r.get("traffic", ""),
                     r.get("compared", ""), r.get("mismatches", ""), f"{coverage['percent']:.1f} %" if "percent" in coverage else "", coverage.get("bins", ""),
                     r.get("plant", "") or "none", r.get("verdict", ""), r.get("version", "")])
    return {"type": "table", "title": "All runs", "text": "Each row is one lockstep run; the sections below have its coverage.",
            "header": ["block", "levels", "network", "traffic", "compared", "mismatches", "coverage", "bins", "planted bug", "verdict", "version"], "rows": rows}


def checks(root):
    """What a family's bench holds besides lockstep: planted bugs that have to be caught, proofs, units whose netlists are mutated."""
    rows = []
    for folder in sorted(p for p in (root / "tb").iterdir() if (p / "plants.toml").is_file()):
        lists = {name: tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8")) if (folder / f"{name}.toml").is_file() else {} for name in ("plants", "proofs", "mutants")}
        rows.append([folder.name, len(lists["plants"]["plant"]), len(lists["proofs"].get("proof", [])), len(lists["mutants"].get("unit", []))])
    return {"type": "table", "title": "Besides lockstep", "header": ["family", "planted bugs", "proofs", "mutated units"], "rows": rows,
            "text": "Listed in tb/FAMILY/plants.toml, proofs.toml and mutants.toml; ./dev test, ./dev prove and ./dev mutate run them. This run did not."}
