import { fromBinary, type Message } from "@bufbuild/protobuf";

import type { Event, MatchEnd, MatchStart } from "./gen/ballcourt/v1/protocol_pb.js";
import { registry } from "./gen/registry.js";
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
  readonly start: MatchStart;
  readonly seat: number;
  readonly random: Random;
}

/** What the bot's seat may know, and what happened since it was last shown anything. */
export class View {
  constructor(
    readonly match: Match,
    /** The observation as it came over the wire. */
    readonly data: Uint8Array,
    /** What the seats did, oldest first; an action is 0 while it is secret. */
    readonly events: readonly Event[],
  ) {}

  /**
   * The game's own message, for example a TzolkinObservation; undefined for a game this SDK has no code for.
   *
   * Tell them apart by `$typeName`.
   */
  get observation(): Message | undefined {
    const schema = registry.getMessage(this.match.start.observationType);
    return schema && fromBinary(schema, this.data);
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
  ) {
    super(match, data, events);
  }
}
