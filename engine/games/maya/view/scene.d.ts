// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What only a scene of Maya has; `planted` are the cells planted in this action, in order. */
export type Board = {
  cities: Record<string, City>;
  planted: Array<string>;
  passes_in_a_row: number;
};

/** A city, by the id of its temple in `Board.cities`; it is scored once there are no empty cells around it. `crops` are those of each player around it, `points` what they earn: what it scored, or would if it were closed now. */
export type City = {
  size: number;
  empty_cells_around: number;
  scored: boolean;
  crops: Array<number>;
  points: Array<number>;
};

/** What a seat alone knows: its rack, its face-down tiles by cell, and the tile it is about to place face down. */
export type Known = {
  rack: Array<string> | null;
  city_tiles: Record<string, string | null> | null;
  held: string | null;
};

/** What only the scenery of Maya has: the area of each cell, and the points of a city by size for two places. */
export type Printed = {
  areas: Record<string, string>;
  temples: Record<string, string>;
  borders: Array<Array<string>>;
  city_points: Array<Array<number>>;
};
