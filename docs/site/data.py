#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of the pages in docs/results as data: one CSV beside each page, one value a line.

  data.py [PAGE.md ...]           writes them (default: of every page); ./dev reproduce does it after each page
  data.py --check [PAGE.md ...]   exit code 1 when a page and its data differ

Columns: table (the heading above it, with the line of text before the table where it has one), settings (of all its
runs), run, load, quantity, value, unit. The values are those of the page, in its precision. A CSV with other columns is
a record of its own and needs no page.
"""
import csv
import io
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = ("table", "settings", "run", "load", "quantity", "value", "unit")
NUMBER = re.compile(r"([+-]?\d+(?:\.\d+)?)(?: (%|points))?")


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]


def tables(text):
    """Title, settings, header and rows of every table of a page."""
    title, settings, before = "", "", ""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if heading := re.match(r"#{1,6} +(.*)", line):
            title, settings, before = heading[1], "", ""
        elif re.fullmatch(r"`[^`]*`", line.strip()):
            settings = line.strip()[1:-1]
        elif line.startswith("|"):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("|")), len(lines))
            rows = [cells(row) for row in lines[at:end]]
            yield (f"{title}: {before}" if before else title), settings, rows[0], rows[2:]
            at, before = end, ""
            continue
        elif settings and line.strip():
            before = line.strip()
        at += 1


def named(header):
    """Columns with the words of the group that they belong to: "highest accepted: duato",
    "d2ra" -> "highest accepted: d2ra"."""
    group, out = "", []
    for name in header:
        first, colon, _ = name.partition(": ")
        group = first if colon else group
        out.append(name if colon or not group else f"{group}: {name}")
    return out


def values(header, row):
    """Key of a row (run, load) and its values (quantity, value, unit)."""
    row = row + [""] * (len(header) - len(row))
    load = row[header.index("load")] if "load" in header else ""
    found = []
    for name, cell in list(zip(header, row))[1:]:
        if name == "load" or cell == "":
            continue
        if name == "lowest and highest seed":
            found += [("lowest seed", cell.split()[0], ""), ("highest seed", cell.split()[-1], "")]
        elif number := NUMBER.fullmatch(cell):
            found.append((name, number[1], number[2] or ""))
        else:
            found.append((name, cell, ""))
    return row[0], load, found


def of_page(text):
    """The data of a page as rows of FIELDS."""
    return [
        (title, settings, run, load, *value)
        for title, settings, header, rows in tables(text)
        for run, load, found in (values(named(header), row) for row in rows)
        for value in found
    ]


def csv_text(text):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    writer.writerows(of_page(text))
    return out.getvalue()


def read(path):
    """The data of a CSV as dictionaries."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_own(path):
    """Whether a CSV is the tables of a page (and no record of something else, such as soak.csv)."""
    with open(path, encoding="utf-8", newline="") as file:
        return tuple(next(csv.reader(file), ())) == FIELDS


def main():
    names = [n for n in sys.argv[1:] if n != "--check"]
    pages = [pathlib.Path(n) for n in names] or sorted((ROOT / "docs/results").glob("*.md"))
    wrong = 0
    for page in pages:
        data, text = page.with_suffix(".csv"), csv_text(page.read_text(encoding="utf-8"))
        if "--check" not in sys.argv:
            data.write_text(text, encoding="utf-8")
        elif not data.is_file() or data.read_text(encoding="utf-8") != text:
            print(f"{data}: not what the tables of {page.name} say; docs/site/data.py writes it")
            wrong = 1
    if not names:
        for data in sorted((ROOT / "docs/results").glob("*.csv")):
            if is_own(data) and not data.with_suffix(".md").is_file():
                print(f"{data}: data without a page")
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
