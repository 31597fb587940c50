# SPDX-License-Identifier: Apache-2.0
"""Charts of the reproduced figures, with the papers' points, from docs/results/*.csv (docs/site/data.py),
and of any other CSV there."""
import csv
import math
import re

import data

BESIDE = "Beside the paper"
SATURATION = "highest load not saturated"
HOPS = re.compile(r"(\d+) links %")


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None  # "12e4567" is a hash, and JSON has no infinity


def settings_of(text):
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


class Row(dict):
    """A row of a table as {quantity: value}; some of the values have a unit."""

    def __init__(self):
        super().__init__()
        self.units = {}


class Figure:
    """The data of one page: tables as {(title, settings): {(run, load): Row}}, and the paper's values. Of two rows
    of one run and load the second is that of "run (2)"."""

    def __init__(self, path):
        self.tables, self.paper, count = {}, [], {}
        for row in data.read(path):
            at = row["table"], row["settings"]
            table, key = self.tables.setdefault(at, {}), (*at, row["run"], row["load"])
            name = lambda: (row["run"] + (f" ({count[key]})" if key in count else ""), row["load"])
            if row["quantity"] in table.get(name(), {}):
                count[key] = count.get(key, 1) + 1
            values = table.setdefault(name(), Row())
            values[row["quantity"]], values.units[row["quantity"]] = row["value"], row["unit"]
        beside = next((t for (title, _), t in self.tables.items() if title == BESIDE), {})
        for (name, _), values in beside.items():
            quantity, _, where = name.partition(": ")
            deviation = " ".join(filter(None, (values.get("deviation"), values.units.get("deviation"))))
            self.paper.append({"quantity": quantity, "where": settings_of(where), **values, "deviation": deviation})
        parts = [(title, settings_of(fixed), rows) for (title, fixed), rows in self.tables.items() if title != BESIDE]
        self.parts = [
            (self.apart(title, fixed, [f for t, f, _ in parts if t == title]), fixed, rows)
            for title, fixed, rows in parts
        ]

    @staticmethod
    def apart(title, fixed, same):
        """The title of a part with the settings in which it differs from others of that title."""
        own = [f"{key}={value}" for key, value in fixed.items() if any(other.get(key) != value for other in same)]
        return f"{title}, {' '.join(own)}" if own else title

    def published(self, quantity, fixed, run, measured, load="", rounding=0.0011):
        """The paper's value that `odonata sweep` has set beside this measured value; None where there is none. The
        label of a run does not name a setting that all runs of its part share, so the settings must not contradict, one
        must name the run, and the measured value must be the same.
        """
        words = {part.split(" ", 1)[-1] for part in run.split(", ")}

        def fits(key, value):
            if key == "load":
                return not load or number(value) == number(load)
            return fixed.get(key, value) == value

        for value in self.paper:
            where = value["where"]
            named = any(v in words for v in where.values()) or (run == "mean" and "traffic" not in where)
            beside = number(value.get("measured", ""))
            if (
                value["quantity"] == quantity
                and named
                and all(fits(k, v) for k, v in where.items())
                and beside is not None
                and abs(beside - measured) < rounding
            ):
                return number(value["paper"])
        return None


def unlike(values):
    """Whether values span more than a decade."""
    return min(values) > 0 and max(values) > 10 * min(values)


def spread_of(values):
    """The spread of a row's seeds in a list; an empty one for a single seed, which has none."""
    spread = number(values.get("spread", ""))
    return [] if spread is None else [spread]


def latency_chart(figure, title, fixed, rows):
    """Latency over load where a part has several loads, else one bar a run."""
    points = [
        (run, number(load), values)
        for (run, load), values in rows.items()
        if number(load) is not None and number(values.get("latency", "")) is not None
    ]
    if len({load for _, load, _ in points}) < 2:
        return latency_bars(figure, title, fixed, points)
    series = []
    for run in dict.fromkeys(run for run, _, _ in points):
        series.append(
            {
                "name": run,
                "points": [
                    [load, float(v["latency"]), *spread_of(v)]
                    for r, load, v in sorted(points, key=lambda p: p[1])
                    if r == run
                ],
            }
        )
    spreads = any(spread_of(values) for _, _, values in points)
    marks = []
    for at, line in enumerate(series):
        found = [[p[0], figure.published("latency", fixed, line["name"], p[1], str(p[0]))] for p in line["points"]]
        found = [p for p in found if p[1] is not None]
        if found:
            marks.append({"name": f"{line['name']}, paper", "points": found, "marks": True, "like": at})
    return [
        {
            "type": "lines",
            "title": f"{title}: latency",
            "text": ("Mean of the seeds; the bar is their spread" if spreads else "One seed")
            + ", a cross is the paper's value.",
            "x_label": "load, flits a node and cycle",
            "y_label": "latency, cycles",
            "log": unlike([p[1] for s in series for p in s["points"]]),
            "series": series + marks,
        }
    ]


