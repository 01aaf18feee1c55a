// What happens now: how far the tournament is, the running matches, and tables that follow the results.

import { html } from "/viewer/elements.js";
import { listen } from "/viewer/stream.js";

const REST = 5000;
const section = document.querySelector("[data-stream]");
const part = (name) => section.querySelector(`[data-part="${name}"]`);
let latest = section.dataset.version;
let timer = null;

function table(running) {
  return html(
    "li",
    {},
    html("a", { href: `/matches/${encodeURIComponent(running.match)}` }, html("bdi", {}, running.match)),
    " ",
    html("bdi", {}, running.bots.join(", ")),
  );
}

/** Put new rows into the tables of this page. A table that was not there yet needs the whole page. */
async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, after] = [document, fresh].map((page) => [...page.querySelectorAll("main table")]);
  if (before.length !== after.length) return location.reload();
  before.forEach((one, index) => {
    one.tBodies[0].replaceWith(document.adoptNode(after[index].tBodies[0]));
    one.dispatchEvent(new Event("rows"));
  });
  section.dataset.version = fresh.querySelector("[data-stream]").dataset.version;
}

/** Refresh now, or after a rest if the last time is not long ago, until the tables are those of the stream. */
function refreshSoon() {
  if (timer || latest === section.dataset.version) return;
  timer = setTimeout(() => refresh().catch(() => {}).finally(() => {
    timer = setTimeout(() => {
      timer = null;
      refreshSoon();
    }, REST);
  }), 0);
}

listen(section.dataset.stream, {
  found: () => section.classList.remove("lost"),
  lost: () => {
    section.classList.add("lost");
    part("line").textContent = "The server does not answer. This page goes on when it is back.";
  },
  progress: (now) => {
    part("line").textContent = now.line;
    part("tables").replaceChildren(...now.tables.map(table), ...(now.more ? [html("li", {}, `and ${now.more} more`)] : []));
    latest = now.version;
    refreshSoon();
  },
});
