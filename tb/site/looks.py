# SPDX-License-Identifier: Apache-2.0
"""Pictures of pages as thumbnails in grey, and how far two are apart: layout shows in them, words hardly."""
import base64
import zlib

GREYS = 64
SHIFT = 8  # rows of a thumbnail


def png_grey(data):
    """Rows of greys 0..255 of a PNG of 8 bits a channel, in RGB or RGBA."""
    at, packed, size = 8, b"", (0, 0, 0)
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = (int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big"), {2: 3, 6: 4}[body[9]])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, channels = size
    raw, rows, above = zlib.decompress(packed), [], bytearray(width * channels)
    for y in range(height):
        start = y * (width * channels + 1)
        row = bytearray(raw[start + 1:start + 1 + width * channels])
        unfilter(raw[start], row, above, channels)
        rows.append([(3 * row[x] + 6 * row[x + 1] + row[x + 2]) // 10 for x in range(0, len(row), channels)])
        above = row
    return rows


def unfilter(kind, row, above, step):
    """One line of a PNG from its differences (PNG 1.2, section 6)."""
    for x in range(len(row)):
        left, up, corner = (row[x - step], above[x], above[x - step]) if x >= step else (0, above[x], 0)
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            near = (0, left, up, (left + up) // 2)[kind]
        row[x] = (row[x] + near) & 255


def thumbnail(browser, width, height, cell):
    """The top of the page that is open, one grey for every cell x cell pixels."""
    rows = png_grey(browser.picture(width, height, 2 / cell))  # two by two become one
    return [[(a + b + c + d) * GREYS // 1024 for a, b, c, d in zip(one[::2], one[1::2], two[::2], two[1::2])] for one, two in zip(rows[::2], rows[1::2])]


def packed(picture):
    return f"{len(picture[0])} " + base64.b64encode(zlib.compress(bytes(v for row in picture for v in row), 9)).decode()


def unpacked(text):
    width, _, body = text.partition(" ")
    values = list(zlib.decompress(base64.b64decode(body)))
    return [values[at:at + int(width)] for at in range(0, len(values), int(width))]


def blurred(picture):
    """Every value the mean of itself and its neighbours: a line that moved by a row is still near."""
    height, width = len(picture), len(picture[0])
    out = []
    for y in range(height):
        lines = picture[max(0, y - 1):y + 2]
        out.append([sum(sum(line[max(0, x - 1):x + 2]) for line in lines) / (len(lines) * (min(width, x + 2) - max(0, x - 1))) for x in range(width)])
    return out


def apart(one, other):
    """Share of two pictures, in percent, that differs: cells by more than a thirtieth of the greys, once rows are laid beside each other so that a line
    of words more or less (at most SHIFT rows) does not count."""
    one, other = blurred(one), blurred(other)
    if len(one[0]) != len(other[0]):
        return 100.0

    def unlike(p, q):
        return sum(abs(a - b) > GREYS / 30 for a, b in zip(p, q))

    best = {(-1, -1): (0, 0)}  # pair of rows: (cells that differ, pairs of rows) of the best way to it
    for y, row in enumerate(one):
        for z in range(max(0, y - SHIFT), min(len(other), y + SHIFT + 1)):
            cells, pairs = min(best[at] for at in ((y - 1, z - 1), (y - 1, z), (y, z - 1)) if at in best)
            best[y, z] = (cells + unlike(row, other[z]), pairs + 1)
    cells, pairs = min((best[at] for at in best if at[0] == len(one) - 1 or at[1] == len(other) - 1), key=lambda found: found[0] / max(found[1], 1))
    return 100 * cells / (pairs * len(one[0]))
