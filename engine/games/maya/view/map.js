// The map of Maya: sea, fields and stones, plantations that belong together, cities with their pyramids.

import { drawing, label, svg } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";
import { playerMark } from "../../../../arena/replays/static/symbols.js";
import { crop, nameOfTemple } from "./racks.js";

/** @import { MayaScene } from "./board" */
/** @import { City, Printed } from "./scene" */
/** @import { Token } from "../../../../arena/replays/document" */
/** @import { Attributes, GameReplay } from "../../../../arena/replays/viewer" */

/** @param {number} x @param {number} y @param {number} radius */
function hexagon(x, y, radius) {
  return Array.from({ length: 6 }, (_, corner) => {
    const angle = (Math.PI / 3) * (corner + 0.5);
    return `${(x + radius * Math.cos(angle)).toFixed(3)},${(y + radius * Math.sin(angle)).toFixed(3)}`;
  }).join(" ");
}

/** Draw a pyramid that grows with its city. @param {number} x @param {number} y @param {boolean} scored @param {number} size */
function pyramid(x, y, scored, size = 1) {
  const steps = Math.min(4, 1 + size);
  const shapes = Array.from({ length: steps }, (_, step) => {
    const half = 0.66 - (step * 0.5) / steps;
    const top = y + 0.45 - ((step + 1) * 0.85) / steps;
    return svg("rect", { x: x - half, y: top, width: 2 * half, height: 0.85 / steps, class: "terrace" });
  });
  const stairs = svg("rect", { x: x - 0.09, y: y - 0.4, width: 0.18, height: 0.85, class: "stairs" });
  return svg("g", { class: scored ? "temple scored" : "temple" }, shapes, stairs);
}

/** Draw a few blades or furrows on a field. @param {string} id @param {number} x @param {number} y */
function furrows(id, x, y) {
  const shift = ((id.charCodeAt(0) * 7 + id.charCodeAt(1) * 13) % 5) / 10 - 0.2;
  return [-0.4, 0, 0.4].map((dy) =>
    svg("path", { d: `M${x - 0.5 + shift},${y + dy} q0.25,-0.12 0.5,0 q0.25,0.12 0.5,0`, class: "furrow" }),
  );
}

/** Draw the stones of a border. @param {number} x @param {number} y */
function stones(x, y) {
  return [
    [-0.35, 0.1, 0.33],
    [0.3, 0.2, 0.3],
    [0.02, -0.3, 0.28],
  ].map(([dx, dy, r]) => svg("ellipse", { cx: x + dx, cy: y + dy, rx: r, ry: r * 0.8, class: "border-stone" }));
}

/** Whether a city was closed, and scored, by what was decided last. @param {MayaScene} scene @param {MayaScene} before @param {string} temple */
export function isClosedNow(scene, before, temple) {
  return scene.board.cities[temple].scored && before.board.cities[temple]?.scored !== true;
}

export class Country {
  /** @param {GameReplay<Printed>} replay */
  constructor(replay) {
    this.replay = replay;
    const { places } = replay.scenery;
    const cells = Object.entries(places);
    const [xs, ys] = [cells.map(([, cell]) => cell.x), cells.map(([, cell]) => cell.y)];
    const [left, top] = [Math.min(...xs) - 1.8, Math.min(...ys) - 1.8];
    const [width, height] = [Math.max(...xs) + 1.8 - left, Math.max(...ys) + 1.8 - top];
    const [joins, tiles, sizes, marks] = [svg("g"), svg("g"), svg("g"), svg("g")];
    const fields = cells.filter(([, cell]) => cell.kind !== "border");
    this.root = drawing(
      [left, top, width, height].map((n) => n.toFixed(2)).join(" "),
      "The map of Maya",
      svg("rect", { x: left, y: top, width, height, class: "sea" }),
      ["shallows", "beach"].map((kind) =>
        fields.map(([, { x, y }]) => svg("polygon", { points: hexagon(x, y, 1.15), class: kind })),
      ),
      cells.map(([id]) => this.cell(id)),
      joins,
      tiles,
      sizes,
      marks,
    );
    this.root.classList.add("map");
    this.showJoins = layer(joins);
    this.showTiles = layer(tiles);
    this.showSizes = layer(sizes);
    this.showMarks = layer(marks);
  }

  /** @param {string} id */
  cell(id) {
    const { places, board } = this.replay.scenery;
    const { x, y, kind } = places[id];
    const ground = svg("polygon", { points: hexagon(x, y, 1.12), class: `hex ${board.areas[id] || "border"}` });
    if (kind === "border") return svg("g", { "data-about": id }, ground, stones(x, y));
    return svg(
      "g",
      { "data-about": id },
      ground,
      kind === "temple" ? pyramid(x, y, false) : furrows(id, x, y),
      label(x, y + 0.78, id, { "font-size": 0.28, class: "cell-name" }),
    );
  }

  /** Make a ring around a cell. @param {string} id @param {Attributes} attributes */
  outline(id, attributes) {
    const { x, y } = this.replay.scenery.places[id];
    return svg("polygon", { points: hexagon(x, y, 1.1), ...attributes });
  }

