# SPDX-License-Identifier: Apache-2.0
"""The documents of the repository as pages: Markdown as GitHub reads it, links between pages,
anchors as GitHub makes them."""
import html
import pathlib
import re
import sys
import urllib.parse

try:
    from markdown_it import MarkdownIt
except ImportError:  # Debian's package serves a Python of another origin, too: it is plain Python
    sys.path.append("/usr/lib/python3/dist-packages")
    from markdown_it import MarkdownIt

GROUPS = (  # of the list of documents: title, pages; every other page of docs/ follows under "More"
    ("Start", ("README.md", "docs/architecture.md", "docs/results.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    (
        "Specifications",
        (
            "docs/route_compute.md",
            "docs/congestion.md",
            "docs/fault.md",
            "docs/arb_request.md",
            "docs/network.md",
            "docs/router.md",
            "docs/network_faults.md",
            "docs/network_timing.md",
            "docs/network_rtl.md",
            "docs/network_ranks.md",
            "docs/workloads.md",
            "docs/mesh.md",
            "docs/torus.md",
            "docs/vtftr.md",
            "docs/graph.md",
            "docs/readings.md",
        ),
    ),
    (
        "How-tos",
        (
            "docs/tutorial.md",
            "docs/cli.md",
            "docs/cluster.md",
            "docs/adding.md",
            "docs/units.md",
            "docs/systemc.md",
            "docs/cosimulation.md",
            "docs/crosscheck.md",
            "docs/verification.md",
            "docs/area.md",
        ),
    ),
)


def names(root):
    """The Markdown files that become pages, relative to the repository."""
    found = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        *sorted(str(p.relative_to(root)) for p in (root / "docs").rglob("*.md")),
    ]
    return [name for name in found if (root / name).is_file()]


def page_of(name):
    """README.md -> README.html, docs/fault.md -> docs/fault.html"""
    return name[: -len(".md")] + ".html"


def title_of(text):
    found = re.search(r"^# +(.+)$", text, re.M)
    return found[1].replace("`", "").strip() if found else "Odonata"


def slug(heading):
    return re.sub(r"[^\w\- ]", "", html.unescape(re.sub(r"<[^>]+>", "", heading)).strip().lower()).replace(" ", "-")


def with_anchors(page):
    seen = {}

    def anchor(match):
        name = first = slug(match[2])
        while name in seen:
            seen[first] += 1
            name = f"{first}-{seen[first]}"
        seen[name] = 0
        return f'<h{match[1]} id="{html.escape(name)}">{match[2]}</h{match[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", anchor, page, flags=re.S)


class Documents:
    def __init__(self, root, out):
        self.root, self.out = root, out
        self.all = set(names(root))
        self.pages = set(self.all)  # that are still to be written
        self.markdown = MarkdownIt("commonmark").enable("table")

    def link(self, name, target):
        """Where a link of the page `name` leads in the site; None: nowhere (a folder, another site)."""
        path, _, anchor = target.partition("#")
        path = urllib.parse.unquote(path)  # what stands for a space in a link
        if not path:
            return target
        if re.match(r"[a-z]+:", target):
            return target
        file = (self.root / name).parent / path
        if file.is_dir():
            file = file / "README.md"
        if not file.is_file():
            return None
        inside = str(pathlib.PurePosixPath(file.resolve().relative_to(self.root)))
        up = "../" * name.count("/")
        if inside in self.all:
            return up + urllib.parse.quote(page_of(inside)) + (f"#{anchor}" if anchor else "")
        copy = self.out / inside
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
        return up + urllib.parse.quote(inside)

    def render(self, name):
        """Title and HTML of a document."""
        text = (self.root / name).read_text(encoding="utf-8")
        page = with_anchors(self.markdown.render(text))

        def linked(match):
            target = self.link(name, html.unescape(match[2]))
            return f'{match[1]}="{html.escape(target)}"' if target else 'data-elsewhere=""'

        page = re.sub(r'\b(href|src)="([^"]*)"', linked, page)
        page = page.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
        return title_of(text), f'<article class="document">{page}</article>'

    def contents(self):
        """The page that lists them all."""
        listed, parts = set(), []
        groups = [
            *GROUPS,
            ("Results", tuple(sorted(n for n in self.all if n.startswith("docs/results/")))),
            ("Notes", tuple(sorted((n for n in self.all if n.startswith("docs/notes/")), reverse=True))),
        ]
        listed.update(n for _, pages in groups for n in pages)
        more = tuple(sorted(self.all - listed))
        for title, pages in groups + ([("More", more)] if more else []):
            items = [
                f'<li><a href="{page_of(n)}">'
                f'{html.escape(title_of((self.root / n).read_text(encoding="utf-8")))}</a></li>'
                for n in pages
                if n in self.all
            ]
            parts.append(f"<section><h2>{title}</h2><ul>{''.join(items)}</ul></section>")
        return "<h1>Documents</h1>" + "".join(parts)
