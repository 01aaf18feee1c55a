// The board of Tzolk'in: gears whose teeth turn a day at a time with the workers on them, the jungle, temples,
// technologies, and the cards on offer and in front of the players.

import { drawing, html, inWords, kept, label, paragraph, svg, update } from "./elements.js";
import { nameOf } from "./panel.js";

/** @import { Board, Gear, Known, Own, Printed, Tile } from "./scene" */
/** @import { Place, Token } from "../../../arena/replays/document" */
/** @import { Attributes, Child, CreateBoard, GamePlayer, GameReplay, GameScene, GameScenery } from "../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, Own, Known>} TzolkinScene */

/** @type {string[]} */
const NOTHING = [];
const TEMPLES = ["chaac", "quetzalcoatl", "kukulcan"];
const TECHS = ["agriculture", "extraction", "architecture", "theology"];

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
    for (const [share, radius] of [[-0.34, -depth], [-0.2, depth], [0.2, depth], [0.34, -depth]]) {
      points.push(around(0, 0, gear.radius + radius, middle + share * part).map((n) => n.toFixed(1)).join(","));
    }
  }
  return points.join(" ");
}

/**
 * Turn an element around a point; the style, unlike an attribute, moves smoothly.
 *
 * @param {SVGElement} element
 * @param {Gear} gear
 * @param {number} degrees
 */
