# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog beside the RTL: tops without parameters, one a size. Never the module itself."""
import re
import textwrap

from description import DRAGONFLIES


def differences(unit, root):
    """Where the header of the RTL module, which is written by hand, has other ports or defaults than the description. A
    unit that is not verilated has none yet."""
    if not unit.raw_rtl and not unit.tops:
        return
    header = re.sub(
        r"//.*",
        "",
        re.search(r"^module .*?^\);", (root / f"rtl/{unit.family}/{unit.top}.sv").read_text(), re.S | re.M)[0],
    )
    ports = set(re.findall(r"(?:input|output)\s+logic\s*(?:\[[^,]*\]\s*)?(\w+)", header)) - {"clk_i", "rst_ni"}
    described = {pin.rtl() for pin in unit.pins}
    yield from (f"port {name} is only in the RTL" for name in sorted(ports - described))
    yield from (f"port {name} is only in the description" for name in sorted(described - ports))
    for name, value in re.findall(r"\bparameter\s+int\s+(\w+)\s*=\s*(\d+)\s*[,)\n]", header):
        if name not in unit.parameters or unit.parameters[name][0] != int(value):
            yield (
                f"parameter {name} is {value} in the RTL, {unit.parameters.get(name, ['missing'])[0]} in the "
                f"description"
            )


def top(unit, size):
    values = unit.size_values(DRAGONFLIES[size])
    rows = [("input ", "clk_i", 1), ("input ", "rst_ni", 1)]
    rows += [("output" if p.output else "input ", p.rtl(), unit.width(p, values)) for p in unit.pins]
    vector = {name: f"[{width - 1}:0]" if width > 1 else "" for _, name, width in rows}
    column = max(map(len, vector.values()))
    ports = ",\n".join(f"  {way} logic {vector[name]:<{column}} {name}" for way, name, _ in rows)
    p, a, h, g, _ = DRAGONFLIES[size]
    shown = f"dfly({p},{a},{h},{g if 'G' in unit.parameters else '*'})"
    parameters = ", ".join(f".{name}({value})" for name, value in zip(unit.parameters, unit.parameter_values(values)))
    parameters = textwrap.fill(parameters, 120, initial_indent="    ", subsequent_indent="    ")
    connections = ",\n".join(f"    .{name}" for _, name, _ in rows)
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n//\n"
        f"// {unit.text} at the size {shown}: a top without parameters, for synthesis and simulation.\n"
        f"// Written by ./dev units from models/{unit.family}/{unit.name}.toml.\n\n"
        f"module {unit.name}_{size} (\n{ports}\n);\n\n"
        f"  {unit.name} #(\n{parameters}\n  ) u_{unit.name} (\n{connections}\n  );\n\nendmodule : {unit.name}_{size}\n"
    )
