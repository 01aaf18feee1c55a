// The cards of Tzolk'in: on offer, and what lies in front of the players.

import { html, label, paragraph, svg, write } from "../../../../arena/replays/static/elements.js";
import { hasIcon, icon } from "./icons.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";
import { person, symbol } from "../../../../arena/replays/static/symbols.js";

/** @import { TzolkinScene } from "./gears" */
/** @import { Own, Printed, Tile } from "./scene" */
/** @import { Place } from "../../../../arena/replays/document" */
/** @import { Attributes, GamePlayer, GameReplay, GameScenery } from "../../../../arena/replays/viewer" */

/** Around a card and its ring. */
const CARD_BOX = "-56 -69 112 138";
const GOODS = ["corn", "wood", "stone", "gold", "skulls"];

/** @param {Tile} tile */
function cost(tile) {
  return Object.entries(tile.cost).flatMap(([name, count]) => Array(count).fill(name));
}

/**
 * Draw effects: symbols side by side, and words for what has none.
 *
 * @param {string[]} effects
 */
function printed(effects) {
  if (hasOnlyIcons(effects)) {
    const wide = effects.length > 2 ? 2 : effects.length;
    const rows = Math.ceil(effects.length / wide);
    return effects.map((effect, index) => {
      const row = Math.floor(index / wide);
      const inRow = Math.min(wide, effects.length - row * wide);
      return icon(effect, ((index % wide) - (inRow - 1) / 2) * 48, 12 + (row - (rows - 1) / 2) * 46, 40);
    });
  }
  const high = 78 / effects.length;
  return effects.map((effect, index) => paragraph(0, high * index - 13, 100, 14, effect, { class: "printed" }, high));
}

/** @param {string[]} effects */
function hasOnlyIcons(effects) {
  return effects.every(hasIcon);
}

/** Draw a card: its category, price and effects, centred at 0,0. @param {string} id @param {Tile} tile */
function card(id, tile) {
  const blocks = cost(tile);
  const apart = Math.min(19, 92 / Math.max(1, blocks.length));
  return svg(
    "g",
    { "data-about": id },
    svg("rect", { x: -52, y: -65, width: 104, height: 130, rx: 8, class: `card ${tile.category}` }),
    blocks.map((name, index) =>
      symbol(name === "skulls" ? "skull" : name, (index - (blocks.length - 1) / 2) * apart, -52, 19),
    ),
    hasOnlyIcons(tile.effects) && !tile.category.startsWith("tile")
      ? null
      : label(0, -32, tile.category, { "font-size": 14, class: "category" }),
    printed(tile.effects),
  );
}

/** Whether a place is for a card; each has a drawing of its own. @param {Place} place */
export function isCard(place) {
  return place.kind === "building" || place.kind === "monument";
}

/** @param {Attributes} attributes */
export function cardRing(attributes) {
  return svg("rect", { x: -54, y: -67, width: 108, height: 134, rx: 9, ...attributes });
}

/** Make a shape around a place. @param {Place} place @param {Attributes} attributes */
export function ring(place, attributes) {
  return isCard(place) ? cardRing(attributes) : svg("circle", { cx: place.x, cy: place.y, r: 27, ...attributes });
}

/** @param {Place} place */
export function mark(place) {
  return ring(place, { class: "changed" });
}

