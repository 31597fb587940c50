// SPDX-License-Identifier: Apache-2.0
// The pages of a site in a headless Chromium, driven by puppeteer-core (npm): one browser, windows side by side.
// site_test.py makes the site and starts this.
//
//   node browser_test.mjs FOLDER [--update]     FOLDER: site/ and pages that odonata wrote by itself; --update writes
// the stored thumbnails and sums of drawings anew
//
// Documents and reference pages are made alike: all are opened on a narrow page, every twentieth also at other widths
// and searched for barriers; with
// ODONATA_EVERY_PAGE=1 all of them.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import {createRequire} from "node:module";
import path from "node:path";
import {after, before, describe, it} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";

import {apart, packed, thumbnail, unpacked} from "./looks.mjs";

const here = path.dirname(fileURLToPath(import.meta.url)),
  npm = path.resolve(here, "../../build/npm/package.json"),
  require = createRequire(npm);
const puppeteer = require("puppeteer-core"),
  axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = path.resolve(process.argv[2]),
  site = path.join(folder, "site"),
  update = process.argv.includes("--update");
const windows = 2,
  every = Boolean(process.env.ODONATA_EVERY_PAGE);

const pages = fs
  .readdirSync(site, {recursive: true})
  .filter((name) => name.endsWith(".html"))
  .sort()
  .map((name) => path.join(site, name));
const own = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith(".html"))
  .map((name) => path.join(folder, name));
const top = (file) => path.dirname(file) === site,
  alike = pages.filter((file) => !top(file));
const short = (file) => path.relative(folder, file);

const narrow = 360,
  wide = 1408,
  sizes = [
    [narrow, 1408, 11],
    [wide, 2112, 22]
  ]; // of a picture: width, height, pixels of a cell of its thumbnail
const looks = path.join(here, "looks.json"),
  {"made with": storedWith, ...pictures} = JSON.parse(fs.readFileSync(looks, "utf8")),
  stored = {with: storedWith, pictures},
  seen = {};
const kinds = [
  ...pages.filter((file) => top(file) && !/^(README|CHANGELOG|CONTRIBUTING)/.test(path.basename(file))),
  path.join(site, "docs/results/fig10.html"),
  path.join(site, "reference/rtl_congestion.html")
];
const nameOfLook = (file, width, scheme) => `${path.relative(site, file)}, ${width} pixels, ${scheme}`;
const keepLook = async (page, file, width, scheme) => {
  if (kinds.includes(file))
    seen[nameOfLook(file, width, scheme)] = await thumbnail(page, ...sizes.find((size) => size[0] === width));
};

/** What the pages of results draw, as sums: of every picture made of lines, of one over time at each of its steps. */
const drawings = path.join(here, "drawn.json"),
  drawn = {};
const keepDrawing = async (page, file) => {
  if (!(path.dirname(file) === folder || (top(file) && kinds.includes(file)))) return;
  drawn[short(file)] = await page.evaluate(() => {
    const sum = (text) => {
      let out = 0x811c9dc5;
      for (let i = 0; i < text.length; ++i) out = Math.imul(out ^ text.charCodeAt(i), 0x01000193);
      return (out >>> 0).toString(16).padStart(8, "0");
    };
    const out = {};
    for (const svg of document.querySelectorAll("main svg")) {
      const part = svg.closest("section"),
        title = part?.querySelector("h2, h3")?.textContent ?? "",
        name = (n) => `${title} ${n}`;
      let n = 1;
      while (name(n) in out) ++n;
      const range = part?.querySelector(".player input[type=range]");
      if (!title) continue; // of documents
      if (!range || n > 1) {
        out[name(n)] = sum(svg.outerHTML);
        continue;
      }
      const steps = [];
      for (let at = Number(range.min); at <= Number(range.max); ++at) {
        range.value = at;
        range.dispatchEvent(new Event("input"));
        steps.push(svg.outerHTML, part.querySelector(".player output").textContent);
      }
      out[name(n)] = sum(steps.join("\n"));
    }
    return out;
  });
};

let browser, madeWith; // browser and fonts, of which the look of letters depends
before(async () => {
  browser = await puppeteer.launch({
    executablePath: process.env.ODONATA_CHROMIUM,
    pipe: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  });
  const font = (family) => execFileSync("fc-match", [family], {encoding: "utf8"}).trim();
  const version = (await browser.version()).replace("Headless", "").split(".")[0];
  madeWith = [version, font("sans-serif"), font("monospace")].join(", ");
});
after(() => browser.close());

/** A window of its own (tabs behind others draw nothing), with what went wrong in it. */
async function inWindow(work) {
  const context = await browser.createBrowserContext(),
    page = await context.newPage();
  const wrong = [];
  page.setDefaultTimeout(120_000); // a machine may be busy
  page.on("pageerror", (error) => wrong.push(String(error.stack ?? error)));
  page.on(
    "console",
    (said) => ["error", "assert"].includes(said.type()) && wrong.push(`${said.text()} ${said.location()?.url ?? ""}`)
  );
  page.on(
    "request",
    (request) => /^(file|data|about):/.test(request.url()) || wrong.push(`asks the network for ${request.url()}`)
  );
  const devtools = await page.createCDPSession();
  /** In one call: puppeteer's own calls for medium and colours each undo the other's. */
  page.show = async (width, scheme = "light", media = "screen") => {
    await page.setViewport({width, height: 900});
    await devtools.send("Emulation.setEmulatedMedia", {
      media,
      features: [{name: "prefers-color-scheme", value: scheme}]
    });
  };
  /** What went wrong since the page was opened, once what its scripts do when it is drawn is done. */
  page.wrong = async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return [...wrong];
  };
  page.open = async (file) => {
    wrong.length = 0;
    await page.goto(pathToFileURL(file).href);
    return page.wrong();
  };
  /** By how many pixels the page is wider than its window, once its charts have followed. */
  page.overflow = () =>
    page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => done(document.documentElement.scrollWidth - innerWidth))
          )
        )
    );
  try {
    await work(page);
  } finally {
    await context.close();
  }
}
const test = (name, work) => it(name, () => inWindow(work));

/** A page beside others of the site, gone afterwards. */
async function planted(name, text, work) {
  const file = path.join(site, name);
  fs.writeFileSync(file, text);
  try {
    await work(file);
  } finally {
    fs.rmSync(file);
  }
}
let others = 0; // several windows make such pages at a time
/** A page like `like`, of other results. */
const withResults = (like, results, work, more = {}) => {
  const [head, rest] = fs.readFileSync(path.join(site, like), "utf8").split('id="data">'),
    [text, ...end] = rest.split("</script>"),
    data = JSON.stringify({...JSON.parse(text), results, ...more}).replaceAll("<", "\\u003c");
  return planted(`results${++others}.html`, `${head}id="data">${[data, ...end].join("</script>")}`, work);
};

/** What makes an element wherever it gets into a page as it is: in a text and in an attribute. */
const evil = `"><img src="none" onerror="brokenOut()">`;
/** A result with a section of each kind, and in it all that its drawing reads. */
const everything = () => {
  const router = (gid, bid) => ({gid, bid}),
    link_windows = {
      links: [
        [0, 1],
        [1, 0]
      ],
      windows: [
        {first: 0, last: 9, load: "AB"},
        {first: 9, last: 18, load: "BA"}
      ],
      faults: [
        {name: "f", cycle: 3, repair: false, from: 0, to: 1},
        {name: "r", cycle: 4, repair: true, from: 0}
      ]
    },
    spread = {
      services: [
        [0, 0, 5, 0, 0],
        [1, 3, 9, 1, 0]
      ],
      messages: [[0, 1, 1, 3, 0]],
      kinds: ["a", "b"],
      texts: ["t"],
      names: ["r0", "r1"],
      gap: [20, 30],
      faults: [
        {name: "f", cycle: 0, from: 0, to: 1, repaired: -1},
        {name: "r", cycle: 1, from: 1, repaired: 4}
      ]
    },
    groups = {groups: 2, routers: 1, unit: "u", links: []},
    hop = {in_port: {name: "p"}, vc_in: 0, unit: "RTA", hop_class: "GA", sentences: ["s"]},
    winner = {port: 1, name: "w", vc: 1, to: {gid: 1}};
  return {
    command: "c",
    command_line: "l",
    verdict: "fail",
    headline: "h",
    block: "b",
    plant: "p",
    size: "s",
    problems: ["p"],
    facts: {a: "f", [evil]: "f"},
    levels: {a: {problems: ["p"], cycles_per_s: 1}, [evil]: {cycles_per_s: 1}},
    topology: "t",
    others: [{a: "o", [evil]: "o"}, {a: 1}],
    alike: {[evil]: {a: 1, b: "x"}, other: {a: 2, b: "y"}},
    from: {...router(0, 0), nid: 0},
    to: {...router(1, 0), nid: 1},
    outcome: "delivered",
    why: ["w"],
    minimal_path: [router(0, 0), router(2, 0), router(1, 0)],
    hops: [
      {...hop, router: router(0, 0), winner},
      {...hop, router: router(1, 0), winner: null}
    ],
    report: [
      {type: "text", title: "t", text: "x"},
      {type: "list", items: ["i"]},
      {type: "table", header: ["h", "g"], rows: ["a", "b", "c"].map((cell) => [cell, 1])},
      {
        type: "timing",
        lanes: [{name: "n", cells: [null, ...["pin", "wait", "ack"].map((kind) => ({kind, text: "t", number: 1}))]}]
      },
      {
        type: "waves",
        first: 3,
        lanes: [
          {name: "n", bits: 1, values: ["0", "1"]},
          {name: "m", values: ["1", "2"], got: ["1", "3"]}
        ],
        reasons: ["r"]
      },
      {type: "bars", bars: [{label: "l", value: 1, max: 2, text: "t", note: "n", bad: true}, {label: "l", value: -1}]},
      {
        type: "coverage",
        coverage: {
          percent: 50,
          bins: 2,
          reached: 1,
          unreachable: 1,
          groups: [{name: "g", bins: 2, reached: 1, unreachable: 1, hits: 7}],
          unreached: ["u"],
          contradicted: [{bin: "b", hits: 1, justification: "j"}],
          justifications: [{text: "t", bins: 1}]
        }
      },
      {
        type: "lines",
        x_label: "x",
        y_label: "y",
        y_max: 5,
        log: false,
        tight: false,
        series: [
          {name: "a", points: [[0, 1, 0.5, "p"]]},
          {name: "b", like: 0, marks: true, dots: false, points: [[1, 2]]}
        ]
      },
      {type: "stacked", parts: ["p"], bars: [{label: "l", start: 1, values: [2]}]},
      {type: "scatter", x_label: "x", y_label: "y", points: [{x: 1, y: 2, name: "n", front: true}]},
      {
        type: "tracks",
        tracks: ["t"],
        kinds: ["k"],
        slices: [[0, 0, 5, 0, "s"]],
        arrows: [[0, 0, 1, 2]],
        first: 0,
        last: 5
      },
      {type: "network", places: ["x", "y"].map((_, n) => [n, 0]), names: ["n", "m"], unit: "u", link_windows},
      {
        ...groups,
        type: "dragonfly",
        links: [
          {from: [0, 0], to: [1, 0], value: 1, text: "l"},
          {from: [1, 0], to: [0, 0], bad: true, text: "l"}
        ],
        values: [{router: [0, 0], value: 1, text: "v"}],
        dead: [[1, 0]]
      },
      {...groups, type: "dragonfly", windows: true, link_windows},
      {...groups, type: "dragonfly", spread},
      {
        type: "grid",
        columns: 2,
        rows: 2,
        wrap: true,
        unit: "u",
        cells: [{at: [0, 0], value: 1, bad: false, ring: true, text: "t"}],
        paths: [
          [
            [0, 0],
            [1, 0]
          ]
        ]
      },
      {type: "path"},
      {type: "data"},
      {type: "nonsense"}
    ]
  };
};
const startPage = fs.readFileSync(path.join(site, "index.html"), "utf8"),
  withMain = (more) => startPage.replace("</main>", `${more}</main>`);

