// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What only a scene of Tzolk'in has. The gears have turned by `day - 1` teeth in all. */
export type Board = {
  day: number;
  age: number;
  food_days_held: number;
  start_player: number;
  corn_on_teeth: number;
  skulls_in_bank: number;
  skulls_at_chichen_itza: Array<number>;
  dummy_tiles: Array<string>;
};

/** A gear: its middle, pitch radius and teeth, and the direction of space 0 from its middle in degrees. */
export type Gear = {
  x: number;
  y: number;
  radius: number;
  teeth: number;
  first: number;
};

/** The wealth tiles that a seat was offered, and those it kept; None to the others. */
export type Known = {
  offered: Array<string> | null;
  kept: Array<string> | null;
};

/** What else lies in front of a player; tiles by their ids in `Printed.tiles`. */
export type Own = {
  light_side: boolean;
  corn_tiles: number;
  wood_tiles: number;
  workers_fed: number;
  food_discount: number;
  buildings: Array<string>;
  monuments: Array<string>;
  wealth: Array<string>;
};

/** What only the scenery of Tzolk'in has; `temple_bonus` is for the highest on each temple at the end of an age. `icons` has what spaces of gears give, as words that have a symbol; `levels` what technologies give, by level from 1 and beyond the last. */
export type Printed = {
  calendar: Gear;
  gears: Record<string, Gear>;
  food_days: Array<number>;
  tiles: Record<string, Tile>;
  temple_bonus: Array<Array<number>>;
  icons: Record<string, Array<string>>;
  levels: Record<string, Array<string>>;
};

/** What is printed on a building, monument or wealth tile. */
export type Tile = {
  category: string;
  cost: Record<string, number>;
  effects: Array<string>;
};
