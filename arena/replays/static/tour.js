// A tour of the board for a first match: a card for each lesson, beside what it is about.

import { placeBeside } from "./about.js";
import { html } from "./elements.js";

/** @import { Board, Lesson } from "../viewer" */
/** @import { InPage } from "./in_page.js" */
/** @import { Server } from "./server.js" */

/** A button that begins the tour, and the tour. */
export class Tour {
  /**
   * @param {HTMLElement} tools where the button goes
   * @param {Server | InPage} arena which has the lessons
   * @param {() => Board | undefined} board
   */
  constructor(tools, arena, board) {
    this.board = board;
    this.number = 0;
    /** @type {Lesson[]} */
    this.lessons = [];
    this.begin = html("button", { type: "button", hidden: true, onclick: () => this.show(0) }, "First match?");
    tools.append(this.begin);
    this.text = html("p", {});
    this.where = html("span", { class: "turn-of" });
    this.title = html("h2", { tabindex: "-1", id: "tour" });
    this.back = html("button", { type: "button", onclick: () => this.show(this.number - 1) }, "Back");
    this.next = html("button", { type: "button", onclick: () => this.show(this.number + 1) }, "Next");
    const close = html("button", { type: "button", onclick: () => this.close() }, "Close");
    const buttons = html("p", { class: "tools" }, this.back, this.next, close);
    this.panel = html(
      "section",
      { class: "tour", hidden: true, "aria-labelledby": "tour", onkeydown: (event) => this.key(event) },
      ...[this.where, this.title, this.text, buttons],
    );
    document.body.append(this.panel);
    addEventListener("resize", () => this.panel.hidden || this.place());
    this.load(arena);
  }

  /** @param {Server | InPage} arena */
  async load(arena) {
    this.lessons = await arena.get("tour").catch(() => []);
    this.begin.hidden = !this.lessons.length;
  }

  /** @param {Event} event */
  key(event) {
    if (/** @type {KeyboardEvent} */ (event).key === "Escape") this.close();
  }

  /** Show a lesson; after the last one the tour is over. @param {number} number */
  show(number) {
    const lesson = this.lessons[number];
    if (!lesson) return this.close();
    this.number = number;
    this.title.textContent = lesson.title;
    this.text.textContent = lesson.text;
    this.where.textContent = `${number + 1} of ${this.lessons.length}`;
    this.back.disabled = number === 0;
    this.next.textContent = number + 1 < this.lessons.length ? "Next" : "Play";
    this.panel.hidden = false;
    document.body.classList.add("touring");
    this.clear();
    for (const thing of lesson.things) {
      const outlined = this.board()?.outline(thing, { class: "lesson" });
      outlined?.[0].append(outlined[1]);
    }
    document.querySelector(".lesson")?.scrollIntoView({ block: "center" });
    this.place();
    this.title.focus({ preventScroll: true });
  }

  /** Put the card beside everything that it is about. */
  place() {
    placeBeside(this.panel, [...document.querySelectorAll(".lesson")]);
  }

  clear() {
    for (const ring of document.querySelectorAll(".lesson")) ring.remove();
  }

  close() {
    this.clear();
    this.panel.hidden = true;
    document.body.classList.remove("touring");
    this.begin.focus();
  }
}
