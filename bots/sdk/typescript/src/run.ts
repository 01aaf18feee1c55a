import { findArena } from "./address.js";
import type { Bot } from "./bot.js";
import { ParameterError, parameters } from "./parameters.js";
import { Refused, Session } from "./session.js";
import { converse, Disconnected } from "./stream.js";

const BY_HAND = `This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.
To see it play, run "ballcourt check bot FOLDER", where FOLDER has its bot.toml.`;

/**
 * Plays in the arena that the environment names, then exits. Calls `newBot` once per stream.
 *
 * Exit codes: 0 if the arena said Goodbye or closed the stream, or on SIGTERM; 1 if the arena refused the bot, the
 * connection was lost or the bot failed; 2 if the environment names no arena.
 */
export async function run(newBot: () => Bot): Promise<never> {
  const { BALLCOURT_TOKEN: token, BALLCOURT_NAME: name = "", BALLCOURT_VERSION: version = "" } = process.env;
  const arena = orLeave(() => findArena(process.env));
  if (!arena || !token) return leave(2, BY_HAND);
  orLeave(parameters);
  process.on("SIGTERM", () => process.exit(0));
  const asked = process.env.BALLCOURT_STREAMS ?? "";
  const streams = /^([1-9]|1[0-6])$/.test(asked) ? Number(asked) : 1;
  const games = (process.env.BALLCOURT_PLAYS ?? "").split(",").filter(Boolean);
  const play = async () => converse(new Session(newBot(), { name, version, games }), arena, token);
  const ends = await Promise.allSettled(Array.from({ length: streams }, play));
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [explained(end.reason)] : []));
  return leave(failures.length ? 1 : 0, failures.join("\n"));
}

/** Returns what is read from the environment, or leaves with the sentence about what is wrong there. */
function orLeave<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return leave(2, (error as Error).message);
  }
}

/** Returns a sentence for an error of the connection, and the stack trace of an error in the bot's own code. */
function explained(reason: unknown): string {
  if (reason instanceof Refused) return `the arena refused the bot: ${reason.message}`;
  if (reason instanceof Disconnected || reason instanceof ParameterError) return reason.message;
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}

function leave(code: number, sentence: string): never {
  if (sentence) process.stderr.write(`${sentence}\n`);
  process.exit(code);
}
