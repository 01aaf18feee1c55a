// The decisions as a list, turn by turn; forced ones can be folded away.

import { html, quoted } from "./elements.js";
import { nameOf } from "./panel.js";

/** @import { Fault, Log, Replay, Scene, Seek, Step, Turn } from "../viewer" */

/** @type {Record<string, string>} */
const BY = {
  fallback: "a fallback",
  substitute: "substituted after a fault",
  nobody: "the seat is vacant",
  rules: "forced",
  record: "as recorded",
};
/** @type {Record<string, string>} */
const REMEDIES = { retry: "asked again", substitute: "substituted" };

/** How many pictures turns may take until they have their sizes, which they get once they are seen. */
const PICTURES = 3;

/** Return a fault that was tolerated, in words. @param {Fault} fault */
export function inFull(fault) {
  const kind = fault.termination.toLowerCase().replaceAll("_", " ");
  const remedy = fault.termination === "FAILED_TO_START" ? "started again" : REMEDIES[fault.remedy] || fault.remedy;
  return `${kind}, ${remedy}: ${fault.detail}`;
}

/** Make a line for each failed start that was tolerated. @param {Replay} replay */
export function startLines(replay) {
  return replay.seats.flatMap((seat) =>
    seat.faults.map((fault) =>
      html("p", { class: "tolerated" }, "\u26a0 ", html("bdi", {}, `${seat.bot} ${seat.version}`), ` ${inFull(fault)}`),
    ),
  );
}

/** Make a line for each fault that was tolerated before a decision. @param {Step} step */
export function faultLines(step) {
  return step.faults.map((fault) => html("p", { class: "tolerated" }, `\u26a0 ${inFull(fault)}`));
}

/** @param {Step} step @param {number} index @param {Seek} seek */
function line(step, index, seek) {
  return html(
    "li",
    { "data-step": index, class: step.by === "rules" ? "forced" : "" },
    html(
      "button",
      { type: "button", onclick: () => seek(index + 1) },
      html("span", { class: "label" }, step.label),
      html("small", {}, (step.by && BY[step.by]) ?? ""),
    ),
    faultLines(step),
    step.thoughts ? quoted(step.thoughts) : null,
  );
}

/**
 * Fill an element with the log; return what adds the steps that come later, marks the current one and scrolls to it.
 * The log has the turns too: runs of decisions of one seat in one round.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @param {Scene[]} scenes
 * @param {Seek} seek
 * @returns {Log}
 */
export function drawLog(root, replay, scenes, seek) {
  /** @type {Turn[]} */
  const turns = [];
  /** @type {Element[]} */
  const lines = [];
  let [list, part] = [html("ol"), html("div")];
  /** @param {number} seat @param {number} round */
  const begin = (seat, round) => {
    if (round !== turns.at(-1)?.round) {
      part = html("div", { class: "of-round" }, html("h3", {}, `Round ${round}`));
      root.append(part);
    }
    turns.push({ seat, round, start: lines.length, end: lines.length });
    list = html("ol");
    const name = html("h4", {}, html("span", { class: "dot" }), html("bdi", {}, nameOf(replay, scenes[0], seat)));
    part.append(html("div", { class: `turn p${seat}` }, name, list));
    return turns[turns.length - 1];
  };
  /** @type {Element | null} */
  let current = null;
  let looks = 0;
  const log = {
    turns,
    grow() {
      for (const step of replay.steps.slice(lines.length)) {
        const { round } = scenes[lines.length];
        const last = turns.at(-1);
        const turn = last?.seat === step.seat && last.round === round ? last : begin(step.seat, round);
        const added = line(step, lines.length, seek);
        list.append(added);
        turn.end = lines.push(added);
      }
    },
    /** @param {number} step */
    mark(step) {
      if (current) current.removeAttribute("aria-current");
      current = lines[step - 1] || null;
      if (current) current.setAttribute("aria-current", "step");
    },
    /** Scroll to the current line; return whether that has to be looked at again in the next picture. */
    follow() {
      const target = current || root.firstElementChild;
      if (!target) return false;
      const list = root.getBoundingClientRect();
      const { top, bottom } = target.getBoundingClientRect();
      const before = root.scrollTop;
      if (top < list.top + 20 || bottom > list.bottom - 20) root.scrollTop += top - list.top - list.height / 2;
      looks = root.scrollTop === before ? looks - 1 : PICTURES;
      return looks > 0;
    },
  };
  root.replaceChildren(...startLines(replay));
  log.grow();
  return log;
}
