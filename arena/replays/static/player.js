// The player of replays: a cursor over the scenes, and everything that follows it.

import { explainThings, listThings } from "./about.js";
import { drawChart } from "./chart.js";
import { html, quoted } from "./elements.js";
import { STANDING, courses, estimateLines, markPlaces, pointsOf } from "./estimates.js";
import { drawLog, faultLines, startLines } from "./log.js";
import { createPlayers, nameOf } from "./panel.js";
import { saveFilm, savePicture } from "./picture.js";
import { sheet, sheetCourses } from "./sheet.js";
import { addScenes, touched } from "./scenes.js";
import { describe } from "./text.js";

/** @import { Appraisal, Board, Course, CreateBoard, Log, Parts, Replay, Scene, Seek, Step } from "../viewer" */

/** @type {Record<string, number>} */
const SPEEDS = { slow: 1600, normal: 800, fast: 300 };
/** Moves that follow each other within this time, in milliseconds, as with a key that is held down, are not animated. */
const HURRY = 150;
/** After this number of milliseconds without a move, the address follows: browsers take a millisecond for it. */
const REST = 200;

/** Return how a view of the match is called in its list and in the address. @param {Replay} replay */
function viewOf(replay) {
  if (replay.observer === null) return ["all", "open cards"];
  if (replay.observer < 0) return ["spectator", "a spectator"];
  const { bot, version } = replay.seats[replay.observer];
  return [`seat${replay.observer}`, `${bot} ${version} (player ${replay.observer + 1})`];
}

export class Player {
  /** @type {Replay} */
  replay;
  /** All scenes that are known. @type {Scene[]} */
  scenes;
  /** The scene that what is shown now is compared with. @type {Scene} */
  before;
  /** @type {Board} */
  board;
  /** @type {(scene: Scene, before: Scene | null) => void} */
  drawPlayers;
  /** @type {Log} */
  log;
  /** @type {Seek} */
  moveCursor;
  /** @type {Course[]} */
  courses;

