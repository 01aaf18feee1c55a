import { inspect } from "node:util";

import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { type Bot, Decision, type Match, View } from "./bot.js";
import {
  type ArenaMessage,
  type BotMessage,
  BotMessageSchema,
  type Decide,
  type MatchEnd,
  type MatchStart,
  type Observe,
  type Welcome,
} from "./gen/ballcourt/v1/protocol_pb.js";
import { Random } from "./random.js";

const SDK = "ballcourt-typescript 0.1.0";
const PROTOCOL = 1;
const MOST_ACTION = 2 ** 32 - 1; // what the protocol has room for
const THOUGHTS_LIMIT = 4096;
const MOST_ENTRIES = 64;

/** The arena refused the bot; the message is the reason. */
export class Refused extends Error {}

/** Who the bot is, as in its bot.toml. */
export interface Identity {
  name: string;
  version: string;
  /** The games it plays; empty: any game. */
  games?: string[];
}

/**
 * The bot's side of the protocol, without I/O: messages in, messages out.
 *
 * A session can outlive its stream: if `resumable` is true, `hello` starts another stream that continues the session.
 */
export class Session {
  /** Whether the arena said Goodbye. */
  ended = false;
  /** Whether the arena waits for the bot if the stream breaks. */
  resumable = false;
  /** The number of streams on which the arena sent Welcome. */
  streams = 0;

  private match: Match | undefined;
  private name = "";
  private received = 0n; // messages of this session, without Hello, Welcome and Goodbye
  private sent = 0n;
  private last: BotMessage | undefined;

  constructor(
    private readonly bot: Bot,
    private readonly identity: Identity,
  ) {}

  /** Returns the first message of every stream. */
  hello(token: string): BotMessage {
    return say({
      case: "hello",
      value: {
        token,
        protocolMin: PROTOCOL,
        protocolMax: PROTOCOL,
        sdk: SDK,
        bot: { name: this.identity.name, version: this.identity.version },
        games: (this.identity.games ?? []).map((game) => ({ game })),
        capabilities: { observe: this.bot.observed !== undefined, workLimited: this.bot.workLimited ?? false },
        session: this.name,
        received: this.received,
      },
    });
  }

  /** Passes a message of the arena to the bot and returns its reply, or undefined if none is due. */
  async handle({ message }: ArenaMessage): Promise<BotMessage | undefined> {
    switch (message.case) {
      case "welcome":
        return this.resume(message.value);
      case "refused":
        throw new Refused(message.value.reason);
      case "goodbye":
        this.ended = true;
        return undefined;
    }
    this.received++;
    const reply = await this.answer(message);
    if (reply) {
      this.sent++;
      this.last = reply;
    }
    return reply;
  }

  private async answer(message: ArenaMessage["message"]): Promise<BotMessage | undefined> {
    switch (message.case) {
      case "decide":
        return this.decide(message.value);
      case "observe":
        this.observe(message.value);
        break;
      case "matchStart":
        return this.start(message.value);
      case "matchEnd":
        this.end(message.value);
        break;
    }
    return undefined;
  }

  /** Continues after a broken stream: returns the last reply if the arena has not received it. */
  private resume(welcome: Welcome): BotMessage | undefined {
    this.streams++;
    this.resumable = welcome.reconnectMs > 0;
    if (welcome.session !== this.name) {
      this.name = welcome.session;
      this.match = this.last = undefined;
      this.received = this.sent = 0n;
    }
    return welcome.received < this.sent ? this.last : undefined;
  }

  private start(start: MatchStart): BotMessage {
    this.match = { start, seat: start.seat, random: new Random(start.botSeed) };
    this.bot.matchStarted?.(this.match);
    return say({ case: "ready", value: { matchId: start.matchId } });
  }

  private async decide(decide: Decide): Promise<BotMessage> {
    const { observation, events, legal, bankMs, limitMs, rejected } = decide;
    const decision = new Decision(this.current(), observation, events, legal, bankMs, limitMs, rejected);
    const action = whole(await this.bot.choose(decision));
    const thoughts = shortened(decision.thoughts);
    const { fallback } = decision;
    const evaluation = decision.evaluation && limited(decision.evaluation);
    return say({ case: "action", value: { decisionId: decide.decisionId, action, thoughts, fallback, evaluation } });
  }

  private observe(push: Observe): void {
    this.bot.observed?.(new View(this.current(), push.observation, push.events));
  }

  private end(end: MatchEnd): void {
    this.current();
    this.match = undefined;
    this.bot.matchEnded?.(end);
  }

  private current(): Match {
    if (!this.match) throw new Error("the arena sent a message about a match before its MatchStart");
    return this.match;
  }
}

function say(message: MessageInitShape<typeof BotMessageSchema>["message"]): BotMessage {
  return create(BotMessageSchema, { message });
}

/** Returns what `choose` returned, which the compiler cannot know; throws a TypeError unless it is a whole number. */
function whole(action: unknown): number {
  if (Number.isInteger(action) && !Object.is(action, -0)) {
    const number = action as number;
    if (number >= 0 && number <= MOST_ACTION) return number;
  }
  const shown = inspect(action, { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 8 });
  throw new TypeError(`choose returned ${shown} (${typeof action}); return one of the numbers in decision.legal`);
}

/** Cuts the lists of an evaluation to the 64 entries that the protocol allows. */
function limited({ values, ranked, marks }: NonNullable<Decision["evaluation"]>): NonNullable<Decision["evaluation"]> {
  return { values, ranked: ranked?.slice(0, MOST_ENTRIES), marks: marks?.slice(0, MOST_ENTRIES) };
}

/** Cuts a string to the 4096 bytes that the protocol allows, at a character boundary. */
export function shortened(thoughts: string): string {
  const bytes = new TextEncoder().encode(thoughts);
  if (bytes.length <= THOUGHTS_LIMIT) return thoughts;
  let cut = THOUGHTS_LIMIT;
  while ((bytes[cut]! & 0xc0) === 0x80) cut--;
  return new TextDecoder().decode(bytes.subarray(0, cut));
}
