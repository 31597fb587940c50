#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site of the project: JSON results, results beside the papers, documents and reference as pages that need no
network.

  build.py [--in FILE.json ...] [--out FOLDER]

The folder (default out/site) appears whole or not at all. A file that is no result of odonata ends it with one line and
exit code 2.
"""
import argparse
import datetime
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import area  # noqa: E402
import data  # noqa: E402
import documents  # noqa: E402
import figures  # noqa: E402
import pictures  # noqa: E402
import reference  # noqa: E402
import results  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 1_500_000  # bytes of a page
LATER = 60_000  # bytes of a section's data from which it lies in a file beside the page
SCRIPTS = ("tables.js", "charts.js", "cycles.js", "pictures.js", "report.js")  # of sim/report, in this order
NPM = ROOT / "build/npm/node_modules"
RECORDS = {  # of docs/results: title, what it is
    "coverage": (
        "Coverage",
        "Lines of C++ that the suite reaches, lines and toggles of the RTL in lockstep, folder by folder "
        "(./dev coverage; docs/verification.md says what is left out).",
    ),
    "full": (
        "Lockstep at full size",
        "Parts of ./dev full that have run: units of 63 ports in lockstep, and the router's netlist at tiny size.",
    ),
    "lockstep": (
        "Lockstep runs of every unit",
        "Every unit at every level and size against its golden model, as ./dev lockstep has run them.",
    ),
    "mutants": (
        "Mutation campaigns",
        "Mutants of the netlists: killed by the bench, killed by a bench with preset counters, proved equivalent, "
        "still open (./dev mutate).",
    ),
    "proofs": ("Proofs", "Every verdict of ./dev prove: what holds, and which planted bugs a proof refutes."),
    "random_networks": (
        "Random networks",
        "Networks, settings and faults at random: engine against SystemC, and a run against the same over threads, "
        "ranks or a checkpoint (./dev networks).",
    ),
    "soak": ("Long lockstep runs", "Runs of every unit without reset, with seeds never used before (./dev soak)."),
}
LIBRARIES = {
    "uplot": ("dist/uPlot.iife.min.js",),
    "wavedrom": ("wavedrom.min.js", "skins/default.js"),
}  # of docs/site/package.json


class Site:
    def __init__(self, out):
        self.out, self.navigation = out, [("index.html", "Start")]
        self.layout = (HERE / "layout.html").read_text(encoding="utf-8")
        self.footer = f"Odonata, {commit()}, {datetime.date.today().isoformat()}"
        assets = out / "assets"
        assets.mkdir(parents=True)
        self.lacking = [name for name in LIBRARIES if not (NPM / name / "LICENSE").is_file()]
        for name in set(LIBRARIES) - set(self.lacking):
            parts = [NPM / name / "LICENSE", *(NPM / name / file for file in LIBRARIES[name])]
            licence, *code = (part.read_text(encoding="utf-8") for part in parts)
            (assets / f"{name}.js").write_text(f"/*! {name}\n{licence}*/\n" + "\n".join(code), encoding="utf-8")
        (assets / "report.js").write_text(
            "".join((ROOT / "sim/report" / name).read_text(encoding="utf-8") for name in SCRIPTS), encoding="utf-8"
        )
        styles = [ROOT / "sim/report/style.css", HERE / "site.css"] + (
            [] if "uplot" in self.lacking else [NPM / "uplot/dist/uPlot.min.css"]
        )
        (assets / "style.css").write_text(
            "\n".join(style.read_text(encoding="utf-8") for style in styles), encoding="utf-8"
        )

    def libraries(self, content, root):
        """The script elements of the libraries that a page draws with."""
        kinds = {s.get("type") for r in (content or {}).get("results", []) for s in r.get("report", [])}
        wanted = {"uplot": {"lines", "scatter"}, "wavedrom": {"timing", "waves"}}
        return "".join(
            f'<script src="{root}assets/{name}.js"></script>\n'
            for name in LIBRARIES
            if name not in self.lacking and kinds & wanted[name]
        )

    def apart(self, name, content):
        """The same data with the large sections in files of their own,
        which the page loads when a section is near (arrived() in report.js)."""
        shown = []
        for at, result in enumerate(content["results"]):
            sections = []
            for number, section in enumerate(result.get("report", [])):
                if section.get("windows") and "link_windows" in result:
                    section = {**section, "link_windows": result["link_windows"]}
                text = json.dumps(section, separators=(",", ":"))
                if len(text) > LATER:
                    file = f"data/{name.removesuffix('.html').replace('/', '-')}-{at}-{number}.js"
                    (self.out / "data").mkdir(exist_ok=True)
                    (self.out / file).write_text(f"arrived({json.dumps(file)},{text});\n", encoding="utf-8")
                    section = {key: section[key] for key in ("type", "title", "text") if key in section} | {
                        "file": file
                    }
                sections.append(section)
            shown.append({key: value for key, value in result.items() if key != "link_windows"} | {"report": sections})
        return {**content, "results": shown}

    def page(self, name, title, body, content=None):
        """Writes a page; `content` is what report.js draws into the element "page"."""
        root = "../" * name.count("/")
        links = [
            f'<a href="{root}{file}"{" aria-current=page" if file == name else ""}>{html.escape(text)}</a>'
            for file, text in self.navigation
        ]
        embedded = ""
        libraries = self.libraries(content, root)
        if content is not None:
            if not root:
                content = self.apart(name, content)
            text = json.dumps(content, separators=(",", ":")).replace("<", "\\u003c")
            embedded = f'<script type="application/json" id="data">{text}</script>'
        texts = {
            "title": html.escape(title),
            "root": root,
            "nav": "".join(links),
            "footer": html.escape(self.footer),
            "libraries": libraries,
            "data": embedded,
            "body": body,
        }
        page = re.sub(r"{{(\w+)}}", lambda mark: texts[mark[1]], self.layout)
        if len(page.encode()) > LIMIT:
            raise results.Bad(f"{name}: a page of {len(page.encode())} bytes, expected at most {LIMIT}")
        file = self.out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")


def commit():
    """Commit of the sources, where git knows it."""
    try:
        return (
            "commit "
            + subprocess.run(
                ["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], check=True, capture_output=True, text=True
            ).stdout.strip()
        )
    except (subprocess.CalledProcessError, FileNotFoundError):
        return "commit unknown"


def card(file, title, text, picture, verdict=""):
    state = {"pass": "good", "": ""}.get(verdict, "bad")
    said = f'<span class="{state}">{html.escape(verdict)}</span> ' if verdict else ""
    return (
        f'<a class="card" href="{file}">{picture}<b>{html.escape(title)}</b>{said}<span>{html.escape(text)}</span></a>'
    )


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
    said = (
        f"Not validated: {len(failed)} of {len(judged)} checks failed"
        if failed
        else f"Validated: all {len(judged)} checks of this run hold"
    )
    hint = (
        "No result of this run was checked."
        if read
        else "There are no results of a run here: <code>./dev run</code> makes them."
    )
    banner = (
        f'<div class="banner {"fail" if failed else "pass"}"><strong>{said}</strong></div>'
        if judged
        else f'<div class="banner"><strong>{hint}</strong></div>'
    )
    rows = []
    for r in read:
        verdict = r.get("verdict", "")
        state = (
            f'<span class="{"good" if verdict == "pass" else "bad"}">{html.escape(verdict)}</span>' if verdict else ""
        )
        commit = re.search(r"commit (\w+)", r.get("version", ""))
        rows.append(
            [
                f'<a href="{results.page_of(r)}.html">{html.escape(r["file"])}</a>',
                html.escape(f"{r['command']} {r.get('block', '')}"),
                state,
                html.escape(r.get("headline", "")),
                f'<span class="date">{r["day"]}</span>',
                html.escape(commit[1] if commit else r.get("version", "")),
            ]
        )
    checks = (
        f'<section><h2>Every result of this '
        f'run</h2>{table(("file", "command", "verdict", "result", "date", "commit"), rows)}</section>'
        if rows
        else ""
    )
    site.page(
        "index.html",
        "Odonata",
        '<h1>Odonata</h1><p>An executable hardware specification of adaptive, self-healing interconnect routers: of '
        'dragonflies, meshes, tori and fat-trees, and of the networks that they make.</p>'
        f'{banner}<div class="cards">{"".join(cards)}</div>{checks}',
    )


def result_pages(site, read):
    """A page a subject, and their cards."""
    groups = {name: [r for r in read if results.page_of(r) == name] for name, *_ in results.PAGES}
    made = sorted(
        ((name, title, text, groups[name]) for name, title, text, _ in results.PAGES if groups[name]),
        key=lambda page: results.ORDER.index(page[0]),
    )
    site.navigation += [(f"{name}.html", title) for name, title, _, _ in made]
    cards = [
        card(f"{name}.html", title, text, pictures.of_page(name, group), verdict_of(group))
        for name, title, text, group in made
    ]

    def write(figure_cards):
        for name, title, _, group in made:
            shown = [results.for_page(r) for r in group]
            more = ""
            if name == "cosimulation":
                shown[0] = {**shown[0], "report": [*results.cosim_matrix(group, ROOT), *shown[0]["report"]]}
            elif name == "network":
                more = f'<h2>The papers\' figures, reproduced</h2><div class="cards">{"".join(figure_cards)}</div>'
            site.page(
                f"{name}.html", f"{title}: Odonata", f'<div id="page"></div>{more}', {"title": title, "results": shown}
            )

    return cards, write


def figure_picture(charts):
    chart = next((c for c in charts if c["type"] == "lines"), {"series": []})
    lines = [[p[:2] for p in s["points"]] for s in chart["series"] if not s.get("marks")][:6]
    highest = {id(c): max((b["value"] for b in c["bars"]), default=0) for c in charts if c["type"] == "bars"}
    bars = [b["value"] / highest[id(c)] for c in charts if c["type"] == "bars" for b in c["bars"] if highest[id(c)] > 0]
    return pictures.curves(lines) if lines else pictures.bars(bars) if bars else pictures.page_lines()


def record_page(site, path):
    """The page of a CSV in docs/results that no page of text has: all of its rows."""
    name, sections, (title, text) = (
        f"docs/results/{path.stem}.html",
        figures.of_record(path),
        RECORDS.get(path.stem, (path.stem, "")),
    )
    head = f'<h1>{html.escape(title)}</h1><p>{html.escape(text)} As data: <a href="{path.name}">{path.name}</a>.</p>'
    site.page(
        name,
        f"{title}: Odonata",
        f'{head}<div id="page"></div>',
        {"bare": True, "results": [{"command": "record", "report": sections}]},
    )
    rows = sections[-1]["rows"]
    return card(name, title, f"{len(rows)} row{'s' * (len(rows) != 1)}", figure_picture(sections))


def figure_pages(site, docs):
    """The reproduced figures: in front of each page of docs/results its curves; one page with a card for each, which
    the page of the network has, too."""
    cards, beside = [], {}
    (site.out / "docs/results").mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "docs/results").glob("*.csv")):
        shutil.copy(path, site.out / "docs/results" / path.name)
        if not path.with_suffix(".md").is_file():
            cards.append(record_page(site, path))
            continue
        name = f"docs/results/{path.stem}.md"
        own = data.is_own(path)
        figure = figures.Figure(path) if own else None
        charts = figures.sections(figure) if own else figures.of_record(path)
        title, body = docs.render(name)
        head, end, rest = body.partition("</h1>")
        said = f'<p>The tables below as data: <a href="{path.name}">{path.name}</a>.</p>'
        site.page(
            documents.page_of(name),
            f"{title}: Odonata",
            f'{head}{end}{said}<div id="page"></div>{rest}',
            {"bare": True, "results": [{"command": "sweep", "report": charts}]},
        )
        docs.pages.discard(name)
        close, compared = figures.agreement(figure) if own else (0, 0)
        if compared:
            beside[title] = figure
        text = (
            f"{close} of {compared} published values agree; the page says why others do not"
            if compared
            else "Measured, without published numbers"
        )
        cards.append(card(documents.page_of(name), title, text, figure_picture(charts)))
    summary = (
        '<p>Every figure of the papers that the program reproduces: curves and the papers\' points, from the data '
        'beside each page. '
        '<code>./dev reproduce NAME</code> makes a page anew; <a href="docs/results.html">all results and their '
        'commands</a>.</p>'
    )
    table_of_all = figures.comparison(beside)
    site.page(
        "results.html",
        "Results: Odonata",
        f'<h1>Results beside the papers</h1>{summary}<div class="cards">{"".join(cards)}</div><div id="page"></div>',
        {"bare": True, "results": [{"command": "sweep", "report": [table_of_all] if beside else []}]},
    )
    return cards


def build(inputs, out):
    read = [results.read(path) for path in inputs]
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        site = Site(part)
        cards, write_results = result_pages(site, read)
        docs = documents.Documents(ROOT, part)
        sizes = area.sections(read, (ROOT / "docs/area.md").read_text(encoding="utf-8"))
        site.navigation += [
            ("speed.html", "Speed and area"),
            ("results.html", "Results"),
            ("documents.html", "Documents"),
            ("reference.html", "Reference"),
        ]
        largest = sorted((b["value"] for s in sizes if s["type"] == "bars" for b in s["bars"]), reverse=True)[::4][:6]
        cards.append(
            card(
                "speed.html",
                "Speed and area",
                "How fast these runs were; cells of every unit",
                pictures.bars([v / largest[0] for v in largest]),
            )
        )
        cards.append(
            card(
                "results.html",
                "Results",
                "The papers' figures, measured beside published",
                pictures.curves(
                    [
                        [(x, 1 / (1.05 - x)) for x in (0, 0.2, 0.4, 0.6, 0.8, 0.9)],
                        [(x, 1.3 / (1.3 - x)) for x in (0, 0.3, 0.6, 0.9)],
                    ]
                ),
            )
        )
        cards.append(
            card("documents.html", "Documents", "Specifications, how-tos, results and notes", pictures.page_lines())
        )
        cards.append(
            card(
                "reference.html",
                "Reference",
                "SystemVerilog modules with their pins, Python, C, C++ headers",
                pictures.page_lines(),
            )
        )
        write_results(figure_pages(site, docs))
        start_page(site, read, cards)
        said = (
            '<h1>Speed and area</h1><p>Before placement, from Yosys: <a '
            'href="docs/area.html">all tables and how they '
            'are made</a>.</p><div id="page"></div>'
        )
        site.page(
            "speed.html",
            "Speed and area: Odonata",
            said,
            {"bare": True, "results": [{"command": "area", "report": sizes}]},
        )
        site.page("documents.html", "Documents: Odonata", docs.contents())
        for name in sorted(docs.pages):
            title, body = docs.render(name)
            site.page(documents.page_of(name), f"{title}: Odonata", body)
        for name, title, body in reference.pages(ROOT):
            site.page(name, f"{title}: Odonata", body)
        shutil.rmtree(out, ignore_errors=True)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return len(list(out.rglob("*.html"))), site.lacking


def main():
    parser = argparse.ArgumentParser(description="Make the site from results and documents.")
    parser.add_argument(
        "--in", dest="inputs", type=pathlib.Path, nargs="*", default=[], metavar="FILE", help="JSON results of odonata"
    )
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out/site", metavar="FOLDER")
    arguments = parser.parse_args()
    try:
        pages, lacking = build(arguments.inputs, arguments.out)
    except (results.Bad, OSError) as error:
        print(f"site: error: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.out}/index.html: {pages} pages, open without a network")
    if lacking:
        print(
            f"site: without {' and '.join(lacking)} (npm ci of docs/site into build/npm): tables stand in the "
            f"place of charts",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
