// The score sheet: what the points of each player were given for, as a table, and as a course of the match.

import { html } from "./elements.js";
import { nameOf, number } from "./panel.js";

/** @import { Course, Replay, Scene } from "../viewer" */

/** Return the sources of a scene, those with most points first. @param {Scene} scene */
function sourcesOf(scene) {
  const sheets = scene.sources ?? [];
  /** @param {string} source */
  const weight = (source) => Math.max(...sheets.map((sheet) => Math.abs(sheet[source] ?? 0)));
  const names = new Set(sheets.flatMap((sheet) => Object.keys(sheet)));
  return [...names].sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1));
}

/**
 * Make a table with a column for each player; sources have the marks of their areas.
 *
 * @param {Replay} replay
 * @param {Scene} scene
 * @param {Scene} last the last one known: its sources keep their order and colours
 */
export function sheet(replay, scene, last) {
  const sheets = scene.sources;
  if (!sheets) return [html("p", {}, "This shows where points came from once the match is over.")];
  /** @param {string} kind @param {string} name @param {(number | string)[]} values */
  const row = (kind, name, values) =>
    html(
      "tr",
      {},
      html("th", { scope: "row", class: kind }, kind ? html("span", { class: "dot" }) : null, name),
      values.map((value) => html("td", {}, value)),
    );
  const names = scene.players.map((_, player) => html("bdi", {}, nameOf(replay, scene, player)));
  const scores = scene.players.map(({ score }) => number(score));
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
          html("th", { scope: "col" }, "points for"),
          names.map((name) => html("th", { scope: "col" }, name)),
        ),
      ),
      html(
        "tbody",
        {},
        sourcesOf(last).map((name, index) =>
          row(
            areaOf(index),
            name,
            sheets.map((own) => (name in own ? number(own[name]) : "")),
          ),
        ),
        row("", "in all", scores),
      ),
    ),
  ];
}

/** Return the class of an area, by its place among the sources. @param {number} index */
export function areaOf(index) {
  return `a${index % 8}`;
}

/**
 * Return the points of each player by source as courses, drawn as areas on top of each other.
 *
 * @param {Replay} replay
 * @param {Scene[]} scenes
 * @returns {Course[]}
 */
export function sheetCourses(replay, scenes) {
  const areas = sourcesOf(scenes[scenes.length - 1]);
  if (!areas.length || !scenes.every((scene) => scene.sources)) return [];
  return scenes[0].players.map((_, player) => ({
    name: `points of ${nameOf(replay, scenes[0], player)} (player ${player + 1})`,
    range: null,
    areas,
    rows: () => scenes.map((scene) => areas.map((source) => scene.sources?.[player]?.[source] ?? 0)),
  }));
}
