// What lies in front of the players: points, stock and tracks, with what the last step changed.

import { html, inWords, kept, update } from "./elements.js";

/** @import { PlayerScene, Replay, Scene, Seat } from "../viewer" */

const DECIDES = "to decide";

/** @param {number} value */
function number(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(2).replace(/0$/, "");
}

/** @param {string} name @param {number} value @param {number | null | undefined} before */
function amount(name, value, before) {
  const difference = before === null || before === undefined ? 0 : value - before;
  const sign = difference > 0 ? "+" : "\u2212";
  return html(
    "li",
    { class: difference ? "amount changed" : value ? "amount" : "amount none" },
    html("span", { class: "what" }, inWords(name)),
    html("b", {}, number(value)),
    difference ? html("i", {}, sign + number(Math.abs(difference))) : null,
  );
}

/** @param {Record<string, number>} now @param {Record<string, number> | null} before */
function amounts(now, before) {
  return Object.entries(now).map(([name, value]) => amount(name, value, before && before[name]));
}

/** @param {Seat} seat */
function ending(seat) {
  if (!seat.placement) return "";
  if (seat.termination === "OK") return `place ${seat.placement}`;
  const why = seat.termination.toLowerCase().replaceAll("_", " ");
  return `place ${seat.placement}, ${why}${seat.detail ? `: ${seat.detail}` : ""}`;
}

/**
 * Return the name of a player: of the bot in its seat, or of a player without one.
 *
 * @param {Pick<Replay, "seats">} replay
 * @param {{ players: { name: string }[] }} scene
 * @param {number} player
 */
export function nameOf(replay, scene, player) {
  const seat = replay.seats[player];
  return seat ? `${seat.bot} ${seat.version}` : scene.players[player].name;
}

/**
 * Make the card of a player.
 *
 * @param {Seat | undefined} seat of its bot, if it has one
 * @param {number} index
 * @param {PlayerScene} player
 * @param {PlayerScene | null} earlier
 * @param {string} now what it has to do, or how it ended
 */
function playerCard(seat, index, player, earlier, now) {
  const asked = now === DECIDES ? " asked" : "";
  return html(
    "section",
    { class: `player p${index}${asked}` },
    html(
      "h3",
      {},
      html("span", { class: "dot" }),
      html("bdi", { class: "name" }, seat ? `${seat.bot} ${seat.version}` : player.name),
      html("output", { class: "score" }, number(player.score)),
    ),
    html("p", { class: "about" }, html("span", {}, seat ? `seat ${index}` : "no bot"), now ? html("em", {}, now) : null),
    html(
      "ul",
      { class: "amounts" },
      amounts(player.stock, earlier && earlier.stock),
      amounts(player.tracks, earlier && earlier.tracks),
    ),
  );
}

/**
 * Return what fills an element with a card for each player, given a scene and the one before.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @returns {(scene: Scene, before: Scene | null) => void}
 */
export function createPlayers(root, replay) {
  const drawn = kept((index, /** @type {PlayerScene} */ player, /** @type {PlayerScene | null} */ earlier, /** @type {string} */ now) =>
    playerCard(replay.seats[index], index, player, earlier, now),
  );
  root.replaceChildren();
  return (scene, before) => {
    /** @param {number} index */
    const now = (index) => {
      if (scene.question) return scene.question.seats.includes(index) ? DECIDES : "";
      return replay.seats[index] ? ending(replay.seats[index]) : "";
    };
    update(root, scene.players.map((player, index) => drawn(index, player, before && before.players[index], now(index))));
  };
}
