// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What a person may answer now; `left_s` is None without a clock, and `lost` says why the seat was lost. */
export type Asked = {
  number: number;
  choices: Array<Choice>;
  undo: boolean;
  left_s: number | null;
  lost: string;
  results: Array<string>;
};

/** An action in words that a player uses, and the places it is about. */
export type Choice = {
  action: number;
  label: string;
  places: Array<string>;
};
