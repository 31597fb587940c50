// SPDX-License-Identifier: Apache-2.0
"use strict";
// Draws the page from the JSON in the element "data". A result's "report" array lists sections; each type has one
// function, here or in the files before.
// null: a page of the site that is a document
const data = JSON.parse(document.getElementById("data")?.textContent ?? "null");

// {bars: [{label, value, max?, text?, note?}]}; with values below 0 the bars start in the middle of their scale
function barsHtml(bars) {
  const most = Math.max(1, ...bars.map((b) => b.max ?? b.value)),
    least = Math.min(0, ...bars.map((b) => b.value));
  const style = (b) => {
    const share = 100 / ((b.max ?? most) - least);
    return `margin-left:${share * (Math.min(b.value, 0) - least)}%;width:${share * Math.abs(b.value)}%`;
  };
  const words = bars.some((b) => (b.text ?? "").length > 16);
  return (
    `<div class="bars${words ? " words" : ""}">` +
    bars
      .map(
        (b) =>
          `<span>${escape(b.label)}</span><span class="bar"><i style="${style(b)}"></i></span>` +
          `<span class="num ${b.bad ? "bad" : ""}">${b.text === undefined ? number(b.value) : escape(b.text)}</span>` +
          (b.note ? `<span class="why">${escape(b.note)}</span>` : "")
      )
      .join("") +
    `</div>`
  );
}

// Here or in the result: {percent, bins, reached, unreachable, groups: [{name, bins, reached, unreachable, hits}],
// unreached: [name], contradicted: [{bin, justification, hits}], justifications: [{text, bins}]}
function coverageHtml(section, result) {
  const c = section.coverage ?? result.coverage,
    full = c.reached === c.bins;
  const list = (items) =>
    `<ul class="mono">${items
      .slice(0, 200)
      .map((i) => `<li>${escape(i)}</li>`)
      .join("")}</ul>` + (items.length > 200 ? `<p>and ${items.length - 200} more</p>` : "");
  let html =
    `<p><span ` +
    `class="${full ? "good" : "bad"}">${number(c.percent)} %</span>:` +
    ` ${number(c.reached)} of ${number(c.bins)} reachable bins were hit` +
    `${c.unreachable ? `; ${number(c.unreachable)} more cannot be reached, each for a stated reason` : ""}.</p>`;
  html += barsHtml(
    c.groups.map((g) => ({
      label: g.name,
      value: g.reached,
      max: g.bins || 1,
      bad: g.reached < g.bins,
      text:
        `${number(g.reached)} of ${number(g.bins)}, ${number(g.hits)} hits` +
        (g.unreachable ? `, ${number(g.unreachable)} unreachable` : "")
    }))
  );
  if (c.unreached?.length)
    html +=
      `<details ${c.unreached.length <= 20 ? "open" : ""}><summary ` +
      `class="bad">Not reached: ${number(c.unreached.length)}</summary>${list(c.unreached)}</details>`;
  if (c.contradicted?.length) {
    html +=
      `<details open><summary class="bad">Declared unreachable, but hit: ${number(c.contradicted.length)}</summary>` +
      list(c.contradicted.map((x) => `${x.bin}: ${x.hits} hits, declared: ${x.justification}`)) +
      `</details>`;
  }
  if (c.justifications?.length) {
    html +=
      `<details><summary>Why ${number(c.unreachable)} bins cannot be reached</summary><ul>` +
      c.justifications.map((j) => `<li><b>${number(j.bins)}</b> bins: ${escape(j.text)}</li>`).join("") +
      `</ul></details>`;
  }
  return html;
}

