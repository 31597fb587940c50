#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cells, flip-flops, RAM bits and logic depth of the units of a family, as tb/FAMILY/area.toml lists them: on the
standard output and in docs/area.md.

The table: `note` goes below the figures; `recipe`: what yosys does before it maps gates, {tie} where an input is tied;
`abc`: how the depth is found; `sources`: beside the RTL; [sizes]: parameters by name; `deferred`: modules are
elaborated with their parameters only; `zinit`: the first values of registers without reset are inputs, and part of the
depth. A [[row]] has
  name, top     "{size}" in the top stands for the size
  sizes         names of [sizes], by default all; parameters: which of theirs the module has, by default all
  set           more parameters, numbers or expressions over the parameters of the size
  tie           an input that is 0
  recipe        in place of the table's; the note says why
  added_to      name of another row: how many more cells than that at the same size
  sum           name of another row -> how many of it, an expression over the parameters of the size: nothing is
                synthesized, cells, flip-flops and RAM bits are added up; of a row without this size those of its last
                size count
  depth_of      of such a row: names of rows at the same size; the largest depth of them is its own
  stages        name -> pattern of registers: depth of the logic in front of these registers; "memory": RAM pins are
                among them; "": all else

  area.py [FAMILY] [--sizes A,B] [--again | --kept] [--json FILE]    --sizes: only these, printed only

