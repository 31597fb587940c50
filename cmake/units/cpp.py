# SPDX-License-Identifier: Apache-2.0
"""Plain C++ of a unit: the structures of its pins (models/), and the block that the lockstep harness takes (tb/)."""
import re

from description import evaluate

LAYOUT = {
    "bool": (1, 1),
    "uint8_t": (1, 1),
    "uint16_t": (2, 2),
    "uint32_t": (4, 4),
    "uint64_t": (8, 8),
    "PortMap": (8, 8),
    "GroupMap": (64, 32),
}


def banner(unit, what):
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n// Generated from models/{unit.family}/{unit.name}.toml: {what}\n"
        f"#pragma once\n\n"
    )


def element_type(unit, pin):
    """The C++ type of a pin, or of one element of an array."""
    bits = evaluate(unit.where, pin.bits, unit.defaults)
    if bits == 1 and not pin.output:
        return "bool"
    return next((f"uint{w}_t" for w in (8, 16, 32, 64) if bits <= w), f"std::array<uint64_t, {-(-bits // 64)}>")


def member_type(unit, pin):
    if pin.type or not pin.count:
        return pin.type or element_type(unit, pin)
    return f"std::array<{element_type(unit, pin)}, {evaluate(unit.where, pin.count, unit.defaults)}>"


def layout(unit, type):
    """(size, alignment) of a C++ type in bytes; None when only the compiler knows."""
    if type in LAYOUT:
        return LAYOUT[type]
    array = re.fullmatch(r"std::array<(.*), (\d+)>", type)
    if array:
        inner = layout(unit, array[1])
        return inner and (inner[0] * int(array[2]), inner[1])
    for other in unit.siblings:
        if other.outputs == type and other.own_outputs:
            return closed(other, members(other, True))
    return None