/** What axe-core calls serious or critical. Of tables, bars and lists the first, which are all alike; in the dark
    the colours. */
async function barriers(page, name) {
  await page.evaluate(`${axe};0`);
  const found = [];
  for (const scheme of ["light", "dark"]) {
    await page.show(narrow, scheme);
    const said = await page.evaluate((dark) => {
      for (const [all, first] of [
        ["tbody", 3],
        [".bars", 12],
        ["ul, ol", 6],
        ["svg.ring, svg.places", 20]
      ]) {
        for (const one of document.querySelectorAll(all))
          [...one.children].slice(first).forEach((rest) => rest.remove());
      }
      return axe
        .run(document, {
          resultTypes: ["violations"],
          preload: false,
          iframes: false,
          ...(dark ? {runOnly: ["color-contrast"]} : {})
        })
        .then(({violations}) =>
          violations.flatMap((v) =>
            v.nodes.map((n) => [n.impact, v.id, n.target.join(" "), n.failureSummary.split("\n").at(-1).trim()])
          )
        );
    }, scheme === "dark");
    found.push(
      ...said
        .filter(([impact]) => ["serious", "critical"].includes(impact))
        .map(([, ...what]) => `${name}, ${scheme}: ${what.join(": ")}`)
    );
  }
  return found;
}

/** One page at all widths and in both colours. */
async function look(page, file) {
  const number = alike.indexOf(file),
    sample = every || number < 0 || number % 20 === 0 || kinds.includes(file),
    start = sample ? wide : narrow;
  const fits = async (width, scheme) => {
    await page.show(width, scheme);
    assert.ok((await page.overflow()) <= 0, `${short(file)} is wider than ${width} pixels`);
  };
  await page.show(start, "light");
  assert.deepEqual(await page.open(file), [], short(file));
  await fits(start, "light");
  await keepLook(page, file, start, "light");
  await keepDrawing(page, file);
  const words = await page.evaluate(() => document.querySelector("main").innerText);
  assert.ok(words.length > 20, short(file));
  if (top(file) || path.dirname(file) === folder)
    assert.doesNotMatch(words, /cannot be drawn|unknown section|undefined|NaN/, short(file));
  assert.equal(await page.evaluate(() => document.querySelectorAll("h1").length), 1, short(file));
  if (sample) {
    await fits(2000, "dark");
    await page.show(narrow, "dark");
    assert.deepEqual(await page.open(file), [], short(file));
    await keepLook(page, file, narrow, "dark");
    await fits(narrow, "light");
    await keepLook(page, file, narrow, "light");
    assert.deepEqual(await page.wrong(), [], short(file));
    assert.deepEqual(await barriers(page, short(file)), []);
  }
}

describe("every page loads, fits, and has no barriers", {concurrency: windows}, () => {
  const left = [...pages, ...own].sort((a, b) => fs.statSync(b).size - fs.statSync(a).size);
  for (let n = 1; n <= windows; ++n) {
    test(`window ${n}`, async (page) => {
      while (left.length > 0) await look(page, left.shift());
    });
  }
});

it("pages of results draw what is stored", () => {
  const sorted = (named) => Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
    now = sorted(
      Object.fromEntries(
        Object.entries(drawn)
          .filter(([, sums]) => Object.keys(sums).length)
          .map(([name, sums]) => [name, sorted(sums)])
      )
    );
  if (update) fs.writeFileSync(drawings, `${JSON.stringify(now, null, 1)}\n`);
  assert.deepEqual(
    now,
    JSON.parse(fs.readFileSync(drawings, "utf8")),
    "look at these pictures; if they are right: tb/site/site_test.py browser build/release/sim/odonata --update"
  );
});

describe("pages look as stored, loosely: a line of words more does not count, a lost style sheet does", () => {
  const limit = 7; // percent
  const otherwise = (t) => t.skip(`the thumbnails were made with ${stored.with}, here is ${madeWith}`);

  it("beside the stored ones", (t) => {
    if (update)
      return fs.writeFileSync(
        looks,
        `${JSON.stringify(
          {
            "made with": madeWith,
            ...Object.fromEntries(
              Object.keys(seen)
                .sort()
                .map((name) => [name, packed(seen[name])])
            )
          },
          null,
          1
        )}\n`
      );
    if (stored.with !== madeWith) return otherwise(t);
    assert.deepEqual(Object.keys(seen).sort(), Object.keys(stored.pictures).sort(), "pages came or went");
    const far = Object.entries(seen)
      .map(([name, picture]) => [name, apart(picture, unpacked(stored.pictures[name]))])
      .filter(([, percent]) => percent > limit);
    assert.deepEqual(
      far,
      [],
      "look at these pages; if they are right: tb/site/site_test.py browser build/release/sim/odonata --update"
    );
  });

  it("planted bugs of the layout are seen", (t) =>
    inWindow(async (page) => {
      if (update || stored.with !== madeWith) return otherwise(t);
      const file = path.join(site, "index.html");
      const plants = [
        [".cards { display: block }", wide],
        [".card svg { height: 300px }", narrow],
        ["main { margin-left: 0; padding: 0 }", wide],
        ["header.site nav, header.site nav a { display: block }", narrow],
        [":root { --paper: #fbfbf9 !important }", narrow, "dark"],
        ["p { letter-spacing: .01em }", narrow, "light", false],
        ["p { letter-spacing: .01em }", wide, "light", false]
      ];
      for (const [style, width, scheme = "light", bad = true] of plants) {
        await page.show(width, scheme);
        await page.open(file);
        await page.addStyleTag({content: style});
        const percent = apart(
          await thumbnail(page, ...sizes.find((size) => size[0] === width)),
          unpacked(stored.pictures[nameOfLook(file, width, scheme)])
        );
        assert.equal(percent > limit, bad, `${style} at ${width} pixels: ${percent}`);
      }
    }));
});

describe("what is planted is found", {concurrency: windows}, () => {
  test("errors, requests, overflow", async (page) => {
    const plants = {
      "<script>missing()</script>": "missing is not defined",
      "<script>console.error('planted')</script>": "planted",
      "<img alt='' src='none.png'>": "none.png",
      "<img alt='' src='http://127.0.0.1:9/'>": "asks the network"
    };
    for (const [plant, said] of Object.entries(plants))
      await planted("planted.html", withMain(plant), async (file) =>
        assert.match((await page.open(file)).join(), new RegExp(said))
      );
    await planted("planted.html", withMain(`<pre>${"wide".repeat(300)}</pre>`), async (file) => {
      for (const width of [360, 1400]) {
        await page.show(width);
        await page.open(file);
        assert.ok((await page.overflow()) > 100);
      }
    });
  });
  test("barriers", async (page) => {
    const grey =
      "<style>@media (prefers-color-scheme: dark) { .planted { color: #333c48; } }</style><p class=planted>words</p>";
    const plants = {
      "<img src='data:,'>": ": image-alt: ",
      "<button></button>": ": button-name: ",
      [grey]: ", dark: color-contrast: .planted"
    };
    for (const [plant, said] of Object.entries(plants)) {
      await planted("barrier.html", withMain(plant), async (file) => {
        await page.open(file);
        assert.ok((await barriers(page, "planted")).join().includes(said), said);
      });
    }
  });
});

