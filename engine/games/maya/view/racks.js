// What lies beside the map of Maya: racks, and how the cities score.

import { html, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";
import { symbol } from "../../../../arena/replays/static/symbols.js";

/** @import { City, Known, Printed } from "./scene" */
/** @import { Attributes, GameReplay } from "../../../../arena/replays/viewer" */

/** The tiles of a rack in a row. */
const IN_A_ROW = 4;
/** The symbols of crops that are called otherwise. @type {Record<string, string>} */
const CROPS = { corn: "maize" };

/**
 * Draw a tile of a crop, "corn:2".
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} face
 */
export function crop(x, y, size, face) {
  const [name, value] = face.split(":");
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${size})` },
    svg("title", {}, `${inWords(name)} ${value}`),
    symbol(CROPS[name] ?? name, -4, 0, 17),
    label(8, 0, value, { "font-size": 11, class: "value" }),
  );
}

/** @param {Known} known */
function facesOf(known) {
  return [...(known.rack ?? []), ...(known.held ? [known.held] : [])];
}

/** @param {number} index */
function rackAt(index) {
  return [34 * (index % IN_A_ROW), 34 * Math.floor(index / IN_A_ROW)];
}

/**
 * Draw the known part of a rack.
 *
 * @param {GameReplay<Printed>} replay
 * @param {number} seat
 * @param {Known} known
 * @param {boolean} own
 */
export function rackOf(replay, seat, known, own) {
  if (known.rack === null) return null;
  const faces = facesOf(known);
  const rows = Math.ceil(faces.length / IN_A_ROW);
  const words = faces.join(", ").replaceAll(":", " ");
  return html(
    "figure",
    { class: `rack p${seat}${own ? " own" : ""}` },
    html("figcaption", {}, html("span", { class: "dot" }), html("bdi", {}, nameOf(replay, replay.first, seat))),
    faces.length
      ? svg(
          "svg",
          { viewBox: `-2 -2 138 ${34 * rows + 2}`, role: "img", "aria-label": `rack: ${words}`, "data-rack": seat },
          faces.map((face, index) => rackTile(index, face, index >= (known.rack ?? []).length)),
        )
      : html("small", {}, "empty"),
  );
}

/** @param {number} index @param {string} face @param {boolean} held */
function rackTile(index, face, held) {
  const [x, y] = rackAt(index);
  return svg(
    "g",
    { "data-about": `rack.${face}` },
    svg("rect", { x, y, width: 31, height: 31, rx: 5, class: held ? "rack-tile held" : "rack-tile" }),
    crop(x + 16, y + 15.5, 1.15, face),
  );
}

/** Make a ring around a tile of a rack; null if it is not there. @param {Known} known @param {string} face @param {Attributes} attributes */
export function ringOnRack(known, face, attributes) {
  const index = facesOf(known).indexOf(face);
  if (index < 0) return null;
  const [x, y] = rackAt(index);
  return svg("rect", { x, y, width: 31, height: 31, rx: 5, ...attributes });
}

/** Return the name of a temple, with which the words for its place begin. @param {GameReplay<Printed>} replay @param {string} temple */
export function nameOfTemple({ scenery: { places, board } }, temple) {
  return places[board.temples[temple]].label.replace(/ \(.*/, "");
}

/**
 * Say how a city scores: the crops around it and the points of each player.
 *
 * @param {GameReplay<Printed>} replay
 * @param {string} temple
 * @param {City} city
 * @param {boolean} isNew whether it was closed just now
 */
export function cityLine(replay, temple, city, isNew) {
  const shares = city.crops
    .map((crops, player) => ({ crops, points: city.points[player], player }))
    .filter(({ crops }) => crops)
    .sort((one, other) => other.points - one.points || other.crops - one.crops);
  const free = city.empty_cells_around;
  const state = city.scored ? "scored" : `${free} free ${free === 1 ? "space" : "spaces"}`;
  return html(
    "li",
    { class: `city-line${city.scored ? " closed" : ""}${isNew ? " new" : ""}` },
    html("b", {}, nameOfTemple(replay, temple)),
    ` ${city.size} ${city.size === 1 ? "tile" : "tiles"}, ${state}`,
    shares.map(({ crops, points, player }) =>
      html(
        "span",
        {
          class: `share p${player}`,
          title: `${nameOf(replay, replay.first, player)}: ${crops} crops, ${points} points`,
        },
        html("span", { class: "dot" }),
        `${crops} ${crops === 1 ? "crop" : "crops"}, ${city.scored ? "got" : "would get"} ${points}`,
      ),
    ),
  );
}
