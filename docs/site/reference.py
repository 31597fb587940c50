# SPDX-License-Identifier: Apache-2.0
"""The reference: SystemVerilog modules with their header comments and pins, TLM sockets, and the public C++ headers as Doxygen reads them."""
import html
import re
import shutil
import subprocess
import tempfile
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

HEADERS = ("models", "hw")  # folders of public headers
MODULE = re.compile(r"^(module|package|interface)\s+(\w+)(.*?);", re.M | re.S)
PORT = re.compile(r"^\s*(input|output|inout)\s+(?:var\s+)?(?:wire\s+)?([\w:]+)?\s*((?:\[[^\]]*\]\s*)*)\s*(\w+)\s*((?:\[[^\]]*\])*)\s*,?\s*(?://\s*(.*))?$", re.M)


def table(header, rows):
    head = "".join(f"<th>{html.escape(h)}</th>" for h in header)
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def code(text):
    return f"<code>{html.escape(str(text))}</code>"


def paragraphs(text):
    return "".join(f"<p>{html.escape(p.strip())}</p>" for p in re.split(r"\n\s*\n", text) if p.strip())


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
    """Rows (pin, direction, bits, meaning): from the unit's description, where it is a unit, else from the declaration."""
    description = root / "models" / family / f"{module}.toml"
    if description.is_file():
        unit = tomllib.loads(description.read_text(encoding="utf-8"))
        rows = [[code("clk_i"), "in", "1", "clock"], [code("rst_ni"), "in", "1", "synchronous reset, active low"]]
        for direction, suffix in (("in", "_i"), ("out", "_o")):
            for name, pin in unit.get(direction, {}).items():
                bits = f"{pin['count']} x {pin.get('bits', 1)}" if "count" in pin else pin.get("bits", 1)
                meaning = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(pin.get("text", "")))
                rows.append([code(name + suffix), direction, html.escape(str(bits)), meaning])
        return rows
    return [[code(name), {"input": "in", "output": "out"}.get(direction, direction), html.escape(((width or "").strip() + after).strip() or (kind if kind not in ("logic", "", None) else "1")),
             html.escape(note or "")] for direction, kind, width, name, after, note in PORT.findall(declaration)]


def modules(root):
    """{family: [(name, file, header comment, declaration, pins)]}"""
    found = {}
    for path in sorted((root / "rtl").glob("*/*.sv")):
        text = path.read_text(encoding="utf-8")
        for kind, name, rest in MODULE.findall(text)[:1]:
            family = path.parent.name
            declaration = f"{kind} {name}{rest};"
            found.setdefault(family, []).append((name, str(path.relative_to(root)), header_comment(text), declaration, pins(root, family, name, declaration)))
    return found


def family_page(family, entries):
    parts = [f"<h1>RTL: {html.escape(family)}</h1>"]
    for name, file, comment, declaration, rows in entries:
        pin_table = table(("pin", "direction", "bits", "meaning"), rows) if rows else ""
        parts.append(f'<section id="{name}"><h2>{html.escape(name)}</h2><p>{code(file)}</p>{paragraphs(comment)}{pin_table}'
                     f"<details><summary>Declaration</summary><pre>{html.escape(declaration)}</pre></details></section>")
    return f'<article class="document">{"".join(parts)}</article>'


# ---- C++ ----

