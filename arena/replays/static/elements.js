// Elements are made from names and text, never from markup: names of bots and their thoughts may hold anything.

/** @import { Attributes, Child } from "../viewer" */

const SVG = "http://www.w3.org/2000/svg";
// characters without a shape of their own, and those that turn the direction of writing
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Return a string in which nothing is invisible. @param {unknown} text */
export function shown(text) {
  return String(text).replace(UNSEEN, (mark) => "\\u" + mark.charCodeAt(0).toString(16).padStart(4, "0"));
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of /** @type {Exclude<Child, Child[]>[]} */ (/** @type {unknown[]} */ (children).flat(Infinity))) {
    if (child !== null && child !== undefined) element.append(typeof child === "object" ? child : shown(child));
  }
  return element;
}

/**
 * Make an element of HTML; an attribute `onclick` is a listener.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * Make an element of SVG.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Make text in a drawing, its middle at a point.
 *
 * @param {number} x
 * @param {number} y
 * @param {string | number} text
 * @param {Attributes} attributes
 */
export function label(x, y, text, attributes = {}) {
  return svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, text);
}

/**
 * Make a drawing that fills its column; `title` is what screen readers say.
 *
 * @param {string} viewBox
 * @param {string} title
 * @param {Child[]} children
 */
export function drawing(viewBox, title, ...children) {
  return svg("svg", { viewBox, role: "img", "aria-label": title, class: "drawing" }, ...children);
}

/** What a letter of a wide font takes of its size, on average, and what a line takes. */
const LETTER = 0.6;
const LINE = 1.15;

/**
 * Make words that wrap within a width and a height, in units of the drawing; they are smaller if they would not fit.
 *
 * @param {number} x
 * @param {number} y of the middle of the first line
 * @param {number} width
 * @param {number} size at most
 * @param {string} text
 * @param {Attributes} attributes
 * @param {number} height
 */
export function paragraph(x, y, width, size, text, attributes = {}, height = Infinity) {
  const most = Math.floor(width / (size * LETTER));
  const lines = wrapped(text, most);
  const fits = lines.length * size * LINE <= height && lines.every((line) => line.length <= most);
  if (!fits && size > 5) return paragraph(x, y, width, size - 1, text, attributes, height);
  return lines.map((line, index) => label(x, y + index * size * LINE, line, { "font-size": size, ...attributes }));
}

/** Return the lines of words that are broken after at most some letters. @param {string} text @param {number} most */
function wrapped(text, most) {
  const lines = [""];
  for (const word of String(text).split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > most) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** Return the thoughts of a bot, in whose lines nothing is invisible. @param {string} thoughts */
export function quoted(thoughts) {
  const lines = thoughts.split(/\r\n|\r|\n/);
  const scrolls = lines.length > 6 || thoughts.length > 200; // then a keyboard must get there too
  return html(
    "blockquote",
    { dir: "auto", tabindex: scrolls ? 0 : null },
    ...lines.flatMap((line, index) => (index ? [html("br"), line] : [line])),
  );
}

/** Let an element say something; what it says already is not laid out again. @param {Element} element @param {string} text */
export function write(element, text) {
  const said = shown(text);
  if (element.textContent !== said) element.textContent = said;
}

/** Return "Chichen Itza" for "chichen_itza". @param {string} name */
export function inWords(name) {
  return String(name)
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
