// SPDX-License-Identifier: Apache-2.0
"use strict";
// Every table of every page: a click on a head sorts, long ones filter and fold, and they copy as CSV.
const escape = (text) =>
  String(text ?? "").replace(/[&<>"]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
// Of many values: a call takes about 120,000 arguments only.
const greatest = (values, from = -Infinity) => values.reduce((a, b) => Math.max(a, b), from);
const smallest = (values, from = Infinity) => values.reduce((a, b) => Math.min(a, b), from);
const number = (value) =>
  typeof value !== "number"
    ? escape(value)
    : Number.isInteger(value)
      ? value.toLocaleString("en-US")
      : value.toLocaleString("en-US", {maximumSignificantDigits: 4});

const longTable = 10,
  // rows from which a table filters, and that one of results or of a document shows at first
  foldedTable = document.getElementById("data") ? 15 : 40;
const broad = 12; // columns from which a table is printed small
const wordy = 30; // letters of a cell beside the first from which the rows of a table stand as lists on a narrow page
const cellNumber = (text) => (/^[+-]?[\d,]*\.?\d+( |%|$)/.test(text) ? parseFloat(text.replaceAll(",", "")) : NaN);
const isDate = (cell) => /^\d{4}-\d\d-\d\d$/.test(cell);
const looksNumeric = (cell) => /^[\d.,% +-]*\d[\d.,% +-]*$/.test(String(cell)) && !isDate(cell);
const cellClass = (cell) => (/^pass$/i.test(cell) ? "good" : /^fail$/i.test(cell) ? "bad" : isDate(cell) ? "date" : "");

/** A table; columns of numbers stand to the right, unless all are to stay on the left. */
function tableHtml(header, rows, left = false) {
  const numeric = header.map((_, c) => !left && 2 * rows.filter((r) => looksNumeric(r[c] ?? "")).length > rows.length);
  const head = header.map((h, c) => `<th class="${numeric[c] ? "num" : ""}">${escape(h)}</th>`).join("");
  const body = rows.map(
    (r) =>
      "<tr>" +
      r.map((v, c) => `<td class="${(numeric[c] ? "num " : "") + cellClass(String(v))}">${number(v)}</td>`).join("") +
      "</tr>"
  );
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

function sortRows(table, column, heads) {
  const head = heads[column],
    down = head.getAttribute("aria-sort") === "ascending",
    body = table.tBodies[0];
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const text = (row) => row.cells[column]?.textContent.trim() ?? "";
  const order = (a, b) => {
    const x = cellNumber(text(a)),
      y = cellNumber(text(b));
    return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) || text(a).localeCompare(text(b)) : x - y;
  };
  body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
}

/** The rows that the filter lets through, folded or not. */
function csvOf(table) {
  const cell = (c) => (/[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c);
  return (
    [...table.rows]
      .filter((row) => !row.dataset.filtered)
      .map((row) => [...row.cells].map((c) => cell(c.textContent.trim())).join(","))
      .join("\n") + "\n"
  );
}

function element(name, properties, parent) {
  const made = Object.assign(document.createElement(name), properties);
  parent?.append(made);
  return made;
}

function addTools(table) {
  const tools = element("div", {className: "tools"}),
    body = table.tBodies[0],
    many = body.rows.length,
    rows = many.toLocaleString("en-US");
  let wanted = "",
    folded = many > foldedTable;
  const show = () => {
    let shown = 0;
    for (const row of body.rows) {
      const fits = [...row.cells].some((cell) => cell.textContent.toLowerCase().includes(wanted));
      fits ? delete row.dataset.filtered : (row.dataset.filtered = "1");
      row.hidden = !fits || (folded && ++shown > foldedTable);
    }
  };
  if (many > longTable) {
    const label = element("label", {textContent: "Filter "}, tools),
      field = element("input", {type: "search", size: 14}, label);
    field.addEventListener("input", () => {
      wanted = field.value.toLowerCase();
      show();
    });
  }
  const copy = element("button", {type: "button", textContent: "Copy as CSV"}, tools);
  copy.addEventListener("click", () => {
    // a page of a file has no other way to the clipboard
    const text = element("textarea", {value: csvOf(table)}, document.body);
    text.select();
    document.execCommand("copy");
    text.remove();
    copy.textContent = "Copied";
  });
  if (folded) {
    const all = element("button", {type: "button", textContent: `Show all ${rows} rows`}, tools);
    tools.dataset.print = `The first ${foldedTable} of ${rows} rows`;
    all.addEventListener("click", () => {
      folded = false;
      show();
      all.remove();
      delete tools.dataset.print;
    });
    show();
  }
  table.refold = show;
  (table.closest(".scroll") ?? table).before(tools);
}

/** Names the cells of a table with many words after their columns, as the style of narrow pages wants them. */
function nameCells(table, heads) {
  const rows = [...table.tBodies[0].rows];
  const long = (cell) => cell !== undefined && cell.textContent.length > wordy;
  if (
    !rows.some((row) =>
      heads.length < 3 ? long(row.cells[0]) && long(row.cells[1]) : [...row.cells].slice(1).some(long)
    )
  )
    return;
  table.classList.add("wordy");
  const names = heads.map((head) => head.textContent.trim());
  for (const row of rows) [...row.cells].forEach((cell, column) => (cell.dataset.name = names[column] ?? ""));
}

/** Gives the tables in `part` what tables have; those that have it are left as they are. */
function dressTables(part) {
  for (const table of part.querySelectorAll("table")) {
    if (table.refold || !table.tHead || !table.tBodies[0]) continue;
    const heads = [...table.tHead.rows[0].cells];
    table.classList.toggle("broad", heads.length >= broad);
    nameCells(table, heads);
    if (table.tBodies[0].rows.length < 3) continue;
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return; // a column of names: nothing to call the button
      const button = element("button", {type: "button"});
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        sortRows(table, column, heads);
        table.refold();
      });
    });
    addTools(table);
  }
}
