// SPDX-License-Identifier: Apache-2.0
"use strict";
// Cycles side by side, drawn by WaveDrom (npm, docs/site/package.json): what is in a pipeline, what pins carried.
// Without it they are tables.
const diagrams = [];
let diagramsMade = 0;
const plain = (text) => String(text).replace(/[<>&]/g, " "); // WaveDrom reads marks in its labels

/** WaveDrom's own style in the colours of the page: it has to be inside the drawing, because its cells are copies
    that no outer rule reaches. */
function dressSkin() {
  const fills = {5: "var(--card)", 6: "var(--ink)", 7: "var(--card)", 14: "var(--bad-soft)"};
  for (let n = 0; n < 6; ++n) fills[8 + n] = `hsl(${hue(n)},60%,var(--fill))`;
  const style = WaveSkin.default.find((part) => part[0] === "style");
  style[2] = style[2]
    .replace(/(^|})(text|\.h\d){[^}]*}/g, "$1")
    .replaceAll("stroke:#000", "stroke:var(--soft)")
    .replace("#aaa", "var(--soft)")
    .replace("#0041c4", "var(--ink)")
    .replace(/\.s(\d+){[^}]*}/g, (rule, n) => (fills[n] ? rule.replace(/fill:#[0-9a-f]+/, `fill:${fills[n]}`) : rule));
}

/** One diagram: lanes [{name, cells: [{symbol, label}]}], from cycle `first` on. The symbol "." goes on with the
    cell before. */
function diagramHtml(lanes, first, label, table) {
  const library = typeof WaveDrom !== "undefined" && typeof WaveSkin !== "undefined";
  if (!library) return valuesHtml(...table, false);
  const id = diagramsMade++,
    longest = Math.max(
      1,
      ...lanes.flatMap((l) =>
        l.cells.map((c, i) => {
          let end = i + 1;
          while (end < l.cells.length && l.cells[end].symbol === ".") ++end;
          return (c.label ?? "").length / (end - i);
        })
      )
    );
  const signal = lanes.map((l) => ({
    name: plain(l.name),
    wave: l.cells.map((c) => c.symbol).join(""),
    data: l.cells.flatMap((c) => (c.label === undefined ? [] : [plain(c.label)]))
  }));
  diagrams.push({
    id,
    label,
    source: {
      signal,
      head: {tock: String(first)}, // as a text: a list of two numbers would be read as start and step
      config: {hscale: Math.min(3, Math.max(1, Math.ceil((longest * 7.6 + 8) / 40)))}
    }
  });
  return `<div class="scroll cycles"><div id="cycles${id}"></div></div>${valuesHtml(...table, true)}`;
}

function startDiagram({id, label, source}) {
  if (id === 0) dressSkin();
  WaveDrom.RenderWaveForm(id, source, "cycles", id > 0);
  const svg = document.querySelector(`#cycles${id} svg`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  keepNames(svg, svg.closest(".scroll"));
}

/** The names of the lanes stay where they are when the drawing is scrolled sideways. */
function keepNames(svg, box) {
  const lanes = svg.querySelector("[id^=lanes_]"),
    wide = lanes.transform.baseVal.consolidate().matrix.e,
    kept = [];
  for (const name of lanes.querySelectorAll("[id^=wavelane_] > text.info")) {
    const lane = name.parentNode,
      group = document.createElementNS(svg.namespaceURI, "g");
    group.setAttribute("class", "name");
    group.innerHTML = `<path d="M${-wide} -5h${wide - 1}v30H${-wide}z"/>`;
    group.append(name);
    lane.append(group);
    kept.push(group);
  }
  box.addEventListener("scroll", () =>
    kept.forEach((group) => group.setAttribute("transform", `translate(${box.scrollLeft} 0)`))
  );
}

/* {lanes: [{name, cells: [null | {text, kind: pin|stage|write|wait|ack, number}]}]}: what is where in a pipeline, a
   colour a request */
function timingHtml(section) {
  const symbol = (cell) =>
    !cell
      ? "z"
      : cell.kind === "wait"
        ? "x"
        : cell.kind === "write" || cell.kind === "ack"
          ? "2"
          : String(3 + ((cell.number ?? 0) % 6));
  const lanes = section.lanes.map((l) => ({
    name: l.name,
    cells: l.cells.map((c) => ({symbol: symbol(c), label: c && c.kind !== "wait" ? c.text : undefined}))
  }));
  const cycles = Math.max(...section.lanes.map((l) => l.cells.length));
  const table = [
    ["", ...Array.from({length: cycles}, (_, c) => `${c}`)],
    section.lanes.map((l) => [l.name, ...l.cells.map((c) => (!c ? "" : c.kind === "wait" ? "waits" : c.text))])
  ];
  return (
    diagramHtml(lanes, 0, `timing diagram of ${section.lanes.length} stages over ${cycles} cycles`, table) +
    `<p>Columns are clock cycles, from one rising edge to the next; each request keeps its colour, ` +
    `hatched cells wait. A request seen in cycle c at the pins is sampled by the edge that ends c.</p>`
  );
}

/* {first, lanes: [{name, bits?, values: [hex], got?: [hex]}], reasons?: [text]}: inputs have a width; `got` is what
   a device gave instead */
function wavesHtml(section) {
  const cut = (text) => (text.length > 16 ? `${text.slice(0, 15)}…` : text);
  const rows = section.lanes.flatMap((l) =>
    l.got
      ? [
          {...l, what: ", right"},
          {...l, what: ", got", values: l.got, other: l.values}
        ]
      : [l]
  );
  const lanes = rows.map((lane) => {
    const wrong = (c) => lane.other !== undefined && lane.other[c] !== lane.values[c];
    const cells = lane.values.map((value, c) => {
      if (c > 0 && lane.values[c - 1] === value && wrong(c - 1) === wrong(c)) return {symbol: "."};
      return lane.bits === 1 ? {symbol: value === "0" ? "0" : "1"} : {symbol: wrong(c) ? "9" : "2", label: cut(value)};
    });
    return {name: lane.name + (lane.what ?? ""), cells};
  });
  const count = Math.max(...section.lanes.map((l) => l.values.length)),
    header = ["", ...Array.from({length: count}, (_, c) => `${section.first + c}`)];
  const why = section.reasons?.length
    ? `<p>What is right, and why:</p>` +
      `<ol class="why">${section.reasons.map((r) => `<li>${escape(r)}</li>`).join("")}</ol>`
    : "";
  return (
    diagramHtml(lanes, section.first, "waveform of the last cycles before a mismatch", [
      header,
      rows.map((l) => [l.name + (l.what ?? ""), ...l.values])
    ]).replace("scroll cycles", "scroll end cycles") +
    `<p>Values are hexadecimal, in the cycle in which they are at the pins; ` +
    `red: the device gave something else than the reference. ` +
    `Lanes that do not change are left out.</p>${why}`
  );
}
