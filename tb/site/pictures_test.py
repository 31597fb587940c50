#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/pictures.py: pictures of cards show the numbers that they are given, at the right places."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import pictures  # noqa: E402


def numbers(picture, element, *names):
    """Attributes of the elements of a picture, of each element a list."""
    found = re.findall(rf"<{element} [^>]*>", picture)
    value = lambda text: float(text) if re.fullmatch(r"-?[\d.]+", text) else text
    return [[value(re.search(rf' {name}="([^"]*)"', f)[1]) for name in names] for f in found]


class Pictures(unittest.TestCase):
    def test_a_picture_has_its_size(self):
        self.assertEqual(pictures.svg("x"), '<svg viewBox="0 0 240 96" aria-hidden="true">x</svg>')

    def test_stages_are_boxes_with_numbers_and_arrows_between(self):
        picture = pictures.stages(2)
        self.assertEqual(
            numbers(picture, "rect", "class", "x", "y", "width", "height", "rx"),
            [["band", 14, 28, 96, 40, 6], ["band", 124, 28, 96, 40, 6]],
        )
        self.assertEqual(numbers(picture, "text", "x", "y"), [[62, 53], [172, 53]])
        self.assertEqual(re.findall(r">(\d)</text>", picture), ["1", "2"])
        self.assertEqual(numbers(picture, "path", "d"), [["M111 48h10"]])
        self.assertEqual(numbers(pictures.stages(4), "path", "d"), [["M56 48h10"], ["M111 48h10"], ["M166 48h10"]])

    def test_bars_are_as_long_as_their_shares(self):
        picture = pictures.bars([1, 0.25, 0, 1.5, -1])
        self.assertEqual(
            numbers(picture, "rect", "class", "x", "y", "width", "height"),
            [
                [kind, 10, y, width if kind == "mark" else 220, 11.2]
                for y, width in ((8, 220), (24, 55), (40, 0), (56, 220), (72, 0))
                for kind in ("band", "mark")
            ],
        )
        self.assertEqual(numbers(pictures.bars([0.5]), "rect", "y", "width", "height"), [[8, 220, 56], [8, 110, 56]])
        self.assertEqual(len(numbers(pictures.bars([1] * 9), "rect", "y")), 16)
        self.assertEqual(pictures.bars([]), pictures.svg(""))

    def test_curves_go_from_the_smallest_x_and_from_0_to_the_largest_y(self):
        picture = pictures.curves([[(2, 0), (4, 5), (6, 10)], [], [(3, 2.5)]])
        self.assertEqual(
            numbers(picture, "polyline", "class", "points"),
            [["trace", "12.0,84.0 120.0,48.0 228.0,12.0"], ["trace", "66.0,66.0"]],
        )
        self.assertEqual(numbers(picture, "path", "class", "d"), [["wire", "M10 8V86H232"]])
        self.assertEqual(pictures.curves([[], []]), pictures.svg(""))
        flat = pictures.curves([[(3, 0, "spread"), (3, 0)]])  # neither width nor height
        self.assertEqual(numbers(flat, "polyline", "points"), [["12.0,84.0 12.0,84.0"]])

    def test_a_ring_joins_all_and_one_link_may_be_dead(self):
        picture = pictures.ring(4)
        self.assertEqual(
            numbers(picture, "circle", "class", "cx", "cy", "r"),
            [["mark", 182, 48, 5], ["mark", 120, 86, 5], ["mark", 58, 48, 5], ["mark", 120, 10, 5]],
        )
        self.assertEqual(
            numbers(picture, "line", "x1", "y1", "x2", "y2"),
            [[*a, *b] for a, b in self.pairs([[182, 48], [120, 86], [58, 48], [120, 10]])],
        )
        kinds = [kind for (kind,) in numbers(pictures.ring(), "line", "class")]
        self.assertEqual((len(kinds), [i for i, kind in enumerate(kinds) if kind == "dead"]), (36, [3]))
        self.assertEqual(
            {kind for (kind,) in numbers(pictures.ring(dead=False), "line", "class")}, {"wire"}, "no link is dead"
        )

    @staticmethod
    def pairs(of):
        return [(a, b) for i, a in enumerate(of) for b in of[i + 1 :]]

    XS, YS = (60, 100, 140, 180), (12, 36, 60, 84)

    def test_a_grid_and_a_torus_have_sixteen_nodes(self):
        places = [[x, y] for x in self.XS for y in self.YS]
        grid, torus = pictures.grid(), pictures.torus()
        for picture in (grid, torus):
            self.assertEqual(numbers(picture, "circle", "cx", "cy"), places)
        self.assertEqual(
            [d for (d,) in numbers(grid, "path", "d")],
            [
                "M60 12H180",
                "M60 36H180",
                "M60 60H180",
                "M60 84H180",
                "M60 12V84",
                "M100 12V84",
                "M140 12V84",
                "M180 12V84",
            ]
            + ["M60 84H100V36H140V12H180"],
        )
        self.assertEqual(
            [d for (d,) in numbers(torus, "path", "d")],
            ["M38 12H202", "M38 36H202", "M38 60H202", "M38 84H202", "M60 1V95", "M100 1V95", "M140 1V95", "M180 1V95"]
            + ["M60 60H38M202 60H180V84"],
        )
        gone = [[x, y] for kind, x, y in numbers(torus, "circle", "class", "cx", "cy") if kind == "gone"]
        self.assertEqual((gone, "gone" in grid), ([[100, 60]], False))

    def test_a_fat_tree_has_a_way_around_the_leaf_that_is_gone(self):
        picture = pictures.fat_tree()
        self.assertEqual(
            numbers(picture, "line", "x1", "y1", "x2", "y2"),
            [[x, 78, r, 18] for x in (40, 80, 120, 160, 200) for r in (80, 160)],
        )
        self.assertEqual(
            numbers(picture, "circle", "class", "cx", "cy"),
            [["gone" if x == 120 else "mark", x, 78] for x in (40, 80, 120, 160, 200)],
        )
        self.assertEqual(numbers(picture, "rect", "x", "y", "width", "height"), [[71, 11, 18, 13], [151, 11, 18, 13]])
        self.assertEqual(numbers(picture, "path", "d"), [["M40 78L80 18L160 78"]])

    def test_a_page_of_text_has_five_lines(self):
        self.assertEqual(
            numbers(pictures.page_lines(), "rect", "x", "y", "width", "height"),
            [[50, 14 + 14 * i, w, 7] for i, w in enumerate((90, 140, 130, 136, 60))],
        )

    def test_each_page_has_the_picture_of_its_data(self):
        none, covered = {"report": []}, {"report": [], "coverage": {"percent": 50}}
        lines = {
            "report": [{"type": "bars"}, {"type": "lines", "series": [{"points": [[0, 1], [1, n]]} for n in range(5)]}]
        }
        of_page = pictures.of_page
        self.assertEqual(of_page("pipeline", [lines]), pictures.stages(4))
        self.assertEqual(
            of_page("cosimulation", [covered, {**covered, "plant": "bug"}, none, {**none, "coverage": None}]),
            pictures.bars([0.5, 0, 0]),
        )
        self.assertEqual(of_page("fault", [lines]), pictures.ring())
        self.assertEqual(of_page("mesh", [lines]), pictures.grid())
        self.assertEqual(of_page("torus", [lines]), pictures.torus())
        self.assertEqual(of_page("fat_tree", [lines]), pictures.fat_tree())
        self.assertEqual(
            of_page("network", [none, lines]),
            pictures.curves([[[0, 1], [1, n]] for n in range(4)]),
            "of the first four",
        )
        self.assertEqual(of_page("network", [none]), pictures.ring(dead=False))


if __name__ == "__main__":
    unittest.main()
