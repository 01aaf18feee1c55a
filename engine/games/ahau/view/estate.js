// What lies in front of a player of Ahau: pyramid, buildings, cards, resources and the tiles in reserve.

import { html, inWords, label, svg, write } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";
import { symbol } from "../../../../arena/replays/static/symbols.js";
import { buildingCard, card, cube, pyramidTile, rewardAt } from "./tiles.js";

/** @import { Building, Known, Own, Printed } from "./scene" */
/** @import { Attributes, GamePlayer, GameReplay } from "../../../../arena/replays/viewer" */

const COLOURS = ["yellow", "blue", "black", "brown", "white"];
const CARDS = 6;
/** @type {Own["reserve"]} */
const NO_TILES = [];

/** @param {number} level @param {number} position */
function spaceAt(level, position) {
  return [32 + 54 * position + 27 * (level - 1), 196 - 54 * (level - 1)];
}

/**
 * Draw a space of a pyramid: the tile and what a wild one counts as, or the reward for building there.
 *
 * @param {number} space
 * @param {number[]} at level and position
 * @param {string[] | undefined} built
 * @param {string} reward
 */
function pyramidSpace(space, [level, position], built, reward) {
  const [x, y] = spaceAt(level, position);
  if (built) return pyramidTile(x, y, built[0], built[1], 50);
  return svg(
    "g",
    { "data-about": `space.${space}` },
    svg("rect", { x: x - 25, y: y - 25, width: 50, height: 50, rx: 4, class: "space" }),
    rewardAt(x, y, reward),
  );
}

/**
 * @param {number} place
 * @param {string | null} id of the building, if there is one
 * @param {string} reward
 * @param {Record<string, Building>} buildings
 */
function buildingSpace(place, id, reward, buildings) {
  const [x, y] = builtAt(place);
  if (id) return buildingCard(x, y, id, buildings, 124, 40, 14);
  return svg(
    "g",
    {},
    svg("rect", { x: x - 62, y: y - 20, width: 124, height: 40, rx: 5, class: "space" }),
    rewardAt(x, y, reward, 24),
  );
}

/** @param {number} place */
function builtAt(place) {
  return [302, 28 + 43 * place];
}

/** @param {number} place */
function reserveAt(place) {
  return [26 + 40 * (place % 9), 366 + 40 * Math.floor(place / 9)];
}

/** @param {number} place @param {string} face */
function reserveTile(place, face) {
  const [x, y] = reserveAt(place);
  return pyramidTile(x, y, face, undefined, 36);
}

/** @param {number} index @param {string} name @param {number} count */
function goods(index, name, count) {
  const [x, y] = goodsAt(index);
  const colour = COLOURS.includes(name);
  return svg(
    "g",
    { class: count ? "goods" : "goods none", "data-about": colour ? `resource.${name}` : null },
    svg("title", {}, `${count} ${name}`),
    colour ? cube(x, y, name, 24) : symbol(name === "weapons" ? "weapon" : "worker", x, y, 21),
    label(x + 14, y + 1, count, { "font-size": 16, "text-anchor": "start", class: "strong" }),
  );
}

/** @param {number} index */
function goodsAt(index) {
  return [22 + 49 * index, 320];
}

/** @param {number} index */
function handAt(index) {
  return [24 + 35 * index, 258];
}

/** Return where a card lies that is played: the left one for a region, the right one for strength. @param {number} index */
function playedAt(index) {
  return 292 + 52 * index;
}

/** @param {number} x @param {string} text */
function caption(x, text) {
  return label(x, 292, text, { "font-size": 11, class: "faint" });
}

/** The pyramid, buildings, cards and tiles of a player. */
export class Estate {
  /** @param {GameReplay<Printed>} replay @param {number} index */
  constructor(replay, index) {
    this.printed = replay.scenery.board;
    this.board = index < replay.seats.length ? 0 : this.printed.pyramid_rewards.length - 1;
    const name = nameOf(replay, replay.first, index);
    this.drawing = svg("svg", { role: "img", "aria-label": `pyramid, cards and reserve of ${name}` });
    this.show = layer(this.drawing);
    this.reserve = NO_TILES;
    this.rows = 0;
    this.cards = html("p", {});
    this.root = html(
      "figure",
      { class: `estate p${index}` },
      html("figcaption", {}, html("span", { class: "dot" }), html("bdi", {}, name)),
      this.drawing,
      this.cards,
    );
  }

