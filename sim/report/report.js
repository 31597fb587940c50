// SPDX-License-Identifier: Apache-2.0
"use strict";
// Draws the page from the JSON in the element "data". A result's "report" array lists sections; each type has one function below.
const data = JSON.parse(document.getElementById("data")?.textContent ?? "null");  // null: a page of the site that is a document
const escape = (text) => String(text ?? "").replace(/[&<>"]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[c]));
const number = (value) => typeof value !== "number" ? escape(value)
  : Number.isInteger(value) ? value.toLocaleString("en-US") : value.toLocaleString("en-US", {maximumSignificantDigits: 4});
const hue = (n) => (198 + 137.5 * n) % 360;  // the golden angle: neighbours differ, and the first eight are 30 degrees apart
const fill = (n) => `style="fill:hsl(${hue(n)},60%,var(--fill));stroke:hsl(${hue(n)},55%,var(--stroke))"`;
let serial = 0;

const looksNumeric = (cell) => /^[\d.,% +-]+$/.test(String(cell));
const cellClass = (cell) => /^pass$/i.test(cell) ? "good" : /^fail$/i.test(cell) ? "bad" : "";
function tableHtml(header, rows) {
  const numeric = header.map((_, c) => 2 * rows.filter((r) => looksNumeric(r[c] ?? "")).length > rows.length);
  const head = header.map((h, c) => `<th class="${numeric[c] ? "num" : ""}">${escape(h)}</th>`).join("");
  const body = rows.map((r) => "<tr>" + r.map((v, c) => `<td class="${(numeric[c] ? "num " : "") + cellClass(String(v))}">${number(v)}</td>`).join("") + "</tr>");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

// {lanes: [{name, cells: [null | {text, kind: pin|stage|write|wait|ack, number}]}]}
function timingHtml(section) {
  const left = 150, w = 36, h = 34, top = 26;
  const lanes = section.lanes, cycles = Math.max(...lanes.map((l) => l.cells.length));
  const hatch = `hatch${++serial}`;
  let svg = `<defs><pattern id="${hatch}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
            `<rect width="7" height="7" class="band"/><line x1="0" y1="0" x2="0" y2="7" stroke="var(--idle)" stroke-width="3"/></pattern></defs>`;
  lanes.forEach((lane, l) => {
    const y = top + l * h;
    if (l % 2 === 0) svg += `<rect class="band" x="0" y="${y}" width="${left + cycles * w}" height="${h}" opacity=".55"/>`;
    svg += `<text x="8" y="${y + 21}">${escape(lane.name)}</text>`;
  });
  for (let c = 0; c <= cycles; ++c) {
    const x = left + c * w;
    svg += `<line class="grid" x1="${x}" y1="${top}" x2="${x}" y2="${top + lanes.length * h}"/>`;
    if (c < cycles) svg += `<text class="small soft" x="${x + w / 2}" y="17" text-anchor="middle">${c}</text>`;
  }
  lanes.forEach((lane, l) => lane.cells.forEach((cell, c) => {
    if (!cell) return;
    const x = left + c * w + 2, y = top + l * h + 5;
    const paint = cell.kind === "wait" ? `fill="url(#${hatch})" stroke="var(--idle)"`
      : cell.kind === "write" || cell.kind === "ack" ? `fill="var(--card)" stroke="var(--accent)" stroke-width="2"` : fill(cell.number);
    const dash = cell.kind === "pin" ? `stroke-dasharray="3 2"` : "";
    const halo = cell.kind === "wait" ? "halo" : "";
    svg += `<g><title>${escape(`${lane.name}, cycle ${c}: ${cell.text} ${cell.kind}`)}</title><rect x="${x}" y="${y}" width="${w - 4}" height="${h - 10}" rx="4" ${paint} ${dash}/>` +
           `<text class="small strong ${halo}" x="${x + w / 2 - 2}" y="${y + 16}" text-anchor="middle">${escape(cell.text)}</text></g>`;
  }));
  const width = left + cycles * w + 4, height = top + lanes.length * h + 4;
  return `<div class="scroll"><svg width="${width}" height="${height}" role="img" aria-label="timing diagram">${svg}</svg></div>` +
         `<p>Columns are clock cycles, from one rising edge to the next. Dashed cells: at the pins. A request seen in cycle c at the pins is sampled by the edge that ends c.</p>`;
}

// {first, lanes: [{name, bits?, values: [hex], got?: [hex]}], reasons?: [text]}: inputs have a width; `got` is what a device gave instead
function wavesHtml(section) {
  const left = 200, w = 44, h = 30, top = 24, count = Math.max(...section.lanes.map((l) => l.values.length));
  const rows = section.lanes.flatMap((l) => l.got ? [{...l, what: ", right"}, {...l, what: ", got", values: l.got, other: l.values}] : [l]);
  let svg = "";
  for (let c = 0; c < count; ++c) {
    const x = left + c * w;
    svg += `<line class="grid" x1="${x}" y1="${top}" x2="${x}" y2="${top + rows.length * h}"/><text class="small soft" x="${x + w / 2}" y="16" text-anchor="middle">${section.first + c}</text>`;
  }
  rows.forEach((lane, l) => {
    const y = top + l * h, low = y + h - 7, high = y + 6, cut = (text, most) => text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
    svg += `<text x="${left - 8}" y="${y + 19}" text-anchor="end">${escape(cut(lane.name, lane.what ? 18 : 25) + (lane.what ?? ""))}<title>${escape(lane.name)}</title></text>`;
    const bad = (c) => lane.other && lane.other[c] !== lane.values[c], bit = lane.bits === 1, line = [];
    for (let c = 0; c < count;) {
      let end = c + 1;
      while (end < count && lane.values[end] === lane.values[c] && bad(end) === bad(c)) ++end;
      const x1 = left + c * w, x2 = left + end * w, value = lane.values[c], said = `<title>${escape(`${lane.name}, cycle ${section.first + c}${end > c + 1 ? ` to ${section.first + end - 1}` : ""}: ${value}`)}</title>`;
      if (bit) line.push(`${x1} ${value === "0" ? low : high}H${x2}`);
      else {
        svg += `<g>${said}<path class="bus${bad(c) ? " wrong" : ""}" d="M${x1 + 4} ${high}H${x2 - 4}L${x2} ${(low + high) / 2}L${x2 - 4} ${low}H${x1 + 4}L${x1} ${(low + high) / 2}z"/>` +
          `<text class="small${bad(c) ? " strong" : ""}" x="${(x1 + x2) / 2}" y="${y + 19}" text-anchor="middle">${escape(cut(value, Math.floor((x2 - x1 - 10) / 7)))}</text></g>`;
      }
      c = end;
    }
    if (bit) svg += `<path class="bit" d="M${line.join("L")}"><title>${escape(lane.name)}</title></path>`;
  });
  const why = section.reasons?.length ? `<p>What is right, and why:</p><ol class="why">${section.reasons.map((r) => `<li>${escape(r)}</li>`).join("")}</ol>` : "";
  return `<div class="scroll end"><svg width="${left + count * w + 4}" height="${top + rows.length * h + 4}" role="img" aria-label="waveform of the last cycles before a mismatch">${svg}</svg></div>` +
    `<p>Values are hexadecimal, in the cycle in which they are at the pins; red: the device gave something else than the reference. Lanes that do not change are left out.</p>${why}`;
}

// {bars: [{label, value, max?, text?, note?}]}; with values below 0 the bars start in the middle of their scale
function barsHtml(bars) {
  const most = Math.max(1, ...bars.map((b) => b.max ?? b.value)), least = Math.min(0, ...bars.map((b) => b.value));
  const style = (b) => {
    const share = 100 / ((b.max ?? most) - least);
    return `margin-left:${share * (Math.min(b.value, 0) - least)}%;width:${share * Math.abs(b.value)}%`;
  };
  return `<div class="bars">` + bars.map((b) => `<span>${escape(b.label)}</span><span class="bar"><i style="${style(b)}"></i></span>` +
    `<span class="num ${b.bad ? "bad" : ""}">${b.text === undefined ? number(b.value) : escape(b.text)}</span>` + (b.note ? `<span class="why">${escape(b.note)}</span>` : "")).join("") + `</div>`;
}

// Here or in the result: {percent, bins, reached, unreachable, groups: [{name, bins, reached, unreachable, hits}],
// unreached: [name], contradicted: [{bin, justification, hits}], justifications: [{text, bins}]}
function coverageHtml(section, result) {
  const c = section.coverage ?? result.coverage, full = c.reached === c.bins;
  const list = (items) => `<ul class="mono">${items.slice(0, 200).map((i) => `<li>${escape(i)}</li>`).join("")}</ul>` + (items.length > 200 ? `<p>and ${items.length - 200} more</p>` : "");
  let html = `<p><span class="${full ? "good" : "bad"}">${number(c.percent)} %</span>: ${number(c.reached)} of ${number(c.bins)} reachable bins were hit` +
             `${c.unreachable ? `; ${number(c.unreachable)} more cannot be reached, each for a stated reason` : ""}.</p>`;
  html += barsHtml(c.groups.map((g) => ({label: g.name, value: g.reached, max: g.bins || 1, bad: g.reached < g.bins,
    text: `${number(g.reached)} of ${number(g.bins)}, ${number(g.hits)} hits` + (g.unreachable ? `, ${number(g.unreachable)} unreachable` : "")})));
  if (c.unreached?.length) html += `<details ${c.unreached.length <= 20 ? "open" : ""}><summary class="bad">Not reached: ${number(c.unreached.length)}</summary>${list(c.unreached)}</details>`;
  if (c.contradicted?.length) {
    html += `<details open><summary class="bad">Declared unreachable, but hit: ${number(c.contradicted.length)}</summary>` +
            list(c.contradicted.map((x) => `${x.bin}: ${x.hits} hits, declared: ${x.justification}`)) + `</details>`;
  }
  if (c.justifications?.length) {
    html += `<details><summary>Why ${number(c.unreachable)} bins cannot be reached</summary><ul>` +
            c.justifications.map((j) => `<li><b>${number(j.bins)}</b> bins: ${escape(j.text)}</li>`).join("") + `</ul></details>`;
  }
  return html;
}

// Round values from a to b, four to eight of them.
function ticks(a, b) {
  const power = Math.pow(10, Math.floor(Math.log10((b - a) / 4 || 1))), step = power * ([1, 2, 5].find((m) => (b - a) / (m * power) <= 8) ?? 10);
  return Array.from({length: Math.floor(b / step + 1e-9) - Math.ceil(a / step - 1e-9) + 1}, (_, i) => +((Math.ceil(a / step - 1e-9) + i) * step).toPrecision(12));
}

// {x_label, y_label, y_max?, log?, tight?, series: [{name, points: [[x, y, spread?], ...], marks?, like?}]}; marks: single points, in the colour of series `like`; log: the y axis is logarithmic; tight: it spans the values, but for the
// hundredth part that is smallest (a network that fills), and does not begin at 0
function linesHtml(section) {
  const w = 860, h = 320, left = 70, bottom = 46, top = 14, right = 20;
  const points = section.series.flatMap((s) => s.points);
  const x1 = Math.max(...points.map((p) => p[0])), x0 = Math.min(0, ...points.map((p) => p[0])), top1 = Math.max(...points.map((p) => p[1]));
  const low = section.tight ? points.map((p) => p[1]).sort((a, b) => a - b)[Math.floor(points.length / 100)] : 0, margin = 0.05 * (top1 - low);
  const y1 = section.y_max ?? top1 + margin;
  const y0 = section.log ? Math.min(y1 / 10, ...points.map((p) => p[1]).filter((v) => v > 0)) : section.tight ? Math.max(0, low - margin) : 0;
  const height = section.log ? (v) => Math.log(v / y0) / Math.log(y1 / y0) : (v) => (v - y0) / (y1 - y0 || 1);  // 0..1
  const x = (v) => left + (v - x0) / (x1 - x0 || 1) * (w - left - right), y = (v) => h - bottom - height(Math.max(Math.min(v, y1), y0)) * (h - bottom - top);
  let svg = "";
  const rounded = [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((e) => [1, 2, 5].map((m) => m * Math.pow(10, e))).filter((v) => v >= y0 && v <= y1);
  for (const gx of ticks(x0, x1)) {
    svg += `<line class="grid" x1="${x(gx)}" x2="${x(gx)}" y1="${top}" y2="${h - bottom}"/><text class="small soft" text-anchor="middle" x="${x(gx)}" y="${h - bottom + 16}">${number(gx)}</text>`;
  }
  for (const gy of section.log ? rounded : ticks(y0, y1)) {
    svg += `<line class="grid" y1="${y(gy)}" y2="${y(gy)}" x1="${left}" x2="${w - right}"/><text class="small soft" text-anchor="end" x="${left - 6}" y="${y(gy) + 4}">${number(gy)}</text>`;
  }
  section.series.forEach((s, n) => {
    const colour = `hsl(${hue(n)},60%,var(--stroke))`;
    if (s.marks) {  // published values: crosses in the colour of the curve that they belong to
      const of = `hsl(${hue(s.like ?? n)},60%,var(--stroke))`;
      svg += s.points.map((p) => `<path style="stroke:${of};stroke-width:3" d="M${x(p[0]) - 6} ${y(p[1]) - 6}l12 12m0-12l-12 12"><title>${escape(s.name)}: ${number(p[0])}, ${number(p[1])}</title></path>`).join("");
      return;
    }
    svg += s.points.filter((p) => p[2] > 0).map((p) => `<path style="stroke:${colour}" d="M${x(p[0])} ${y(p[1] - p[2])}V${y(p[1] + p[2])}m-4 0h8"/>`).join("");
    svg += `<polyline fill="none" stroke-width="${s.points.length > 100 ? 1.2 : 2.5}" style="stroke:${colour}" points="${s.points.map((p) => `${x(p[0])},${y(p[1])}`).join(" ")}"/>`;
    if (s.points.length <= 100) svg += s.points.map((p) => `<circle r="3" cx="${x(p[0])}" cy="${y(p[1])}" style="fill:${colour}"><title>${escape(s.name)}: ${number(p[0])}, ${number(p[1])}</title></circle>`).join("");
  });
  svg += `<text class="small" text-anchor="middle" x="${(left + w) / 2}" y="${h - 8}">${escape(section.x_label)}</text><text class="small" transform="translate(14 ${h / 2}) rotate(-90)" text-anchor="middle">${escape(section.y_label)}</text>`;
  const legend = section.series.map((s, n) => `<span><b style="color:hsl(${hue(s.like ?? n)},60%,var(--stroke))">${s.marks ? "✕" : "━"}</b> ${escape(s.name)}</span>`).join(" &nbsp; ");
  return `<div class="scroll"><svg class="chart" viewBox="0 0 ${w} ${h}" role="img" aria-label="chart of ${escape(section.y_label)}">${svg}</svg></div><p>${legend}</p>`;
}

// {parts: [name], bars: [{label, start?, values: [one a part]}]}: bars of coloured parts on one scale, each from its `start` on
function stackedHtml(section) {
  const sum = (b) => b.values.reduce((x, v) => x + v, 0), most = Math.max(1, ...section.bars.map((b) => (b.start ?? 0) + sum(b)));
  const colour = (n) => `hsl(${hue(n)},60%,var(--stroke))`, left = 330, w = 960, row = 24, x = (v) => left + v / most * (w - left - 80);
  let svg = "";
  section.bars.forEach((b, i) => {
    let at = b.start ?? 0;
    svg += `<text class="small" x="${left - 8}" y="${i * row + 16}" text-anchor="end">${escape(b.label)}</text>`;
    b.values.forEach((v, n) => {
      if (v > 0) svg += `<rect x="${x(at)}" y="${i * row + 3}" width="${x(at + v) - x(at)}" height="${row - 7}" style="fill:${colour(n)}"><title>${escape(`${b.label}: ${section.parts[n]} ${number(v)}`)}</title></rect>`;
      at += v;
    });
    svg += `<text class="small soft" x="${x(at) + 5}" y="${i * row + 16}">${number(b.start === undefined ? sum(b) : at)}</text>`;
  });
  const legend = section.parts.map((name, n) => `<span><b style="color:${colour(n)}">■</b> ${escape(name.replaceAll("_", " "))}</span>`).join(" &nbsp; ");
  return `<div class="scroll"><svg width="${w}" height="${section.bars.length * row + 6}" role="img" aria-label="stacked bars">${svg}</svg></div><p>${legend}</p>`;
}

// {x_label, y_label, points: [{x, y, name, front}]}: `front` points are filled and joined
function scatterHtml(section) {
  const w = 860, h = 360, left = 70, bottom = 46, top = 14, right = 20, points = section.points;
  if (points.length === 0) return `<p>No design has a known cost at this size.</p>`;
  const x1 = 1.05 * Math.max(...points.map((p) => p.x)), y1 = 1.05 * Math.max(...points.map((p) => p.y));
  const x = (v) => left + v / x1 * (w - left - right), y = (v) => h - bottom - v / y1 * (h - bottom - top);
  let svg = "";
  for (const gx of ticks(0, x1)) svg += `<line class="grid" x1="${x(gx)}" x2="${x(gx)}" y1="${top}" y2="${h - bottom}"/><text class="small soft" text-anchor="middle" x="${x(gx)}" y="${h - bottom + 16}">${number(gx)}</text>`;
  for (const gy of ticks(0, y1)) svg += `<line class="grid" y1="${y(gy)}" y2="${y(gy)}" x1="${left}" x2="${w - right}"/><text class="small soft" text-anchor="end" x="${left - 6}" y="${y(gy) + 4}">${number(gy)}</text>`;
  const front = points.filter((p) => p.front).sort((p, q) => p.x - q.x), colour = `hsl(${hue(0)},60%,var(--stroke))`;
  svg += `<polyline fill="none" stroke-width="1.5" style="stroke:${colour}" points="${front.map((p) => `${x(p.x)},${y(p.y)}`).join(" ")}"/>`;
  for (const p of points) svg += `<circle r="5" cx="${x(p.x)}" cy="${y(p.y)}" style="fill:${p.front ? colour : "none"};stroke:${colour}"><title>${escape(`${p.name}: ${number(p.x)}, ${number(p.y)}`)}</title></circle>`;
  svg += `<text class="small" text-anchor="middle" x="${(left + w) / 2}" y="${h - 8}">${escape(section.x_label)}</text><text class="small" transform="translate(14 ${h / 2}) rotate(-90)" text-anchor="middle">${escape(section.y_label)}</text>`;
  return `<div class="scroll"><svg width="${w}" height="${h}" role="img" aria-label="scatter plot">${svg}</svg></div>`;
}

// The result of `odonata route`.
function pathHtml(section, route) {
  const key = (r) => `g${r.gid}.r${r.bid}`;
  const groups = [], place = new Map();
  const visit = (r) => {
    let g = groups.find((x) => x.gid === r.gid);
    if (!g) groups.push(g = {gid: r.gid, routers: []});
    if (!g.routers.some((x) => key(x) === key(r))) g.routers.push(r);
  };
  route.hops.forEach((hop) => visit(hop.router));
  (route.minimal_path ?? []).forEach(visit);
  const gap = 170, boxW = 196, left = 70, top = 40, step = 92, pillW = 84, pillH = 30;
  const rows = Math.max(...groups.map((g) => g.routers.length)), bottom = top + 34 + rows * step;
  groups.forEach((g, c) => {
    g.x = left + c * (boxW + gap);
    g.routers.forEach((r, i) => place.set(key(r), {x: g.x + 18, y: top + 42 + i * step, column: c}));
  });
  const width = left + groups.length * (boxW + gap) - gap + 70, height = bottom + 56;
  let svg = "", labels = "";
  for (const g of groups) {
    const role = g.gid === route.from.gid ? "source group" : g.gid === route.to.gid ? "destination group" : "intermediate group";
    svg += `<rect class="box" x="${g.x}" y="${top}" width="${boxW}" height="${bottom - top}" rx="12"/><text class="strong" x="${g.x + 2}" y="${top - 22}">group ${g.gid}</text><text class="small soft" x="${g.x + 2}" y="${top - 7}">${role}</text>`;
  }
  function link(from, to, kind, label) {
    const a = place.get(key(from)), b = place.get(key(to));
    let d, lx, ly, anchor = "middle";
    if (a.column === b.column) {
      const down = b.y > a.y, far = Math.abs(b.y - a.y) > step + 1, x = a.x + 34 + (kind === "minimal" ? -14 : 0), bend = far ? 60 : 0;
      const y1 = down ? a.y + pillH : a.y, y2 = down ? b.y - 3 : b.y + pillH + 3;
      d = `M${x} ${y1} C${x - bend} ${y1 + (y2 - y1) / 3} ${x - bend} ${y1 + 2 * (y2 - y1) / 3} ${x} ${y2}`;
      [lx, ly, anchor] = [x + 10, (y1 + y2) / 2 + 4, "start"];
    } else {
      const forward = b.column > a.column, x1 = forward ? a.x + pillW : a.x, x2 = forward ? b.x - 4 : b.x + pillW + 4, y1 = a.y + pillH / 2, y2 = b.y + pillH / 2;
      const detour = Math.abs(b.column - a.column) > 1 ? bottom + 40 : null, bend = (x2 - x1) / 2;
      d = detour ? `M${x1} ${y1} C${x1 + bend * .45} ${detour + 30} ${x2 - bend * .45} ${detour + 30} ${x2} ${y2}` : `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      [lx, ly] = detour ? [(x1 + x2) / 2, bottom + 38] : [groups[Math.min(a.column, b.column)].x + boxW + gap / 2, (y1 + y2) / 2 - 8];
    }
    svg += `<path class="${kind}" d="${d}" ${kind === "taken" ? `marker-end="url(#tip)"` : ""}/>`;
    if (label) labels += `<text class="small halo ${kind === "minimal" ? "soft" : ""}" x="${lx}" y="${ly}" text-anchor="${anchor}">${escape(label)}</text>`;
  }
  svg = `<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>` + svg;
  const taken = new Set(route.hops.slice(1).map((hop, i) => key(route.hops[i].router) + key(hop.router)));
  const minimal = route.minimal_path ?? [];
  minimal.slice(1).forEach((r, i) => {
    const global = r.gid !== minimal[i].gid;
    if (!taken.has(key(minimal[i]) + key(r))) link(minimal[i], r, "minimal", global ? "minimal path, not taken" : "");
  });
  route.hops.slice(0, -1).forEach((hop, i) => {
    if (hop.winner?.to) link(hop.router, route.hops[i + 1].router, "taken", `${hop.hop_class} · port ${hop.winner.port} · VC ${hop.winner.vc}`);
  });
  for (const [name, at] of place) {
    const on = route.hops.some((hop) => key(hop.router) === name);
    svg += `<rect class="node ${on ? "on" : ""}" x="${at.x}" y="${at.y}" width="${pillW}" height="${pillH}" rx="15"/><text class="${on ? "strong" : "soft"}" x="${at.x + pillW / 2}" y="${at.y + 20}" text-anchor="middle">${name}</text>`;
  }
  const first = place.get(key(route.from)), last = place.get(key(route.hops.at(-1).router));
  const end = route.outcome === "delivered" ? `node ${route.to.nid}` : route.outcome.replaceAll("_", " ");
  svg += `<path class="taken" d="M${first.x - 24} ${first.y + 15}h18" marker-end="url(#tip)"/>`;
  labels += `<text class="small" x="${first.x - 30}" y="${first.y + 19}" text-anchor="end">node ${route.from.nid}</text>`;
  svg += `<path class="taken" d="M${last.x + pillW} ${last.y + 15}h16" marker-end="url(#tip)"/>`;
  labels += `<text class="small ${route.outcome === "delivered" ? "" : "bad"}" x="${last.x + pillW + 24}" y="${last.y + 19}">${escape(end)}</text>`;
  const why = `<ol class="why">${route.why.map((line) => `<li>${escape(line)}</li>`).join("")}</ol>`;
  const hops = route.hops.map((hop) => `<details><summary><b>${key(hop.router)}</b> from ${escape(hop.in_port.name)}, VC ${hop.vc_in}: ${hop.unit}, ` +
    `class <b>${hop.hop_class}</b>${hop.winner ? `, out through ${escape(hop.winner.name)}, VC ${hop.winner.vc}` : ""}</summary><ul>${hop.sentences.map((s) => `<li>${escape(s)}</li>`).join("")}</ul></details>`).join("");
  return `<div class="scroll"><svg width="${width}" height="${height}" role="img" aria-label="path of a packet">${svg}${labels}</svg></div>${why}${hops}`;
}

// From little to much, 0..1: blue to orange; red is for what has failed.
const heat = (share) => `hsl(${200 - 165 * share},75%,var(--stroke))`;

// A slider over time below a picture: `show(at, picture)` draws it at a value from `first` to `last`, and returns what it is.
const players = [];
function playerHtml(name, first, last, start, show) {
  players.push({id: `player${++serial}`, show});
  const step = Math.max(1, Math.floor((last - first) / 400)), end = first + Math.ceil((last - first) / step) * step;  // the last one can be reached
  return `<div class="player" id="player${serial}"><button type="button">Play</button> <label>${escape(name)} <input type="range" min="${first}" max="${end}" value="${start}" ` +
    `step="${step}"></label> <output></output></div>`;
}
function startPlayer({id, show}) {
  const box = document.getElementById(id), [button, slider, said] = ["button", "input", "output"].map((name) => box.querySelector(name));
  const picture = box.previousElementSibling.querySelector("svg");
  const draw = () => said.textContent = show(Number(slider.value), picture);
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    if (slider.value === slider.max) slider.value = slider.min;
    button.textContent = "Stop";
    timer = setInterval(() => {
      slider.stepUp(Math.max(1, Math.round((slider.max - slider.min) / slider.step / 100)));
      draw();
      if (Number(slider.value) + Number(slider.step) > Number(slider.max)) stop();
    }, Math.min(250, 20000 / ((slider.max - slider.min) / slider.step + 1)));
  });
  slider.addEventListener("input", draw);
  draw();
}

