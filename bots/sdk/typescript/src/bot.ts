import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";

import type { EvaluationSchema, Event, MatchEnd, MatchStart } from "./gen/ballcourt/v1/protocol_pb.js";
import { type Observation, registry } from "./gen/registry.js";
import type { Random } from "./random.js";

/** A player. It plays one match at a time. */
export interface Bot {
  /**
   * Whether `choose` limits itself to `clock.work` units per decision, where that is not 0. The unit is the bot's own
   * (positions, playouts). No clock runs, so it plays alike on every machine.
   */
  readonly workLimited?: boolean;
  /** Returns one of `decision.legal`, within `decision.limitMs` milliseconds. */
  choose(decision: Decision): number | Promise<number>;
  /** Called at the start of a match. This time does not count as think time. */
  matchStarted?(match: Match): void;
  /** Called at the end of a match, with the results of all seats. */
  matchEnded?(end: MatchEnd): void;
  /** Called after every decision of another seat. */
  observed?(view: View): void;
}

/** The match that is being played. */
export interface Match {
  /** Game, options, seats, clock. */
  readonly start: MatchStart;
  /** The bot's seat, an index into the lists of an observation. */
  readonly seat: number;
  /** Seeded by the arena. A match is reproducible if its bots use no other randomness. */
  readonly random: Random;
}

/** The observation of the bot's seat, and the events since its last observation. */
export class View {
  private decoded: Observation | undefined;

  constructor(
    /** The match that is being played. */
    readonly match: Match,
    /** The serialized observation. */
    readonly data: Uint8Array,
    /** The actions of all seats since then, oldest first. An action is 0 while it is secret. */
    readonly events: readonly Event[],
  ) {}

  /**
   * The game's observation message, for example a TzolkinObservation, decoded on first use; undefined if the SDK has no
   * code for the game. Switch on its `$typeName` to tell the compiler its type.
   */
  get observation(): Observation | undefined {
    const schema = registry.getMessage(this.match.start.observationType);
    this.decoded ??= schema && (fromBinary(schema, this.data) as Observation);
    return this.decoded;
  }
}

/** A question to the bot. */
export class Decision extends View {
  /** A note, saved with the action in the match record; cut to 4096 bytes. */
  thoughts = "";
  /** What the bot makes of the position, in numbers, saved with the action in the match record. */
  evaluation: MessageInitShape<typeof EvaluationSchema> | undefined;
  /** Whether the bot did not choose the action itself, as when a model gave no answer; the record keeps it. */
  fallback = false;

  constructor(
    match: Match,
    data: Uint8Array,
    events: readonly Event[],
    /** The legal actions, ascending; at least two. */
    readonly legal: readonly number[],
    /** The think time left for the rest of the match, in milliseconds. */
    readonly bankMs: number,
    /** The think time for this decision, in milliseconds. */
    readonly limitMs: number,
    /** Why the previous answer to this question was rejected; empty on the first attempt. */
    readonly rejected: string,
  ) {
    super(match, data, events);
  }
}