OPTIONS = """
INPUT = {inputs}
FILE_PATTERNS = *.h
RECURSIVE = YES
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
EXCLUDE_PATTERNS = */tests/*
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
    text = text.replace(scope + "::", "").replace("odonata::", "")
    if member.find("initializer") is not None and kind == "variable":
        text += " " + words(member.find("initializer"))
    return text


def members(compound):
    rows, scope = [], compound.findtext("compoundname")
    for member in compound.iter("memberdef"):
        if member.get("prot") in (None, "public") and member.get("kind") in ("function", "variable", "typedef", "enum"):
            rows.append((member.find("location").get("file"), declaration(member, scope), said(member)))
    return rows


def headers(root):
    """{folder: {file: [(title, what it says, [(declaration, what it says)])]}} of the public headers; {} where Doxygen is absent."""
    if not shutil.which("doxygen"):
        return {}
    found = {}

    def put(file, title, text, rows):
        found.setdefault(str(Path(file).parent), {}).setdefault(file, []).append((title, text, rows))

    with tempfile.TemporaryDirectory() as out:
        options = OPTIONS.format(inputs=" ".join(f'"{root / h}"' for h in HEADERS), out=out, root=root)
        subprocess.run(["doxygen", "-"], input=options, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in sorted((Path(out) / "xml").glob("*.xml")):
            for compound in xml.parse(path).getroot().iter("compounddef"):
                kind, name = compound.get("kind"), compound.findtext("compoundname").replace("odonata::", "")
                if kind in ("class", "struct") and compound.get("prot") != "private":
                    put(compound.find("location").get("file"), f"{kind} {name}", said(compound), [(d, t) for _, d, t in members(compound)])
                elif kind == "namespace":
                    by_file = {}
                    for file, text, meaning in members(compound):
                        by_file.setdefault(file, []).append((text, meaning))
                    for file, rows in by_file.items():
                        if file.endswith(".h"):
                            put(file, f"namespace {name}" if name else "Declarations", "", rows)
    return found


def folder_page(folder, files):
    parts = [f"<h1>C++: {html.escape(folder)}</h1>"]
    for file, entries in sorted(files.items()):
        parts.append(f'<h2 id="{html.escape(Path(file).name)}">{html.escape(file)}</h2>')
        for title, text, rows in sorted(entries):
            listed = table(("declaration", "meaning"), [[code(d), html.escape(t)] for d, t in rows]) if rows else ""
            parts.append(f"<section><h3>{html.escape(title)}</h3><p>{html.escape(text)}</p>{listed}</section>")
    return f'<article class="document">{"".join(parts)}</article>'


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


# ---- Pages ----

def pages(root):
    """(name, title, body) of every page of the reference, the list of them first."""
    rtl, cpp = modules(root), headers(root)
    rows = []
    for family, entries in rtl.items():
        for name, _, comment, _, _ in entries:
            rows.append([f'<a href="reference/rtl_{family}.html#{name}">{html.escape(name)}</a>', html.escape(family), html.escape(" ".join(re.split(r"\n\s*\n", comment)[0].split()))])
    body = f'<h1>Reference</h1><section><h2>SystemVerilog modules</h2>{table(("module", "family", "what"), rows)}</section>'
    rows = [[html.escape(module), code(name), kind, html.escape(text), code(file)] for module, name, kind, text, file in sockets(root)]
    body += f'<section><h2>TLM-2.0 sockets</h2>{table(("module", "socket", "direction", "what it takes", "header"), rows)}</section>'
    if cpp:
        files = [[f'<a href="reference/{folder.replace("/", "_")}.html#{html.escape(Path(f).name)}">{html.escape(f)}</a>', str(len(e)), html.escape(", ".join(t.split(" ", 1)[1] for t, _, _ in sorted(e) if t[0] in "cs"))]
                 for folder, fs in sorted(cpp.items()) for f, e in sorted(fs.items())]
        body += f'<section><h2>C++ headers</h2>{table(("header", "parts", "classes"), files)}</section>'
    else:
        body += "<section><h2>C++ headers</h2><p>Left out: there was no Doxygen where this site was made (<code>apt-get install doxygen</code>).</p></section>"
    yield "reference.html", "Reference", body
    for family, entries in rtl.items():
        yield f"reference/rtl_{family}.html", f"RTL: {family}", family_page(family, entries)
    for folder, files in cpp.items():
        yield f"reference/{folder.replace('/', '_')}.html", f"C++: {folder}", folder_page(folder, files)
