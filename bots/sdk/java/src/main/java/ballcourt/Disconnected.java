package ballcourt;

/** The arena cannot be reached, or went away in the middle of the stream. */
final class Disconnected extends Exception {
  private static final long serialVersionUID = 1;

  Disconnected(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
