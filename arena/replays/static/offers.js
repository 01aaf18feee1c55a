// What a person may choose: buttons in words, and what the choices are about on the board. Many choices are made in the
// steps that their game names, such as a region and then a strength.

import { html, svg } from "./elements.js";

/** @import { Board, ChoiceStep, Offer } from "../viewer" */

/** At most this number of choices are shown as they are; more are chosen in steps. */
const FEW = 6;

/** Take back what can be clicked on the board. */
export function withdrawPlaces() {
  for (const ring of document.querySelectorAll(".offer")) ring.remove();
}

/** What is one button: a step of some choices. @typedef {ChoiceStep & { offers: Offer[] }} Entry */

/** The choices of one question. A click on a thing takes its only choice, or leaves its choices among the buttons. */
export class Offers {
  /** @type {Map<string, SVGElement>} */
  rings = new Map();

  /**
   * @param {Element} root where the buttons go
   * @param {Offer[]} offers
   * @param {Board | undefined} board
   * @param {(action: number) => void} choose
   * @param {(text: string) => void} tell says what is pointed at; nothing is
   * @param {() => void} stepped is called when other choices are shown
   */
  constructor(root, offers, board, choose, tell = () => {}, stepped = () => {}) {
    this.root = root;
    this.offers = offers;
    this.board = board;
    this.choose = choose;
    this.tell = tell;
    this.stepped = stepped;
    this.list(offers, 0);
  }

  /** Return the buttons of some choices at a step. @param {Offer[]} some @param {number} depth @returns {Entry[]} */
  entries(some, depth) {
    const steps = this.offers.length > FEW;
    /** @type {Map<string | number, Entry>} */
    const found = new Map();
    for (const offer of some) {
      const step = (steps && offer.steps?.[depth]) || null;
      const key = step ? step.label : offer.action;
      const own = step ?? offer;
      const entry = found.get(key) ?? {
        label: own.label,
        text: own.text,
        things: [...(step?.things ?? [])],
        offers: [],
      };
      if (!step?.things.length) entry.things.push(...offer.places, ...offer.things);
      entry.offers.push(offer);
      found.set(key, entry);
    }
    return [...found.values()];
  }

  /** Show some of the choices, at a step. @param {Offer[]} some @param {number} depth @param {string} picked in words */
  list(some, depth, picked = "") {
    const entries = this.entries(some, depth);
    withdrawPlaces();
    this.rings.clear();
    for (const thing of new Set(entries.flatMap(({ things }) => things))) this.ring(thing, entries, depth);
    const back = () => this.go(this.offers, 0);
    this.root.replaceChildren(
      ...(picked ? [html("p", {}, html("strong", {}, picked), " \u2026")] : []),
      ...entries.map((entry) => this.button(entry, depth)),
      ...(some.length < this.offers.length
        ? [html("button", { type: "button", class: "all", onclick: back }, "Show all")]
        : []),
    );
  }

  /** @param {Offer[]} some @param {number} depth @param {string} picked */
  go(some, depth, picked = "") {
    this.list(some, depth, picked);
    this.tell("");
    this.stepped();
  }

  /** Take a choice, or go on to its next step. @param {Entry} entry @param {number} depth */
  pick({ offers, label }, depth) {
    if (offers.length > 1) this.go(offers, depth + 1, label);
    else this.choose(offers[0].action);
  }

  /** Make what can be clicked on the board, if the thing is there. @param {string} thing @param {Entry[]} entries @param {number} depth */
  ring(thing, entries, depth) {
    const own = entries.filter(({ things }) => things.includes(thing));
    const pick = () => {
      const all = own.flatMap(({ offers }) => offers);
      const about = all.filter(({ places, things }) => [...places, ...things].includes(thing));
      if (about.length === 1) this.choose(about[0].action);
      else if (own.length === 1) this.pick(own[0], depth);
      else this.go(all, depth);
    };
    const names = own.map(({ label }) => label);
    const told = own.length === 1 ? `${names[0]}. ${own[0].text}` : names.slice(0, 8).join("; ");
    const outlined = this.board?.outline(thing, { class: "offer", onclick: pick, "data-offer": thing });
    if (!outlined) return;
    const [drawing, ring] = outlined;
    ring.append(svg("title", {}, names.length > 8 ? `${names.length} choices` : names.join("; ")));
    ring.addEventListener("pointerenter", () => this.tell(told));
    ring.addEventListener("pointerleave", () => this.tell(""));
    drawing.append(ring);
    this.rings.set(thing, ring);
  }

  /** @param {Entry} entry @param {number} depth */
  button(entry, depth) {
    const { label, text, things, offers } = entry;
    /** @param {boolean} on */
    const point = (on) => {
      this.tell(on ? text : "");
      for (const thing of things) this.rings.get(thing)?.classList.toggle("pointed", on);
    };
    const [show, hide] = [() => point(true), () => point(false)];
    const follow = { onpointerenter: show, onfocus: show, onpointerleave: hide, onblur: hide };
    const [action, pick] = [offers.length > 1 ? null : offers[0].action, () => this.pick(entry, depth)];
    return html(
      "button",
      { type: "button", class: text && "explained", "data-action": action, onclick: pick, ...follow },
      html("span", { class: "label" }, label),
      text ? html("small", {}, text) : null,
    );
  }
}
