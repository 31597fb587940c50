# SPDX-License-Identifier: Apache-2.0
"""Tables in docs/*.md, between the markers `<!-- unit NAME: pins -->` and `<!-- end -->`."""
import re

from registers import read

MARKER = re.compile(r"(<!-- unit (\w+): (pins|parameters|registers) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pins(unit):
    rows = ["| pin | bits | meaning |", "| --- | --- | --- |", "| `clk_i`, `rst_ni` | 1, 1 | clock; synchronous reset, active low |"]
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


def filled(units, where, text):
    """The page with every table as it should be."""
    def table(match):
        begin, name, kind, _, end = match.groups()
        if name not in units:
            raise SystemExit(f"units: {where}: <!-- unit {name} -->, expected one of {', '.join(sorted(units))}")
        return begin + "\n".join({"pins": pins, "parameters": parameters, "registers": registers}[kind](units[name])) + "\n" + end
    return MARKER.sub(table, text)
