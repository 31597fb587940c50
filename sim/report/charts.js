// SPDX-License-Identifier: Apache-2.0
"use strict";
// Curves and points on two axes, drawn by uPlot (npm, docs/site/package.json). Without it a chart is the table of its
// values.
// the golden angle: neighbours differ, and the first eight are 30 degrees apart
const hue = (n) => (198 + 137.5 * n) % 360;
const drawn = []; // everything on a canvas, drawn again when the colours change
let serial = 0;
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colourOf = (n) => `hsl(${hue(n)},60%,var(--stroke))`;
const paintOf = (n) => `hsl(${hue(n)},60%,${variable("--stroke")})`; // the same where a style sheet does not reach

/** What was to be drawn, as a table that opens; without the library it stands open and says why. */
function valuesHtml(header, rows, library) {
  const table = tableHtml(header, rows),
    hint = "this page was made without it (./dev setup and a network bring it)";
  return library
    ? `<details class="values"><summary>Values</summary>${table}</details>`
    : `<p class="muted">No drawing: ${hint}.</p><details class="values" open>` +
        `<summary>Values</summary>${table}</details>`;
}

/** Series with x of their own on one x: [xs, [value or null, ...] of each series]. A series may have several points
    at one x. */
function aligned(series) {
  const rows = new Map();
  series.forEach((s, n) => {
    const seen = new Map();
    for (const p of s.points) {
      const again = (seen.get(p[0]) ?? -1) + 1,
        key = `${p[0]} ${again}`;
      seen.set(p[0], again);
      if (!rows.has(key)) rows.set(key, [p[0], Array(series.length).fill(null)]);
      rows.get(key)[1][n] = p;
    }
  });
  const sorted = [...rows.values()].sort((a, b) => a[0] - b[0]);
  return [sorted.map((r) => r[0]), ...series.map((_, n) => sorted.map((r) => r[1][n]))];
}

const rounded = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((e) =>
  [1, 2, 5].map((m) => +(m * Math.pow(10, e)).toPrecision(6))
); // labels of a logarithmic axis

/** Least and largest of the y axis: `tight` spans the values but for the hundredth part that is smallest (a network
    that fills). */
function heights(section, points) {
  if (points.length === 0) return [section.log ? 0.1 : 0, section.y_max ?? 1];
  const values = points.map((p) => p[1]),
    most = section.tight ? greatest(values) : greatest(values, 0),
    low = section.tight ? [...values].sort((a, b) => a - b)[Math.floor(points.length / 100)] : 0;
  const margin = 0.05 * (most - low || Math.abs(section.tight ? most : smallest(values, 0))), // a line has room, too
    top = section.y_max ?? (most + margin || 1);
  if (section.log)
    return [
      rounded.findLast((v) => v <= smallest(values.filter((v) => v > 0), top / 10)) ?? Math.min(rounded[0], top / 10),
      top
    ];
  if (!section.tight) return [smallest(values, 0), top];
  return [low < 0 ? low - margin : Math.max(0, low - margin), top];
}

/** A point in words: what it is, where, and how sure it is. */
const said = (name, p) => `${name} ${number(p[1])}${p[2] > 0 ? ` ± ${number(p[2])}` : ""}`;

const charts = [];
/* {x_label, y_label, y_max?, log?, tight?, series: [{name, points: [[x, y, spread?, text?], ...], marks?, like?,
   dots?, hollow?}]}
   marks: crosses in the colour of series `like` (published values); dots: points that are not joined; log: the y axis
   is logarithmic; a text is the name of a point */
function linesHtml(section) {
  const id = `chart${++serial}`,
    library = typeof uPlot !== "undefined";
  const header = [section.x_label, ...section.series.map((s) => s.name)],
    data = aligned(section.series);
  const rows = data[0].map((x, i) => [
    x,
    ...data.slice(1).map((column) => (column[i] ? said(column[i][3] ?? "", column[i]).trim() : ""))
  ]);
  if (!library) return valuesHtml(header, rows, false);
  charts.push({id, section, data});
  const keys = section.series
    .map(
      (s, n) =>
        `<button type="button" aria-pressed="true"><b style="color:${colourOf(s.like ?? n)}" aria-hidden="true">` +
        `${s.marks ? "✕" : s.dots ? "●" : "━"}</b> ${escape(s.name)}</button>`
    )
    .join("");
  return (
    `<p class="unit">${escape(section.y_label)}${section.log ? ", logarithmic" : ""}</p><div ` +
    `class="plot" id="${id}" tabindex="0" role="group" ` +
    `aria-label="Chart: ${escape(section.y_label)} over ${escape(section.x_label)}. ` +
    `Arrow keys go from value to value.">` +
    `</div><output class="at" for="${id}">&nbsp;</output><div ` +
    `class="keys">${keys}</div>${valuesHtml(header, rows, true)}`
  );
}

/* {x_label, y_label, points: [{x, y, name, front}]}: `front` points are joined */
function scatterHtml(section) {
  if (section.points.length === 0) return `<p>No design has a known cost at this size.</p>`;
  const of = (front) =>
    section.points
      .filter((p) => Boolean(p.front) === front)
      .map((p) => [p.x, p.y, 0, p.name])
      .sort((p, q) => p[0] - q[0]);
  return linesHtml({
    ...section,
    series: [
      {name: "nothing else is as cheap and as fast", points: of(true)},
      {name: "others", points: of(false), dots: true}
    ]
  });
}

