// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** The state of what a page follows. */
export type FollowedState = {
  name: string;
  sentence: string;
  next: string;
};

/** The progress of a tournament in words, and its running matches, the oldest first. */
export type Now = {
  line: string;
  tables: Array<Table>;
  more: number;
  version: string;
  trouble: string;
};

/** A running match: its key, its bots in seat order, and when it began, in seconds since 1970. */
export type Table = {
  match: string;
  game: string;
  title: string;
  bots: Array<string>;
  began: number;
};