  /** @param {GamePlayer<Own>} player @param {Known | undefined} known @param {boolean} hasChosen its two cards, in secret */
  draw(player, known, hasChosen) {
    const { spaces, pyramid_rewards: pyramids, building_rewards: rewards, buildings } = this.printed;
    const { own } = player;
    this.reserve = own.reserve;
    const rows = Math.max(1, Math.ceil(own.reserve.length / 9));
    if (rows !== this.rows) this.drawing.setAttribute("viewBox", `0 0 372 ${350 + 40 * rows}`);
    this.rows = rows;
    this.show([
      ...spaces.map((at, space) =>
        kept(`pyramid ${space}`, pyramidSpace, space, at, own.pyramid[space], pyramids[this.board][space]),
      ),
      ...own.buildings.map((id, place) =>
        kept(`building ${place}`, buildingSpace, place, id, rewards[this.board][place], buildings),
      ),
      ...this.hand(player, known, hasChosen),
      ...Object.entries(player.stock).map(([name, count], index) => kept(`goods ${name}`, goods, index, name, count)),
      ...own.reserve.map((face, place) => kept(`reserve ${place}`, reserveTile, place, face)),
    ]);
    const role = known?.role || own.role;
    write(this.cards, role ? `Role: ${inWords(role)}` : "");
  }

  /**
   * List the cards: those in hand, the role or its back, and the two that are played: face down, then openly.
   *
   * @param {GamePlayer<Own>} player
   * @param {Known | undefined} known
   * @param {boolean} hasChosen
   */
  hand({ own }, known, hasChosen) {
    if (own.automaton) return [];
    const role = known?.role || own.role;
    const selected = known?.selected ?? [];
    const [left, right] = own.cards;
    const played = left && right ? [left, right] : selected;
    const away = [...own.on_table, ...own.discarded];
    const names = [...Array.from({ length: CARDS }, (_, index) => String(index + 1)), ...(role ? [role] : [])];
    const parts = names.map((name, index) => {
      const state = away.includes(name) ? "gone" : played.includes(name) ? "chosen" : "hand";
      return kept(`card ${name}`, card, ...xy(handAt(index)), name, state);
    });
    const isOpen = left && right;
    /** @type {(string | null)[]} */
    const shown = hasChosen && !played.length ? [null, null] : played;
    const kind = isOpen ? "played" : shown.includes(null) ? "back" : "secret";
    return [
      ...parts,
      ...(own.role_order && !role
        ? [kept("role", card, ...xy(handAt(CARDS)), null, "back", String(own.role_order))]
        : []),
      ...shown.map((name, index) => kept(`${kind} ${index}`, card, playedAt(index), 258, name, kind)),
      ...(shown.length ? ["region", "strength"].map((of, index) => kept(of, caption, playedAt(index), of)) : []),
    ];
  }

  /**
   * Return a shape around a thing of this player; null if it is not here.
   *
   * @param {string} id
   * @param {Attributes} attributes
   */
  outline(id, attributes) {
    const [kind, name] = id.split(".");
    const { spaces } = this.printed;
    /** @param {number[]} at @param {number} wide @param {number} high */
    const box = ([x, y], wide, high) =>
      svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 6, ...attributes });
    if (kind === "space") return box(spaceAt(spaces[Number(name)][0], spaces[Number(name)][1]), 52, 52);
    if (kind === "built") return box(builtAt(Number(name)), 126, 42);
    if (kind === "resource") return box(goodsAt(COLOURS.indexOf(name)), 36, 36);
    if (kind === "card") return box(handAt(/^\d+$/.test(name) ? Number(name) - 1 : CARDS), 34, 46);
    const place = this.reserve.findIndex((face) => face.endsWith(` ${name}`));
    return kind === "tile" && place >= 0 ? box(reserveAt(place), 39, 39) : null;
  }
}

/** @param {number[]} point @returns {[number, number]} */
function xy([x, y]) {
  return [x, y];
}

/**
 * Draw a summary card: three resources and the tile that lies on it.
 *
 * @param {number} index
 * @param {string} face
 * @param {string[]} resources
 */
export function summaryCard(index, face, resources) {
  const x = 60 + 118 * index;
  return svg(
    "g",
    { "data-about": `summary.${index + 1}` },
    svg("title", {}, `${resources.map(inWords).join(", ")} and the tile ${face}`),
    svg("rect", { x: x - 54, y: 6, width: 108, height: 88, rx: 8, class: "building" }),
    label(x - 42, 20, index + 1, { "font-size": 14, class: "dark" }),
    resources.map((colour, place) => cube(x - 18 + 27 * place, 26, colour, 25)),
    pyramidTile(x, 66, face, undefined, 44),
  );
}
