// SPDX-License-Identifier: Apache-2.0
"use strict";
// Every table of the site: a click on a head sorts, long ones filter, and it copies as CSV.
const longTable = 10;  // rows
const cellNumber = (text) => /^[+-]?[\d,]*\.?\d+( |%|$)/.test(text) ? parseFloat(text.replaceAll(",", "")) : NaN;

function sortRows(table, column, heads) {
  const head = heads[column], down = head.getAttribute("aria-sort") === "ascending", body = table.tBodies[0];
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const text = (row) => row.cells[column]?.textContent.trim() ?? "";
  const order = (a, b) => {
    const x = cellNumber(text(a)), y = cellNumber(text(b));
    return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) || text(a).localeCompare(text(b)) : x - y;
  };
  for (const row of [...body.rows].sort((a, b) => down ? order(b, a) : order(a, b))) body.append(row);
}

function csvOf(table) {
  const cell = (c) => /[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c;
  return [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map((c) => cell(c.textContent.trim())).join(",")).join("\n") + "\n";
}

function element(name, properties, parent) {
  const made = Object.assign(document.createElement(name), properties);
  parent?.append(made);
  return made;
}

function addTools(table) {
  const tools = element("div", {className: "tools"});
  if (table.tBodies[0].rows.length > longTable) {
    const label = element("label", {textContent: "Filter "}, tools), field = element("input", {type: "search", size: 14}, label);
    field.addEventListener("input", () => {
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(field.value.toLowerCase());
    });
  }
  const copy = element("button", {type: "button", textContent: "Copy as CSV"}, tools);
  copy.addEventListener("click", () => {
    const text = element("textarea", {value: csvOf(table)}, document.body);  // a page of a file has no other way to the clipboard
    text.select();
    document.execCommand("copy");
    text.remove();
    copy.textContent = "Copied";
  });
  (table.closest(".scroll") ?? table).before(tools);
}

for (const table of document.querySelectorAll("table")) {
  if (!table.tHead || !table.tBodies[0] || table.tBodies[0].rows.length < 3) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;  // a column of names: nothing to call the button
    const button = element("button", {type: "button"});
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortRows(table, column, heads));
  });
  addTools(table);
}