def closed(unit, rows):
    """(size, alignment) of a structure of these members, the gap at its end included;
    None when only the compiler knows."""
    known = [layout(unit, row[0]) for row in rows]
    if None in known:
        return None
    align = max(a for _, a in known)
    return -(-sum(s for s, _ in known) // align) * align, align


def members(unit, output):
    """(type, name, initial value, text) of a structure, in an order that leaves no gap:
    inputs from the narrowest on, outputs from the widest on."""
    rows = [
        (member_type(unit, p), p.cpp, p.init, f"{shown_bits(p)}: {p.text}")
        for p in (unit.outs if output else unit.ins)
        if p.own
    ]
    rows += [(type, name, None, text) for name, (type, text) in unit.records["out" if output else "in"].items()]
    if output:
        return sorted(rows, key=lambda row: -(layout(unit, row[0]) or (0, 99))[1])
    if "." in unit.reset:  # of a record
        return sorted(rows, key=lambda row: LAYOUT.get(row[0], (99,))[0])
    first = (
        "bool",
        unit.reset,
        "true" if unit.reset == "reset_n" else None,
        "rst_ni" + ("" if unit.reset == "reset_n" else " == 0"),
    )
    return [first] + sorted(rows, key=lambda row: LAYOUT.get(row[0], (99,))[0])


def indexed(member):
    """Element k of an array; the member may say itself where k stands."""
    return member if re.search(r"\[[^\]]*\bk\b", member) else member + "[k]"


def shown_bits(pin):
    bits = pin.doc_bits or (f"{pin.count} x {pin.bits}" if pin.count else pin.bits)
    return bits + (" bit" if bits == "1" else " bits")


def structure(unit, output):
    name, rows = unit.outputs if output else unit.inputs, members(unit, output)
    lines = [f"  {type} {member}{initial(type, init)};  ///< {text}" for type, member, init, text in rows]
    if not output:
        return "\n".join(
            [
                f"/// {unit.text} (docs/{unit.family}.md). The input pins that an edge samples.",
                f"struct {name} {{",
                *lines,
                "};",
                "",
            ]
        )
    if unit.compare:
        lines.append(f"  bool operator==(const {name}&) const = default;")
        return "\n".join(
            [
                f"/// {unit.text} (docs/{unit.family}.md). The output pins after an edge.",
                f"struct {name} {{",
                *lines,
                "};",
                "",
            ]
        )
    size = closed(unit, rows)
    spare = size[0] - sum(layout(unit, row[0])[0] for row in rows) if size else 0
    if spare:
        lines.append(f"  uint8_t spare[{spare}] = {{}};")
    lines.append(f"  bool operator==(const {name}& o) const {{ return std::memcmp(this, &o, sizeof o) == 0; }}")
    text = (
        f"/// {unit.text} (docs/{unit.family}.md). The output pins after an edge. No padding, so that two can be "
        f"compared as memory."
    )
    return "\n".join(
        [
            text,
            f"struct {name} {{",
            *lines,
            "};",
            f"static_assert(std::has_unique_object_representations_v<{name}>);",
            "",
        ]
    )


def initial(type, value):
    if value is None:
        value = {"bool": "false"}.get(type, "0") if type in LAYOUT and type != "GroupMap" else None
    return "{}" if value is None else f" = {value}"


def pins_header(unit):
    out = (
        banner(unit, "its pins.")
        + "#include <array>\n#include <cstdint>\n#include <cstring>\n#include <type_traits>\n#include <vector>\n\n"
    )
    maps = any(re.search("PortMap|GroupMap", row[0]) for row in members(unit, False) + members(unit, True))
    includes = sorted({*unit.include, *(["models/common/bits.h"] if maps else [])})
    out += "".join(f'#include "{file}"\n' for file in includes) + ("\n" if includes else "")
    out += f"namespace odonata::{unit.family} {{\n\n"
    out += (structure(unit, False) + "\n" if unit.own_inputs else "") + (
        structure(unit, True) + "\n" if unit.own_outputs else ""
    )
    return out + f"}}  // namespace odonata::{unit.family}\n"


def trace_bits(unit, pin):
    """The width that a trace gives; elements of arrays have four digits."""
    if pin.field_bits:
        return pin.field_bits
    bits = evaluate(unit.where, pin.bits, unit.defaults)
    return str(16 * evaluate(unit.where, pin.count, unit.defaults) if pin.count else bits)


def fields(unit):
    rows = [f'      input_field<Inputs, 1, [](auto& in) -> auto& {{ return in.{unit.reset}; }}>("{unit.reset}"),']
    for pin in unit.ins:
        if pin.field:
            rows.append(
                f'      input_field<Inputs, {trace_bits(unit, pin)}, [](auto& in) -> auto& {{ return '
                f'in.{pin.cpp}; }}>("{pin.field}"),'
            )
    for field in unit.fields:
        for k in range(field["count"] or 1):
            member, name = field["cpp"].replace("[k]", f"[{k}]"), field["name"].replace("{k}", str(k))
            rows.append(
                f'      input_field<Inputs, {field["bits"]}, [](auto& in) -> auto& {{ return in.{member}; '
                f'}}>("{name}"),'
            )
    return rows


def probes(unit):
    return [
        f'      {{"{p.name}", "{p.stage}", ProbeKind::cycle_exact, [](const Outputs& o) -> uint64_t {{ return '
        f'{p.value}; }}}},'
        for pin in unit.outs
        for p in pin.probes
    ]


def transaction(unit):
    if isinstance(unit.transaction, str):
        return unit.transaction
    return "(" + " | ".join("o." + unit.pin(name, True).cpp for name in unit.transaction) + ") != 0"


def block_header(unit):
    out = banner(unit, "how it plugs into the lockstep harness (tb/harness/lockstep.h).")
    out += "#include <span>\n#include <vector>\n\n"
    includes = {
        unit.golden_header,
        f"models/{unit.family}/{unit.name}_pins.h",
        "tb/harness/input_field.h",
        "tb/harness/probe.h",
        "tb/harness/rtl_library.h",
        *unit.block_include,
    }
    out += "".join(f'#include "{file}"\n' for file in sorted(includes)) + "\nnamespace odonata::cosim {\n\n"
    out += (
        f"/// {unit.text}.\nstruct {unit.block} {{\n  using Inputs = {unit.family}::{unit.inputs};\n"
        f"  using Outputs = {unit.family}::{unit.outputs};\n"
    )
    out += (
        f"  using Reference = {unit.golden if '::' in unit.golden else f'{unit.family}::{unit.golden}'};\n"
        f"  static constexpr std::string_view kName = \"{unit.name}\";\n"
    )
    out += "  static std::span<const Probe<Outputs>> probes() {\n    static constexpr Probe<Outputs> kProbes[] = {\n"
    out += "\n".join(probes(unit)) + "\n    };\n    return kProbes;\n  }\n"
    out += f"  static bool transaction(const Outputs& o) {{ return {transaction(unit)}; }}\n"
    if unit.trace:
        out += trace_part(unit)
    out += (
        f"}};\n\n/// Its Verilated libraries.\ntemplate <>\n"
        f"const std::vector<RtlLibrary<{unit.block}>>& rtl_libraries<{unit.block}>();\n"
    )
    return out + "\n}  // namespace odonata::cosim\n"


def trace_part(unit):
    out = "  static std::span<const Field<Inputs>> fields() {\n    static constexpr Field<Inputs> kFields[] = {\n"
    out += "\n".join(fields(unit)) + "\n    };\n    return kFields;\n  }\n"
    out += (
        "  /// The same cycle with nothing offered.\n  static Inputs idle(const Inputs& in) {\n"
        "    const Inputs fresh;\n    Inputs out = in;\n"
    )
    out += f"    out.{unit.reset} = fresh.{unit.reset};\n"
    for name, _, value in (entry.partition("=") for entry in unit.idle or []):
        member = unit.member(name)
        out += f"    out.{member} = {value or 'fresh.' + member};\n"
    out += "    return out;\n  }\n"
    if unit.preload:
        return out + "  static std::vector<Inputs> preload(const Reference& reference);\n"
    out += (
        "  /// There is nothing to configure: a reset.\n  static std::vector<Inputs> preload(const Reference&) {\n"
        "    Inputs in;\n"
    )
    return out + f"    in.{unit.reset} = {'false' if unit.reset == 'reset_n' else 'true'};\n    return {{in}};\n  }}\n"
