#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can be checked about the sources and documents without building anything.

  check.py spdx        every file of the repository names its licence in its first lines
  check.py prose       prose of the documents has lines of at most 120 columns, table cells are no paragraphs
  check.py columns     so have the sources, but for what cannot be broken: a word, a string or inline table of TOML
  check.py links       files and anchors that the documents link to exist
  check.py citations   every section of a page under docs/ that a source or document cites exists
  check.py layers      who includes whom, as docs/architecture.md says
  check.py lengths     an example has at most 60 lines
  check.py types       a type has one definition: of two with one name in a namespace the linker takes any
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 120  # of a line of prose, of a code block or of a source
CELL = 180  # characters of a table cell
EXAMPLE = 60  # lines of a file in docs/examples
LICENCE = "SPDX-License-Identifier: Apache-2.0"
NO_COMMENTS = (".json", ".csv", ".f", "LICENSE")  # formats without comments


def tracked(*patterns):
    """Files of the repository; without git (an unpacked archive) all that are not built."""
    try:
        names = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *patterns],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
    except (subprocess.CalledProcessError, FileNotFoundError):
        found = (p.relative_to(ROOT) for p in ROOT.rglob("*") if p.is_file())
        names = [
            str(p)
            for p in found
            if p.parts[0] not in ("build", "out", ".git") and (not patterns or any(p.match(x) for x in patterns))
        ]
    return [name for name in names if (ROOT / name).is_file()]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def generated(text):
    """Pages that a command writes: their lines are as long as their data."""
    return bool(re.search(r"this page is generated|^Written by `.*do not edit", text, re.M))


