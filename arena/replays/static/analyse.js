// A replay that can be asked about and played on: the player of replays, with what a bot would do and a seat to take.

import { html, quoted } from "./elements.js";
import { listed } from "./estimates.js";
import { nameOf } from "./panel.js";
import { start } from "./player.js";
import { Server } from "./server.js";

/** @import { CreateBoard, Appraisal } from "../viewer" */

/** Show the match that the page carries, and offer to ask a bot or to branch off. @param {CreateBoard} createBoard */
export async function analyse(createBoard) {
  const player = await start(createBoard);
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const server = new Server(main.dataset.stream ?? "");
  /** @type {{ adviser: string, players: string[] }} */
  const { adviser, players } = await server.get("helpers");

  const ask = html("button", { type: "button", onclick: advise }, `What would ${adviser} do?`);
  const seats = html("select", { "aria-label": "Player", onchange: others });
  const branch = html("button", { type: "button", onclick: playOn }, "Play on from here");
  const rest = html("p", {});
  const answer = html("div", { class: "advice", role: "status" });
  const title = html("h2", { id: "analysis" }, "Analysis");
  const controls = html("div", { class: "choices" }, ask, html("label", {}, "as ", seats), branch);
  main.before(html("section", { class: "news ask", "aria-labelledby": "analysis" }, title, controls, rest, answer));
  const { replay } = player;
  seats.append(
    ...replay.seats.map((_, seat) =>
      html("option", { value: seat }, `${nameOf(replay, replay.first, seat)} (player ${seat + 1})`),
    ),
  );

  /** Say who takes the other seats. */
  function others() {
    const named = players
      .map((bot, seat) => `${bot} (player ${seat + 1})`)
      .filter((_, seat) => seat !== Number(seats.value));
    rest.textContent = named.length ? `You see what your seat knew. The others are played by ${named.join(", ")}.` : "";
  }

  /**
   * Ask the server; return its answer, or null after the reason has been shown.
   *
   * @param {string} path
   * @param {object} body
   * @param {HTMLButtonElement} button
   */
  async function request(path, body, button) {
    button.disabled = true;
    answer.replaceChildren("\u2026");
    try {
      return await server.post(path, body);
    } catch (error) {
      answer.replaceChildren(html("p", { class: "notice" }, /** @type {Error} */ (error).message));
    }
    button.disabled = false;
    return null;
  }

  async function advise() {
    const { step } = player;
    /** @type {{ label: string, thoughts: string, estimate: Appraisal } | null} */
    const told = await request("advice", { decision: step }, ask);
    if (!told || step !== player.step) return;
    ask.disabled = false;
    const made = replay.steps[step];
    const choice = told.label ? html("strong", {}, told.label) : "something that is not legal";
    answer.replaceChildren(
      html("p", {}, `${adviser} would choose: `, choice, `. In the match: ${made.label}.`),
      ...(told.thoughts ? [quoted(told.thoughts)] : []),
      ...(told.estimate.ranked.length > 1 ? [listed(`${adviser} considered`, told.estimate, made)] : []),
    );
  }

  async function playOn() {
    /** @type {{ address: string } | null} */
    const told = await request("branch", { decision: player.step, seat: Number(seats.value) }, branch);
    if (told) location.href = told.address;
  }

  /** Follow the player: what was said is about another decision. */
  function moved() {
    const next = replay.steps[player.step];
    ask.disabled = !next || next.by === "rules";
    branch.disabled = !next;
    if (next) seats.value = String(next.seat);
    answer.replaceChildren();
    others();
  }

  document.addEventListener("shown", moved);
  moved();
}