describe("pictures and tables answer", {concurrency: windows}, () => {
  const slide = (page, value) =>
    page.evaluate((to) => {
      const at = document.querySelector("input[type=range]");
      at.value = to === "last" ? at.max : to;
      at.dispatchEvent(new Event("input"));
      return document.querySelector(".player output").textContent;
    }, value);

  test("sliders over time draw what was", async (page) => {
    const failed = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll(".player")[0].previousElementSibling.querySelectorAll(".link")].filter((l) =>
            l.style.stroke.includes("--bad")
          ).length
      );
    const style = () => page.evaluate(() => document.querySelector(".link").getAttribute("style"));
    await page.show(1400);
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    assert.match(await slide(page, 0), /^100 to 199; mean load 0\./);
    assert.equal(await failed(), 0);
    const earlier = await style();
    assert.match(await slide(page, 2), /^300 to 399; /);
    assert.equal(await failed(), 1); // it fails in cycle 300
    assert.notEqual(await style(), earlier);
    assert.deepEqual(await page.open(path.join(site, "fault.html")), []);
    assert.equal(await slide(page, 0), "0: 2 routers work, 0 have, 0 messages on their way");
    assert.match(await slide(page, "last"), /^[0-9,]+: 0 routers work, 24 have, 0 messages on their way$/);
    await slide(page, 0);
    const words = () => page.$eval(".player output", (output) => output.textContent);
    await page.focus(".player input");
    await page.keyboard.press("ArrowRight");
    assert.doesNotMatch(await words(), /^0:/);
    await slide(page, 0);
    await page.focus(".player button");
    await page.keyboard.press("Enter"); // plays
    await page.waitForFunction(() => !document.querySelector(".player output").textContent.startsWith("0:"));
    await page.keyboard.press("Enter"); // stops
    const last = await slide(page, "last");
    await page.keyboard.press("Enter"); // plays from the start: there is nothing behind the end
    await page.waitForFunction((end) => document.querySelector(".player output").textContent !== end, {}, last);
    assert.ok(await page.$eval(".player input", (at) => Number(at.value) < Number(at.max) / 2));
  });

  test("links over time: down while the link or a router at its end is", async (page) => {
    const link_windows = {
      links: [
        [0, 1],
        [1, 0]
      ],
      windows: [0, 1, 2, 3, 4, 5].map((n) => ({first: 100 * n, last: 100 * n + 100, load: "AB"})),
      faults: [
        {name: "n", cycle: 10, repair: false, from: 0, to: 0}, // a node of router 0
        {name: "f", cycle: 120, repair: false, from: 0, to: 1},
        {name: "f", cycle: 250, repair: true, from: 0, to: 1},
        {name: "f", cycle: 320, repair: false, from: 0, to: 1},
        {name: "r", cycle: 330, repair: false, from: 1},
        {name: "f", cycle: 430, repair: true, from: 0, to: 1},
        {name: "r", cycle: 530, repair: true, from: 1}
      ]
    };
    const report = [{type: "dragonfly", title: "Links", groups: 2, routers: 1, links: [], windows: true}];
    await withResults("fault.html", [{command: "net", link_windows, report}], async (file) => {
      await page.show(1400);
      assert.deepEqual(await page.open(file), []);
      for (const [at, down] of [false, true, false, true, true, false].entries()) {
        // the two links are one line, and have loads of 0 and 1/63
        assert.match(await slide(page, at), /; mean load 0\.007937/);
        const said = await page.evaluate(() => document.querySelector(".link").firstChild.textContent);
        assert.equal(said.includes("down"), down, `${at}: ${said}`);
      }
    });
  });

  test("a map of groups by groups has a row from a group and a column to a group", async (page) => {
    const groups = 30,
      pairs = Array.from({length: groups * groups}, (_, n) => [Math.floor(n / groups), n % groups]),
      links = pairs.filter(([from, to]) => from !== to),
      link_windows = {links, windows: [{first: 0, last: 100, load: "B".repeat(links.length)}], faults: []};
    const report = [{type: "dragonfly", title: "Links", groups, routers: 1, links: [], windows: true}];
    await withResults("fault.html", [{command: "net", link_windows, report}], async (file) => {
      await page.show(1400);
      assert.deepEqual(await page.open(file), []);
      const cells = await page.evaluate(() =>
        [...document.querySelectorAll("rect.link")].map((rect) => [
          rect.firstChild.textContent,
          Math.round((rect.x.baseVal.value - 36) / rect.width.baseVal.value),
          Math.round((rect.y.baseVal.value - 36) / rect.height.baseVal.value)
        ])
      );
      assert.equal(cells.length, links.length);
      for (const [said, column, row] of cells) assert.ok(said.startsWith(`group ${row} to group ${column}:`), said);
    });
  });

  test("as many links as a call cannot take as arguments are drawn", async (page) => {
    const many = 150_000,
      routers = 300,
      link_windows = {
        links: Array.from({length: many}, (_, n) => [n % routers, (n + 1) % routers]),
        windows: [0, 100].map((first) => ({first, last: first + 100, load: "A".repeat(many - 1) + "/"})),
        faults: []
      };
    const places = Array.from({length: routers}, (_, n) => [n % 20, Math.floor(n / 20)]),
      report = [{type: "network", title: "Links", windows: true, places, names: places.map(String)}];
    await withResults("fault.html", [{command: "net", link_windows, report}], async (file) => {
      await page.show(1400);
      assert.deepEqual(await page.open(file), []);
      assert.match(await slide(page, 0), /highest 1$/);
      assert.doesNotMatch(await page.evaluate(() => document.querySelector("main").innerText), /cannot be drawn/);
    });
  });

  test("a spread is shown first where most is on its way, before what is left out", async (page) => {
    const messages = [[100, 110], [101, 111], [500, 510], [501, 511], [502, 512]].map((t) => [0, 1, ...t, 0]),
      spread = {services: [[0, 90, 99, 0, ""]], messages, names: ["G0.s0", "G1.s0"], kinds: ["FD"], texts: [""]};
    const shown = async (more) => {
      const report = [
        {type: "dragonfly", title: "Spread", groups: 2, routers: 1, links: [], spread: {...spread, faults: [], ...more}}
      ];
      let words;
      await withResults("fault.html", [{command: "fault", report}], async (file) => {
        await page.show(1400);
        assert.deepEqual(await page.open(file), []);
        words = await page.evaluate(() => document.querySelector(".player output").textContent);
      });
      return words;
    };
    assert.match(await shown({}), /^502: .* 3 messages/);
    assert.match(await shown({gap: [400, 490]}), /^101: .* 2 messages/);
  });

  test("no value of a result makes an element", async (page) => {
    for (const [like, library] of [
      ["network.html", "uPlot"],
      ["cosimulation.html", "WaveDrom"]
    ]) {
      assert.deepEqual(await page.open(path.join(site, like)), []);
      const [there, missing, undrawn, broken] = await page.evaluate(
        (result, bad, drawing) => {
          const leaves = (value, at = []) =>
            value !== null && typeof value === "object"
              ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...at, key]))
              : [at];
          const bodies = (of) => of.report.map((section) => bodyHtml(section, of));
          const makes = (html) => element("template", {innerHTML: html}).content.querySelector("img") !== null;
          const all = (of) => [bannerHtml([of]), factsHtml([of]), ...bodies(of)].some(makes);
          const with_ = (at) => {
            const copy = structuredClone(result);
            at.slice(0, -1).reduce((holder, key) => holder[key], copy)[at.at(-1)] = bad;
            return copy;
          };
          return [
            document.querySelector(`script[src$="${drawing.toLowerCase()}.js"]`) !== null,
            Object.keys(kinds).filter((kind) => !result.report.some((section) => section.type === kind)),
            bodies(result).filter((html) => html.includes("cannot be drawn")),
            [[], ...leaves(result)].filter((at) => all(at.length ? with_(at) : result)).map((at) => at.join("."))
          ];
        },
        everything(),
        evil,
        library
      );
      assert.ok(there, `${like} draws with ${library}`);
      assert.deepEqual(missing, [], "kinds of which there is no section here");
      assert.deepEqual(undrawn, []);
      assert.deepEqual(broken, [], "what makes an element");
    }
  });

  test("a page whose every text would be an element has none of them, and loads nothing", async (page) => {
    const marks = new Set(["type", "kind", "load"]); // what a drawing decides by
    const spoilt = (value, key) =>
      typeof value === "string"
        ? marks.has(key)
          ? value
          : evil
        : Array.isArray(value)
          ? value.map((inner) => spoilt(inner, key))
          : value !== null && typeof value === "object"
            ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoilt(inner, name)]))
            : value;
    const result = spoilt(everything());
    result.report = result.report.map((section) => ({title: evil, text: evil, ...section}));
    // only what the site lays beside its pages is fetched
    for (const file of [evil, "data:text/javascript,brokenOut()", "none.js"])
      result.report.push({type: "text", title: "t", text: "x", file});
    for (const like of ["network.html", "cosimulation.html"]) {
      await withResults(
        like,
        [result, result],
        async (file) => {
          await page.show(1400);
          assert.deepEqual(await page.open(file), []);
          await page.evaluate(() => {
            for (const at of document.querySelectorAll("input[type=range]")) {
              for (const value of [at.min, at.max]) {
                at.value = value;
                at.dispatchEvent(new Event("input"));
              }
            }
          });
          await page.focus(like === "network.html" ? ".plot" : ".skip");
          await page.keyboard.press("ArrowRight");
          const [drawn, images, later, words] = await page.evaluate(() => [
            document.querySelectorAll(".plot canvas, .cycles svg").length,
            document.querySelectorAll("img, [onerror]").length,
            document.querySelectorAll(".later").length,
            document.querySelector("main").innerText
          ]);
          assert.ok(drawn >= 4, `${drawn} charts or waveforms`);
          assert.equal(images, 0);
          assert.equal(later, 0, "sections that would be fetched");
          assert.doesNotMatch(words, /cannot be drawn/);
          assert.deepEqual(await page.wrong(), []);
        },
        {title: evil}
      );
    }
  });

  test("a series has its name in the keys, whatever is in it", async (page) => {
    const series = ["<i>&", "a<b>c", "&amp;"].map((name) => ({name, points: [[0, 1]]})),
      report = [{type: "lines", title: "Chart", x_label: "x", y_label: "y", series}];
    await withResults("network.html", [{command: "net", report}], async (file) => {
      assert.deepEqual(await page.open(file), []);
      assert.deepEqual(
        await page.$$eval(".keys button", (keys) => keys.map((key) => key.textContent)),
        series.map(({name}) => `━ ${name}`)
      );
    });
  });

  test("colours of routers have their scale, also where links have no value", async (page) => {
    const links = [{from: [0, 0], to: [1, 0], bad: true, text: "failed"}],
      values = [7, 1234].map((value, n) => ({router: [n, 0], value, text: "r"})),
      section = {type: "dragonfly", title: "Part", groups: 2, routers: 1, unit: "cycles"};
    const scales = async (sections) => {
      let said;
      await withResults("fault.html", [{command: "fault", report: sections}], async (file) => {
        assert.deepEqual(await page.open(file), []);
        said = await page.$$eval(".scale", (all) => all.map((scale) => scale.querySelectorAll("span")[1].textContent));
      });
      return said;
    };
    assert.deepEqual(await scales([{...section, links, values}]), ["1,234 cycles"]);
    assert.deepEqual(await scales([{...section, links: [{...links[0], value: 3}], values}]), ["1,234 cycles"]);
    assert.deepEqual(await scales([{...section, links: [{...links[0], value: 3}]}]), ["3 cycles"]);
    assert.deepEqual(await scales([{...section, links, values: []}]), [], "nothing is coloured");
    assert.deepEqual(await page.open(path.join(site, "fault.html")), []);
    const [most, shown] = await page.evaluate(() => {
      const sections = data.results.flatMap((result) => result.report ?? []),
        part = sections.find((s) => s.type === "dragonfly" && s.values?.length);
      return [
        number(greatest(part.values.map((v) => v.value))),
        [...document.querySelectorAll(".scale")].map((scale) => scale.querySelectorAll("span")[1].textContent)
      ];
    });
    assert.ok(shown.includes(`${most} cycles`), `${most}: ${shown}`);
  });

  test("a bar below 0 ends where those above 0 begin", async (page) => {
    await page.show(1400);
    assert.deepEqual(await page.open(path.join(site, "docs/cli.html")), []);
    const [below, above] = await page.evaluate(() => {
      const box = document.createElement("div");
      box.innerHTML = barsHtml([
        {label: "less", value: -0.5},
        {label: "more", value: 1}
      ]);
      document.querySelector("main").append(box);
      return [...box.querySelectorAll("i")].map((bar) => bar.getBoundingClientRect()).map((r) => [r.left, r.right]);
    });
    assert.ok(Math.abs(below[1] - above[0]) < 1, `${below} ${above}`);
    assert.ok(Math.abs(2 * (below[1] - below[0]) - (above[1] - above[0])) < 1, `${below} ${above}`);
  });

  test("a table as CSV quotes what has to be quoted", async (page) => {
    await page.show(1280);
    assert.deepEqual(await page.open(path.join(site, "docs/cli.html")), []);
    const text = await page.evaluate(() => {
      const table = document.createElement("table");
      for (const cells of [
        ["a", 'of 5" x'],
        ["b, c", "d"]
      ]) {
        const row = table.insertRow();
        for (const cell of cells) row.insertCell().textContent = cell;
      }
      return csvOf(table);
    });
    assert.equal(text, 'a,"of 5"" x"\n"b, c",d\n');
  });

  test("a folded table is copied whole; blanks come last, numbers below zero first", async (page) => {
    await page.show(1280);
    assert.deepEqual(await page.open(path.join(site, "docs/cli.html")), []);
    const [lines, orders] = await page.evaluate(() => {
      const made = (cells) => {
        const part = document.createElement("div");
        part.innerHTML = tableHtml(
          ["x"],
          cells.map((cell) => [cell])
        );
        document.querySelector("main").append(part);
        dressTables(part);
        return part.querySelector("table");
      };
      const long = made(Array.from({length: 60}, (_, n) => `row ${n}`));
      const hidden = [...long.rows].filter((row) => row.hidden).length;
      const sorted = (cells) => {
        const table = made(cells);
        table.querySelector("th button").click();
        return [...table.tBodies[0].rows].map((row) => row.cells[0].textContent);
      };
      return [
        [hidden, csvOf(long).trim().split("\n").length],
        [
          sorted(["2", "-3.1", "", "1"]),
          sorted(["2 %", "+1 %", "10 %", "-3.1 %"]),
          sorted(["1,200,000", "n", "30", "1,900"]),
          sorted(["1,234,567", "20,000", "999"])
        ]
      ];
    });
    const toTheRight = (cell) => page.evaluate((x) => tableHtml(["x"], [[x]]).includes('class="num'), cell);
    assert.equal(await toTheRight("2026"), true);
    assert.equal(await toTheRight("2026-11-28"), false, "a date is no number");
    assert.ok(lines[0] > 10, "it is folded");
    assert.equal(lines[1], 61);
    assert.deepEqual(orders, [
      ["-3.1", "1", "2", ""],
      ["-3.1 %", "+1 %", "2 %", "10 %"],
      ["30", "1,900", "1,200,000", "n"],
      ["999", "20,000", "1,234,567"]
    ]);
    const axis = await page.evaluate(() =>
      heights(
        {log: true},
        [0, 5, 50].map((y, x) => [x, y])
      )
    );
    assert.ok(axis[0] > 0.5 && axis[0] <= 5, `a value of 0 is on no axis of logarithms: ${axis}`);
  });

  test("a folded table shows what the filter finds, also behind the fold", async (page) => {
    const rows = Array.from({length: 40}, (_, n) => [`row ${n}`, n]),
      report = [{type: "table", title: "Rows", header: ["name", "n"], rows}];
    await withResults("network.html", [{command: "net", report}], async (file) => {
      await page.show(1280);
      assert.deepEqual(await page.open(file), []);
      const shown = (wanted) =>
        page.evaluate((text) => {
          const field = document.querySelector(".tools input");
          field.value = text;
          field.dispatchEvent(new Event("input"));
          const {rows: all} = field.closest("section").querySelector("table").tBodies[0];
          return [...all].filter((row) => row.checkVisibility()).map((row) => row.cells[0].textContent);
        }, wanted);
      const names = (from, to) => rows.slice(from, to).map(([name]) => name);
      assert.deepEqual(await shown(""), names(0, 15));
      assert.deepEqual(await shown("row 39"), ["row 39"]);
      assert.deepEqual(await shown("row 3"), ["row 3", ...names(30, 40)]);
      assert.deepEqual(await shown("row"), names(0, 15), "what it finds is folded, too");
      assert.deepEqual(await shown("3838"), [], "a cell has it, not two");
      await page.evaluate(() => document.querySelector(".tools button:last-of-type").click());
      assert.deepEqual(await shown("row"), names(0, 40));
    });
  });

  test("a banner says the worst; a lane is red where it is wrong, also where it does not change", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const banner = (...verdicts) =>
      page.evaluate(
        (all) => bannerHtml(all.map((verdict) => ({command: "net", verdict}))).match(/<strong>(.*?)<\/strong>/)[1],
        verdicts
      );
    assert.equal(await banner("pass", "interrupted"), "Interrupted: nothing is shown");
    assert.equal(await banner("interrupted", "fail"), "Not validated: 2 of 2 checks failed");
    assert.equal(await banner("pass", "fail", "pass"), "Not validated: 1 of 3 checks failed");
    assert.equal(await banner("pass", "pass"), "Validated: every check of this run holds");
    assert.deepEqual(await page.open(path.join(site, "cosimulation.html")), []);
    const drawn = await page.evaluate(() => {
      wavesHtml({first: 7, lanes: [{name: "a", values: ["1", "2", "2", "2"], got: ["1", "1", "1", "2"]}]});
      return diagrams.at(-1).source.signal.map(({wave}) => wave);
    });
    assert.deepEqual(drawn, ["22..", "29.2"]);
    const named = await page.evaluate(() => {
      wavesHtml({first: 0, lanes: [{name: "a<o>&b", values: ["<u>1"]}]});
      return diagrams.at(-1).source.signal;
    });
    assert.deepEqual([named[0].name, named[0].data], ["a o  b", [" u 1"]], "WaveDrom would take these for its marks");
  });

  test("cells with quotes, long lists, cycles of a table, hops over an edge", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const said = await page.evaluate(() => {
      const table = document.createElement("table");
      table.innerHTML = `<tr><th>a</th></tr><tr><td>say "x", or "y"</td></tr><tr><td>1,5</td></tr>`;
      const part = document.createElement("section");
      part.innerHTML = wavesHtml({first: 4991, lanes: [{name: "a", values: ["1", "2", "2"]}]});
      const coverage = {
        percent: 1,
        bins: 250,
        reached: 1,
        groups: [],
        unreached: Array.from({length: 249}, (_, n) => `bin ${n}`)
      };
      const hop = (to) => {
        const grid = {wrap: true, columns: 4, rows: 4, cells: [], paths: [[[0, 0], to]]},
          [x1, y1, cx, cy, x2, y2] = gridHtml(grid)
            .match(/class="taken"[^>]* d="([^"]*)"/)[1]
            .match(/[\d.-]+/g)
            .map(Number);
        return [cx !== (x1 + x2) / 2, cy !== (y1 + y2) / 2];
      };
      return [
        csvOf(table),
        [...part.querySelectorAll("th")].map((cell) => cell.textContent),
        coverageHtml({coverage}, {}).match(/and \d+ more/)[0],
        [hop([0, 3]), hop([3, 0]), hop([0, 1]), hop([1, 0])]
      ];
    });
    assert.deepEqual(said, [
      'a\n"say ""x"", or ""y"""\n"1,5"\n',
      ["", "4991", "4992", "4993"],
      "and 49 more",
      [
        [true, false],
        [false, true],
        [false, false],
        [false, false]
      ]
    ]);
  });

  test("cycles of which something is left out say so", async (page) => {
    const spread = {
      services: [
        [0, 0, 5, 2, 0],
        [1, 90, 95, 2, 0]
      ],
      messages: [[0, 1, 5, 90]],
      kinds: ["a", "b", "c"],
      texts: ["t"],
      names: ["r0", "r1"],
      gap: [10, 80],
      faults: [{name: "f", cycle: 0, from: 0, to: 1, repaired: -1}]
    };
    const report = [{type: "dragonfly", title: "Spread", groups: 2, routers: 1, links: [], spread, unit: "cycles"}];
    await withResults("fault.html", [{command: "fault", report}], async (file) => {
      await page.show(1400);
      assert.deepEqual(await page.open(file), []);
      assert.match(await slide(page, 5), /^5: 0 routers work, 1 have, 1 messages/);
      assert.match(await slide(page, 10), /^10: not all of these cycles is shown, from 10 to 80$/);
      assert.match(await slide(page, 90), /^90: 1 routers work/);
    });
  });

  test("a mismatch is drawn with its end in view and its names beside", async (page) => {
    await page.show(360);
    assert.deepEqual(await page.open(path.join(site, "cosimulation.html")), []);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll(".cycles use")]
        .filter((use) => use.getAttribute("xlink:href").endsWith("vvv-9"))
        .map((use) => {
          const name = use.closest("[id^=wavelane_]").parentNode.querySelector(".name text");
          return {
            at: use.getBoundingClientRect().left,
            name: name.textContent,
            from: name.getBoundingClientRect().left
          };
        })
    );
    assert.ok(shown.length > 0);
    assert.ok(Math.max(...shown.map((s) => s.at)) < 360);
    assert.match(shown[0].name, /non-empty GA GB GC/);
    assert.ok(shown[0].from >= 0 && shown[0].from < shown[0].at, JSON.stringify(shown[0]));
  });

  test("the pipeline is drawn in cycles", async (page) => {
    await page.show(1400);
    assert.deepEqual(await page.open(path.join(site, "pipeline.html")), []);
    const names = await page.evaluate(() =>
      [...document.querySelectorAll(".cycles svg .name text")].map((t) => t.textContent)
    );
    assert.ok(names.includes("stage 3 filter"), names.join());
    assert.ok((await page.evaluate(() => document.querySelectorAll(".cycles use").length)) > 40);
  });

  test("a chart answers to keys and follows the colours", async (page) => {
    await page.show(1400);
    assert.deepEqual(await page.open(path.join(site, "docs/results/fig10.html")), []);
    const press = async (key = "ArrowRight") => {
      await page.focus(".plot");
      await page.keyboard.press(key);
      return page.$eval(".plot", (plot) => plot.nextElementSibling.textContent);
    };
    const last = await press("ArrowLeft");
    assert.equal(await press(), last, "nothing is behind the last one");
    assert.deepEqual(await page.open(path.join(site, "docs/results/fig10.html")), []);
    assert.match(await press(), /^load, flits a node and cycle 0\.1: val \d+/);
    assert.match(await press(), /0\.4: val .*; val, paper \d+/);
    const points = {dots: JSON.parse("[[5, 2], [5, 1]]"), line: [[4, 9]]};
    assert.deepEqual(
      await page.evaluate(({dots, line}) => aligned([{points: dots}, {points: line}]), points),
      JSON.parse("[[4, 5, 5], [null, [5, 2], [5, 1]], [[4, 9], null, null]]"),
      "two values of a series at one place are both drawn"
    );
    await page.click(".keys button");
    assert.doesNotMatch(await press(), /val 2/);
    const pixels = () =>
      page.evaluate(() => {
        const c = document.querySelector(".plot canvas"),
          d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        let count = 0,
          sum = 0;
        for (let i = 0; i < d.length; i += 4)
          if (d[i + 3] > 200) [count, sum] = [count + 1, sum + d[i] + d[i + 1] + d[i + 2]];
        return [count, sum / count];
      });
    const [count, light] = await pixels();
    assert.ok(count > 1000);
    await page.show(1400, "dark");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
    assert.ok((await pixels())[1] < light - 100, "lines of the grid are dark in the dark");
    assert.ok(
      (await page.evaluate(() => {
        const values = document.querySelector("details.values");
        values.open = true;
        return values.querySelector("tbody").rows.length;
      })) > 1
    );
  });

  test("a chart of equal values has room above and below", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    for (const tight of [true, false]) {
      for (const value of [0, 0.25, 500]) {
        const points = [0, 10].map((x) => [x, value]);
        const [low, high] = await page.evaluate((section, all) => heights(section, all), {tight}, points);
        assert.ok(low <= value && value < high, `${value}: ${low} to ${high}`);
        assert.ok(!tight || value === 0 || low < value, `${value}: from ${low}`);
      }
    }
  });

  test("a tight chart begins below its lowest value, whatever its digits", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const points = [100, 5, 30, 200, 110].map((y, x) => [x, y]);
    const [low, high] = await page.evaluate((all) => heights({tight: true}, all), points);
    assert.ok(low < 5 && high > 200, `${low} to ${high}`);
  });

  test("a chart of values below 0 ends above them, one of none is there", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const axis = (section, values) =>
      page.evaluate((s, all) => heights(s, all), section, values.map((y, x) => [x, y]));
    const [low, high] = await axis({}, [-1, -2]);
    assert.ok(low === -2 && high > 0 && high < 1, `${low} to ${high}`);
    const [least, most] = await axis({tight: true}, [-1, -2]);
    assert.ok(least < -2 && most > -1, `${least} to ${most}`);
    assert.deepEqual(await axis({log: true}, []), [0.1, 1]);
    assert.deepEqual(await axis({y_max: 5}, []), [0, 5]);
    const [tiny, over] = await axis({log: true}, [0.00001]);
    assert.ok(0 < tiny && tiny < 0.00001 && over > 0.00001, `${tiny} to ${over}`);
    const series = [{name: "a", points: []}],
      none = {type: "lines", title: "None", x_label: "x", y_label: "y", tight: true, series};
    const rows = Array.from({length: 20}, (_, n) => [n]);
    const report = [none, {type: "table", title: "Behind", header: ["n"], rows}];
    await withResults("network.html", [{command: "net", report}], async (file) => {
      assert.deepEqual(await page.open(file), []);
      assert.ok((await page.evaluate(() => document.querySelectorAll("th button").length)) > 0, "the table sorts");
    });
  });

  test("what is shown elsewhere at the top is shown further in", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const html = await page.evaluate((result) => dataHtml(result), {
      command: "mine",
      version: "1.2.3",
      thing: {version: 3, headline: "x", other: 1}
    });
    for (const words of ["thing, version", "thing, headline", "thing, other"]) assert.ok(html.includes(words), html);
    for (const words of ["mine", "1.2.3"]) assert.ok(!html.includes(words), html);
  });

  test("networks have their links over time", async (page) => {
    await page.show(1400);
    for (const [name, links] of [
      ["mesh", 2 * (2 * 24 + 16)],
      ["torus", 100],
      ["network", 0],
      ["fat_tree", 2 * 2 * 2 * 12]
    ]) {
      assert.deepEqual(await page.open(path.join(site, `${name}.html`)), []);
      const found = await page.evaluate(() =>
        [...document.querySelectorAll('svg[aria-label^="network of"]')].map(
          (svg) => svg.querySelectorAll(".link").length
        )
      );
      links ? assert.ok(found.includes(links), `${name}: ${found}`) : assert.equal(found.length, 1);
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll('svg[aria-label^="network of"]')].map((svg) => {
          const box = svg.viewBox.baseVal,
            all = [...svg.querySelectorAll(".link")].map((link) => link.getBBox());
          return all.filter((b) => b.x < 0 || b.y < 0 || b.x + b.width > box.width || b.y + b.height > box.height)
            .length;
        })
      );
      assert.ok(
        outside.every((n) => n === 0),
        `${name}: links that leave their picture: ${outside}`
      );
    }
    const red = () =>
      page.evaluate(
        () => [...document.querySelectorAll("[data-router]")].filter((node) => node.style.fill.includes("--bad")).length
      );
    assert.equal(await red(), 1);
    await slide(page, 0);
    assert.equal(await red(), 0);
  });

  test("charts of fault messages stand where there are fault planes", async (page) => {
    for (const [name, there] of [
      ["network", true],
      ["mesh", false],
      ["torus", false],
      ["fat_tree", false]
    ]) {
      await page.open(path.join(site, `${name}.html`));
      assert.equal(await page.evaluate(() => /Fault diagnosis \(FD\)/.test(document.body.innerText)), there, name);
    }
  });

  test("large data comes when its section is near", async (page) => {
    const words = [0, 1, 2, 3].map((n) => ({type: "text", title: `${n}`, text: "words ".repeat(2000)})),
      report = [...words, {type: "table", title: "Far", file: "data/far.js"}];
    fs.mkdirSync(path.join(site, "data"), {recursive: true});
    fs.writeFileSync(
      path.join(site, "data/far.js"),
      'arrived("data/far.js",{"type":"table","title":"Far","header":["a"],"rows":[["1"],["2"],["3"]]});'
    );
    await withResults("network.html", [{command: "x", report}], async (file) => {
      await page.show(1400);
      assert.deepEqual(await page.open(file), []);
      const there = () => page.$$eval(".later table", (tables) => tables.length);
      assert.equal(await there(), 0);
      await page.$eval(".later", (place) => place.scrollIntoView());
      await page.waitForSelector(".later table");
      assert.equal(await there(), 1);
      assert.deepEqual(await page.wrong(), []);
    });
  });

  test("a table sorts, filters and copies", async (page) => {
    await page.show(1280);
    assert.deepEqual(await page.open(path.join(site, "docs/cli.html")), []);
    const column = () =>
      page.evaluate(() =>
        [...document.querySelector("table").tBodies[0].rows]
          .filter((row) => !row.hidden)
          .map((row) => row.cells[0].innerText)
      );
    const commands = await column(),
      rising = await page.evaluate((names) => names.sort((a, b) => a.localeCompare(b)), [...commands]);
    for (const order of [rising, [...rising].reverse()]) {
      await page.focus("th button");
      await page.keyboard.press("Enter");
      assert.deepEqual(await column(), order);
    }
    assert.notDeepEqual(commands, rising); // it had something to do
    await page.type(".tools input", "CONGESTION"); // capitals or not
    const shown = await column();
    assert.ok(shown.includes("congestion") && shown.length < commands.length, shown.join());
    assert.equal(
      await page.evaluate(() => csvOf(document.querySelector("table")).trim().split("\n").length),
      shown.length + 1
    );
  });

  test("the first key leads past the navigation; paper is light", async (page) => {
    await page.show(1400, "dark");
    await page.open(path.join(site, "fault.html"));
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)));
    await page.show(1400, "dark", "print");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    for (const name of ["cosimulation", "pipeline", "reference", "fault", "docs/results/lockstep"]) {
      // A4 less its margins
      await page.show(718, "light", "print");
      await page.open(path.join(site, `${name}.html`));
      assert.equal(
        await page.evaluate(() => getComputedStyle(document.querySelector("header.site nav")).display),
        "none",
        "this is paper"
      );
      assert.ok((await page.overflow()) <= 0, `${name} is wider than paper`);
    }
    await page.show(1400);
    const printed = Buffer.from(await page.pdf({format: "A4"}));
    assert.ok(printed.length > 50_000 && printed.includes("/Type /Page"), `${printed.length} bytes`);
  });
});

