#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every unit of odonata_dpi_pkg.sv, called as a simulator calls it, answers its vectors (odonata vectors) pin by pin,
and gives reasons. Arguments: odonata_dpi_pkg.sv, libodonata_dpi.so, the program."""
import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CYCLES = 120
PARTS = {"arb_request_logic": "logic", "arb_request_switch": "switch"}
NO_DRAGONFLY = {
    "arb_request": "dims=2",
    "torus_route": "torus=tiny",
    "torus_box": "torus=tiny",
    "vtftr": "tree=tiny",
    "fault_region": "",
}  # by the beginning of the name


def size_of(name):
    """What create() takes as the smallest size."""
    return next((size for start, size in NO_DRAGONFLY.items() if name.startswith(start)), "tiny")


def units(package):
    """Name and pins (output, name, bits) of every NAME_step in the package."""
    for name, body in re.findall(r"function void (\w+)_step\((.*?)\);", package, re.S):
        pins = re.findall(r"(input|output)\s+bit (?:\[(\d+):0\] )?(\w+)", body)
        yield name, [(way == "output", pin, int(high or 0) + 1) for way, high, pin in pins if pin != "rst_ni"]


def vectors(program, name, folder):
    size = size_of(name)
    words = ["--size", size] if size == "tiny" else ["--set", size] if size else []
    block = ["--block", "arb_request", "--set", f"part={PARTS[name]}"] if name in PARTS else ["--block", name]
    subprocess.run(
        [program, "vectors", *block, *words, "--cycles", str(CYCLES), "--out", folder],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    read = lambda file: [int(line, 16) for line in pathlib.Path(folder, file).read_text().split()]
    return json.loads(pathlib.Path(folder, "vectors.json").read_text()), read("stimulus.hex"), read("expected.hex")


def field(line, pin):
    return line >> pin["at"] & (1 << pin["bits"]) - 1


def play(library, name, pins, description, stimulus, expected):
    """Number of answers that differ, and whether there were reasons."""
    create, step, explain = (library[f"{name}_create"], library[f"{name}_step"], library["odonata_explain"])
    create.restype, explain.restype = ctypes.c_void_p, ctypes.c_char_p
    unit = ctypes.c_void_p(create(size_of(name).encode()))
    if not unit:
        sys.exit(f"{name}_create failed")
    if size_of(name) != "tiny" and create(b"tiny"):
        sys.exit(f"{name}_create(\"tiny\"): it is no part of a dragonfly")
    ins = {pin["name"]: pin for pin in description["stimulus"]["pins"]}
    outs = {pin["name"]: pin for pin in description["expected"]["pins"]}
    missing = {pin for _, pin, _ in pins} ^ (ins.keys() - {"rst_ni"} | outs.keys())
    if missing:
        sys.exit(f"{name}: pins {missing}")
    different, reasons = 0, False
    for driven, wanted in zip(stimulus, expected):
        arguments = [unit, ctypes.c_ubyte(driven & 1)]
        results = {}
        for output, pin, bits in pins:
            words = (bits + 31) // 32
            if output:
                results[pin] = ctypes.c_ubyte() if bits == 1 else (ctypes.c_uint32 * words)()
                arguments.append(ctypes.byref(results[pin]) if bits == 1 else results[pin])
            else:
                value = field(driven, ins[pin])
                arguments.append(
                    ctypes.c_ubyte(value)
                    if bits == 1
                    else (ctypes.c_uint32 * words)(*[value >> 32 * k & 0xFFFFFFFF for k in range(words)])
                )
        step(*arguments)
        for pin, result in results.items():
            got = (
                result.value
                if isinstance(result, ctypes.c_ubyte)
                else sum(word << 32 * k for k, word in enumerate(result))
            )
            different += got != field(wanted, outs[pin])
        reasons = reasons or bool(explain(unit))
    library["odonata_destroy"](unit)
    return different, reasons


def main(package, library, program):
    text = pathlib.Path(package).read_text()
    loaded = ctypes.CDLL(library)
    problems, count = [], 0
    for name, pins in units(text):
        for function in ("create", "explain"):
            if not re.search(rf"function \w+ {name}_{function}\(", text):
                problems.append(f"{name}_{function} is missing")
        with tempfile.TemporaryDirectory() as folder:
            different, reasons = play(loaded, name, pins, *vectors(program, name, folder))
        if different:
            problems.append(f"{name}: {different} pins differ")
        if not reasons:
            problems.append(f"{name}_explain says nothing")
        count += 1
    blocks = re.search(
        r"--block ([\w|]+)", subprocess.run([program, "vectors", "--help"], capture_output=True, text=True).stdout
    )[1].split("|")
    problems += [
        f"{block} is not in the package" for block in blocks if f"function chandle {block}_create(" not in text
    ]
    print(f"{count} units")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