def plain_lines(text):
    """Numbers, lines, and whether the line belongs to a code block."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        yield number, line, inside or fence
        inside ^= fence


def spdx():
    for name in tracked():
        if not name.endswith(NO_COMMENTS) and LICENCE not in "\n".join(read(name).splitlines()[:3]):
            yield f"{name}:1: expected '{LICENCE}' in the first three lines"


def prose():
    for name in tracked("*.md"):
        text = read(name)
        if generated(text):
            continue
        output = False  # inside the printed output of a command: as wide as the program prints it
        for number, line, code in plain_lines(text):
            output = code and (output or line.startswith("$ ./dev")) and not line.startswith("```")
            if line.lstrip().startswith("|") and not code:
                for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1]):
                    if len(cell.strip()) > CELL:
                        yield (
                            f"{name}:{number}: a table cell of {len(cell.strip())} characters, "
                            f"expected at most {CELL}"
                        )
            elif (
                len(line) > COLUMNS and not output and not re.fullmatch(r"\s*([-*] )?\S+", line)
            ):  # a long word alone cannot be broken
                yield f"{name}:{number}: {len(line)} columns, expected at most {COLUMNS}"


SOURCES = (
    "*.h",
    "*.cpp",
    "*.c",
    "*.sv",
    "*.py",
    "*.pyi",
    "*.cmake",
    "*CMakeLists.txt",
    "*.in",
    "*.sh",
    "*.toml",
    "*.js",
    "*.mjs",
    "*.css",
    "*.html",
    ".clang-*",
    "dev",
)
WORD = re.compile(r"\s*((//|#) )?\S+")
WHOLE_VALUE = re.compile(
    r"""\s*([\w.-]+ *= *["'{].*|"[^"]*",?\]?)"""
)  # TOML has one line for a string and for a table in {}


def columns():
    for name in tracked(*SOURCES):
        for number, line in enumerate(read(name).splitlines(), 1):
            whole = WORD.fullmatch(line) or (name.endswith(".toml") and WHOLE_VALUE.fullmatch(line))
            if len(line) > COLUMNS and not whole:
                yield f"{name}:{number}: {len(line)} columns, expected at most {COLUMNS}"


def anchors(name):
    """The anchors of a page as GitHub makes them."""
    found, seen = set(), {}
    for _, line, code in plain_lines(read(name)):
        heading = None if code else re.match(r"#{1,6} +(.*)", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            first = slug
            while slug in seen:  # also of a heading that is called like one with a number
                seen[first] += 1
                slug = f"{first}-{seen[first]}"
            seen[slug] = 0
            found.add(slug)
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def links():
    for name in tracked("*.md"):
        for number, line, code in plain_lines(read(name)):
            for target in [] if code else re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                page = (ROOT / name).parent / path if path else ROOT / name
                if not page.exists():
                    yield f"{name}:{number}: {target}: there is no such file"
                elif anchor and page.suffix == ".md" and anchor not in anchors(page):
                    yield f"{name}:{number}: {target}: the page has no such heading"


def sections(name):
    """Numbers of the headings of a page: '## 6.1 Beyond the paper' is section 6.1."""
    return {
        m[1]
        for _, line, code in plain_lines(read(name))
        if not code
        for m in [re.match(r"#{2,6} +(\d+(?:\.\d+)*)[. ]", line)]
        if m
    }


GAP = r"(?:\s|\n\s*(?://+|#))*"  # a citation may go on in the next line of a comment
CITATION = re.compile(
    rf"\b([a-z_0-9]+\.md)(?:#[\w-]+)?[\])`]*{GAP}(?:\([^)]*\){GAP})?"
    rf"(§\d+(?:\.\d+)*(?:(?:,|{GAP}and|{GAP}or){GAP}§\d+(?:\.\d+)*)*)"
)
NOTES = re.compile(rf"reading(?:-|{GAP})notes", re.I)


def citations():
    pages = {
        pathlib.PurePath(name).name: sections(name)
        for name in tracked("docs/*.md")
        if pathlib.PurePath(name).parent.name == "docs"
    }
    for name in tracked():
        if name.endswith("LICENSE") or name.startswith("tb/docs/check"):
            continue
        text = read(name)
        where = lambda match: f"{name}:{text.count(chr(10), 0, match.start()) + 1}"
        for match in NOTES.finditer(text):
            yield f"{where(match)}: cites reading notes; the page is docs/readings.md"
        for match in CITATION.finditer(text):
            for section in re.findall(r"§(\d+(?:\.\d+)*)", match[2]):
                if match[1] not in pages:
                    yield f"{where(match)}: cites {match[1]}, which is not in docs/"
                elif section not in pages[match[1]]:
                    yield f"{where(match)}: cites {match[1]} §{section}, which the page does not have"


# Folder of the includer, the folders that it may include; the first that fits counts.
LAYERS = {
    "models/": ("models/",),
    "hw/": ("models/", "hw/"),
    "tb/harness/": ("models/", "tb/harness/"),
    "sim/network/": ("models/", "sim/network/"),
    "tb/": ("models/", "hw/", "tb/", "sim/"),
}  # tests of the program, of networks and of tools use its parts
# A family's bench knows no other family's; the router's is made of others' parts.
FAMILIES = ("arb_request", "congestion", "fault", "route_compute", "torus", "vtftr")
STRANGERS = {
    "models/": r'[<"](systemc|tlm|sysc/|tlm_utils/|verilated|V\w+\.h|CLI/|fstream|filesystem|iostream)',
    "hw/": r'[<"](verilated|V\w+\.h|CLI/)',
    "tb/harness/": r"[<\"](systemc|tlm|V(?!mutant)\w+\.h|CLI/)",
    "sim/network/": r"[<\"](systemc|tlm|V\w+\.h|CLI/|nlohmann/)",
}


def allowed_by(name):
    parts = name.split("/")
    if parts[0] == "tb" and parts[1] in FAMILIES:
        return "models/", "hw/", "tb/harness/", "tb/common/", f"tb/{parts[1]}/"
    return next((folders for folder, folders in LAYERS.items() if name.startswith(folder)), None)


def layers():
    for name in tracked("*.h", "*.cpp"):
        allowed = allowed_by(name)
        stranger = next((pattern for folder, pattern in STRANGERS.items() if name.startswith(folder)), None)
        for number, line in enumerate(read(name).splitlines(), 1):
            include = re.match(r'#include "((?:models|hw|tb|sim)/[^"]+)"', line)
            if allowed and include and not include[1].startswith(allowed):
                yield f"{name}:{number}: includes {include[1]}, expected one of {', '.join(allowed)}"
            if stranger and re.match(r"#include " + stranger, line):
                yield f"{name}:{number}: {line}: nothing in this folder may know it"


def lengths():
    for name in tracked("docs/examples/*"):
        count = len(read(name).splitlines())
        if count > EXAMPLE and not name.endswith(".md"):
            yield f"{name}: {count} lines, expected at most {EXAMPLE}"


TEXT_OF_C = re.compile(r'//[^\n]*|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'')
SCOPE = re.compile(
    r"\bnamespace\s*(?P<space>[\w:]*)\s*\{|\b(?:struct|class|enum)\s+(?P<type>\w+)(?:\s+final)?(?:\s*:\s[^;{}()]*)?\s*\{"
    r"|[{}]"
)


def types_of(text):
    """The types that a source defines in a namespace with a name."""
    scopes = []
    for found in SCOPE.finditer(TEXT_OF_C.sub("0", text)):
        if found[0] == "}":
            del scopes[-1:]
            continue
        if found["type"] and all(scopes):
            yield "::".join([*scopes, found["type"]])
        scopes.append(found["space"])  # None or empty: no name


def types():
    places = {}
    for name in tracked("models/*", "hw/*", "sim/*", "tb/*"):
        if name.endswith((".h", ".cpp")):
            for found in types_of(read(name)):
                places.setdefault(found, []).append(name)
    for found, names in sorted(places.items()):
        if len(names) > 1:
            yield f"{names[0]}: {found} is a type of {names[1]}, too"


CHECKS = {check.__name__: check for check in (spdx, prose, columns, links, citations, layers, lengths, types)}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in CHECKS:
        sys.exit(f"usage: check.py {'|'.join(CHECKS)}")
    problems = list(CHECKS[sys.argv[1]]())
    print("\n".join(problems[:200]))
    sys.exit(f"{len(problems)} problems" if problems else 0)