function turn(element, gear, degrees) {
  element.style.transform = `translate(${gear.x}px, ${gear.y}px) rotate(${degrees}deg)`;
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

/** @param {Tile} tile */
function cost(tile) {
  return Object.entries(tile.cost).flatMap(([name, count]) => Array(count).fill(name));
}

/**
 * Return effects as words, one below the other; long ones wrap.
 *
 * @param {string[]} effects
 * @param {number} width
 * @param {number} top
 */
function printed(effects, width, top) {
  let y = top;
  return effects.map((effect) => {
    const lines = paragraph(0, y, width, 12.5, effect, { class: "printed" });
    y += 14.4 * lines.length + 12;
    return lines;
  });
}

/**
 * Draw a card: its category, price and effects, centred at 0,0.
 *
 * @param {string} id
 * @param {Tile} tile
 * @param {number} wide
 * @param {number} high
 */
function card(id, tile, wide, high) {
  const blocks = cost(tile);
  return svg(
    "g",
    {},
    svg("title", {}, `${inWords(id.replace(".", " "))}: ${tile.category} for ${blocks.join(", ")}; ${tile.effects.join(", ")}`),
    svg("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 8, class: `card ${tile.category}` }),
    blocks.map((name, index) =>
      svg("rect", { x: (index - blocks.length / 2) * 15 + 1, y: -high / 2 + 7, width: 13, height: 13, rx: 2, class: `block ${name}` }),
    ),
    label(0, -high / 2 + 32, tile.category, { "font-size": 13, class: "category" }),
    printed(tile.effects, wide - 12, -high / 2 + 54),
  );
}

/** @param {number} x @param {number} y @param {Child[]} children */
function at(x, y, ...children) {
  return svg("g", { transform: `translate(${x} ${y})` }, ...children);
}

/** Whether a place lies on the cards' side of the board. @param {Place} place */
function isCard(place) {
  return place.kind === "building" || place.kind === "monument";
}

/** Make a shape around a place. @param {Place} place @param {Attributes} attributes */
function ring(place, attributes) {
  const { x, y } = place;
  if (isCard(place)) return svg("rect", { x: x - 54, y: y - 77, width: 108, height: 154, rx: 9, ...attributes });
  return svg("circle", { cx: x, cy: y, r: 27, ...attributes });
}

/** @param {string} name @param {Gear} gear @param {GameScenery<Printed>} scenery */
function gearFace(name, gear, scenery) {
  const spaces = Object.entries(scenery.places).filter(([id, place]) => id.startsWith(`${name}.`) && place.kind === "space");
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

class Gears {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    const { gears, calendar } = scenery.board;
    this.scenery = scenery;
    this.calendar = svg("g", { class: "turning" }, svg("polygon", { points: outline(calendar), class: "gear calendar" }));
    this.days = svg("g");
    /** @type {Record<string, { gear: Gear, group: SVGGElement, riders: SVGGElement }>} */
    this.turning = {};
    for (const [name, gear] of Object.entries(gears)) {
      const riders = svg("g");
      const group = svg("g", { class: "turning" }, svg("polygon", { points: outline(gear), class: "gear" }), svg("circle", { r: 10, class: "axle" }), riders);
      this.turning[name] = { gear, group, riders };
    }
    this.marks = svg("g");
    this.loose = svg("g");
    this.root = drawing(
      "0 0 1000 1000",
      "The gears",
      this.calendar,
      svg("circle", { cx: calendar.x, cy: calendar.y, r: 172, class: "sun" }),
      this.days,
      Object.values(this.turning).map(({ group }) => group),
      Object.entries(gears).map(([name, gear]) => [gearFace(name, gear, scenery), label(gear.x, gear.y - 24, inWords(name), { "font-size": 19, class: "gear-name" })]),
      this.loose,
      this.marks,
    );
  }

  /** @param {TzolkinScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const { calendar } = this.scenery.board;
    const turned = scene.board.day - 1;
    turn(this.calendar, calendar, (-360 / calendar.teeth) * turned);
    for (const [name, { gear, group, riders }] of Object.entries(this.turning)) {
      const part = 360 / gear.teeth;
      turn(group, gear, part * turned);
      riders.replaceChildren(...this.riders(scene, name, gear, part, turned));
    }
    this.drawDays(scene, calendar);
    this.drawLoose(scene);
    this.marks.replaceChildren(
      ...[...changed]
        .map((id) => this.scenery.places[id])
        .filter((place) => !isCard(place))
        .map((place) => ring(place, { class: "changed" })),
    );
  }

  /**
   * Draw the workers of a gear in its own, turning, frame: on the tooth where they were put.
   *
   * @param {TzolkinScene} scene
   * @param {string} name
   * @param {Gear} gear
   * @param {number} part
   * @param {number} turned
   */
  riders(scene, name, gear, part, turned) {
    return Array.from({ length: gear.teeth }, (_, space) => space).flatMap((space) =>
      (scene.at[`${name}.${space}`] || []).map((token) => {
        const [x, y] = around(0, 0, gear.radius * 0.72, gear.first + part * (space - turned));
        return worker(x, y, token, -part * turned);
      }),
    );
  }

  /** @param {TzolkinScene} scene @param {Gear} calendar */
  drawDays(scene, calendar) {
    const { day, corn_on_teeth: corn, skulls_in_bank: skulls, start_player: start } = scene.board;
    const days = Array.from({ length: 27 }, (_, index) => {
      const number = index + 1;
      const [x, y] = around(calendar.x, calendar.y, 152, -90 + (number - 1) * (360 / 27));
      const food = this.scenery.board.food_days.includes(number);
      return [
        svg("circle", { cx: x, cy: y, r: 15, class: `day${food ? " food" : ""}${number === day ? " today" : ""}${number < day ? " past" : ""}` }),
        label(x, y, number, { "font-size": 14, class: number === day ? "today-text" : "day-text" }),
      ];
    });
    const { x, y } = calendar;
    this.days.replaceChildren(
      ...days.flat(),
      label(x, y - 92, scene.phase, { "font-size": 24, class: "on-sun" }),
      label(x, y - 58, `Day ${day}`, { "font-size": 34, class: "on-sun" }),
      label(x, y - 22, `${corn} corn on the teeth`, { "font-size": 19, class: "on-sun" }),
      label(x, y + 4, `${skulls} skulls in the bank`, { "font-size": 19, class: "on-sun" }),
      label(x, y + 32, "start player", { "font-size": 17, class: "on-sun" }),
      svg("circle", { cx: x, cy: y + 54, r: 9, class: `piece p${start}` }),
      svg("circle", { cx: x, cy: y + 110, r: 24, class: "seat" }),
    );
  }

  /** @param {TzolkinScene} scene */
  drawLoose(scene) {
    const { places } = this.scenery;
    const loose = (scene.at.start || []).map((token) => worker(places.start.x, places.start.y, token));
    for (const [id, place] of Object.entries(places)) {
      if (place.kind === "jungle") {
        const counts = Object.fromEntries((scene.at[id] || []).map((token) => [token.kind, token.count]));
        loose.push(this.jungle(place, counts));
      }
    }
    for (const action of scene.board.skulls_at_chichen_itza) {
      const gear = this.turning.chichen_itza.gear;
      const [x, y] = around(gear.x, gear.y, gear.radius + 42, gear.first + (360 / gear.teeth) * action);
      loose.push(svg("circle", { cx: x, cy: y, r: 22, class: "skull-mark" }), label(x, y, "\u2620", { "font-size": 26 }));
    }
    this.loose.replaceChildren(...loose);
  }

  /** @param {Place} place @param {Record<string, number | undefined>} counts */
  jungle(place, counts) {
    /** @param {string} kind @param {number} index @param {number} dx */
    const tile = (kind, index, dx) => svg("rect", { x: place.x + dx - 9, y: place.y - 8 - index * 6, width: 18, height: 18, rx: 3, class: `harvest ${kind}` });
    return svg(
      "g",
      {},
      svg("title", {}, `${place.label}: ${counts["corn tile"] || 0} corn tiles, ${counts["wood tile"] || 0} wood tiles`),
      svg("ellipse", { cx: place.x, cy: place.y, rx: 30, ry: 24, class: "jungle" }),
      Array.from({ length: counts["wood tile"] || 0 }, (_, index) => tile("wood", index, 11)),
      Array.from({ length: counts["corn tile"] || 0 }, (_, index) => tile("corn", index, -11)),
    );
  }
}

class Tables {
  /** @param {GameReplay<Printed>} replay */
  constructor(replay) {
    this.replay = replay;
    this.moving = svg("g");
    this.root = drawing("1010 0 680 1000", "Temples, technologies and cards", this.temples(), this.techs(), this.headings(), this.moving);
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
          svg("rect", { x: x - 40 + inset / 2, y: y - 20, width: 180 - inset, height: 40, rx: 3, class: step === 1 ? "step begin" : "step" }),
          label(x + 118 - inset / 2, y, vp, { "font-size": 19, class: "vp" }),
          good ? svg("rect", { x: x + 82 - inset / 2, y: y - 8, width: 16, height: 16, rx: 2, class: `block ${good}` }) : null,
        ];
      });
      const bonus = `${name} \u00b7 best ${board.temple_bonus[0][index]}, then ${board.temple_bonus[1][index]}`;
      return [drawn, label(1120 + 190 * index, 440, bonus, { "font-size": 12 })];
    });
  }

  techs() {
    return TECHS.map((tech, row) => [
      label(1110, 490 + 34 * row, inWords(tech), { "font-size": 18 }),
      [0, 1, 2, 3].map((level) => [
        svg("rect", { x: 1200 + 115 * level, y: 475 + 34 * row, width: 110, height: 30, rx: 4, class: "step" }),
        label(1214 + 115 * level, 490 + 34 * row, level || "\u2013", { "font-size": 14, class: "faint" }),
      ]),
    ]);
  }

  headings() {
    return [label(1055, 637, "Buildings", { "font-size": 18, class: "faint" }), label(1063, 824, "Monuments", { "font-size": 18, class: "faint" })];
  }

  /** @param {TzolkinScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const { places, board } = this.replay.scenery;
    const cards = Object.entries(scene.at).flatMap(([id, here]) => {
      const place = places[id];
      if (!isCard(place)) return [];
      const [{ face = "" }] = here;
      return [
        at(place.x, place.y, card(face, board.tiles[face], 104, 150)),
        changed.has(id) ? ring(place, { class: "changed" }) : null,
      ];
    });
    const piles = Object.entries(scene.piles).filter(([, pile]) => pile.count);
    const stacks = label(1560, 637, piles.map(([name, pile]) => `${name}: ${pile.count} to come`).join(", "), { "font-size": 15, class: "faint" });
    this.moving.replaceChildren(...this.markers(scene), ...cards.filter((drawn) => drawn !== null), stacks);
  }

  /** @param {TzolkinScene} scene */
  markers(scene) {
    return scene.players.flatMap((player, index) => [
      ...TEMPLES.map((temple) => {
        const [x, y] = this.place(temple, player.tracks[temple]);
        return svg("circle", { cx: x - 14 + 22 * index + player.tracks[temple] * 2, cy: y, r: 10, class: `piece p${index}` });
      }),
      ...TECHS.map((tech, row) => svg("circle", { cx: 1238 + 115 * player.tracks[tech] + 18 * index, cy: 490 + 34 * row, r: 8, class: `piece p${index}` })),
    ]);
  }
}

