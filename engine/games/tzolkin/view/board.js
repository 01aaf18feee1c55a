// The board of Tzolk'in: gears, temples, technologies and cards.

import { Market, holdings, isCard, ring } from "./cards.js";
import { drawing, html, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { Gears, marker } from "./gears.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";

/** @import { TzolkinScene } from "./gears" */
/** @import { Own, Printed } from "./scene" */
/** @import { CreateBoard, GamePlayer, GameReplay } from "../../../../arena/replays/viewer" */

/** @type {string[]} */
const NOTHING = [];
const TEMPLES = ["chaac", "quetzalcoatl", "kukulcan"];
const TECHS = ["agriculture", "extraction", "architecture", "theology"];

class Tables {
  /** @param {GameReplay<Printed>} replay */
  constructor(replay) {
    this.replay = replay;
    const moving = svg("g");
    this.show = layer(moving);
    this.root = drawing("1010 0 680 620", "Temples and technologies", this.temples(), this.techs(), moving);
  }

  /** @param {string} temple @param {number} step */
  place(temple, step) {
    const index = TEMPLES.indexOf(temple);
    return [1070 + 190 * index, 400 - 42 * step];
  }

  temples() {
    const { tracks, board } = this.replay.scenery;
    return TEMPLES.map((temple, index) => {
      const { label: name, steps } = tracks[temple];
      const drawn = steps.map((text, step) => {
        const [x, y] = this.place(temple, step);
        const [vp, good] = text.split(" ");
        const inset = step * 6;
        return [
          svg("rect", {
            x: x - 40 + inset / 2,
            y: y - 20,
            width: 180 - inset,
            height: 40,
            rx: 3,
            class: step === 1 ? "step begin" : "step",
          }),
          label(x + 118 - inset / 2, y, vp, { "font-size": 19, class: "vp" }),
          good
            ? svg("rect", { x: x + 82 - inset / 2, y: y - 8, width: 16, height: 16, rx: 2, class: `block ${good}` })
            : null,
        ];
      });
      const bonus = `best ${board.temple_bonus[0][index]}, then ${board.temple_bonus[1][index]}`;
      return [
        drawn,
        label(1120 + 190 * index, 434, name, { "font-size": 19 }),
        label(1120 + 190 * index, 457, bonus, { "font-size": 18 }),
      ];
    });
  }

  techs() {
    return TECHS.map((tech, row) => [
      label(1110, 490 + 34 * row, inWords(tech), { "font-size": 20 }),
      [0, 1, 2, 3].map((level) => [
        svg("rect", { x: 1200 + 115 * level, y: 475 + 34 * row, width: 110, height: 30, rx: 4, class: "step" }),
        label(1214 + 115 * level, 490 + 34 * row, level || "\u2013", { "font-size": 18, class: "faint" }),
      ]),
    ]);
  }

  /** @param {TzolkinScene} scene */
  draw(scene) {
    this.show(scene.players.flatMap((player, index) => this.markers(player, index)));
  }

  /** @param {GamePlayer<Own>} player @param {number} index */
  markers({ tracks }, index) {
    return [
      ...TEMPLES.map((temple) => {
        const [x, y] = this.place(temple, tracks[temple]);
        return kept(`${temple} ${index}`, marker, x - 14 + 22 * index + tracks[temple] * 2, y, 10, index);
      }),
      ...TECHS.map((tech, row) =>
        kept(`${tech} ${index}`, marker, 1238 + 115 * tracks[tech] + 18 * index, 490 + 34 * row, 8, index),
      ),
    ];
  }
}

/** @type {CreateBoard<GameReplay<Printed>, TzolkinScene>} */
export function createBoard(root, replay) {
  const gears = new Gears(replay.scenery);
  const tables = new Tables(replay);
  const market = new Market(replay.scenery);
  const hands = html("div", { class: "hands" });
  const showHands = layer(hands);
  root.replaceChildren(gears.root, tables.root, market.root, hands);
  return {
    outline(id, attributes) {
      const place = replay.scenery.places[id];
      return [isCard(place) ? market.drawing(id) : gears.root, ring(place, attributes)];
    },
    draw(scene, before, changed, step) {
      const turned = before && before.board.day !== scene.board.day; // then every worker stands on another space
      gears.draw(scene, turned ? new Set(step ? step.places : []) : changed);
      tables.draw(scene);
      market.draw(scene, changed);
      const drafts = scene.question !== null && scene.question.kind === "Draft"; // there are tiles to choose from
      hands.classList.toggle("first", drafts);
      showHands(
        scene.players.map(({ own }, index) =>
          kept(
            index,
            holdings,
            replay,
            index,
            own.buildings,
            own.monuments,
            (drafts && scene.known[index].offered) || NOTHING,
          ),
        ),
      );
    },
  };
}
