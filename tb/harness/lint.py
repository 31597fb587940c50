#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RTL of a family is clean in verilator -Wall and is read by iverilog and yosys: tb/FAMILY/lint.toml lists the
modules and their parameters.

  tops        modules without parameters, read with verilator and iverilog
  top_flags   of verilator, for these
  flags       of verilator, for the modules below
  [[module]]  top; sets: parameters as text "A=4 H=2", one check each; tools: which of the three, by default all

  lint.py FAMILY
"""
import re
import subprocess
import sys

import tools


def commands(top, parameters, sources, every, flags, chosen):
    """(tool, its command) of one module with its parameters."""
    values = parameters.split()
    chparam = f"chparam {' '.join('-set ' + v.replace('=', ' ') for v in values)} {top}; " if values else ""
    script = f"read_verilog -sv -defer {' '.join(sources)}; {chparam}hierarchy -check -top {top}; proc; check -assert"
    all_of = {
        "verilator": [
            "verilator",
            "--lint-only",
            "-Wall",
            *flags,
            "--top-module",
            top,
            *("-G" + v for v in values),
            *every,
        ],
        "iverilog": ["iverilog", "-g2012", "-t", "null", "-s", top, *(f"-P{top}.{v}" for v in values), *sources],
        "yosys": ["yosys", "-q", "-p", script],
    }
    return [(tool, all_of[tool]) for tool in chosen]


def checks(family):
    """(name, command) of every check of a family."""
    table = tools.read_table(family, "lint.toml", ["module"])
    sources, every = tools.rtl(family), tools.rtl(family, wrappers=True)
    for top in table.get("tops", []):
        for tool, command in commands(top, "", every, every, table.get("top_flags", []), ["verilator", "iverilog"]):
            yield f"{tool:9} {top}", command
    for module in table["module"]:
        for parameters in module["sets"]:
            if not re.fullmatch(r"(\w+=\w+ ?)*", parameters):
                tools.fail(f"tb/{family}/lint.toml: {module['top']}: '{parameters}', expected NAME=VALUE ...")
            for tool, command in commands(
                module["top"],
                parameters,
                sources,
                every,
                table.get("flags", []),
                module.get("tools", ["verilator", "iverilog", "yosys"]),
            ):
                yield f"{tool:9} {module['top']} {parameters}", command


def main():
    if len(sys.argv) != 2:
        tools.fail(f"usage: lint.py FAMILY; families: {', '.join(tools.families('lint.toml'))}")
    failed = 0
    for name, command in checks(sys.argv[1]):
        result = subprocess.run(command, cwd=tools.ROOT, capture_output=True, text=True, check=False)
        output = result.stdout + result.stderr
        good = result.returncode == 0 and not output  # a warning fails, too
        failed += not good
        print(f"{'ok     ' if good else 'FAILED '} {name}", flush=True)
        if not good:
            print("\n".join(output.splitlines()[:20]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
