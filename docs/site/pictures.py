# SPDX-License-Identifier: Apache-2.0
"""Small pictures of the cards of the start page, 240 x 96, in the colours of the page."""
import math

W, H = 240, 96


def svg(body):
    return f'<svg viewBox="0 0 {W} {H}" aria-hidden="true">{body}</svg>'


def stages(count):
    width = (W - 20) / count
    boxes = "".join(
        f'<rect class="band" x="{10 + i * width + 4:.0f}" y="28" width="{width - 14:.0f}" height="40" rx="6"/>'
        f'<text class="small" x="{10 + i * width + width / 2 - 3:.0f}" y="53" text-anchor="middle">{i + 1}</text>'
        for i in range(count)
    )
    arrows = "".join(f'<path class="trace" d="M{10 + i * width - 9:.0f} 48h10"/>' for i in range(1, count))
    return svg(boxes + arrows)


def bars(shares):
    """Shares of 1, at most eight."""
    shares = shares[:8]
    step = 80 / max(len(shares), 1)
    return svg(
        "".join(
            f'<rect class="band" x="10" y="{8 + i * step:.1f}" width="{W - 20}" height="{step * .7:.1f}"/>'
            f'<rect class="mark" x="10" y="{8 + i * step:.1f}" width="{(W - 20) * max(0, min(1, s)):.1f}" '
            f'height="{step * .7:.1f}"/>'
            for i, s in enumerate(shares)
        )
    )


def curves(series):
    """[[(x, y), ...], ...], from 0 to the largest."""
    points = [p for s in series for p in s]
    if not points:
        return svg("")
    x0, x1, y1 = min(p[0] for p in points), max(p[0] for p in points), max(p[1] for p in points) or 1
    place = lambda p: f"{12 + (p[0] - x0) / ((x1 - x0) or 1) * (W - 24):.1f},{H - 12 - p[1] / y1 * (H - 24):.1f}"
    lines = "".join(f'<polyline class="trace" points="{" ".join(place(p) for p in s)}"/>' for s in series if s)
    return svg(f'<path class="wire" d="M10 8V{H - 10}H{W - 8}"/>{lines}')


def ring(count=9, dead=True):
    at = [
        (W / 2 + 62 * math.cos(2 * math.pi * i / count), H / 2 + 38 * math.sin(2 * math.pi * i / count))
        for i in range(count)
    ]
    wires = "".join(
        f'<line class="{"dead" if dead and (i, j) == (0, 4) else "wire"}" x1="{at[i][0]:.1f}" y1="{at[i][1]:.1f}" '
        f'x2="{at[j][0]:.1f}" y2="{at[j][1]:.1f}"/>'
        for i in range(count)
        for j in range(i + 1, count)
    )
    return svg(wires + "".join(f'<circle class="mark" r="5" cx="{x:.1f}" cy="{y:.1f}"/>' for x, y in at))


def grid():
    xs, ys = [60, 100, 140, 180], [12, 36, 60, 84]
    wires = "".join(f'<path class="wire" d="M{xs[0]} {y}H{xs[-1]}"/>' for y in ys) + "".join(
        f'<path class="wire" d="M{x} {ys[0]}V{ys[-1]}"/>' for x in xs
    )
    return svg(
        wires
        + '<path class="trace" d="M60 84H100V36H140V12H180"/>'
        + "".join(f'<circle class="mark" r="4" cx="{x}" cy="{y}"/>' for x in xs for y in ys)
    )


def torus():
    xs, ys = [60, 100, 140, 180], [12, 36, 60, 84]
    rings = "".join(f'<path class="wire" d="M{xs[0] - 22} {y}H{xs[-1] + 22}"/>' for y in ys) + "".join(
        f'<path class="wire" d="M{x} {ys[0] - 11}V{ys[-1] + 11}"/>' for x in xs
    )
    way = '<path class="trace" d="M60 60H38M202 60H180V84"/>'
    return svg(
        rings
        + way
        + "".join(
            f'<circle class="{"gone" if (x, y) == (100, 60) else "mark"}" r="4" cx="{x}" cy="{y}"/>'
            for x in xs
            for y in ys
        )
    )


def fat_tree():
    leaves, roots = [40, 80, 120, 160, 200], [80, 160]
    wires = "".join(f'<line class="wire" x1="{x}" y1="78" x2="{r}" y2="18"/>' for x in leaves for r in roots)
    way = '<path class="trace" d="M40 78L80 18L160 78"/>'
    return svg(
        wires
        + way
        + "".join(f'<circle class="{"gone" if x == 120 else "mark"}" r="5" cx="{x}" cy="78"/>' for x in leaves)
        + "".join(f'<rect class="mark" x="{r - 9}" y="11" width="18" height="13" rx="3"/>' for r in roots)
    )


def page_lines():
    return svg(
        "".join(
            f'<rect class="band" x="50" y="{14 + i * 14}" width="{w}" height="7" rx="3"/>'
            for i, w in enumerate((90, 140, 130, 136, 60))
        )
    )


def of_page(name, results):
    """The picture of a page from its own data, where they have one."""
    lines = next((s for r in results for s in r["report"] if s["type"] == "lines"), None)
    if name == "pipeline":
        return stages(4)
    if name == "cosimulation":
        return bars([(r.get("coverage") or {}).get("percent", 0) / 100 for r in results if not r.get("plant")])
    if name == "fault":
        return ring()
    if name in ("mesh", "torus", "fat_tree"):
        return {"mesh": grid, "torus": torus, "fat_tree": fat_tree}[name]()
    return curves([s["points"] for s in lines["series"]][:4]) if lines else ring(dead=False)
