// What happens now: how far the tournament is, the running matches, and tables that follow the results.

import { html } from "/viewer/elements.js";
import { LATER, listen } from "/viewer/stream.js";

/** @import { Table } from "../live" */

/** How long a page rests after it has fetched its tables, in ms; longer if this keeps failing. */
const RESTS = [5000, 5000, 10000, 20000, 60000];
const section = sectionOf(document);
/** @param {string} name */
const part = (name, within = section) => /** @type {HTMLElement} */ (within.querySelector(`[data-part="${name}"]`));
/** The version of the tables while no stream tells it. */
const UNKNOWN = "";
const trouble = /** @type {HTMLElement} */ (document.querySelector("#trouble"));
const board = /** @type {HTMLElement | null} */ (document.querySelector("[data-running]"));
let latest = section.dataset.version;
/** @type {number | null} */
let timer = null;
let failures = 0;
let ofServer = "";
let ofPage = "";

/** Return the part of a page that is about now. @param {Document} page */
function sectionOf(page) {
  return /** @type {HTMLElement} */ (page.querySelector("[data-stream]"));
}

/** @param {Table} running */
function table(running) {
  return html(
    "li",
    {},
    html(
      "a",
      { href: `/matches/${encodeURIComponent(running.match)}` },
      html("bdi", {}, running.title, ": ", running.bots.join(", ")),
    ),
  );
}

/** Say why the tables on this page are not the newest. */
function showTrouble() {
  const why = ofServer || ofPage;
  const text = why ? `These pages are not up to date: ${why}` : "";
  if (trouble.textContent?.trim() !== text) trouble.textContent = text;
  trouble.hidden = !why;
}

/** @param {Document} page */
function tablesOf(page) {
  return [.../** @type {NodeListOf<HTMLTableElement>} */ (page.querySelectorAll("main table"))];
}

/** Put new rows into the tables of this page. A table that was not there yet needs the whole page. */
async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, after] = [document, fresh].map(tablesOf);
  if (before.length !== after.length) return location.reload();
  before.forEach((one, index) => {
    one.caption?.replaceWith(document.adoptNode(after[index].caption ?? document.createElement("caption")));
    one.tBodies[0].replaceWith(document.adoptNode(after[index].tBodies[0]));
    one.dispatchEvent(new Event("rows"));
  });
  const [old, notes] = [document, fresh].map((page) => [...page.querySelectorAll("[data-notes]")]);
  old.forEach((one, index) => notes[index] && one.replaceWith(document.adoptNode(notes[index])));
  section.dataset.version = sectionOf(fresh).dataset.version;
  if (latest === UNKNOWN) part("tables").replaceWith(document.adoptNode(part("tables", sectionOf(fresh))));
}

/** Refresh and rest, again and again until the tables are those of the stream. */
async function follow() {
  try {
    await refresh();
    failures = 0;
    ofPage = "";
  } catch (error) {
    failures++;
    ofPage = /** @type {Error} */ (error).message;
  }
  showTrouble();
  timer = setTimeout(
    () => {
      timer = null;
      followSoon();
    },
    RESTS[Math.min(failures, RESTS.length - 1)],
  );
}

function followSoon() {
  if (!timer && latest !== section.dataset.version) timer = setTimeout(follow, 0);
}

listen(section.dataset.stream ?? "", {
  found: () => section.classList.remove("lost"),
  lost: () => {
    section.classList.add("lost");
    part("line").textContent = "The server does not answer. This page goes on when it is back.";
  },
  progress: (now) => {
    part("line").textContent = now.line;
    part("tables").replaceChildren(
      ...now.tables.map(table),
      ...(now.more ? [html("li", {}, `and ${now.more} more`)] : []),
    );
    if (board && !now.tables.some(({ match }) => match === board.dataset.running)) board.textContent = "Just now";
    ofServer = now.trouble;
    showTrouble();
    latest = now.version;
    followSoon();
  },
  state: ({ sentence, next }) => {
    part("line").textContent = sentence;
    latest = UNKNOWN;
    followSoon();
    return next === "ask" && LATER;
  },
});