  /**
   * @param {HTMLElement} root
   * @param {Replay[]} replays
   * @param {CreateBoard} createBoard
   */
  constructor(root, replays, createBoard) {
    this.root = root;
    this.replays = replays;
    this.createBoard = createBoard;
    this.step = 0;
    this.course = "";
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | null} */
    this.settling = null;
    /** @type {number | undefined} */
    this.resting = undefined;
    this.moved = -HURRY;
    this.view = 0;
    this.parts = this.buildFrame();
    document.body.classList.add("begun");
    document.body.classList.toggle("bare", location.search === "?bare");
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.followAddress());
    this.followAddress() || this.open(0);
  }

  buildFrame() {
    const named = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("[data-part]")]);
    const parts = /** @type {Parts} */ (Object.fromEntries(named.map((part) => [part.dataset.part ?? "", part])));
    parts.play = /** @type {HTMLElement} */ (this.root.querySelector('[data-do="play"]'));
    parts.words = /** @type {HTMLDetailsElement} */ (parts.text.parentElement);
    parts.points = /** @type {HTMLDetailsElement} */ (parts.sheet.parentElement);
    parts.observer.addEventListener("change", () => this.open(Number(parts.observer.value)));
    parts.slider.addEventListener("input", () => this.seek(Number(parts.slider.value)));
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-do]"))) {
      button.addEventListener("click", () => this.act(button.dataset.do ?? ""));
    }
    parts.forced.addEventListener("change", () => this.fold());
    parts.course.addEventListener("change", () => {
      this.course = parts.course.value;
      this.drawCourse();
    });
    parts.picture.addEventListener("click", () => savePicture(this));
    parts.film.addEventListener("click", () => saveFilm(this));
    parts.find.addEventListener("change", () => this.find(parts.find.value));
    for (const part of [parts.words, parts.points]) part.addEventListener("toggle", () => this.show());
    explainThings(parts.board, () => this.replay);
    return parts;
  }

  /** Show the match as another observer saw it, at the same decision. @param {number} index */
  open(index) {
    this.view = index;
    this.replay = this.replays[index];
    this.scenes = [this.replay.first];
    const names = this.replays.map((replay) => viewOf(replay)[1]);
    this.parts.observer.replaceChildren(...names.map((name, value) => html("option", { value }, name)));
    this.parts.observer.value = String(index);
    this.parts.turningPoints.replaceChildren(
      ...this.replay.turning_points.map(({ step, title }) =>
        html("li", {}, html("button", { type: "button", onclick: () => this.seek(step) }, title)),
      ),
    );
    this.load();
    this.log = drawLog(this.parts.log, this.replay, this.scenes, (step) => this.seek(step));
    this.fold();
    this.board = this.createBoard(this.parts.board, this.replay); // drawn before it is laid out, so nothing moves yet
    this.drawPlayers = createPlayers(this.parts.players, this.replay);
    listThings(this.parts.things, this.replay);
    this.seek(Math.min(this.step, this.last));
  }

  /** Add the steps that have no scene yet, and draw what covers the whole match. */
  load() {
    addScenes(this.replay, this.scenes);
    this.listCourses();
    this.parts.slider.max = String(this.last);
  }

  /** List the courses of the match, and draw the one that was chosen or, of a match that is judged, how it stands. */
  listCourses() {
    const { parts, replay, scenes } = this;
    this.courses = [pointsOf(scenes), ...courses(replay), ...sheetCourses(replay, scenes)];
    const wanted = this.course || (replay.judge && STANDING);
    parts.course.replaceChildren(
      ...this.courses.map(({ name }) => html("option", { selected: name === wanted }, name)),
    );
    this.drawCourse();
  }

  /** Add what a judge made of positions before decisions. @param {[decision: number, estimate: Appraisal][]} found */
  judge(found) {
    for (const [number, estimate] of found) this.replay.steps[number].judged = estimate;
    this.listCourses();
  }

  /** Draw the course that is chosen. */
  drawCourse() {
    const { parts, replay, scenes } = this;
    const course = this.courses.find(({ name }) => name === parts.course.value) ?? this.courses[0];
    this.moveCursor = drawChart(parts.chart, replay, scenes, course, (step) => this.seek(step));
    this.moveCursor(this.step);
  }

  /** Go to the next decision that has these words, is about such a place, or was thought with them. @param {string} words */
  find(words) {
    const wanted = words.trim().toLowerCase();
    const { places } = this.replay.scenery;
    /** @param {Step} step */
    const has = (step) =>
      [step.label, step.thoughts, ...step.places.flatMap((place) => [place, places[place]?.label ?? ""])].some((text) =>
        text.toLowerCase().includes(wanted),
      );
    const count = this.last;
    const from = [...Array(count).keys()].map((offset) => (this.step + offset) % Math.max(1, count));
    const found = wanted ? from.find((index) => has(this.replay.steps[index])) : undefined;
    this.parts.find.setCustomValidity(wanted && found === undefined ? "No decision has these words." : "");
    this.parts.find.reportValidity();
    if (found !== undefined) this.seek(found + 1);
  }

  /**
   * Add steps of a match that is being played; a viewer at the last one goes on to the new last one.
   *
   * @param {Step[]} steps
   */
  extend(steps) {
    const follows = this.step === this.last;
    this.replay.steps.push(...steps);
    this.load();
    this.log.grow();
    this.seek(follows ? this.last : this.step);
  }

  /** Leave forced decisions out of the list, or put them back. */
  fold() {
    this.parts.log.classList.toggle("folded", this.parts.forced.checked);
    this.settleSoon();
  }

  get last() {
    return this.scenes.length - 1;
  }

  /** Show the position after `step` decisions. @param {number} step */
  seek(step) {
    const to = Math.max(0, Math.min(this.last, step));
    this.before = to === this.step + 1 ? this.scenes[this.step] : this.scenes[Math.max(0, to - 1)];
    this.step = to;
    if (to === this.last) this.pause();
    this.show();
    this.settleSoon();
  }

  /** Do what makes the browser lay out the page once for a picture, and what it rations once for a run of steps. */
  settleSoon() {
    this.settling ||= requestAnimationFrame(() => this.settle());
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.keepAddress(), REST);
  }

  settle() {
    this.settling = null;
    if (this.log.follow()) this.settleSoon();
  }

  keepAddress() {
    const address = `#${this.step}/${viewOf(this.replay)[0]}`;
    if (location.hash !== address && location.protocol !== "about:") history.replaceState(null, "", address);
  }

  show() {
    const { parts, replay, step } = this;
    const scene = this.scenes[step];
    const made = step ? replay.steps[step - 1] : null;
    this.board.draw(scene, this.before, touched(made), made);
    markPlaces(this.board, replay, made);
    this.drawPlayers(scene, step ? this.before : null);
    this.moveCursor(step);
    this.log.mark(step);
    parts.slider.value = String(step);
    const round = scene.question ? `round ${scene.round}` : "the end";
    parts.slider.setAttribute("aria-valuetext", `decision ${step} of ${this.last}, ${round}`);
    const where = [`${step} / ${this.last}`, round, scene.question && scene.phase];
    parts.where.textContent = where.filter(Boolean).join(" \u00b7 ");
    this.say(scene, made);
    if (parts.points.open || step === this.last)
      parts.sheet.replaceChildren(...sheet(replay, scene, this.scenes[this.last]));
    if (parts.words.open) parts.text.textContent = describe(replay, scene);
    if (parts.command) parts.command.textContent = `${parts.command.dataset.command} --at ${step}`;
    document.dispatchEvent(new Event("shown"));
  }

  /** Say what was decided, why, and what comes next. @param {Scene} scene @param {Step | null} made */
  say(scene, made) {
    const question = scene.question;
    const asked = question ? question.seats.map((seat) => nameOf(this.replay, scene, seat)).join(", ") : "";
    this.parts.said.replaceChildren(
      ...(made
        ? [
            html(
              "p",
              { class: `made p${made.seat}` },
              html("span", { class: "dot" }),
              html("bdi", {}, nameOf(this.replay, scene, made.seat)),
              ": ",
              html("strong", {}, made.label),
              made.think_ms && made.think_ms >= 100
                ? html("small", {}, ` ${(made.think_ms / 1000).toFixed(1)} s`)
                : null,
            ),
            ...faultLines(made),
            ...(made.thoughts ? [quoted(made.thoughts)] : []),
            ...estimateLines(this.replay, made),
          ]
        : [html("p", { class: "made" }, "The match begins"), ...startLines(this.replay)]),
      html(
        "p",
        { class: "next" },
        question ? html("bdi", {}, `${asked}: `) : "",
        question ? question.text : "The match is over",
      ),
    );
  }

  // -- moving

  /** @param {string} name */
  act(name) {
    /** @type {Record<string, () => void>} */
    const moves = {
      first: () => this.seek(0),
      last: () => this.seek(this.last),
      back: () => this.seek(this.next(-1)),
      forward: () => this.seek(this.next(1)),
      "turn-back": () => this.seek(this.nextTurn(-1)),
      "turn-forward": () => this.seek(this.nextTurn(1)),
      "round-back": () => this.seek(this.nextRound(-1)),
      "round-forward": () => this.seek(this.nextRound(1)),
      play: () => (this.timer ? this.pause() : this.play()),
    };
    if (name !== "play") this.pause();
    const now = performance.now();
    this.parts.board.classList.toggle("hurried", now - this.moved < HURRY);
    this.moved = now;
    moves[name]();
  }

  /** Return the next step in a direction; forced decisions are passed over if they are folded. @param {1 | -1} direction */
  next(direction) {
    let step = this.step + direction;
    while (this.parts.forced.checked && step > 0 && step < this.last && this.replay.steps[step - 1].by === "rules")
      step += direction;
    return step;
  }

  /** @param {1 | -1} direction */
  nextTurn(direction) {
    const ends = [0, ...this.log.turns.map((turn) => turn.end)];
    const found = direction > 0 ? ends.find((end) => end > this.step) : ends.reverse().find((end) => end < this.step);
    return found === undefined ? this.step : found;
  }

  /** @param {1 | -1} direction */
  nextRound(direction) {
    const { round } = this.scenes[this.step];
    for (let step = this.step + direction; step > 0 && step < this.last; step += direction) {
      const other = this.scenes[step].round;
      if (other !== round && (direction > 0 || this.scenes[step - 1].round !== other)) return step;
    }
    return direction > 0 ? this.last : 0;
  }

  play() {
    if (this.step === this.last) this.seek(0);
    this.parts.play.setAttribute("aria-pressed", "true");
    const tick = () => {
      this.timer = setTimeout(tick, SPEEDS[this.parts.speed.value]);
      this.seek(this.next(1));
    };
    this.timer = setTimeout(tick, 0);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.parts.play.setAttribute("aria-pressed", "false");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("select, input[type=search], .sheet")) return;
    /** @type {Record<string, string>} */
    const keys = {
      ArrowRight: event.shiftKey ? "turn-forward" : "forward",
      ArrowLeft: event.shiftKey ? "turn-back" : "back",
      PageDown: "round-forward",
      PageUp: "round-back",
      Home: "first",
      End: "last",
      " ": target.closest("button, summary, input[type=checkbox]") ? "" : "play",
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    this.act(keys[event.key]);
  }

  /** Go where the address says: #step, or #step/view. */
  followAddress() {
    const found = /^#(\d+)(?:\/(\w+))?$/.exec(location.hash);
    if (!found) return false;
    const view = this.replays.findIndex((replay) => viewOf(replay)[0] === found[2]);
    this.step = Number(found[1]);
    this.open(view >= 0 ? view : this.view);
    return true;
  }
}

