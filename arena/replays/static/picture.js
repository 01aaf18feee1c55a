// Pictures of a position, and films of a turn: what the page shows, with its own style, drawn by the browser.

import { html, svg } from "./elements.js";

/** @import { Player } from "./player.js" */

const SCALE = 2;
const PACE_MS = 700;
const FRAMES_A_S = 20;
/** For how many more positions than it has a film is waited for. */
const LATEST = 30;
/** In pixels: the room around a board, and for the title and the points above it. */
const MARGIN = 16;
const HEAD = 76;
/** What XML may not have, and strangers may write. */
const NOT_XML = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** Return a copy of a board whose drawings are as large as they are shown. @param {HTMLElement} board */
function sized(board) {
  const copy = /** @type {HTMLElement} */ (board.cloneNode(true));
  const [shown, made] = [board, copy].map((root) => root.querySelectorAll("svg"));
  shown.forEach((drawing, index) => {
    const { width, height } = drawing.getBoundingClientRect();
    const size = { width: `${width}px`, height: `${height}px`, flex: "none", maxWidth: "none", maxHeight: "none" };
    if (!drawing.parentElement?.closest("svg")) Object.assign(made[index].style, size);
  });
  return copy;
}

/** Return the title, the players with their points and the board as an image. @param {Player} player */
async function image({ parts }) {
  const { width, height } = parts.board.getBoundingClientRect();
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const look = document.querySelector("style")?.textContent ?? "";
  const points = [...parts.players.querySelectorAll(".player")].map((card) => {
    const name = [".dot", ".name", ".score"].map((part) => card.querySelector(part)?.cloneNode(true));
    return html("span", { class: card.className.replace("player", "points") }, name);
  });
  const content = html(
    "body",
    { class: "picture" },
    html("style", {}),
    html("h1", {}, `${document.querySelector("h1")?.textContent}, ${parts.where.textContent}`),
    html("p", {}, points),
    html("div", { class: "stage" }, sized(parts.board)),
  );
  content.children[0].textContent = look.replace("color-scheme: light dark", `color-scheme: ${scheme}`);
  const size = { width: width + 2 * MARGIN, height: height + HEAD + MARGIN };
  const drawing = svg("svg", size, svg("foreignObject", { width: "100%", height: "100%" }, content));
  const made = new Image();
  const text = new XMLSerializer().serializeToString(drawing).replace(NOT_XML, " ");
  made.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await made.decode();
  return made;
}

/** Draw an image on a canvas. @param {HTMLCanvasElement} canvas @param {HTMLImageElement} made */
function paint(canvas, made) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(made, 0, 0, made.width * SCALE, made.height * SCALE);
}

/** Return a canvas with what the page shows. @param {Player} player */
async function canvasOf(player) {
  const made = await image(player);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: made.width * SCALE, height: made.height * SCALE });
  paint(canvas, made);
  return canvas;
}

/** @param {string} address @param {string} name */
export function save(address, name) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Save the position that is shown as a PNG. @param {Player} player */
export async function savePicture(player) {
  const canvas = await canvasOf(player);
  save(canvas.toDataURL("image/png"), `${player.replay.match}-${player.step}.png`);
}

/** Save the record of a match, in Base64, as a file. @param {string} name @param {string} record */
export function saveRecord(name, record) {
  save(`data:application/octet-stream;base64,${record}`, name);
}

/** Save the turn that is shown, or the first one, as a film. @param {Player} player */
export async function saveFilm(player) {
  const { step } = player;
  const turn =
    player.log.turns.find(({ start, end }) => start < Math.max(1, step) && step <= end) ?? player.log.turns[0];
  const canvas = await canvasOf(player);
  const recorder = new MediaRecorder(canvas.captureStream(FRAMES_A_S), { mimeType: "video/webm" });
  /** @type {Blob[]} */
  const pieces = [];
  recorder.ondataavailable = ({ data }) => data.size && pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start(PACE_MS);
  // on a busy machine the first picture is recorded late, and before that a film is empty
  for (let at = turn.start; at <= turn.end || (!pieces.length && at < turn.end + LATEST); at++) {
    player.seek(Math.min(at, turn.end));
    const made = await image(player);
    const drawing = setInterval(() => paint(canvas, made), 1000 / FRAMES_A_S); // only what is drawn is recorded
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    clearInterval(drawing);
  }
  recorder.stop();
  await ended;
  const address = URL.createObjectURL(new Blob(pieces, { type: "video/webm" }));
  save(address, `${player.replay.match}-${turn.start}-${turn.end}.webm`);
  player.seek(step);
}
