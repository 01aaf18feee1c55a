// The course of a match, such as the points of all players, with its rounds, faults and swings; a click seeks.

import { html, label, svg } from "./elements.js";
import { inFull } from "./log.js";

/** @import { Course, Fault, Replay, Scene, Seek } from "../viewer" */

const WIDTH = 1000;
const HEIGHT = 120;

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
  const all = course.rows.flat().filter((one) => one !== null);
  const [least, most] = course.range ?? [Math.min(0, ...all), Math.max(1, ...all)];
  /** @param {number} step */
  const x = (step) => (WIDTH * step) / Math.max(1, scenes.length - 1);
  /** @param {number} score */
  const y = (score) => HEIGHT - 6 - ((HEIGHT - 12) * (score - least)) / (most - least);
  const lines = course.rows[0].map((_, player) => {
    const points = course.rows.flatMap((row, step) => {
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
  const chapters = replay.chapters.map(({ step, title }) =>
    svg(
      "g",
      {},
      svg("title", {}, title),
      svg("line", { x1: x(step), x2: x(step), y1: 0, y2: HEIGHT, class: "chapter" }),
    ),
  );
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
    rounds,
    chapters,
    lines,
    tolerated,
    faults,
  );
  root.replaceChildren(chart, cursor);
  return (step) => {
    cursor.style.transform = `translateX(${(100 * x(step)) / WIDTH}%)`;
  };
}
