package ballcourt;

import java.util.List;

/**
 * How the bot calls itself, as in its bot.toml.
 *
 * @param games none: any
 */
public record Identity(String name, String version, List<String> games) {}
