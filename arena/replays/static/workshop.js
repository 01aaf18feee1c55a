// A page to write a bot in, without a server: a program, matches of it, and the player of replays for the last one.

import { html } from "./elements.js";
import { InPage } from "./in_page.js";
import { number } from "./panel.js";
import { save, saveRecord } from "./picture.js";
import { showAll } from "./player.js";

/** @import { CreateBoard, Replay } from "../viewer" */
/** @import { Player } from "./player.js" */

/** How many results are listed. */
const LISTED = 8;
const STOPPED = "You stopped the match. If your bot took too long, look for a loop that does not end.";

/** Let a person write a bot and watch it play. @param {CreateBoard} createBoard */
export function writeBot(createBoard) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const { stream = "", program = "" } = main.dataset;
  const memory = `program ${location.pathname}`;
  const arena = new InPage(stream);
  /** @type {Player | null} */
  let player = null;
  let seed = 0;

  const area = html("textarea", { id: "program", rows: 22, spellcheck: "false", "aria-label": "Your bot" });
  area.value = localStorage.getItem(memory) ?? program;
  const playing = html("button", { type: "button", onclick: () => playMatch() }, "Play a match");
  const stopping = html("button", { type: "button", disabled: true, onclick: () => arena.restart(STOPPED) }, "Stop");
  const begin = html("button", { type: "button", onclick: () => restore() }, "Begin again");
  const keep = html("button", { type: "button", onclick: () => download() }, "Save bot.py");
  const record = html("button", { type: "button", disabled: true }, "Save the match");
  const results = html("ol", { class: "moves", reversed: true, "aria-label": "Results" });
  const notice = html("pre", { class: "notice", role: "alert" });
  document.body.classList.add("playing", "writing");
  main.prepend(
    html(
      "section",
      { class: "ask workshop", "aria-label": "Your bot" },
      ...[area, html("p", { class: "tools" }, playing, stopping, begin, keep, record), notice, results],
    ),
  );

  /** Play the bot as it is now, and show the match. */
  async function playMatch() {
    localStorage.setItem(memory, area.value);
    playing.disabled = true;
    stopping.disabled = false;
    notice.textContent = "The match is played \u2026";
    try {
      /** @type {{ replays: Replay[], name: string, record: string }} */
      const kept = await arena.post("match", { program: area.value, seed: seed++ });
      notice.textContent = "";
      results.prepend(html("li", {}, resultOf(kept.replays[0])));
      while (results.children.length > LISTED) results.lastChild?.remove();
      player = showAll(player, kept.replays, createBoard);
      record.onclick = () => saveRecord(kept.name, kept.record);
      record.disabled = false;
    } catch (error) {
      notice.textContent = /** @type {Error} */ (error).message;
    }
    playing.disabled = false;
    stopping.disabled = true;
  }

  function restore() {
    area.value = program;
  }

  function download() {
    save(URL.createObjectURL(new Blob([area.value], { type: "text/x-python" })), "bot.py");
  }
}

/** Say who won, with all points. @param {Replay} replay */
function resultOf({ seats }) {
  const order = [...seats].sort((one, other) => one.placement - other.placement);
  return order.map(({ placement, bot, score }) => `${placement}. ${bot} ${number(score)}`).join(", ");
}
