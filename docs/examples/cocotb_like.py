# SPDX-License-Identifier: Apache-2.0
"""A bench in the style of cocotb: compare() is what a cocotb test calls; below it, a stand-in of cocotb's handles that
a test of this repository uses."""
import asyncio

import odonata


async def compare(dut, falling_edge, golden, cycles, traffic="ur", seed=1):
    """Drives the pins of `dut` (handles with .value) from the unit's stimulus and compares every output
    with the golden unit's."""
    stimulus, _ = golden.stimulus(cycles, traffic=traffic, seed=seed)
    for cycle in range(cycles):
        pins = {
            name: sum(int(word) << 64 * k for k, word in enumerate(column[cycle].reshape(-1)))
            for name, column in stimulus.items()
        }
        for name, value in pins.items():
            getattr(dut, name).value = value
        await falling_edge  # a rising edge has sampled the pins
        expected = golden.step(**pins)
        for name, value in expected.items():
            got = int(getattr(dut, name).value)
            assert got == value, f"cycle {cycle}: {name} is {got}, expected {value}: " + "; ".join(golden.explain())


class Handle:
    """Stand-in of a cocotb handle."""

    value = 0


class StandIn:
    """A design whose pins are handles, and that a device of this project moves at every edge."""

    def __init__(self, device):
        self.device = device
        for name in [*device.inputs, *device.outputs, "rst_ni"]:
            setattr(self, name, Handle())

    def __await__(self):
        pins = {name: getattr(self, name).value for name in [*self.device.inputs, "rst_ni"]}
        for name, value in self.device.step(**pins).items():
            getattr(self, name).value = value
        yield


if __name__ == "__main__":
    design = StandIn(odonata.Unit("route_compute", size="tiny"))
    asyncio.run(compare(design, design, odonata.Unit("route_compute", size="tiny"), cycles=500))
    print("500 cycles compared, pass")
