// The board of Ahau: the map with cities, links, sites and regions, temples, the Might track, the calendar, the offer,
// and the pyramids of all players.

import { drawing, html, inWords, label, paragraph, svg, write } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";

/** @import { Board, Building, Known, Own, Printed } from "./scene" */
/** @import { Place, Token } from "../../../../arena/replays/document" */
/** @import { Attributes, CreateBoard, GamePlayer, GameReplay, GameScene, GameScenery } from "../../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, Own, Known>} AhauScene */

/** @type {Record<string, string>} */
const GODS = {
  chief: "M-7,6 L-7,-2 L-3,2 L0,-6 L3,2 L7,-2 L7,6 Z",
  rain: "M0,-8 C5,-1 6,2 5,4 C4,8 -4,8 -5,4 C-6,2 -5,-1 0,-8 Z",
  trade: "M-7,-2 L2,-2 L2,-6 L8,0 L2,6 L2,2 L-7,2 Z",
  sun: "M0,-8 L2,-3 L7,-5 L4,0 L8,3 L3,3 L2,8 L-1,4 L-6,6 L-4,1 L-8,-2 L-3,-3 Z",
  jaguar: "M-6,-7 L-3,-4 L3,-4 L6,-7 L7,0 L3,6 L0,8 L-3,6 L-7,0 Z",
};

/**
 * Draw a god's sign, about 16 units wide.
 *
 * @param {string} god
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function sign(god, x, y, size = 1) {
  return svg("path", { d: GODS[god], transform: `translate(${x} ${y}) scale(${size})`, class: "god" });
}

/**
 * Draw a pyramid tile, "blue rain 17"; `paint` is what a wild one counts as.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} face
 * @param {string} paint
 * @param {number} size
 */
function pyramidTile(x, y, face, paint = "", size = 42) {
  const [colour, god] = face.split(" ");
  return svg(
    "g",
    {},
    svg("title", {}, colour === "wild" && paint ? `${face}, as ${paint}` : face),
    svg("rect", {
      x: x - size / 2,
      y: y - size / 2,
      width: size,
      height: size,
      rx: 4,
      class: `tile ${paint || colour}`,
    }),
    colour === "wild" ? svg("circle", { cx: x, cy: y, r: size * 0.36, class: "wild-mark" }) : null,
    sign(god, x, y, size / 28),
  );
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} id
 * @param {Record<string, Building>} buildings
 * @param {number} wide
 * @param {number} high
 * @param {number} size of the letters
 */
function buildingCard(x, y, id, buildings, wide = 104, high = 64, size = 17) {
  const { label: name, cost } = buildings[id];
  return svg(
    "g",
    {},
    svg("title", {}, `${name}: ${cost.join(", ")}`),
    svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5, class: "building" }),
    paragraph(x, y - high / 2 + 0.72 * size, wide, size, name, { class: "dark" }),
    cost.map((colour, index) =>
      svg("circle", {
        cx: x + (index - (cost.length - 1) / 2) * 15,
        cy: y + high / 2 - 11,
        r: 6,
        class: `tile ${colour}`,
      }),
    ),
  );
}

/** @param {number} x @param {number} y @param {Token} token */
function figure(x, y, token) {
  const lying = token.kind === "lying worker";
  return svg(
    "g",
    { transform: `translate(${x} ${y})${lying ? " rotate(90)" : ""}` },
    svg("path", { d: "M-8,9 Q-8,-1 0,-1 Q8,-1 8,9 Z", class: `piece p${token.player}` }),
    svg("circle", { cx: 0, cy: -6, r: 5.5, class: `piece p${token.player}` }),
  );
}

/**
 * Draw the workers in a city in a row: a figure for each player, with their number.
 *
 * @param {Place} place
 * @param {Token[]} here
 */
function people(place, here) {
  return here.map((token, index) => {
    const { kind, count = 1 } = token;
    const x = place.x + (index - (here.length - 1) / 2) * 25;
    return svg(
      "g",
      {},
      svg("title", {}, `${count} ${kind}`),
      figure(x, place.y + 12, token),
      count > 1 ? label(x, place.y + 30, count, { "font-size": 14, class: "dark strong" }) : null,
    );
  });
}

