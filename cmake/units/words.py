# SPDX-License-Identifier: Apache-2.0
"""The pins of a unit as words (tb/harness/pin_words.h): its structures taken apart and put together, at any size."""
import re

from cpp import indexed
from description import SIZES


def header(unit):
    block = unit.block
    signatures = "".join(f"template <>\n{start}PinWords<{block}>::{rest};\n" for start, rest in functions(block))
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n"
        f"// Generated from models/{unit.family}/{unit.name}.toml: its pins as words.\n#pragma once\n\n"
        f'#include "tb/{unit.family}/{unit.name}_block.h"\n#include "tb/harness/pin_words.h"\n\n'
        f'namespace odonata::cosim {{\n\n'
        f"{signatures}\n}}  // namespace odonata::cosim\n"
    )


def functions(block):
    return [
        ("", "PinWords(const RtlParameters& wanted)"),
        ("bool ", "rst_n(const Inputs& in) const"),
        ("void ", "set_rst_n(Inputs& in, bool level) const"),
        ("bool* ", "request_of(Inputs& in) const"),
        ("void ", "write(const Inputs& in, uint64_t* words) const"),
        ("void ", "read(const uint64_t* words, Inputs& in) const"),
        ("void ", "write(const Outputs& out, uint64_t* words) const"),
        ("void ", "read(const uint64_t* words, Outputs& out) const"),
    ]


def source(unit):
    plain = "" if unit.reset == "reset_n" else "!"
    request = (
        f"return &in.{unit.pin(unit.transfer['request'], False).cpp};"
        if unit.transfer
        else "static_cast<void>(in);\n  return nullptr;"
    )
    bodies = [
        constructor(unit),
        f"  return {plain}in.{unit.reset};\n",
        f"  in.{unit.reset} = {plain}level;\n",
        f"  {request}\n",
        carry(unit, unit.ins, write_input, "std::fill_n(words, input_words(), 0);"),
        carry(unit, unit.ins, read_input),
        carry(unit, unit.outs, write_output, "std::fill_n(words, output_words(), 0);"),
        carry(
            unit,
            unit.outs,
            read_output,
            *filter(None, [unit.before_sample and unit.before_sample + ";"]),
            end=unit.after_sample,
        ),
    ]
    out = (
        f'// SPDX-License-Identifier: Apache-2.0\n'
        f'// Generated from models/{unit.family}/{unit.name}.toml: its pins as words.\n'
        f'#include "tb/{unit.family}/{unit.name}_words.h"\n\n'
    )
    out += f"namespace odonata::cosim {{\n\nusing namespace {unit.family};\n"
    for (start, rest), body in zip(functions(unit.block), bodies):
        out += f"\ntemplate <>\n{start}PinWords<{unit.block}>::{rest} {{\n{body}}}\n"
    return out + "\n}  // namespace odonata::cosim\n"


def text_of(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def in_cpp(expression):
    """max() and clog2() of the descriptions."""
    return re.sub(r"\b(max|min)\b", r"std::\1", re.sub(r"\bclog2\(", "std::bit_width<unsigned>(-1 + ", str(expression)))


def constructor(unit):
    sizes = [name for name in SIZES[unit.size] if name not in unit.parameters]
    out = "".join(f'  [[maybe_unused]] const int {name} = parameter(wanted, "{name}", 0);\n' for name in sizes)
    if not sizes and not unit.parameters:
        out += "  static_cast<void>(wanted);\n"
    for name, entry in unit.parameters.items():
        otherwise = (
            f'wanted.count("{SIZES[unit.size][0]}") != 0 ? {in_cpp(entry[3])} : {entry[0]}'
            if len(entry) > 3
            else entry[0]
        )
        out += f'  [[maybe_unused]] const int {name} = parameter(wanted, "{name}", {otherwise});\n'
    out += "".join(
        f"  [[maybe_unused]] const int {name} = {in_cpp(expression)};\n" for name, expression in unit.local.items()
    )
    out += (
        f"  unit = \"{unit.name}\";\n  family = \"{unit.family}\";\n  text = {text_of(unit.text)};\n"
        f"  top = \"{unit.top}\";\n  size = \"{unit.size}\";\n"
    )
    out += "  parameters = {" + ", ".join(f'{{"{name}", {name}}}' for name in unit.parameters) + "};\n"
    for pins, name in ((unit.ins, "inputs"), (unit.outs, "outputs")):
        for pin in pins:
            bits = in_cpp(f"({pin.count}) * ({pin.bits})" if pin.count else pin.bits)
            out += f'  add({name}, "{pin.rtl()}", {bits}, {text_of(pin.text)}{", true" if pin.optional else ""});\n'
    if unit.transfer:
        out += f"  request = {unit.ins.index(unit.pin(unit.transfer['request'], False))};\n"
        out += (
            "  response = {"
            + ", ".join(str(unit.outs.index(unit.pin(name, True))) for name in unit.transfer["response"])
            + "};\n"
        )
        out += f"  latency = {in_cpp(unit.transfer['latency'])};\n"
    return out


def carry(unit, pins, statement, *begin, end=None):
    rows = [statement(pin, ("outputs" if pin.output else "inputs") + f"[{k}].at") for k, pin in enumerate(pins)]
    used = "\n".join([*rows, *begin])
    names = {
        **{name: f"value({k})" for k, name in enumerate(unit.parameters)},
        **{name: in_cpp(text) for name, text in unit.local.items()},
    }
    needed = {name for name in names if re.search(rf"\b{name}\b", used)}
    for name in reversed(list(unit.local)):  # a constant needs the parameters that it is made of
        if name in needed:
            needed |= {other for other in names if re.search(rf"\b{other}\b", names[name])}
    out = "".join(f"  const int {name} = {text};\n" for name, text in names.items() if name in needed)
    return out + "".join(f"  {line}\n" for line in [*begin, *rows, *([end + ";"] if end else [])])


def loop(pin, statement):
    return f"for (int k = 0; k < {in_cpp(pin.count)}; ++k) {statement}" if pin.count else statement


def place(pin, at):
    """Words and bit position of the pin, or of its element k."""
    return f"words + {at}, {f'k * ({in_cpp(pin.bits)})' if pin.count else 0}, {in_cpp(pin.bits)}"


def member(pin, record):
    return f"{record}.{indexed(pin.cpp) if pin.count else pin.cpp}"


def write_input(pin, at):
    value = pin.drive or member(pin, "in")
    return loop(pin, (f"if ({pin.when}) " if pin.when else "") + f"put_value({place(pin, at)}, {value});")


def read_input(pin, at):
    if pin.load:
        return loop(pin, f"{{ [[maybe_unused]] const uint64_t pin = get_bits({place(pin, at)}); {pin.load}; }}")
    return loop(pin, f"get_value({place(pin, at)}, {member(pin, 'in')});")


def write_output(pin, at):
    return loop(pin, f"put_value({place(pin, at)}, {pin.load or member(pin, 'out')});")


def read_output(pin, at):
    if pin.sample:
        return f"{{ const uint64_t pin = get_bits({place(pin, at)}); {pin.sample}; }}"
    return loop(pin, f"get_value({place(pin, at)}, {member(pin, 'out')});")
