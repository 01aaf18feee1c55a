// The board of Maya: hexes in four areas, cities that grow face down, plantations, and the racks one may see.

import { drawing, html, inWords, label, svg } from "../../../../arena/replays/static/elements.js";
import { kept, layer } from "../../../../arena/replays/static/layers.js";
import { nameOf } from "../../../../arena/replays/static/panel.js";

/** @import { Board, City, Known, Printed } from "./scene" */
/** @import { Token } from "../../../../arena/replays/document" */
/** @import { Attributes, CreateBoard, GameReplay, GameScene } from "../../../../arena/replays/viewer" */
/** @typedef {GameScene<Board, object, Known>} MayaScene */

/** @type {Record<string, string>} */
const CROPS = {
  corn: "M0,-5 C4,-3 4,5 0,7 C-4,5 -4,-3 0,-5 Z M-1,6 C-7,4 -6,-1 -5,-3 C-3,0 -2,3 -1,6 Z",
  pepper: "M-4,-4 C-1,-6 4,-5 4,-1 C4,4 0,7 -5,7 C-1,4 -3,1 -4,-4 Z M0,-5 L2,-8 L3,-7 L1.5,-4.5 Z",
  squash: "M-1,-6 C2,-6 2,-3 2,-1 C6,0 6,7 0,7 C-6,7 -6,0 -3,-1 C-3,-4 -3,-6 -1,-6 Z",
  potato: "M-6,1 C-6,-4 0,-5 3,-4 C7,-2 7,4 3,5 C-1,7 -6,6 -6,1 Z",
};

/** @param {number} x @param {number} y @param {number} radius */
function hexagon(x, y, radius) {
  return Array.from({ length: 6 }, (_, corner) => {
    const angle = (Math.PI / 3) * (corner + 0.5);
    return `${(x + radius * Math.cos(angle)).toFixed(3)},${(y + radius * Math.sin(angle)).toFixed(3)}`;
  }).join(" ");
}

/**
 * Draw a tile of a crop, "corn:2", in the colour of its owner.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} face
 */
