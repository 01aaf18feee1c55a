package ballcourt;

import ballcourt.v1.Protocol.Decide;
import java.util.List;

/** One question to the bot. */
public final class Decision extends View {
  private final Decide decide;
  private String thoughts = "";

  Decision(Match match, Decide decide) {
    super(match, decide.getObservation(), decide.getEventsList());
    this.decide = decide;
  }

  /** The actions to choose from, ascending; at least two. */
  public List<Integer> legal() {
    return decide.getLegalList();
  }

  /** The thinking time left for the rest of the match, in milliseconds. */
  public long bankMs() {
    return Integer.toUnsignedLong(decide.getBankMs());
  }

  /** The thinking time for this decision, in milliseconds; a later answer counts as none. */
  public long limitMs() {
    return Integer.toUnsignedLong(decide.getLimitMs());
  }

  /** Asked again: why the last answer to this same question was not accepted; else empty. */
  public String rejected() {
    return decide.getRejected();
  }

  /** Keeps a note of at most 4096 bytes beside the action in the match record. */
  public void setThoughts(String thoughts) {
    this.thoughts = thoughts;
  }

  String thoughts() {
    return thoughts;
  }
}
