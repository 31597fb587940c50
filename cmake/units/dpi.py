# SPDX-License-Identifier: Apache-2.0
"""The golden units behind DPI-C: a SystemVerilog package, and the C functions that it imports (sim/dpi/dpi_unit.h)."""


# Parts of a unit: which, and the setting that chooses them (odonata cosim --set).
PARTS = {"arb_request_logic": ("arb_request", "part=logic"), "arb_request_switch": ("arb_request", "part=switch")}


def vector(bits):
    return "bit" if bits == 1 else f"bit [{bits - 1}:0]"


def package(units):
    out = """// SPDX-License-Identifier: Apache-2.0
//
// Golden units behind DPI-C, generated from models/*/*.toml. The C functions are in libodonata_dpi.so.
// NAME_create(size): a unit at a size, "tiny", "paper", "full" or "p,a,h,g" (arb_request*: "dims=3", torus_route:
// "torus=4x4", vtftr_*: "tree=4,4,2,2", fault_region: "", it has one); null, and a line on stderr, when there is none.
// NAME_step: one rising edge; pins are as wide as at the largest size, what a smaller unit does not have is 0.
// NAME_explain: why the last outputs are what they are, in words. odonata_destroy ends a unit.
// odonata_configuration: cfg_addr_i and cfg_wdata_i of the write number `index` (from 0 on) of those that bring a
// route-compute unit into a fault-free network as input port `port` of router `router` in group `group`: its place, the
// seed of its LFSR, tables A, B and C. 0: there is no such write.

package odonata_dpi_pkg;
  import "DPI-C" function void odonata_destroy(input chandle unit);
  import "DPI-C" function int odonata_configuration(input string size, input int group, input int router,
    input int port, input int index, output bit [11:0] address, output bit [63:0] data);
"""
    for unit in units:
        pins = [("input ", "rst_ni", 1)] + [
            ("output" if p.output else "input ", p.rtl(), unit.width(p)) for p in [*unit.ins, *unit.outs]
        ]
        ports = ",\n".join(f"    {way} {vector(bits)} {name}" for way, name, bits in pins)
        out += f"\n  // {unit.text}\n  import \"DPI-C\" function chandle {unit.name}_create(input string size);\n"
        out += f"  import \"DPI-C\" function void {unit.name}_step(\n    input  chandle unit,\n{ports});\n"
        out += f"  import \"DPI-C\" odonata_explain = function string {unit.name}_explain(input chandle unit);\n"
    return out + "endpackage : odonata_dpi_pkg\n"


def source(units):
    out = (
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// Generated from models/*/*.toml: what odonata_dpi_pkg.sv imports.\n"
        "#include \"sim/dpi/dpi_unit.h\"\n\n"
    )
    out += "using odonata::dpi::Argument;\n\nextern \"C\" {\n"
    for unit in units:
        rows = [("rst_ni", 1, False)] + [(p.rtl(), unit.width(p), p.output) for p in [*unit.ins, *unit.outs]]
        parameters = ", ".join(
            ("unsigned char* " if out_ else "unsigned char ") + name
            if bits == 1
            else ("" if out_ else "const ") + f"uint32_t* {name}"
            for name, bits, out_ in rows
        )
        arguments = lambda wanted: ", ".join(
            f"Argument({name}, {bits})" for name, bits, out_ in rows[1:] if out_ == wanted
        )
        block, setting = PARTS.get(unit.name, (unit.name, ""))
        out += (
            f"\nvoid* {unit.name}_create(const char* size) {{ return odonata::dpi::create(\"{block}\", size, "
            f"\"{setting}\"); }}\n"
        )
        out += (
            f"void {unit.name}_step(void* unit, {parameters}) {{\n"
            f"  odonata::dpi::step(unit, rst_ni, {{{arguments(False)}}},\n    {{{arguments(True)}}});\n}}\n"
        )
    return out + "\n}  // extern \"C\"\n"
