/**
 * The TypeScript SDK: write a Bot, call run.
 *
 *     run(() => ({ choose: (decision) => decision.legal[0]! }));
 *
 * The messages, and an enum of every game's actions, are in "ballcourt/v1/protocol", "ballcourt/v1/tzolkin", ...
 */
export { type Bot, Decision, type Match, View } from "./bot.js";
export type { Observation } from "./gen/registry.js";
export { Random } from "./random.js";
export { run } from "./run.js";
export { type Identity, Refused, Session } from "./session.js";
