// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What a person may answer now; `left_s` is None without a clock, and `lost` says why the seat was lost. `adviser` is the name of the bot that gives hints, empty without one; `again` is whether another match may follow. */
export type Asked = {
  number: number;
  choices: Array<Offer>;
  adviser: string;
  undo: boolean;
  left_s: number | null;
  lost: string;
  results: Array<string>;
  again: boolean;
};

/** A step towards an action, such as one of its two cards: its name, what it does, ids of what it is about. */
export type ChoiceStep = {
  label: string;
  text: string;
  things: Array<string>;
};

/** A step of the tour of the board for a first match; `things` are ids of places and things to look at. */
export type Lesson = {
  title: string;
  text: string;
  things: Array<string>;
};

/** An action that may be chosen, and what it does. */
export type Offer = {
  action: number;
  label: string;
  places: Array<string>;
  text: string;
  section: string;
  things: Array<string>;
  steps?: Array<ChoiceStep>;
};
