// The score sheet: where the points of each player came from.

import { html } from "./elements.js";
import { nameOf } from "./panel.js";

/** @import { Replay } from "../viewer" */

/** Make a table with a column for each player, the sources with most points first. @param {Replay} replay */
export function sheet(replay) {
  const sources = replay.sources.map((list) => new Map(list.map(({ source, points }) => [source, points])));
  if (!sources.length) return [html("p", {}, "The match is not over.")];
  /** @param {string} name */
  const weight = (name) => Math.max(...sources.map((own) => Math.abs(own.get(name) ?? 0)));
  const names = [...new Set(sources.flatMap((own) => [...own.keys()]))].sort((a, b) => weight(b) - weight(a));
  /** @param {Map<string, number>} own */
  const total = (own) => [...own.values()].reduce((sum, points) => sum + points, 0);
  return [
    html(
      "table",
      {},
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col" }, "source"),
          sources.map((_, player) =>
            html("th", { scope: "col" }, html("bdi", {}, nameOf(replay, replay.first, player))),
          ),
        ),
      ),
      html(
        "tbody",
        {},
        names.map((name) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, name),
            sources.map((own) => html("td", {}, own.get(name) ?? "")),
          ),
        ),
        html(
          "tr",
          {},
          html("th", { scope: "row" }, "in all"),
          sources.map((own) => html("td", {}, total(own))),
        ),
      ),
    ),
  ];
}
