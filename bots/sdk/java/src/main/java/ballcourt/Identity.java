package ballcourt;

import java.util.List;

/**
 * Who the bot is, as in its bot.toml.
 *
 * @param name its name in commands and tables
 * @param version raised when the bot plays differently
 * @param games the games it plays; empty: any game
 */
public record Identity(String name, String version, List<String> games) {}