function crop(x, y, size, face) {
  const [name, value] = face.split(":");
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${size})` },
    svg("title", {}, `${inWords(name)} ${value}`),
    svg("path", { d: CROPS[name], class: `crop ${name}`, transform: "translate(-4 0) scale(1.15)" }),
    label(7, 0, value, { "font-size": 10, class: "value" }),
  );
}

/** @param {number} x @param {number} y @param {boolean} scored */
function pyramid(x, y, scored) {
  const points = `${x - 0.55},${y + 0.42} ${x - 0.3},${y - 0.08} ${x - 0.2},${y - 0.08} ${x - 0.2},${y - 0.38} ${x + 0.2},${y - 0.38} ${x + 0.2},${y - 0.08} ${x + 0.3},${y - 0.08} ${x + 0.55},${y + 0.42}`;
  return svg("polygon", { points, class: scored ? "temple scored" : "temple" });
}

/** @type {CreateBoard<GameReplay<Printed>, MayaScene>} */
export function createBoard(root, replay) {
  const { places, board: printed } = replay.scenery;
  const cells = Object.entries(places);
  const [xs, ys] = [cells.map(([, cell]) => cell.x), cells.map(([, cell]) => cell.y)];
  const [left, top] = [Math.min(...xs) - 1.4, Math.min(...ys) - 1.5];
  const [width, height] = [Math.max(...xs) + 1.4 - left, Math.max(...ys) + 1.5 - top];
  const ground = cells.map(([id, cell]) =>
    svg(
      "g",
      {},
      svg("title", {}, cell.label),
      svg("polygon", { points: hexagon(cell.x, cell.y, 1.12), class: `hex ${printed.areas[id] || "border"}` }),
      cell.kind === "temple" ? pyramid(cell.x, cell.y, false) : null,
      label(cell.x, cell.y + 0.68, id, { "font-size": 0.3, class: "faint" }),
    ),
  );
  const [tiles, sizes, marks] = [svg("g"), svg("g"), svg("g")];
  const map = drawing(
    [left, top, width, height].map((n) => n.toFixed(2)).join(" "),
    "The map of Maya",
    ground,
    tiles,
    sizes,
    marks,
  );
  const racks = html("div", { class: "racks" });
  root.replaceChildren(map, racks);
  const [showTiles, showSizes, showMarks, showRacks] = [tiles, sizes, marks, racks].map(layer);

  /** Make a ring around a place. @param {string} id @param {Attributes} attributes */
  function ring(id, attributes) {
    return svg("polygon", { points: hexagon(places[id].x, places[id].y, 1.1), ...attributes });
  }

  /** @param {string} id */
  const mark = (id) => ring(id, { class: "changed" });

  /** @param {string} id @param {Token} token @param {boolean} scored whether its city is */
  function tile(id, token, scored) {
    const { x, y } = places[id];
    const { player, face = "" } = token;
    if (token.kind === "plantation") {
      return svg(
        "g",
        {},
        svg("polygon", { points: hexagon(x, y, 1.0), class: `plantation p${player}` }),
        crop(x, y - 0.02, 0.068, face),
      );
    }
    const owner = player === undefined ? "nobody" : `p${player}`;
    const name = inWords(face);
    return svg(
      "g",
      {},
      svg(
        "title",
        {},
        player === undefined ? `Temple of ${name}` : `City of ${name}, laid by ${nameOf(replay, replay.first, player)}`,
      ),
      svg("polygon", { points: hexagon(x, y, 1.06), class: scored ? "city scored" : "city" }),
      token.kind === "temple"
        ? pyramid(x, y - 0.12, scored)
        : svg("circle", { cx: x, cy: y, r: 0.3, class: `piece ${owner}` }),
      token.kind === "temple"
        ? label(x, y + 0.62, name, { "font-size": Math.min(0.29, 2.7 / name.length), class: "stone-text" })
        : null,
    );
  }

  /** @param {string} temple @param {City} city */
  function size(temple, city) {
    const { x, y } = places[printed.temples[temple]];
    return svg(
      "g",
      {},
      svg("title", {}, `${inWords(temple)}: ${city.size} tiles, ${city.empty_cells_around} empty cells around`),
      svg("circle", { cx: x + 0.72, cy: y - 0.62, r: 0.36, class: city.scored ? "size scored" : "size" }),
      label(x + 0.72, y - 0.62, city.size, { "font-size": 0.38, class: "size-text" }),
    );
  }

  /** @param {Known} known @param {number} seat */
  function rack(known, seat) {
    const faces = [...(known.rack || []), ...(known.held ? [known.held] : [])];
    if (known.rack === null) return null;
    return html(
      "figure",
      { class: `rack p${seat}` },
      html(
        "figcaption",
        {},
        html("span", { class: "dot" }),
        "rack of ",
        html("bdi", {}, nameOf(replay, replay.first, seat)),
      ),
      svg(
        "svg",
        {
          viewBox: "0 0 210 30",
          role: "img",
          "aria-label": `rack: ${faces.join(", ").replaceAll(":", " ") || "empty"}`,
        },
        faces.map((face, index) => [
          svg("rect", {
            x: 30 * index + 1,
            y: 1,
            width: 27,
            height: 28,
            rx: 4,
            class: index < (known.rack || []).length ? "rack-tile" : "rack-tile held",
          }),
          crop(30 * index + 15.5, 15, 1, face),
        ]),
      ),
    );
  }

  return {
    draw(scene, before, changed) {
      const { cities } = scene.board;
      showTiles(
        Object.entries(scene.at).flatMap(([id, here]) =>
          here.map((token, index) => kept(`${id} ${index}`, tile, id, token, cities[token.face ?? ""]?.scored)),
        ),
      );
      showSizes(Object.entries(cities).map(([temple, city]) => kept(temple, size, temple, city)));
      showMarks([...changed].map((id) => kept(id, mark, id)));
      showRacks(scene.known.map((known, seat) => kept(seat, rack, known, seat)));
    },
    outline: (id, attributes) => [map, ring(id, attributes)],
  };
}
