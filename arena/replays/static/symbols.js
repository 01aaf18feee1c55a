// The symbols that boards are drawn with, one sheet for all games: each is some shapes in a square of 24 units around its
// middle, with classes that style sheets may colour. They are drawn, not referred to, so that a picture of a board is whole.

import { svg } from "./elements.js";

/** @import { Attributes } from "../viewer" */

/** What shapes are filled with by their kind, unless a style sheet says otherwise. @type {Record<string, string>} */
const FILLS = {
  corn: "#f0cf57",
  leaf: "#6f9a54",
  wood: "#a9743f",
  stone: "#a9a79f",
  gold: "#e2b33c",
  skull: "#7cc7d4",
  water: "#4d93c8",
  fire: "#d9532c",
  cut: "#f6e7c8",
  dark: "#2a241c",
  ink: "#2a241c",
  person: "var(--colour, #8c8577)",
  pepper: "#cf3f2c",
  squash: "#e88b2d",
  potato: "#b78a5c",
  face: "#e7d8b4",
  line: "none",
};

/** Shapes by name: a kind and a path each. @type {Record<string, [string, string][]>} */
const SHEET = {
  // goods
  corn: [
    ["leaf", "M-8,10 Q-10,0 -3,-4 Q-2,4 0,10 Z M8,10 Q10,0 3,-4 Q2,4 0,10 Z"],
    ["corn", "M0,-11 C5,-8 5,4 0,9 C-5,4 -5,-8 0,-11 Z"],
    ["line", "M-2,-7 V5 M2,-7 V5 M-3.5,-4 H3.5 M-3.8,0 H3.8 M-3,4 H3"],
  ],
  wood: [
    ["wood", "M-11,-4 H6 A4,4 0 0 1 6,4 H-11 Z"],
    ["cut", "M7,-4 A3,4 0 1 1 6.9,-4 Z"],
    ["line", "M-9,0 H0 M-7,2 H3"],
  ],
  stone: [
    ["stone", "M-10,6 L-7,-5 L1,-8 L9,-4 L10,6 Z"],
    ["line", "M-7,-5 L0,-1 L9,-4 M0,-1 L-1,6"],
  ],
  gold: [
    ["gold", "M-11,7 L-7,-4 H7 L11,7 Z"],
    ["line", "M-7,-4 L-4,1 H4 L7,-4 M-4,1 L-6,7 M4,1 L6,7"],
  ],
  skull: [
    ["skull", "M0,-10 C8,-10 10,-3 9,1 L6,4 V9 H-6 V4 L-9,1 C-10,-3 -8,-10 0,-10 Z"],
    ["dark", "M-6,-2 h5 v4 h-5 Z M1,-2 h5 v4 h-5 Z M-1,4 L0,2 L1,4 Z"],
    ["line", "M-3,6 V9 M0,6 V9 M3,6 V9"],
  ],
  cube: [
    ["face", "M0,-10 L9,-5 V5 L0,10 L-9,5 V-5 Z"],
    ["line", "M-9,-5 L0,0 L9,-5 M0,0 V10"],
  ],
  weapon: [
    ["wood", "M-9,10 L5,-4 L7,-2 L-7,12 Z"],
    ["stone", "M3,-6 L11,-11 L7,-2 Z"],
  ],
  // people
  worker: [["person", "M-8,11 Q-8,-1 0,-1 Q8,-1 8,11 Z M0,-11 A5,5 0 1 1 -0.1,-11 Z"]],
  lying: [["person", "M11,8 Q-1,8 -1,0 Q-1,-8 11,-8 Z M-11,0 A5,5 0 1 1 -11,0.1 Z"]],
  ruler: [
    ["person", "M-10,11 L-7,-3 L-11,-10 L-4,-6 L0,-12 L4,-6 L11,-10 L7,-3 L10,11 Z"],
    ["line", "M-8,3 H8"],
  ],
  role: [
    ["wood", "M-9,-9 Q0,-6 9,-9 Q10,6 0,11 Q-10,6 -9,-9 Z"],
    ["dark", "M-6,-3 q3,-3 5,0 q-2,3 -5,0 Z M1,-3 q3,-3 5,0 q-3,3 -5,0 Z"],
    ["line", "M-4,5 Q0,8 4,5"],
  ],
  start: [
    ["gold", "M-9,-3 L9,-3 L6,8 H-6 Z"],
    ["leaf", "M-8,-3 L-11,-11 L-4,-6 L0,-12 L4,-6 L11,-11 L8,-3 Z"],
  ],
  // what actions do
  food: [
    ["wood", "M-10,0 H10 Q9,10 0,10 Q-9,10 -10,0 Z"],
    ["corn", "M-7,0 Q-6,-7 0,-4 Q6,-7 7,0 Z"],
  ],
  fish: [
    ["water", "M-10,0 Q-3,-8 5,0 L11,-5 V5 L5,0 Q-3,8 -10,0 Z"],
    ["dark", "M-6,-2 h2 v2 h-2 Z"],
  ],
  jungle: [
    ["wood", "M-2,11 L-1,-2 H1 L2,11 Z"],
    ["leaf", "M0,-3 Q-6,-11 -11,-3 Q-5,-5 0,-2 Q-8,0 -9,6 Q-3,1 0,-1 Q3,1 9,6 Q8,0 0,-2 Q5,-5 11,-3 Q6,-11 0,-3 Z"],
  ],
  fire: [["fire", "M0,-11 Q8,-3 6,4 Q5,11 0,11 Q-6,11 -6,4 Q-6,0 -3,-3 Q-1,0 0,2 Q3,-4 0,-11 Z"]],
  build: [
    ["stone", "M-9,11 V1 H9 V11 Z"],
    ["wood", "M-12,1 L0,-10 L12,1 Z"],
    ["dark", "M-2.5,11 V4 H2.5 V11 Z"],
  ],
  monument: [
    ["stone", "M-6,11 L-5,-9 Q0,-13 5,-9 L6,11 Z"],
    ["line", "M-3,-4 H3 M-3,0 H3 M-3,4 H3 M0,-7 V7"],
  ],
  temple: [
    ["stone", "M-12,11 L-9,5 H-8 L-6,0 H-5 L-4,-5 H4 L5,0 H6 L8,5 H9 L12,11 Z"],
    ["wood", "M-3,-5 V-10 H3 V-5 Z"],
    ["line", "M-2,11 V-5 M2,11 V-5"],
  ],
  market: [
    ["ink", "M-10,-5 H5 L2,-9 H6 L12,-3 L6,3 H2 L5,-1 H-10 Z"],
    ["corn", "M10,5 H-5 L-2,1 H-6 L-12,7 L-6,12 H-2 L-5,9 H10 Z"],
  ],
  gear: [
    [
      "wood",
      "M-2,-11 H2 L3,-8 L6,-9 L9,-6 L8,-3 L11,-2 V2 L8,3 L9,6 L6,9 L3,8 L2,11 H-2 L-3,8 L-6,9 L-9,6 L-8,3 L-11,2 V-2 L-8,-3 L-9,-6 L-6,-9 L-3,-8 Z",
    ],
    ["dark", "M0,-4 A4,4 0 1 1 -0.1,-4 Z"],
  ],
  any: [["gold", "M0,-11 L3,-3 L11,-3 L5,2 L7,10 L0,5 L-7,10 L-5,2 L-11,-3 L-3,-3 Z"]],
  points: [
    ["leaf", "M-3,10 Q-12,4 -9,-9 Q-4,-1 -3,10 Z M3,10 Q12,4 9,-9 Q4,-1 3,10 Z"],
    ["gold", "M0,-9 L2,-4 L7,-4 L3,-1 L5,5 L0,2 L-5,5 L-3,-1 L-7,-4 L-2,-4 Z"],
  ],
  draw: [
    ["wood", "M-5,-6 Q-12,2 -9,10 H9 Q12,2 5,-6 Z"],
    ["cut", "M-6,-10 L-4,-6 H4 L6,-10 L2,-8 L0,-11 L-2,-8 Z"],
  ],
  might: [["fire", "M0,-11 L9,0 H4 V10 H-4 V0 H-9 Z"]],
  "lay down": [["person", "M11,8 Q-1,8 -1,0 Q-1,-8 11,-8 Z M-11,0 A5,5 0 1 1 -11,0.1 Z"]],
  calendar: [
    ["gold", "M0,-11 A11,11 0 1 1 -0.1,-11 Z"],
    ["dark", "M-5,-4 h4 v3 h-4 Z M1,-4 h4 v3 h-4 Z M-4,4 h8 v2 h-8 Z"],
  ],
  // technologies
  agriculture: [["leaf", "M-1,11 V0 Q-9,1 -10,-8 Q-2,-8 0,-2 Q2,-11 10,-10 Q10,-1 1,1 V11 Z"]],
  extraction: [
    ["wood", "M-9,9 L4,-4 L6,-2 L-7,11 Z"],
    ["stone", "M-4,-8 Q6,-10 10,5 Q5,-3 -4,-8 Z"],
  ],
  architecture: [
    [
      "stone",
      "M-10,-7 L0,-12 L10,-7 V-4 H-10 Z M-10,8 H10 V11 H-10 Z M-8,-3 H-4 V7 H-8 Z M-2,-3 H2 V7 H-2 Z M4,-3 H8 V7 H4 Z",
    ],
  ],
  theology: [
    ["gold", "M-11,0 Q0,-11 11,0 Q0,11 -11,0 Z"],
    ["dark", "M0,-4 A4,4 0 1 1 -0.1,-4 Z"],
  ],
  // gods
  chaac: [["water", "M0,-11 C6,-2 8,2 7,5 C5,11 -5,11 -7,5 C-8,2 -6,-2 0,-11 Z"]],
  quetzalcoatl: [["leaf", "M-10,8 Q-2,8 -3,0 Q-4,-9 4,-10 L11,-7 L5,-5 Q1,-4 2,1 Q3,11 -10,11 Z"]],
  kukulcan: [["gold", "M-11,2 Q-6,-9 3,-7 L11,-10 L8,-3 L11,1 L4,1 Q-2,3 -3,10 Q-10,10 -11,2 Z"]],
  chief: [["god", "M-10,9 L-10,-3 L-5,3 L0,-9 L5,3 L10,-3 L10,9 Z"]],
  rain: [["god", "M0,-11 C7,-2 8,3 7,6 C5,12 -5,12 -7,6 C-8,3 -7,-2 0,-11 Z"]],
  trade: [["god", "M-10,-3 L3,-3 L3,-9 L12,0 L3,9 L3,3 L-10,3 Z"]],
  sun: [["god", "M0,-11 L3,-5 L10,-7 L6,0 L11,5 L4,5 L3,11 L-1,6 L-8,8 L-6,1 L-11,-3 L-4,-4 Z"]],
  jaguar: [
    ["god", "M-9,-10 L-4,-6 L4,-6 L9,-10 L10,0 L5,8 L0,11 L-5,8 L-10,0 Z"],
    ["cut", "M-5,-2 h3 v2 h-3 Z M2,-2 h3 v2 h-3 Z M-2,4 h4 l-2,3 Z"],
  ],
  // crops
  maize: [
    ["leaf", "M-2,10 C-10,7 -9,-1 -7,-4 C-4,0 -3,5 -2,10 Z M2,10 C10,7 9,-1 7,-4 C4,0 3,5 2,10 Z"],
    ["corn", "M0,-10 C6,-6 6,6 0,9 C-6,6 -6,-6 0,-10 Z"],
  ],
  pepper: [
    ["pepper", "M-6,-5 C-1,-9 6,-7 6,-1 C6,6 0,11 -8,10 C-2,6 -2,1 -6,-5 Z"],
    ["leaf", "M-1,-6 L3,-12 L5,-11 L2,-6 Z"],
  ],
  squash: [
    ["squash", "M-2,-9 C3,-9 3,-4 3,-2 C9,0 9,11 0,11 C-9,11 -9,0 -4,-2 C-5,-4 -5,-9 -2,-9 Z"],
    ["line", "M0,0 Q-3,5 -1,10 M2,0 Q5,5 2,10"],
  ],
  potato: [
    ["potato", "M-9,1 C-9,-6 0,-8 5,-6 C11,-3 11,6 5,8 C-1,11 -9,9 -9,1 Z"],
    ["dark", "M-3,-1 h2 v2 h-2 Z M3,2 h2 v2 h-2 Z M1,-4 h2 v1 h-2 Z"],
  ],
};

