// SPDX-License-Identifier: Apache-2.0
// Pictures of pages as thumbnails in grey, and how far two are apart: layout shows in them, words hardly.
import zlib from "node:zlib";

const greys = 64;
const shift = 8; // rows of a thumbnail

/** Rows of greys 0..255 of a PNG, as the browser itself decodes it. */
async function greyRows(page, png) {
  return page.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob()),
      {width, height} = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, width, height);
    return Array.from({length: height}, (_, y) =>
      Array.from({length: width}, (_, x) => {
        const at = 4 * (y * width + x);
        return Math.floor((3 * data[at] + 6 * data[at + 1] + data[at + 2]) / 10);
      })
    );
  }, png);
}

/** The top of a page, one grey for every cell x cell pixels. */
export async function thumbnail(page, width, height, cell) {
  const png = await page.screenshot({
    encoding: "base64",
    clip: {x: 0, y: 0, width, height, scale: 2 / cell},
    optimizeForSpeed: true
  });
  const rows = await greyRows(page, png),
    out = [];
  for (let y = 0; y + 1 < rows.length; y += 2) {
    // two by two become one
    const line = [];
    for (let x = 0; x + 1 < rows[y].length; x += 2)
      line.push(Math.floor(((rows[y][x] + rows[y][x + 1] + rows[y + 1][x] + rows[y + 1][x + 1]) * greys) / 1024));
    out.push(line);
  }
  return out;
}

export const packed = (picture) =>
  `${picture[0].length} ${zlib.deflateSync(Buffer.from(picture.flat()), {level: 9}).toString("base64")}`;

export function unpacked(text) {
  const [width, body] = text.split(" "),
    values = [...zlib.inflateSync(Buffer.from(body, "base64"))];
  return Array.from({length: values.length / width}, (_, y) => values.slice(y * width, (y + 1) * width));
}

/** Every value the mean of itself and its neighbours: a line that moved by a row is still near. */
function blurred(picture) {
  return picture.map((row, y) =>
    row.map((_, x) => {
      const near = picture.slice(Math.max(0, y - 1), y + 2).flatMap((line) => line.slice(Math.max(0, x - 1), x + 2));
      return near.reduce((a, b) => a + b, 0) / near.length;
    })
  );
}

/** Share of two pictures, in percent, that differs: cells by more than a thirtieth of the greys, once rows are laid
 *  beside each other so that a line of words more or less (at most `shift` rows) does not count. */
export function apart(first, second) {
  if (first[0].length !== second[0].length) return 100;
  const one = blurred(first),
    other = blurred(second),
    width = one[0].length;
  const unlike = (p, q) => p.reduce((sum, v, x) => sum + (Math.abs(v - q[x]) > greys / 30), 0);
  const best = new Map([["-1,-1", [0, 0]]]); // pair of rows: [cells that differ, pairs of rows] of the best way to it
  const less = (a, b) => a[0] - b[0] || a[1] - b[1];
  one.forEach((row, y) => {
    for (let z = Math.max(0, y - shift); z < Math.min(other.length, y + shift + 1); ++z) {
      const [cells, pairs] = [
        [y - 1, z - 1],
        [y - 1, z],
        [y, z - 1]
      ]
        .map((at) => best.get(String(at)))
        .filter(Boolean)
        .sort(less)[0];
      best.set(`${y},${z}`, [cells + unlike(row, other[z]), pairs + 1]);
    }
  });
  const ends = [...best]
    .filter(([at]) => at.startsWith(`${one.length - 1},`) || at.endsWith(`,${other.length - 1}`))
    .map(([, found]) => found);
  const [cells, pairs] = ends.sort((a, b) => a[0] / Math.max(a[1], 1) - b[0] / Math.max(b[1], 1))[0];
  return (100 * cells) / (pairs * width);
}
