import type { Decision } from "ballcourt";
import { type AhauActor, AhauAction } from "ballcourt/v1/ahau";
import { MayaAction, type MayaPrivate } from "ballcourt/v1/maya";
import { TzolkinAction, type TzolkinPlayer } from "ballcourt/v1/tzolkin";

/** Returns the legal actions that the bot prefers; empty if it has no preference. */
export function instinct(decision: Decision): readonly number[] {
  const { legal, match, observation: seen } = decision;
  switch (seen?.$typeName) {
    case "ballcourt.v1.TzolkinObservation":
      return tzolkin(legal, seen.players[match.seat]!);
    case "ballcourt.v1.MayaObservation":
      return maya(legal, seen.own!);
    case "ballcourt.v1.AhauObservation":
      return ahau(legal, seen.actors[match.seat]!);
    default:
      return [];
  }
}

/** Builds whenever it can, and saves corn to feed its workers. */
function tzolkin(
  legal: readonly number[],
  me: TzolkinPlayer,
): readonly number[] {
  const last = legal.at(-1)!;
  if (last >= TzolkinAction.BUILD_1) return [last];
  const saves = legal.includes(TzolkinAction.END) && me.corn < 2 * me.workers;
  return saves ? [TzolkinAction.END] : [];
}

/** Plants while it can, the kind it has most of, and fills the board from one corner because groups score. */
function maya(legal: readonly number[], own: MayaPrivate): readonly number[] {
  const lowest = legal[0]!;
  if (lowest === MayaAction.ACT_PLANT || lowest >= MayaAction.CELL_A1)
    return [lowest];
  const left = (tile: number) => own.rack[tile - MayaAction.TILE_PEPPER_1]!;
  const tiles = legal.filter(
    (action) => action >= MayaAction.TILE_PEPPER_1 && action < MayaAction.STOP,
  );
  return tiles.length
    ? [tiles.reduce((best, tile) => (left(tile) > left(best) ? tile : best))]
    : [];
}

const DECLINED: readonly number[] = [
  AhauAction.STAND_FAST,
  AhauAction.NO_BONUS,
  AhauAction.NO_SUMMON,
  AhauAction.PASS,
  AhauAction.STOP_BUILDING,
];
const FIRST_TRADE: number = AhauAction.QUEEN_PASS; // the first action of the Queen; trades follow
const MEANS = 3;

/** Builds when it has enough resources, accepts offers, and never trades. */
function ahau(legal: readonly number[], me: AhauActor): readonly number[] {
  const resources = me.resources.reduce((sum, count) => sum + count, 0);
  if (legal.includes(AhauAction.BUILD) && resources >= MEANS)
    return [AhauAction.BUILD];
  return legal.filter(
    (action) => action < FIRST_TRADE && !DECLINED.includes(action),
  );
}
