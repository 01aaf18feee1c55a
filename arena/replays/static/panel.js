// What lies in front of the players: points, stock and tracks, with what the last step changed.

import { html, inWords, write } from "./elements.js";
import { kept, layer } from "./layers.js";

/** @import { PlayerScene, Replay, Scene, Seat } from "../viewer" */

const DECIDES = "to decide";
/** The version of every person. */
const PERSON = "person";

/** Write a number with at most two decimals, and a true minus. @param {number} value */
export function number(value) {
  return String(Number(value.toFixed(2))).replace("-", "\u2212");
}

/** @param {string} name @param {number} value @param {number} difference from the value before */
function amount(name, value, difference) {
  const sign = difference > 0 ? "+" : "\u2212";
  return html(
    "li",
    { class: difference ? "amount changed" : value ? "amount" : "amount none" },
    html("span", { class: "what" }, inWords(name)),
    html("b", {}, number(value)),
    difference ? html("i", {}, sign + number(Math.abs(difference))) : null,
  );
}

/** @param {string} kind @param {Record<string, number>} now @param {Record<string, number> | null} before */
function amounts(kind, now, before) {
  return Object.entries(now).map(([name, value]) =>
    kept(`${kind} ${name}`, amount, name, value, before ? value - (before[name] ?? value) : 0),
  );
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
  if (!seat) return scene.players[player].name;
  return seat.version === PERSON ? seat.bot : `${seat.bot} ${seat.version}`;
}

/** The card of a player. */
class PlayerCard {
  /** @param {number} index @param {string} name */
  constructor(index, name) {
    this.score = html("span", { class: "score" });
    this.now = html("em", {});
    const list = html("ul", { class: "amounts" });
    this.showAmounts = layer(list);
    this.root = html(
      "section",
      { class: `player p${index}` },
      html("h3", {}, html("span", { class: "dot" }), html("bdi", { class: "name" }, name), this.now, this.score),
      list,
    );
  }

  /**
   * @param {PlayerScene} player
   * @param {PlayerScene | null} earlier
   * @param {string} now what it has to do, or how it ended
   */
  draw(player, earlier, now) {
    this.root.classList.toggle("asked", now === DECIDES);
    write(this.score, number(player.score));
    write(this.now, now);
    this.showAmounts([
      ...amounts("stock", player.stock, earlier && earlier.stock),
      ...amounts("track", player.tracks, earlier && earlier.tracks),
    ]);
  }
}

/**
 * Return what fills an element with a card for each player, given a scene and the one before.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @returns {(scene: Scene, before: Scene | null) => void}
 */
export function createPlayers(root, replay) {
  const cards = replay.first.players.map((_, index) => new PlayerCard(index, nameOf(replay, replay.first, index)));
  root.replaceChildren(...cards.map((card) => card.root));
  return (scene, before) => {
    /** @param {number} index */
    const now = (index) => {
      if (scene.question) return scene.question.seats.includes(index) ? DECIDES : "";
      return replay.seats[index] ? ending(replay.seats[index]) : "";
    };
    scene.players.forEach((player, index) => cards[index].draw(player, before && before.players[index], now(index)));
  };
}