What a row gave is kept in out/area under a key of all that it follows from (sources, parameters, recipe, tools): a run
that was stopped goes on where it was, and a row of which nothing has changed is not synthesized again (--again: it is).
--kept: nothing is synthesized; rows that are not kept are named.
"""
import argparse
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import textwrap
import tempfile
import time

import tools
from sv_tokens import tokens

DOC = tools.ROOT / "docs/area.md"
KEPT = tools.ROOT / "out/area"
SECONDS = 1800  # of processor time, a run of a tool
MEMORY = 12 << 30  # bytes of its address space
COVERS = {
    "$_NOT_": "0 1",
    "$_AND_": "11 1",
    "$_NAND_": "0- 1\n-0 1",
    "$_OR_": "1- 1\n-1 1",
    "$_NOR_": "00 1",
    "$_XOR_": "10 1\n01 1",
    "$_XNOR_": "11 1\n00 1",
    "$_ANDNOT_": "10 1",
    "$_ORNOT_": "1- 1\n-0 1",
}
GATES = ",".join(name.strip("$_") for name in COVERS if name != "$_NOT_")


# ---- The netlist: yosys' JSON ----


def limited(command, directory):
    """What a tool prints; ends the program when it fails or takes too much."""
    log = directory / "log"
    text, _ = tools.run_limited(command, log, SECONDS, MEMORY)
    if text is None:
        tools.fail(
            f"{' '.join(map(str, command))[:1000]}\nfailed, or took more than {SECONDS} s or {MEMORY >> 30} GB:\n"
            f"{log.read_text()[-2000:]}"
        )
    return text


def sources_for(family, table, row):
    return tools.rtl(family, wrappers="{size}" in row["top"]) + table.get("sources", [])


def script(family, table, row, size, directory):
    """What yosys does."""
    known = table["sizes"][size]
    wanted = row.get("parameters", " ".join(known)).split()
    more = {
        k: eval(v, {}, dict(known)) if isinstance(v, str) else v for k, v in row.get("set", {}).items()
    }  # pylint: disable=eval-used
    parameters = {**{k: known[k] for k in wanted}, **more}
    top = row["top"].format(size=size)
    tied = f"delete -input w:{row['tie']}; connect -set {row['tie']} 1'0; opt;" if "tie" in row else ""
    sources = " ".join(sources_for(family, table, row))
    if table.get("deferred"):
        chparam = "chparam " + " ".join(f"-set {k} {v}" for k, v in parameters.items())
        elaborate = f"read_verilog -sv -defer {sources}; {chparam} {top}; hierarchy -check -top {top}"
    else:
        elaborate = f"read_verilog -sv {sources}; hierarchy -check -top {top} " + " ".join(
            f"-chparam {k} {v}" for k, v in parameters.items()
        )
    recipe = row.get("recipe", table["recipe"]).format(tie=tied)
    return (
        f"{elaborate}; {recipe}; abc -g {GATES}; opt_clean; write_json {directory}/net.json; "
        f"cutpoint t:$mem*; opt_clean; dfflegalize -cell $_DFF_P_ x; aigmap; opt_clean; "
        f"write_aiger {'-zinit' if table.get('zinit') else ''} {directory}/net.aig"
    )


def synthesize(family, table, row, size, directory):
    """The flat module; DIRECTORY/net.aig is its logic with registers and RAMs taken out."""
    limited(["yosys", "-q", "-p", script(family, table, row, size, directory)], directory)
    return next(iter(json.loads((directory / "net.json").read_text())["modules"].values()))


def split(module):
    """The cells as (gates, flip-flops, memories)."""
    cells = module["cells"].values()
    flip_flops = [cell for cell in cells if "DFF" in cell["type"]]
    memories = [cell for cell in cells if cell["type"].startswith("$mem")]
    logic = [cell for cell in cells if "DFF" not in cell["type"] and not cell["type"].startswith("$mem")]
    unknown = {cell["type"] for cell in logic} - set(COVERS)
    if unknown:
        tools.fail(f"yosys left cells that are no gates: {', '.join(sorted(unknown))}")
    return logic, flip_flops, memories


def ram_bits(memories):
    return sum(int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2) for cell in memories)


def levels(command, directory):
    """Levels of the and-inverter graph, then look-up tables and their levels if abc mapped them."""
    text = limited(["berkeley-abc", "-c", command], directory)
    graph, luts = re.findall(r"and =\s*\d+\s+lev =\s*(\d+)", text), re.findall(r"\bnd =\s*(\d+).*lev =\s*(\d+)", text)
    if not graph:
        tools.fail(f"{command}\ngave no figures:\n{text[-1500:]}")
    return int(graph[0]), *(int(n) for n in (luts[-1] if luts else ()))


# ---- Stages: the logic that ends in certain registers, as BLIF ----


def input_bits(cell):
    """Bits at the input pins except clocks."""
    others = {"Q", "RD_DATA", "C", "RD_CLK", "WR_CLK"}
    return {bit for pin, bits in cell["connections"].items() if pin not in others for bit in bits}


def ends_of_stages(stages, module, flip_flops, memories):
    """The bits in which the logic of each stage ends."""
    names, order = {}, list(stages)
    for name, net in module["netnames"].items():
        for bit in net["bits"]:
            names.setdefault(bit, []).append(name)
    rest = next(n for n, patterns in enumerate(stages.values()) if "" in patterns)
    ends = [set() for _ in order]
    for cell in flip_flops:
        here = [
            n
            for n, patterns in enumerate(stages.values())
            for pattern in patterns
            if pattern not in ("", "memory")
            if any(re.search(pattern, name) for name in names.get(cell["connections"]["Q"][0], []))
        ]
        ends[here[0] if here else rest] |= input_bits(cell)
    for cell in memories:
        ends[next(n for n, patterns in enumerate(stages.values()) if "memory" in patterns)] |= input_bits(cell)
    for port in module["ports"].values():
        if port["direction"] == "output":
            ends[rest] |= set(port["bits"])
    return ends


def sources_of(gate):
    return [gate["connections"][pin][0] for pin in "AB" if pin in gate["connections"]]


def blif(ends, drivers):
    """The gates in front of these bits, down to inputs, registers and RAM pins."""
    inside, leaves, todo = {}, set(), list(ends)
    while todo:
        bit = todo.pop()
        if bit in inside or bit in leaves:
            continue
        if bit not in drivers:
            leaves.add(bit)
            continue
        inside[bit] = drivers[bit]
        todo += sources_of(drivers[bit])
    inputs = sorted(bit for bit in leaves if isinstance(bit, int))
    outputs = sorted(bit for bit in ends if bit in inside)
    lines = [
        ".model cone",
        ".inputs " + " ".join(f"n{bit}" for bit in inputs),
        ".outputs " + " ".join(f"n{bit}" for bit in outputs),
    ]
    for constant in sorted(str(bit) for bit in leaves if not isinstance(bit, int)):
        lines.append(f".names n{constant}" + ("\n1" if constant == "1" else ""))
    for bit, gate in inside.items():
        lines += [".names " + " ".join(f"n{source}" for source in sources_of(gate)) + f" n{bit}", COVERS[gate["type"]]]
    return "\n".join(lines + [".end", ""])


def stage_depths(table, row, module, directory):
    """{stage: "AIG levels / LUT levels"}, and the look-up tables of all."""
    logic, flip_flops, memories = split(module)
    drivers = {cell["connections"]["Y"][0]: cell for cell in logic}
    ends = ends_of_stages(row["stages"], module, flip_flops, memories)

    def depth(bits):
        (directory / "cone.blif").write_text(blif(bits, drivers))
        return levels(f"read_blif {directory}/cone.blif; {table['abc']}", directory)

    found = {name: depth(bits) for name, bits in zip(row["stages"], ends)}
    return {"LUT6": depth(set().union(*ends))[1], **{name: f"{aig} / {lut}" for name, (aig, _, lut) in found.items()}}


# ---- Figures and the document ----


def measure(family, table, row, size):
    print(f"area: {family}, {row['name']}, {size} ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="odonata_area_") as name:
        directory = pathlib.Path(name)
        module = synthesize(family, table, row, size, directory)
        logic, flip_flops, memories = split(module)
        figures = {"cells": len(logic), "flip-flops": len(flip_flops), "RAM bits": ram_bits(memories)}
        if "stages" in row:
            return figures | stage_depths(table, row, module, directory)
        return figures | dict(
            zip(("depth", "LUT6", "LUT depth"), levels(f"read_aiger {directory}/net.aig; {table['abc']}", directory))
        )


@functools.cache
def versions():
    return tools.run(["yosys", "-V"]) + str(pathlib.Path(shutil.which("berkeley-abc") or "berkeley-abc").resolve())


def key_of(family, table, row, size):
    """Of all that the figures of a row follow from."""
    parts = [versions(), script(family, table, row, size, "."), table["abc"], json.dumps(row.get("stages", {}))]
    parts += [repr(tokens((tools.ROOT / source).read_text())) for source in sources_for(family, table, row)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def kept_or_measured(family, table, row, size, args):
    """None with --kept, when there is nothing."""
    path = KEPT / f"{family}-{key_of(family, table, row, size)}.json"
    if path.exists() and not args.again:
        return json.loads(path.read_text())
    if args.kept:
        return None
    began = time.monotonic()
    figures = measure(family, table, row, size)
    print(
        f"area: {family}, {row['name']}, {size}: {figures.get('cells', '?')} cells, {time.monotonic() - began:.0f} s",
        file=sys.stderr,
        flush=True,
    )
    tools.write_json(path, figures)
    return figures


def added_up(row, values, found):
    """The figures of a row that is made of others; None when those of one are missing."""
    if any(other["unit"] in row["sum"] and other.get("missing") for other in found):
        return None
    figures = {"cells": 0, "flip-flops": 0, "RAM bits": 0}
    for part, count in row["sum"].items():
        known = [other for other in found if other["unit"] == part]
        if not known:
            tools.fail(f"{row['name']}: there are no figures of {part} before it")
        for key in figures:
            figures[key] += eval(str(count), {}, dict(values)) * known[-1][key]  # pylint: disable=eval-used
    return figures


def figures_of(family, table, wanted, args):
    """A dictionary a row and size, in the order of the sizes."""
    found = []
    for size, values in table["sizes"].items():
        if wanted and size not in wanted:
            continue
        here = {}
        for row in table["row"]:
            if size not in row.get("sizes", [size]):
                continue
            figures = added_up(row, values, found) if "sum" in row else kept_or_measured(family, table, row, size, args)
            if figures is None:
                found.append({"size": size, "unit": row["name"], "missing": True})
                continue
            here[row["name"]] = figures
            deep = row.get("depth_of", [])
            if deep and all("depth" in here.get(other, {}) for other in deep):
                figures["depth"] = max(here[other]["depth"] for other in deep)
            if "added_to" in row:
                figures["added"] = f"{figures['cells'] / here[row['added_to']]['cells'] - 1:.1%}"
            found.append({"size": size, "unit": row["name"], **figures})
    return found


def wrapped(text):
    """Paragraphs and list items in lines of at most 120 columns."""
    parts = re.split(r"(\n\n|\n(?=- ))", text.strip())
    return "".join(
        part
        if part.startswith("\n")
        else textwrap.fill(
            " ".join(part.split()),
            120,
            break_long_words=False,
            break_on_hyphens=False,
            subsequent_indent="  " * part.startswith("- "),
        )
        for part in parts
    )


def section(family, table, rows):
    missing = ", ".join(f"{row['unit']} ({row['size']})" for row in rows if row.get("missing"))
    rows = [row for row in rows if not row.get("missing")]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    sizes = "; ".join(
        f"{name}: " + ", ".join(f"{k} = {v}" for k, v in values.items()) for name, values in table["sizes"].items()
    )
    lines = [
        f"## {family}",
        "",
        wrapped(f"Reproduce: `./dev area {family}`. {sizes}."),
        "",
        "| " + " | ".join(columns) + " |",
        "| --- | --- |" + " ---: |" * (len(columns) - 2),
    ]
    for row in rows:
        lines.append(
            "| "
            + " | ".join(f"{v:,}" if isinstance(v, int) else str(v) for v in (row.get(c, "") for c in columns))
            + " |"
        )
    recipe = f"Recipe: yosys `{table['recipe'].format(tie='')}; abc -g {GATES}`; berkeley-abc `{table['abc']}`."
    if missing:
        lines += ["", wrapped(f"Not synthesized yet: {missing}.")]
    return "\n".join([*lines, "", wrapped(recipe), "", wrapped(table["note"]), ""])


def write(sections):
    present = {}
    if DOC.exists():
        parts = re.split(r"^(?=## )", DOC.read_text(), flags=re.M)[1:]
        present = {part.split("\n", 1)[0][3:]: part for part in parts}
    present |= sections
    head = (
        f"<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Area and depth\n\n"
        f"Written by `./dev area` ({tools.run(['yosys', '-V']).split(' (')[0].strip()}); do not edit. Before "
        f"placement, no timing.\n"
    )
    temporary = DOC.with_name(DOC.name + ".tmp")
    temporary.write_text(
        "\n".join(
            [head, *(text.rstrip() + "\n" for family, text in present.items() if family in tools.families("area.toml"))]
        )
    )
    os.replace(temporary, DOC)


def main():
    families = tools.families("area.toml")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", nargs="?", choices=families)
    parser.add_argument("--sizes")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--again", action="store_true")
    which.add_argument("--kept", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    os.nice(10)
    sections, everything = {}, {}
    for family in [args.family] if args.family else families:
        table = tools.read_table(family, "area.toml", ["note", "recipe", "abc", "sizes", "row"])
        everything[family] = figures_of(family, table, args.sizes.split(",") if args.sizes else [], args)
        sections[family] = section(family, table, everything[family])
        print(sections[family], flush=True)
    if not args.sizes:
        write(sections)
    if args.json:
        tools.write_json(args.json, everything)
    return 0


if __name__ == "__main__":
    sys.exit(main())