/**
 * Show the last step of a match that is not over, in its player or in a new one; return the player.
 *
 * @param {Player | null} player
 * @param {Replay} replay
 * @param {CreateBoard} createBoard
 */
export function showLatest(player, replay, createBoard) {
  return showAll(player, [replay], createBoard, Infinity);
}

/**
 * Show views of a match, in its player or in a new one; return the player.
 *
 * @param {Player | null} player
 * @param {Replay[]} replays
 * @param {CreateBoard} createBoard
 * @param {number} step
 */
export function showAll(player, replays, createBoard, step = 0) {
  const shown = player || new Player(document.body, replays, createBoard);
  shown.replays = replays;
  shown.step = step;
  shown.open(0);
  return shown;
}

/** Read the replays that the page carries, compressed, and start. @param {CreateBoard} createBoard */
export async function start(createBoard) {
  const packed = document.getElementById("replays")?.textContent ?? "";
  const chars = atob(packed);
  const bytes = new Uint8Array(chars.length);
  for (let index = 0; index < chars.length; index++) bytes[index] = chars.charCodeAt(index);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const replays = await new Response(unpacked).json();
  for (const replay of replays)
    replay.steps = replay.steps.map((/** @type {Step} */ step, /** @type {number} */ at) => ({
      ...replays[0].steps[at],
      ...step,
    }));
  return new Player(document.body, replays, createBoard);
}
