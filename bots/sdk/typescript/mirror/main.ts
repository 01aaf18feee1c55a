/** The mirror bot of the contract: its answers show what the SDK passed to it. */
import type { Bot, Decision, Match } from "../src/index.js";
import { parameters, run } from "../src/index.js";
import { AhauAction } from "../src/gen/ballcourt/v1/ahau_pb.js";
import { MayaAction } from "../src/gen/ballcourt/v1/maya_pb.js";
import { TzolkinAction } from "../src/gen/ballcourt/v1/tzolkin_pb.js";

class Mirror implements Bot {
  readonly workLimited = true;
  private match!: Match;
  private started = 0;
  private ended = 0;
  private pushed = 0;
  private settings = "";

  matchStarted(match: Match): void {
    this.match = match;
    this.started++;
    this.pushed = 0;
    this.settings = settings();
  }

  observed(): void {
    this.pushed++;
  }

  matchEnded(): void {
    this.ended++;
  }

  choose(decision: Decision): number {
    const [figure, nameOf] = seen(decision);
    const told = decision.events.reduce((sum, event) => sum + event.action, Number(this.match.start.botSeed % 1000n));
    const action = decision.legal[(told + this.match.seat + figure) % decision.legal.length]!;
    const name = nameOf(action) ?? String(action);
    decision.thoughts = `${name} ${figure} started ${this.started} ended ${this.ended} pushed ${this.pushed}`;
    const work = this.match.start.clock?.work;
    if (work) decision.thoughts += ` work ${work}`;
    decision.thoughts += this.settings;
    decision.fallback = action === decision.legal[0];
    if (action === decision.legal.at(-1)) decision.evaluation = evaluation(decision, name);
    return action;
  }
}

/** Returns what the thoughts show of the parameters, if there are any. */
function settings(): string {
  const given = parameters();
  if (!given.names.length) return "";
  return ` shift ${given.whole("shift")} weight ${Math.floor(1000 * given.number("weight"))}`;
}

function evaluation({ legal, match }: Decision, label: string): Decision["evaluation"] {
  return {
    values: Array.from({ length: match.start.seats }, (_, seat) => (seat === match.seat ? 0.5 : -0.5)),
    ranked: legal.map((action, index) => ({ action, value: index / 4, visits: index })),
    marks: [{ place: "mirror", label }],
  };
}

/** Returns the figure from the typed observation, and a function that names the game's actions. */
function seen(decision: Decision): [number, (action: number) => string | undefined] {
  const seat = decision.match.seat;
  const { observation } = decision;
  switch (observation?.$typeName) {
    case "ballcourt.v1.TzolkinObservation":
      return [observation.players[seat]!.corn, (action) => named("TZOLKIN", TzolkinAction[action])];
    case "ballcourt.v1.MayaObservation":
      return [observation.players[seat]!.score, (action) => named("MAYA", MayaAction[action])];
    case "ballcourt.v1.AhauObservation":
      return [observation.actors[seat]!.fame, (action) => named("AHAU", AhauAction[action])];
    default:
      return [0, () => undefined];
  }
}

/** Returns the name in the .proto file; the generated enum has it without its prefix. */
function named(game: string, action: string | undefined): string | undefined {
  return action && `${game}_ACTION_${action}`;
}

void run(() => new Mirror());
