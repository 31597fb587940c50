# SPDX-License-Identifier: Apache-2.0
"""The register map of a unit ([[register]] in its description): constants for C++, for the RTL's package,
and the table of the docs."""
import dataclasses
import re

from description import fail, take


@dataclasses.dataclass
class Field:
    lsb: int
    bits: int
    text: str
    name: str = ""  # in the package; default: that of the register
    reset: object = None

    def mask(self):
        return ((1 << self.bits) - 1) << self.lsb

    def shown_reset(self):
        return f"0x{self.reset:X}" if isinstance(self.reset, int) and self.reset > 0xFFF else self.reset

    def document(self):
        shown = f"`[{self.lsb + self.bits - 1}:{self.lsb}]`" if self.bits > 1 else f"`[{self.lsb}]`"
        return f"{shown} {self.text}" + ("" if self.reset is None else f", reset {self.shown_reset()}")


@dataclasses.dataclass
class Register:
    """A 64-bit word at a byte address, or `count` of them (an expression; `index` names it), or a list of counters."""

    name: str
    address: int
    access: str
    text: str = ""
    title: str = ""  # in the docs, when not NAME_OF_THE_REGISTER
    count: str = ""
    block: int = 0  # distance of the banks, when there is a bank of counters an input port p
    value: int | None = None
    fields: list = dataclasses.field(default_factory=list)
    counters: list = dataclasses.field(default_factory=list)

    def reset(self):
        return sum((f.reset or 0) << f.lsb for f in self.fields if isinstance(f.reset, int))

    def defined(self):
        return sum(f.mask() for f in self.fields)

    def document(self):
        title = self.title or "`" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.name).upper() + (
            f"[k]`, k < {self.count}" if self.count else "`"
        )
        address = (
            f"`0x{self.address:03X}"
            + (f" + 0x{self.block:X}*p" if self.block else "")
            + (" + 8*k`" if self.count or self.counters else "`")
        )
        content = ". ".join(filter(None, [f.document() for f in self.fields] + [self.text]))
        names = ", ".join(
            f"{'k=' if k == 0 else ''}{number(self, k)} {counter['text']}" for k, counter in enumerate(self.counters)
        )
        return f"| {address} | {title} | {self.access} | {names}{'; ' if names and content else ''}{content} |"


def number(register, position):
    """The number of a counter, and the last of them when it stands for several."""
    first = sum(c.get("count", 1) for c in register.counters[:position])
    count = register.counters[position].get("count", 1)
    return f"{first}..{first + count - 1}" if count > 1 else str(first)


def read(unit):
    out = []
    for raw in unit.raw_registers:
        where = f"{unit.where}: register {raw.get('name')}"
        d = {k: v for k, v in take(where, raw, [f.name for f in dataclasses.fields(Register)]).items() if v is not None}
        for key in ("name", "address", "access"):
            if key not in d:
                fail(where, f"'{key}' is missing")
        d["fields"] = [
            Field(
                **{k: v for k, v in take(where, f, ("lsb", "bits", "text", "name", "reset")).items() if v is not None}
            )
            for f in d.get("fields", [])
        ]
        out.append(Register(**d))
    return out


def header(unit):
    """Addresses, reset values and the map itself; the TLM targets and the golden registers decode with it."""
    registers, size = read(unit), unit.register_map["bytes"]
    rows = [
        f"inline constexpr uint32_t k{r.name} = 0x{r.address:03X};"
        + (f"  ///< {'; '.join(f.document() for f in r.fields)}" if r.fields else "")
        for r in registers
    ]
    rows += [f"inline constexpr uint32_t kEnd = 0x{size:X};  ///< bytes of the map"]
    rows += [
        f"inline constexpr uint32_t k{r.name}Block = 0x{r.block:X};  ///< bytes from bank to bank"
        for r in registers
        if r.block
    ]
    rows += [f"inline constexpr uint64_t k{r.name}Value = 0x{r.value:X};" for r in registers if r.value is not None]
    rows += [f"inline constexpr uint64_t k{r.name}Reset = 0x{r.reset():X};" for r in registers if r.reset()]
    rows += [
        f"inline constexpr uint64_t k{r.name}Bits = 0x{r.defined():X};  ///< that are defined"
        for r in registers
        if r.fields and "w" in r.access
    ]
    for r in registers:
        if r.counters:
            names = ", ".join(f"k{c['name']} = {number(r, k).split('.')[0]}" for k, c in enumerate(r.counters))
            total = sum(c.get("count", 1) for c in r.counters)
            rows.append(f"/// Counters of 32 bits.\nenum Counter {{ {names}, kNumCounters = {total} }};")
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n"
        f"// Generated from models/{unit.family}/{unit.name}.toml: byte addresses of its 64-bit words.\n"
        f"#pragma once\n\n"
        f"#include <cstdint>\n\nnamespace odonata::{unit.family}::reg {{\n\n"
        + "\n".join(rows)
        + f"\n\n}}  // namespace odonata::{unit.family}::reg\n"
    )


PART = re.compile(
    r"(  // Registers, written by \./dev units from models/\w+/(\w+)\.toml\.\n).*?(  // End of the registers\.\n)",
    re.DOTALL,
)


def words(name):
    return re.findall("[A-Z][a-z0-9]*", name)


def field_name(register, field):
    """LocalWindow of the register Window is WindowLocal."""
    return "".join(words(register.name) + [word for word in words(field.name) if word not in words(register.name)])


def hexadecimal(value):
    return "64'h" + "_".join(f"{value:016X}"[k : k + 4] for k in range(0, 16, 4))


def package(unit):
    """The same constants for the RTL's package: word addresses (of a page, when the map has pages),
    defined bits, fields, reset values."""
    base = unit.register_map.get("page", 0)
    width = ((unit.register_map["bytes"] - base) // 8 - 1).bit_length()
    here = [r for r in read(unit) if r.address >= base]
    rows = [
        (
            "logic [%d:0]" % (width - 1),
            "Reg" + (r.name.rstrip("s") if r.counters else r.name),
            f"{width}'h{(r.address - base) // 8:0{-(-width // 4)}X}",
        )
        for r in here
    ]
    rows += [
        ("logic [63:0]", r.name + "Bits", hexadecimal(r.defined()))
        for r in here
        if r.fields and "w" in r.access and not r.count
    ]
    rows += [("logic [63:0]", r.name + "Value", hexadecimal(r.value)) for r in here if r.value is not None]
    rows += [
        (f"logic [{f.bits - 1}:0]", (f.name or r.name) + "Reset", f"{f.bits}'d{f.reset}")
        for r in here
        for f in r.fields
        if isinstance(f.reset, int) and f.reset and f.bits > 1
    ]
    rows += [
        ("int", field_name(r, f) + "Lsb", str(f.lsb)) for r in here for f in r.fields if f.name and "w" in r.access
    ]
    counters = sum(c.get("count", 1) for r in here for c in r.counters)
    rows += [("int", "NumCounters", str(counters)), ("int", "CounterWidth", "32")] if counters else []
    columns = [max(len(row[k]) for row in rows) for k in range(2)]
    constants = [f"  localparam {kind:<{columns[0]}} {name:<{columns[1]}} = {value};" for kind, name, value in rows]
    return "\n".join(
        [
            "  /* verilator lint_off UNUSEDPARAM */",
            *constants,
            "  /* verilator lint_on UNUSEDPARAM */",
            "",
        ]
    )


def filled(units, text):
    """A package with the registers of its units as they should be."""
    return PART.sub(lambda match: match[1] + package(units[match[2]]) + match[3], text)