/**
 * Draw what a player has built and kept, and the tiles that it alone knows.
 *
 * @param {GameReplay<Printed>} replay
 * @param {number} index
 * @param {GamePlayer<Own>} player
 * @param {string[]} offered
 */
function holdings(replay, index, player, offered) {
  const { tiles } = replay.scenery.board;
  const shown = [...player.own.buildings, ...player.own.monuments, ...offered];
  if (!shown.length) return null;
  /** @param {string} id @param {number} place */
  const face = (id, place) => (offered.length ? { ...tiles[id], category: `tile ${place + 1}` } : tiles[id]); // as answers name them
  return html(
    "figure",
    { class: `holdings p${index}` },
    html("figcaption", {}, html("span", { class: "dot" }), html("bdi", {}, nameOf(replay, replay.first, index)), offered.length ? " was offered" : " has built"),
    svg(
      "svg",
      { viewBox: `0 0 ${110 * Math.max(4, shown.length)} 152`, role: "img", "aria-label": shown.map((id) => tiles[id].effects.join(", ")).join("; ") },
      shown.map((id, place) => at(55 + 110 * place, 76, card(id, face(id, place), 104, 150))),
    ),
  );
}

/** @type {CreateBoard<GameReplay<Printed>, TzolkinScene>} */
export function createBoard(root, replay) {
  const gears = new Gears(replay.scenery);
  const tables = new Tables(replay);
  const hands = html("div", { class: "hands" });
  const hand = kept((index, /** @type {GamePlayer<Own>} */ player, /** @type {string[]} */ offered) => holdings(replay, index, player, offered));
  root.replaceChildren(gears.root, tables.root, hands);
  return {
    outline(id, attributes) {
      const place = replay.scenery.places[id];
      return [isCard(place) ? tables.root : gears.root, ring(place, attributes)];
    },
    draw(scene, before, changed, step) {
      const turned = before && before.board.day !== scene.board.day; // then every worker stands on another space
      gears.draw(scene, turned ? new Set(step ? step.places : []) : changed);
      tables.draw(scene, changed);
      const drafts = scene.question !== null && scene.question.kind === "Draft"; // there are tiles to choose from
      hands.classList.toggle("first", drafts);
      update(hands, scene.players.map((player, index) => hand(index, player, (drafts && scene.known[index].offered) || NOTHING)));
    },
  };
}
