// What actions, tiles and steps of Tzolk'in give, as symbols: "2 corn", "chaac", "build".

import { label, paragraph, svg } from "../../../../arena/replays/static/elements.js";
import { hasSymbol, symbol } from "../../../../arena/replays/static/symbols.js";

/** Words of tiles that have the symbol of another word. @type {Record<string, string>} */
const SYNONYMS = {
  VP: "points",
  feeds: "food",
  skulls: "skull",
  "any action": "any",
  technology: "gear",
  step: "temple",
  "build once more": "build",
};
/** What would else look like something else. @type {Record<string, { name: string, count: string }>} */
const SPECIAL = { "food 1 cheaper": { name: "food", count: "\u22121" } };

/** Return the symbol and the number of a thing given, "2 corn", "1 on Chaac", "feeds 1". @param {string} given */
function parsed(given) {
  if (SPECIAL[given]) return SPECIAL[given];
  const found = /^(?:(\d+) )?(?:on |of any )?(.+?)(?: (\d+))?$/.exec(given);
  if (!found) return null;
  const [, before, word, after] = found;
  const lower = word.replace(/^a /, "").toLowerCase();
  const name = SYNONYMS[word] ?? SYNONYMS[lower] ?? lower;
  return hasSymbol(name) ? { name, count: before ?? after ?? "" } : null;
}

/** Whether a thing given has a symbol. @param {string} given */
export function hasIcon(given) {
  return parsed(given) !== null;
}

/**
 * Draw a thing given as a symbol with its number, if that is not one.
 *
 * @param {string} given
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function icon(given, x, y, size) {
  const found = parsed(given);
  if (!found) return paragraph(x, y, size * 2.4, size * 0.5, given, { class: "printed" });
  const { name, count } = found;
  const shown = count && count !== "1";
  return [
    symbol(name, x, y, size),
    shown ? label(x + size * 0.36, y + size * 0.34, count, { "font-size": size * 0.58, class: "count" }) : null,
  ];
}

/**
 * Draw things given side by side, or two above one, with their middle at a point.
 *
 * @param {string[]} given
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function icons(given, x, y, size) {
  const spots = [
    [[0, 0]],
    [
      [-0.52, 0],
      [0.52, 0],
    ],
    [
      [-0.52, -0.42],
      [0.52, -0.42],
      [0, 0.5],
    ],
  ][Math.min(given.length, 3) - 1];
  if (!spots) return null;
  const drawn = given.length > 1 ? size * 0.86 : size;
  return svg(
    "g",
    {},
    given.slice(0, 3).map((one, index) => icon(one, x + spots[index][0] * size, y + spots[index][1] * size, drawn)),
  );
}
