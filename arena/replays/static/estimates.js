// What bots and a judge make of positions: as courses over the match, lists, and marks on the board.

import { html, svg } from "./elements.js";

/** @import { Board, Course, Appraisal, Replay, Scene, Step } from "../viewer" */

const SHOWN = 4;
/** How a match stands in the judgement of a judge. */
export const STANDING = "chance to win";

/** Return half of the 95 % interval of a share of all tries; 0 where there were none. @param {number} share @param {Appraisal | null} estimate */
function errorOf(share, estimate) {
  const tries = estimate?.ranked.reduce((sum, { visits }) => sum + visits, 0) ?? 0;
  return tries ? 1.96 * Math.sqrt((share * (1 - share) + 1 / tries) / tries) : 0;
}

/** Round a worth for people. @param {number} value */
function worth(value) {
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

/**
 * Return one row of numbers for each scene: what was said before the next decision or, if nothing was, the last row.
 *
 * @param {Replay} replay
 * @param {number[]} end what the results are
 * @param {(step: Step) => (number | null)[] | null} said null for what is not said
 */
function rows(replay, end, said) {
  /** @type {(number | null)[]} */
  let last = replay.seats.map(() => null);
  const found = replay.steps.map((step) => {
    const now = said(step);
    if (now) last = last.map((old, seat) => now[seat] ?? old);
    return last;
  });
  return [...found, replay.seats[0].placement ? end : last];
}

/**
 * Return the courses that a match has besides its points: of the judge, and as the bots themselves say.
 *
 * @param {Replay} replay
 * @returns {Course[]}
 */
export function courses(replay) {
  const places = replay.seats.map((seat) => seat.placement);
  const players = replay.seats.length + replay.rivals.length;
  /** @param {number} value */
  const place = (value) => 1 + ((1 - value) * (players - 1)) / 2;
  const winners = places.filter((one) => one === 1).length || 1;
  const wins = places.map((one) => (one === 1 ? 1 / winners : 0));
  /** @param {Appraisal | null} estimate @param {"values" | "wins" | "points"} name */
  const list = (estimate, name) => (estimate && estimate[name].length ? estimate[name] : null);
  /** @type {(Course & { has: (step: Step) => unknown })[]} */
  const all = [
    {
      name: STANDING,
      range: [0, 1],
      isShare: true,
      has: (step) => list(step.judged, "wins"),
      rows: () => rows(replay, wins, (step) => list(step.judged, "wins")),
      errors: () =>
        rows(
          replay,
          wins.map(() => 0),
          (step) => list(step.judged, "wins")?.map((share) => errorOf(share, step.judged)) ?? null,
        ),
    },
    {
      name: "expected place",
      range: [players, 1],
      has: (step) => list(step.judged, "values"),
      rows: () => rows(replay, places, (step) => list(step.judged, "values")?.map(place) ?? null),
    },
    {
      name: "expected points",
      range: null,
      has: (step) => list(step.judged, "points"),
      rows: () =>
        rows(
          replay,
          replay.seats.map((seat) => seat.score),
          (step) => list(step.judged, "points"),
        ),
    },
    {
      name: "place, as each bot says",
      range: [players, 1],
      has: (step) => list(step.evaluation, "values"),
      rows: () =>
        rows(
          replay,
          places,
          (step) =>
            list(step.evaluation, "values")?.map((value, seat) => (seat === step.seat ? place(value) : null)) ?? null,
        ),
    },
  ];
  return all.filter(({ has }) => replay.steps.some((step) => has(step)));
}

/**
 * Say what was considered before a decision: by its bot, and by the judge if it liked something better.
 *
 * @param {Replay} replay
 * @param {Step} step
 */
export function estimateLines(replay, step) {
  const own = step.evaluation && step.evaluation.ranked.length ? [listed("It considered", step.evaluation, step)] : [];
  const { judged } = step;
  if (!judged?.ranked.length || judged.ranked[0].action === step.action || step.lost === 0) return own;
  return [...own, listed(`${replay.judge} liked better`, judged, step)];
}

/** List the actions of an estimate. @param {string} who @param {Appraisal} estimate @param {Step | null} step */
export function listed(who, estimate, step) {
  const some = estimate.ranked.filter((one, index) => index < SHOWN || (step && one.action === step.action));
  const isMeasured = some.some((one) => one.value);
  return html(
    "div",
    { class: "estimate" },
    html("p", {}, `${who}:`),
    html(
      "ol",
      {},
      some.map((one) =>
        html(
          "li",
          { class: step && one.action === step.action ? "played" : "" },
          html("bdi", {}, one.label),
          html("small", {}, isMeasured ? ` ${worth(one.value)}${one.visits ? ` (${one.visits} tries)` : ""}` : ""),
        ),
      ),
    ),
  );
}

/**
 * Mark the places on the board to which a bot draws attention, instead of those of the position before.
 *
 * @param {Board} board
 * @param {Replay} replay
 * @param {Step | null} step
 */
export function markPlaces(board, replay, step) {
  for (const old of document.querySelectorAll(".attention")) old.remove();
  for (const { place, label } of (step && step.evaluation && step.evaluation.marks) || []) {
    if (!Object.hasOwn(replay.scenery.places, place)) continue;
    const outlined = board.outline(place, { class: "attention" });
    if (!outlined) continue;
    const [drawing, ring] = outlined;
    ring.append(svg("title", {}, label || place));
    drawing.append(ring);
  }
}

/**
 * Return a row of numbers for each scene: the points on the table.
 *
 * @param {Scene[]} scenes
 * @returns {Course}
 */
export function pointsOf(scenes) {
  return {
    name: "points",
    range: null,
    rows: () => scenes.map((scene) => scene.players.map((player) => player.score)),
  };
}
