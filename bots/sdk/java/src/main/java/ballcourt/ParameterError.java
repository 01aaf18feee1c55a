package ballcourt;

/** The bot has no such parameter; the message is a sentence for its author. */
public final class ParameterError extends RuntimeException {
  private static final long serialVersionUID = 1;

  ParameterError(String sentence) {
    super(sentence);
  }
}
