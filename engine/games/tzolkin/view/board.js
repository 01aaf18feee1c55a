// The board of Tzolk'in: gears, and beside them temples, technologies, cards and what lies in front of the players.

import { Holdings, Market, isCard, ring } from "./cards.js";
import { html } from "../../../../arena/replays/static/elements.js";
import { Gears } from "./gears.js";
import { Tables } from "./tables.js";

/** @import { TzolkinScene } from "./gears" */
/** @import { Printed } from "./scene" */
/** @import { CreateBoard, GameReplay } from "../../../../arena/replays/viewer" */

/** @type {string[]} */
const NOTHING = [];

/** @type {CreateBoard<GameReplay<Printed>, TzolkinScene>} */
export function createBoard(root, replay) {
  const { scenery, observer } = replay;
  const gears = new Gears(scenery);
  const tables = new Tables(replay);
  const market = new Market(scenery);
  const holdings = replay.first.players.map((_, index) => new Holdings(replay, index));
  const own = observer ?? -1;
  /** @param {boolean} wanted */
  const hands = (wanted) => holdings.filter((_, index) => (index === own) === wanted).map(({ root }) => root);
  const mine = html("div", { class: "hands mine" }, hands(true));
  root.replaceChildren(
    html("div", { class: "left" }, gears.root, html("div", { class: "hands" }, hands(false))),
    html("div", { class: "beside" }, mine, tables.root, market.root),
  );
  return {
    outline(id, attributes) {
      const place = scenery.places[id];
      if (place) return [isCard(place) ? market.drawing(id) : gears.root, ring(place, attributes)];
      if (id === "calendar") return [gears.root, gears.around(attributes)];
      const shape = tables.outline(id, attributes);
      return shape ? [tables.root, shape] : (holdings[own]?.outline(id, attributes) ?? null);
    },
    draw(scene, before, changed, step) {
      const turned = before && before.board.day !== scene.board.day; // then every worker stands on another space
      gears.draw(scene, turned ? new Set(step ? step.places : []) : changed);
      tables.draw(scene);
      market.draw(scene, changed);
      const drafts = scene.question !== null && scene.question.kind === "Draft"; // there are tiles to choose from
      scene.players.forEach((player, index) =>
        holdings[index].draw(player, (drafts && scene.known[index].offered) || NOTHING),
      );
    },
  };
}
