import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";

import type { View } from "./bot.js";
import {
  type RulesAnswer,
  type RulesCallSchema,
  RulesReplySchema,
  type RulesRequest,
  RulesRequestSchema,
} from "./gen/ballcourt/v1/rules_pb.js";

/** As the playout of a call: it goes on until the match is over. */
export const TO_THE_END = 0xffffffff;

/**
 * A process that knows the rules of the games and draws positions from what the bot sees. It ends with the bot, and the
 * bot pays for its time. Wait for an answer before you ask again.
 */
export class Rules {
  private readonly process: ChildProcessByStdio<Writable, Readable, null>;
  private readonly replies: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private seen: Uint8Array | undefined;

  /** Starts the rules. That takes a third of a second: do it in `matchStarted`, once. */
  constructor() {
    const python = process.env.BALLCOURT_PYTHON;
    if (!python) throw new Error("BALLCOURT_PYTHON is not set; the arena that starts a bot sets it");
    this.process = spawn(python, ["-I", "-m", "ballcourt.bots.sdk.python.rules"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.process.on("error", () => {}); // the next answer fails
    this.process.stdin.on("error", () => {});
    this.replies = this.process.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /**
   * Carries out calls about positions that fit a view, in order, and returns an answer for each. Ask as much as you can
   * at once. A view with another observation forgets the positions that were kept.
   */
  async ask(view: View, calls: MessageInitShape<typeof RulesCallSchema>[]): Promise<RulesAnswer[]> {
    const isNew = !this.seen || Buffer.compare(this.seen, view.data) !== 0;
    const observation = isNew ? view.data : new Uint8Array();
    const request = create(RulesRequestSchema, { game: view.match.start.game, observation, calls });
    const { refused, answers } = await this.exchange(request);
    if (refused) throw new Error(`the rules refuse the request: ${refused}`);
    this.seen = view.data;
    return answers;
  }

  /** Ends the process. */
  close(): void {
    this.process.kill();
  }

  private async exchange(request: RulesRequest) {
    const data = toBinary(RulesRequestSchema, request);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(data.length);
    this.process.stdin.write(Buffer.concat([head, data]));
    const size = (await this.read(4)).readUInt32LE();
    return fromBinary(RulesReplySchema, await this.read(size));
  }

  private async read(size: number): Promise<Buffer> {
    const parts: Buffer[] = [this.rest];
    let length = this.rest.length;
    while (length < size) {
      const { done, value } = await this.replies.next();
      if (done) throw new Error("the rules do not answer: they have ended");
      parts.push(value);
      length += value.length;
    }
    const all = Buffer.concat(parts);
    this.rest = all.subarray(size);
    return all.subarray(0, size);
  }
}