// {parts: [name], bars: [{label, start?, values: [one a part]}]}: bars of coloured parts on one scale, each from its
// `start` on
function stackedHtml(section) {
  const sum = (b) => b.values.reduce((x, v) => x + v, 0),
    most = Math.max(1, ...section.bars.map((b) => (b.start ?? 0) + sum(b)));
  const longest = Math.max(...section.bars.map((b) => b.label.length)),
    narrow = innerWidth < 700; // then a label stands above its bar
  const left = narrow ? 0 : Math.min(330, 24 + 6.6 * longest),
    w = narrow ? Math.max(230, innerWidth - 64) : left + 560,
    above = narrow ? 15 : 0,
    row = 24 + above,
    x = (v) => left + (v / most) * (w - left - 60);
  let svg = "";
  section.bars.forEach((b, i) => {
    let at = b.start ?? 0;
    svg +=
      `<text class="small" ` +
      `x="${narrow ? 0 : left - 8}" y="${i * row + (narrow ? 13 : 16)}" ` +
      `text-anchor="${narrow ? "start" : "end"}">${escape(b.label)}</text>`;
    b.values.forEach((v, n) => {
      if (v > 0)
        svg +=
          `<rect ` +
          `x="${x(at)}" y="${i * row + above + 3}" width="${x(at + v) - x(at)}" height="${row - above - 7}" ` +
          `style="fill:${colourOf(n)}">` +
          `<title>${escape(`${b.label}: ${section.parts[n]} ${number(v)}`)}</title></rect>`;
      at += v;
    });
    svg +=
      `<text class="small soft" ` +
      `x="${x(at) + 5}" y="${i * row + above + 16}">${number(b.start === undefined ? sum(b) : at)}</text>`;
  });
  const legend = legendHtml(section.parts.map((name) => name.replaceAll("_", " ")));
  return (
    `<div class="scroll"><svg ` +
    `width="${w}" ` +
    `height="${section.bars.length * row + 6}" viewBox="0 0 ${w} ${section.bars.length * row + 6}" ` +
    `role="img" ` +
    `aria-label="stacked bars">${svg}</svg></div>${legend}`
  );
}

const kinds = {
  text: () => "",
  list: (s) => `<ul>${(s.items ?? []).map((item) => `<li>${escape(item)}</li>`).join("")}</ul>`,
  table: (s) => tableHtml(s.header, s.rows),
  timing: timingHtml,
  waves: wavesHtml,
  bars: (s) => barsHtml(s.bars),
  coverage: coverageHtml,
  lines: linesHtml,
  stacked: stackedHtml,
  scatter: scatterHtml,
  tracks: tracksHtml,
  network: networkHtml,
  dragonfly: dragonflyHtml,
  grid: gridHtml,
  path: pathHtml,
  data: (_, result) => dataHtml(result)
};

function bannerHtml(results) {
  const judged = results.filter((r) => r.verdict),
    failed = judged.filter((r) => r.verdict !== "pass");
  const state =
    judged.length === 0
      ? ""
      : failed.length === 0
        ? "pass"
        : failed.every((r) => r.verdict === "interrupted")
          ? "interrupted"
          : "fail";
  const text = {
    "": "Results",
    pass: "Validated: every check of this run holds",
    fail: `Not validated: ${failed.length} of ${judged.length} checks failed`,
    interrupted: "Interrupted: nothing is shown"
  }[state];
  const lines = judged.map(
    (r) =>
      `<li><b>${escape(r.command)}</b>: <span ` +
      `class="${r.verdict === "pass" ? "good" : "bad"}">${escape(r.verdict)}</span>` +
      `${r.headline ? `, ${escape(r.headline)}` : ""}</li>`
  );
  const problems = judged.flatMap((r) =>
    Object.values(r.levels ?? {})
      .flatMap((l) => l.problems ?? [])
      .concat(r.problems ?? [])
  );
  if (!lines.length && !problems.length) return ""; // nothing was judged
  return (
    `<div class="banner ${state}"><strong>${escape(text)}</strong>` +
    `<ul>${lines.join("")}${problems.map((p) => `<li class="bad">${escape(p)}</li>`).join("")}</ul></div>`
  );
}

const factNames = {
  seed: "seed",
  compared: "transactions compared",
  mismatches: "mismatches",
  rate_transactions_per_s: "transactions a second",
  rate_cycles_per_s: "cycles a second",
  cycles_per_s: "cycles a second",
  cycles: "cycles",
  seconds: "seconds",
  congested_ports: "congested ports",
  failed_links: "failed links"
};
function factsHtml(results) {
  const rows = [];
  for (const r of results) {
    rows.push(r.command_line ? [r.command, "command", r.command_line] : [r.command, "", ""]);
    const network = r.dragonfly?.name ?? r.topology?.name ?? r.topology ?? r.torus ?? r.fat_tree;
    if (r.size) rows.push(["", "size", String(r.size)]);
    else if (typeof network === "string") rows.push(["", "network", network]);
    for (const [name, text] of Object.entries(factNames))
      if (typeof r[name] === "number")
        rows.push(["", text, r[name].toLocaleString("en-US", {maximumFractionDigits: r[name] < 100 ? 3 : 0})]);
    for (const [name, level] of Object.entries(r.levels ?? {}))
      if (level.cycles_per_s)
        rows.push(["", `${name}: cycles a second`, Math.round(level.cycles_per_s).toLocaleString("en-US")]);
    for (const [name, value] of Object.entries(r.facts ?? {}))
      rows.push(["", name, typeof value === "number" ? value.toLocaleString("en-US") : String(value)]);
  }
  return (
    `<div class="scroll"><table class="facts">` +
    `<tbody>` +
    rows
      .map(
        (r) =>
          `<tr><td><b>${escape(r[0])}</b></td><td class="muted">${escape(r[1])}</td>` +
          `<td class="mono">${escape(r[2])}</td></tr>`
      )
      .join("") +
    `</tbody>` +
    `</table></div>`
  );
}

