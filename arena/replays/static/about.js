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
  const hide = () => {
    line.hidden = true;
  };
  /** @param {Event} event */
  const show = (event) => {
    const target = /** @type {Element} */ (event.target).closest("[data-about]");
    const text = target && textOf(replay(), target.getAttribute("data-about") ?? "");
    if (!target || !text) return hide();
    if (line.parentElement !== root) root.append(line); // a new board replaces what was in its root
    line.textContent = text;
    line.hidden = false;
    beside(line, root, target);
  };
  for (const name of ["pointerover", "click", "focusin"]) root.addEventListener(name, show);
  root.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

/** Put a line below an element, or above it where the page ends. @param {HTMLElement} line @param {Element} root @param {Element} target */
function beside(line, root, target) {
  const [frame, box] = [root.getBoundingClientRect(), target.getBoundingClientRect()];
  const width = line.offsetWidth;
  const below = box.bottom + 6 + line.offsetHeight < innerHeight;
  const left = Math.min(box.left + box.width / 2 - width / 2, frame.right - width);
  line.style.left = `${Math.max(frame.left, left) - frame.left}px`;
  line.style.top = `${(below ? box.bottom + 6 : box.top - 6 - line.offsetHeight) - frame.top}px`;
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
