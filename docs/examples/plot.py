#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency over load of two routings, from this process: `PYTHONPATH=build/release/python docs/examples/plot.py curve.svg` (needs python3-matplotlib)."""
import sys

import odonata

LOADS = [0.1, 0.2, 0.3, 0.4]


def curve(routing, **options):
    """Mean latency in cycles at each load; None where the network is saturated."""
    results = [odonata.Network(size="tiny", routing=routing, load=load, warmup=500, cycles=2000, **options).run() for load in LOADS]
    return [None if r["saturated"] else r["latency"]["mean"] for r in results]


def main(path):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    for routing in ("doar", "min"):
        plt.plot(LOADS, curve(routing, traffic="adv+1"), marker="o", label=routing)
    plt.xlabel("offered load (flits a node and cycle)")
    plt.ylabel("mean latency (cycles)")
    plt.title("dfly(2,4,2,8), ADV+1")
    plt.legend()
    plt.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1])
