// A match that a person plays: the player of replays, with answers to click.

import { html } from "./elements.js";
import { offerChoices, withdrawPlaces } from "./offers.js";
import { showLatest } from "./player.js";
import { listen } from "./stream.js";

/** @import { CreateBoard } from "../viewer" */
/** @import { Asked } from "../../browser/personal" */
/** @import { Player } from "./player.js" */

/** Show the match that the page names, and offer what may be answered. @param {CreateBoard} createBoard */
export function play(createBoard) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const { stream = "" } = main.dataset;
  const token = new URL(stream, location.href).searchParams.get("token") ?? "";
  const title = html("h2", { id: "ask", tabindex: "-1" }, "Waiting for the match \u2026");
  const buttons = html("div", { class: "choices" });
  const notice = html("p", { class: "notice", role: "alert" });
  const panel = html("section", { class: "news ask", "aria-labelledby": "ask" }, title, buttons, notice);
  main.before(panel);
  /** @type {Player | null} */
  let player = null;
  /** @type {Asked} */
  let question;
  let counting = 0;

  /** Answer with an action, or take the last one back. @param {number | null} action */
  async function answer(action) {
    for (const button of buttons.querySelectorAll("button")) button.disabled = true;
    withdrawPlaces();
    const body = JSON.stringify({ number: question.number, action });
    const headers = { "Content-Type": "application/json", "X-Token": token };
    try {
      const said = await fetch("/answer", { method: "POST", headers, body });
      notice.textContent = said.ok ? "" : (await said.json()).detail;
      if (!said.ok) offer(question);
    } catch {
      notice.textContent = "The server does not answer.";
      offer(question);
    }
  }

  /** Count down the seconds that are left for the turn. @param {number} left */
  function count(left) {
    title.textContent = `Your turn: ${left} s left`;
    if (left > 0) counting = setTimeout(count, 1000, left - 1);
  }

  /** @param {Asked} asked */
  function offer(asked) {
    question = asked;
    clearTimeout(counting);
    const { choices, undo, left_s: left, lost, results } = asked;
    if (results.length) title.textContent = "The match is over";
    else if (lost) title.textContent = `You have lost your seat: ${lost}`;
    else if (!choices.length) title.textContent = "Others play \u2026";
    else if (left === null) title.textContent = "Your turn";
    else count(left);
    const rest = [
      ...(undo ? [html("button", { type: "button", class: "undo", onclick: () => answer(null) }, "Undo")] : []),
      ...results.map((line) => html("p", {}, line)),
    ];
    offerChoices(buttons, choices, rest, player?.board, answer);
  }

  /** Stop the clock, and say whether this page can go on. */
  async function lost() {
    clearTimeout(counting);
    notice.textContent = "The server does not answer. This page goes on when it is back.";
    const refused = await fetch(location.href).then(
      (said) => said.status === 403,
      () => false,
    );
    if (!refused) return;
    stop();
    notice.textContent =
      "This page belongs to another match than the server plays now. Open the address that ballcourt printed last.";
  }

  // what can be clicked belongs to the latest position
  document.addEventListener("shown", () => main.classList.toggle("past", player !== null && player.step < player.last));
  const stop = listen(stream, {
    found: () => (notice.textContent = ""),
    lost,
    match: (replay) => (player = showLatest(player, replay, createBoard)),
    steps: (steps) => player?.extend(steps),
    question: offer,
    end: () => stop(),
  });
}
