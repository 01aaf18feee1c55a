package ballcourt;

/** The arena cannot be reached, or went away in the middle of the stream. */
final class Disconnected extends Exception {
  Disconnected(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
