// Pictures of a position, and films of a turn: made here, from the drawing that the page shows.

/** @import { Player } from "./player.js" */

const SCALE = 2;
const PACE_MS = 700;
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "stroke-linejoin",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
  "display",
  "visibility",
  "transform",
  "color",
];

/** Return a drawing that needs no style sheet: how everything looks stands in its attributes. @param {SVGSVGElement} drawing */
function selfContained(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((element, index) => {
    const look = getComputedStyle(element);
    for (const name of LOOKS) {
      const value = look.getPropertyValue(name);
      if (value && value !== "none") to[index].setAttribute(name, value);
      else if (name === "fill" || name === "display") to[index].setAttribute(name, value || "inline");
    }
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("transform");
  return copy;
}

/** @param {SVGSVGElement} drawing */
async function image(drawing) {
  const made = new Image();
  const text = new XMLSerializer().serializeToString(selfContained(drawing));
  made.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await made.decode();
  return made;
}

/** Draw what the board shows on a canvas, which gets its size. @param {HTMLElement} board @param {HTMLCanvasElement} canvas */
async function paint(board, canvas) {
  const box = board.getBoundingClientRect();
  const drawings = [...board.querySelectorAll("svg")].filter((one) => !one.parentElement?.closest("svg"));
  const images = await Promise.all(drawings.map(image));
  if (canvas.width !== Math.round(box.width * SCALE)) {
    canvas.width = Math.round(box.width * SCALE);
    canvas.height = Math.round(box.height * SCALE);
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(SCALE, 0, 0, SCALE, 0, 0);
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, box.width, box.height);
  images.forEach((one, index) => {
    const { left, top, width, height } = drawings[index].getBoundingClientRect();
    pen.drawImage(one, left - box.left, top - box.top, width, height);
  });
}

/** @param {string} address @param {string} name */
function save(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Save the position that is shown as a PNG. @param {Player} player */
export async function savePicture(player) {
  const canvas = document.createElement("canvas");
  await paint(player.parts.board, canvas);
  save(canvas.toDataURL("image/png"), `${player.replay.match}-${player.step}.png`);
}

/** Save the turn that is shown, or the first one, as a film. @param {Player} player */
export async function saveFilm(player) {
  const { step } = player;
  const turn =
    player.log.turns.find(({ start, end }) => start < Math.max(1, step) && step <= end) ?? player.log.turns[0];
  const canvas = document.createElement("canvas");
  await paint(player.parts.board, canvas);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
  /** @type {Blob[]} */
  const pieces = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  for (let at = turn.start; at <= turn.end; at++) {
    player.seek(at);
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    await paint(player.parts.board, canvas);
  }
  await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  recorder.stop();
  await ended;
  const address = URL.createObjectURL(new Blob(pieces, { type: "video/webm" }));
  save(address, `${player.replay.match}-${turn.start}-${turn.end}.webm`);
  player.seek(step);
}