const mostFlat = 400; // values of a result that brings no sections
const shownElsewhere = new Set([
  "command",
  "command_line",
  "version",
  "verdict",
  "headline",
  "report",
  "facts",
  "problems",
  "file",
  "day"
]); // banner, run facts
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const inWords = (path) => path.replaceAll("_", " ").replaceAll(".", ", ");

/** Single values of anything with their paths. */
function flat(value, path = "") {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key));
  if (Array.isArray(value) && value.some((v) => typeof v === "object" && v !== null))
    return [[path, value.length ? JSON.stringify(value).slice(0, 80) : "-"]];
  return [[path, Array.isArray(value) ? value.join(", ") || "-" : value === "" ? "-" : (value ?? "-")]];
}

/** Objects with much the same values as one table: [name, object]; a row each, or a column each where they have
    many values. */
function besideHtml(title, named) {
  const flats = named.map(([name, value]) => [name, new Map(flat(value))]),
    paths = [...new Set(flats.flatMap(([, values]) => [...values.keys()]))];
  const across = paths.length > 8 && named.length <= 8,
    cell = (values, path) => values.get(path) ?? "";
  const table = across
    ? tableHtml(
        ["", ...named.map(([name]) => inWords(name))],
        paths.map((path) => [inWords(path), ...flats.map(([, values]) => cell(values, path))])
      )
    : tableHtml(
        ["", ...paths.map(inWords)],
        flats.map(([name, values]) => [inWords(name), ...paths.map((path) => cell(values, path))])
      );
  return `<h3>${escape(inWords(title))}</h3>${table}`;
}

/** Whether objects have most of their values in common. */
function alike(objects) {
  const keys = objects.map((value) => flat(value).map(([path]) => path)),
    all = new Set(keys.flat());
  return objects.length > 1 && keys.flat().length > 0.6 * all.size * objects.length;
}

/** All of a result: its single values, and what is alike as tables. */
function dataHtml(result) {
  const rows = [],
    tables = [];
  const walk = (value, path) => {
    if (Array.isArray(value) && value.length && value.every(isObject)) {
      tables.push(
        besideHtml(
          path,
          value.map((v, i) => [`${i + 1}`, v])
        )
      );
    } else if (isObject(value)) {
      const inner = Object.entries(value).filter(([key]) => path || !shownElsewhere.has(key)),
        objects = inner.filter(([, v]) => isObject(v));
      const together = alike(objects.map(([, v]) => v)) ? objects : [];
      for (const [key, v] of inner)
        if (!together.some(([name]) => name === key)) walk(v, path ? `${path}.${key}` : key);
      if (together.length) tables.push(besideHtml(path || "values", together));
    } else rows.push(...flat(value, path).map(([name, v]) => [inWords(name), v]));
  };
  walk(result, "");
  const more = rows.length > mostFlat ? `<p>The first ${mostFlat} of ${number(rows.length)} values.</p>` : "";
  return more + tableHtml(["what", "value"], rows.slice(0, mostFlat), true) + tables.join("");
}

function bodyHtml(section, result) {
  try {
    return kinds[section.type]
      ? kinds[section.type](section, result)
      : `<p class="bad">unknown section type ${escape(section.type)}</p>`;
  } catch (error) {
    return `<p class="bad">this section cannot be drawn: ${escape(error.message)}</p>`;
  }
}

