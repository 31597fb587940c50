# SPDX-License-Identifier: Apache-2.0
"""The page of speed and area: how fast the results of this run were made,
and the sizes of the units from docs/area.md (./dev area)."""
import re

import data

MOST = 24  # bars of a chart


def number(text):
    return float(text.replace(",", ""))


def cut(text):
    """Heading and text of every part of docs/area.md."""
    parts = re.split(r"^## +(.+)$", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def from_tables(part):
    """(label, cells, what else is known) of every row of the tables that count cells."""
    for _, _, header, rows in data.tables(part):
        if "cells" not in header:
            continue
        at = header.index("cells")
        for row in rows:
            names = [row[0]] + ([row[1]] if header[1] == "unit" else [])
            known = {name: cell for name, cell in zip(header, row) if cell}
            rest = [f"{known[n]} {n}" for n in ("flip-flops", "RAM bits") if n in known]
            rest += [f"depth {known['depth']}"] if "depth" in known else []
            yield ", ".join(names), number(row[at]), ", ".join(rest)


def from_text(part):
    """The same of the tables in plain text: a size, then units with cells, flip-flops, RAM bits and depth; units deeper
    in are kinds of the one above."""
    size = above = ""
    for line in part.splitlines():
        if found := re.match(r"(\w+): ", line):
            size = found[1]
        elif found := re.match(r"( +)(\S.*?) {2,}([\d,]+) +([\d,]+) +([\d,]+) +(\d+)$", line):
            indent, unit, cells, flops, bits, depth = found.groups()
            above = unit if len(indent) == 2 else above
            name = unit if len(indent) == 2 else f"{above}, {unit}"
            yield f"{size}, {name}", number(cells), f"{flops} flip-flops, {bits} RAM bits, depth {depth}"


def by_dimension(part):
    """The request logic's cells over the dimensions: lines "n  cells / depth / LUT6 / LUT depth  cells / ..."."""
    names = re.findall(
        r"\(\w\) \w+(?: \+ \w+)?", next((line for line in part.splitlines() if re.match(r" *n +\(", line)), "")
    )
    names += re.findall(r"(\(b\) \+ class)", part)[:1] if len(names) < 3 else []
    rows = [
        (int(found[1]), [number(c) for c in re.findall(r"([\d,]+) +/ +\d+ +/ +[\d,]+ +/ +\d+", found[2])])
        for found in re.finditer(r"^ *(\d+) +(\d[\d,]* +/.*)$", part, flags=re.M)
    ]
    return (
        [
            {"name": name, "points": [[n, cells[i]] for n, cells in rows if i < len(cells)]}
            for i, name in enumerate(names)
        ]
        if rows
        else []
    )


def listed(part):
    """(label, cells, what else is known) of the lists below the sizes over the dimensions: a unit, then its sizes."""
    unit = ""
    for line in part.splitlines():
        if found := re.match(r"(\w[^,(]*)\b.*:$", line):
            unit = found[1]
        elif found := re.match(r" +(n=[^:]*): ([\d,]+) cells, (.*)$", line):
            yield f"{unit}, {found[1]}", number(found[2]), found[3].replace("AIG ", "")


def area_sections(text):
    sections = []
    for title, part in cut(text):
        if lines := by_dimension(part):
            sections.append(
                {
                    "type": "lines",
                    "title": f"Area: {title}",
                    "text": "Inverters and two-input gates, over the dimensions of the mesh.",
                    "x_label": "dimensions",
                    "y_label": "cells",
                    "series": lines,
                }
            )
        rows = [*from_tables(part), *(listed(part) if lines else from_text(part))]
        bars = [{"label": label, "value": cells, "text": f"{cells:,.0f}", "note": note} for label, cells, note in rows]
        if bars:
            more = f" The largest {MOST} of {len(bars)}." if len(bars) > MOST else ""
            bars = sorted(bars, key=lambda b: -b["value"])[:MOST]
            sections.append(
                {
                    "type": "bars",
                    "title": f"Area: {title}" + (", units" if lines else ""),
                    "text": f"Inverters and two-input gates.{more}",
                    "bars": bars,
                }
            )
    return sections


def speed_rows(results):
    """What the results say about their own speed."""
    rows = []
    for r in results:
        name = " ".join(str(w) for w in (r["command"], r.get("block", "")) if w)
        where = r.get("dragonfly", {}).get("name", "")
        for key, unit in (
            ("rate_transactions_per_s", "transactions"),
            ("rate_cycles_per_s", "cycles"),
            ("cycles_per_s", "cycles"),
            ("flit_hops_per_s", "flit-hops"),
        ):
            if isinstance(r.get(key), (int, float)) and r[key] > 0:
                rows.append([r["file"], name, where, f"{r[key]:,.0f}", f"{unit} a second"])
        for level, values in (r.get("levels") or {}).items() if isinstance(r.get("levels"), dict) else ():
            if isinstance(values, dict) and values.get("cycles_per_s"):
                rows.append([r["file"], f"{name}, {level}", where, f"{values['cycles_per_s']:,.0f}", "cycles a second"])
    return rows


def sections(results, text):
    rows = speed_rows(results)
    speed = (
        [
            {
                "type": "table",
                "title": "Speed of this run",
                "text": "Of the runs that say it, on the machine that made them.",
                "header": ["file", "run", "network", "speed", "unit"],
                "rows": rows,
            }
        ]
        if rows
        else []
    )
    return speed + area_sections(text)
