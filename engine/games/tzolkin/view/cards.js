// The cards of Tzolk'in: on offer, and in front of the players.

import { html, inWords, label, paragraph, svg, write } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";

/** @import { TzolkinScene } from "./gears" */
/** @import { Printed, Tile } from "./scene" */
/** @import { Place } from "../../../../arena/replays/document" */
/** @import { Attributes, GameReplay, GameScenery } from "../../../../arena/replays/viewer" */

/** Around a card and its ring. */
const CARD_BOX = "-56 -69 112 138";

/** @param {Tile} tile */
function cost(tile) {
  return Object.entries(tile.cost).flatMap(([name, count]) => Array(count).fill(name));
}

/**
 * Return effects as words, one below the other; long ones wrap.
 *
 * @param {string[]} effects
 * @param {number} width
 * @param {number} top
 */
function printed(effects, width, top) {
  let y = top;
  return effects.map((effect) => {
    const lines = paragraph(0, y, width, 12, effect, { class: "printed" });
    y += 13.8 * lines.length + 5;
    return lines;
  });
}

/** Draw a card: its category, price and effects, centred at 0,0. @param {string} id @param {Tile} tile */
function card(id, tile) {
  const blocks = cost(tile);
  return svg(
    "g",
    {},
    svg(
      "title",
      {},
      `${inWords(id.replace(".", " "))}: ${tile.category} for ${blocks.join(", ")}; ${tile.effects.join(", ")}`,
    ),
    svg("rect", { x: -52, y: -65, width: 104, height: 130, rx: 8, class: `card ${tile.category}` }),
    blocks.map((name, index) =>
      svg("rect", {
        x: (index - blocks.length / 2) * 15 + 1,
        y: -58,
        width: 13,
        height: 13,
        rx: 2,
        class: `block ${name}`,
      }),
    ),
    label(0, -35, tile.category, { "font-size": 13, class: "category" }),
    printed(tile.effects, 92, -16),
  );
}

/** Whether a place is for a card; each has a drawing of its own. @param {Place} place */
export function isCard(place) {
  return place.kind === "building" || place.kind === "monument";
}

/** Make a shape around a place. @param {Place} place @param {Attributes} attributes */
export function ring(place, attributes) {
  if (isCard(place)) return svg("rect", { x: -54, y: -67, width: 108, height: 134, rx: 9, ...attributes });
  return svg("circle", { cx: place.x, cy: place.y, r: 27, ...attributes });
}

/** @param {Place} place */
export function mark(place) {
  return ring(place, { class: "changed" });
}

/** The cards on offer, side by side; how many stand in a row depends on the width of the page. */
export class Market {
  /** @param {GameScenery<Printed>} scenery */
  constructor({ places, board }) {
    this.tiles = board.tiles;
    this.slots = Object.entries(places)
      .filter(([, place]) => isCard(place))
      .map(([id, place]) => {
        const root = svg("svg", { viewBox: CARD_BOX, role: "img", "aria-label": place.label });
        return { id, place, root, show: layer(root.appendChild(svg("g"))) };
      });
    this.toCome = html("small", {});
    /** @param {string} kind */
    const row = (kind) =>
      html(
        "div",
        { class: "cards" },
        this.slots.filter(({ place }) => place.kind === kind).map(({ root }) => root),
      );
    this.root = html(
      "div",
      { class: "market" },
      html("p", {}, "Buildings ", this.toCome),
      row("building"),
      html("p", {}, "Monuments"),
      row("monument"),
    );
  }

  /** @param {TzolkinScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const piles = Object.entries(scene.piles)
      .filter(([, pile]) => pile.count)
      .map(([name, pile]) => `${name}: ${pile.count} to come`);
    write(this.toCome, piles.join(", "));
    for (const { id, place, show } of this.slots) {
      const face = scene.at[id]?.[0].face;
      show(
        face
          ? [kept("card", card, face, this.tiles[face]), ...(changed.has(id) ? [kept("changed", mark, place)] : [])]
          : [],
      );
    }
  }

  /** Return the drawing of a place. @param {string} id */
  drawing(id) {
    return /** @type {SVGSVGElement} */ (this.slots.find((slot) => slot.id === id)?.root);
  }
}

/**
 * Draw what a player has built, and the tiles that it alone was offered.
 *
 * @param {GameReplay<Printed>} replay
 * @param {number} index
 * @param {string[]} buildings
 * @param {string[]} monuments
 * @param {string[]} offered
 */
export function holdings(replay, index, buildings, monuments, offered) {
  const { tiles } = replay.scenery.board;
  const shown = [...buildings, ...monuments, ...offered];
  if (!shown.length) return null;
  /** @param {string} id @param {number} place */
  const face = (id, place) => (offered.length ? { ...tiles[id], category: `tile ${place + 1}` } : tiles[id]); // as answers name them
  return html(
    "figure",
    { class: `holdings p${index}` },
    html(
      "figcaption",
      {},
      html("span", { class: "dot" }),
      html("bdi", {}, nameOf(replay, replay.first, index)),
      offered.length ? " was offered" : " has built",
    ),
    html(
      "div",
      { class: "cards" },
      shown.map((id, place) =>
        svg(
          "svg",
          { viewBox: CARD_BOX, role: "img", "aria-label": tiles[id].effects.join(", ") },
          card(id, face(id, place)),
        ),
      ),
    ),
  );
}
