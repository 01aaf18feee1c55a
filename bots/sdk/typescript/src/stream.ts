import { setTimeout as sleep } from "node:timers/promises";

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, type ClientDuplexStream, type ServiceError } from "@grpc/grpc-js";

import type { Address } from "./address.js";
import {
  type ArenaMessage,
  ArenaMessageSchema,
  type BotMessage,
  BotMessageSchema,
} from "./gen/ballcourt/v1/protocol_pb.js";
import type { Session } from "./session.js";

const METHOD = "/ballcourt.v1.Arena/Play";
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const PATIENCE_MS = 60_000; // how long to dial again after a stream broke
const KEEPALIVE = { "grpc.keepalive_time_ms": 20_000, "grpc.keepalive_timeout_ms": 10_000 };

/** The arena cannot be reached, or the stream broke. */
export class Disconnected extends Error {}

/**
 * Plays until the arena says Goodbye or closes the stream. Dials again after a broken stream if the session can be
 * resumed.
 */
export async function converse(session: Session, arena: Address, token: string): Promise<void> {
  let wait = FIRST_WAIT_MS;
  let giveUp = 0;
  for (;;) {
    const met = session.streams;
    try {
      return await playStream(session, arena, token);
    } catch (error) {
      if (!(error instanceof Disconnected)) throw error;
      if (session.streams > met) {
        // the arena sent Welcome on this stream
        wait = FIRST_WAIT_MS;
        giveUp = Date.now() + PATIENCE_MS;
      }
      if (!session.resumable || Date.now() > giveUp) throw error;
    }
    // at random, so that bots that lost the same arena do not dial all at once
    await sleep(wait * (0.5 + Math.random() / 2));
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

async function playStream(session: Session, arena: Address, token: string): Promise<void> {
  const client = new Client(arena.target, arena.credentials, KEEPALIVE);
  const stream = client.makeBidiStreamRequest(
    METHOD,
    (message: BotMessage) => Buffer.from(toBinary(BotMessageSchema, message)),
    (data) => fromBinary(ArenaMessageSchema, data),
  );
  try {
    await exchange(session, stream, token);
  } catch (error) {
    if (session.ended) return;
    const { code, details } = error as ServiceError;
    if (code === undefined || details === undefined) throw error;
    throw new Disconnected(`no connection to the arena at ${arena.shown}: ${details}`);
  } finally {
    client.close();
  }
}

/** Sends Hello, then replies to messages until the stream ends. */
async function exchange(
  session: Session,
  stream: ClientDuplexStream<BotMessage, ArenaMessage>,
  token: string,
): Promise<void> {
  stream.write(session.hello(token));
  for await (const message of stream) {
    if (session.ended) continue;
    const reply = await session.handle(message as ArenaMessage);
    if (reply) stream.write(reply);
    // after Goodbye, the arena ends the stream; it takes one that breaks instead for a bot that will dial again
    if (session.ended) stream.end();
  }
}