// What is cut off at this width can be scrolled with the keyboard.
const boxes = new ResizeObserver((entries) => {
  for (const {target: box} of entries) {
    if (box.scrollWidth > box.clientWidth)
      Object.assign(box, {tabIndex: 0, role: "group", ariaLabel: "scrolls sideways"});
    else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
});

/** Starts what has been put into `part`. */
function start(part) {
  diagrams.splice(0).forEach(startDiagram);
  charts.splice(0).forEach(startChart);
  players.splice(0).forEach(startPlayer);
  timelines.splice(0).forEach(startTimeline);
  dressTables(part);
  for (const box of part.querySelectorAll(".scroll, pre")) boxes.observe(box);
  // what matters is at its end
  for (const box of part.querySelectorAll(".scroll.end")) box.scrollLeft = box.scrollWidth;
}

// Large data lies in a file beside the page, which calls arrived(), and comes when its section is near. It is a script:
// a result that names another file would run what it likes.
const later = new Map();
const laidBeside = /^data\/[\w-]+\.js$/; // as docs/site/build.py calls them
const isLater = (section) => laidBeside.test(section.file ?? "");
function arrived(file, section) {
  const {place, result} = later.get(file);
  later.delete(file);
  place.innerHTML = bodyHtml(section, result);
  start(place);
}
function fetchLater(file) {
  if (later.get(file).asked) return;
  later.get(file).asked = true;
  const script = element("script", {src: file}, document.body);
  script.addEventListener(
    "error",
    () => (later.get(file).place.innerHTML = `<p class="bad">${escape(file)} is not beside this page.</p>`)
  );
}
const near = new IntersectionObserver(
  (entries) =>
    entries
      .filter((e) => e.isIntersecting)
      .forEach((e) => later.has(e.target.dataset.file) && fetchLater(e.target.dataset.file)),
  {rootMargin: "600px"}
);
addEventListener("beforeprint", () => [...later.keys()].forEach(fetchLater));

const longContents = 12; // links that are folded on a narrow page
function contentsHtml(links) {
  const list = `<nav aria-label="On this page">${links.join("")}</nav>`;
  return links.length <= longContents
    ? list
    : `<details class="contents"${innerWidth < 700 ? "" : " open"}>` +
        `<summary>On this page: ${links.length} parts</summary>${list}</details>`;
}

/** Titles that differ: those of several sections say whose they are, as briefly as it takes. */
function titlesOf(sections) {
  const words = [
    ({section}) => section.title,
    ({result}) => result.block ?? result.command,
    ({result}) =>
      String((result.plant ? `planted bug ${result.plant}` : (result.size ?? result.dragonfly?.name)) ?? ""),
    ({result}) => String(result.file ?? `result ${data.results.indexOf(result) + 1}`)
  ];
  const titles = sections.map(() => "");
  words.forEach((word) => {
    const before = [...titles],
      said = sections.map(word);
    sections.forEach((_, i) => {
      const differ = new Set(said.filter((_, n) => before[n] === before[i])).size > 1;
      if (!before[i]) titles[i] = said[i];
      else if (differ && said[i] && !before[i].includes(said[i])) titles[i] += `: ${said[i]}`;
    });
  });
  return titles;
}

function page() {
  const own = (result) =>
    result.report?.length || data.bare
      ? (result.report ?? [])
      : [{type: "data", title: `What odonata ${result.command} found`}];
  const sections = data.results.flatMap((result) => own(result).map((section) => ({section, result})));
  const links = [],
    parts = [];
  const titles = titlesOf(sections);
  sections.forEach(({section, result}, i) => {
    const title = titles[i];
    const body = isLater(section)
      ? `<div class="later" data-file="${escape(section.file)}"><p>${escape(section.file)} holds its data.</p></div>`
      : bodyHtml(section, result);
    links.push(`<a href="#s${i}">${escape(title)}</a>`);
    parts.push(
      `<section id="s${i}">` +
        `<h2>${escape(title)}</h2>${section.text ? `<p>${escape(section.text)}</p>` : ""}${body}</section>`
    );
  });
  const all = document.getElementById("page");
  if (data.bare) {
    // charts inside a document, which has its own title
    all.innerHTML = parts.join("");
  } else {
    links.push(`<a href="#facts">Run facts</a>`);
    parts.push(
      `<section id="facts"><h2>Run facts</h2>` +
        `<p>The same command with the same seed gives the same result.</p>${factsHtml(data.results)}</section>`
    );
    all.innerHTML = `<h1>${escape(data.title)}</h1>${bannerHtml(data.results)}${contentsHtml(links)}${parts.join("")}`;
  }
  for (const {section, result} of sections.filter(({section}) => isLater(section))) {
    const place = all.querySelector(`[data-file="${section.file}"]`);
    later.set(section.file, {place, result});
    near.observe(place);
  }
}
if (data) page();
start(document);
