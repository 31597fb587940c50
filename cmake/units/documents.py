# SPDX-License-Identifier: Apache-2.0
"""Tables in docs/*.md, between the markers `<!-- unit NAME: pins -->` and `<!-- end -->`; a table of all units
between `<!-- units: levels -->` and `<!-- end -->`."""
import re

from description import on_demand
from registers import read

MARKER = re.compile(r"(<!-- unit (\w+): (pins|parameters|registers) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

LEVELS = re.compile(r"(<!-- units: levels -->\n).*?(<!-- end -->)", re.DOTALL)


def pins(unit):
    rows = [
        "| pin | bits | meaning |",
        "| --- | --- | --- |",
        "| `clk_i`, `rst_ni` | 1, 1 | clock; synchronous reset, active low |",
    ]
    return rows + [f"| `{pin.rtl()}` | {shown(pin)} | {pin.text} |" for pin in unit.pins]


def shown(pin):
    if pin.doc_bits:
        return pin.doc_bits
    if pin.count is None:
        return pin.bits
    if pin.bits == "1":
        return pin.count
    return f"{pin.count if pin.count.isalnum() else f'({pin.count})'} x {pin.bits}"


def parameters(unit):
    rows = ["| name | meaning | default | range |", "| --- | --- | --- | --- |"]
    return rows + [f"| `{name}` | {entry[1]} | {entry[0]} | {entry[2]} |" for name, entry in unit.parameters.items()]


def registers(unit):
    rows = ["| byte address | name | access | content |", "| --- | --- | --- | --- |"]
    return rows + [register.document() for register in read(unit)]


def levels(units):
    """For every unit: the sizes and builds in which its RTL runs in lockstep with the golden unit."""
    rows = [
        "| unit | lockstep | with planted bugs and waveforms | netlist | random start |",
        "| --- | --- | --- | --- | --- |",
    ]
    for unit in sorted(units.values(), key=lambda u: (u.family, u.name)):
        found = {"fast": [], "debug": [], "netlist": [], "random": []}
        for raw in unit.raw_rtl:
            sizes = raw.get("sizes") or (["first"] if raw.get("first") else ["all"])
            extra = raw.get("name") or ", ".join(f"{name} {value}" for name, value in (raw.get("set") or {}).items())
            for variant in raw.get("variants") or ["fast"]:
                notes = [extra] * (extra not in ("", *sizes)) + ["on demand"] * on_demand(raw, variant)
                found[variant] += [f"{size} ({', '.join(notes)})" if notes else size for size in sizes]
        rows.append(f"| `{unit.name}` | " + " | ".join("; ".join(dict.fromkeys(found[v])) or "-" for v in found) + " |")
    return rows


def filled(units, where, text):
    """The page with every table as it should be."""
    text = LEVELS.sub(lambda match: match.group(1) + "\n".join(levels(units)) + "\n" + match.group(2), text)

    def table(match):
        begin, name, kind, _, end = match.groups()
        if name not in units:
            raise SystemExit(f"units: {where}: <!-- unit {name} -->, expected one of {', '.join(sorted(units))}")
        return (
            begin
            + "\n".join({"pins": pins, "parameters": parameters, "registers": registers}[kind](units[name]))
            + "\n"
            + end
        )

    return MARKER.sub(table, text)