/** @param {number} x @param {number} y @param {Token} token */
function ruler(x, y, token) {
  const crown = "M-13,16 L-9,-6 L-15,-16 L-5,-10 L0,-20 L5,-10 L15,-16 L9,-6 L13,16 Z";
  return svg(
    "g",
    {},
    svg("title", {}, "ruler"),
    svg("path", { transform: `translate(${x} ${y})`, d: crown, class: `piece p${token.player}` }),
  );
}

/** Draw what lies at a place. @param {Place} place @param {Token[]} here @param {Record<string, Building>} buildings */
function pieces(place, here, buildings) {
  return svg("g", {}, drawnAt(place, here, buildings));
}

/** @param {Place} place @param {Token[]} here @param {Record<string, Building>} buildings */
function drawnAt(place, here, buildings) {
  const { kind, x, y } = place;
  const { face = "", player } = here[0];
  if (kind === "city") return people(place, here);
  if (kind === "site")
    return svg("rect", { x: x - 13, y: y - 13, width: 26, height: 26, rx: 4, class: `tile ${face}` });
  if (kind === "tile") return pyramidTile(x, y, face);
  if (kind === "rulers") return here.map((token, index) => ruler(x + (index - (here.length - 1) / 2) * 34, y, token));
  if (kind === "temple") return svg("circle", { cx: x, cy: y, r: 15, class: `piece p${player}` });
  if (kind === "offer") return buildingCard(x, y, face, buildings);
  if (kind === "calendar")
    return here.map((token, index) =>
      svg("rect", { x: x - 13, y: y - 13 - 5 * index, width: 26, height: 26, rx: 4, class: `tile ${token.face}` }),
    );
  return here.map((token, index) =>
    token.kind === "building"
      ? buildingCard(x, y + 12, token.face ?? "", buildings)
      : svg("circle", { cx: x - 12 + 24 * index, cy: y, r: 9, class: `tile ${token.face}` }),
  );
}

/** Whether a place lies on the map. @param {Place} place */
function isOnMap(place) {
  return place.x < 1000;
}

/**
 * List what lies on one side of the board: the map or the tables.
 *
 * @param {GameScenery<Printed>} scenery
 * @param {AhauScene} scene
 * @param {boolean} onMap
 */
function lying({ places, board }, scene, onMap) {
  return Object.entries(scene.at)
    .filter(([id, here]) => here.length && isOnMap(places[id]) === onMap)
    .map(([id, here]) => kept(id, pieces, places[id], here, board.buildings));
}

/**
 * List the marks of what changed on one side of the board.
 *
 * @param {GameScenery<Printed>} scenery
 * @param {Set<string>} changed
 * @param {boolean} onMap
 */
function marks({ places }, changed, onMap) {
  return [...changed]
    .filter((id) => isOnMap(places[id]) === onMap)
    .map((id) => kept(`changed ${id}`, mark, places[id]));
}

/** @param {Place} place */
function mark(place) {
  return ring(place, { class: "changed" });
}

/** Make a shape around a place. @param {Place} place @param {Attributes} attributes */
function ring({ kind, x, y }, attributes) {
  if (kind === "tile") return svg("rect", { x: x - 24, y: y - 24, width: 48, height: 48, rx: 6, ...attributes });
  if (kind === "offer") return svg("rect", { x: x - 52, y: y - 34, width: 104, height: 68, rx: 7, ...attributes });
  return svg("circle", {
    cx: x,
    cy: y,
    r: kind === "city" ? 48 : kind === "temple" || kind === "calendar" ? 24 : 28,
    ...attributes,
  });
}

