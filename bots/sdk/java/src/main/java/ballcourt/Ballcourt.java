package ballcourt;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import sun.misc.Signal;

/** Makes a bot a program. */
public final class Ballcourt {
  private static final String BY_HAND =
      """
      This is a bot: the arena starts it, and BALLCOURT_SOCKET and BALLCOURT_TOKEN then tell it where to play.
      To see it play, run "ballcourt check-bot" with the folder of its bot.toml.\
      """;

  private Ballcourt() {}

  /**
   * Plays for the arena that the environment names, then ends the process.
   *
   * <p>Exit codes: 0 the arena said Goodbye, closed the stream or asked the process to end, even in
   * the middle of a thought; 1 it refused the bot or went away, or the bot failed; 2 the
   * environment names no arena.
   *
   * @param newBot called once for every stream
   */
  public static void run(Supplier<? extends Bot> newBot) {
    // nothing public lets a signal end the process with 0
    Signal.handle(new Signal("TERM"), signal -> System.exit(0));
    System.exit(play(newBot, System.getenv()));
  }

  private static int play(Supplier<? extends Bot> newBot, Map<String, String> environment) {
    Optional<Address> arena;
    try {
      arena = Address.find(environment);
    } catch (IllegalArgumentException error) {
      System.err.println(error.getMessage());
      return 2;
    }
    if (arena.isEmpty() || environment.getOrDefault("BALLCOURT_TOKEN", "").isEmpty()) {
      System.err.println(BY_HAND);
      return 2;
    }
    return playAll(newBot, arena.get(), environment);
  }

  /** Plays as many streams at once as BALLCOURT_STREAMS says, each with a bot of its own. */
  private static int playAll(
      Supplier<? extends Bot> newBot, Address arena, Map<String, String> environment) {
    String asked = environment.getOrDefault("BALLCOURT_STREAMS", "");
    int streams = asked.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(asked) : 1;
    Identity identity = identity(environment);
    String token = environment.get("BALLCOURT_TOKEN");
    ExecutorService threads = Executors.newFixedThreadPool(streams);
    List<CompletableFuture<Integer>> ends =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(
                        () -> playOne(newBot, identity, arena, token), threads))
            .limit(streams)
            .toList();
    return ends.stream().mapToInt(CompletableFuture::join).max().getAsInt();
  }

  private static Identity identity(Map<String, String> environment) {
    String games = environment.getOrDefault("BALLCOURT_PLAYS", "");
    return new Identity(
        environment.getOrDefault("BALLCOURT_NAME", ""),
        environment.getOrDefault("BALLCOURT_VERSION", ""),
        Pattern.compile(",").splitAsStream(games).filter(game -> !game.isEmpty()).toList());
  }

  /** Plays one stream; returns the exit code it stands for. */
  private static int playOne(
      Supplier<? extends Bot> newBot, Identity identity, Address arena, String token) {
    try {
      new Conversation(new Session(newBot.get(), identity), arena, token).play();
      return 0;
    } catch (Refused refusal) {
      System.err.println("the arena refused the bot: " + refusal.getMessage());
    } catch (Disconnected lost) {
      System.err.println(lost.getMessage());
    } catch (Throwable failure) { // the bot's own; a failed bot ends
      failure.printStackTrace();
    }
    return 1;
  }
}