/** The cards on offer, side by side. */
export class Market {
  /** @param {GameScenery<Printed>} scenery */
  constructor({ places, board }) {
    this.tiles = board.tiles;
    this.slots = Object.entries(places)
      .filter(([, place]) => isCard(place))
      .map(([id, place]) => {
        const root = svg("svg", { viewBox: CARD_BOX, role: "img", "aria-label": place.label, class: "slot" });
        return { id, place, root, show: layer(root.appendChild(svg("g"))) };
      });
    this.toCome = html("small", {});
    /** @param {string} kind */
    const row = (kind) =>
      html(
        "div",
        { class: `cards of-${kind}` },
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
    for (const { id, place, show, root } of this.slots) {
      const face = scene.at[id]?.[0].face;
      root.classList.toggle("empty", !face);
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

/** @param {number} index @param {string} name @param {number} count */
function pieceCount(index, name, count) {
  const x = 24 + 74 * index;
  return svg(
    "g",
    { "data-about": `stock.${name}`, class: count ? "goods" : "goods none" },
    svg("title", {}, `${count} ${name}`),
    symbol(name === "skulls" ? "skull" : name, x, 24, 34),
    label(x + 19, 25, count, { "font-size": 24, class: "vp left" }),
  );
}

/** Draw the workers of a player: those in hand, then those on the gears. @param {number} player @param {number} inHand @param {number} all */
function crew(player, inHand, all) {
  return svg(
    "g",
    { "data-about": "stock.workers" },
    svg("title", {}, `${inHand} of ${all} workers in hand`),
    Array.from({ length: all }, (_, index) =>
      person(24 + 34 * index, 72, 1.3, player, { class: index < inHand ? "" : "away" }),
    ),
  );
}

/** What lies in front of a player: goods and workers as pieces, tiles as cards. */
export class Holdings {
  /** @param {GameReplay<Printed>} replay @param {number} index */
  constructor(replay, index) {
    this.tiles = replay.scenery.board.tiles;
    this.index = index;
    this.caption = html("small", {});
    this.goods = svg("svg", {
      viewBox: "0 0 384 96",
      role: "img",
      "aria-label": "goods and workers",
      class: "goods-row",
    });
    const cards = html("div", { class: "cards" });
    this.cards = cards;
    this.showGoods = layer(this.goods);
    this.showCards = layer(cards);
    this.root = html(
      "figure",
      { class: `holdings p${index}` },
      html(
        "figcaption",
        {},
        html("span", { class: "dot" }),
        html("bdi", {}, nameOf(replay, replay.first, index)),
        this.caption,
      ),
      this.goods,
      cards,
    );
  }

  /** @param {GamePlayer<Own>} player @param {string[]} offered tiles that it alone may choose from */
  draw({ stock, own }, offered) {
    write(this.caption, offered.length ? " was offered" : "");
    this.root.classList.toggle("offered", offered.length > 0);
    this.showGoods([
      ...GOODS.map((name, index) => kept(name, pieceCount, index, name, stock[name])),
      kept("crew", crew, this.index, stock["in hand"], stock.workers),
    ]);
    this.showCards([...own.buildings, ...own.monuments, ...offered].map((id, place) => this.card(id, place, offered)));
  }

  /** @param {string} id @param {number} place @param {string[]} offered */
  card(id, place, offered) {
    const number = offered.indexOf(id) + 1; // as answers name them
    return kept(`${place} ${id}`, tileCard, id, this.tiles[id], number);
  }

  /**
   * Return a drawing with a thing of this player, and a shape around the thing; null if it is not here.
   *
   * @param {string} id
   * @param {Attributes} attributes
   * @returns {[SVGSVGElement, SVGElement] | null}
   */
  outline(id, attributes) {
    const [kind, name] = id.split(".");
    if (kind === "stock" && GOODS.includes(name)) {
      const x = 24 + 74 * GOODS.indexOf(name);
      return [this.goods, svg("rect", { x: x - 22, y: 2, width: 72, height: 44, rx: 8, ...attributes })];
    }
    const offered = /** @type {SVGSVGElement | null} */ (
      this.cards.querySelector(`[data-offered="${Number(name) + 1}"]`)
    );
    return kind === "offered" && offered ? [offered, cardRing(attributes)] : null;
  }
}

/** @param {string} id @param {Tile} tile @param {number} number of a tile that is offered, or 0 */
function tileCard(id, tile, number) {
  return svg(
    "svg",
    { viewBox: CARD_BOX, role: "img", "aria-label": tile.effects.join(", "), "data-offered": number || null },
    card(id, number ? { ...tile, category: `tile ${number}` } : tile),
  );
}
