// The tables of Ahau beside the map: temples, the Might track, the offer of buildings, the calendar.

import { drawing, inWords, label, paragraph, svg } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { playerMark, symbol } from "../../../../arena/replays/static/symbols.js";
import { isOnMap } from "./land.js";
import { buildingCard, cube, rewardAt } from "./tiles.js";

/** @import { AhauScene } from "./board" */
/** @import { Building, Printed } from "./scene" */
/** @import { Place, Token } from "../../../../arena/replays/document" */
/** @import { Attributes, GameScenery } from "../../../../arena/replays/viewer" */

/** What each slot of the offer changes. */
const SLOTS = ["\u22121 resource", "+1 Fame", "+2 Fame"];

/** Draw what lies at a place of the tables. @param {Place} place @param {Token[]} here @param {Record<string, Building>} buildings */
function onTable({ kind, x, y }, here, buildings) {
  const [{ face = "", player = 0 }] = here;
  if (kind === "offer") return buildingCard(x, y, face, buildings, 116, 74, 18);
  if (kind === "temple") return playerMark(x, y, 14, player);
  return svg(
    "g",
    {},
    here.map((site, index) => cube(x, y - 6 * index, site.face ?? "", 34)),
  );
}

/** Make a shape around a place of the tables. @param {Place} place @param {Attributes} attributes */
function ringOnTable({ kind, x, y }, attributes) {
  if (kind === "offer") return svg("rect", { x: x - 60, y: y - 39, width: 120, height: 78, rx: 7, ...attributes });
  return svg("circle", { cx: x, cy: y, r: 23, ...attributes });
}

/** @param {Place} place */
function markOnTable(place) {
  return ringOnTable(place, { class: "changed" });
}

export class Tables {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    this.scenery = scenery;
    /** @type {AhauScene | null} */
    this.scene = null;
    const moving = svg("g");
    this.show = layer(moving);
    this.root = drawing(
      "1000 10 920 480",
      "Temples, Might, offer and calendar",
      this.temples(),
      this.might(),
      this.rest(),
      moving,
    );
  }

  temples() {
    const { board, places } = this.scenery;
    return board.gods.map((god) => {
      const { x, y } = places[`temple.${god}.0`];
      return svg(
        "g",
        { "data-about": `god.${god}` },
        svg("rect", { x: 1010, y: y - 54, width: 310, height: 86, rx: 8, class: "step" }),
        svg("g", { class: "of-row" }, symbol(god, 1036, y - 12, 36)),
        paragraph(1062, y - 38, 256, 23, `${inWords(god)}: ${board.scoring[god]}`, { "text-anchor": "start" }, 30),
        board.marker_fame.map((fame, space) => [
          svg("circle", { cx: x + 48 * space, cy: y, r: 18, class: "space" }),
          label(x + 48 * space, y + 1, fame || "", { "font-size": 20, class: "faint" }),
        ]),
      );
    });
  }

  might() {
    const { steps } = this.scenery.tracks.might;
    return svg(
      "g",
      { "data-about": "might" },
      label(1410, 23, "Might", { "font-size": 20, class: "strong" }),
      steps.map((step, index) => [
        svg("rect", { x: 1340, y: this.step(index) - 19, width: 140, height: 38, rx: 4, class: "step" }),
        label(1354, this.step(index), index, { "font-size": 20, class: "faint" }),
        rewardAt(1456, this.step(index), step, 28),
      ]),
    );
  }

  /** @param {number} index */
  step(index) {
    return 464 - 41 * index;
  }

  rest() {
    const { places } = this.scenery;
    const spaces = Object.entries(places).filter(([, place]) => place.kind === "calendar" || place.kind === "offer");
    return [
      places["offer.0"] ? label(1510, 32, "Offer", { "font-size": 20, class: "strong", "text-anchor": "start" }) : null,
      label(1510, this.calendar() - 46, "Calendar", { "font-size": 20, class: "strong", "text-anchor": "start" }),
      spaces.map(([id, { kind, x, y }], index) =>
        kind === "offer"
          ? svg(
              "g",
              { "data-about": id },
              svg("rect", { x: x - 58, y: y - 37, width: 116, height: 74, rx: 5, class: "space" }),
              label(x, y + 54, SLOTS[index], { "font-size": 19, class: "faint" }),
            )
          : svg("circle", { cx: x, cy: y, r: 20, class: "space", "data-about": "calendar" }),
      ),
    ];
  }

  /** Return where the first row of the calendar is: below the offer, if there is one. */
  calendar() {
    return this.scenery.places["calendar.0"].y;
  }

  /** @param {AhauScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    this.scene = scene;
    const { places, board } = this.scenery;
    const piles = Object.entries(scene.piles)
      .filter(([, pile]) => pile.count)
      .map(([name, pile]) => `${inWords(name)} ${pile.count}`);
    this.show([
      ...Object.entries(scene.at)
        .filter(([id, here]) => here.length && !isOnMap(places[id]))
        .map(([id, here]) => kept(id, onTable, places[id], here, board.buildings)),
      ...this.markers(scene),
      ...[...changed].filter((id) => !isOnMap(places[id])).map((id) => kept(`changed ${id}`, markOnTable, places[id])),
      kept("piles", stock, this.calendar() + 122, piles.join(", ")),
    ]);
  }

  /** List the markers of Might; those on one step stand side by side. @param {AhauScene} scene */
  markers(scene) {
    /** @type {Record<number, number>} */
    const stacked = {};
    return scene.board.might.map((player) => {
      const step = scene.players[player].tracks.might;
      stacked[step] = (stacked[step] || 0) + 1;
      return kept(`might ${player}`, playerMark, 1356 + 19 * stacked[step], this.step(step), 9, player);
    });
  }

  /**
   * Return a shape around a place, a god or the next step on Might of a player.
   *
   * @param {string} id
   * @param {Attributes} attributes
   * @param {number} player
   */
  outline(id, attributes, player) {
    const { places, tracks } = this.scenery;
    if (places[id]) return ringOnTable(places[id], attributes);
    const [kind, name] = id.split(".");
    if (kind === "god") {
      const { y } = places[`temple.${name}.0`];
      return svg("rect", { x: 1010, y: y - 54, width: 310, height: 86, rx: 8, ...attributes });
    }
    if (id === "calendar")
      return svg("rect", { x: 1506, y: this.calendar() - 28, width: 350, height: 110, rx: 8, ...attributes });
    if (id !== "might") return null;
    const step = Math.min((this.scene?.players[player]?.tracks.might ?? 0) + 1, tracks.might.steps.length - 1);
    return svg("rect", { x: 1340, y: this.step(step) - 31, width: 140, height: 62, rx: 4, ...attributes });
  }
}

/** @param {number} y @param {string} piles */
function stock(y, piles) {
  const text = `Face down: ${piles}`;
  return svg("g", {}, paragraph(1510, y, 400, 17, text, { class: "faint", "text-anchor": "start" }));
}
