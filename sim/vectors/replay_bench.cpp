// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/common/joined.h"
#include "sim/vectors/vector_set.h"

namespace odonata::cli {

std::string replay_bench(const cosim::UnitPins& pins, uint64_t cycles, const std::string& crc) {
  std::vector<std::string> declarations, parameters, connections{".clk_i(clk)", ".rst_ni(stimulus[0])"}, outputs, names;
  int at = 1, out_bits = 0;
  for (const cosim::Pin& pin : pins.inputs) {
    connections.push_back(fmt::format(".{}(stimulus[{}:{}])", pin.name, at + pin.bits - 1, at));
    at += pin.bits;
  }
  for (const cosim::Pin& pin : pins.outputs) {
    declarations.push_back(fmt::format("  wire [{}:0] {};", pin.bits - 1, pin.name));
    connections.push_back(fmt::format(".{0}({0})", pin.name));
    outputs.insert(outputs.begin(), pin.name);
    names.push_back(fmt::format(
        "      if ({0} !== wanted[{1}:{2}]) $display(\"  {0}: expected %h, got %h\", wanted[{1}:{2}], {0});", pin.name,
        out_bits + pin.bits - 1, out_bits));
    out_bits += pin.bits;
  }
  for (const auto& [name, value] : pins.parameters) parameters.push_back(fmt::format(".{}({})", name, value));
  return fmt::format(
      R"(// SPDX-License-Identifier: Apache-2.0
// {text}: plays stimulus.hex, compares with expected.hex, writes what it saw to result.hex.
// Run it in the folder of the files:
//   iverilog -g2012 -s replay -o replay replay.sv RTL... && vvp replay
module replay;
  localparam Cycles = {cycles};
  localparam InBits = {in_bits};
  localparam OutBits = {out_bits};

  reg clk = 1'b0;
  reg [InBits-1:0] stimuli [0:Cycles-1];
  reg [OutBits-1:0] expected [0:Cycles-1];
  reg [InBits-1:0] stimulus;
  reg [OutBits-1:0] wanted;
{declarations}

  {top} {parameters}unit (
    {connections}
  );
  wire [OutBits-1:0] got = {{{outputs}}};

  integer cycle, file, differences;

  task show_difference;
    begin
      $display("cycle %0d differs", cycle);
{names}
    end
  endtask

  initial begin
    $readmemh("stimulus.hex", stimuli);
    $readmemh("expected.hex", expected);
    file = $fopen("result.hex", "w");
    $fdisplay(file, "// {unit} {crc}");
    differences = 0;
    for (cycle = 0; cycle < Cycles; cycle = cycle + 1) begin
      stimulus = stimuli[cycle];
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      wanted = expected[cycle];
      $fdisplay(file, "%h", got);
      if (got !== wanted) begin
        if (differences == 0) show_difference;
        differences = differences + 1;
      end
    end
    $fclose(file);
    if (differences == 0) $display("PASS: %0d cycles of {unit}", Cycles);
    else $display("FAIL: %0d of %0d cycles of {unit} differ", differences, Cycles);
    $finish;
  end
endmodule
)",
      fmt::arg("text", pins.text), fmt::arg("cycles", cycles), fmt::arg("in_bits", at), fmt::arg("out_bits", out_bits),
      fmt::arg("declarations", joined(declarations, {}, "\n")), fmt::arg("top", pins.top),
      fmt::arg("parameters", parameters.empty() ? "" : "#(" + joined(parameters) + ") "),
      fmt::arg("connections", joined(connections, {}, ",\n    ")), fmt::arg("outputs", joined(outputs)),
      fmt::arg("names", joined(names, {}, "\n")), fmt::arg("unit", pins.unit), fmt::arg("crc", crc));
}

}  // namespace odonata::cli
