// A match that a person plays: the player of replays, with a table to sit at: the question, what may be answered on the
// board and as buttons, what the others did, a hint, the rules, and a tour for the first match.

import { html, quoted } from "./elements.js";
import { InPage } from "./in_page.js";
import { Offers, withdrawPlaces } from "./offers.js";
import { nameOf, number } from "./panel.js";
import { sheet } from "./sheet.js";
import { saveRecord } from "./picture.js";
import { showAll, showLatest } from "./player.js";
import { Server } from "./server.js";
import { Tour } from "./tour.js";

/** @import { CreateBoard, Replay, Step } from "../viewer" */
/** @import { Asked } from "../../browser/personal" */
/** @import { Player } from "./player.js" */

/** How many decisions of the others are shown at most. */
const TOLD = 12;

/** Under which name the browser remembers whether choices are explained. */
const EXPLAINS = "explains";

/** Return what the browser keeps for this page, if it may keep anything. */
function memory() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Show the match that the page names, and offer what may be answered. @param {CreateBoard} createBoard */
export function play(createBoard) {
  new Table(createBoard);
}

/** What the others did since the person last had a choice. @param {Replay} replay */
function newsOf({ steps, observer }) {
  const free = steps.filter((step) => step.by !== "rules");
  const last = free.map((step) => step.seat).lastIndexOf(observer ?? -1);
  return free.slice(last + 1);
}

/** Return steps as lines, a player a line. @param {Replay} replay @param {Step[]} steps */
function told(replay, steps) {
  /** @type {{ seat: number, labels: string[] }[]} */
  const lines = [];
  for (const { seat, label, action } of steps.slice(-TOLD)) {
    const words = action ? label : "chooses in secret";
    if (lines.at(-1)?.seat === seat) lines.at(-1)?.labels.push(words);
    else lines.push({ seat, labels: [words] });
  }
  return lines.map(({ seat, labels }) =>
    html(
      "li",
      { class: `p${seat}` },
      html("span", { class: "dot" }),
      html("bdi", {}, nameOf(replay, replay.first, seat)),
      `: ${labels.join("; ")}`,
    ),
  );
}

/** Return the points of all players. @param {Player} player */
function pointsNow({ replay, scenes }) {
  const { players } = scenes[scenes.length - 1];
  return players.map(({ score }, index) => `${nameOf(replay, replay.first, index)}: ${number(score)}`).join(", ");
}

/** Say who won. @param {Replay} replay */
function outcome(replay) {
  const players = [...replay.seats, ...replay.rivals].map(({ placement, score }, player) => ({
    placement,
    score,
    player,
  }));
  const best = players.filter(({ placement }) => placement === 1).map(({ player }) => player);
  const who = best.map((player) => (player === replay.observer ? "You" : nameOf(replay, replay.first, player)));
  const scores = players.sort((one, other) => one.placement - other.placement).map(({ score }) => number(score));
  return `${who.join(" and ")} ${best.length > 1 || who[0] === "You" ? "win" : "wins"}, ${scores.join(" to ")}`;
}

class Table {
  /** @type {Player | null} */
  player = null;
  /** @type {Asked | null} */
  asked = null;
  /** @type {Offers | null} */
  offers = null;
  counting = 0;
  keepsFocus = false;
  busy = false;
  leaving = false;
  /** What the fixed place for explanations shows while nothing is pointed at. @type {Node[]} */
  advice = [];
  title = html("h2", { id: "ask", tabindex: "-1" }, "Waiting for the match \u2026");
  turn = html("p", { class: "turn-of" });
  news = html("ul", { class: "moves", "aria-label": "What the others did" });
  buttons = html("div", { class: "choices", role: "group", "aria-labelledby": "ask" });
  notice = html("p", { class: "notice", role: "alert" });
  told = html("div", { class: "told", role: "status", tabindex: "0", "aria-label": "Explanation" });
  undoing = this.tool("Undo", () => this.answer(null), "undo");
  hinting = this.tool("Hint", () => this.ask());
  explaining = this.tool("Explain", () => this.explain(this.explaining.getAttribute("aria-pressed") !== "true"));
  rules = html("a", { target: "_blank", rel: "noopener" }, "Rules");
  tools = html("p", { class: "tools" }, this.undoing, this.hinting, this.explaining, this.rules);
  return = html("button", { type: "button", hidden: true, onclick: () => this.playAgain() }, "Play again");
  saving = html("button", { type: "button", hidden: true }, "Save the match");
  panel = html(
    "section",
    { class: "ask", "aria-labelledby": "ask" },
    ...[this.turn, this.title, this.news, this.buttons, this.told, this.notice, this.tools],
  );