describe("pages say what they promise", {concurrency: windows}, () => {
  /** A page of these sections of a result, and what `read` finds there. */
  const onPage = async (page, sections, read, more = {}) => {
    const report = sections.map((section, n) => ({title: `Part ${n}`, ...section}));
    let said;
    await withResults("network.html", [{command: "x", report, ...more}], async (file) => {
      assert.deepEqual(await page.open(file), []);
      said = await read();
      assert.deepEqual(await page.wrong(), []);
    });
    return said;
  };
  const slide = (page, value) =>
    page.$eval(
      ".player input",
      (at, to) => {
        at.value = to;
        at.dispatchEvent(new Event("input"));
        return document.querySelector(".player output").textContent;
      },
      value
    );
  const drawn = (page) =>
    page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
    );

  test("a table sorts by the column that is clicked, folded or not", async (page) => {
    // by n the rows stand the other way round
    const rows = Array.from({length: 40}, (_, n) => [`row ${10 + n}`, 140 - n]),
      click = (column) =>
        page.evaluate((at) => {
          const table = document.querySelector("table"),
            heads = [...table.tHead.rows[0].cells];
          heads[at].querySelector("button").click();
          const shown = [...table.tBodies[0].rows].filter((row) => row.checkVisibility());
          const arrow = (head) => getComputedStyle(head.firstChild, "::after").content.replace(/[" ]+/g, "");
          return [shown.length, shown[0].cells[1].textContent, ...heads.map(arrow)];
        }, column);
    await page.show(1280);
    await onPage(page, [{type: "table", header: ["name", "n"], rows}], async () => {
      assert.deepEqual(await click(1), [15, "101", "none", "▲"]);
      assert.deepEqual(await click(0), [15, "140", "▲", "none"]);
      assert.deepEqual(await click(1), [15, "101", "none", "▲"], "another column begins anew");
      assert.deepEqual(await click(1), [15, "140", "none", "▼"]);
      await page.show(1280, "light", "print");
      const printed = () =>
        page.$eval(".tools", (tools) => [
          getComputedStyle(tools, "::after").content,
          [...tools.children].some((part) => part.checkVisibility())
        ]);
      assert.deepEqual(await printed(), ['"The first 15 of 40 rows"', false]);
      const all = (button) => [button.click(), button.textContent][1];
      assert.equal(await page.$eval(".tools button:last-of-type", all), "Show all 40 rows");
      assert.deepEqual(await printed(), ['""', false]);
    });
  });

  test("a table is copied; a cell of two lines stays one", async (page) => {
    const rows = [["a\nb", 1], ["c", 2], ["d", 3]];
    const copied = await onPage(page, [{type: "table", header: ["name", "n"], rows}], () =>
      page.evaluate(() => {
        let text;
        document.execCommand = (what) => {
          const field = document.querySelector("textarea");
          if (what === "copy") text = field.value.slice(field.selectionStart, field.selectionEnd);
        };
        document.querySelector(".tools button").click();
        return text;
      })
    );
    assert.equal(copied, 'name,n\n"a\nb",1\nc,2\nd,3\n');
  });

  test("what passed is green, what failed red", async (page) => {
    const rows = ["pass", "fail", "FAIL"].map((verdict) => [verdict]);
    const colours = await onPage(page, [{type: "table", header: ["verdict"], rows}], () =>
      page.evaluate(() => {
        const colour = (part, of = "color") => getComputedStyle(part)[of],
          of = (name) => colour(element("i", {style: `color:var(--${name})`}, document.body)),
          banner = (verdict) =>
            element("div", {innerHTML: bannerHtml([{command: "x", verdict}])}, document.body).firstChild;
        return [
          [...document.querySelectorAll("tbody td")].slice(0, 3).map((cell) => colour(cell)),
          ["good", "bad", "bad"].map(of),
          ["pass", "fail", "interrupted"].map((verdict) => colour(banner(verdict), "borderLeftColor"))
        ];
      })
    );
    assert.deepEqual(colours[0], colours[1]);
    assert.deepEqual(colours[2], colours[1]);
  });

  test("a bar is as long as its value on its own scale, else on that of the largest", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const bars = await page.evaluate(() => {
      const read = (all) => {
        const box = element("div", {innerHTML: barsHtml(all)});
        return [...box.querySelectorAll("i")].map((bar, n) => [
          bar.style.width,
          box.querySelectorAll(".num")[n].textContent,
          box.querySelectorAll(".num")[n].classList.contains("bad")
        ]);
      };
      return [
        read([{label: "a", value: 5, max: 10, bad: true}, {label: "b", value: 0.25, max: 1, text: "a quarter"}]),
        read([{label: "a", value: 2000}, {label: "b", value: 500, bad: true}])
      ];
    });
    assert.deepEqual(bars, [
      [["50%", "5", true], ["25%", "a quarter", false]],
      [["100%", "2,000", false], ["25%", "500", true]]
    ]);
  });

  test("coverage counts bins, hits and reasons apart", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "cosimulation.html")), []);
    const [bars, words] = await page.evaluate(() => {
      const coverage = {
        percent: 62.5,
        bins: 8,
        reached: 5,
        unreachable: 7,
        groups: [
          {name: "whole", bins: 3, reached: 3, hits: 9000},
          {name: "part", bins: 5, reached: 2, hits: 4, unreachable: 7}
        ],
        unreached: ["x", "y", "z"],
        contradicted: [{bin: "w", hits: 6, justification: "never"}],
        justifications: [{text: "too far", bins: 3}, {text: "too near", bins: 4}]
      };
      const box = element("div", {innerHTML: coverageHtml({coverage}, {})});
      return [
        [...box.querySelectorAll(".num")].map((text) => [text.textContent, text.classList.contains("bad")]),
        [...box.querySelectorAll("p, summary, details li")].map((part) => part.textContent)
      ];
    });
    assert.deepEqual(bars, [
      ["3 of 3, 9,000 hits", false],
      ["2 of 5, 4 hits, 7 unreachable", true]
    ]);
    assert.deepEqual(words, [
      "62.5 %: 5 of 8 reachable bins were hit; 7 more cannot be reached, each for a stated reason.",
      "Not reached: 3",
      ...["x", "y", "z"],
      "Declared unreachable, but hit: 1",
      "w: 6 hits, declared: never",
      "Why 7 bins cannot be reached",
      "3 bins: too far",
      "4 bins: too near"
    ]);
  });

  test("a banner has every verdict and problem; facts have their digits", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const [state, lines, interrupted, facts] = await page.evaluate(() => {
      const read = (html) => element("div", {innerHTML: html}),
        levels = {rtl: {problems: ["of a level"], cycles_per_s: 1234.5}};
      const results = [
        {command: "cosim", verdict: "fail", headline: "head", levels, problems: ["of all"]},
        {command: "net", verdict: "pass"},
        {command: "view"}
      ];
      const banner = read(bannerHtml(results)).firstChild,
        one = {command: "net", command_line: "net --x", dragonfly: {name: "dfly"}, seed: 7, seconds: 0.25},
        other = {command: "net", topology: {name: "rows"}, cycles_per_s: 1234.5678};
      return [
        banner.className,
        [...banner.querySelectorAll("li")].map((line) => [line.textContent, line.querySelector(".good") !== null]),
        read(bannerHtml([{command: "net", verdict: "interrupted"}, results[1]])).firstChild.className,
        [...read(factsHtml([{...one, levels, facts: {size: 1234567, of: "8"}}, other])).querySelectorAll("tr")].map(
          (row) => [...row.cells].map((cell) => cell.textContent)
        )
      ];
    });
    assert.equal(state, "banner fail");
    assert.deepEqual(lines, [
      ["cosim: fail, head", false],
      ["net: pass", true],
      ["of a level", false],
      ["of all", false]
    ]);
    assert.equal(interrupted, "banner interrupted");
    assert.deepEqual(facts, [
      ["net", "command", "net --x"],
      ["", "network", "dfly"],
      ["", "seed", "7"],
      ["", "seconds", "0.25"],
      ["", "rtl: cycles a second", "1,235"],
      ["", "size", "1,234,567"],
      ["", "of", "8"],
      ["net", "", ""],
      ["", "network", "rows"],
      ["", "cycles a second", "1,235"]
    ]);
  });

  test("a result without sections has all of its values, 0 and false, too", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const [across, beside, tables, cut] = await page.evaluate(() => {
      const read = (result) => {
        const box = element("div", {innerHTML: dataHtml(result)});
        return [
          [...box.querySelectorAll("table")].map((table) =>
            [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent))
          ),
          box.querySelector("p")?.textContent
        ];
      };
      const many = Object.fromEntries(Array.from({length: 1401}, (_, n) => [`v${n}`, n]));
      const wide = Object.fromEntries([..."abcdefghi"].map((name, n) => [name, n]));
      return [
        read({wide: [wide, {...wide, a: 9}]})[0][1].slice(0, 3),
        read({modes: {one: {x: 1, y: 2}, two: {x: 3, y: 4}}})[0],
        read({zero: 0, no: false, none: null, list: [0, 1], empty: [], parts: [{x: 0, y: 1}, {x: 2, z: 0}]})[0],
        read(many)
      ];
    });
    assert.deepEqual(across, [["", "1", "2"], ["a", "0", "9"], ["b", "1", "1"]]);
    assert.deepEqual(beside, [[["what", "value"]], [["", "x", "y"], ["one", "1", "2"], ["two", "3", "4"]]]);
    assert.deepEqual(tables, [
      [
        ["what", "value"],
        ["zero", "0"],
        ["no", "false"],
        ["none", "-"],
        ["list", "0, 1"],
        ["empty", "-"]
      ],
      [
        ["", "x", "y", "z"],
        ["1", "0", "1", ""],
        ["2", "2", "", "0"]
      ]
    ]);
    assert.deepEqual([cut[0][0].length, cut[1]], [401, "The first 400 of 1,401 values."]);
  });

  test("stacked bars have the colours of their legend", async (page) => {
    const section = {type: "stacked", parts: ["on_the_way", "waits"], bars: [{label: "one", values: [3, 4]}]};
    section.bars.push({label: "two", start: 2, values: [1, 0]});
    await page.show(1400);
    const [legend, parts] = await onPage(page, [section], () =>
      page.evaluate(() => [
        [...document.querySelectorAll(".legend b")].map((mark) => [
          mark.parentNode.textContent,
          getComputedStyle(mark).color
        ]),
        [...document.querySelectorAll("section rect")].map((part) => [part.textContent, getComputedStyle(part).fill])
      ])
    );
    assert.deepEqual(legend.map(([name]) => name), ["■ on the way", "■ waits"]);
    assert.deepEqual(parts, [
      ["one: on_the_way 3", legend[0][1]],
      ["one: waits 4", legend[1][1]],
      ["two: on_the_way 1", legend[0][1]]
    ]);
    assert.notEqual(legend[0][1], legend[1][1]);
    await page.show(narrow); // a label stands above its bar
    const free = await onPage(page, [section], () =>
      page.$$eval("section svg text:not(.soft)", (labels) =>
        labels.map((label) => {
          const box = label.getBBox(),
            bars = [...label.parentNode.querySelectorAll("rect")].map((bar) => bar.getBBox());
          return bars.every((bar) => bar.y > box.y + box.height - 4 || bar.y + bar.height < box.y + 4);
        })
      )
    );
    assert.deepEqual(free, [true, true], "no bar covers a label");
  });

  test("what is printed has all of its data, and says what is missing", async (page) => {
    const words = [0, 1, 2, 3].map((n) => ({type: "text", title: `${n}`, text: "words ".repeat(2000)})),
      parts = ["near", "gone"].map((name) => ({type: "list", title: name, file: `data/${name}.js`})),
      near = path.join(site, "data/near.js");
    fs.mkdirSync(path.dirname(near), {recursive: true});
    fs.writeFileSync(near, 'arrived("data/near.js",{"type":"list","items":["here"]});');
    await page.show(1400);
    await withResults("network.html", [{command: "x", report: [...words, ...parts]}], async (file) => {
      await page.open(file);
      const later = () => page.$$eval(".later", (all) => all.map((place) => place.textContent));
      assert.deepEqual(await later(), ["data/near.js holds its data.", "data/gone.js holds its data."]);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await page.waitForFunction(
        () => ![...document.querySelectorAll(".later")].some((place) => place.textContent.includes("holds"))
      );
      assert.deepEqual(await later(), ["here", "data/gone.js is not beside this page."]);
    });
    fs.rmSync(near);
  });

  const curves = (more = {}) => ({
    type: "lines",
    x_label: "x",
    y_label: "y",
    series: [
      {name: "a", points: [[1, 1], [10, 4]]},
      {name: "b", points: [[1, 2, 0.25], [10, 3, 0.25]]},
      {name: "published", points: [[5, 6, 0, "point"]], marks: true, like: 0}
    ],
    ...more
  });

  test("paper is light, and afterwards the page is as it was", async (page) => {
    await page.show(1400, "dark");
    await onPage(page, [curves()], async () => {
      const look = async (event) => {
        await page.evaluate((name) => name && dispatchEvent(new Event(name)), event);
        await drawn(page);
        return page.evaluate(() => [variable("--card"), document.querySelector(".plot canvas").toDataURL()]);
      };
      const before = await look(),
        printed = await look("beforeprint");
      assert.equal(printed[0], "#ffffff");
      assert.notEqual(printed[1], before[1], "its chart, too");
      assert.deepEqual(await look("afterprint"), before);
    });
  });

  test("what a key shows and hides has its colour", async (page) => {
    await page.show(1400);
    await onPage(page, [curves()], async () => {
      // what is there of three colours
      const paints = async (...clicked) => {
        await page.$$eval(".keys button", (keys, all) => all.forEach((n) => keys[n].click()), clicked);
        await drawn(page);
        return page.evaluate(() => {
          const canvas = document.querySelector(".plot canvas"),
            all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          return [0, 1, 2].map((n) => {
            const one = new OffscreenCanvas(1, 1).getContext("2d");
            one.fillStyle = paintOf(n);
            one.fillRect(0, 0, 1, 1);
            const paint = one.getImageData(0, 0, 1, 1).data;
            let pixels = 0;
            for (let at = 0; at < all.length; at += 4)
              if (all[at + 3] > 100 && [0, 1, 2].every((c) => Math.abs(all[at + c] - paint[c]) < 12)) ++pixels;
            return pixels > 500 ? "line" : pixels > 0 ? "marks" : "";
          });
        });
      };
      assert.deepEqual(await paints(), ["line", "line", ""], "what was published has the colour of its series");
      assert.deepEqual(await paints(0, 2), ["", "line", ""], "the second with its spread");
      assert.deepEqual(await paints(1), ["", "", ""]);
      assert.deepEqual(await paints(2), ["marks", "", ""], "crosses, again");
      assert.deepEqual(await paints(0, 1), ["line", "line", ""], "all of them again");
      const keys = await page.$$eval(".keys button", (all) =>
        all.map((key) => [key.textContent, key.firstChild.style.color])
      );
      assert.deepEqual(keys.map(([name]) => name), ["━ a", "━ b", "✕ published"]);
      assert.equal(keys[2][1], keys[0][1]);
      assert.notEqual(keys[1][1], keys[0][1]);
    });
  });

  test("values of a chart are in its table, and said one by one from the first to the last", async (page) => {
    await page.show(1400);
    await onPage(page, [curves({log: true})], async () => {
      const rows = await page.$$eval(".values tr", (all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent))
      );
      assert.deepEqual(rows, [
        ["x", "a", "b", "published"],
        ["1", "1", "2 ± 0.25", ""],
        ["5", "", "", "point 6"],
        ["10", "4", "3 ± 0.25", ""]
      ]);
      const said = [];
      await page.focus(".plot");
      for (const key of ["Right", "Left", "Left", "Right", "Right"]) {
        await page.keyboard.press(`Arrow${key}`);
        said.push(await page.$eval(".at", (at) => at.textContent));
      }
      const first = "x 1: a 1; b 2 ± 0.25";
      assert.deepEqual(said, [first, first, first, "x 5: point 6", "x 10: a 4; b 3 ± 0.25"]);
      assert.equal(await page.$eval(".unit", (unit) => unit.textContent), "y, logarithmic");
    });
  });

  test("axes hold what they have to", async (page) => {
    await page.show(1400);
    const one = {type: "lines", x_label: "x", y_label: "y", tight: true, series: [{name: "a", points: [[3, 1]]}]},
      [from, to] = await onPage(page, [one], () =>
        page.$eval(".plot", ({plot: {scales}}) => [scales.x.min, scales.x.max])
      );
    assert.ok(from <= 3 && from < to, `a single point: ${from} to ${to}`);
    const heights = (section, values) =>
      page.evaluate((of, all) => heights(of, all), section, values.map((y, x) => [x, y]));
    assert.deepEqual(await heights({y_max: 5}, [1, 50]), [0, 5], "as was asked for");
    assert.ok((await heights({}, [-3, 2]))[0] <= -3, "what is below 0");
    const most = Array.from({length: 198}, (_, n) => 100 + n); // tight: all but the hundredth part that is smallest
    assert.ok((await heights({tight: true}, [0, 0, ...most]))[0] > 50);
    assert.ok((await heights({tight: true}, [0, 0, 0, ...most.slice(1)]))[0] <= 0);
  });

  test("cheap and fast designs are joined from left to right, others are dots", async (page) => {
    const points = [[3, 1, true], [1, 9, true], [2, 8, false]].map(([x, y, front]) => ({x, y, front, name: `at ${x}`}));
    await onPage(page, [{type: "scatter", x_label: "cost", y_label: "cycles", points}], async () => {
      const keys = await page.$$eval(".keys button", (all) => all.map((key) => key.textContent));
      assert.deepEqual(keys, ["━ nothing else is as cheap and as fast", "● others"]);
      const all = await page.evaluate((given) => {
        scatterHtml({x_label: "cost", y_label: "cycles", points: given});
        return charts.pop().section.series.map((s) => s.points);
      }, points);
      assert.deepEqual(all, [[[1, 9, 0, "at 1"], [3, 1, 0, "at 3"]], [[2, 8, 0, "at 2"]]]);
    });
  });

  test("without the libraries the tables stand open", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "docs/cli.html")), []);
    const open = await page.evaluate(() => {
      const lanes = [{name: "a", values: ["1"]}],
        series = [{name: "a", points: [[0, 1]]}];
      return [linesHtml({x_label: "x", y_label: "y", series}), wavesHtml({first: 0, lanes})].map((html) => {
        const box = element("div", {innerHTML: html});
        return [box.querySelector("details").open, box.textContent.includes("No drawing")];
      });
    });
    assert.deepEqual(open, [[true, true], [true, true]]);
  });

  test("cycles as a table: what is right beside what came, what waits; long values are cut", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "cosimulation.html")), []);
    const [waves, labels, timing] = await page.evaluate(() => {
      const rows = (html) =>
        [...element("div", {innerHTML: html}).querySelectorAll("tr")].map((row) =>
          [...row.cells].map((cell) => cell.textContent)
        );
      const whole = "0123456789abcdef",
        lanes = [{name: "o", values: ["1", "2"], got: ["1", "3"]}, {name: "wide", values: [whole, `${whole}0`]}],
        html = wavesHtml({first: 8, lanes, reasons: ["so it is"]}),
        table = [...rows(html), element("div", {innerHTML: html}).querySelector("ol.why").textContent];
      const cells = [null, {kind: "pin", text: "r0", number: 0}, {kind: "wait", text: "r1"}, {kind: "ack", text: "ok"}];
      return [table, diagrams.pop().source.signal[2].data, rows(timingHtml({lanes: [{name: "stage", cells}]}))];
    });
    assert.deepEqual(waves, [
      ["", "8", "9"],
      ["o, right", "1", "2"],
      ["o, got", "1", "3"],
      ["wide", "0123456789abcdef", "0123456789abcdef0"],
      "so it is"
    ]);
    assert.deepEqual(labels, ["0123456789abcdef", "0123456789abcde…"]);
    assert.deepEqual(timing, [
      ["", "0", "1", "2", "3"],
      ["stage", "", "r0", "waits", "ok"]
    ]);
  });

  const overTime = (load, faults = [], links = [[0, 1]]) => ({
    links,
    faults,
    windows: load.map((all, n) => ({first: 100 * n, last: 100 * n + 100, load: all}))
  });
  const loads = (link_windows, more) => ({
    ...{type: "dragonfly", groups: 2, routers: 1, links: [], windows: true, unit: "flits", link_windows},
    ...more
  });

  test("links over time begin with the most load, else with what has failed; they play to their end", async (page) => {
    const first = (...given) =>
      onPage(page, [loads(overTime(...given))], () => page.$eval(".player output", (output) => output.textContent));
    assert.match(await first(["A", "/", "B"]), /^100 to 199; mean load 1, highest 1$/);
    assert.match(await first(["A", "/", "B"], [{name: "f", cycle: 0, from: 0, to: 1}]), /^200 to 299; mean load 0\.0/);
    await onPage(page, [loads(overTime(["A", "/", "B"]))], async () => {
      const word = await page.$eval(".player button", (button) => [button.click(), button.textContent][1]);
      assert.equal(word, "Stop");
      await page.waitForFunction(() => document.querySelector(".player input").value === "2");
      assert.equal(await page.$eval(".player button", (button) => button.textContent), "Play");
    });
  });

  test("a map of groups has their loads and what is down; groups have their numbers", async (page) => {
    const groups = 30,
      links = Array.from({length: groups * groups}, (_, n) => [Math.floor(n / groups), n % groups]).filter(
        ([from, to]) => from !== to
      ),
      load = links.map(([from, to]) => (from === 3 && to === 5 ? "/" : "A")).join("");
    const section = loads(overTime([load], [{name: "r", cycle: 0, from: 7}], links), {groups});
    await onPage(page, [section], async () => {
      const [fills, most, least, numbers] = await page.evaluate(() => [
        Object.fromEntries(
          [...document.querySelectorAll("rect.link")].map((rect) => [rect.textContent.split(":")[0], rect.style.fill])
        ),
        ...[1, 0].map((share) => element("i", {style: `fill:${heat(share)}`}).style.fill),
        [...document.querySelectorAll("svg.ring text")].map((text) => Number(text.textContent)).sort((a, b) => a - b)
      ]);
      assert.equal(fills["group 3 to group 5"], most);
      assert.equal(fills["group 5 to group 3"], least);
      assert.equal(fills["group 7 to group 1"], "var(--bad)");
      assert.equal(fills["group 1 to group 7"], "var(--bad)");
      const every = Array.from({length: 15}, (_, n) => 2 * n);
      assert.deepEqual(numbers, every.flatMap((n) => [n, n]));
      const ringed = await page.evaluate(() =>
        [40, 48].map((of) => {
          const {at, draw} = ring({groups: of, routers: 1}),
            box = element("div", {innerHTML: draw("", "")});
          return [...box.querySelectorAll("text")].map((text) => {
            const [x, y] = at([Number(text.textContent), 0]);
            return Math.hypot(x - text.getAttribute("x"), y - text.getAttribute("y")) < 50 && Number(text.textContent);
          });
        })
      );
      assert.deepEqual(ringed, [Array.from({length: 40}, (_, n) => n), [0, 8, 16, 24, 32, 40]]);
    });
  });

  test("of very many links a router has the colour of the busiest that leaves it", async (page) => {
    const routers = 70,
      all = Array.from({length: routers}, (_, n) => n),
      links = all.flatMap((from) => all.filter((to) => to !== from).map((to) => [from, to])),
      load = links.map(([from, to]) => (from === 3 && to === 5 ? "/" : "A")).join("");
    const places = all.map((n) => [n % 10, Math.floor(n / 10)]),
      section = {type: "network", places, names: all.map((n) => `r${n}`)};
    await onPage(page, [{...section, unit: "flits", link_windows: overTime([load], [], links)}], async () => {
      const hot = await page.$$eval("circle.link", (circles) => {
        const busy = element("i", {style: `fill:${heat(1)}`}).style.fill;
        return circles.filter((circle) => circle.style.fill === busy).map((circle) => circle.textContent.split(":")[0]);
      });
      assert.deepEqual(hot, ["r3"]);
    });
  });

  test("a router that fails is red from then on, until it is repaired", async (page) => {
    const faults = [{name: "r", cycle: 10, repaired: 50, from: 1}],
      names = ["G0.s0", "G1.s0"],
      spread = {services: [[0, 5, 90, 0, 0]], messages: [], kinds: ["FD"], texts: ["t"], names, faults};
    const section = {type: "dragonfly", groups: 2, routers: 1, links: [], unit: "cycles", spread};
    await onPage(page, [section], async () => {
      for (const [at, state] of [[9, "has heard nothing"], [10, "failed"], [49, "failed"], [51, "has heard nothing"]]) {
        await slide(page, at);
        const [said, fill] = await page.$$eval("svg.ring circle", (all) => [all[1].textContent, all[1].style.fill]);
        assert.equal(said, `group 1, router 0: ${state}`, `${at}`);
        assert.equal(fill, state === "failed" ? "var(--bad)" : "var(--idle)", `${at}`);
      }
    });
  });

  test("router by router are those that work, and messages between them", async (page) => {
    const spread = {
      services: [[10, 5, 9, 0, 0], [3, 20, 29, 1, 1]],
      messages: [[10, 3, 9, 20, 0], [10, 4, 9, 21, 0]],
      kinds: ["FD", "FR"],
      texts: ["finds", "repairs"],
      names: Array.from({length: 12}, (_, n) => `r${n}`),
      faults: []
    };
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const {tracks, slices, arrows} = await page.evaluate((of) => {
      spreadHtml({groups: 4, routers: 3, spread: of});
      return timelines.pop().timeline;
    }, spread);
    assert.deepEqual(tracks, ["r3", "r10"]);
    assert.deepEqual(slices, [[1, 5, 9, 0, "finds"], [0, 20, 29, 1, "repairs"]]);
    assert.deepEqual(arrows, [[1, 0, 9, 20, 0]]);
  });

  test("pictures say what is dead, disabled or has nothing to learn", async (page) => {
    assert.deepEqual(await page.open(path.join(site, "torus.html")), []);
    const [links, routers, ...notes] = await page.evaluate(() => {
      const [from, to] = [[0, 0], [1, 0]],
        section = {
          ...{groups: 2, routers: 1, dead: [to], values: [{router: to, value: 3, text: "r"}]},
          links: [{from, to, bad: true, text: "failed"}, {from, to, value: 1, text: "used"}]
        },
        box = element("div", {innerHTML: dragonflyHtml(section)}),
        grid = (...cells) =>
          element("div", {
            innerHTML: gridHtml({columns: 2, rows: 1, unit: "u", cells: cells.map((c, n) => ({at: [n, 0], ...c}))})
          }).lastChild.textContent;
      return [
        [...box.querySelectorAll("path")].map((link) => link.textContent),
        [...box.querySelectorAll("circle")].map((circle) => [circle.textContent, circle.style.fill]),
        grid({bad: true}, {value: 2}),
        grid({value: 1, ring: true}, {value: 0})
      ];
    });
    assert.deepEqual(links, ["used", "failed"], "what has failed lies on top");
    assert.deepEqual(routers, [
      ["group 0, router 0", "var(--idle)"],
      ["r, failed", "var(--bad)"]
    ]);
    assert.deepEqual(notes, [
      "Red has failed. A node's tooltip says more.",
      "Red has failed. A red ring: healthy, but disabled. Grey: nothing to learn. A node's tooltip says more."
    ]);
    const colours = await page.evaluate(() => {
      const bar = element("div", {innerHTML: scaleHtml(9, "u", "")}).querySelector("i").style.background,
        heats = [0, 1].map((share) => element("i", {style: `color:${heat(share)}`}).style.color);
      return heats.map((colour) => bar.indexOf(colour));
    });
    assert.ok(colours[0] > 0 && colours[0] < colours[1], `the colour of nothing is on the left: ${colours}`);
  });

  test("a packet's way says channels in and out, and where it ended", async (page) => {
    const route = everything(),
      winner = {port: 1, name: "w", vc: 3, to: {gid: 1}};
    Object.assign(route.hops[0], {vc_in: 2, winner});
    const said = (outcome) =>
      page.evaluate(
        (way) => {
          const box = element("div", {innerHTML: pathHtml({}, way)});
          return [
            box.querySelector("summary").textContent,
            ...[...box.querySelectorAll("svg text")].slice(-1).map((end) => [end.textContent, end.matches(".bad")])
          ];
        },
        {...route, outcome}
      );
    assert.deepEqual(await page.open(path.join(site, "network.html")), []);
    const hop = "g0.r0 from p, VC 2: RTA, class GA, out through w, VC 3";
    assert.deepEqual(await said("delivered"), [hop, ["node 1", false]]);
    assert.deepEqual(await said("no_way_out"), [hop, ["no way out", true]]);
  });

  test("a timeline says what is under the pointer, and zooms", async (page) => {
    const slices = [
        [0, 1000, 1100, 1, "first"],
        [0, 1020, 1040, 1, "inner"],
        [1, 1050, 1100, 0],
        [40, 1000, 1100, 0, "deep"]
      ],
      arrows = [[0, 1, 1020, 1060, 0]],
      tracks = Array.from({length: 60}, (_, n) => `t${n}`);
    slices.push(...Array.from({length: 997}, () => [2, 1000, 1001, 0, "more"]));
    const section = {type: "tracks", tracks, kinds: ["k", "l"], slices, arrows, first: 1000, last: 1100};
    await page.show(1400);
    await onPage(page, [section], async () => {
      const place = (cycle, track) =>
        page.$eval(
          ".tracks",
          (box, ...at) => [64 + ((at[0] - 1000) / 100) * (box.clientWidth - 76), 28 + 16 * at[1] - box.scrollTop],
          cycle,
          track
        );
      const at = async (...where) => {
        const [x, y] = await place(...where),
          {left, top} = await page.$eval(".tracks", (box) => {
            box.scrollIntoView();
            return box.querySelector("canvas").getBoundingClientRect().toJSON();
          });
        await page.mouse.move(left + x, top + y);
        return page.$eval(".tracks + .player output", (output) => output.textContent.trim());
      };
      assert.equal(await at(1075, 0), "t0: first, cycles 1,000 to 1,100");
      assert.equal(await at(1030, 0), "t0: inner, cycles 1,020 to 1,040");
      assert.equal(await at(1075, 1), "t1: k, cycles 1,050 to 1,100");
      assert.equal(await at(1025, 1), "");
      const kinds = await page.evaluate(
        (places) => {
          const paint = (ctx, x, y) => [...ctx.getImageData(x, y, 1, 1).data].join(),
            one = new OffscreenCanvas(1, 1).getContext("2d"),
            drawing = document.querySelector(".tracks canvas").getContext("2d");
          const colours = [0, 1].map((n) => {
            one.fillStyle = paintOf(n);
            one.fillRect(0, 0, 1, 1);
            return paint(one, 0, 0);
          });
          return places.map(([x, y]) => colours.indexOf(paint(drawing, x, y)));
        },
        [await place(1075, 0), await place(1075, 1), await place(1025, 1)]
      );
      assert.deepEqual(kinds, [1, 0, -1], "a slice has the colour of its kind");
      const [texts, lines] = await page.evaluate(() => {
        const context = CanvasRenderingContext2D.prototype,
          calls = {};
        for (const name of ["fillText", "moveTo", "lineTo"]) {
          const original = context[name];
          context[name] = function (...given) {
            (calls[name] ??= []).push(given);
            return original.apply(this, given);
          };
        }
        repaint();
        return [calls.fillText, [...calls.moveTo, ...calls.lineTo]];
      });
      const numbers = texts.filter(([text]) => /^1,\d+$/.test(text));
      assert.ok(numbers.length > 4, "cycles at the top");
      for (const [text, x] of numbers) {
        const [wanted] = await place(Number(text.replace(",", "")), 0);
        assert.ok(Math.abs(x - wanted) < 1, `${text} at ${x}`);
      }
      for (const name of ["t0", "t1", "first"]) assert.ok(texts.some(([text]) => text === name), name);
      assert.deepEqual(lines, [await place(1020, 0), await place(1060, 1)], "a message goes from track to track");
      await page.$eval(".tracks", (box) => (box.scrollTop = 320));
      await drawn(page);
      assert.equal(await at(1050, 40), "t40: deep, cycles 1,000 to 1,100");
      const [words, row] = await page.$eval(".values", (values) => [
        values.querySelector("p").textContent,
        [...values.querySelectorAll("tr")[3].cells].map((cell) => cell.textContent)
      ]);
      assert.equal(words, "The first 1,000 of 1,001.");
      assert.deepEqual(row, ["t1", "1,050", "1,100", "k", ""]);
      await page.$eval(".tracks + .player input", (zoom) => {
        zoom.value = zoom.max;
        zoom.dispatchEvent(new Event("input"));
      });
      await drawn(page);
      assert.ok(await page.$eval(".tracks", (box) => box.scrollWidth > 30 * box.clientWidth), "there is more to see");
    });
  });

  test("contents lead to their sections", async (page) => {
    const sections = Array.from({length: 13}, (_, n) => ({type: "list", items: [`${n}`]}));
    const [summary, wrong] = await onPage(page, sections, () =>
      page.evaluate(() => [
        document.querySelector(".contents summary").textContent,
        [...document.querySelectorAll(".contents a")].filter(
          (link) => document.querySelector(`${link.getAttribute("href")} h2`)?.textContent !== link.textContent
        ).length
      ])
    );
    assert.deepEqual([summary, wrong], ["On this page: 14 parts", 0], "and the facts");
  });
});