// The groups of a dragonfly as a ring: where a router is, the curve of a link, and the dots with their groups' numbers.
function ring({groups, routers}) {
  const size = 640, centre = size / 2, radius = 250;
  const at = ([group, router]) => {
    const angle = 2 * Math.PI * (group + (router + .5) / routers * .8) / groups - Math.PI / 2;
    return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)].map((v) => +v.toFixed(1));
  };
  const curve = (from, to) => {
    const [x1, y1] = at(from), [x2, y2] = at(to), bend = from[0] === to[0] ? .75 : .25, inward = (a, b) => +(centre + bend * ((a + b) / 2 - centre)).toFixed(1);
    return `M${x1} ${y1}Q${inward(x1, x2)} ${inward(y1, y2)} ${x2} ${y2}`;
  };
  const labels = Array.from({length: groups}, (_, g) => g).filter((g) => groups <= 40 || g % 8 === 0).map((g) => {
    const [x, y] = at([g, (routers - 1) / 2]);
    return `<text class="small" text-anchor="middle" x="${centre + 1.13 * (x - centre)}" y="${centre + 1.13 * (y - centre) + 4}">${g}</text>`;
  }).join("");
  const draw = (body, label) => `<div class="scroll"><svg class="ring" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">${body}${labels}</svg></div>`;
  const dot = Math.max(1.5, Math.min(9, 560 / (groups * routers))), split = (n) => [Math.floor(n / routers), n % routers];
  const dots = (style) => Array.from({length: groups * routers}, (_, n) => {
    const [x, y] = at(split(n)), {colour = "var(--idle)", wide = 1, text = `group ${split(n)[0]}, router ${split(n)[1]}`} = style?.(n) ?? {};
    return `<circle cx="${x}" cy="${y}" r="${(wide * dot).toFixed(1)}" style="fill:${colour}"><title>${escape(text)}</title></circle>`;
  }).join("");
  return {at, curve, draw, dots, split};
}
const down = "stroke:var(--bad);stroke-width:4;stroke-dasharray:7 4";

