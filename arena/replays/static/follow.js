// A match that is being played: the player of replays, with steps that come over a stream.

import { html } from "./elements.js";
import { showLatest } from "./player.js";
import { LATER, listen } from "./stream.js";

/** @import { CreateBoard } from "../viewer" */
/** @import { Player } from "./player.js" */

/** Show the match that the page names as it goes on. @param {CreateBoard} createBoard */
export function follow(createBoard) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const news = html("section", { class: "news", "aria-label": "Live" }, "Waiting for the match \u2026");
  main.before(news);
  main.hidden = true; // a board without a position shows nothing
  /** @type {Player | null} */
  let player = null;
  let line = "";
  let about = "";
  /** @param {string} words */
  const say = (words) => news.replaceChildren(html("span", {}, words));
  const show = () => say([about || (player ? "Live." : "Waiting for the match \u2026"), line].join(" "));
  const stop = listen(main.dataset.stream ?? "", {
    found: show,
    lost: () => say("The server does not answer. This page goes on when it is back."),
    progress: (now) => {
      line = now.line;
      show();
    },
    match: (replay) => {
      main.hidden = false;
      player = showLatest(player, replay, createBoard);
      show();
    },
    steps: (steps) => player && player.extend(steps),
    judged: (found) => player && player.judge(found),
    state: ({ sentence, next }) => {
      about = sentence;
      show();
      if (next === "load") {
        stop();
        location.reload(); // at the position that its address names
      }
      return next === "ask" && LATER;
    },
  });
}
