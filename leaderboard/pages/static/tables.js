// Tables that sort by a column and show only the rows with some words. Without this script they are plain tables.
// A plain script, not a module: browsers refuse modules of pages that were opened from a file.
"use strict";

{
  /** @param {HTMLTableRowElement} row @param {number} column */
  const value = (row, column) => {
    const text = (row.cells[column].textContent ?? "")
      .trim()
      .replace(/(\d),(?=\d{3})/g, "$1")
      .replace("\u2212", "-");
    const number = parseFloat(text);
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };

  /** @param {string | number} one @param {string | number} other */
  const compare = (one, other) => {
    if (typeof one === typeof other) return one < other ? -1 : Number(one > other);
    return typeof one === "number" ? -1 : 1;
  };

  /** Columns of numbers of which the smallest is the best. */
  const LOW = ["#", "ranks", "error", "faults", "mean place", "seat", "place"];

  /** Return what the address says of a table: the column that it is sorted by, whether downwards, and the words of its rows. @param {number} index */
  const inAddress = (index) => {
    const [column = "", order = "", words = ""] = (
      new URLSearchParams(location.hash.slice(1)).get(`t${index}`) ?? ""
    ).split("~");
    return { column, descending: order === "down", words };
  };

  /** Keep in the address how a table is shown. @param {number} index @param {{ column: string, descending: boolean, words: string }} shown */
  const intoAddress = (index, { column, descending, words }) => {
    const all = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    if (column || words) all.set(`t${index}`, [column, descending ? "down" : "up", words].join("~"));
    else all.delete(`t${index}`);
    history.replaceState(null, "", `#${all}`);
  };

  /** @param {HTMLTableCellElement} heading */
  const nameOf = (heading) => (heading.textContent ?? "").trim();

  /** @param {HTMLTableElement} table @param {HTMLTableCellElement} heading */
  const sortBy = (table, heading) => {
    const sorted = heading.getAttribute("aria-sort");
    const bestFirst = heading.classList.contains("number") && !LOW.includes(nameOf(heading));
    sortAs(table, heading, sorted ? sorted === "ascending" : bestFirst);
    const index = tables.indexOf(table);
    const descending = heading.getAttribute("aria-sort") === "descending";
    intoAddress(index, { ...inAddress(index), column: nameOf(heading), descending });
  };

  /** @param {HTMLTableElement} table @param {HTMLTableCellElement} heading @param {boolean} descending */
  const sortAs = (table, heading, descending) => {
    for (const other of heading.parentElement?.children ?? []) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    sort(table);
  };

  /** Put the rows into the order that a heading says, if one does. @param {HTMLTableElement} table */
  const sort = (table) => {
    const headings = [...(table.tHead?.rows[0].cells ?? [])];
    const column = headings.findIndex((heading) => heading.hasAttribute("aria-sort"));
    if (column < 0) return;
    const descending = headings[column].getAttribute("aria-sort") === "descending";
    const rows = [...table.tBodies[0].rows].sort((one, other) => compare(value(one, column), value(other, column)));
    table.tBodies[0].append(...(descending ? rows.reverse() : rows));
  };

  /** @param {HTMLTableElement} table */
  const makeSortable = (table) => {
    [...(table.tHead?.rows[0].cells ?? [])].forEach((heading) => {
      if (heading.tagName !== "TH") return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(table, heading));
      heading.append(button);
    });
  };

  /** @param {HTMLTableElement} table */
  const makeFilter = (table) => {
    const filter = document.createElement("input");
    filter.type = "search";
    filter.placeholder = "Find a bot";
    filter.setAttribute("aria-label", `Find a bot in ${table.caption?.textContent?.trim()}`);
    const narrow = () => {
      const words = filter.value.toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !(row.textContent ?? "").toLowerCase().includes(words);
    };
    const index = tables.indexOf(table);
    filter.value = inAddress(index).words;
    filter.addEventListener("input", () => {
      narrow();
      intoAddress(index, { ...inAddress(index), words: filter.value });
    });
    table.addEventListener("rows", narrow);
    table.parentElement?.before(filter);
    narrow();
  };

  /** Show a table as the address says. @param {HTMLTableElement} table */
  const followAddress = (table) => {
    const { column, descending } = inAddress(tables.indexOf(table));
    const heading = [...(table.tHead?.rows[0].cells ?? [])].find((one) => nameOf(one) === column);
    if (column && heading) sortAs(table, heading, descending);
  };

  const tables = [.../** @type {NodeListOf<HTMLTableElement>} */ (document.querySelectorAll("table[data-sortable]"))];
  for (const table of tables) {
    makeSortable(table);
    followAddress(table);
    table.addEventListener("rows", () => sort(table));
    if (table.tBodies[0].rows.length > 5) makeFilter(table);
  }
}
