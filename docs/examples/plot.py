#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Latency over load of two routings, from this process, as a picture:
`PYTHONPATH=build/release/python docs/examples/plot.py curve.svg`.

With python3-matplotlib the axes are its own; without it the curves are drawn as they are: the script runs anywhere.
"""
import sys

import odonata

# %% What is drawn; cells as notebooks and editors know them
LOADS = [0.1, 0.2, 0.3, 0.4]
TITLE = "dfly(2,4,2,8), ADV+1: mean latency (cycles) over offered load"


# %% A curve: a run of the network engine a load
def curve(routing, **options):
    """Mean latency in cycles at each load; None where the network is saturated."""
    results = [odonata.Network(size="tiny", routing=routing, load=load, **options).run() for load in LOADS]
    return [None if r["saturated"] else r["latency"]["mean"] for r in results]


# %% A picture without matplotlib
def picture(curves):
    """The curves in SVG: 400 x 300, the loads to the right, from 0 cycles at the bottom to the longest latency."""
    top = max(y for values in curves.values() for y in values if y is not None)
    lines = [f'<text x="10" y="20">{TITLE}, up to {top:.0f}</text>']
    for k, (name, values) in enumerate(curves.items()):
        colour = ["navy", "darkorange"][k]
        seen = [(x, y) for x, y in zip(LOADS, values) if y is not None]
        points = " ".join(f"{1000 * x - 50:.0f},{290 - 250 * y / top:.0f}" for x, y in seen)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        lines.append(f'<text x="{300 - 60 * k}" y="280" fill="{colour}">{name}</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" font-size="11">'
    return head + "\n".join(lines) + "</svg>\n"


# %% All of it
def main(path):
    curves = {routing: curve(routing, traffic="adv+1", warmup=500, cycles=2000) for routing in ("doar", "min")}
    try:
        import matplotlib
    except ImportError:
        with open(path, "w") as file:
            file.write(picture(curves))
        return
    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    for name, values in curves.items():
        plt.plot(LOADS, values, marker="o", label=name)
    plt.title(TITLE)
    plt.legend()
    plt.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1])
