import { fromBinary } from "@bufbuild/protobuf";

import type { Event, MatchEnd, MatchStart } from "./gen/ballcourt/v1/protocol_pb.js";
import { type Observation, registry } from "./gen/registry.js";
import type { Random } from "./random.js";

/** A player. It plays one seat at a time, match after match. */
export interface Bot {
  /** Answers a question with one of `decision.legal`, within `decision.limitMs` milliseconds. */
  choose(decision: Decision): number | Promise<number>;
  /** Prepares for a match; this time does not count as thinking time. */
  matchStarted?(match: Match): void;
  /** Learns how a match ended. */
  matchEnded?(end: MatchEnd): void;
  /** Is shown what a decision of another seat led to. The arena pushes this only to bots that have the method. */
  observed?(view: View): void;
}

/** The match being played, and a source of randomness that the arena seeds, so that a match can be played again. */
export interface Match {
  /** Game, options, seats, clock. */
  readonly start: MatchStart;
  /** The bot's place in the lists that an observation has by seat. */
  readonly seat: number;
  readonly random: Random;
}

/** What the bot's seat may know, and what happened since it was last shown anything. */
export class View {
  private decoded: Observation | undefined;

  constructor(
    /** The match being played. */
    readonly match: Match,
    /** The observation as it came over the wire. */
    readonly data: Uint8Array,
    /** What the seats did, oldest first; an action is 0 while it is secret. */
    readonly events: readonly Event[],
  ) {}

  /**
   * The game's own message, for example a TzolkinObservation, decoded when first asked for; undefined for a game this
   * SDK has no code for. A switch over its `$typeName` tells the compiler which of them it is.
   */
  get observation(): Observation | undefined {
    const schema = registry.getMessage(this.match.start.observationType);
    this.decoded ??= schema && (fromBinary(schema, this.data) as Observation);
    return this.decoded;
  }
}

/** One question to the bot. */
export class Decision extends View {
  /** A note of at most 4096 bytes, kept beside the action in the match record. */
  thoughts = "";

  constructor(
    match: Match,
    data: Uint8Array,
    events: readonly Event[],
    /** The actions to choose from, ascending; at least two. */
    readonly legal: readonly number[],
    /** The thinking time left for the rest of the match. */
    readonly bankMs: number,
    /** The thinking time for this decision. */
    readonly limitMs: number,
    /** Asked again: what was wrong with the last answer to this question; else empty. */
    readonly rejected: string,
  ) {
    super(match, data, events);
  }
}
