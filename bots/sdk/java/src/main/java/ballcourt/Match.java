package ballcourt;

import ballcourt.v1.Protocol.MatchStart;
import java.util.random.RandomGenerator;

/**
 * The match that is being played.
 *
 * @param start its game, options, seats and clock
 * @param random seeded by the arena; a match is reproducible if its bots use no other randomness
 */
public record Match(MatchStart start, RandomGenerator random) {
  /** Returns the bot's seat, from 0. */
  public int seat() {
    return start.getSeat();
  }
}
