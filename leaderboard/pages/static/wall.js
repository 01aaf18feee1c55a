// The boards of some running matches, small and side by side; those that are over give way to others.

import { html } from "/viewer/elements.js";
import { LATER, listen } from "/viewer/stream.js";

/** @import { Table } from "../live" */

const wall = /** @type {HTMLElement} */ (document.querySelector("[data-stream]"));
/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (wall.querySelector(`[data-part="${name}"]`));
const most = Number(wall.dataset.most);
/** @type {Map<string, HTMLElement>} */
const shown = new Map();

/** @param {Table} running */
function board({ match, title, bots }) {
  const name = `${title}: ${bots.join(", ")}`;
  const at = encodeURIComponent(match);
  return html(
    "figure",
    {},
    html("figcaption", {}, html("a", { href: `/matches/${at}`, "aria-label": name }, html("bdi", {}, title))),
    html("div", { class: "board" }, html("iframe", { src: `/embed/${at}?bare`, title: name, tabindex: -1 })),
  );
}

/** Show running matches in free places, and in those of matches that are over. @param {Table[]} running */
function show(running) {
  const over = [...shown.keys()].filter((match) => !running.some((one) => one.match === match));
  for (const one of running.filter(({ match }) => !shown.has(match))) {
    const gone = shown.size < most ? undefined : over.shift();
    if (shown.size >= most && gone === undefined) return;
    const made = board(one);
    if (gone === undefined) part("boards").append(made);
    else shown.get(gone)?.replaceWith(made);
    if (gone !== undefined) shown.delete(gone);
    shown.set(one.match, made);
  }
}

listen(wall.dataset.stream ?? "", {
  found: () => {},
  lost: () => (part("line").textContent = "The server does not answer. This page goes on when it is back."),
  progress: (now) => {
    part("line").textContent = now.line;
    show(now.tables);
  },
  state: ({ sentence, next }) => {
    part("line").textContent = sentence;
    return next === "ask" && LATER;
  },
});
