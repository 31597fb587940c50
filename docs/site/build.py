#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site of the project: JSON results, results beside the papers, documents and reference as pages that need no network.

  build.py [--in FILE.json ...] [--out FOLDER]

The folder (default out/site) appears whole or not at all. A file that is no result of odonata ends it with one line and exit code 2.
"""
import argparse
import datetime
import html
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import area  # noqa: E402
import documents  # noqa: E402
import figures  # noqa: E402
import pictures  # noqa: E402
import reference  # noqa: E402
import results  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 1_500_000  # bytes of a page


class Site:
    def __init__(self, out):
        self.out, self.navigation = out, [("index.html", "Start")]
        self.layout = (HERE / "layout.html").read_text(encoding="utf-8")
        self.footer = f"Odonata, {commit()}, {datetime.date.today().isoformat()}"
        assets = out / "assets"
        assets.mkdir(parents=True)
        for source in (ROOT / "sim/report/style.css", ROOT / "sim/report/report.js", HERE / "site.css", HERE / "site.js"):
            shutil.copy(source, assets / source.name)

    def page(self, name, title, body, data=None):
        """Writes a page; `data` is what report.js draws into the element "page"."""
        root = "../" * name.count("/")
        links = [f'<a href="{root}{file}"{" aria-current=page" if file == name else ""}>{html.escape(text)}</a>' for file, text in self.navigation]
        embedded = ""
        if data is not None:
            text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
            embedded = f'<script type="application/json" id="data">{text}</script>'
        page = self.layout
        for mark, value in (("title", html.escape(title)), ("root", root), ("nav", "".join(links)), ("footer", html.escape(self.footer)),
                            ("data", embedded), ("body", body)):
            page = page.replace("{{" + mark + "}}", value)
        if len(page.encode()) > LIMIT:
            raise results.Bad(f"{name}: a page of {len(page.encode())} bytes, expected at most {LIMIT}")
        file = self.out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")


def commit():
    """Commit of the sources, where git knows it."""
    try:
        return "commit " + subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    except (subprocess.CalledProcessError, FileNotFoundError):
        return "commit unknown"


def card(file, title, text, picture, verdict=""):
    state = {"pass": "good", "": ""}.get(verdict, "bad")
    said = f'<span class="{state}">{html.escape(verdict)}</span> ' if verdict else ""
    return f'<a class="card" href="{file}">{picture}<b>{html.escape(title)}</b>{said}<span>{html.escape(text)}</span></a>'


def verdict_of(group):
    judged = [r["verdict"] for r in group if "verdict" in r]
    return next((v for v in judged if v != "pass"), "pass" if judged else "")


def table(header, rows):
    """Rows of HTML cells."""
    head = "".join(f"<th>{h}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def start_page(site, read, cards):
    judged = [r for r in read if "verdict" in r]
    failed = [r for r in judged if r["verdict"] != "pass"]
    said = f"Not validated: {len(failed)} of {len(judged)} checks failed" if failed else f"Validated: all {len(judged)} checks of this run hold"
    hint = "There are no results of a run here: <code>./dev run</code> makes them."
    banner = f'<div class="banner {"fail" if failed else "pass"}"><strong>{said}</strong></div>' if judged else f'<div class="banner"><strong>{hint}</strong></div>'
    rows = []
    for r in read:
        verdict = r.get("verdict", "")
        state = f'<span class="{"good" if verdict == "pass" else "bad"}">{html.escape(verdict)}</span>' if verdict else ""
        rows.append([f'<a href="{results.page_of(r)}.html">{html.escape(r["file"])}</a>', html.escape(f"{r['command']} {r.get('block', '')}"), state,
                     html.escape(r.get("headline", "")), html.escape(r.get("version", ""))])
    checks = f'<section><h2>Every result of this run</h2>{table(("file", "command", "verdict", "result", "program"), rows)}</section>' if rows else ""
    site.page("index.html", "Odonata", '<h1>Odonata</h1><p>An executable hardware specification of an adaptive, self-healing dragonfly router.</p>'
              f'{banner}<div class="cards">{"".join(cards)}</div>{checks}')


def result_pages(site, read):
    """A page a subject, and their cards."""
    groups = {name: [r for r in read if results.page_of(r) == name] for name, *_ in results.PAGES}
    made = sorted(((name, title, text, groups[name]) for name, title, text, _ in results.PAGES if groups[name]), key=lambda page: results.ORDER.index(page[0]))
    site.navigation += [(f"{name}.html", title) for name, title, _, _ in made]
    cards = [card(f"{name}.html", title, text, pictures.of_page(name, group), verdict_of(group)) for name, title, text, group in made]

    def write():
        for name, title, _, group in made:
            shown = [results.for_page(r) for r in group]
            if name == "cosimulation":
                shown[0] = {**shown[0], "report": [results.cosim_matrix(group), results.checks(ROOT), *shown[0]["report"]]}
            site.page(f"{name}.html", f"{title}: Odonata", '<div id="page"></div>', {"title": title, "results": shown})

    return cards, write


def figure_pages(site, docs):
    """The reproduced figures: in front of each page of docs/results its curves; one page with a card for each."""
    cards = []
    for path in sorted((ROOT / "docs/results").glob("*.csv")):
        name = f"docs/results/{path.stem}.md"
        figure = figures.Figure(path)
        charts = figures.sections(figure)
        title, body = docs.render(name)
        head, end, rest = body.partition("</h1>")
        said = f'<p>The tables below as data: <a href="{path.name}">{path.name}</a>.</p>'
        site.page(documents.page_of(name), f"{title}: Odonata", f'{head}{end}{said}<div id="page"></div>{rest}', {"bare": True, "results": [{"command": "sweep", "report": charts}]})
        shutil.copy(path, (site.out / name).parent / path.name)
        docs.pages.discard(name)
        close, compared = figures.agreement(figure)
        text = f"{close} of {compared} published values agree; the page says why others do not" if compared else "Measured, without published numbers"
        chart = next((c for c in charts if c["type"] == "lines"), {"series": []})
        lines = [[p[:2] for p in s["points"]] for s in chart["series"] if not s.get("marks")][:6]
        bars = [b["value"] / max(x["value"] for x in c["bars"]) for c in charts if c["type"] == "bars" for b in c["bars"] if max(x["value"] for x in c["bars"]) > 0]
        cards.append(card(documents.page_of(name), title, text, pictures.curves(lines) if lines else pictures.bars(bars) if bars else pictures.page_lines()))
    summary = '<p>Every figure of the papers that the program reproduces: curves and the papers\' points, from the data beside each page. ' \
              '<code>./dev reproduce NAME</code> makes a page anew; <a href="docs/results.html">all results and their commands</a>.</p>'
    site.page("results.html", "Results: Odonata", f'<h1>Results beside the papers</h1>{summary}<div class="cards">{"".join(cards)}</div>')


def build(inputs, out):
    read = [results.read(path) for path in inputs]
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        site = Site(part)
        cards, write_results = result_pages(site, read)
        docs = documents.Documents(ROOT, part)
        sizes = area.sections(read, (ROOT / "docs/area.md").read_text(encoding="utf-8"))
        site.navigation += [("speed.html", "Speed and area"), ("results.html", "Results"), ("documents.html", "Documents"), ("reference.html", "Reference")]
        largest = sorted((b["value"] for s in sizes if s["type"] == "bars" for b in s["bars"]), reverse=True)[::4][:6]
        cards.append(card("speed.html", "Speed and area", "How fast these runs were; cells of every unit", pictures.bars([v / largest[0] for v in largest])))
        cards.append(card("results.html", "Results", "The papers' figures, measured beside published", pictures.curves([[(x, 1 / (1.05 - x)) for x in (0, .2, .4, .6, .8, .9)], [(x, 1.3 / (1.3 - x)) for x in (0, .3, .6, .9)]])))
        cards.append(card("documents.html", "Documents", "Specifications, how-tos, results and notes", pictures.page_lines()))
        cards.append(card("reference.html", "Reference", "SystemVerilog modules with their pins, C++ headers", pictures.page_lines()))
        write_results()
        start_page(site, read, cards)
        said = '<h1>Speed and area</h1><p>Before placement, from Yosys: <a href="docs/area.html">all tables and how they are made</a>.</p><div id="page"></div>'
        site.page("speed.html", "Speed and area: Odonata", said, {"bare": True, "results": [{"command": "area", "report": sizes}]})
        site.page("documents.html", "Documents: Odonata", docs.contents())
        figure_pages(site, docs)
        for name in sorted(docs.pages):
            title, body = docs.render(name)
            site.page(documents.page_of(name), f"{title}: Odonata", body)
        for name, title, body in reference.pages(ROOT):
            site.page(name, f"{title}: Odonata", body)
        shutil.rmtree(out, ignore_errors=True)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return len(list(out.rglob("*.html")))


def main():
    parser = argparse.ArgumentParser(description="Make the site from results and documents.")
    parser.add_argument("--in", dest="inputs", type=pathlib.Path, nargs="*", default=[], metavar="FILE", help="JSON results of odonata")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/site", metavar="FOLDER")
    arguments = parser.parse_args()
    try:
        pages = build(arguments.inputs, arguments.out)
    except (results.Bad, OSError) as error:
        print(f"site: error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.out}/index.html: {pages} pages, open without a network")
    return 0


if __name__ == "__main__":
    sys.exit(main())
