package ballcourt;

/** The arena refused the bot; the message is the reason. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  Refused(String reason) {
    super(reason);
  }
}
