package ballcourt;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Where bots compute. */
final class Busy {
  private static final String SESSION = Session.class.getName();

  private Busy() {}

  /** Returns the stacks of the threads in which a bot computes; empty if all wait for the arena. */
  static String stacks() {
    return Thread.getAllStackTraces().values().stream()
        .map(Arrays::asList)
        .filter(stack -> stack.stream().anyMatch(Busy::isSession))
        .map(Busy::shown)
        .collect(Collectors.joining("\n\n"));
  }

  private static boolean isSession(StackTraceElement frame) {
    return frame.getClassName().equals(SESSION) && frame.getMethodName().equals("handle");
  }

  private static String shown(List<StackTraceElement> stack) {
    return stack.stream().map(frame -> "\tat " + frame).collect(Collectors.joining("\n"));
  }
}