// {groups, routers, links: [{from: [group, router], to, value?, bad?, text}], values: [{router, value, text}], dead: [[group, router]], unit}: groups as a ring
// windows: the links and their loads are those of the result's link_windows, with a slider; spread: a slider over services and messages of fault planes
function dragonflyHtml(section, result) {
  if (section.windows) return windowsHtml(section, result.link_windows);
  if (section.spread) return spreadHtml(section);
  const {curve, draw, dots, split} = ring(section);
  const most = Math.max(1e-9, ...section.links.map((l) => l.value ?? 0)), top = Math.max(1e-9, ...(section.values ?? []).map((v) => v.value));
  const values = new Map((section.values ?? []).map((v) => [String(v.router), v])), dead = new Set((section.dead ?? []).map(String));
  const lines = [...section.links].sort((a, b) => (a.bad ?? 0) - (b.bad ?? 0)).map((l) => `<path fill="none" d="${curve(l.from, l.to)}" ` +
    `style="${l.bad ? down : `stroke:${heat((l.value ?? 0) / most)};stroke-width:${1 + 3 * (l.value ?? 0) / most}`}"><title>${escape(l.text)}</title></path>`).join("");
  const points = dots((n) => {
    const value = values.get(String(split(n))), broken = dead.has(String(split(n))), name = value?.text ?? `group ${split(n)[0]}, router ${split(n)[1]}`;
    return {colour: broken ? "var(--bad)" : value ? heat(value.value / top) : "var(--idle)", wide: value || broken ? 1.3 : 1, text: name + (broken ? ", failed" : "")};
  });
  const scale = (section.values?.length ? top : most), text = scale > 1e-9 ? `Blue: little; orange: much, up to ${number(scale)} ${escape(section.unit)}.` : "";
  return draw(lines + points, `dragonfly of ${section.groups} groups`) + `<p>${text} Numbers are those of the groups; a link's or router's tooltip says more.</p>`;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const manyLinks = 600;  // as curves of a ring they would be a blot

// {links: [[from, to]], windows: [{first, last, load: a character a link, 63rds}], faults: [{name, cycle, repair, from, to?}]}; as a ring, where both directions
// are one line, or as a map of groups by groups
function windowsHtml(section, {links, windows, faults}) {
  const {curve, draw, dots, split} = ring(section), map = links.length > manyLinks, lines = new Map();
  links.forEach(([from, to], i) => {
    const name = (map ? [split(from)[0], split(to)[0]] : [Math.min(from, to), Math.max(from, to)]).join();
    lines.set(name, [...(lines.get(name) ?? []), i]);
  });
  const loads = windows.map((w) => [...w.load].map((c) => digits.indexOf(c) / 63)), most = Math.max(1 / 63, ...loads.map((l) => Math.max(...l)));
  const places = [...lines].map(([name, members]) => ({members, ends: name.split(",").map(Number)}));
  const isDown = (w, ends) => faults.filter((f) => f.cycle < w.last && ends.includes(f.from) && (f.to === undefined || ends.includes(f.to))).at(-1)?.repair === false;
  const said = (n) => `group ${split(n)[0]}, router ${split(n)[1]}`;
  const show = (at, picture) => {
    const window = windows[at];
    picture.querySelectorAll(".link").forEach((place, i) => {
      const {members, ends} = places[i], share = Math.max(...members.map((l) => loads[at][l])) / most, failed = members.some((l) => isDown(window, links[l]));
      place.setAttribute("style", map ? `fill:${failed ? "var(--bad)" : heat(share)}`
        : failed ? down : `stroke:${heat(share)};stroke-width:${(.7 + 3 * share).toFixed(1)};opacity:${(.25 + .75 * share).toFixed(2)}`);
      place.firstChild.textContent = `${map ? `group ${ends[0]} to group ${ends[1]}` : ends.map(said).join(" to ")}: ` +
        (failed ? "down" : members.map((l) => number(loads[at][l])).join(map ? " and " : " and back "));
    });
    const mean = loads[at].reduce((a, b) => a + b, 0) / links.length;
    return `${number(window.first)} to ${number(window.last - 1)}; mean load ${number(mean)}, highest ${number(Math.max(...loads[at]))}`;
  };
  const cell = 600 / section.groups, label = `dragonfly of ${section.groups} groups, links over time`;
  const text = (g, x, y) => `<text class="small" text-anchor="middle" x="${x}" y="${y}">${g}</text>`;
  const numbers = Array.from({length: section.groups}, (_, g) => g).filter((g) => g % Math.ceil(section.groups / 16) === 0);
  const picture = map ? `<div class="scroll"><svg class="ring" viewBox="0 0 640 640" role="img" aria-label="${label}">` + places.map(({ends: [from, to]}) =>
    `<rect class="link" x="${(36 + to * cell).toFixed(1)}" y="${(36 + from * cell).toFixed(1)}" width="${cell.toFixed(2)}" height="${cell.toFixed(2)}"><title></title></rect>`).join("") +
      numbers.map((g) => text(g, 36 + (g + .5) * cell, 28) + text(g, 18, 40 + (g + .5) * cell)).join("") + `</svg></div>`
    : draw(places.map(({ends}) => `<path class="link" fill="none" d="${curve(...ends.map(split))}"><title></title></path>`).join("") + dots(), label);
  return picture + playerHtml("Cycles", 0, windows.length - 1, windows.length - 1, show) +
    `<p>Blue: little; green, then orange: much, up to ${number(most)} ${escape(section.unit)}; red: down.${map ? " A row: from a group, a column: to a group." : ""}</p>`;
}

// {services: [[router, start, end]], messages: [[from, to, sent, arrived]], faults: [{name, cycle, repaired, from, to?}], until?: where they were cut}, in cycles
function spreadHtml(section) {
  const {services, messages, faults, until} = section.spread, {curve, draw, dots, split} = ring(section);
  const first = Math.min(...faults.map((f) => f.cycle), ...services.map((s) => s[1])), last = until ?? Math.max(first + 1, ...services.map((s) => s[2]), ...messages.map((m) => m[3]));
  const flying = (at) => messages.filter((m) => m[2] <= at && at < m[3]);
  const changes = messages.flatMap((m) => [[m[2], 1], [m[3], -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let busiest = first, most = 0, many = 0;  // shown first: when most messages are on their way
  for (const [at, change] of changes) if ((many += change) > most && at <= last) [busiest, most] = [at, many];
  const show = (at, picture) => {
    const now = new Set(), done = new Set();
    for (const [router, start, end] of services) if (start <= at) (at < end ? now : done).add(router);
    const dead = faults.filter((f) => f.cycle <= at && !(f.repaired >= 0 && f.repaired <= at)), on = flying(at);
    const lost = new Set(dead.filter((f) => f.to === undefined).map((f) => f.from));
    picture.querySelectorAll("circle").forEach((circle, n) => {
      circle.style.fill = lost.has(n) ? "var(--bad)" : now.has(n) ? heat(1) : done.has(n) ? heat(0) : "var(--idle)";
      circle.firstChild.textContent = `group ${split(n)[0]}, router ${split(n)[1]}: ${lost.has(n) ? "failed" : now.has(n) ? "works" : done.has(n) ? "has worked" : "has heard nothing"}`;
    });
    picture.querySelector("g").innerHTML = on.map(([from, to]) => `<path fill="none" style="stroke:var(--accent);stroke-width:2" d="${curve(split(from), split(to))}"/>`).join("") +
      dead.filter((f) => f.to !== undefined).map((f) => `<path fill="none" style="${down}" d="${curve(split(f.from), split(f.to))}"><title>${escape(f.name)}</title></path>`).join("");
    return `${number(at)}: ${number(now.size)} routers work, ${number(done.size)} have, ${number(on.length)} messages on their way`;
  };
  return draw(`<g></g>` + dots(() => ({wide: 1.2})), `dragonfly of ${section.groups} groups, a fault spreading`) + playerHtml("Cycle", first, last, busiest, show);
}

// {columns, rows, wrap, cells: [{at: [x, y], value?, bad?, text?}], paths: [[[x, y], ...]], unit}: nodes of a mesh, a torus or the leaves of a fat tree
function gridHtml(section) {
  const {columns, rows} = section, step = Math.max(26, Math.min(64, 640 / columns)), edge = 34, width = columns * step + edge, height = rows * step + edge;
  const at = ([x, y]) => [edge + (x + .5) * step, height - edge - (y + .5) * step];
  const tip = `grid${++serial}`, top = Math.max(1e-9, ...section.cells.map((c) => c.value ?? 0)), cells = new Map(section.cells.map((c) => [String(c.at), c]));
  let svg = `<defs><marker id="${tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>`;
  const line = (a, b) => `<line class="grid" x1="${a[0]}" y1="${a[1]}" x2="${b[0]}" y2="${b[1]}"/>`, half = section.wrap ? .5 : 0;
  for (let y = 0; y < rows; ++y) svg += line(at([-half, y]), at([columns - 1 + half, y])) + `<text class="small soft" text-anchor="middle" x="${edge / 2}" y="${at([0, y])[1] + 4}">${y}</text>`;
  for (let x = 0; x < columns; ++x) svg += line(at([x, -half]), at([x, rows - 1 + half])) + `<text class="small soft" text-anchor="middle" x="${at([x, 0])[0]}" y="${height - 10}">${x}</text>`;
  for (let y = 0; y < rows; ++y) {
    for (let x = 0; x < columns; ++x) {
      const cell = cells.get(String([x, y])), [cx, cy] = at([x, y]);
      const colour = cell?.bad ? "var(--bad)" : cell?.value > 0 ? heat(cell.value / top) : "var(--idle)";
      svg += `<circle cx="${cx}" cy="${cy}" r="${step * .2}" style="fill:${colour}"><title>${escape(`(${x}, ${y})${cell?.text ? ": " + cell.text : ""}`)}</title></circle>`;
    }
  }
  for (const path of section.paths ?? []) {
    path.slice(1).forEach((to, i) => {
      const far = Math.abs(to[0] - path[i][0]) > columns / 2 || Math.abs(to[1] - path[i][1]) > rows / 2, around = section.wrap && far;  // over the edge
      const [x1, y1] = at(path[i]), [x2, y2] = at(to), bend = around ? .7 * step : 0;
      svg += `<path class="taken" marker-end="url(#${tip})" d="M${x1} ${y1}Q${(x1 + x2) / 2 + (y1 !== y2 ? bend : 0)} ${(y1 + y2) / 2 - (x1 !== x2 ? bend : 0)} ${x2} ${y2}"/>`;
    });
  }
  const scale = section.unit ? `Blue: little; orange: much, up to ${number(top)} ${escape(section.unit)}. ` : "";
  return `<div class="scroll"><svg style="width:100%;max-width:${width}px" viewBox="0 0 ${width} ${height}" role="img" aria-label="grid of ${columns} x ${rows}">${svg}</svg></div><p>${scale}Red has failed; a node's tooltip says more.</p>`;
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
  dragonfly: dragonflyHtml,
  grid: gridHtml,
  path: pathHtml,
};

function bannerHtml(results) {
  const judged = results.filter((r) => r.verdict), failed = judged.filter((r) => r.verdict !== "pass");
  const state = judged.length === 0 ? "" : failed.length === 0 ? "pass" : failed.every((r) => r.verdict === "interrupted") ? "interrupted" : "fail";
  const text = {"": "Results", pass: "Validated: every check of this run holds", fail: `Not validated: ${failed.length} of ${judged.length} checks failed`, interrupted: "Interrupted: nothing is shown"}[state];
  const lines = judged.map((r) => `<li><b>${escape(r.command)}</b>: <span class="${r.verdict === "pass" ? "good" : "bad"}">${escape(r.verdict)}</span>${r.headline ? `, ${escape(r.headline)}` : ""}</li>`);
  const problems = judged.flatMap((r) => Object.values(r.levels ?? {}).flatMap((l) => l.problems ?? []).concat(r.problems ?? []));
  return `<div class="banner ${state}"><strong>${escape(text)}</strong><ul>${lines.join("")}${problems.map((p) => `<li class="bad">${escape(p)}</li>`).join("")}</ul></div>`;
}

const factNames = {seed: "seed", compared: "transactions compared", mismatches: "mismatches", rate_transactions_per_s: "transactions a second",
  rate_cycles_per_s: "cycles a second", cycles_per_s: "cycles a second", cycles: "cycles", seconds: "seconds", congested_ports: "congested ports", failed_links: "failed links"};
function factsHtml(results) {
  const rows = [];
  for (const r of results) {
    rows.push([r.command, "command", r.command_line ?? ""]);
    if (r.dragonfly) rows.push(["", "network", r.dragonfly.name]);
    for (const [name, text] of Object.entries(factNames)) if (typeof r[name] === "number") rows.push(["", text, r[name].toLocaleString("en-US", {maximumFractionDigits: 3})]);
    for (const [name, level] of Object.entries(r.levels ?? {})) if (level.cycles_per_s) rows.push(["", `${name}: cycles a second`, Math.round(level.cycles_per_s).toLocaleString("en-US")]);
    for (const [name, value] of Object.entries(r.facts ?? {})) rows.push(["", name, typeof value === "number" ? value.toLocaleString("en-US") : String(value)]);
  }
  return `<div class="scroll"><table><tbody>${rows.map((r) => `<tr><td><b>${escape(r[0])}</b></td><td class="muted">${escape(r[1])}</td><td class="mono">${escape(r[2])}</td></tr>`).join("")}</tbody></table></div>`;
}

function page() {
  const sections = data.results.flatMap((result) => (result.report ?? []).map((section) => ({section, result})));
  const links = [], parts = [];
  const titles = sections.map(({section}) => section.title);
  sections.forEach(({section, result}, i) => {
    const shared = titles.indexOf(section.title) !== titles.lastIndexOf(section.title);
    const title = shared ? `${section.title}: ${result.block ?? result.command}` : section.title;
    let body;
    try {
      body = kinds[section.type] ? kinds[section.type](section, result) : `<p class="bad">unknown section type ${escape(section.type)}</p>`;
    } catch (error) {
      body = `<p class="bad">this section cannot be drawn: ${escape(error.message)}</p>`;
    }
    links.push(`<a href="#s${i}">${escape(title)}</a>`);
    parts.push(`<section id="s${i}"><h2>${escape(title)}</h2>${section.text ? `<p>${escape(section.text)}</p>` : ""}${body}</section>`);
  });
  if (data.bare) {  // charts inside a document, which has its own title
    document.getElementById("page").innerHTML = parts.join("");
    players.forEach(startPlayer);
    return;
  }
  links.push(`<a href="#facts">Run facts</a>`);
  parts.push(`<section id="facts"><h2>Run facts</h2><p>The same command with the same seed gives the same result.</p>${factsHtml(data.results)}</section>`);
  document.getElementById("page").innerHTML = `<h1>${escape(data.title)}</h1>${bannerHtml(data.results)}<nav>${links.join("")}</nav>${parts.join("")}`;
  players.forEach(startPlayer);
}
if (data) page();

// What is cut off at this width can be scrolled with the keyboard.
const boxes = new ResizeObserver((entries) => {
  for (const {target: box} of entries) {
    if (box.scrollWidth > box.clientWidth) Object.assign(box, {tabIndex: 0, role: "group", ariaLabel: "scrolls sideways"});
    else for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
});
for (const box of document.querySelectorAll(".scroll, pre")) boxes.observe(box);
for (const box of document.querySelectorAll(".scroll.end")) box.scrollLeft = box.scrollWidth;  // what matters is at its end
