// The gears of Tzolk'in, whose teeth turn a day at a time with the workers on them, and the jungle around them.

import { isCard, mark } from "./cards.js";
import { drawing, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { icons } from "./icons.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { person, playerMark, symbol } from "../../../../arena/replays/static/symbols.js";

/** @import { Board, Gear, Known, Own, Printed } from "./scene" */
/** @import { Place, Token } from "../../../../arena/replays/document" */
/** @import { Attributes, GameScene, GameScenery } from "../../../../arena/replays/viewer" */
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
  const owner = token.kind === "dummy" ? null : (token.player ?? 0);
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${upright})`;
  return person(0, 0, 1.15, owner, { transform: `${transform} scale(1.15)` });
}

/** How far from the pitch circle of a gear its actions are drawn. */
const OUTSIDE = 48;

/** Draw the actions of a gear around it, with their numbers. @param {string} name @param {Gear} gear @param {GameScenery<Printed>} scenery */
function gearFace(name, gear, { places, board }) {
  const spaces = Object.entries(places).filter(([id, place]) => id.startsWith(`${name}.`) && place.kind === "space");
  return spaces.flatMap(([id, place], space) => {
    if (!place.label && space) return [];
    const degrees = gear.first + (360 / gear.teeth) * space;
    const [x, y] = around(gear.x, gear.y, gear.radius + OUTSIDE, degrees);
    const [nx, ny] = around(gear.x, gear.y, gear.radius + OUTSIDE + 32, degrees);
    const given = board.icons[id] ?? (space ? ["any"] : []);
    return svg(
      "g",
      { "data-about": id },
      svg("circle", { cx: x, cy: y, r: 29, class: space ? "seat" : "seat begin" }),
      given.length
        ? icons(given, x, y, given.length > 1 ? 26 : 36)
        : label(x, y, "0", { "font-size": 19, class: "faint" }),
      space ? svg("circle", { cx: nx, cy: ny, r: 9, class: "number-plate" }) : null,
      space ? label(nx, ny, space, { "font-size": 13, class: "number" }) : null,
    );
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

/** @param {string} id @param {Place} place @param {Token[]} here */
function jungle(id, place, here) {
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
    { "data-about": id },
    svg("title", {}, `${place.label}: ${counts["corn tile"] || 0} corn tiles, ${counts["wood tile"] || 0} wood tiles`),
    svg("ellipse", { cx: place.x, cy: place.y, rx: 36, ry: 29, class: "jungle" }),
    symbol("jungle", place.x + 22, place.y - 14, 24),
    Array.from({ length: counts["wood tile"] || 0 }, (_, index) => tile("wood", index, 11)),
    Array.from({ length: counts["corn tile"] || 0 }, (_, index) => tile("corn", index, -11)),
  );
}

/** Draw a skull on an action of Chichen Itza. @param {Gear} gear @param {number} action */
function skull(gear, action) {
  const [x, y] = around(gear.x, gear.y, gear.radius + OUTSIDE, gear.first + (360 / gear.teeth) * action);
  return svg(
    "g",
    { "data-about": `chichen_itza.${action}` },
    svg("circle", { cx: x, cy: y, r: 29, class: "skull-mark" }),
    symbol("skull", x, y, 40),
  );
}

/** Draw the grain of a gear. @param {Gear} gear */
function spokes(gear) {
  return Array.from({ length: gear.teeth }, (_, tooth) => {
    const degrees = gear.first + (tooth + 0.5) * (360 / gear.teeth);
    const [x1, y1] = around(0, 0, gear.radius * 0.42, degrees);
    const [x2, y2] = around(0, 0, gear.radius * 0.88, degrees);
    return svg("line", { x1, y1, x2, y2, class: "spoke" });
  });
}

/** @param {Gear} gear @param {string} name */
function gearName({ x, y }, name) {
  const words = name.split(" ");
  return words.map((word, index) =>
    label(x, y + 17 * (index - (words.length - 1) / 2), word, { "font-size": 16, class: "gear-name" }),
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
        svg("circle", { r: gear.radius * 0.9, class: "gear-ring" }),
        spokes(gear),
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
      svg("circle", { cx: calendar.x, cy: calendar.y, r: 172, class: "sun", "data-about": "calendar" }),
      svg("circle", { cx: scenery.places.start.x, cy: scenery.places.start.y, r: 24, class: "seat" }),
      sun,
      this.turning.map(({ gear, group }) => fixed(gear, group)),
      this.turning.map(({ name, gear }) => [
        gearFace(name, gear, scenery),
        svg("circle", { cx: gear.x, cy: gear.y, r: 38, class: "hub" }),
        gearName(gear, inWords(name)),
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
      ...this.jungles.map(([id, place]) => kept(id, jungle, id, place, scene.at[id] || NOBODY)),
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
      kept("phase", onSun, x, y - 96, 24, scene.phase),
      kept("day", onSun, x, y - 62, 34, day > DAYS ? "The end" : `Day ${day}`),
      kept("corn", onSunWith, x - 52, y - 22, "corn", `${corn} on the teeth`),
      kept("skulls", onSunWith, x - 52, y + 8, "skull", `${skulls} in the bank`),
      kept("start", onSun, x, y + 38, 20, "start player"),
      kept("player", playerMark, x, y + 62, 11, start),
    ];
  }

  /** Make a ring around the calendar. @param {Attributes} attributes */
  around(attributes) {
    const { x, y } = this.scenery.board.calendar;
    return svg("circle", { cx: x, cy: y, r: 172, ...attributes });
  }
}

/** @param {number} x @param {number} y @param {string} name of a symbol @param {string} text */
function onSunWith(x, y, name, text) {
  return svg("g", {}, symbol(name, x, y, 26), label(x + 20, y, text, { "font-size": 19, class: "on-sun left" }));
}
