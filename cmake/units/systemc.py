# SPDX-License-Identifier: Apache-2.0
"""SystemC of a unit: waveforms of its pins, and a shell with an sc_in or sc_out a pin around any device of it."""
from cpp import banner, indexed
from description import evaluate


def signals_header(unit):
    out = (
        banner(unit, "its pins as signals.")
        + "#include <systemc>\n\n#include \"hw/common/signals.h\"\n#include \"models/common/cycle_device.h\"\n"
    )
    out += f'#include "models/{unit.family}/{unit.name}_pins.h"\n\nnamespace odonata::{unit.family} {{\n\n'
    out += tracer(unit, unit.inputs, unit.ins) + "\n" + tracer(unit, unit.outputs, unit.outs)
    if (
        all(pin.load or not (pin.drive or pin.sample) for pin in unit.pins if not pin.rtl_only)
        and not unit.before_sample
    ):
        out += "\n" + shell(unit)
    return out + f"\n}}  // namespace odonata::{unit.family}\n"


def tracer(unit, structure, pins):
    rows = [
        f'  hw::trace_value(file, pins.{pin.cpp}, prefix + "{pin.cpp}", {unit.width(pin)});'
        for pin in pins
        if not pin.count and not pin.drive and not pin.sample and "[" not in pin.cpp
    ]
    return (
        "/// Adds the pins, but no arrays, to a waveform as PREFIXpin; `pins` has to live as long as the file.\n"
        f"inline void trace_pins(sc_core::sc_trace_file* file, const {structure}& pins, const std::string& prefix) {{\n"
        + "\n".join(rows)
        + "\n}\n"
    )


def port_type(unit, pin):
    greatest = evaluate(unit.where, pin.bits, unit.defaults)
    if greatest == 1:
        return "bool"
    return next((f"uint{width}_t" for width in (8, 16, 32, 64) if greatest <= width), f"sc_dt::sc_bv<{pin.bits}>")


def declaration(unit, pin):
    port = f"sc_core::sc_{'out' if pin.output else 'in'}<{port_type(unit, pin)}>"
    if pin.count:
        return f'  sc_core::sc_vector<{port}> {pin.rtl()}{{"{pin.rtl()}", {pin.count}}};  ///< {pin.text}'
    return f'  {port} {pin.rtl()}{{"{pin.rtl()}"}};  ///< {pin.text}'


def transfer(pin):
    index = "[k]" if pin.count else ""
    loop = f"for (int k = 0; k < {pin.count}; ++k) " if pin.count else ""
    member = indexed(pin.cpp) if pin.count else pin.cpp
    if pin.output and pin.load:
        return f"    hw::show({pin.load}, {pin.rtl()});"
    if pin.output:
        return f"    {loop}hw::show(out_.{member}, {pin.rtl()}{index});"
    if pin.load:
        return f"    {loop}{{ const auto& pin = {pin.rtl()}{index}.read(); {pin.load}; }}"
    return f"    {loop}hw::take({pin.rtl()}{index}, in_.{member});"


def shell(unit):
    name = unit.cpp + "Signals"
    parameters = ", ".join(f"int {key} = {entry[0]}" for key, entry in unit.parameters.items())
    template = f"template <{parameters}>\n" if parameters else ""
    constants = "".join(f"  static constexpr int {key} = {expression};\n" for key, expression in unit.local.items())
    ports = "\n".join(declaration(unit, pin) for pin in unit.pins if not pin.rtl_only)
    inputs, outputs = "\n".join(map(transfer, unit.ins)), "\n".join(map(transfer, unit.outs))
    return f"""/// {unit.text} with a port a pin, named as in the RTL, for platforms that bind signals.
/// At every rising edge `device` (any level) steps with what the signals show; the outputs follow in the next delta
/// cycle. Arrays have a port an element.
{template}class {name} : public sc_core::sc_module {{
 public:
{constants}  sc_core::sc_in<bool> clk_i{{"clk_i"}}, rst_ni{{"rst_ni"}};
{ports}

  {name}(const sc_core::sc_module_name& name, CycleDevice<{unit.inputs}, {unit.outputs}>& device)
      : sc_module(name), device_(device) {{
    using Self = {name};
    SC_HAS_PROCESS(Self);
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk_i.pos();
  }}

 private:
  void edge() {{
    [[maybe_unused]] auto& in = in_;
    [[maybe_unused]] auto& out = out_;
    in_.{unit.reset} = {"" if unit.reset == "reset_n" else "!"}rst_ni.read();
{inputs}
    device_.step(in_, out_);
{outputs}
  }}

  CycleDevice<{unit.inputs}, {unit.outputs}>& device_;
  {unit.inputs} in_;
  {unit.outputs} out_;
}};
"""
