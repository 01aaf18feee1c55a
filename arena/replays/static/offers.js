// What a person may choose: buttons in words, and what the choices are about on the board.

import { html, svg } from "./elements.js";

/** @import { Board, Offer } from "../viewer" */

/** With at most this number of choices, each is explained below its name. */
const FEW = 6;

/** Take back what can be clicked on the board. */
export function withdrawPlaces() {
  for (const ring of document.querySelectorAll(".offer")) ring.remove();
}

/** Return what a choice is about. @param {Offer} offer */
function things(offer) {
  return [...offer.places, ...offer.things];
}

/** The choices of one question. A click on a thing takes its only choice, or leaves its choices among the buttons. */
export class Offers {
  /** The choices that are shown. @type {Offer[]} */
  some = [];
  /** @type {Map<string, SVGElement>} */
  rings = new Map();

  /**
   * @param {Element} root where the buttons go
   * @param {Offer[]} offers
   * @param {Board | undefined} board
   * @param {(action: number) => void} choose
   */
  constructor(root, offers, board, choose) {
    this.root = root;
    this.offers = offers;
    this.board = board;
    this.choose = choose;
    this.explains = offers.length <= FEW;
    this.list(offers);
  }

  /** Show only some of the choices. @param {Offer[]} some */
  list(some) {
    this.some = some;
    withdrawPlaces();
    this.rings.clear();
    for (const thing of new Set(some.flatMap(things))) this.ring(thing);
    const all = html("button", { type: "button", class: "all", onclick: () => this.list(this.offers) }, "Show all");
    this.root.replaceChildren(
      ...some.map((offer) => this.button(offer)),
      ...(some.length < this.offers.length ? [all] : []),
    );
    this.explain(this.explains);
  }

  /** Explain every choice below its name, or only the one that is pointed at. @param {boolean} on */
  explain(on) {
    this.explains = on;
    this.root.classList.toggle("explaining", on);
  }

  /** Make what can be clicked on the board, if the thing is there. @param {string} thing */
  ring(thing) {
    const own = this.some.filter((offer) => things(offer).includes(thing));
    const pick = () => (own.length === 1 ? this.choose(own[0].action) : this.list(own));
    const outlined = this.board?.outline(thing, { class: "offer", onclick: pick, "data-offer": thing });
    if (!outlined) return;
    const [drawing, ring] = outlined;
    const names = own.map((offer) => offer.label);
    ring.append(svg("title", {}, names.length > 8 ? `${names.length} choices` : names.join("; ")));
    drawing.append(ring);
    this.rings.set(thing, ring);
  }

  /** @param {Offer} offer */
  button(offer) {
    /** @param {boolean} on */
    const point = (on) => {
      for (const thing of things(offer)) this.rings.get(thing)?.classList.toggle("pointed", on);
    };
    const [show, hide] = [() => point(true), () => point(false)];
    const follow = { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide };
    return html(
      "button",
      { type: "button", "data-action": offer.action, onclick: () => this.choose(offer.action), ...follow },
      html("span", { class: "label" }, offer.label),
      offer.text ? html("small", {}, offer.text) : null,
    );
  }
}
