package ballcourt;

import ballcourt.v1.Protocol.MatchEnd;

/** A player. It plays one match at a time, and only one thread calls it. */
@FunctionalInterface
public interface Bot {
  /** Returns one of {@code decision.legal()}, within {@code decision.limitMs()} milliseconds. */
  int choose(Decision decision);

  /** Called at the start of a match. This time does not count as think time. */
  default void matchStarted(Match match) {}

  /** Called at the end of a match, with the results of all seats. */
  default void matchEnded(MatchEnd end) {}

  /**
   * Returns whether {@code choose} limits itself to {@code clock.work} units per decision, where
   * that is not 0. The unit is the bot's own (positions, playouts). No clock runs, so it plays
   * alike on every machine.
   */
  default boolean workLimited() {
    return false;
  }
}
