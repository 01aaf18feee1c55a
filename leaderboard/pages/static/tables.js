// Tables that sort by a column and show only the rows with some words. Without this script they are plain tables.

function value(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = parseFloat(text);
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

function compare(one, other) {
  if (typeof one === typeof other) return one < other ? -1 : Number(one > other);
  return typeof one === "number" ? -1 : 1;
}

function sortBy(table, heading, column) {
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows].sort((one, other) => compare(value(one, column), value(other, column)));
  table.tBodies[0].append(...(descending ? rows.reverse() : rows));
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sortBy(table, heading, column));
    heading.append(button);
  });
  const filter = document.createElement("input");
  filter.type = "search";
  filter.placeholder = "show rows with \u2026";
  filter.setAttribute("aria-label", `Show rows of ${table.caption.textContent} with these words`);
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(words);
  });
  table.parentElement.before(filter);
}