  /** @param {CreateBoard} createBoard */
  constructor(createBoard) {
    this.createBoard = createBoard;
    this.main = /** @type {HTMLElement} */ (document.querySelector("main"));
    const { stream = "" } = this.main.dataset;
    this.arena = stream.startsWith("/") ? new Server(stream) : new InPage(stream);
    this.rules.href = this.arena.address("rules");
    this.main.prepend(this.panel);
    document.querySelector("header")?.append(this.return, this.saving);
    this.sit(true);
    this.explain(memory()?.getItem(EXPLAINS) !== "false");
    this.tour = new Tour(this.tools, this.arena, () => this.player?.board);
    document.addEventListener("keydown", (event) => this.key(event));
    // what can be clicked belongs to the latest position
    document.addEventListener("shown", () => this.shown());
    addEventListener("pagehide", () => {
      this.stop(); // it would ask for the page again
      this.arena.leave();
    });
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    this.stop = this.arena.listen({
      notice: (words) => this.say(words),
      found: () => this.say(""),
      lost: () => this.lost(),
      match: (replay) => (this.player = showLatest(this.player, replay, createBoard)),
      steps: (steps) => this.player?.extend(steps),
      question: (asked) => this.offer(asked),
      end: () => this.end(),
    });
  }

  /** @param {string} name @param {() => void} use @param {string} kind */
  tool(name, use, kind = "") {
    return html("button", { type: "button", class: kind, hidden: true, onclick: use }, name);
  }

  /** @param {string} words */
  say(words) {
    this.notice.textContent = words;
  }

  shown() {
    const { player } = this;
    this.main.classList.toggle("past", player !== null && player.step < player.last);
  }

  /** Take the choice with the number of the key. @param {KeyboardEvent} event */
  key(event) {
    const isWriting = /** @type {Element} */ (event.target).closest("input, select, textarea");
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    const labels = this.buttons.querySelectorAll(".label");
    labels[Number(event.key) - 1]?.parentElement?.click();
  }

  /** Answer with an action, or take the last one back. @param {number | null} action */
  async answer(action) {
    const { asked } = this;
    if (!asked || this.busy) return;
    this.busy = true;
    for (const button of this.buttons.querySelectorAll("button")) button.disabled = true;
    this.keepsFocus ||= this.panel.contains(document.activeElement) || document.activeElement === document.body;
    withdrawPlaces();
    try {
      await this.arena.post("answer", { number: asked.number, action });
      this.say("");
    } catch (error) {
      this.say(/** @type {Error} */ (error).message);
      this.offer(asked);
    }
  }

  /** Ask the adviser. */
  async ask() {
    const { asked } = this;
    if (!asked) return;
    this.advise("\u2026");
    try {
      const { label, thoughts } = await this.arena.post("hint", { number: asked.number });
      if (asked !== this.asked) return;
      const chosen = label ? html("strong", {}, label) : "something that is not legal";
      this.advise(html("p", {}, `${asked.adviser} would choose: `, chosen), ...(thoughts ? [quoted(thoughts)] : []));
    } catch (error) {
      if (asked === this.asked) this.advise(/** @type {Error} */ (error).message);
    }
  }

  /** Keep in the place for explanations what stays there. @param {(Node | string)[]} words */
  advise(...words) {
    this.advice = words.map((one) => (typeof one === "string" ? html("p", {}, one) : one));
    this.tell("");
  }

  /** Explain what is pointed at. @param {string} text empty for nothing */
  tell(text) {
    this.told.classList.toggle("idle", !text && !this.advice.length);
    this.told.classList.toggle("advising", this.advice.length > 0);
    if (text) this.told.textContent = text;
    else if (this.advice.length) this.told.replaceChildren(...this.advice);
    else this.told.textContent = "Point at a choice or at the board to read about it. Keys 1 to 9 choose.";
  }

  /** Explain all choices below their names, now and in later questions and matches, or only what is pointed at. @param {boolean} on */
  explain(on) {
    this.panel.classList.toggle("explaining", on);
    this.explaining.setAttribute("aria-pressed", String(on));
    memory()?.setItem(EXPLAINS, String(on));
  }

