// A match that is being played: the player of replays, with steps that come over a stream.

import { html } from "./elements.js";
import { showLatest } from "./player.js";
import { listen } from "./stream.js";

/** @import { CreateBoard, Child } from "../viewer" */
/** @import { Player } from "./player.js" */

/** Show the match that the page names as it goes on. @param {CreateBoard} createBoard */
export function follow(createBoard) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const news = html("section", { class: "news", "aria-label": "Live" }, "Waiting for the match \u2026");
  main.before(news);
  /** @type {Player | null} */
  let player = null;
  let line = "";
  /** @param {Child[]} words */
  const say = (...words) => news.replaceChildren(html("span", {}, ...words));
  const stop = listen(main.dataset.stream ?? "", {
    found: () => say(line),
    lost: () => say("The server does not answer. This page goes on when it is back."),
    progress: (now) => {
      line = `Live. ${now.line}`;
      if (player) say(line);
    },
    match: (replay) => {
      player = showLatest(player, replay, createBoard);
      say(line);
    },
    steps: (steps) => player && player.extend(steps),
    trouble: (sentence) => sentence && say(sentence),
    end: () => {
      stop();
      say("The match is over. ", html("a", { href: location.pathname }, "See all of it, with thoughts and times"));
    },
  });
}