class Land {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    this.scenery = scenery;
    const { places, board } = scenery;
    const moving = svg("g");
    this.show = layer(moving);
    const regions = Object.entries(board.regions).map(([region, cities]) => this.region(region, cities));
    const links = Object.values(board.links).map(([from, to]) =>
      svg("line", { x1: places[from].x, y1: places[from].y, x2: places[to].x, y2: places[to].y, class: "road" }),
    );
    const sites = Object.keys(board.links).map((id) =>
      svg("rect", { x: places[id].x - 13, y: places[id].y - 13, width: 26, height: 26, rx: 13, class: "site-space" }),
    );
    const cities = Object.entries(board.city_gods).map(([id, god]) => [
      svg("circle", { cx: places[id].x, cy: places[id].y, r: 46, class: "city" }),
      sign(god, places[id].x, places[id].y - 24, 1.1),
      label(places[id].x, places[id].y + 58, inWords(id), { "font-size": 19, class: "strong halo" }),
    ]);
    this.root = drawing("40 -10 940 1065", "The map of Ahau", regions, links, sites, cities, moving);
  }

  /**
   * Draw the ground of a region: the hull of its cities around its middle.
   *
   * @param {string} region
   * @param {string[]} cities
   */
  region(region, cities) {
    const { places } = this.scenery;
    const middle = places[`region.${region}.left`];
    const corners = cities
      .map((id) => places[id])
      .sort(
        (one, other) =>
          Math.atan2(one.y - middle.y, one.x - middle.x) - Math.atan2(other.y - middle.y, other.x - middle.x),
      );
    const [x, y] = [middle.x + 30, middle.y + 12];
    return [
      svg("polygon", {
        points: corners.map((corner) => `${corner.x},${corner.y}`).join(" "),
        class: `region r${region}`,
      }),
      label(x, y - 12, region, { "font-size": 22, class: "region-number" }),
    ];
  }

  /** @param {AhauScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    this.show([...lying(this.scenery, scene, true), ...marks(this.scenery, changed, true)]);
  }
}

class Tables {
  /** @param {GameScenery<Printed>} scenery */
  constructor(scenery) {
    this.scenery = scenery;
    const moving = svg("g");
    this.show = layer(moving);
    this.root = drawing(
      "1040 40 470 1010",
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
      const { y } = places[`temple.${god}.0`];
      return [
        svg("g", { class: "of-row" }, sign(god, 1070, y, 1.5)),
        label(1100, y - 34, `${inWords(god)}: ${board.scoring[god]}`, { "font-size": 17, "text-anchor": "start" }),
        board.marker_fame.map((fame, space) => [
          svg("circle", { cx: 1120 + 50 * space, cy: y, r: 20, class: "space" }),
          label(1120 + 50 * space, y, fame || "", { "font-size": 16, class: "faint" }),
        ]),
      ];
    });
  }

  might() {
    const { steps } = this.scenery.tracks.might;
    return [
      label(1430, 66, "Might", { "font-size": 17 }),
      steps.map((step, index) => [
        svg("rect", { x: 1382, y: this.step(index) - 25, width: 122, height: 48, rx: 4, class: "step" }),
        label(1443, this.step(index) + 11, step ? `${index}: ${step}` : index, { "font-size": 16, class: "faint" }),
      ]),
    ];
  }

  /** @param {number} index */
  step(index) {
    return 610 - 51 * index;
  }

  rest() {
    const { places } = this.scenery;
    const spaces = Object.entries(places).filter(([, place]) => place.kind === "calendar" || place.kind === "offer");
    return [
      label(1100, 700, "Offer", { "font-size": 17 }),
      label(1110, 850, "Calendar", { "font-size": 17 }),
      spaces.map(([, { kind, x, y }]) =>
        kind === "offer"
          ? svg("rect", { x: x - 50, y: y - 32, width: 100, height: 64, rx: 5, class: "space" })
          : svg("circle", { cx: x, cy: y, r: 19, class: "space" }),
      ),
    ];
  }

  /** @param {AhauScene} scene @param {Set<string>} changed */
  draw(scene, changed) {
    const piles = Object.entries(scene.piles)
      .filter(([, pile]) => pile.count)
      .map(([name, pile]) => `${inWords(name)} ${pile.count}`);
    this.show([
      ...lying(this.scenery, scene, false),
      ...this.markers(scene),
      ...marks(this.scenery, changed, false),
      kept("piles", stock, piles.join(", ")),
    ]);
  }

  /** List the markers of Might; those on one step stand side by side. @param {AhauScene} scene */
  markers(scene) {
    /** @type {Record<number, number>} */
    const stacked = {};
    return scene.board.might.map((player) => {
      const step = scene.players[player].tracks.might;
      stacked[step] = (stacked[step] || 0) + 1;
      return kept(`might ${player}`, marker, 1376 + 21 * stacked[step], this.step(step) - 11, player);
    });
  }
}

/** @param {number} x @param {number} y @param {number} player */
function marker(x, y, player) {
  return svg("circle", { cx: x, cy: y, r: 10, class: `piece p${player}` });
}

/** @param {string} piles */
function stock(piles) {
  return label(1275, 1035, `Left: ${piles}`, { "font-size": 17, class: "faint" });
}

/**
 * Draw a space of a pyramid: the tile and what a wild one counts as, or the reward for building there.
 *
 * @param {number} level
 * @param {number} position
 * @param {string[] | undefined} built
 * @param {string} reward
 */
