// What lies in front of the players: points, stock and tracks, with what the last step changed.

import { html, inWords } from "./elements.js";

/** @import { Replay, Scene, Seat } from "../viewer" */

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
 * Fill an element with a card for each player.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @param {Scene} scene
 * @param {Scene | null} before
 */
export function drawPlayers(root, replay, scene, before) {
  root.replaceChildren(
    ...scene.players.map((player, index) => {
      const earlier = before && before.players[index];
      const asked = scene.question && scene.question.seats.includes(index);
      const seat = replay.seats[index];
      return html(
        "section",
        { class: `player p${index}${asked ? " asked" : ""}` },
        html(
          "h3",
          {},
          html("span", { class: "dot" }),
          html("bdi", { class: "name" }, nameOf(replay, scene, index)),
          html("output", { class: "score" }, number(player.score)),
        ),
        html(
          "p",
          { class: "about" },
          seat ? `seat ${index}` : "no bot",
          asked ? html("em", {}, "to decide") : null,
          !scene.question && seat ? html("em", {}, ending(seat)) : null,
        ),
        html(
          "ul",
          { class: "amounts" },
          amounts(player.stock, earlier && earlier.stock),
          amounts(player.tracks, earlier && earlier.tracks),
        ),
      );
    }),
  );
}
