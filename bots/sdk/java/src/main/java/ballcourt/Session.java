package ballcourt;

import static java.nio.charset.StandardCharsets.UTF_8;

import ballcourt.v1.Protocol.Action;
import ballcourt.v1.Protocol.ArenaMessage;
import ballcourt.v1.Protocol.BotIdentity;
import ballcourt.v1.Protocol.BotMessage;
import ballcourt.v1.Protocol.Capabilities;
import ballcourt.v1.Protocol.Decide;
import ballcourt.v1.Protocol.Evaluation;
import ballcourt.v1.Protocol.GameSupport;
import ballcourt.v1.Protocol.Hello;
import ballcourt.v1.Protocol.MatchEnd;
import ballcourt.v1.Protocol.MatchStart;
import ballcourt.v1.Protocol.Observe;
import ballcourt.v1.Protocol.Ready;
import ballcourt.v1.Protocol.Welcome;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The bot's side of the protocol, without I/O: messages in, messages out.
 *
 * <p>A session can outlive its stream: if {@link #resumable} is true, {@link #hello} starts another
 * stream that continues the session.
 */
public final class Session {
  private static final String SDK = "ballcourt-java 0.1.0";
  private static final int PROTOCOL = 1;
  private static final int THOUGHTS_LIMIT = 4096;
  private static final int MOST_ENTRIES = 64;

  private final Bot bot;
  private final Identity identity;
  private Match match;
  private boolean ended;
  private boolean resumable;
  private int streams;

  private String name = "";
  private long received; // messages of this session, without Hello, Welcome and Goodbye
  private long sent;
  private BotMessage last;

  /** Creates a session that has not sent Hello yet. */
  public Session(Bot bot, Identity identity) {
    this.bot = bot;
    this.identity = identity;
  }

  /** Returns whether the arena said Goodbye. */
  public boolean ended() {
    return ended;
  }

  /** Returns whether the arena waits for the bot if the stream breaks. */
  public boolean resumable() {
    return resumable;
  }

  /** Returns the number of streams on which the arena sent Welcome. */
  public int streams() {
    return streams;
  }

  /** Returns the first message of every stream. */
  public BotMessage hello(String token) {
    Hello.Builder hello =
        Hello.newBuilder()
            .setToken(token)
            .setProtocolMin(PROTOCOL)
            .setProtocolMax(PROTOCOL)
            .setSdk(SDK)
            .setBot(
                BotIdentity.newBuilder().setName(identity.name()).setVersion(identity.version()))
            .setCapabilities(
                Capabilities.newBuilder()
                    .setObserve(bot instanceof Observer)
                    .setWorkLimited(bot.workLimited()))
            .setSession(name)
            .setReceived(received);
    for (String game : identity.games()) {
      hello.addGames(GameSupport.newBuilder().setGame(game));
    }
    return BotMessage.newBuilder().setHello(hello).build();
  }

  /**
   * Passes a message of the arena to the bot and returns its reply, if one is due.
   *
   * @throws Refused if the arena refuses the bot
   * @throws IllegalStateException if the protocol does not allow the message
   * @throws IllegalArgumentException if the bot chooses a number below 0
   */
  public Optional<BotMessage> handle(ArenaMessage message) throws Refused {
    switch (message.getMessageCase()) {
      case WELCOME:
        return resume(message.getWelcome());
      case REFUSED:
        throw new Refused(message.getRefused().getReason());
      case GOODBYE:
        ended = true;
        return Optional.empty();
      default:
        received++;
        return counted(answer(message));
    }
  }

  private Optional<BotMessage> counted(Optional<BotMessage> reply) {
    if (reply.isPresent()) {
      sent++;
      last = reply.get();
    }
    return reply;
  }

  private Optional<BotMessage> answer(ArenaMessage message) {
    switch (message.getMessageCase()) {
      case DECIDE:
        return Optional.of(decide(message.getDecide()));
      case MATCH_START:
        return Optional.of(start(message.getMatchStart()));
      case OBSERVE:
        observe(message.getObserve());
        break;
      case MATCH_END:
        end(message.getMatchEnd());
        break;
      default: // a message of a later protocol
        break;
    }
    return Optional.empty();
  }

  /** Continues after a broken stream: returns the last reply if the arena has not received it. */
  private Optional<BotMessage> resume(Welcome welcome) {
    streams++;
    resumable = welcome.getReconnectMs() != 0;
    if (!welcome.getSession().equals(name)) {
      name = welcome.getSession();
      match = null;
      received = 0;
      sent = 0;
      last = null;
    }
    return welcome.getReceived() < sent ? Optional.of(last) : Optional.empty();
  }

  private BotMessage start(MatchStart start) {
    match = new Match(start, new SplittableRandom(start.getBotSeed()));
    bot.matchStarted(match);
    Ready.Builder ready = Ready.newBuilder().setMatchId(start.getMatchId());
    return BotMessage.newBuilder().setReady(ready).build();
  }

  private BotMessage decide(Decide decide) {
    Decision decision = new Decision(current(), decide);
    int chosen = bot.choose(decision);
    if (chosen < 0) { // protobuf would send it as a number from 2^31
      throw new IllegalArgumentException(
          "choose returned " + chosen + " (int); return one of the numbers in decision.legal()");
    }
    Action.Builder action =
        Action.newBuilder()
            .setDecisionId(decide.getDecisionId())
            .setAction(chosen)
            .setThoughts(shortened(decision.thoughts()))
            .setFallback(decision.fallback());
    decision.evaluation().ifPresent(evaluation -> action.setEvaluation(limited(evaluation)));
    return BotMessage.newBuilder().setAction(action).build();
  }

  private void observe(Observe push) {
    View view = new View(current(), push.getObservation(), push.getEventsList());
    if (bot instanceof Observer observer) {
      observer.observed(view);
    }
  }

  private void end(MatchEnd end) {
    current();
    match = null;
    bot.matchEnded(end);
  }

  private Match current() {
    if (match == null) {
      throw new IllegalStateException(
          "the arena sent a message about a match before its MatchStart");
    }
    return match;
  }

  /** Cuts the lists of an evaluation to the 64 entries that the protocol allows. */
  static Evaluation limited(Evaluation evaluation) {
    return Evaluation.newBuilder()
        .addAllValues(evaluation.getValuesList())
        .addAllRanked(evaluation.getRankedList().stream().limit(MOST_ENTRIES).toList())
        .addAllMarks(evaluation.getMarksList().stream().limit(MOST_ENTRIES).toList())
        .build();
  }

  /** Cuts a string to the 4096 bytes that the protocol allows, at a character boundary. */
  static String shortened(String thoughts) {
    byte[] bytes = thoughts.getBytes(UTF_8);
    if (bytes.length <= THOUGHTS_LIMIT) {
      return thoughts;
    }
    int cut = THOUGHTS_LIMIT;
    while ((bytes[cut] & 0xC0) == 0x80) {
      cut--;
    }
    return new String(bytes, 0, cut, UTF_8);
  }
}