function pyramidSpace(level, position, built, reward) {
  const [x, y] = [30 + 52 * position + 26 * (level - 1), 190 - 52 * (level - 1)];
  if (built) return pyramidTile(x, y, built[0], built[1], 48);
  return svg(
    "g",
    {},
    svg("rect", { x: x - 24, y: y - 24, width: 48, height: 48, rx: 4, class: "space" }),
    paragraph(x, y - 6, 46, 11, reward, { class: "faint" }),
  );
}

/**
 * @param {number} place
 * @param {string | null} id of the building, if there is one
 * @param {string} reward
 * @param {Record<string, Building>} buildings
 */
function buildingSpace(place, id, reward, buildings) {
  const [x, y] = [290, 24 + 42 * place];
  if (id) return buildingCard(x, y, id, buildings, 124, 40, 14);
  return svg(
    "g",
    {},
    svg("rect", { x: x - 62, y: y - 19, width: 124, height: 38, rx: 5, class: "space" }),
    label(x, y, reward, { "font-size": 14, class: "faint" }),
  );
}

/** @param {number} place @param {string} face */
function reserveTile(place, face) {
  return pyramidTile(18 + 30 * (place % 12), 240 + 30 * Math.floor(place / 12), face, undefined, 27);
}

/** The pyramid, buildings, cards and tiles of a player. */
class Estate {
  /** @param {GameReplay<Printed>} replay @param {number} index */
  constructor(replay, index) {
    this.printed = replay.scenery.board;
    this.board = index < replay.seats.length ? 0 : this.printed.pyramid_rewards.length - 1;
    this.drawing = svg("svg", { role: "img", "aria-label": "pyramid, buildings and reserve" });
    this.show = layer(this.drawing);
    this.cards = html("p", {});
    this.root = html(
      "figure",
      { class: `estate p${index}` },
      html("figcaption", {}, html("span", { class: "dot" }), html("bdi", {}, nameOf(replay, replay.first, index))),
      this.drawing,
      this.cards,
    );
  }

  /** @param {GamePlayer<Own>} player @param {Known | undefined} known */
  draw(player, known) {
    const { spaces, pyramid_rewards: pyramids, building_rewards: rewards, buildings } = this.printed;
    const { own } = player;
    this.drawing.setAttribute("viewBox", `0 0 362 ${258 + 30 * Math.max(0, Math.ceil(own.reserve.length / 12) - 1)}`);
    this.show([
      ...spaces.map(([level, position], space) =>
        kept(`pyramid ${space}`, pyramidSpace, level, position, own.pyramid[space], pyramids[this.board][space]),
      ),
      ...own.buildings.map((id, place) =>
        kept(`building ${place}`, buildingSpace, place, id, rewards[this.board][place], buildings),
      ),
      ...own.reserve.map((face, place) => kept(`reserve ${place}`, reserveTile, place, face)),
    ]);
    write(this.cards, cards(player, known));
  }
}

/** @param {GamePlayer<Own>} player @param {Known | undefined} known */
function cards(player, known) {
  /** @param {string[]} list */
  const words = (list) => list.map(inWords).join(", ");
  const parts = [];
  const [left, right] = player.own.cards;
  if (left && right) parts.push(`plays ${inWords(left)} and ${inWords(right)}`);
  if (known && known.selected && known.selected.length) parts.push(`has selected ${words(known.selected)}`);
  if (known && known.role) parts.push(`role ${inWords(known.role)}`);
  if (player.own.discarded.length) parts.push(`discarded ${words(player.own.discarded)}`);
  return parts.join("; ");
}

/** @type {CreateBoard<GameReplay<Printed>, AhauScene>} */
export function createBoard(root, replay) {
  const map = new Land(replay.scenery);
  const tables = new Tables(replay.scenery);
  const estates = replay.first.players.map((_, index) => new Estate(replay, index));
  root.replaceChildren(
    map.root,
    tables.root,
    html(
      "div",
      { class: "estates" },
      estates.map((estate) => estate.root),
    ),
  );
  return {
    outline(id, attributes) {
      const place = replay.scenery.places[id];
      return [(isOnMap(place) ? map : tables).root, ring(place, attributes)];
    },
    draw(scene, before, changed) {
      map.draw(scene, changed);
      tables.draw(scene, changed);
      scene.players.forEach((player, index) => estates[index].draw(player, scene.known[index]));
    },
  };
}