def saturation_charts(_figure, title, _fixed, rows):
    """Accepted load and slowest router over the offered load, where a curve has runs that are saturated."""
    points = [
        (run, number(load), values)
        for (run, load), values in rows.items()
        if number(load) is not None and "saturated" in values
    ]
    if len({load for _, load, _ in points}) < 2 or all(values["saturated"] == "no" for _, _, values in points):
        return []
    charts = []
    for quantity, text in (
        ("accepted", "Accepted load."),
        ("slowest router", "What the nodes of the router send that sends the least."),
    ):
        series = [
            {
                "name": run,
                "points": sorted([load, float(v[quantity])] for r, load, v in points if r == run and quantity in v),
            }
            for run in dict.fromkeys(r for r, _, _ in points)
        ]
        if any(s["points"] for s in series):
            charts.append(
                {
                    "type": "lines",
                    "title": f"{title}: {quantity}",
                    "text": f"{text} Flits a node and cycle, mean of the seeds.",
                    "x_label": "load, flits a node and cycle",
                    "y_label": quantity,
                    "series": [s for s in series if s["points"]],
                }
            )
    return charts


def latency_bars(figure, title, fixed, points):
    bars = []
    for run, load, values in points:
        published = figure.published("latency", fixed, run, float(values["latency"]), str(load))
        bars.append(
            {
                "label": f"{run} at {load:g}",
                "value": float(values["latency"]),
                "text": values["latency"]
                + (f" ± {values['spread']}" if spread_of(values) else "")
                + (f", paper {published:g}" if published is not None else ""),
            }
        )
    spreads = any(spread_of(values) for _, _, values in points)
    text = "Cycles, mean and spread of the seeds." if spreads else "Cycles, one seed."
    return [{"type": "bars", "title": f"{title}: latency", "text": text, "bars": bars}] if bars else []


def hops_chart(figure, title, fixed, rows):
    """Shares of the packets by links, of each run at its highest load that is not saturated."""
    highest = {}
    for (run, load), values in rows.items():
        if (
            values.get("saturated") == "no"
            and number(load) is not None
            and any(HOPS.fullmatch(q) for q in values)
            and number(load) >= number(highest.get(run, ("-1",))[0])
        ):
            highest[run] = (load, values)
    series, marks = [], []
    for run, (load, values) in list(highest.items())[:10]:
        shares = [[int(found[1]), float(v)] for q, v in values.items() if (found := HOPS.fullmatch(q))]
        published = [[n, figure.published(f"hops{n}", fixed, run, share, load)] for n, share in shares]
        if found := [p for p in published if p[1] is not None]:
            marks.append({"name": f"{run}, paper", "points": found, "marks": True, "like": len(series)})
        series.append({"name": f"{run} at {load}", "points": shares})
    return (
        [
            {
                "type": "lines",
                "title": f"{title}: links of a path",
                "text": "At the highest load run that is not saturated; a cross is the paper's value.",
                "x_label": "links",
                "y_label": "packets, %",
                "y_max": 100,
                "series": series + marks,
            }
        ]
        if series
        else []
    )


def saturation_bars(figure, title, fixed, rows):
    bars = []
    for (run, _), values in rows.items():
        measured = number(values.get(SATURATION, ""))
        if measured is None or values[SATURATION][0] in "+-":  # a gain
            continue
        published = figure.published("saturation", fixed, run, measured)
        bars.append(
            {
                "label": run,
                "value": measured,
                "max": 1,
                "text": values[SATURATION] + (f", paper {published:g}" if published is not None else ""),
                "note": ""
                if values.get("lowest seed") == values.get("highest seed")
                else f"seeds from {values['lowest seed']} to {values['highest seed']}",
            }
        )
    return (
        [
            {
                "type": "bars",
                "title": title,
                "text": "Highest load that is not saturated, flits a node and cycle.",
                "bars": bars,
            }
        ]
        if bars
        else []
    )


def gain_bars(figure, title, fixed, rows):
    """What one routing gains over another: every column in percent."""
    sections = []
    names = {"largest reduction of latency": "largest_reduction", "highest accepted: change": "gain"}
    last = dict.fromkeys(q for values in rows.values() for q in values if re.fullmatch(r"at load [\d.]+: change", q))
    for quantity, name in (names | dict.fromkeys(last, "gain_at_last")).items():
        bars = []
        for (run, _), values in rows.items():
            if (value := number(values.get(quantity, ""))) is not None:
                published = figure.published(name, fixed, run, value, rounding=0.51)
                bars.append(
                    {
                        "label": run,
                        "value": value,
                        "text": f"{value:g} %" + (f", paper {published:g} %" if published is not None else ""),
                    }
                )
        if bars:
            sections.append({"type": "bars", "title": f"{title}, {quantity}", "text": "In percent.", "bars": bars})
    return sections


MOST_BARS, MOST_CHARTS = 60, 3
NOT_DRAWN = {"runs", "seed", "spread"}


def plain(text):
    """Without the marks of Markdown."""
    return re.sub(r"\*\*|`", "", text)


def sibling(quantity, last):
    """The column beside this one in its group: "NIC: mean", "spread" -> "NIC: spread"."""
    return quantity.rpartition(": ")[0] + ": " + last


