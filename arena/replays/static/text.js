// A position in words, for screen readers and all who prefer them.

import { inWords } from "./elements.js";
import { nameOf, number } from "./panel.js";

/** @import { Replay, Scene } from "../viewer" */
/** @import { Token } from "../document" */

/** @param {unknown} value @returns {string} */
function list(value) {
  if (Array.isArray(value)) return value.map(list).join(", ") || "none";
  if (value === null) return "unknown";
  if (typeof value === "number") return number(value);
  if (typeof value === "object") {
    return (
      Object.entries(value)
        .map(([name, part]) => `${inWords(name)} ${list(part)}`)
        .join(", ") || "none"
    );
  }
  return value === true ? "yes" : value === false ? "no" : String(value);
}

/** @param {Replay} replay @param {Scene} scene @param {Token[]} here */
function tokens(replay, scene, here) {
  return here
    .map((token) => {
      const owner = token.player === undefined ? "" : ` of ${nameOf(replay, scene, token.player)}`;
      return `${token.count === undefined ? "" : `${token.count} `}${token.kind}${token.face ? ` ${token.face}` : ""}${owner}`;
    })
    .join(", ");
}

/** Describe a scene of any game, one line for each thing. @param {Replay} replay @param {Scene} scene */
export function describe(replay, scene) {
  const { places } = replay.scenery;
  const asked = scene.question ? scene.question.seats.map((seat) => nameOf(replay, scene, seat)).join(", ") : "";
  return [
    `Round ${scene.round}${scene.phase ? `, ${scene.phase}` : ""}`,
    scene.question ? `${asked}: ${scene.question.text}` : "The match is over.",
    ...scene.players.map((player, index) => {
      const { name: _, ...rest } = player;
      return `${nameOf(replay, scene, index)}: ${list(rest)}`;
    }),
    ...Object.entries(scene.at).map(
      ([place, here]) => `${places[place].label || inWords(place)}: ${tokens(replay, scene, here)}`,
    ),
    ...Object.entries(scene.piles).map(([name, pile]) => `Pile ${inWords(name)}: ${pile.count}`),
    ...scene.known.flatMap((known, seat) =>
      Object.entries(known)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${nameOf(replay, scene, seat)} alone knows ${inWords(name)}: ${list(value)}`),
    ),
    ...Object.entries(scene.board).map(([name, value]) => `${inWords(name)}: ${list(value)}`),
  ].join("\n");
}
