// The gears of Tzolk'in, whose teeth turn a day at a time with the workers on them, and the jungle around them.

import { isCard, mark } from "./cards.js";
import { drawing, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";

/** @import { Board, Gear, Known, Own, Printed } from "./scene" */
/** @import { Place, Token } from "../../../../arena/replays/document" */
/** @import { GameScene, GameScenery } from "../../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, Own, Known>} TzolkinScene */

/** @type {Token[]} */
const NOBODY = [];
const DAYS = 27;

/** @param {number} x @param {number} y @param {number} radius @param {number} degrees */
function around(x, y, radius, degrees) {
  const angle = (Math.PI / 180) * degrees;
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

/** Return the outline of a gear around 0,0: its teeth stand between the spaces. @param {Gear} gear */
function outline(gear) {
  const depth = 15;
  const part = 360 / gear.teeth;
  const points = [];
  for (let tooth = 0; tooth < gear.teeth; tooth++) {
    const middle = gear.first + (tooth + 0.5) * part;
    for (const [share, radius] of [
      [-0.34, -depth],
      [-0.2, depth],
      [0.2, depth],
      [0.34, -depth],
    ]) {
      points.push(
        around(0, 0, gear.radius + radius, middle + share * part)
          .map((n) => n.toFixed(1))
          .join(","),
      );
    }
  }
  return points.join(" ");
}

/** Put what is drawn around 0,0 where a gear is. @param {Gear} gear @param {SVGElement} turning */
function fixed({ x, y }, turning) {
  return svg("g", { transform: `translate(${x} ${y})` }, turning);
}

/** Turn an element around 0,0; the style, unlike an attribute, moves smoothly. @param {SVGElement} element @param {number} degrees */
function turn(element, degrees) {
  element.style.transform = `rotate(${degrees}deg)`;
}

/** @param {number} x @param {number} y @param {Token} token @param {number} upright */
function worker(x, y, token, upright = 0) {
  const owner = token.kind === "dummy" ? "nobody" : `p${token.player}`;
  return svg(
    "g",
    { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${upright})` },
    svg("path", { d: "M-12,14 Q-12,-1 0,-1 Q12,-1 12,14 Z", class: `piece ${owner}` }),
    svg("circle", { cx: 0, cy: -8, r: 8, class: `piece ${owner}` }),
  );
}

/** @param {string} name @param {Gear} gear @param {GameScenery<Printed>} scenery */
function gearFace(name, gear, scenery) {
  const spaces = Object.entries(scenery.places).filter(
    ([id, place]) => id.startsWith(`${name}.`) && place.kind === "space",
  );
  return spaces.flatMap(([, place], space) => {
    if (!place.label && space) return [];
    const [x, y] = around(gear.x, gear.y, gear.radius + 42, gear.first + (360 / gear.teeth) * space);
    return [
      svg("circle", { cx: x, cy: y, r: 22, class: "seat" }),
      label(x, y, space, { "font-size": 19, class: "number" }),
      svg("title", {}, `${inWords(name)} ${space}: ${place.label || "waiting"}`),
    ];
  });
}

/**
 * Draw the workers on a tooth of a gear that has turned by `turned` teeth, in its own, turning, frame.
 *
 * @param {Gear} gear
 * @param {number} tooth
 * @param {number} turned
 * @param {Token[]} here
 */
function riders(gear, tooth, turned, here) {
  const degrees = 360 / gear.teeth;
  const [x, y] = around(0, 0, gear.radius * 0.72, gear.first + degrees * tooth);
  return svg(
    "g",
    {},
    here.map((token) => worker(x, y, token, -degrees * turned)),
  );
}

/**
 * @param {Gear} calendar
 * @param {number} number from 1
 * @param {boolean} food
 * @param {string} time "past", "today" or ""
 */
function dayMark(calendar, number, food, time) {
  const [x, y] = around(calendar.x, calendar.y, 152, -90 + (number - 1) * (360 / DAYS));
  return svg(
    "g",
    {},
    svg("circle", { cx: x, cy: y, r: 16, class: `day${food ? " food" : ""} ${time}` }),
    label(x, y, number, { "font-size": 17, class: time === "today" ? "today-text" : "day-text" }),
  );
}

/** @param {number} x @param {number} y @param {number} size @param {string} text */
function onSun(x, y, size, text) {
  return label(x, y, text, { "font-size": size, class: "on-sun" });
}

/** @param {Place} place @param {Token[]} here */
function atStart(place, here) {
  return svg(
    "g",
    {},
    here.map((token) => worker(place.x, place.y, token)),
  );
}

/** @param {Place} place @param {Token[]} here */
function jungle(place, here) {
  const counts = Object.fromEntries(here.map((token) => [token.kind, token.count]));
  /** @param {string} kind @param {number} index @param {number} dx */
  const tile = (kind, index, dx) =>
    svg("rect", {
      x: place.x + dx - 9,
      y: place.y - 8 - index * 6,
      width: 18,
      height: 18,
      rx: 3,
      class: `harvest ${kind}`,
    });
  return svg(
    "g",
    {},
    svg("title", {}, `${place.label}: ${counts["corn tile"] || 0} corn tiles, ${counts["wood tile"] || 0} wood tiles`),
    svg("ellipse", { cx: place.x, cy: place.y, rx: 30, ry: 24, class: "jungle" }),
    Array.from({ length: counts["wood tile"] || 0 }, (_, index) => tile("wood", index, 11)),
    Array.from({ length: counts["corn tile"] || 0 }, (_, index) => tile("corn", index, -11)),
  );
}

/** @param {Gear} gear @param {number} action */
function skull(gear, action) {
  const [x, y] = around(gear.x, gear.y, gear.radius + 42, gear.first + (360 / gear.teeth) * action);
  return svg(
    "g",
    {},
    svg("circle", { cx: x, cy: y, r: 22, class: "skull-mark" }),
    label(x, y, "\u2620", { "font-size": 26 }),
  );
}

export class Gears {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    const { gears, calendar } = scenery.board;
    this.scenery = scenery;
    this.jungles = Object.entries(scenery.places).filter(([, place]) => place.kind === "jungle");
    this.calendar = svg(
      "g",
      { class: "turning" },
      svg("polygon", { points: outline(calendar), class: "gear calendar" }),
    );
    this.turning = Object.entries(gears).map(([name, gear]) => {
      const riding = svg("g");
      const group = svg(
        "g",
        { class: "turning" },
        svg("polygon", { points: outline(gear), class: "gear" }),
        svg("circle", { r: 10, class: "axle" }),
        riding,
      );
      return { name, gear, group, showRiders: layer(riding) };
    });
    const [sun, loose] = [svg("g"), svg("g")];
    this.showSun = layer(sun);
    this.showLoose = layer(loose);
    this.root = drawing(
      "0 0 1000 1000",
      "The gears",
      fixed(calendar, this.calendar),
      svg("circle", { cx: calendar.x, cy: calendar.y, r: 172, class: "sun" }),
      svg("circle", { cx: scenery.places.start.x, cy: scenery.places.start.y, r: 24, class: "seat" }),
      sun,
      this.turning.map(({ gear, group }) => fixed(gear, group)),
      this.turning.map(({ name, gear }) => [
        gearFace(name, gear, scenery),
        label(gear.x, gear.y - 26, inWords(name), { "font-size": 23, class: "gear-name" }),
      ]),
      loose,
    );
  }

  /** @param {TzolkinScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const { places, board } = this.scenery;
    const { calendar, gears } = board;
    const turned = scene.board.day - 1;
    turn(this.calendar, (-360 / calendar.teeth) * turned);
    for (const { name, gear, group, showRiders } of this.turning) {
      turn(group, (360 / gear.teeth) * turned);
      showRiders(this.riders(scene, name, gear, turned));
    }
    this.showSun([...this.days(scene), ...this.news(scene)]);
    this.showLoose([
      kept("start", atStart, places.start, scene.at.start || NOBODY),
      ...this.jungles.map(([id, place]) => kept(id, jungle, place, scene.at[id] || NOBODY)),
      ...scene.board.skulls_at_chichen_itza.map((action) => kept(`skull ${action}`, skull, gears.chichen_itza, action)),
      ...[...changed].filter((id) => !isCard(places[id])).map((id) => kept(`changed ${id}`, mark, places[id])),
    ]);
  }

  /**
   * List the workers of a gear by the tooth where they were put.
   *
   * @param {TzolkinScene} scene
   * @param {string} name
   * @param {Gear} gear
   * @param {number} turned
   */
  riders(scene, name, gear, turned) {
    return Array.from({ length: gear.teeth }, (_, tooth) => {
      const here = scene.at[`${name}.${(tooth + turned) % gear.teeth}`];
      return here ? [kept(tooth, riders, gear, tooth, turned, here)] : [];
    }).flat();
  }

  /** @param {TzolkinScene} scene */
  days(scene) {
    const { calendar, food_days: food } = this.scenery.board;
    const { day } = scene.board;
    return Array.from({ length: DAYS }, (_, index) => index + 1).map((number) =>
      kept(
        number,
        dayMark,
        calendar,
        number,
        food.includes(number),
        number < day ? "past" : number === day ? "today" : "",
      ),
    );
  }

  /** @param {TzolkinScene} scene */
  news(scene) {
    const { x, y } = this.scenery.board.calendar;
    const { day, corn_on_teeth: corn, skulls_in_bank: skulls, start_player: start } = scene.board;
    return [
      kept("phase", onSun, x, y - 92, 24, scene.phase),
      kept("day", onSun, x, y - 58, 34, `Day ${day}`),
      kept("corn", onSun, x, y - 22, 21, `${corn} corn on the teeth`),
      kept("skulls", onSun, x, y + 5, 21, `${skulls} skulls in the bank`),
      kept("start", onSun, x, y + 32, 20, "start player"),
      kept("player", marker, x, y + 54, 9, start),
    ];
  }
}

/** @param {number} x @param {number} y @param {number} radius @param {number} player */
export function marker(x, y, radius, player) {
  return svg("circle", { cx: x, cy: y, r: radius, class: `piece p${player}` });
}
