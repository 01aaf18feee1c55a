package ballcourt;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters that bot.toml declares, as the organiser has set them. */
public final class Parameters {
  private static final Pattern WORD =
      Pattern.compile("([^=]+)=(-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?)");
  private static final double MOST = 1e15; // in either direction

  private final Map<String, String> values = new LinkedHashMap<>(); // as they were written

  /** Reads a list such as "depth=4,trust=0.5". The last value of a name counts. */
  Parameters(String written) {
    for (String word : written.split(",")) {
      if (word.isEmpty()) {
        continue;
      }
      Matcher read = WORD.matcher(word);
      if (!read.matches() || Math.abs(Double.parseDouble(read.group(2))) > MOST) {
        throw new IllegalArgumentException(
            ("BALLCOURT_PARAMETERS is '%s'; it must be NAME=NUMBER, several separated by commas, "
                    + "for example depth=4,trust=0.5")
                .formatted(written));
      }
      values.put(read.group(1), read.group(2));
    }
  }

  /** Returns the parameters of the bot. Their values never change while it runs. */
  public static Parameters own() {
    return new Parameters(System.getenv().getOrDefault("BALLCOURT_PARAMETERS", ""));
  }

  /** Returns the names of the parameters. */
  public List<String> names() {
    return List.copyOf(values.keySet());
  }

  /**
   * Returns the value of a parameter whose numbers in bot.toml are whole.
   *
   * @throws ParameterError if there is none; a bot that does not catch it ends with its sentence
   */
  public long whole(String name) {
    String written = written(name);
    try {
      return Long.parseLong(written);
    } catch (NumberFormatException error) {
      throw new ParameterError(
          ("the parameter '%s' is %s; it must be a whole number: write its default, least and most "
                  + "in bot.toml without a point")
              .formatted(name, written));
    }
  }

  /**
   * Returns the value of a parameter.
   *
   * @throws ParameterError if there is none; a bot that does not catch it ends with its sentence
   */
  public double number(String name) {
    return Double.parseDouble(written(name));
  }

  private String written(String name) {
    String value = values.get(name);
    if (value == null) {
      String declared = values.isEmpty() ? "none" : String.join(", ", values.keySet());
      throw new ParameterError(
          "there is no parameter '%s'; bot.toml declares %s".formatted(name, declared));
    }
    return value;
  }
}
