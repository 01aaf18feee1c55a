// The board of Ahau: the map, what lies in front of the players beside it, and the tables below.

import { html, svg } from "../../../../arena/replays/static/elements.js";
import { Estate, summaryCard } from "./estate.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { Land, isOnMap, ringOnMap } from "./land.js";
import { Tables } from "./tables.js";

/** @import { Board, Known, Own, Printed } from "./scene" */
/** @import { Step } from "../../../../arena/replays/document" */
/** @import { Attributes, CreateBoard, GameReplay, GameScene } from "../../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, Own, Known>} AhauScene */

/** The summary cards at the beginning, as long as there are any to choose from. */
class Summaries {
  /** @param {Printed} printed */
  constructor(printed) {
    this.printed = printed;
    this.root = svg("svg", { viewBox: "0 0 594 100", class: "summaries", role: "img", "aria-label": "summary cards" });
    this.show = layer(this.root);
  }

  /** @param {AhauScene} scene */
  draw(scene) {
    const { summaries } = scene.board;
    const chosen = scene.question?.kind === "PickSummary";
    this.root.classList.toggle("none", !chosen);
    this.show(
      summaries.flatMap((face, index) =>
        face && chosen ? [kept(index, summaryCard, index, face, this.printed.summary_resources[index])] : [],
      ),
    );
  }

  /** @param {number} number from 1 @param {Attributes} attributes */
  outline(number, attributes) {
    return svg("rect", { x: 5 + 118 * (number - 1), y: 5, width: 110, height: 90, rx: 9, ...attributes });
  }
}

/** @param {AhauScene} scene */
function choosesCards(scene) {
  return scene?.question?.kind === "SelectCards";
}

/** List the seats that have just decided in secret, one after the other. @param {GameReplay<Printed>} replay @param {Step | null} made */
function secretly({ steps, seats, observer }, made) {
  const last = made ? steps.indexOf(made) : -1;
  const round = steps.slice(Math.max(0, last + 1 - seats.length), last + 1).reverse();
  const end = round.findIndex(({ action, seat }) => action && seat !== observer);
  return (end < 0 ? round : round.slice(0, end)).filter(({ action }) => !action).map(({ seat }) => seat);
}

/** @type {CreateBoard<GameReplay<Printed>, AhauScene>} */
export function createBoard(root, replay) {
  const { scenery, observer } = replay;
  const map = new Land(scenery);
  const tables = new Tables(scenery);
  const summaries = new Summaries(scenery.board);
  const estates = replay.first.players.map((_, index) => new Estate(replay, index));
  const own = observer === null ? -1 : observer;
  const roots = [...estates.slice(own < 0 ? 0 : own), ...estates.slice(0, own < 0 ? 0 : own)].map(({ root }) => root);
  const isPair = roots.length === 2;
  const others = own < 0 || isPair ? [] : roots.splice(1); // of a spectator, and of two players, all are beside the map
  const kind = isPair ? "estates many pair" : roots.length > 1 ? "estates many" : "estates";
  const yards = html("div", { class: kind }, roots);
  root.replaceChildren(
    summaries.root,
    map.root,
    html("div", { class: "beside" }, ...(roots.length > 2 ? [tables.root, yards] : [yards, tables.root])),
    html("div", { class: "estates others" }, others),
  );
  root.classList.toggle("of-seat", others.length > 0);
  return {
    outline(id, attributes) {
      const place = scenery.places[id];
      if (place && isOnMap(place)) return [map.root, ringOnMap(place, attributes)];
      const [kind, number] = id.split(".");
      if (kind === "summary") return [summaries.root, summaries.outline(Number(number), attributes)];
      const ring = tables.outline(id, attributes, own);
      if (ring) return [tables.root, ring];
      const of = estates[own]?.outline(id, attributes);
      return of ? [estates[own].drawing, of] : null;
    },
    draw(scene, before, changed, step) {
      summaries.draw(scene);
      map.draw(scene, changed);
      tables.draw(scene, changed);
      const chosen = choosesCards(scene) && choosesCards(before) ? secretly(replay, step) : [];
      scene.players.forEach((player, index) => estates[index].draw(player, scene.known[index], chosen.includes(index)));
    },
  };
}
