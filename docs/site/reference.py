# SPDX-License-Identifier: Apache-2.0
"""The reference: SystemVerilog modules with their header comments and pins, TLM sockets, the headers that are installed
as Doxygen reads them, the C interface of a device, and the Python module."""
import ast
import html
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "cmake"))
import public_headers  # noqa: E402

DEVICE = "tb/harness/odonata_device.h"  # plain C, as it stands
MODULE = re.compile(r"^(module|package|interface)\s+(\w+)((?://[^\n]*|[^;])*?);", re.M)
PORT = re.compile(
    r"^\s*(input|output|inout)\s+(?:var\s+)?(?:wire\s+)?(?:([\w:]+)(?=[\s\[]))?\s*((?:\[[^\]]*\]\s*)*)\s*(\w+)"
    r"\s*((?:\[[^\]]*\])*)\s*,?\s*(?://\s*(.*))?$",
    re.M,
)


def table(header, rows):
    head = "".join(f"<th>{html.escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def code(text):
    return f"<code>{html.escape(str(text))}</code>"


def prose(text):
    """Words with `code` in them."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


def paragraphs(text):
    """Prose as paragraphs; lines that are set in from the margin stay as they are."""
    parts = []
    for block in re.split(r"\n\s*\n", text):
        for inside, lines in itertools.groupby(block.split("\n"), key=lambda line: line.startswith(" ")):
            lines = "\n".join(lines)
            if lines.strip():
                parts.append(
                    f"<pre>{html.escape(textwrap.dedent(lines))}</pre>" if inside else f"<p>{prose(lines)}</p>"
                )
    return "".join(parts)


# ---- SystemVerilog ----


def header_comment(text):
    """The comment in front of the first module, without the licence; lines that are drawn or listed stay lines."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" ").rstrip())
    return "\n".join(line for line in lines if "SPDX-" not in line).strip()


def pins(root, family, module, declaration):
    """Rows (pin, direction, bits, meaning): from the unit's description, where it is a unit,
    else from the declaration."""
    description = root / "models" / family / f"{module}.toml"
    if description.is_file():
        unit = tomllib.loads(description.read_text(encoding="utf-8"))
        rows = [[code("clk_i"), "in", "1", "clock"], [code("rst_ni"), "in", "1", "synchronous reset, active low"]]
        for direction, suffix in (("in", "_i"), ("out", "_o")):
            for name, pin in unit.get(direction, {}).items():
                bits = f"{pin['count']} x {pin.get('bits', 1)}" if "count" in pin else pin.get("bits", 1)
                rows.append([code(name + suffix), direction, html.escape(str(bits)), prose(pin.get("text", ""))])
        return rows
    return [
        [
            code(name),
            {"input": "in", "output": "out"}.get(direction, direction),
            html.escape(((width or "").strip() + after).strip() or (kind if kind not in ("logic", "", None) else "1")),
            prose(note or ""),
        ]
        for direction, kind, width, name, after, note in PORT.findall(declaration)
    ]


def modules(root):
    """{family: [(name, file, header comment, declaration, pins)]}"""
    found = {}
    for path in sorted((root / "rtl").glob("*/*.sv")):
        text = path.read_text(encoding="utf-8")
        for kind, name, rest in MODULE.findall(text)[:1]:
            family = path.parent.name
            declaration = f"{kind} {name}{rest};"
            found.setdefault(family, []).append(
                (
                    name,
                    str(path.relative_to(root)),
                    header_comment(text),
                    declaration,
                    pins(root, family, name, declaration),
                )
            )
    return found


def family_page(family, entries):
    parts = [f"<h1>RTL: {html.escape(family)}</h1>"]
    for name, file, comment, declaration, rows in entries:
        pin_table = table(("pin", "direction", "bits", "meaning"), rows) if rows else ""
        parts.append(
            f'<section id="{name}"><h2>{html.escape(name)}</h2><p>{code(file)}</p>{paragraphs(comment)}{pin_table}'
            f"<details><summary>Declaration</summary><pre>{html.escape(declaration)}</pre></details></section>"
        )
    return f'<article class="document">{"".join(parts)}</article>'


# ---- C++ ----

OPTIONS = """
INPUT = {inputs}
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OUTPUT_DIRECTORY = {out}
STRIP_FROM_PATH = {root}
QUIET = YES
WARNINGS = NO
MACRO_EXPANSION = YES
"""


def words(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def said(node):
    """What a declaration says of itself."""
    return " ".join(filter(None, (words(node.find("briefdescription")), words(node.find("detaileddescription")))))


def declaration(member, scope):
    """As it is written inside its class or namespace."""
    kind = member.get("kind")
    if kind == "enum":
        values = ", ".join(v.findtext("name") for v in member.findall("enumvalue"))
        return f"enum {member.findtext('name')} {{ {values} }}"
    text = (member.findtext("definition") or member.findtext("name")) + (member.findtext("argsstring") or "")
    text = text.replace(f"{scope}::" if scope else "odonata::", "").replace("odonata::", "")
    if member.find("initializer") is not None and kind == "variable":
        text += " " + words(member.find("initializer"))
    return text


def members(compound):
    rows, scope = [], compound.findtext("compoundname")
    for member in compound.iter("memberdef"):
        if member.get("prot") in (None, "public") and member.get("kind") in ("function", "variable", "typedef", "enum"):
            rows.append((member.find("location").get("file"), declaration(member, scope), said(member)))
    return rows


def page_of(file):
    """Page and CMake component of a header."""
    top, folder, *_ = file.split("/")
    return {"sim": ("sim/network", "network"), "tb": ("tb", "cosim")}.get(top, (f"{top}/{folder}", top))


def page_name(page):
    return page.replace("/", "_") + ".html"


def headers(root):
    """{page: {file: [(title, what it says, [(declaration,
    what it says)])]}} of the installed headers that are written by hand; {} without Doxygen."""
    if not shutil.which("doxygen"):
        return {}
    found, names = {}, [name for name in public_headers.public(root) if name != DEVICE]
    for name in names:
        found.setdefault(page_of(name)[0], {})[name] = []

    def put(file, title, text, rows):
        found[page_of(file)[0]][file].append((title, text, rows))

    with tempfile.TemporaryDirectory() as out:
        options = OPTIONS.format(inputs=" ".join(f'"{root / name}"' for name in names), out=out, root=root)
        subprocess.run(
            ["doxygen", "-"], input=options, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for path in sorted((Path(out) / "xml").glob("*.xml")):
            for compound in xml.parse(path).getroot().iter("compounddef"):
                kind, name = compound.get("kind"), compound.findtext("compoundname").replace("odonata::", "")
                if kind in ("class", "struct") and compound.get("prot") != "private":
                    put(
                        compound.find("location").get("file"),
                        f"{kind} {name}",
                        said(compound),
                        [(d, t) for _, d, t in members(compound)],
                    )
                elif kind == "namespace":
                    by_file = {}
                    for file, text, meaning in members(compound):
                        by_file.setdefault(file, []).append((text, meaning))
                    for file, rows in by_file.items():
                        if file.endswith(".h"):
                            put(file, f"namespace {name}" if name else "Declarations", "", rows)
    return found


def folder_page(root, folder, files):
    links = "".join(
        f'<a href="#{html.escape(file)}">{html.escape(file.removeprefix(folder + "/"))}</a>' for file in sorted(files)
    )
    parts = [
        f'<h1>C++: {html.escape(folder)}</h1><details class="contents"><summary>On this page: {len(files)} '
        f'headers</summary><nav aria-label="On this page">{links}</nav></details>'
    ]
    for file, entries in sorted(files.items()):
        comment = header_comment((root / file).read_text(encoding="utf-8"))
        parts.append(f'<h2 id="{html.escape(file)}">{html.escape(file)}</h2>{paragraphs(comment)}')
        for title, text, rows in sorted(entries):
            listed = table(("declaration", "meaning"), [[code(d), prose(t)] for d, t in rows]) if rows else ""
            parts.append(f"<section><h3>{html.escape(title)}</h3><p>{prose(text)}</p>{listed}</section>")
    return f'<article class="document">{"".join(parts)}</article>'


def device_page(root):
    text = (root / DEVICE).read_text(encoding="utf-8")
    return (
        f'<article class="document"><h1>C: {code(Path(DEVICE).name)}</h1><p>In C, so that any language can make a '
        f'device; <a href="../docs/examples/own_rtl.html">how it is used</a>.</p>'
        f"<pre>{html.escape(text)}</pre></article>"
    )


# ---- TLM sockets ----

CLASS = re.compile(r"^(?:class|struct) (\w+)[^;]*$")
SOCKET = re.compile(r"^  (?:const )?((?:\w+::)*\w*[sS]ocket\w*)(?:<[^;{]*>)?&? +(\w+)(?:\((int \w+)\))?(?:\{|;| \{)")


def direction(kind, text):
    """Of a socket's type, through the name that a class gives it."""
    alias = re.search(rf"using {kind} =\s*([^;]+);", text)
    return "initiator" if "initiator" in (alias[1] if alias else kind) else "target"


def sockets(root):
    """(module, socket, direction, meaning, file) of the sockets that the SystemC modules have outside."""
    found = []
    for path in sorted((root / "hw").rglob("*.h")):
        text, module, public, comment = path.read_text(encoding="utf-8"), "", True, []
        for line in text.splitlines():
            if opened := CLASS.match(line):
                module, public = opened[1], line.startswith("struct")
            elif line.strip() in ("public:", "private:", "protected:"):
                public = line.strip() == "public:"
            elif line.strip().startswith("///"):
                comment.append(line.strip()[3:].strip())
                continue
            elif public and (socket := SOCKET.match(line)):
                name = socket[2] + (f"({socket[3]})" if socket[3] else "")
                found.append((module, name, direction(socket[1], text), " ".join(comment), str(path.relative_to(root))))
            comment = []
    return found


# ---- Python ----


def of_python(root):
    """[(name, declaration, docstring)] of what `import odonata` gives, members of a class behind it."""
    tree = ast.parse((root / "sim/python/package/__init__.py").read_text(encoding="utf-8"))
    found = [("odonata", "import odonata", ast.get_docstring(tree) or "")]

    def put(node, prefix=""):
        text = ast.get_docstring(node)
        if node.name.startswith("_") and node.name != "__init__":
            return
        if isinstance(node, ast.ClassDef):
            made = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
            found.append((node.name, f"class {node.name}({parameters(made)})", text or ""))
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and member.name != "__init__":
                    put(member, f"{node.name}.")
        else:
            attribute = any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)
            call = "" if attribute else f"({parameters(node)})"
            found.append(
                (
                    prefix + node.name,
                    f"{prefix}{node.name}{call}" + (f" -> {ast.unparse(node.returns)}" if node.returns else ""),
                    text or "",
                )
            )

    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            put(node)
    return found


def parameters(function):
    """As they are declared, without self."""
    return re.sub(r"^self(, |$)", "", ast.unparse(function.args)) if function else ""


def python_page(entries):
    (_, title, text), *rest = entries
    parts = [f"<h1>Python: {code(title)}</h1>{paragraphs(text)}"]
    for _, group in itertools.groupby(rest, key=lambda entry: entry[0].partition(".")[0]):
        (name, declared, meaning), *inner = group
        listed = table(("call", "meaning"), [[code(d), prose(t)] for _, d, t in inner]) if inner else ""
        parts.append(
            f'<section id="{name}"><h2>{html.escape(name)}</h2><pre>{html.escape(declared)}</pre>'
            f'{paragraphs(meaning)}{listed}</section>'
        )
    return f'<article class="document">{"".join(parts)}</article>'


# ---- Pages ----


def pages(root):
    """(name, title, body) of every page of the reference, the list of them first."""
    rtl, cpp, python = modules(root), headers(root), of_python(root)
    rows = []
    for family, entries in rtl.items():
        for name, _, comment, _, _ in entries:
            rows.append(
                [
                    f'<a href="reference/rtl_{family}.html#{name}">{html.escape(name)}</a>',
                    html.escape(family),
                    prose(" ".join(re.split(r"\n\s*\n", comment)[0].split())),
                ]
            )
    body = (
        f'<h1>Reference</h1><section><h2>SystemVerilog '
        f'modules</h2>{table(("module", "family", "what"), rows)}</section>'
    )
    rows = [
        [html.escape(module), code(name), kind, prose(text), code(file)]
        for module, name, kind, text, file in sockets(root)
    ]
    body += (
        f'<section><h2>TLM-2.0 '
        f'sockets</h2>{table(("module", "socket", "direction", "what it takes", "header"), rows)}</section>'
    )
    rows = [
        [
            f'<a href="reference/python.html#{name}">{html.escape(name)}</a>',
            code(declared),
            prose(text.split("\n\n")[0]),
        ]
        for name, declared, text in python[1:]
        if "." not in name
    ]
    body += f'<section><h2>Python</h2>{table(("name", "declaration", "what"), rows)}</section>'
    body += (
        f'<section><h2>C: a device of your own</h2><p><a '
        f'href="reference/device.html">{DEVICE.rpartition("/")[2]}</a>: the interface between the program and a '
        f'library with your design.</p></section>'
    )
    if cpp:
        files = [
            [
                f'<a href="reference/{page_name(page)}#{html.escape(f)}">{html.escape(f)}</a>',
                page_of(f)[1],
                html.escape(", ".join(t.split(" ", 1)[1] for t, _, _ in sorted(e) if t[0] in "cs")),
            ]
            for page, fs in sorted(cpp.items())
            for f, e in sorted(fs.items())
        ]
        body += (
            '<section><h2>C++ headers</h2><p>Those that are installed, with the component of the package that '
            'they belong to; headers that are made from the units\' '
            f'descriptions hold the pins that stand with the modules '
            f'above.</p>{table(("header", "component", "classes"), files)}</section>'
        )
    else:
        body += (
            "<section><h2>C++ headers</h2><p>Left out: there was no Doxygen where this "
            "site was made (<code>apt-get "
            "install doxygen</code>).</p></section>"
        )
    yield "reference.html", "Reference", body
    for family, entries in rtl.items():
        yield f"reference/rtl_{family}.html", f"RTL: {family}", family_page(family, entries)
    yield "reference/python.html", "Python: odonata", python_page(python)
    yield "reference/device.html", "C: odonata_device.h", device_page(root)
    for page, files in cpp.items():
        yield f"reference/{page_name(page)}", f"C++: {page}", folder_page(root, page, files)
