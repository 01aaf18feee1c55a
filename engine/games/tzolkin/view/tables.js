// The temples and technologies of Tzolk'in.

import { drawing, inWords, label, paragraph, svg } from "../../../../arena/replays/static/elements.js";
import { icon } from "./icons.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { playerMark, symbol } from "../../../../arena/replays/static/symbols.js";

/** @import { TzolkinScene } from "./gears" */
/** @import { Own, Printed } from "./scene" */
/** @import { Attributes, GamePlayer, GameReplay } from "../../../../arena/replays/viewer" */

const TEMPLES = ["chaac", "quetzalcoatl", "kukulcan"];
const TECHS = ["agriculture", "extraction", "architecture", "theology"];
const LEVEL = 104;

/** @param {string} temple @param {number} step */
function stepAt(temple, step) {
  return [1050 + 224 * TEMPLES.indexOf(temple), 400 - 42 * step];
}

export class Tables {
  /** @param {GameReplay<Printed>} replay */
  constructor(replay) {
    this.replay = replay;
    const moving = svg("g");
    this.show = layer(moving);
    this.root = drawing("1000 0 690 640", "Temples and technologies", this.temples(), this.techs(), moving);
  }

  temples() {
    const { tracks, board } = this.replay.scenery;
    return TEMPLES.map((temple, index) => {
      const { label: name, steps } = tracks[temple];
      const [first, second] = [board.temple_bonus[0][index], board.temple_bonus[1][index]];
      const [x] = stepAt(temple, 0);
      return svg(
        "g",
        { "data-about": `temple.${temple}` },
        steps.map((text, step) => this.step(temple, step, text)),
        symbol(temple, x + 62, stepAt(temple, steps.length)[1] + 8, 40),
        label(x + 62, 434, name, { "font-size": 21, class: "vp" }),
        label(x + 62, 457, `highest: ${first}, then ${second}`, { "font-size": 17, class: "faint" }),
      );
    });
  }

  /** @param {string} temple @param {number} step @param {string} text */
  step(temple, step, text) {
    const [x, y] = stepAt(temple, step);
    const [vp, good] = text.split(" ");
    const inset = step * 7;
    return [
      svg("rect", {
        x: x - 40 + inset / 2,
        y: y - 20,
        width: 204 - inset,
        height: 40,
        rx: 3,
        class: step === 1 ? "step begin" : "step",
      }),
      label(x + 142 - inset / 2, y, vp.replace("-", "\u2212"), { "font-size": 20, class: "vp" }),
      good ? symbol(good, x + 110 - inset / 2, y, 26) : null,
    ];
  }

  techs() {
    const { levels } = this.replay.scenery.board;
    return TECHS.map((tech, row) =>
      svg(
        "g",
        { "data-about": `tech.${tech}` },
        symbol(tech, 1026, this.row(tech), 32),
        paragraph(1048, this.row(tech), 108, 18, inWords(tech), { class: "left" }),
        [0, 1, 2, 3].map((level) => [
          svg("rect", {
            x: 1158 + LEVEL * level,
            y: this.row(tech) - 19,
            width: LEVEL - 4,
            height: 38,
            rx: 4,
            class: "step",
          }),
          level
            ? label(1158 + LEVEL * level + 50, this.row(tech) - 9, levels[tech][level - 1], {
                "font-size": 15,
                class: "faint",
              })
            : null,
        ]),
        svg("rect", { x: 1158 + LEVEL * 4, y: this.row(tech) - 19, width: 112, height: 38, rx: 19, class: "step" }),
        label(1176 + LEVEL * 4, this.row(tech), "then", { "font-size": 14, class: "faint left" }),
        icon(levels[tech][3], 1240 + LEVEL * 4, this.row(tech), 26),
      ),
    );
  }

  /** @param {string} tech */
  row(tech) {
    return 492 + 42 * TECHS.indexOf(tech);
  }

  /** @param {TzolkinScene} scene */
  draw(scene) {
    this.show(scene.players.flatMap((player, index) => this.markers(player, index)));
  }

  /** @param {GamePlayer<Own>} player @param {number} index */
  markers({ tracks }, index) {
    return [
      ...TEMPLES.map((temple) => {
        const [x, y] = stepAt(temple, tracks[temple]);
        const shift = 24 * index + tracks[temple] * 3;
        return kept(`${temple} ${index}`, playerMark, x - 20 + shift, y, 10.5, index);
      }),
      ...TECHS.map((tech) =>
        kept(`${tech} ${index}`, playerMark, 1178 + LEVEL * tracks[tech] + 20 * index, this.row(tech) + 8, 8, index),
      ),
    ];
  }

  /** Make a shape around a temple or a technology; null if it is neither. @param {string} id @param {Attributes} attributes */
  outline(id, attributes) {
    const [kind, name] = id.split(".");
    if (kind === "temple" && TEMPLES.includes(name)) {
      const { steps } = this.replay.scenery.tracks[name];
      const [x, y] = stepAt(name, steps.length - 1);
      return svg("rect", { x: x - 44, y: y - 24, width: 212, height: 492 - y, rx: 8, ...attributes });
    }
    if (kind !== "tech") return null;
    return svg("rect", { x: 1004, y: this.row(name) - 21, width: 686, height: 42, rx: 8, ...attributes });
  }
}
