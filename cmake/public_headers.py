#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The headers that are installed, one a line: those that users start from, and all that these include.

  public_headers.py SOURCE GENERATED
"""
import pathlib
import re
import sys

# Golden models and SystemC modules; of the network engine what a routing or topology of one's own includes; lockstep
# and the benches of the units.
STARTS = (
    "models/**/*.h",
    "hw/**/*.h",
    "sim/network/policy.h",
    "sim/network/make_engine.h",
    "sim/network/topologies/*.h",
    "tb/units.h",
    "tb/*/campaign.h",
    "tb/harness/lockstep.h",
    "tb/harness/shrink.h",
    "tb/harness/own_device.h",
    "tb/harness/odonata_device.h",
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
