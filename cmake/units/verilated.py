# SPDX-License-Identifier: Apache-2.0
"""The Verilated side of a unit: its pins, a file a library, the table of the libraries, and what CMake has to build."""
from cpp import banner, indexed


def assignments(unit):
    drive = [f"    m.rst_ni = {'' if unit.reset == 'reset_n' else '!'}in.{unit.reset};"]
    drive += ["    " + drive_pin(pin) for pin in unit.ins]
    sample = [f"    {unit.before_sample};"] if unit.before_sample else []
    sample += ["    " + sample_pin(pin) for pin in unit.outs]
    return drive, sample + ([f"    {unit.after_sample};"] if unit.after_sample else [])


def drive_pin(pin):
    target, value = f"m.{pin.rtl()}", pin.drive or f"in.{pin.cpp}"
    if not pin.count:
        return f"drive_pin<{pin.bits}>({target}, {value});"
    element = value if pin.drive else indexed(value)
    when = f", [&](int k) -> bool {{ return {pin.when}; }}" if pin.when else ""
    return (
        f"drive_elements<{pin.count}, {pin.bits}>({target}, [&]([[maybe_unused]] int k) -> uint64_t {{ return "
        f"{element}; }}{when});"
    )


def sample_pin(pin):
    source = f"m.{pin.rtl()}"
    if pin.sample:
        return f"{{ const auto& pin = {source}; {pin.sample}; }}"
    if not pin.count:
        return f"sample_pin<{pin.bits}>({source}, out.{pin.cpp});"
    element = indexed(pin.cpp)
    return f"sample_elements<{pin.count}, {pin.bits}>({source}, [&](int k) -> auto& {{ return out.{element}; }});"


def pins_header(unit):
    drive, sample = assignments(unit)
    parameters = "".join(f", int {name}" for name in unit.parameters)
    out = banner(unit, "the pins of its Verilated RTL. Include the model's header first.")
    out += (
        f'#include "tb/{unit.family}/{unit.name}_block.h"\n#include "tb/harness/verilated_pins.h"\n\n'
        f'namespace odonata::cosim {{\n\n'
    )
    out += (
        f"template <class Model{parameters}>\nstruct {unit.block}RtlPins {{\n  using In = {unit.block}::Inputs;\n"
        f"  using Out = {unit.block}::Outputs;\n"
    )
    out += "".join(f"  static constexpr int {name} = {expression};\n" for name, expression in unit.local.items())
    out += (
        "  static void drive(Model& m, const In& in) {\n"
        + f"    using namespace {unit.family};\n"
        + "\n".join(drive)
        + "\n  }\n"
    )
    out += (
        "  static void sample(const Model& m, Out& out) {\n"
        + "\n".join(sample)
        + "\n  }\n};\n\n}  // namespace odonata::cosim\n"
    )
    return out


def device(unit, library):
    """The one file that sees the header of a Verilated library:
    with it a module that is loaded when it is wanted (tb/harness/rtl_loader.h)."""
    prefix, debug = "V" + library.name(unit.name), library.variant == "debug"
    values = "".join(f", {int(v)}" for v in unit.parameter_values(library.parameters))
    out = (
        f"// SPDX-License-Identifier: Apache-2.0\n"
        f"// Generated from models/{unit.family}/{unit.name}.toml: {library.name(unit.name)}.\n"
    )
    out += f'#include "{prefix}.h"\n'
    out += '#if VM_TRACE\n#include "verilated_fst_c.h"\n#endif\n\n'
    out += f'#include "tb/{unit.family}/{unit.name}_rtl_pins.h"\n#include "tb/harness/verilated_device.h"\n'
    out += '#include "tb/harness/savable_device.h"\n' if library.savable else ""
    out += "\nnamespace odonata::cosim {\n\n"
    kind = f"VerilatedDevice<{prefix}, {unit.block}RtlPins<{prefix}{values}>>"
    out += f"using Device = {f'SavableDevice<{kind}>' if library.savable else kind};\n\n"
    out += "}  // namespace odonata::cosim\n\nusing namespace odonata::cosim;\n\n"
    out += 'extern "C" __attribute__((visibility("default"))) void* odonata_make_rtl([[maybe_unused]] int plant) {\n'
    made = f"Traced<Device, {prefix}, VerilatedFstC>"
    if library.variant == "random":
        out += made_as(unit, "Device(plant & 0xff, plant >> 8)")
    elif debug:
        out += made_as(unit, f"{made}(plant)")
    else:
        out += f"#if VM_TRACE\n{made_as(unit, made)}#else\n{made_as(unit, 'Device')}#endif\n"
    return out + "}\n"


def made_as(unit, device):
    """The base class is what the loader takes the pointer for."""
    return f"  return static_cast<RtlDevice<{unit.block}>*>(new {device});\n"


def table(unit, libraries):
    """What make_rtl() looks up."""
    out = (
        f"// SPDX-License-Identifier: Apache-2.0\n"
        f"// Generated from models/{unit.family}/{unit.name}.toml: its Verilated libraries.\n"
    )
    out += f'#include "tb/{unit.family}/{unit.name}_block.h"\n\nnamespace odonata::cosim {{\n\n'
    out += f"template <>\nconst std::vector<RtlLibrary<{unit.block}>>& rtl_libraries<{unit.block}>() {{\n"
    out += f"  static const std::vector<RtlLibrary<{unit.block}>> kLibraries = {{\n"
    for library in libraries:
        key = ", ".join(
            f'{{"{name}", {int(value)}}}'
            for name, value in zip(unit.parameters, unit.parameter_values(library.parameters))
        )
        out += f'      {{"{library.size}", RtlVariant::{library.variant}, {{{key}}}, "{library.name(unit.name)}"}},\n'
    return out + "  };\n  return kLibraries;\n}\n\n}  // namespace odonata::cosim\n"


def cmake(family, units, built):
    """A call a library; OdonataUnits.cmake has the functions."""
    out = ""
    for unit in units:
        for library in unit.libraries(built):
            fixed = library.top != unit.top  # a top of one size has no parameters
            parameters = "" if fixed else " ".join(f"{name}={int(value)}" for name, value in library.parameters.items())
            out += (
                f"odonata_unit_library({family} {unit.name} {library.name(unit.name)} {library.variant} TOP "
                f"{library.top}"
            )
            out += (f" PARAMETERS {parameters}" if parameters else "") + (
                f" ARGS {' '.join(library.args)}" if library.args else ""
            )
            out += (" MEMORIES" if library.memories and library.variant == "netlist" else "") + (
                " TOPS" if fixed else ""
            )
            out += (" DEMAND" if library.demand else "") + ")\n"
    return out
