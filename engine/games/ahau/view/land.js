// The map of Ahau: coast and regions, roads with production sites, cities with their workers, rulers.

import { drawing, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { person, symbol } from "../../../../arena/replays/static/symbols.js";
import { buildingCard, cube, pyramidTile } from "./tiles.js";

/** @import { AhauScene } from "./board" */
/** @import { Building, Printed } from "./scene" */
/** @import { Place, Token } from "../../../../arena/replays/document" */
/** @import { Attributes, GameScenery } from "../../../../arena/replays/viewer" */

const ON_MAP = ["city", "site", "tile", "bonus", "rulers"];
/** Where trees stand in a region, from its middle. */
const TREES = [
  [-92, 30],
  [-70, 58],
  [84, 40],
  [66, -62],
  [-58, -78],
];

/** Whether a place lies on the map. @param {Place} place */
export function isOnMap(place) {
  return ON_MAP.includes(place.kind);
}

/**
 * Draw the workers in a city, at most three side by side: a figure for each player, with their number.
 *
 * @param {Place} place
 * @param {Token[]} here
 */
function people(place, here) {
  const wide = here.length > 4 ? 3 : 2;
  const rows = Math.ceil(here.length / wide);
  return here.map(({ kind, count = 1, player = 0 }, index) => {
    const row = Math.floor(index / wide);
    const inRow = Math.min(wide, here.length - row * wide);
    const x = place.x + ((index % wide) - (inRow - 1) / 2) * 30;
    const y = place.y + 12 + (row - (rows - 1) / 2) * 30;
    return svg(
      "g",
      {},
      svg("title", {}, `${count} ${kind}`),
      kind === "lying worker"
        ? svg("g", { class: `p${player}` }, symbol("lying", x, y, 27))
        : person(x, y, 0.85, player),
      count > 1 ? label(x + 12, y + 8, count, { "font-size": 17, class: "dark strong pale" }) : null,
    );
  });
}

/** @param {Place} place @param {Token[]} here @param {Record<string, Building>} buildings */
function drawnOnMap({ kind, x, y, ...place }, here, buildings) {
  const { face = "" } = here[0];
  if (kind === "city") return people({ kind, x, y, ...place }, here);
  if (kind === "site") return cube(x, y, face, 34);
  if (kind === "tile") return pyramidTile(x, y, face);
  if (kind === "rulers")
    return here.map(({ player }, index) =>
      svg("g", { class: `p${player}` }, symbol("ruler", x + (index - (here.length - 1) / 2) * 38, y, 36)),
    );
  return here.map((token, index) =>
    token.kind === "building"
      ? buildingCard(x, y + 12, token.face ?? "", buildings)
      : cube(x - 12 + 24 * index, y, token.face ?? "", 24),
  );
}

/** Draw what lies at a place of the map. @param {string} id @param {Place} place @param {Token[]} here @param {Record<string, Building>} buildings */
function onMap(id, place, here, buildings) {
  return svg("g", { "data-about": id }, drawnOnMap(place, here, buildings));
}

/** Make a shape around a place of the map. @param {Place} place @param {Attributes} attributes */
export function ringOnMap({ kind, x, y }, attributes) {
  return svg("circle", { cx: x, cy: y, r: kind === "city" ? 48 : 33, ...attributes });
}

/** @param {Place} place */
function markOnMap(place) {
  return ringOnMap(place, { class: "changed" });
}

export class Land {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    this.scenery = scenery;
    const { board } = scenery;
    const moving = svg("g");
    this.show = layer(moving);
    const shapes = Object.entries(board.regions).map(([region, cities]) => [region, this.corners(region, cities)]);
    /** @param {string} kind */
    const ground = (kind) =>
      svg(
        "g",
        { class: kind },
        shapes.map(([, points]) => svg("polygon", { points })),
      );
    this.root = drawing(
      "10 -40 990 1110",
      "The map of Ahau",
      svg("rect", { x: 10, y: -40, width: 990, height: 1110, class: "sea" }),
      this.waves(),
      ground("shallows"),
      ground("beach"),
      ground("shore"),
      shapes.map(([region, points]) => svg("polygon", { points, class: `region r${region}` })),
      Object.keys(board.regions).map((region) => this.region(region)),
      this.roads(),
      this.cities(),
      moving,
    );
    this.root.classList.add("map");
  }

  waves() {
    return Array.from({ length: 60 }, (_, index) => {
      const [x, y] = [30 + ((index * 173) % 930), -20 + ((index * 97) % 1060)];
      return svg("path", { d: `M${x},${y} q8,-8 16,0 q8,8 16,0`, class: "wave" });
    });
  }

  /** Return the corners of a region: its cities around its middle. @param {string} region @param {string[]} cities */
  corners(region, cities) {
    const { places } = this.scenery;
    const middle = places[`region.${region}.left`];
    /** @param {Place} place */
    const angle = (place) => Math.atan2(place.y - middle.y, place.x - middle.x - 30);
    const around = cities.map((id) => places[id]).sort((one, other) => angle(one) - angle(other));
    return around.map(({ x, y }) => `${x},${y}`).join(" ");
  }

  /** Draw the trees and the number of a region. @param {string} region */
  region(region) {
    const { x, y } = this.scenery.places[`region.${region}.rulers`];
    return [
      TREES.map(([dx, dy]) => symbol("jungle", x + dx, y + 52 + dy, 26, { class: "symbol tree" })),
      svg(
        "g",
        { "data-about": `region.${region}.rulers` },
        svg("path", { d: `M${x + 30},${y - 12} h30 v18 q0,12 -15,18 q-15,-6 -15,-18 Z`, class: "shield" }),
        label(x + 45, y + 2, region, { "font-size": 21, class: "on-shield" }),
      ),
    ];
  }

  roads() {
    const { places, board } = this.scenery;
    const links = Object.entries(board.links);
    return [
      ["road-bed", "road"].map((kind) =>
        links.map(([, [from, to]]) =>
          svg("line", { x1: places[from].x, y1: places[from].y, x2: places[to].x, y2: places[to].y, class: kind }),
        ),
      ),
      links.map(([id]) =>
        svg("circle", { cx: places[id].x, cy: places[id].y, r: 19, class: "site-space", "data-about": id }),
      ),
    ];
  }

  cities() {
    const { places, board } = this.scenery;
    return Object.entries(board.city_gods).map(([id, god]) => {
      const { x, y } = places[id];
      return svg(
        "g",
        { "data-about": id },
        svg("circle", { cx: x, cy: y, r: 46, class: "city" }),
        svg("circle", { cx: x, cy: y, r: 39, class: "city-wall" }),
        symbol(god, x, y - 25, 26),
        label(x, y + 61, inWords(id), { "font-size": 22, class: "strong halo" }),
      );
    });
  }

  /** @param {AhauScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const { places, board } = this.scenery;
    this.show([
      ...Object.entries(scene.at)
        .filter(([id, here]) => here.length && isOnMap(places[id]))
        .map(([id, here]) => kept(id, onMap, id, places[id], here, board.buildings)),
      ...[...changed].filter((id) => isOnMap(places[id])).map((id) => kept(`changed ${id}`, markOnMap, places[id])),
    ]);
  }
}
