import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { create } from "@bufbuild/protobuf";

import { findArena } from "../src/address.js";
import type { Decision } from "../src/index.js";
import { Random, Refused, Session } from "../src/index.js";
import { type ArenaMessage, ArenaMessageSchema } from "../src/gen/ballcourt/v1/protocol_pb.js";
import { shortened } from "../src/session.js";

const IDENTITY = { name: "mia", version: "2" };

function start(botSeed = 1n): ArenaMessage {
  return create(ArenaMessageSchema, { message: { case: "matchStart", value: { matchId: "m", botSeed } } });
}

function ask(decisionId: bigint, legal: number[]): ArenaMessage {
  return create(ArenaMessageSchema, { message: { case: "decide", value: { decisionId, legal } } });
}

function welcome(session: string, received: bigint): ArenaMessage {
  return create(ArenaMessageSchema, {
    message: { case: "welcome", value: { session, received, reconnectMs: 1000 } },
  });
}

test("a reply has the decision id and the thoughts", async () => {
  const choose = (decision: Decision) => {
    decision.thoughts = "why not";
    return decision.legal[1]!;
  };
  const session = new Session({ choose }, IDENTITY);
  await session.handle(start());
  const reply = await session.handle(ask(7n, [3, 5]));
  assert.deepEqual(
    { ...reply!.message.value, $typeName: "" },
    {
      $typeName: "",
      decisionId: 7n,
      action: 5,
      thoughts: "why not",
      fallback: false,
    },
  );
});

for (const wrong of [1.5, -1, -0, NaN, Infinity, 2 ** 32, 5n, "5", [5], null, undefined, true]) {
  test(`${inspect(wrong)} is no action: it is refused with its type before it is sent`, async () => {
    const session = new Session({ choose: () => wrong as number }, IDENTITY);
    await session.handle(start());
    const sentence = `choose returned ${inspect(wrong)} (${typeof wrong}); return one of the numbers in decision.legal`;
    await assert.rejects(session.handle(ask(7n, [3, 5])), new TypeError(sentence));
  });
}

test("the largest action of the protocol is sent", async () => {
  const session = new Session({ choose: () => 2 ** 32 - 1 }, IDENTITY);
  await session.handle(start());
  const reply = await session.handle(ask(7n, [3, 5]));
  assert.equal((reply!.message.value as { action: number }).action, 2 ** 32 - 1);
});

test("a reply says whether the bot chose itself", async () => {
  const choose = (decision: Decision) => {
    decision.fallback = decision.legal.length > 2;
    return decision.legal[0]!;
  };
  const session = new Session({ choose }, IDENTITY);
  await session.handle(start());
  const replies = [await session.handle(ask(7n, [3, 5])), await session.handle(ask(8n, [3, 5, 6]))];
  assert.deepEqual(
    replies.map((reply) => (reply!.message.value as { fallback: boolean }).fallback),
    [false, true],
  );
});

test("a bot learns why its answer was rejected", async () => {
  let told = "";
  const choose = ({ legal, rejected }: Decision) => {
    told = rejected;
    return legal[0]!;
  };
  const session = new Session({ choose }, IDENTITY);
  await session.handle(start());
  const value = { decisionId: 8n, legal: [3, 5], rejected: "9 is not legal" };
  await session.handle(create(ArenaMessageSchema, { message: { case: "decide", value } }));
  assert.equal(told, "9 is not legal");
});

test("a bot without the method observed asks for no pushes", () => {
  const hello = new Session({ choose: () => 1 }, IDENTITY).hello("secret").message;
  assert.equal(hello.case, "hello");
  assert.equal(hello.case === "hello" && hello.value.capabilities?.observe, false);
});

test("a resumed session repeats its last reply only if the arena lacks it", async () => {
  const session = new Session({ choose: (decision) => decision.legal[0]! }, IDENTITY);
  await session.handle(welcome("s", 0n));
  await session.handle(start());
  const reply = await session.handle(ask(1n, [3, 5]));
  assert.equal(await session.handle(welcome("s", 1n)), reply);
  assert.equal(await session.handle(welcome("s", 2n)), undefined);
});

test("a new session id starts over", async () => {
  const session = new Session({ choose: () => 1 }, IDENTITY);
  await session.handle(welcome("s", 0n));
  await session.handle(start());
  await session.handle(welcome("t", 0n));
  await assert.rejects(session.handle(ask(1n, [3, 5])), /before its MatchStart/);
});

test("a refusal is thrown with its reason", async () => {
  const refused = create(ArenaMessageSchema, { message: { case: "refused", value: { reason: "no such token" } } });
  await assert.rejects(new Session({ choose: () => 1 }, IDENTITY).handle(refused), new Refused("no such token"));
});

test("thoughts are cut at a character boundary", () => {
  assert.equal(shortened("é".repeat(2048)), "é".repeat(2048));
  assert.equal(shortened("x" + "é".repeat(2048)), "x" + "é".repeat(2047));
});

test("randomness depends on all 64 bits of the seed", () => {
  const drawn = (seed: bigint) =>
    Array.from(
      { length: 4 },
      (
        (random) => () =>
          random.below(1000)
      )(new Random(seed)),
    );
  assert.deepEqual(drawn(5n), drawn(5n));
  assert.notDeepEqual(drawn(5n), drawn(5n + (1n << 63n)));
});

test("an address is a socket, or a host and a port; TLS can be off only on this machine", () => {
  assert.equal(findArena({}), undefined);
  assert.equal(findArena({ BALLCOURT_SOCKET: "/tmp/a.sock" })?.target, "unix:/tmp/a.sock");
  assert.equal(findArena({ BALLCOURT_ADDRESS: "arena.example:7433" })?.target, "arena.example:7433");
  assert.throws(() => findArena({ BALLCOURT_ADDRESS: "arena" }), /must be HOST:PORT/);
  assert.throws(() => findArena({ BALLCOURT_ADDRESS: "arena:1", BALLCOURT_TLS: "off" }), /without TLS/);
  assert.throws(() => findArena({ BALLCOURT_ADDRESS: "arena:1", BALLCOURT_CA: "/nowhere" }), /readable PEM file/);
});
