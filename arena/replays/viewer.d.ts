// What the modules of the viewer pass to each other, apart from the documents of Python.

import type { Document, Appraisal, Fault, PlayerScene, Scene, Scenery, Seat, Step } from "./document";
import type { Asked, ChoiceStep, Lesson, Offer } from "../browser/personal";
import type { FollowedState, Now } from "../../leaderboard/pages/live";

export type { ChoiceStep, Lesson, Offer, Document as Replay, Appraisal, Fault, PlayerScene, Scene, Seat, Step };

/** What the drawing of a game gets and returns. The type parameters are what only one game has. */
export type CreateBoard<R = Document, S = Scene> = (root: Element, replay: R) => Board<S>;

/**
 * Draws a scene; `places` are those that changed since the scene before, `made` the step that led here, if one did.
 * `outline` returns the drawing with a place or a thing, and a new shape around it; null if it is not shown.
 */
export type Board<S = Scene> = {
  draw(scene: S, before: S, places: Set<string>, made: Step | null): void;
  outline(place: string, attributes: Attributes): [SVGSVGElement, SVGElement] | null;
};

export type GameReplay<Printed> = Omit<Document, "scenery"> & { scenery: GameScenery<Printed> };

export type GameScenery<Printed> = Scenery & { board: Printed };

export type GameScene<Board, Own, Known> = Omit<Scene, "board" | "players" | "known"> & {
  board: Board;
  players: GamePlayer<Own>[];
  known: Known[];
};

export type GamePlayer<Own> = Omit<PlayerScene, "own"> & { own: Own };

/** What sets the value at a path or, without a value, removes it. */
export type Operation = [path: (string | number)[], value?: unknown];

/** The elements of the page that the player fills or listens to; only a page on the machine of the record has a command. */
export type Parts = Record<"board" | "players" | "said" | "chart" | "turningPoints" | "log" | "text" | "where" | "play" | "sheet" | "picture" | "film", HTMLElement> & {
  observer: HTMLSelectElement;
  speed: HTMLSelectElement;
  slider: HTMLInputElement;
  forced: HTMLInputElement;
  course: HTMLSelectElement;
  find: HTMLInputElement;
  words: HTMLDetailsElement;
  points: HTMLDetailsElement;
  things: HTMLElement;
  command: HTMLElement | null;
};

/** Decisions of one seat in one round: those from `start` up to, not including, `end`. */
export type Turn = { seat: number; round: number; start: number; end: number };

/**
 * Numbers of each player over a match, one row for each scene; `range` goes from the bottom to the top of the chart.
 * With `areas` the numbers of a row are those of its parts, which lie on top of each other; a share is from 0 to 1, and
 * `errors` are halves of the 95 % intervals.
 */
export type Course = {
  name: string;
  range: [number, number] | null;
  isShare?: boolean;
  areas?: string[];
  rows: () => (number | null)[][];
  errors?: () => (number | null)[][];
};

export type Seek = (step: number) => void;

/** The list of decisions with its turns. It adds the steps that have no line yet, marks the current one, scrolls to it. */
export type Log = { turns: Turn[]; grow(): void; mark(step: number): void; follow(): boolean };

/** A part of a drawing, made from values. */
export type Part = { key: string | number; from: unknown[]; draw: () => Element | null };

/** The value of an attribute; a function is a listener. */
export type Attribute = string | number | boolean | null | undefined | ((event: MouseEvent) => void);

export type Attributes = Record<string, Attribute>;

/** What an element may contain; lists are laid out flat. */
export type Child = Node | string | number | null | undefined | Child[];

/** The data of the events of a stream, by name. */
export type Events = {
  match: Document;
  steps: Step[];
  judged: [decision: number, estimate: Appraisal][];
  question: Asked;
  progress: Now;
  state: FollowedState;
  end: Record<string, never>;
  notice: string;
};

/** What gets the data of events, and hears when the connection is there and when it is not. */
export type Handlers = { found(): void; lost(): void } & {
  [E in keyof Events]?: (data: Events[E]) => unknown;
};
