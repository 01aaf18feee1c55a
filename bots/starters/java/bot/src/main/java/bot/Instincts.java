package bot;

import ballcourt.Decision;
import ballcourt.v1.Ahau.AhauAction;
import ballcourt.v1.Ahau.AhauActor;
import ballcourt.v1.Ahau.AhauObservation;
import ballcourt.v1.Maya.MayaAction;
import ballcourt.v1.Maya.MayaObservation;
import ballcourt.v1.Maya.MayaPrivate;
import ballcourt.v1.Tzolkin.TzolkinAction;
import ballcourt.v1.Tzolkin.TzolkinObservation;
import ballcourt.v1.Tzolkin.TzolkinPlayer;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Rules of thumb by game: the legal actions that the bot prefers; empty if it has no preference. */
final class Instincts {
  private static final Set<Integer> DECLINED =
      Set.of(
          AhauAction.AHAU_ACTION_STAND_FAST_VALUE,
          AhauAction.AHAU_ACTION_NO_BONUS_VALUE,
          AhauAction.AHAU_ACTION_NO_SUMMON_VALUE,
          AhauAction.AHAU_ACTION_PASS_VALUE,
          AhauAction.AHAU_ACTION_STOP_BUILDING_VALUE);

  // the first action of the Queen; trades follow
  private static final int FIRST_TRADE = AhauAction.AHAU_ACTION_QUEEN_PASS_VALUE;
  private static final int MEANS = 3;

  private Instincts() {}

  static List<Integer> of(Decision decision) {
    List<Integer> legal = decision.legal();
    int seat = decision.match().seat();
    return switch (decision.match().start().getGame()) {
      case "tzolkin" ->
          decision
              .observation(TzolkinObservation.class)
              .map(seen -> tzolkin(legal, seen.getPlayers(seat)))
              .orElse(List.of());
      case "maya" ->
          decision
              .observation(MayaObservation.class)
              .map(seen -> maya(legal, seen.getOwn()))
              .orElse(List.of());
      case "ahau" ->
          decision
              .observation(AhauObservation.class)
              .map(seen -> ahau(legal, seen.getActors(seat)))
              .orElse(List.of());
      default -> List.of();
    };
  }

  /** Builds whenever it can, and saves corn to feed its workers. */
  private static List<Integer> tzolkin(List<Integer> legal, TzolkinPlayer me) {
    int last = legal.get(legal.size() - 1);
    if (last >= TzolkinAction.TZOLKIN_ACTION_BUILD_1_VALUE) {
      return List.of(last);
    }
    int end = TzolkinAction.TZOLKIN_ACTION_END_VALUE;
    return legal.contains(end) && me.getCorn() < 2 * me.getWorkers() ? List.of(end) : List.of();
  }

  /** Plants while it can, the kind it has most of, and fills the board from one corner. */
  private static List<Integer> maya(List<Integer> legal, MayaPrivate own) {
    int lowest = legal.get(0);
    if (lowest == MayaAction.MAYA_ACTION_ACT_PLANT_VALUE
        || lowest >= MayaAction.MAYA_ACTION_CELL_A1_VALUE) {
      return List.of(lowest);
    }
    int firstTile = MayaAction.MAYA_ACTION_TILE_PEPPER_1_VALUE;
    return legal.stream()
        .filter(action -> action >= firstTile && action < MayaAction.MAYA_ACTION_STOP_VALUE)
        .max(Comparator.comparing(tile -> own.getRack(tile - firstTile)))
        .map(List::of)
        .orElse(List.of());
  }

  /** Builds when it has enough resources, accepts offers, and never trades. */
  private static List<Integer> ahau(List<Integer> legal, AhauActor me) {
    int build = AhauAction.AHAU_ACTION_BUILD_VALUE;
    int resources = me.getResourcesList().stream().mapToInt(Integer::intValue).sum();
    if (legal.contains(build) && resources >= MEANS) {
      return List.of(build);
    }
    return legal.stream()
        .filter(action -> action < FIRST_TRADE && !DECLINED.contains(action))
        .toList();
  }
}