function startChart({id, section, data}) {
  const box = document.getElementById(id),
    output = box.nextElementSibling,
    keys = [...output.nextElementSibling.children];
  const {series} = section,
    points = series.flatMap((s) => s.points),
    [y0, y1] = heights(section, points);
  const x0 = smallest(data[0], section.tight ? (points[0]?.[0] ?? 0) : 0),
    x1 = greatest(data[0]),
    ratio = devicePixelRatio,
    font = "12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
  const axis = (label, more) => ({
    label,
    labelFont: font,
    font,
    stroke: () => variable("--soft"),
    grid: {stroke: () => variable("--line"), width: 1},
    ticks: {stroke: () => variable("--line"), width: 1, size: 4},
    values: (_, values) => values.map(number),
    labelSize: label ? 18 : 0,
    ...more
  });
  const cross = (plot, x, y) => {
    const a = 5 * ratio;
    (plot.ctx.moveTo(x - a, y - a),
      plot.ctx.lineTo(x + a, y + a),
      plot.ctx.moveTo(x - a, y + a),
      plot.ctx.lineTo(x + a, y - a));
  };
  const spread = (plot, x, low, high) => {
    (plot.ctx.moveTo(x, low), plot.ctx.lineTo(x, high));
    for (const y of [low, high]) (plot.ctx.moveTo(x - 4 * ratio, y), plot.ctx.lineTo(x + 4 * ratio, y));
  };
  // What uPlot has no name for: crosses of published values, bars of spreads.
  const extras = (plot, n) => {
    if (n === 0 || !plot.series[n].show) return;
    const s = series[n - 1],
      at = (value, scale) => plot.valToPos(Math.max(value, scale === "y" ? y0 : -Infinity), scale, true),
      {left, top, width, height} = plot.bbox;
    (plot.ctx.save(),
      plot.ctx.beginPath(),
      plot.ctx.rect(left - 6 * ratio, top - 6 * ratio, width + 12 * ratio, height + 12 * ratio),
      plot.ctx.clip());
    (plot.ctx.beginPath(),
      (plot.ctx.strokeStyle = paintOf(s.like ?? n - 1)),
      (plot.ctx.lineWidth = (s.marks ? 2.5 : 1.2) * ratio));
    for (const p of s.points) {
      if (s.marks) cross(plot, at(p[0], "x"), at(p[1], "y"));
      else if (p[2] > 0) spread(plot, at(p[0], "x"), at(p[1] - p[2], "y"), at(p[1] + p[2], "y"));
    }
    (plot.ctx.stroke(), plot.ctx.restore());
  };
  const say = (plot) => {
    const i = plot.cursor.idx;
    if (i === null || i === undefined) return;
    const here = series.flatMap((s, n) =>
      plot.series[n + 1].show && data[n + 1][i] ? [said(data[n + 1][i][3] ?? s.name, data[n + 1][i])] : []
    );
    output.textContent = `${section.x_label} ${number(data[0][i])}: ${here.join("; ")}`;
  };
  const width = () => Math.max(240, box.clientWidth);
  const plot = new uPlot(
    {
      width: width(),
      height: 330,
      legend: {show: false},
      cursor: {points: {size: 7}},
      scales: {
        x: {time: false, range: () => [x0, x1 > x0 ? x1 : x0 + 1]},
        y: {distr: section.log ? 3 : 1, range: () => [y0, y1]}
      },
      axes: [
        axis(section.x_label, {
          size: 30,
          space: 60,
          ...(data[0].every(Number.isInteger)
            ? {
                incrs: [1, 2, 5]
                  .flatMap((m) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((e) => m * Math.pow(10, e)))
                  .sort((a, b) => a - b)
              }
            : {})
        }),
        axis(undefined, {
          size: (_, values) => 14 + 7.2 * Math.max(1, ...(values ?? []).map((v) => v.length)),
          ...(section.log
            ? {splits: () => rounded.filter((v) => v >= y0 && v <= y1), filter: (_, splits) => splits}
            : {})
        })
      ],
      series: [
        {},
        ...series.map((s, n) => ({
          label: s.name,
          stroke: () => paintOf(s.like ?? n),
          width: s.points.length > 100 ? 1.2 : 2,
          spanGaps: true,
          ...(s.marks || s.dots ? {paths: () => null} : {}),
          points: {
            show: !s.marks && (s.dots || s.points.length <= 100),
            size: s.dots ? 9 : 6,
            fill: () => (s.dots ? variable("--card") : paintOf(s.like ?? n))
          }
        }))
      ],
      hooks: {drawSeries: [extras], setCursor: [say]}
    },
    data.map((column, c) => (c === 0 ? column : column.map((p) => (p ? p[1] : null)))),
    box
  );
  box.plot = plot;
  keys.forEach((key, n) =>
    key.addEventListener("click", () => {
      const show = key.getAttribute("aria-pressed") !== "true";
      key.setAttribute("aria-pressed", show);
      plot.setSeries(n + 1, {show});
    })
  );
  box.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    const i = Math.max(0, Math.min(data[0].length - 1, (plot.cursor.idx ?? (step > 0 ? -1 : data[0].length)) + step));
    plot.setCursor({left: plot.valToPos(data[0][i], "x"), top: plot.over.clientHeight / 2});
    plot.cursor.idx = i;
    say(plot);
  });
  new ResizeObserver(() => {
    if (plot.width !== width()) plot.setSize({width: width(), height: 330});
  }).observe(box);
  drawn.push(() => plot.redraw(false, true));
}

// Colours of canvases follow the page's; paper is light.
const repaint = () => drawn.forEach((draw) => draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
addEventListener("beforeprint", () => {
  document.documentElement.dataset.print = "";
  repaint();
});
addEventListener("afterprint", () => {
  delete document.documentElement.dataset.print;
  repaint();
});
