import { type Address, findArena } from "./address.js";
import type { Bot } from "./bot.js";
import { Refused, Session } from "./session.js";
import { converse, Disconnected } from "./stream.js";

const BY_HAND = `This is a bot: the arena starts it, and BALLCOURT_SOCKET and BALLCOURT_TOKEN then tell it where to play.
To see it play, run "ballcourt check-bot" with the folder of its bot.toml.`;

/**
 * Plays for the arena that the environment names, then ends the process. `newBot` is called once for every stream.
 *
 * Exit codes: 0 the arena said Goodbye, closed the stream or asked the process to end, 1 it refused the bot or went
 * away, or the bot failed, 2 the environment names no arena.
 */
export async function run(newBot: () => Bot): Promise<never> {
  const { BALLCOURT_TOKEN: token, BALLCOURT_NAME: name = "", BALLCOURT_VERSION: version = "" } = process.env;
  const arena = arenaOrLeave();
  if (!arena || !token) return leave(2, BY_HAND);
  process.on("SIGTERM", () => process.exit(0));
  const streams = Math.max(1, Number.parseInt(process.env.BALLCOURT_STREAMS ?? "1") || 1);
  const games = (process.env.BALLCOURT_PLAYS ?? "").split(",").filter(Boolean);
  const sessions = Array.from({ length: streams }, () => new Session(newBot(), { name, version, games }));
  const ends = await Promise.allSettled(sessions.map((session) => converse(session, arena, token)));
  const failures = ends.flatMap((end) => (end.status === "rejected" ? [explained(end.reason)] : []));
  return leave(failures.length ? 1 : 0, failures.join("\n"));
}

function arenaOrLeave(): Address | undefined {
  try {
    return findArena(process.env);
  } catch (error) {
    return leave(2, (error as Error).message);
  }
}

/** Puts what the arena did into a sentence; what the bot's own code threw keeps its trace. */
function explained(reason: unknown): string {
  if (reason instanceof Refused) return `the arena refused the bot: ${reason.message}`;
  if (reason instanceof Disconnected) return reason.message;
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}

function leave(code: number, sentence: string): never {
  if (sentence) process.stderr.write(`${sentence}\n`);
  process.exit(code);
}
