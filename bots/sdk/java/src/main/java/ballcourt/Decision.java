package ballcourt;

import ballcourt.v1.Protocol.Decide;
import ballcourt.v1.Protocol.Evaluation;
import java.util.List;
import java.util.Optional;

/** A question to the bot. */
public final class Decision extends View {
  private final Decide decide;
  private String thoughts = "";
  private Optional<Evaluation> evaluation = Optional.empty();
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
   * Sets what the bot makes of the position, in numbers, saved with the action in the match record.
   */
  public void setEvaluation(Evaluation evaluation) {
    this.evaluation = Optional.of(evaluation);
  }

  Optional<Evaluation> evaluation() {
    return evaluation;
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
