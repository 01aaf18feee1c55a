// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What a bot makes of the position before a decision. Each list may be empty. By seat: `values` say how it is expected to end, from -1, behind all others, to 1; `wins` its chance to be first, `points` how many it is expected to have. `spread` is the standard deviation between single tries of two actions of equal worth, in the measure of `ranked`; without it, results are taken to be from -1 to 1. `gain` is that of what was chosen, where all actions were tried equally often. */
export type Appraisal = {
  values: Array<number>;
  wins: Array<number>;
  points: Array<number>;
  ranked: Array<Ranked>;
  marks: Array<Marked>;
  spread?: number;
  gain?: Gain;
};

/** A replay: `steps` lead from the scene `first` to the end. `observer` is a seat, -1 for a spectator, None for everything. `judge` says who judged the decisions; empty if no one did. `turning_points` are what decided it, none before the end. */
export type Document = {
  game: string;
  title: string;
  rules_version: string;
  scenery: Scenery;
  first: Scene;
  format: "ballcourt-replay-1";
  match: string;
  options: Record<string, string>;
  started: string;
  branched_from: Origin | null;
  observer: number | null;
  judge: string;
  seats: Array<Seat>;
  rivals: Array<Rival>;
  turning_points: Array<TurningPoint>;
  steps: Array<Step>;
};

/** A fault that was tolerated: its kind, a sentence, and what was done about it ("retry" or "substitute"). */
export type Fault = {
  termination: string;
  detail: string;
  remedy: string;
};

/** How much better an action is than the others that were tried, on average, and half its 95 % interval. */
export type Gain = {
  value: number;
  error: number;
};

/** A place of the scene to which attention is drawn. */
export type Marked = {
  place: string;
  label: string;
};

/** The match that a match branched off from, and the first decision that was not taken over. */
export type Origin = {
  match: string;
  decision: number;
};

/** A face-down pile: how many pieces it has, and which, the top last; None to who may not know. */
export type Pile = {
  count: number;
  pieces: Array<string> | null;
};

/** Somewhere on the board. `x` grows to the right and `y` downwards, both in a unit of the game's own. */
export type Place = {
  kind: string;
  x: number;
  y: number;
  label: string;
  adjacent?: Array<string>;
};

/** What lies in front of a player: its points, what it has of each thing, and its steps on the tracks. */
export type PlayerScene = {
  name: string;
  score: number;
  stock: Record<string, number>;
  tracks: Record<string, number>;
  own: Record<string, unknown>;
};

/** What the table waits for: the class of the frame and its row, the question in words, and whose answer it is. While several seats answer in secret, an observer cannot know which of them already have; they all stay in `seats`. */
export type Question = {
  kind: string;
  numbers: Array<number>;
  text: string;
  seats: Array<number>;
};

/** An action that was considered: what it is worth to the seat, and how often it was tried; 0 if unknown. */
export type Ranked = {
  action: number;
  label: string;
  value: number;
  visits: number;
};

/** A player that the rules play. */
export type Rival = {
  name: string;
  placement: number;
  score: number;
};

/** A position as one observer sees it. `players` are the seats, then the players without a bot. `known` has what each seat alone knows, with None for what the observer does not know; its shape is the same for every observer. `question` is None once the match is over. `sources` say for each player what its points were given for, where a match was followed from its beginning. */
export type Scene = {
  round: number;
  phase: string;
  turn: number | null;
  question: Question | null;
  players: Array<PlayerScene>;
  at: Record<string, Array<Token>>;
  piles: Record<string, Pile>;
  known: Array<Record<string, unknown>>;
  board: Record<string, unknown>;
  sources?: Array<Record<string, number>>;
};

/** What is the same in all scenes of a match: places and tracks by id, and what is printed on the pieces. `texts` says in a sentence what places, pieces, cards and tracks are for, for people who do not know the rules: by id, of places and of `Explanation.things`, or by kind of place. */
export type Scenery = {
  places: Record<string, Place>;
  tracks: Record<string, Track>;
  board: Record<string, unknown>;
  texts?: Record<string, string>;
};

/** A seat and how its match ended; None stands for what the observer does not know. While the match is being played, `placement` is 0 and `termination` empty. `faults` are failed starts that were tolerated; none if the observer cannot know. */
export type Seat = {
  seat: number;
  bot: string;
  version: string;
  placement: number;
  score: number;
  termination: string;
  detail: string | null;
  vacated_at: number | null;
  think_mean_ms: number | null;
  think_max_ms: number | null;
  faults: Array<Fault>;
};

/** A decision and what it changed. `action` is 0 while it is secret; `by` is "bot", "fallback" (the bot answered without choosing itself), "rules" (it was forced), "substitute", "nobody" (the seat was vacated), "record" (taken over from another match), or None. `evaluation` is what the bot made of the position, `judged` what a judge did, and `lost` how much better its favourite was, as far as that is not by chance; None to who may not know. `faults` are those that were tolerated before the decision; none if the observer cannot know. An op is [path, value] or, to remove, [path]. */
export type Step = {
  seat: number;
  action: number;
  label: string;
  places: Array<string>;
  by: string | null;
  think_ms: number | null;
  thoughts: string;
  evaluation: Appraisal | null;
  judged: Appraisal | null;
  lost: number | null;
  faults: Array<Fault>;
  ops: Array<Array<unknown>>;
};

/** Pieces of one kind at a place: whose they are (a player), what they show, how many there are if not one. */
export type Token = {
  kind: string;
  player?: number;
  face?: string;
  count?: number;
};

/** A row of steps on which each player has a marker; `steps` says what stands at each, from step 0. */
export type Track = {
  label: string;
  steps: Array<string>;
};

/** A turning point in words, and the position after it. */
export type TurningPoint = {
  step: number;
  title: string;
};
