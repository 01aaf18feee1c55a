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

/** Runs a bot as a program. */
public final class Ballcourt {
  private static final String BY_HAND =
      """
      This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.
      To see it play, run "ballcourt check bot FOLDER", where FOLDER has its bot.toml.\
      """;

  private Ballcourt() {}

  /**
   * Plays in the arena that the environment names, then exits.
   *
   * <p>Exit codes: 0 if the arena said Goodbye or closed the stream, or on SIGTERM; 1 if the arena
   * refused the bot, the connection was lost or the bot failed; 2 if the environment names no
   * arena.
   *
   * @param newBot called once per stream
   */
  public static void run(Supplier<? extends Bot> newBot) {
    // no public API can exit with 0 on a signal
    Signal.handle(new Signal("TERM"), signal -> leave());
    System.exit(play(newBot, System.getenv()));
  }

  /** Says where bots compute, and exits. */
  private static void leave() {
    String busy = Busy.stacks();
    if (!busy.isEmpty()) {
      System.err.println("it was asked to end while it was here:\n" + busy);
    }
    Runtime.getRuntime().halt(0); // a hook of the bot could hang
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
    try {
      Parameters.own();
    } catch (IllegalArgumentException error) {
      System.err.println(error.getMessage());
      return 2;
    }
    return playAll(newBot, arena.get(), environment);
  }

  /**
   * Plays on BALLCOURT_STREAMS streams at once, each with its own bot; returns the highest exit
   * code.
   */
  private static int playAll(
      Supplier<? extends Bot> newBot, Address arena, Map<String, String> environment) {
    String asked = environment.getOrDefault("BALLCOURT_STREAMS", "");
    int streams = asked.matches("[1-9]|1[0-6]") ? Integer.parseInt(asked) : 1;
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

  /** Plays on one stream and returns an exit code. */
  private static int playOne(
      Supplier<? extends Bot> newBot, Identity identity, Address arena, String token) {
    try {
      new Conversation(new Session(newBot.get(), identity), arena, token).play();
      return 0;
    } catch (Refused refusal) {
      System.err.println("the arena refused the bot: " + refusal.getMessage());
    } catch (Disconnected | ParameterError reason) {
      System.err.println(reason.getMessage());
    } catch (Throwable failure) { // from the bot's own code
      failure.printStackTrace();
    }
    return 1;
  }
}
