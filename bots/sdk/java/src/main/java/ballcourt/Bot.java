package ballcourt;

import ballcourt.v1.Protocol.MatchEnd;

/** A player. It plays one seat at a time, match after match, and is used by one thread. */
@FunctionalInterface
public interface Bot {
  /** Answers a question with one of its legal actions, within its limit of time. */
  int choose(Decision decision);

  /** Prepares for a match; this time does not count as thinking time. */
  default void matchStarted(Match match) {}

  /** Learns how a match ended. */
  default void matchEnded(MatchEnd end) {}
}
