#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The headers that are installed, one a line: those that users start from, and all that these include.

  public_headers.py SOURCE GENERATED
"""
import pathlib
import re
import sys

# Golden models, SystemC modules, the network engine, the lockstep and the benches of the units; not what only tests of
# this repository use.
STARTS = (
    "models/**/*.h",
    "hw/**/*.h",
    "sim/network/**/*.h",
    "tb/units.h",
    "tb/*/campaign.h",
    "tb/harness/lockstep.h",
    "tb/harness/shrink.h",
    "tb/harness/own_device.h",
    "tb/harness/word_bench.h",
    "tb/harness/odonata_device.h",
    "tb/*/*_words.h",
    "tb/*/stimulus.h",
    "tb/*/directed.h",
)


def public(*roots):
    """Their names, of the files in these folders."""
    left = sorted(
        {path.relative_to(root).as_posix() for root in roots for start in STARTS for path in root.glob(start)}
    )
    found = set()
    while left:
        name = left.pop()
        path = next((root / name for root in roots if (root / name).exists()), None)
        if name in found or path is None:
            continue
        found.add(name)
        left += re.findall(r'^#include "([^"]+)"', path.read_text(), re.M)
    return sorted(found)


if __name__ == "__main__":
    print("\n".join(public(*map(pathlib.Path, sys.argv[1:3]))))