def with_siblings(values, quantity):
    """A value in words: its unit, the spread and the published value that stand beside it."""
    value = number(values[quantity])
    text = f"{value + 0.0:,.6g}" + (f" {values.units[quantity]}" if values.units[quantity] else "")
    if spread := values.get(sibling(quantity, "spread")):
        text += f" ± {spread}"
    if quantity.endswith(": measured") and (published := values.get(sibling(quantity, "paper"))):
        text += f", paper {published}"
    return text


def other_charts(_figure, title, _fixed, rows):
    """Of a table whose quantities have no chart of their own: the first that are numbers,
    over the load where there are several, else as bars."""
    quantities = list(dict.fromkeys(q for values in rows.values() for q in values))
    quantities = [
        q
        for q in quantities
        if q.rpartition(": ")[2] not in NOT_DRAWN
        and not (q.endswith(": paper") and sibling(q, "measured") in quantities)
    ]
    found = []
    for quantity in quantities:
        points = [
            (plain(run), number(load), number(values[quantity]), values)
            for (run, load), values in rows.items()
            if number(values.get(quantity, "")) is not None
        ]
        if len(points) < max(2, len(rows) // 2) or len(found) == MOST_CHARTS:
            continue
        name = f"{title}: {plain(quantity.removesuffix(': measured'))}"
        if len({load for _, load, _, _ in points} - {None}) > 1:
            series = [
                {
                    "name": run or quantity,
                    "points": sorted([load, value] for r, load, value, _ in points if r == run and load is not None),
                }
                for run in dict.fromkeys(p[0] for p in points)
            ]
            found.append(
                {
                    "type": "lines",
                    "title": name,
                    "x_label": "load",
                    "y_label": quantity,
                    "log": unlike([p[2] for p in points]),
                    "series": series,
                }
            )
        elif len(points) <= MOST_BARS:
            found.append(
                {
                    "type": "bars",
                    "title": name,
                    "bars": [
                        {
                            "label": f"{run} at {load:g}" if load is not None else run,
                            "value": value,
                            "text": with_siblings(values, quantity),
                        }
                        for run, load, value, values in points
                    ],
                }
            )
    return found


def sections(figure):
    """The charts of a page."""
    out = []
    for title, fixed, rows in figure.parts:
        known = [
            s
            for chart in (latency_chart, saturation_charts, hops_chart, saturation_bars, gain_bars)
            for s in chart(figure, title, fixed, rows)
        ]
        out += known or other_charts(figure, title, fixed, rows)
    return out


def of_record(path):
    """Sections of a CSV that is no page's data: what its columns of numbers show, and all of its rows."""
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = [*csv.reader(file)] or [[]]
    rows = [row + [""] * (len(header) - len(row)) for row in rows]
    columns = [i for i in range(len(header)) if rows and all(number(row[i]) is not None for row in rows)]
    label = next((i for i in range(len(header)) if i not in columns), None)
    texts = [i for i in range(len(header)) if i not in columns and label is not None]
    deep = next(
        (n for n in range(1, len(texts) + 1) if len({tuple(row[i] for i in texts[:n]) for row in rows}) == len(rows)), 1
    )  # columns that tell the rows apart
    charts = []
    for i in (columns if label is not None else columns[1:])[:MOST_CHARTS]:
        if label is not None and len(rows) <= MOST_BARS:
            charts.append(
                {
                    "type": "bars",
                    "title": header[i],
                    "bars": [
                        {"label": ", ".join(row[n] for n in texts[:deep]), "value": number(row[i])} for row in rows
                    ],
                }
            )
        elif label is None:
            points = sorted([number(row[columns[0]]), number(row[i])] for row in rows)
            charts.append(
                {
                    "type": "lines",
                    "title": header[i],
                    "x_label": header[columns[0]],
                    "y_label": header[i],
                    "series": [{"name": header[i], "points": points}],
                }
            )
    return [
        *charts,
        {"type": "table", "title": "All rows", "header": header, "rows": [row[: len(header)] for row in rows]},
    ]


def comparison(figures):
    """Every published value beside its measured one, as a table; `figures`: {title of the page: Figure}."""
    header = ["figure", "quantity", "runs", "measured", "paper", "deviation", "source", "why"]
    rows = [
        [
            title.partition(":")[0],
            v["quantity"] + ("" if not v["where"] else ": " + " ".join(f"{k}={w}" for k, w in v["where"].items())),
            v.get("runs", ""),
            v.get("measured", ""),
            v.get("paper", ""),
            v["deviation"],
            v.get("source", ""),
            v.get("explanation", ""),
        ]
        for title, figure in figures.items()
        for v in figure.paper
    ]
    return {
        "type": "table",
        "title": "Every published value",
        "text": "Measured beside published; where they differ, the page of the figure says why.",
        "header": header,
        "rows": rows,
    }


def agreement(figure):
    """(values near the paper's, values compared): `odonata sweep` explains every other one."""
    run = [v for v in figure.paper if number(v.get("measured", "")) is not None]
    return sum("explanation" not in v for v in run), len(run)
