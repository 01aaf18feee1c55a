package ballcourt;

/** The arena does not let the bot play; the message is its reason. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  Refused(String reason) {
    super(reason);
  }
}