/** What tells players apart without colours: the shape of their markers, around 0,0 with a radius of 10. */
const PLAYERS = [
  "M0,-10 A10,10 0 1 1 -0.1,-10 Z",
  "M-9,-9 H9 V9 H-9 Z",
  "M0,-11 L11,8 H-11 Z",
  "M0,-12 L11,0 L0,12 L-11,0 Z",
  "M-10,-4 L0,-11 L10,-4 L6,9 H-6 Z",
  "M-4,-11 H4 V-4 H11 V4 H4 V11 H-4 V4 H-11 V-4 H-4 Z",
];

/**
 * Draw a symbol with its middle at a point; `size` is its width.
 *
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Attributes} attributes
 */
export function symbol(name, x, y, size, attributes = {}) {
  const shapes = (SHEET[name] ?? []).map(([kind, d]) => svg("path", { d, fill: FILLS[kind], class: `sym-${kind}` }));
  return svg("g", { transform: `translate(${x} ${y}) scale(${size / 24})`, class: "symbol", ...attributes }, shapes);
}

/** Whether there is a symbol of this name. @param {string} name */
export function hasSymbol(name) {
  return name in SHEET;
}

/**
 * Draw a marker in the shape and colour of a player.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} player
 * @param {Attributes} attributes
 */
export function playerMark(x, y, radius, player, attributes = {}) {
  const transform = `translate(${x} ${y}) scale(${radius / 10})`;
  return svg("path", { d: PLAYERS[player % PLAYERS.length], transform, class: `piece p${player}`, ...attributes });
}

/**
 * Draw a figure of a player, about 22 units wide at size 1: its body has the colour, its badge the shape.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number | null} player null for nobody's
 * @param {Attributes} attributes
 */
export function person(x, y, size, player, attributes = {}) {
  const owner = player === null ? "nobody" : `p${player}`;
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${size})`, ...attributes },
    svg("path", { d: "M-11,13 Q-11,-2 0,-2 Q11,-2 11,13 Z", class: `piece ${owner}` }),
    svg("circle", { cx: 0, cy: -8, r: 7, class: `piece ${owner}` }),
    player === null ? null : playerMark(0, 7, 4.5, player, { class: "badge" }),
  );
}
