// The course of a match, such as the points of all players, with axis, noise, rounds, faults and turning points; a click seeks.

import { html, label, svg } from "./elements.js";
import { inFull } from "./log.js";
import { areaOf } from "./sheet.js";

/** @import { Course, Fault, Replay, Scene, Seek } from "../viewer" */

const WIDTH = 1000;
const HEIGHT = 120;

/** Write a number of the axis of a course. @param {Course} course @param {number} value */
function written({ isShare }, value) {
  return isShare ? `${Math.round(100 * value)} %` : String(Math.round(10 * value) / 10).replace("-", "\u2212");
}

/** Return how far a row of numbers reaches below and above 0 if they lie on top of each other. @param {(number | null)[]} row */
function extremes(row) {
  const numbers = row.map((one) => one ?? 0);
  return [0, 0].map((_, up) => numbers.reduce((sum, one) => (one > 0 === Boolean(up) ? sum + one : sum), 0));
}

/**
 * Return from where to where an area reaches that lies on those of its sign before it.
 *
 * @param {(number | null)[]} row
 * @param {number} index
 */
function edgesOf(row, index) {
  const own = row[index] ?? 0;
  const from = extremes(row.slice(0, index))[own < 0 ? 0 : 1];
  return [from, from + own];
}

/**
 * Draw the chart once; return what moves its cursor.
 *
 * @param {Element} root
 * @param {Replay} replay
 * @param {Scene[]} scenes
 * @param {Course} course
 * @param {Seek} seek
 * @returns {Seek}
 */
export function drawChart(root, replay, scenes, course, seek) {
  const rows = course.rows();
  const all = course.areas ? rows.flatMap(extremes) : rows.flat().filter((one) => one !== null);
  const [least, most] = course.range ?? [Math.min(0, ...all), Math.max(1, ...all)];
  /** @param {number} step */
  const x = (step) => (WIDTH * step) / Math.max(1, scenes.length - 1);
  /** @param {number} score */
  const y = (score) => HEIGHT - 6 - ((HEIGHT - 12) * (score - least)) / (most - least);
  const areas = (course.areas ?? []).map((name, index) => {
    const edges = rows.map((row) => edgesOf(row, index));
    const points = [...edges.map(([, to], step) => [step, to]), ...edges.map(([from], step) => [step, from]).reverse()];
    const outline = points.map(([step, value]) => `${x(step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return svg("polygon", { points: outline, class: `area ${areaOf(index)}` }, svg("title", {}, name));
  });
  const errors = course.errors?.() ?? [];
  const bands = (errors[0] ?? []).map((_, player) => {
    /** @param {1 | -1} side */
    const edge = (side) =>
      rows.flatMap((row, step) => {
        const [value, error] = [row[player], errors[step][player]];
        if (value === null || error === null) return [];
        return [`${x(step).toFixed(1)},${y(Math.max(least, Math.min(most, value + side * error))).toFixed(1)}`];
      });
    return svg("polygon", { points: [...edge(1), ...edge(-1).reverse()].join(" "), class: `noise p${player}` });
  });
  const curves = course.areas ? [] : rows[0];
  const lines = curves.map((_, player) => {
    const points = rows.flatMap((row, step) => {
      const value = row[player];
      return value === null ? [] : [`${x(step).toFixed(1)},${y(value).toFixed(1)}`];
    });
    return svg("polyline", { points: points.join(" "), class: `curve p${player}` });
  });
  const rounds = scenes.flatMap((scene, step) =>
    step && scene.round !== scenes[step - 1].round
      ? [svg("line", { x1: x(step), x2: x(step), y1: 0, y2: HEIGHT, class: "round" })]
      : [],
  );
  const faults = replay.seats.flatMap((seat) =>
    seat.vacated_at === null
      ? []
      : [label(x(seat.vacated_at), 12, "\u26a0", { class: `fault p${seat.seat}`, "font-size": 18 })],
  );
  const points = replay.turning_points.map(({ step, title }, index) => [
    svg("line", { x1: x(step), x2: x(step), y1: 0, y2: HEIGHT, class: "turning-point" }, svg("title", {}, title)),
    html("b", { class: "number", "aria-hidden": "true" }, index + 1),
  ]);
  /** @param {Fault} fault @param {number} seat @param {number} step */
  const mark = (fault, seat, step) =>
    svg(
      "g",
      {},
      svg("title", {}, inFull(fault)),
      svg("line", { x1: x(step), x2: x(step), y1: 0, y2: HEIGHT, class: `tolerated p${seat}` }),
    );
  const tolerated = [
    ...replay.seats.flatMap((seat) => seat.faults.map((fault) => mark(fault, seat.seat, 0))),
    ...replay.steps.flatMap((step, index) => step.faults.map((fault) => mark(fault, step.seat, index))),
  ];
  // as wide as the chart, so that a share of its own width moves it; on top of the drawing, which then stays as it is
  const cursor = html("div", { class: "cursor" });
  /** @type {SVGSVGElement} */
  const chart = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      class: "chart",
      role: "img",
      "aria-label": `${course.name} from ${least} to ${most} over ${scenes.length - 1} decisions`,
      onclick: (event) => {
        const box = chart.getBoundingClientRect();
        seek(Math.round(((event.clientX - box.left) / box.width) * (scenes.length - 1)));
      },
    },
    areas,
    rounds,
    points.map(([line]) => line),
    bands,
    lines,
    tolerated,
    faults,
  );
  points.forEach(([, number], index) => {
    /** @type {HTMLElement} */ (number).style.left = `${(100 * x(replay.turning_points[index].step)) / WIDTH}%`;
  });
  const axis = [most, (most + least) / 2, least].map((value) => html("span", {}, written(course, value)));
  const plot = html("div", { class: "plot" }, chart, ...points.map(([, number]) => number), cursor);
  root.replaceChildren(html("div", { class: "axis", "aria-hidden": "true" }, axis), plot);
  return (step) => {
    cursor.style.transform = `translateX(${(100 * x(step)) / WIDTH}%)`;
  };
}
