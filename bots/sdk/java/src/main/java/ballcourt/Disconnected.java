package ballcourt;

/** The arena cannot be reached, or the stream broke. */
final class Disconnected extends Exception {
  private static final long serialVersionUID = 1;

  Disconnected(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
