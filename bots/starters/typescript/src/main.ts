/** A bot to start from: it follows the rules of thumb in instincts.ts, else it plays at random. */
import { type Bot, type Decision, run } from "ballcourt";

import { instinct } from "./instincts.js";

class Starter implements Bot {
  choose(decision: Decision): number {
    const liked = instinct(decision);
    return decision.match.random.pick(liked.length ? liked : decision.legal);
  }
}

void run(() => new Starter());
