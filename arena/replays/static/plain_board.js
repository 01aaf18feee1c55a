// The board of a game without a drawing of its own: its places, and what lies there.

import { drawing, html, inWords, label, svg } from "./elements.js";

/** @import { Attributes, Board, Replay } from "../viewer" */
/** @import { Place, Token } from "../document" */

/** @param {Place[]} places @param {"x" | "y"} side */
function extent(places, side) {
  const values = places.map((place) => place[side]);
  return [Math.min(...values), Math.max(...values)];
}

/** Return a distance to the next place that most places exceed. @param {Place[]} places */
function spacing(places) {
  const nearest = places.map(({ x, y }) =>
    Math.min(...places.map((other) => Math.hypot(other.x - x, other.y - y) || Infinity)),
  );
  return nearest.sort((one, other) => one - other)[Math.floor(places.length / 4)];
}

/**
 * Write the names of places below them, each only where it covers no other; a pointer shows them all.
 *
 * @param {Place[]} places
 * @param {number} unit
 * @param {number} size of the letters
 */
function names(places, unit, size) {
  /** @type {{ x: number, y: number, width: number }[]} */
  const taken = [];
  return places.flatMap(({ x, y, label: name }) => {
    const width = name.length * size * 0.6;
    const isTaken = taken.some(
      (one) => Math.abs(one.y - y) < size * 1.2 && Math.abs(one.x - x) < (one.width + width) / 2,
    );
    if (isTaken) return [];
    taken.push({ x, y, width });
    return [label(x, y + unit * 0.58, name, { "font-size": size, class: "faint" })];
  });
}

/** @param {number} unit @param {Place} place @param {Token} here @param {number} index */
function token(unit, place, here, index) {
  const [x, y] = [place.x + index * unit * 0.3, place.y + index * unit * 0.3];
  const owner = here.player === undefined ? "nobody" : `p${here.player}`;
  const { count = 1 } = here;
  const name = `${here.kind}${here.face ? ` ${here.face}` : ""}${count > 1 ? ` (${count})` : ""}`;
  return svg(
    "g",
    {},
    svg("title", {}, name),
    svg("circle", { cx: x, cy: y, r: unit * 0.4, class: `piece ${owner}` }),
    label(x, y, count > 1 ? count : (here.face || here.kind).slice(0, 3), {
      "font-size": unit * 0.25,
      class: `on ${owner}`,
    }),
  );
}

/**
 * Return a board. Its `draw` gets a scene, the scene before, the places that changed in between, and the step that led
 * here, null at the beginning. Its `outline` returns the drawing with a place, and a new shape around that place.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @returns {Board}
 */
export function createPlainBoard(root, replay) {
  const entries = Object.entries(replay.scenery.places);
  const places = entries.map(([, place]) => place);
  const words = html("dl", { class: "board-words" });
  const moving = svg("g");
  const map = drawing("0 0 1 1", "The board", moving);
  let unit = 1;
  if (places.length) {
    const [[left, right], [top, bottom]] = [extent(places, "x"), extent(places, "y")];
    const size = Math.max(right - left, bottom - top, 1);
    unit = Math.max(Math.min(spacing(places), size / 4), size / 36);
    const box = [left - 2 * unit, top - unit, right - left + 4 * unit, bottom - top + 2 * unit].join(" ");
    const spaces = places.map(({ x, y, label }) =>
      svg("circle", { cx: x, cy: y, r: unit * 0.45, class: "space" }, svg("title", {}, label)),
    );
    map.setAttribute("viewBox", box);
    map.prepend(...spaces, ...names(places, unit, Math.max(unit * 0.18, size / 90)));
    root.replaceChildren(map, words);
  } else {
    root.replaceChildren(words);
  }
  /** Make a ring around a place. @param {string} id @param {Attributes} attributes */
  function ring(id, attributes) {
    const { x, y } = replay.scenery.places[id];
    return svg("circle", { cx: x, cy: y, r: unit * 0.5, ...attributes });
  }

  return {
    outline: (id, attributes) => [map, ring(id, attributes)],
    draw(scene, before, places) {
      moving.replaceChildren(
        ...[...places].map((id) => ring(id, { class: "changed" })),
        ...Object.entries(scene.at).flatMap(([id, here]) =>
          here.map((one, index) => token(unit, replay.scenery.places[id], one, index)),
        ),
      );
      const facts = [
        ...Object.entries(scene.board),
        ...Object.entries(scene.piles).map(([name, pile]) => [name, `${pile.count} pieces`]),
      ];
      words.replaceChildren(
        ...facts.flatMap(([name, value]) => [
          html("dt", {}, inWords(name)),
          html("dd", {}, typeof value === "string" ? value : JSON.stringify(value)),
        ]),
      );
    },
  };
}
