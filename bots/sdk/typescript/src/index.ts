/**
 * The TypeScript SDK: implement Bot, call run.
 *
 *     run(() => ({ choose: (decision) => decision.legal[0]! }));
 *
 * Each game has a module with its messages and an enum of its actions, for example "ballcourt/v1/tzolkin"; those of the
 * protocol are in "ballcourt/v1/protocol".
 */
export { type Bot, Decision, type Match, View } from "./bot.js";
export type { Observation } from "./gen/registry.js";
export { ParameterError, Parameters, parameters } from "./parameters.js";
export { Random } from "./random.js";
export { Rules, TO_THE_END } from "./rules.js";
export { run } from "./run.js";
export { type Identity, Refused, Session } from "./session.js";
