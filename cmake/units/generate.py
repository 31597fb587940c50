#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes from the descriptions of the units (models/<family>/<unit>.toml, docs/units.md) everything that is mechanical.

  generate.py --build DIR --sizes dragonfly "NAME:P,A,H,G:absolute;..." ...
                                   what is compiled, into DIR (CMake runs this)
  generate.py --update | --check   what is kept in the repository: tops, register constants, tables of the docs
"""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cpp  # noqa: E402
import description  # noqa: E402
import documents  # noqa: E402
import dpi  # noqa: E402
import registers  # noqa: E402
import systemc  # noqa: E402
import systemverilog  # noqa: E402
import texts  # noqa: E402
import verilated  # noqa: E402
import words  # noqa: E402


ROOT = pathlib.Path(__file__).resolve().parents[2]


def write(path, text):
    """Only what is new, so that nothing is compiled again without need."""
    if path.exists() and path.read_text() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return True


def built_sizes(lists):
    """Kind of size to name to numbers."""
    out = {kind: {} for kind in description.SIZES}
    for kind, text in lists:
        for size in filter(None, text.split(";")):
            name, *numbers = re.split("[:,]", size)
            if not re.fullmatch(r"[a-z0-9_]+(:\d+(,\d+)*)+", size) or len(numbers) != len(description.SIZES[kind]):
                sys.exit(f"units: {kind} size '{size}', expected NAME:{','.join(description.SIZES[kind])}")
            out[kind][name] = tuple(map(int, numbers))
    return out


def build(units, directory, sizes):
    families = {}
    for unit in units.values():
        families.setdefault(unit.family, []).append(unit)
        libraries = unit.libraries(sizes)
        write(directory / f"models/{unit.family}/{unit.name}_pins.h", cpp.pins_header(unit))
        write(directory / f"hw/{unit.family}/{unit.name}_signals.h", systemc.signals_header(unit))
        write(directory / f"tb/{unit.family}/{unit.name}_block.h", cpp.block_header(unit))
        write(directory / f"tb/{unit.family}/{unit.name}_rtl_pins.h", verilated.pins_header(unit))
        write(directory / f"tb/{unit.family}/{unit.name}_rtl.cpp", verilated.table(unit, libraries))
        write(directory / f"tb/{unit.family}/{unit.name}_words.h", words.header(unit))
        write(directory / f"tb/{unit.family}/{unit.name}_words.cpp", words.source(unit))
        if unit.raw_registers:
            write(directory / f"models/{unit.family}/{unit.name}_registers.h", registers.header(unit))
        for library in libraries:
            write(
                directory / f"tb/{unit.family}/V{library.name(unit.name)}_device.cpp", verilated.device(unit, library)
            )
    write(directory / "dpi/odonata_dpi_pkg.sv", dpi.package(units.values()))
    write(directory / "dpi/odonata_dpi.cpp", dpi.source(units.values()))
    write(directory / "sim/cosim/wave_enums.h", texts.table(ROOT, units))
    for family, members in families.items():
        write(directory / f"{family}.cmake", verilated.cmake(family, members, sizes))


def kept(units):
    """(path, text) of everything that is generated and kept in the repository."""
    for unit in units.values():
        for size in unit.tops:
            yield ROOT / f"rtl/{unit.family}/{unit.name}_{size}.sv", systemverilog.top(unit, size)
    for package in sorted((ROOT / "rtl").glob("*/*_pkg.sv")):
        yield package, registers.filled(units, package.read_text())
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text()
        yield page, documents.filled(units, page.relative_to(ROOT), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--sizes", nargs=2, action="append", default=[], metavar=("KIND", "LIST"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    units = description.load(ROOT)
    if args.build:
        build(units, args.build, built_sizes(args.sizes))
    stale = [
        path.relative_to(ROOT)
        for path, text in kept(units)
        if (args.update or args.check) and not same(path, text, args.update)
    ]
    for path in stale:
        print(f"{'written' if args.update else 'stale'}: {path}")
    differing = (
        [f"{unit.where}: {text}" for unit in units.values() for text in systemverilog.differences(unit, ROOT)]
        if args.check
        else []
    )
    for text in differing:
        print(text)
    if args.check and (stale or differing):
        sys.exit("units: not as the descriptions say, expected the files that ./dev units writes")


def same(path, text, update):
    if path.exists() and path.read_text() == text:
        return True
    if update:
        write(path, text)
    return False


if __name__ == "__main__":
    main()
