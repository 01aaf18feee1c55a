// Written by `python -m tests.languages.declarations` from the TypedDicts of Python.

/** What only a scene of Ahau has; `might` lists the players from the bottom of the track, stacks included. */
export type Board = {
  katun: number;
  katun_triggered: boolean;
  end_triggered: boolean;
  order: Array<number>;
  might: Array<number>;
  summaries: Array<string | null>;
};

/** A kind of building: one resource of each colour is its price. */
export type Building = {
  label: string;
  cost: Array<string>;
};

/** What a seat alone knows: its Role card ("" for none), the Roles it left, and the cards selected this round. */
export type Known = {
  role: string | null;
  roles_left: Array<string> | null;
  selected: Array<string> | null;
};

/** What else lies in front of a player; `pyramid` and `buildings` are by space. */
export type Own = {
  automaton: boolean;
  ruler: number | null;
  cards: Array<string | null>;
  on_table: Array<string>;
  discarded: Array<string>;
  role: string | null;
  role_order: number;
  pyramid: Record<string, Array<string>>;
  buildings: Array<string | null>;
  reserve: Array<string>;
};

/** What only the scenery of Ahau has. A space of a pyramid has its level from 1 and its position from 0; `rewards` are by board, space and pyramid or building: of the seats, then of a player without a bot. */
export type Printed = {
  links: Record<string, Array<string>>;
  regions: Record<string, Array<string>>;
  city_gods: Record<string, string>;
  gods: Array<string>;
  scoring: Record<string, string>;
  marker_fame: Array<number>;
  calendar_spaces: number;
  summary_resources: Array<Array<string>>;
  buildings: Record<string, Building>;
  spaces: Array<Array<number>>;
  pyramid_rewards: Array<Array<string>>;
  building_rewards: Array<Array<string>>;
};
