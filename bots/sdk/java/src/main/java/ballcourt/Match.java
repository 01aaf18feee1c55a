package ballcourt;

import ballcourt.v1.Protocol.MatchStart;
import java.util.random.RandomGenerator;

/**
 * The match being played.
 *
 * @param start its game, options, seats and clock
 * @param random seeded by the arena: a bot that draws from nothing else can play a match again
 */
public record Match(MatchStart start, RandomGenerator random) {
  /** The bot's seat, from 0. */
  public int seat() {
    return start.getSeat();
  }
}
