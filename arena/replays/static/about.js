// What things on the board are for: a line beside what one points at or touches, and all of them as a list.

import { html, inWords } from "./elements.js";

/** @import { Replay } from "../viewer" */

/** Return what the rules say of a place, a piece or a card; empty if nothing. @param {Replay} replay @param {string} id */
export function textOf(replay, id) {
  const { texts = {}, places } = replay.scenery;
  return texts[id] || texts[places[id]?.kind ?? ""] || "";
}

/**
 * Show what is pointed at, touched or focused: elements with `data-about` say what they are, by id. Escape hides it.
 *
 * @param {HTMLElement} root
 * @param {() => Replay} replay
 */
export function explainThings(root, replay) {
  const line = html("p", { class: "about-line", role: "status", hidden: true });
  document.body.append(line);
  const hide = () => {
    line.hidden = true;
  };
  /** @param {Event} event */
  const show = (event) => {
    const target = /** @type {Element} */ (event.target).closest("[data-about]");
    const text = target && textOf(replay(), target.getAttribute("data-about") ?? "");
    if (!target || !text) return hide();
    line.textContent = text;
    line.hidden = false;
    placeBeside(line, [target]);
  };
  for (const name of ["pointerover", "click", "focusin"]) root.addEventListener(name, show);
  root.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

/**
 * Put a card beside elements, wholly in the window; without any, or where there is no room beside them, at its bottom.
 *
 * @param {HTMLElement} card
 * @param {Element[]} about
 */
export function placeBeside(card, about) {
  const GAP = 8;
  const boxes = about.map((one) => one.getBoundingClientRect());
  /** @param {"left" | "top" | "right" | "bottom"} side @param {(...all: number[]) => number} choose */
  const edge = (side, choose) => choose(...boxes.map((box) => box[side]));
  const [left, right] = [edge("left", Math.min), edge("right", Math.max)];
  const [top, bottom] = [edge("top", Math.min), edge("bottom", Math.max)];
  const { offsetWidth: width, offsetHeight: height } = card;
  const [across, down] = [document.documentElement.clientWidth - width - GAP, innerHeight - height - GAP];
  /** @param {number} value @param {number} most */
  const within = (value, most) => Math.max(GAP, Math.min(value, most));
  const middle = within((left + right - width) / 2, across);
  const beside = within(top, down);
  const places = [
    [middle, bottom + GAP],
    [middle, top - GAP - height],
    [right + GAP, beside],
    [left - GAP - width, beside],
  ];
  const free = places.find(([x, y]) => x >= GAP && x <= across && y >= GAP && y <= down);
  const [x, y] = free ?? [within(across / 2, across), down];
  card.style.left = `${x}px`;
  card.style.top = `${y}px`;
}

/** List what everything is for, for those who read or have a keyboard. @param {Element} root @param {Replay} replay */
export function listThings(root, replay) {
  const { texts = {}, places } = replay.scenery;
  const lines = Object.entries(texts).flatMap(([id, text]) => [
    html("dt", {}, places[id]?.label || inWords(id.replaceAll(".", " "))),
    html("dd", {}, text),
  ]);
  root.replaceChildren(...lines);
  /** @type {HTMLElement} */ (root.parentElement).hidden = !lines.length;
}
