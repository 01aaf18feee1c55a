// What a person may choose: buttons in words, and the places on the board that the choices are about.

import { html, svg } from "./elements.js";

/** @import { Board, Choice } from "../viewer" */

/** Take back what can be clicked on the board. */
export function withdrawPlaces() {
  for (const ring of document.querySelectorAll(".offer")) ring.remove();
}

/**
 * Offer choices. A click on a place takes its only choice; if it has several, they alone stay among the buttons.
 *
 * @param {Element} root where the buttons go
 * @param {Choice[]} choices
 * @param {HTMLElement[]} rest what follows the buttons
 * @param {Board | undefined} board
 * @param {(action: number) => void} choose
 */
export function offerChoices(root, choices, rest, board, choose) {
  /** @type {Record<string, SVGElement>} */
  const rings = {};

  /** Show on the board what a button is about. @param {Choice} choice @param {boolean} on */
  const point = (choice, on) => choice.places.forEach((place) => rings[place]?.classList.toggle("pointed", on));

  /** @param {Choice} choice */
  function button(choice) {
    const [show, hide] = [() => point(choice, true), () => point(choice, false)];
    const follow = { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide };
    return html("button", { type: "button", onclick: () => choose(choice.action), ...follow }, choice.label);
  }

  /** @param {Choice[]} some */
  function list(some) {
    const all = html("button", { type: "button", class: "all", onclick: () => list(choices) }, "Show all");
    root.replaceChildren(...some.map(button), ...(some.length < choices.length ? [all] : []), ...rest);
  }

  withdrawPlaces();
  list(choices);
  for (const place of board ? new Set(choices.flatMap((choice) => choice.places)) : []) {
    const own = choices.filter((choice) => choice.places.includes(place));
    const pick = () => (own.length === 1 ? choose(own[0].action) : list(own));
    const [drawing, ring] = /** @type {Board} */ (board).outline(place, { class: "offer", onclick: pick });
    ring.append(svg("title", {}, own.map((choice) => choice.label).join("; ")));
    drawing.append(ring);
    rings[place] = ring;
  }
}
