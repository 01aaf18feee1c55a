/** A bot to begin with: it plays by instinct where it has one for the game and the question, and else at random. */
import { type Bot, type Decision, run } from "ballcourt";

import { instinct } from "./instincts.js";

class Starter implements Bot {
  choose(decision: Decision): number {
    const liked = instinct(decision);
    return decision.match.random.pick(liked.length ? liked : decision.legal);
  }
}

void run(() => new Starter());
