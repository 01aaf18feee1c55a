// The pieces of Ahau: pyramid tiles, buildings, cards, resources.

import { label, paragraph, svg } from "../../../../arena/replays/static/elements.js";
import { hasSymbol, symbol } from "../../../../arena/replays/static/symbols.js";

/** @import { Building } from "./scene" */

/** The symbols of rewards, by their last word. @type {Record<string, string>} */
const REWARDS = { Fame: "points", resource: "cube", Might: "might" };

/**
 * Draw a pyramid tile, "blue rain 17"; `paint` is what a wild one counts as.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} face
 * @param {string} paint
 * @param {number} size
 */
export function pyramidTile(x, y, face, paint = "", size = 42) {
  const [colour, god] = face.split(" ");
  const half = size / 2;
  return svg(
    "g",
    { class: "pyramid-tile" },
    svg("title", {}, colour === "wild" && paint ? `${face}, as ${paint}` : face),
    svg("rect", {
      x: x - half,
      y: y - half,
      width: size,
      height: size,
      rx: size / 10,
      class: `tile ${paint || colour}`,
    }),
    svg("path", { d: `M${x - half + 3},${y + half - 4} V${y - half + 3} H${x + half - 4}`, class: "bevel" }),
    colour === "wild" ? svg("circle", { cx: x, cy: y, r: size * 0.4, class: "wild-mark" }) : null,
    symbol(god, x, y, size * 0.66),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} id
 * @param {Record<string, Building>} buildings
 * @param {number} wide
 * @param {number} high
 * @param {number} size of the letters
 */
export function buildingCard(x, y, id, buildings, wide = 104, high = 64, size = 17) {
  const { label: name, cost } = buildings[id];
  return svg(
    "g",
    { "data-about": id },
    svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5, class: "building" }),
    paragraph(x, y - high / 2 + 0.72 * size, wide - 4, size, name, { class: "dark" }, high - 21),
    cost.map((colour, index) => cube(x + (index - (cost.length - 1) / 2) * 17, y + high / 2 - 11, colour, 16)),
  );
}

/** Draw a resource. @param {number} x @param {number} y @param {string} colour @param {number} size */
export function cube(x, y, colour, size) {
  return symbol("cube", x, y, size, { class: `symbol resource ${colour}` });
}

/** Draw what a space gives, "2 draw", as a symbol and a number. @param {number} x @param {number} y @param {string} reward @param {number} size */
export function rewardAt(x, y, reward, size = 26) {
  if (!reward) return null;
  const [, count = "", what = ""] = /^(?:(\d+) )?(.*)$/.exec(reward) ?? [];
  const name = REWARDS[what] ?? what;
  if (!hasSymbol(name)) return paragraph(x, y - 6, 46, 11, reward, { class: "faint" });
  const shift = count ? size * 0.28 : 0;
  return [
    symbol(name, x - shift, y, size),
    count ? label(x + size * 0.5, y + 1, count, { "font-size": size * 0.6, class: "strong" }) : null,
  ];
}

/**
 * Draw a card: of a region by its number, of a role by its name, or its back.
 *
 * @param {number} x
 * @param {number} y
 * @param {string | null} card null for one that lies face down
 * @param {string} kind "hand", "chosen", "played", "secret", "back" or "gone"
 * @param {string} [note] on a back
 */
export function card(x, y, card, kind, note = "") {
  const back = card === null;
  const role = card !== null && !/^\d+$/.test(card);
  return svg(
    "g",
    { class: `card-of-hand ${kind}`, "data-about": back ? null : `card.${card}` },
    svg("rect", { x: x - 16, y: y - 22, width: 32, height: 44, rx: 4, class: back ? "card-back" : "card-front" }),
    back
      ? [symbol("sun", x, y, 22), label(x, y + 1, note, { "font-size": 15, class: "on-back" })]
      : role
        ? symbol("role", x, y - 5, 22)
        : label(x, y + 1, card, { "font-size": 23, class: "dark strong" }),
    role ? paragraph(x, y + 15, 31, 8, card.split("_")[0], { class: "dark" }) : null,
  );
}