  /** @param {MayaScene} scene @param {MayaScene} before @param {Set<string>} changed */
  draw(scene, before, changed) {
    const { cities } = scene.board;
    this.showJoins(this.joins(scene));
    this.showTiles(
      Object.entries(scene.at).flatMap(([id, here]) =>
        here.map((token, index) => {
          const city = token.kind === "plantation" ? undefined : cities[token.face ?? ""];
          return kept(`${id} ${index}`, tileOn, this.replay, id, token, Boolean(city?.scored), city?.size ?? 0);
        }),
      ),
    );
    this.showSizes(Object.entries(cities).map(([temple, city]) => kept(temple, citySize, this.replay, temple, city)));
    this.showMarks([
      ...[...changed].map((id) => kept(id, (where) => this.outline(where, { class: "changed" }), id)),
      ...Object.keys(cities)
        .filter((temple) => isClosedNow(scene, before, temple))
        .map((temple) => kept(`closed ${temple}`, closing, this.replay, temple, scene)),
    ]);
  }

  /** List what joins plantations of one player and crop that lie side by side. @param {MayaScene} scene */
  joins(scene) {
    const { places } = this.replay.scenery;
    /** @param {string} id */
    const group = (id) => {
      const [token] = scene.at[id] ?? [];
      return token?.kind === "plantation" ? `${token.player} ${token.face?.split(":")[0]}` : "";
    };
    return Object.keys(scene.at).flatMap((id) =>
      (places[id].adjacent ?? [])
        .filter((other) => id < other && group(id) && group(id) === group(other))
        .map((other) => kept(`${id} ${other} ${group(id)}`, join, this.replay, id, other, scene.at[id][0].player ?? 0)),
    );
  }
}

/** @param {GameReplay<Printed>} replay @param {string} one @param {string} other @param {number} player */
function join(replay, one, other, player) {
  const [from, to] = [replay.scenery.places[one], replay.scenery.places[other]];
  return svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: `join p${player}` });
}

/**
 * Draw a tile on the map; `scored` and `size` are those of its city.
 *
 * @param {GameReplay<Printed>} replay
 * @param {string} id
 * @param {Token} token
 * @param {boolean} scored
 * @param {number} size
 */
function tileOn(replay, id, token, scored, size) {
  const { x, y } = replay.scenery.places[id];
  const { player, face = "", kind } = token;
  if (kind === "plantation")
    return svg(
      "g",
      { "data-about": `rack.${face}` },
      svg("polygon", { points: hexagon(x, y, 0.98), class: `plantation p${player}` }),
      crop(x, y - 0.02, 0.068, face),
      playerMark(x, y + 0.68, 0.17, player ?? 0),
    );
  const name = nameOfTemple(replay, face);
  const by = player === undefined ? `Temple of ${name}` : `${name}: ${nameOf(replay, replay.first, player)}`;
  return svg(
    "g",
    { "data-about": "city" },
    svg("title", {}, by),
    svg("polygon", { points: hexagon(x, y, 1.06), class: scored ? "city scored" : "city" }),
    kind === "temple" ? pyramid(x, y - 0.12, scored, size) : playerMark(x, y, 0.32, player ?? 0),
    kind === "temple"
      ? label(x, y + 0.66, name, { "font-size": Math.min(0.29, 2.7 / name.length), class: "stone-text" })
      : null,
  );
}

/** @param {GameReplay<Printed>} replay @param {string} temple @param {City} city */
function citySize(replay, temple, city) {
  const { places, board } = replay.scenery;
  const { x, y } = places[board.temples[temple]];
  return svg(
    "g",
    {},
    svg(
      "title",
      {},
      `${nameOfTemple(replay, temple)}: ${city.size} tiles, ${city.empty_cells_around} empty cells around`,
    ),
    svg("circle", { cx: x + 0.72, cy: y - 0.62, r: 0.36, class: city.scored ? "size scored" : "size" }),
    label(x + 0.72, y - 0.62, city.size, { "font-size": 0.38, class: "size-text" }),
  );
}

/** How wide the points of a player are on the plate of a city. */
const SHARE = 2.3;

/**
 * Draw how a city scores: rings around the crops that count, and a plate with the points of each player.
 *
 * @param {GameReplay<Printed>} replay
 * @param {string} temple
 * @param {MayaScene} scene
 */
function closing(replay, temple, scene) {
  const { places, board } = replay.scenery;
  const { x, y } = places[board.temples[temple]];
  const shares = scene.board.cities[temple].points
    .map((points, player) => ({ points, player }))
    .filter(({ points }) => points)
    .sort((one, other) => other.points - one.points);
  const left = x - (SHARE * shares.length) / 2;
  return svg(
    "g",
    { class: "closing" },
    cropsAround(replay, temple, scene).map((id) =>
      svg("polygon", {
        points: hexagon(places[id].x, places[id].y, 1.08),
        class: `counted p${scene.at[id][0].player}`,
      }),
    ),
    shares.length
      ? svg("rect", {
          x: left - 0.1,
          y: y + 0.85,
          width: SHARE * shares.length + 0.2,
          height: 1.2,
          rx: 0.2,
          class: "plate",
        })
      : null,
    shares.map(({ points, player }, index) => [
      playerMark(left + SHARE * index + 0.5, y + 1.45, 0.32, player),
      label(left + SHARE * index + 1.5, y + 1.47, `+${points}`, { "font-size": 0.75, class: "size-text" }),
    ]),
  );
}

/** List the cells of the plantations around a city. @param {GameReplay<Printed>} replay @param {string} temple @param {MayaScene} scene */
function cropsAround({ scenery }, temple, scene) {
  const { at } = scene;
  const tiles = Object.keys(at).filter((id) => at[id][0].kind !== "plantation" && at[id][0].face === temple);
  const around = new Set(tiles.flatMap((id) => scenery.places[id].adjacent ?? []));
  return [...around].filter((id) => at[id]?.[0].kind === "plantation");
}
