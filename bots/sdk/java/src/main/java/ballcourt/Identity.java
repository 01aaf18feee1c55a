package ballcourt;

import java.util.List;

/**
 * How the bot calls itself, as in its bot.toml.
 *
 * @param name what commands and tables call it
 * @param version another one for a bot that plays differently
 * @param games the games it plays; none: any
 */
public record Identity(String name, String version, List<String> games) {}
