package ballcourt;

import ballcourt.v1.Protocol.Decide;
import java.util.List;

/** A question to the bot. */
public final class Decision extends View {
  private final Decide decide;
  private String thoughts = "";
  private boolean fallback;

  Decision(Match match, Decide decide) {
    super(match, decide.getObservation(), decide.getEventsList());
    this.decide = decide;
  }

  /** Returns the legal actions, ascending; at least two. */
  public List<Integer> legal() {
    return decide.getLegalList();
  }

  /** Returns the think time left for the rest of the match, in milliseconds. */
  public long bankMs() {
    return Integer.toUnsignedLong(decide.getBankMs());
  }

  /** Returns the think time for this decision, in milliseconds. */
  public long limitMs() {
    return Integer.toUnsignedLong(decide.getLimitMs());
  }

  /** Returns why the previous answer to this question was rejected; empty on the first attempt. */
  public String rejected() {
    return decide.getRejected();
  }

  /** Sets a note, saved with the action in the match record; cut to 4096 bytes. */
  public void setThoughts(String thoughts) {
    this.thoughts = thoughts;
  }

  String thoughts() {
    return thoughts;
  }

  /**
   * Sets whether the bot did not choose the action itself, as when a model gave no answer; the
   * record keeps it.
   */
  public void setFallback(boolean fallback) {
    this.fallback = fallback;
  }

  boolean fallback() {
    return fallback;
  }
}
