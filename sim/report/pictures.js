// SPDX-License-Identifier: Apache-2.0
"use strict";
// Networks drawn: a packet's way, rings of groups, grids of nodes; sliders over time.
// The result of `odonata route`.
function pathHtml(section, route) {
  const key = (r) => `g${r.gid}.r${r.bid}`;
  const groups = [],
    place = new Map();
  const visit = (r) => {
    let g = groups.find((x) => x.gid === r.gid);
    if (!g) groups.push((g = {gid: r.gid, routers: []}));
    if (!g.routers.some((x) => key(x) === key(r))) g.routers.push(r);
  };
  route.hops.forEach((hop) => visit(hop.router));
  (route.minimal_path ?? []).forEach(visit);
  const gap = 170,
    boxW = 196,
    left = 70,
    top = 40,
    step = 92,
    pillW = 84,
    pillH = 30;
  const rows = Math.max(...groups.map((g) => g.routers.length)),
    bottom = top + 34 + rows * step;
  groups.forEach((g, c) => {
    g.x = left + c * (boxW + gap);
    g.routers.forEach((r, i) => place.set(key(r), {x: g.x + 18, y: top + 42 + i * step, column: c}));
  });
  const width = left + groups.length * (boxW + gap) - gap + 70,
    height = bottom + 56;
  let svg = "",
    labels = "";
  for (const g of groups) {
    const role =
      g.gid === route.from.gid ? "source group" : g.gid === route.to.gid ? "destination group" : "intermediate group";
    svg +=
      `<rect class="box" x="${g.x}" y="${top}" width="${boxW}" height="${bottom - top}" rx="12"/><text ` +
      `class="strong" x="${g.x + 2}" y="${top - 22}">group ${escape(g.gid)}</text><text class="small soft" ` +
      `x="${g.x + 2}" y="${top - 7}">${role}</text>`;
  }
  function link(from, to, kind, label) {
    const a = place.get(key(from)),
      b = place.get(key(to));
    let d,
      lx,
      ly,
      anchor = "middle";
    if (a.column === b.column) {
      const down = b.y > a.y,
        far = Math.abs(b.y - a.y) > step + 1,
        x = a.x + 34 + (kind === "minimal" ? -14 : 0),
        bend = far ? 60 : 0;
      const y1 = down ? a.y + pillH : a.y,
        y2 = down ? b.y - 3 : b.y + pillH + 3;
      d = `M${x} ${y1} C${x - bend} ${y1 + (y2 - y1) / 3} ${x - bend} ${y1 + (2 * (y2 - y1)) / 3} ${x} ${y2}`;
      [lx, ly, anchor] = [x + 10, (y1 + y2) / 2 + 4, "start"];
    } else {
      const forward = b.column > a.column,
        x1 = forward ? a.x + pillW : a.x,
        x2 = forward ? b.x - 4 : b.x + pillW + 4,
        y1 = a.y + pillH / 2,
        y2 = b.y + pillH / 2;
      const detour = Math.abs(b.column - a.column) > 1 ? bottom + 40 : null,
        bend = (x2 - x1) / 2;
      d = detour
        ? `M${x1} ${y1} C${x1 + bend * 0.45} ${detour + 30} ${x2 - bend * 0.45} ${detour + 30} ${x2} ${y2}`
        : `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
      [lx, ly] = detour
        ? [(x1 + x2) / 2, bottom + 38]
        : [groups[Math.min(a.column, b.column)].x + boxW + gap / 2, (y1 + y2) / 2 - 8];
      const slope = (y2 - y1) * (x2 - x1); // right of the middle the curve is above the label, or below it
      if (!detour && slope !== 0)
        [lx, ly, anchor] = [(x1 + x2) / 2 + 10, (y1 + y2) / 2 + (slope < 0 ? 14 : -8), "start"];
    }
    svg += `<path class="${kind}" d="${d}" ${kind === "taken" ? `marker-end="url(#tip)"` : ""}/>`;
    if (label)
      labels +=
        `<text ` +
        `class="small halo ${kind === "minimal" ? "soft" : ""}" x="${lx}" y="${ly}" ` +
        `text-anchor="${anchor}">${escape(label)}</text>`;
  }
  svg =
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" ` +
    `orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>` +
    svg;
  const taken = new Set(route.hops.slice(1).map((hop, i) => key(route.hops[i].router) + key(hop.router)));
  const minimal = route.minimal_path ?? [];
  minimal.slice(1).forEach((r, i) => {
    const global = r.gid !== minimal[i].gid;
    if (!taken.has(key(minimal[i]) + key(r))) link(minimal[i], r, "minimal", global ? "minimal path, not taken" : "");
  });
  route.hops.slice(0, -1).forEach((hop, i) => {
    if (hop.winner?.to)
      link(
        hop.router,
        route.hops[i + 1].router,
        "taken",
        `${hop.hop_class} · port ${hop.winner.port} · VC ${hop.winner.vc}`
      );
  });
  for (const [name, at] of place) {
    const on = route.hops.some((hop) => key(hop.router) === name);
    svg +=
      `<rect ` +
      `class="node ${on ? "on" : ""}" x="${at.x}" y="${at.y}" width="${pillW}" height="${pillH}" rx="15"/>` +
      `<text ` +
      `class="${on ? "strong" : "soft"}" x="${at.x + pillW / 2}" y="${at.y + 20}" ` +
      `text-anchor="middle">${escape(name)}</text>`;
  }
  const first = place.get(key(route.from)),
    last = place.get(key(route.hops.at(-1).router));
  const end = route.outcome === "delivered" ? `node ${route.to.nid}` : route.outcome.replaceAll("_", " ");
  svg += `<path class="taken" d="M${first.x - 24} ${first.y + 15}h18" marker-end="url(#tip)"/>`;
  labels +=
    `<text class="small" x="${first.x - 30}" y="${first.y + 19}" ` +
    `text-anchor="end">node ${escape(route.from.nid)}</text>`;
  svg += `<path class="taken" d="M${last.x + pillW} ${last.y + 15}h16" marker-end="url(#tip)"/>`;
  labels +=
    `<text ` +
    `class="small ${route.outcome === "delivered" ? "" : "bad"}" x="${last.x + pillW + 24}" ` +
    `y="${last.y + 19}">${escape(end)}</text>`;
  const why = `<ol class="why">${route.why.map((line) => `<li>${escape(line)}</li>`).join("")}</ol>`;
  const hops = route.hops
    .map(
      (hop) =>
        `<details><summary><b>${escape(key(hop.router))}</b> from ${escape(hop.in_port.name)}, ` +
        `VC ${escape(hop.vc_in)}: ${escape(hop.unit)}, class <b>${escape(hop.hop_class)}</b>` +
        (hop.winner ? `, out through ${escape(hop.winner.name)}, VC ${escape(hop.winner.vc)}` : "") +
        `</summary>` +
        `<ul>${hop.sentences.map((s) => `<li>${escape(s)}</li>`).join("")}</ul></details>`
    )
    .join("");
  return (
    `<div class="scroll"><svg ` +
    `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
    `aria-label="path of a packet">${svg}${labels}</svg></div>${why}${hops}`
  );
}

// From little to much, 0..1: blue to orange; red is for what has failed.
const heat = (share) => `hsl(${200 - 165 * share},75%,var(--stroke))`;

/** What the colours of heat() say: from 0 to `most`, and red. */
function scaleHtml(most, unit, more) {
  const colours = [0, 0.25, 0.5, 0.75, 1].map(heat).join(",");
  return (
    `<p class="scale"><span>0</span>` +
    `<i style="background:linear-gradient(to right,${colours})" aria-hidden="true"></i>` +
    `<span>${number(most)} ${escape(unit)}</span>` +
    `<b aria-hidden="true">■</b><span>down</span></p><p>${more}</p>`
  );
}
const legendHtml = (names, more = "") =>
  `<p class="legend">` +
  names
    .map((name, n) => `<span><b style="color:${colourOf(n)}" aria-hidden="true">■</b> ${escape(name)}</span>`)
    .join("") +
  `${more}</p>`;

// A slider over time below a picture: `show(at, picture)` draws it at a value from `first` to `last`, and returns what
// it is.
const players = [];
function playerHtml(name, first, last, start, show) {
  players.push({id: `player${++serial}`, show});
  const step = Math.max(1, Math.floor((last - first) / 400)),
    end = first + Math.ceil((last - first) / step) * step; // the last one can be reached
  return (
    `<div class="player" id="player${serial}"><button ` +
    `type="button">Play</button> <label>${escape(name)} <input type="range" ` +
    `min="${first}" max="${end}" value="${start}" ` +
    `step="${step}"></label> <output></output></div>`
  );
}
function startPlayer({id, show}) {
  const box = document.getElementById(id),
    [button, slider, said] = ["button", "input", "output"].map((name) => box.querySelector(name));
  const picture = box.previousElementSibling.querySelector("svg");
  const draw = () => (said.textContent = show(Number(slider.value), picture));
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
    timer = setInterval(
      () => {
        slider.stepUp(Math.max(1, Math.round((slider.max - slider.min) / slider.step / 100)));
        draw();
        if (Number(slider.value) + Number(slider.step) > Number(slider.max)) stop();
      },
      Math.min(250, 20000 / ((slider.max - slider.min) / slider.step + 1))
    );
  });
  slider.addEventListener("input", draw);
  draw();
}

// The groups of a dragonfly as a ring: where a router is, the curve of a link, and the dots with their groups' numbers.
function ring({groups, routers}) {
  const size = 640,
    centre = size / 2,
    radius = 250;
  const at = ([group, router]) => {
    const angle = (2 * Math.PI * (group + ((router + 0.5) / routers) * 0.8)) / groups - Math.PI / 2;
    return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)].map((v) => +v.toFixed(1));
  };
  const curve = (from, to) => {
    const [x1, y1] = at(from),
      [x2, y2] = at(to),
      bend = from[0] === to[0] ? 0.75 : 0.25,
      inward = (a, b) => +(centre + bend * ((a + b) / 2 - centre)).toFixed(1);
    return `M${x1} ${y1}Q${inward(x1, x2)} ${inward(y1, y2)} ${x2} ${y2}`;
  };
  const labels = Array.from({length: groups}, (_, g) => g)
    .filter((g) => groups <= 40 || g % 8 === 0)
    .map((g) => {
      const [x, y] = at([g, (routers - 1) / 2]);
      return (
        `<text class="small" text-anchor="middle" ` +
        `x="${centre + 1.13 * (x - centre)}" y="${centre + 1.13 * (y - centre) + 4}">${g}</text>`
      );
    })
    .join("");
  const draw = (body, label) =>
    `<div class="scroll"><svg class="ring" viewBox="0 0 ${size} ${size}" role="img" ` +
    `aria-label="${escape(label)}">${body}${labels}</svg></div>`;
  const dot = Math.max(1.5, Math.min(9, 560 / (groups * routers))),
    split = (n) => [Math.floor(n / routers), n % routers];
  const dots = (style) =>
    Array.from({length: groups * routers}, (_, n) => {
      const [x, y] = at(split(n)),
        {colour = "var(--idle)", wide = 1, text = `group ${split(n)[0]}, router ${split(n)[1]}`} = style?.(n) ?? {};
      return (
        `<circle ` +
        `cx="${x}" cy="${y}" r="${Math.min(wide * dot, Math.max(dot, 9)).toFixed(1)}" style="fill:${colour}">` +
        `<title>${escape(text)}</title></circle>`
      );
    }).join("");
  return {at, curve, draw, dots, split};
}
const down = "stroke:var(--bad);stroke-width:4;stroke-dasharray:7 4";

// {groups, routers, links: [{from: [group, router], to, value?, bad?, text}], values: [{router, value, text}], dead:
// [[group, router]], unit}: groups as a ring
// windows: the links and their loads are those of the result's link_windows, with a slider; spread: a slider over
// services and messages of fault planes
function dragonflyHtml(section, result) {
  if (section.windows) return windowsHtml(section, section.link_windows ?? result.link_windows);
  if (section.spread) return spreadHtml(section);
  const {curve, draw, dots, split} = ring(section);
  const most = greatest(
      section.links.map((l) => l.value ?? 0),
      1e-9
    ),
    top = Math.max(1e-9, ...(section.values ?? []).map((v) => v.value));
  const values = new Map((section.values ?? []).map((v) => [String(v.router), v])),
    dead = new Set((section.dead ?? []).map(String));
  const lines = [...section.links]
    .sort((a, b) => (a.bad ?? 0) - (b.bad ?? 0))
    .map(
      (l) =>
        `<path fill="none" d="${curve(l.from, l.to)}" ` +
        `style="` +
        (l.bad ? down : `stroke:${heat((l.value ?? 0) / most)};stroke-width:${1 + (3 * (l.value ?? 0)) / most}`) +
        `">` +
        `<title>${escape(l.text)}</title></path>`
    )
    .join("");
  const points = dots((n) => {
    const value = values.get(String(split(n))),
      broken = dead.has(String(split(n))),
      name = value?.text ?? `group ${split(n)[0]}, router ${split(n)[1]}`;
    return {
      colour: broken ? "var(--bad)" : value ? heat(value.value / top) : "var(--idle)",
      wide: broken ? 3 : value ? 1.3 : 1,
      text: name + (broken ? ", failed" : "")
    };
  });
  const scale = section.values?.length ? top : most,
    more = "Numbers are those of the groups; a link's or router's tooltip says more.";
  return (
    draw(lines + points, `dragonfly of ${section.groups} groups`) +
    (scale > 1e-9 ? scaleHtml(scale, section.unit, more) : `<p>${more}</p>`)
  );
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const manyLinks = 600,
  manyLines = 4000; // above: as curves of a ring, as lines of a grid they would be a blot

/* Draws loads of links at a window: `places` are the elements .link of the picture, each with the links that it
   stands for and the routers at its ends; `style` is how
   one looks with a share of the highest load; `said` is what it is. */
function loadsOf({links, windows, faults}, places, style, said) {
  const loads = windows.map((w) => [...w.load].map((c) => digits.indexOf(c) / 63)),
    most = greatest(
      loads.map((l) => greatest(l)),
      1 / 63
    );
  // Of each thing that concerns the link, the link itself or a router at its end, the last change counts.
  const isDown = (w, ends) => {
    const failed = new Map();
    for (const f of faults) {
      const concerns = ends.includes(f.from) && (f.to === undefined || (f.to !== f.from && ends.includes(f.to)));
      if (concerns && f.cycle < w.last) failed.set(f.name, !f.repair);
    }
    return [...failed.values()].includes(true);
  };
  const show = (at, picture) => {
    picture.querySelectorAll(".link").forEach((place, i) => {
      const {members} = places[i],
        share = greatest(members.map((l) => loads[at][l])) / most,
        failed = members.some((l) => isDown(windows[at], links[l]));
      place.setAttribute("style", style(share, failed));
      const state = failed ? "down" : members.map((l) => number(loads[at][l])).join(" and ");
      place.firstChild.textContent = `${said(places[i])}: ${state}`;
    });
    const gone = new Set(
      faults.filter((f) => f.to === undefined && isDown(windows[at], [f.from])).map((f) => String(f.from))
    );
    for (const node of picture.querySelectorAll("[data-router]"))
      node.style.fill = gone.has(node.dataset.router) ? "var(--bad)" : "";
    const mean = loads[at].reduce((a, b) => a + b, 0) / links.length;
    return (
      `${number(windows[at].first)} to ${number(windows[at].last - 1)}; mean load ${number(mean)}, ` +
      `highest ${number(greatest(loads[at]))}`
    );
  };
  const sums = loads.map((l) => l.reduce((a, b) => a + b, 0)),
    start = faults.length ? windows.length - 1 : sums.indexOf(greatest(sums));
  return {most, show, start}; // shown first: what has failed, else the most load
}

// {links: [[from, to]], windows: [{first, last, load: a character a link, 63rds}], faults: [{name, cycle, repair, from,
// to?}], by cycle, without `to` a router, with from = to a node of one}; as a ring, where both directions
// are one line, or as a map of groups by groups
function windowsHtml(section, loads) {
  const {curve, draw, dots, split} = ring(section),
    {links, windows} = loads,
    map = links.length > manyLinks,
    lines = new Map();
  links.forEach(([from, to], i) => {
    const name = (map ? [split(from)[0], split(to)[0]] : [Math.min(from, to), Math.max(from, to)]).join();
    lines.set(name, [...(lines.get(name) ?? []), i]);
  });
  const places = [...lines].map(([name, members]) => ({members, ends: name.split(",").map(Number)}));
  const router = (n) => `group ${split(n)[0]}, router ${split(n)[1]}`;
  const {most, show, start} = loadsOf(
    loads,
    places,
    (share, failed) =>
      map
        ? `fill:${failed ? "var(--bad)" : heat(share)}`
        : failed
          ? down
          : `stroke:${heat(share)};stroke-width:${(0.7 + 3 * share).toFixed(1)};` +
            `opacity:${(0.25 + 0.75 * share).toFixed(2)}`,
    ({ends}) => (map ? `group ${ends[0]} to group ${ends[1]}` : `${ends.map(router).join(" to ")} and back`)
  );
  const cell = 600 / section.groups,
    label = `dragonfly of ${section.groups} groups, links over time`;
  const text = (g, x, y) => `<text class="small" text-anchor="middle" x="${x}" y="${y}">${g}</text>`;
  const numbers = Array.from({length: section.groups}, (_, g) => g).filter(
    (g) => g % Math.ceil(section.groups / 16) === 0
  );
  const picture = map
    ? `<div class="scroll"><svg class="ring" viewBox="0 0 640 640" role="img" aria-label="${escape(label)}">` +
      places
        .map(
          ({ends: [from, to]}) =>
            `<rect class="link" ` +
            `x="${(36 + to * cell).toFixed(1)}" y="${(36 + from * cell).toFixed(1)}" width="${cell.toFixed(2)}" ` +
            `height="${cell.toFixed(2)}">` +
            `<title></title></rect>`
        )
        .join("") +
      numbers.map((g) => text(g, 36 + (g + 0.5) * cell, 28) + text(g, 18, 40 + (g + 0.5) * cell)).join("") +
      `</svg></div>`
    : draw(
        places
          .map(({ends}) => `<path class="link" fill="none" d="${curve(...ends.map(split))}"><title></title></path>`)
          .join("") + dots(),
        label
      );
  return (
    picture +
    playerHtml("Cycles", 0, windows.length - 1, start, show) +
    scaleHtml(
      most,
      section.unit,
      map
        ? "A row: from a group, a column: to a group."
        : "Groups as a ring, their routers as dots; tooltips name the links."
    )
  );
}

/* {places: [[x, y]], names: [text], unit}: routers where they are (without a name: none is there), y upwards, and the
   loads of the links between them over time: each direction a line of its own. Of very many links a router has the
   colour of the busiest that leaves it. */
function networkHtml(section, result) {
  const loads = section.link_windows ?? result.link_windows,
    {links, windows} = loads,
    many = links.length > manyLines;
  const xs = section.places.map((p) => p[0]),
    ys = section.places.map((p) => p[1]),
    left = smallest(xs),
    low = smallest(ys),
    wide = greatest(xs) - left,
    high = greatest(ys) - low;
  const reach = many ? 1 : Math.max(1, ...links.map(([a, b]) => Math.hypot(xs[a] - xs[b], ys[a] - ys[b]))),
    edge = 0.5 + 0.13 * reach; // far links bend by a tenth of their length
  const step = Math.max(16, Math.min(72, 900 / (wide + 2 * edge))),
    width = (wide + 2 * edge) * step,
    height = (high + 2 * edge) * step;
  const at = (n) => [(xs[n] - left + edge) * step, height - (ys[n] - low + edge) * step];
  const line = ([from, to]) => {
    // to the right of the straight line; far ones bend
    const [x1, y1] = at(from),
      [x2, y2] = at(to),
      far = Math.hypot(x2 - x1, y2 - y1),
      side = far > 1.05 * step ? 0.1 * far + 3 : 3,
      nx = -(y2 - y1) / far,
      ny = (x2 - x1) / far;
    const shift = (v, n, by) => (v + n * by).toFixed(1);
    const point = (x, y, by) => `${shift(x, nx, by)} ${shift(y, ny, by)}`;
    return `M${point(x1, y1, 2.5)}Q${point((x1 + x2) / 2, (y1 + y2) / 2, 2 * side)} ${point(x2, y2, 2.5)}`;
  };
  const leaving = new Map();
  links.forEach(([from], i) => leaving.set(from, [...(leaving.get(from) ?? []), i]));
  const places = many
    ? [...leaving].map(([from, members]) => ({members, from}))
    : links.map((ends, i) => ({members: [i], ends}));
  const {most, show, start} = loadsOf(
    loads,
    places,
    (share, failed) =>
      many
        ? `fill:${failed ? "var(--bad)" : heat(share)}`
        : failed
          ? down
          : `stroke:${heat(share)};stroke-width:${(0.7 + 3.3 * share).toFixed(1)};` +
            `opacity:${(0.3 + 0.7 * share).toFixed(2)}`,
    ({ends, from}) => (many ? section.names[from] : ends.map((n) => section.names[n]).join(" to "))
  );
  const dot = (n, name, title) =>
    `<circle ` +
    `class="${name}" cx="${at(n)[0].toFixed(1)}" cy="${at(n)[1].toFixed(1)}" ` +
    `r="${(step * (many ? 0.36 : 0.17)).toFixed(1)}"${many ? "" : ` data-router="${n}"`}>` +
    `<title>${escape(title)}</title></circle>`;
  const body = many
    ? places.map(({from}) => dot(from, "link", "")).join("")
    : links.map((ends) => `<path class="link" fill="none" d="${line(ends)}"><title></title></path>`).join("") +
      section.places.map((_, n) => (section.names[n] ? dot(n, "router", section.names[n]) : "")).join("");
  return (
    `<div class="scroll"><svg ` +
    `style="width:100%;` +
    `max-width:${width.toFixed(0)}px" viewBox="0 0 ${width.toFixed(0)} ${height.toFixed(0)}" role="img" ` +
    `aria-label="network of ${section.places.length} routers, links over time">${body}</svg></div>` +
    playerHtml("Cycles", 0, windows.length - 1, start, show) +
    scaleHtml(
      most,
      section.unit,
      (many
        ? "A router has the colour of the busiest link that leaves it."
        : "Each direction of a link is a line; what is at its right hand goes along it.") +
      ` Tooltips name them.`
    )
  );
}

/* {services: [[router, start, end, kind, text]], messages: [[from, to, sent, arrived, kind]], kinds: [name], texts:
   [text], names: [of a router], faults: [{name, cycle,
   repaired, from, to?}], gap?: [first, last] cycle of which some are left out}, in cycles: on the ring with a slider,
   and router by router */
function spreadHtml(section) {
  const {services, messages, faults, gap} = section.spread,
    {curve, draw, dots, split} = ring(section);
  const first = smallest([...faults.map((f) => f.cycle), ...services.map((s) => s[1])]),
    last = greatest([...services.map((s) => s[2]), ...messages.map((m) => m[3])], first + 1);
  const flying = (at) => messages.filter((m) => m[2] <= at && at < m[3]);
  const changes = messages
    .flatMap((m) => [
      [m[2], 1],
      [m[3], -1]
    ])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let busiest = first,
    most = 0,
    many = 0; // shown first: when most messages are on their way
  for (const [at, change] of changes)
    if ((many += change) > most && !(gap && at >= gap[0])) [busiest, most] = [at, many];
  const show = (at, picture) => {
    const now = new Set(),
      done = new Set();
    for (const [router, start, end] of services) if (start <= at) (at < end ? now : done).add(router);
    const dead = faults.filter((f) => f.cycle <= at && !(f.repaired >= 0 && f.repaired <= at)),
      on = flying(at);
    const lost = new Set(dead.filter((f) => f.to === undefined).map((f) => f.from));
    picture.querySelectorAll("circle").forEach((circle, n) => {
      circle.style.fill = lost.has(n) ? "var(--bad)" : now.has(n) ? heat(1) : done.has(n) ? heat(0) : "var(--idle)";
      circle.firstChild.textContent =
        `group ${split(n)[0]}, ` +
        `router ${split(n)[1]}:` +
        ` ${lost.has(n) ? "failed" : now.has(n) ? "works" : done.has(n) ? "has worked" : "has heard nothing"}`;
    });
    picture.querySelector("g").innerHTML =
      on
        .map(
          ([from, to]) =>
            `<path fill="none" style="stroke:var(--accent);stroke-width:2" d="${curve(split(from), split(to))}"/>`
        )
        .join("") +
      dead
        .filter((f) => f.to !== undefined)
        .map(
          (f) =>
            `<path fill="none" style="${down}" d="${curve(split(f.from), split(f.to))}">` +
            `<title>${escape(f.name)}</title></path>`
        )
        .join("");
    if (gap && at >= gap[0] && at <= gap[1])
      return `${number(at)}: not all of these cycles is shown, from ${number(gap[0])} to ${number(gap[1])}`;
    return (
      `${number(at)}: ${number(now.size)} routers work, ${number(done.size)} have,` +
      ` ${number(on.length)} messages on their way`
    );
  };
  const rows = [...new Set(services.map((s) => s[0]))].sort((a, b) => a - b),
    row = new Map(rows.map((r, i) => [r, i])),
    {names, kinds, texts} = section.spread;
  const tracks = {
    tracks: rows.map((r) => names[r]),
    kinds,
    first,
    last,
    slices: services.map(([r, start, end, kind, text]) => [row.get(r), start, end, kind, texts[text]]),
    arrows: messages
      .filter((m) => row.has(m[0]) && row.has(m[1]))
      .map(([from, to, ...rest]) => [row.get(from), row.get(to), ...rest])
  };
  const failing = new Set(faults.filter((f) => f.to === undefined).map((f) => f.from)); // seen among thousands
  return (
    draw(
      `<g></g>` + dots((n) => ({wide: failing.has(n) ? 3 : 1.2})),
      `dragonfly of ${section.groups} groups, a fault spreading`
    ) +
    playerHtml("Cycle", first, last, busiest, show) +
    `<h3>Router by router</h3>${tracksHtml(tracks)}`
  );
}

const timelines = [];
const mostListed = 1000; // slices in the table of a timeline
/* {tracks: [name], kinds: [name], slices: [[track, start, end, kind, text]], arrows: [[from, to, sent, arrived]],
   first, last}: who does what when, in cycles;
   slices of a track lie apart or inside each other */
function tracksHtml(timeline) {
  const id = `tracks${++serial}`,
    {tracks, kinds, slices} = timeline;
  timelines.push({id, timeline});
  const rows = slices
    .slice(0, mostListed)
    .map(([track, start, end, kind, text]) => [tracks[track], start, end, kinds[kind], text ?? ""]);
  const more = slices.length > mostListed ? `<p>The first ${number(mostListed)} of ${number(slices.length)}.</p>` : "";
  return (
    legendHtml(kinds, timeline.arrows.length ? "<span>lines are messages</span>" : "") +
    `<div class="tracks" id="${id}" tabindex="0" role="group" ` +
    `aria-label="timeline of ${tracks.length} tracks"><canvas></canvas><div></div></div>` +
    `<div class="player"><label>Zoom <input type="range" min="0" max="100" value="0"></label>` +
    `<output>&nbsp;</output></div>` +
    `<details class="values">` +
    `<summary>Values</summary>${more}${tableHtml(["who", "from cycle", "to cycle", "what", ""], rows)}</details>`
  );
}

function startTimeline({id, timeline}) {
  const box = document.getElementById(id),
    canvas = box.firstChild,
    space = box.lastChild,
    {tracks, slices, arrows, first, last} = timeline;
  const [zoom, output] = ["input", "output"].map((name) => box.nextElementSibling.querySelector(name)),
    height = 16,
    top = 20;
  const longest = 12 + 6 * Math.max(...tracks.map((name) => name.length)),
    left = Math.max(64, Math.min(longest, 0.4 * box.clientWidth));
  const whole = () => Math.max(240, box.clientWidth - left - 12) * Math.pow(40, zoom.value / 100),
    x = (cycle) => left + ((cycle - first) / (last - first || 1)) * whole() - box.scrollLeft;
  const y = (track) => top + track * height - box.scrollTop;
  const draw = () => {
    const ratio = devicePixelRatio,
      w = box.clientWidth,
      h = box.clientHeight,
      ctx = canvas.getContext("2d");
    space.style.width = `${left + whole() + 12}px`;
    space.style.height = `${top + tracks.length * height}px`;
    Object.assign(canvas, {width: w * ratio, height: h * ratio});
    Object.assign(canvas.style, {
      width: `${w}px`,
      height: `${h}px`,
      transform: `translate(${box.scrollLeft}px,${box.scrollTop}px)`
    });
    ctx.scale(ratio, ratio);
    ctx.font = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
    ctx.strokeStyle = variable("--idle");
    ctx.lineWidth = 0.6;
    ctx.beginPath();
    for (const [from, to, sent, arrived] of arrows) {
      if (Math.max(y(from), y(to)) >= 0 && Math.min(y(from), y(to)) <= h)
        (ctx.moveTo(x(sent), y(from) + height / 2), ctx.lineTo(x(arrived), y(to) + height / 2));
    }
    ctx.stroke();
    const paints = timeline.kinds.map((_, n) => paintOf(n)),
      card = variable("--card");
    for (const [track, start, end, kind, text] of slices) {
      if (y(track) < 0 || y(track) > h) continue;
      const from = x(start),
        long = x(end) - from;
      ctx.fillStyle = paints[kind];
      ctx.fillRect(from, y(track) + 2, Math.max(1, long - (long > 3)), height - 4);
      if (!text || long < 12 || ctx.measureText(text).width > long - 8) continue;
      ctx.fillStyle = card;
      ctx.fillText(text, from + 4, y(track) + 12);
    }
    ctx.fillStyle = card;
    ctx.fillRect(0, 0, w, top);
    ctx.fillRect(0, 0, left - 4, h);
    ctx.fillStyle = variable("--ink");
    const room = Math.floor((left - 10) / 6),
      brief = (name) => (name.length > room ? `${name.slice(0, room - 1)}…` : name);
    tracks.forEach((name, n) => (y(n) >= top - height / 2 && y(n) <= h ? ctx.fillText(brief(name), 4, y(n) + 12) : 0));
    const least = Math.pow(10, Math.floor(Math.log10(((last - first) / whole()) * 90 || 1))),
      step = Math.max(1, least * [1, 2, 5, 10].find((m) => m * least >= ((last - first) / whole()) * 90));
    const t0 = Math.ceil(first / step) * step,
      ticks = Math.min(10_000, Math.floor((last - t0) / step) + 1);
    for (let n = 0, t = t0; n < ticks; ++n, t = t0 + n * step)
      if (x(t) >= left - 4 && x(t) < w - 10) ctx.fillText(number(t), x(t), 13);
  };
  let waiting = 0;
  const soon = () =>
    (waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      draw();
    }));
  box.addEventListener("scroll", soon);
  zoom.addEventListener("input", soon);
  box.addEventListener("mousemove", (event) => {
    const area = canvas.getBoundingClientRect(),
      at = event.clientX - area.left,
      track = Math.floor((event.clientY - area.top - top + box.scrollTop) / height);
    const here = slices.filter((s) => s[0] === track && x(s[1]) - 2 <= at && at <= x(s[2]) + 2),
      [hit] = here.sort((a, b) => a[2] - a[1] - (b[2] - b[1])); // the innermost
    output.textContent = hit
      ? `${tracks[track]}: ${hit[4] ?? timeline.kinds[hit[3]]}, cycles ${number(hit[1])} to ${number(hit[2])}`
      : "\u00a0";
  });
  new ResizeObserver(soon).observe(box);
  drawn.push(draw);
  draw();
}

// {columns, rows, wrap, cells: [{at: [x, y], value?, bad?, ring?, text?}], paths: [[[x, y], ...]], unit}: nodes of a
// mesh, a torus or the leaves of a fat tree
function gridHtml(section) {
  const {columns, rows} = section,
    step = Math.max(26, Math.min(64, 640 / columns)),
    edge = 34,
    width = columns * step + edge,
    height = rows * step + edge;
  const at = ([x, y]) => [edge + (x + 0.5) * step, height - edge - (y + 0.5) * step];
  const tip = `grid${++serial}`,
    top = Math.max(1e-9, ...section.cells.map((c) => c.value ?? 0)),
    cells = new Map(section.cells.map((c) => [String(c.at), c]));
  let svg =
    `<defs><marker id="${tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" ` +
    `orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>`;
  const line = (a, b) => `<line class="grid" x1="${a[0]}" y1="${a[1]}" x2="${b[0]}" y2="${b[1]}"/>`,
    half = section.wrap ? 0.5 : 0;
  for (let y = 0; y < rows; ++y)
    svg +=
      line(at([-half, y]), at([columns - 1 + half, y])) +
      `<text class="small soft" text-anchor="middle" x="${edge / 2}" y="${at([0, y])[1] + 4}">${y}</text>`;
  for (let x = 0; x < columns; ++x)
    svg +=
      line(at([x, -half]), at([x, rows - 1 + half])) +
      `<text class="small soft" text-anchor="middle" x="${at([x, 0])[0]}" y="${height - 10}">${x}</text>`;
  for (let y = 0; y < rows; ++y) {
    for (let x = 0; x < columns; ++x) {
      const cell = cells.get(String([x, y])),
        [cx, cy] = at([x, y]);
      const colour = cell?.bad ? "var(--bad)" : cell?.value > 0 ? heat(cell.value / top) : "var(--idle)";
      svg +=
        `<circle cx="${cx}" cy="${cy}" r="${step * 0.2}" ` +
        `style="fill:${colour}${cell?.ring ? ";stroke:var(--bad);stroke-width:3" : ""}">` +
        `<title>${escape(`(${x}, ${y})${cell?.text ? ": " + cell.text : ""}`)}</title></circle>`;
    }
  }
  for (const path of section.paths ?? []) {
    path.slice(1).forEach((to, i) => {
      const far = Math.abs(to[0] - path[i][0]) > columns / 2 || Math.abs(to[1] - path[i][1]) > rows / 2,
        around = section.wrap && far; // over the edge
      const [x1, y1] = at(path[i]),
        [x2, y2] = at(to),
        bend = around ? 0.7 * step : 0;
      svg +=
        `<path class="taken" ` +
        `marker-end="url(#${tip})" ` +
        `d="M${x1} ${y1}Q${(x1 + x2) / 2 + (y1 !== y2 ? bend : 0)} ` +
        `${(y1 + y2) / 2 - (x1 !== x2 ? bend : 0)} ${x2} ${y2}"/>`;
    });
  }
  const ringed = section.cells.some((c) => c.ring) ? " A red ring: healthy, but disabled." : "",
    grey = section.unit && section.cells.some((c) => !c.bad && !c.value) ? " Grey: nothing to learn." : "",
    more = `Red has failed.${ringed}${grey} A node's tooltip says more.`,
    picture =
      `<svg class="places" ` +
      `style="width:100%;max-width:${width}px" viewBox="0 0 ${width} ${height}" role="img" ` +
      `aria-label="grid of ${escape(columns)} x ${escape(rows)}">${svg}</svg>`;
  return (
    `<div class="scroll">${picture}</div>` + (section.unit ? scaleHtml(top, section.unit, more) : `<p>${more}</p>`)
  );
}