  /** Count down the seconds that are left for the turn. @param {number} left */
  count(left) {
    this.turn.textContent = `${left} s left; ${this.player ? pointsNow(this.player) : ""}`;
    if (left > 0) this.counting = setTimeout(() => this.count(left - 1), 1000);
  }

  /** Put a question, or say why there is none. @param {Asked} asked */
  offer(asked) {
    this.keepsFocus ||= this.panel.contains(document.activeElement);
    this.asked = asked;
    clearTimeout(this.counting);
    const { choices, undo, left_s: left, results, again } = asked;
    this.head(asked);
    if (choices.length && left !== null) this.count(left);
    this.advise(...results);
    const { player } = this;
    this.news.replaceChildren(...(player && choices.length ? told(player.replay, newsOf(player.replay)) : []));
    const [tell, stepped] = [(/** @type {string} */ text) => this.tell(text), () => this.focusTitle()];
    this.offers = new Offers(this.buttons, choices, player?.board, (action) => this.answer(action), tell, stepped);
    this.busy = false;
    const used = document.activeElement;
    this.show(this.undoing, undo);
    this.show(this.hinting, choices.length > 1 && asked.adviser !== "");
    this.show(
      this.explaining,
      choices.some((choice) => choice.text),
    );
    this.tools.hidden = results.length > 0;
    if (results.length) this.close(again);
    const section = choices.find((choice) => choice.section)?.section ?? "";
    this.rules.hash = section && `s${section}`;
    this.rules.textContent = section ? `Rules, \u00a7${section}` : "Rules";
    if (this.keepsFocus && !(this.tools.contains(used) && used?.checkVisibility())) this.focusTitle();
    this.keepsFocus = false;
  }

  focusTitle() {
    this.title.focus({ preventScroll: true });
  }

  /** @param {HTMLButtonElement} tool @param {boolean} on */
  show(tool, on) {
    tool.hidden = !on;
  }

  /** Say what is asked, and whose turn it is. @param {Asked} asked */
  head({ choices, lost, results }) {
    const question = this.player?.scenes.at(-1)?.question?.text;
    this.turn.textContent = this.player ? pointsNow(this.player) : "";
    if (results.length) this.title.textContent = this.player ? outcome(this.player.replay) : "The match is over";
    else if (lost) this.title.textContent = `You have lost your seat: ${lost}`;
    else this.title.textContent = choices.length ? (question ?? "Your turn") : "Others play \u2026";
  }

  /** Show who won and by what, instead of choices. @param {boolean} again whether there may be another match */
  close(again) {
    const { player } = this;
    if (!player?.replay.seats[0].placement) return;
    const scene = player.scenes[player.last];
    const link = { href: this.arena.address("replay"), target: "_blank", rel: "noopener" };
    const watch =
      this.arena instanceof InPage
        ? html("button", { type: "button", onclick: () => this.watch() }, "Watch it")
        : html("a", link, "Watch it");
    const more = html("button", { type: "button", onclick: () => this.playAgain() }, "Play again");
    this.buttons.replaceChildren(
      html("p", { class: "tools" }, watch, again ? more : ""),
      html("div", { class: "sheet" }, sheet(player.replay, scene, scene)),
    );
  }

  /** Show the match as everyone saw it, as a replay, in the place of the table. */
  async watch() {
    const { replays, name, record } = await this.arena.post("replay", {});
    this.sit(false);
    this.saving.onclick = () => saveRecord(name, record);
    this.player = showAll(this.player, replays, this.createBoard);
  }

  /** Show the table, or only the match. @param {boolean} on */
  sit(on) {
    document.body.classList.toggle("playing", on);
    this.panel.hidden = !on;
    this.return.hidden = this.saving.hidden = on;
  }

  async playAgain() {
    this.leaving = true;
    this.sit(true);
    await this.arena.post("again", {}).catch((error) => this.say(error.message));
  }

  /** The server shows this match no more: another one follows, or it ends. */
  end() {
    this.stop();
    if (this.leaving) location.reload();
  }

  /** Stop the clock, and say whether this page can go on. */
  async lost() {
    clearTimeout(this.counting);
    this.say("The server does not answer. This page goes on when it is back.");
    if (!(await this.arena.isAnother())) return;
    this.stop();
    this.say("This match has moved. Open the address that ballcourt printed last.");
  }
}
