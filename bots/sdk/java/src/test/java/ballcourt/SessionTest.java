package ballcourt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ballcourt.v1.Protocol.Action;
import ballcourt.v1.Protocol.ArenaMessage;
import ballcourt.v1.Protocol.BotMessage;
import ballcourt.v1.Protocol.Decide;
import ballcourt.v1.Protocol.GameSupport;
import ballcourt.v1.Protocol.Goodbye;
import ballcourt.v1.Protocol.Hello;
import ballcourt.v1.Protocol.MatchStart;
import ballcourt.v1.Protocol.Welcome;
import ballcourt.v1.Tzolkin.TzolkinObservation;
import ballcourt.v1.Tzolkin.TzolkinPlayer;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionTest {
  private static final Identity IDENTITY = new Identity("mia", "2", List.of("maya"));
  private static final Bot HIGHEST =
      decision -> {
        decision.setThoughts("why not");
        return decision.legal().get(decision.legal().size() - 1);
      };

  private final Session session = new Session(HIGHEST, IDENTITY);

  @Test
  void aReplyHasTheDecisionIdAndTheThoughts() throws Refused {
    session.handle(start(1));
    Action expected =
        Action.newBuilder().setDecisionId(7).setAction(5).setThoughts("why not").build();
    assertEquals(expected, session.handle(ask(7)).orElseThrow().getAction());
  }

  @Test
  void aNumberBelowZeroIsRefusedBeforeItIsSent() throws Refused {
    for (int wrong : new int[] {-1, Integer.MIN_VALUE, (int) (1L << 31)}) {
      Session low = new Session(decision -> wrong, IDENTITY);
      low.handle(start(1));
      Exception thrown = assertThrows(IllegalArgumentException.class, () -> low.handle(ask(7)));
      assertEquals(
          "choose returned " + wrong + " (int); return one of the numbers in decision.legal()",
          thrown.getMessage());
    }
  }

  @Test
  void helloHasTheIdentityOfTheBot() {
    Hello hello = session.hello("secret").getHello();
    assertEquals("secret", hello.getToken());
    assertEquals("mia", hello.getBot().getName());
    assertEquals("2", hello.getBot().getVersion());
    assertEquals(List.of(GameSupport.newBuilder().setGame("maya").build()), hello.getGamesList());
  }

  @Test
  void onlyAnObserverAsksForPushes() {
    assertFalse(session.hello("").getHello().getCapabilities().getObserve());
    Session observing = new Session(new Watcher(), IDENTITY);
    assertTrue(observing.hello("").getHello().getCapabilities().getObserve());
  }

  @Test
  void aResumedSessionRepeatsItsLastReplyOnlyIfTheArenaLacksIt() throws Refused {
    session.handle(welcome("s", 0));
    session.handle(start(1));
    Optional<BotMessage> reply = session.handle(ask(1));
    assertEquals(2, session.hello("").getHello().getReceived());
    assertEquals(reply, session.handle(welcome("s", 1)));
    assertEquals(Optional.empty(), session.handle(welcome("s", 2)));
  }

  @Test
  void aNewSessionIdStartsOver() throws Refused {
    session.handle(welcome("s", 0));
    session.handle(start(1));
    session.handle(welcome("t", 0));
    assertEquals(0, session.hello("").getHello().getReceived());
    assertThrows(IllegalStateException.class, () -> session.handle(ask(1)));
  }

  @Test
  void aRefusalIsThrownWithItsReason() {
    ArenaMessage.Builder refused = ArenaMessage.newBuilder();
    refused.getRefusedBuilder().setReason("no such token");
    Refused thrown = assertThrows(Refused.class, () -> session.handle(refused.build()));
    assertEquals("no such token", thrown.getMessage());
  }

  @Test
  void aGoodbyeEndsTheSession() throws Refused {
    session.handle(ArenaMessage.newBuilder().setGoodbye(Goodbye.getDefaultInstance()).build());
    assertTrue(session.ended());
  }

  @Test
  void anUnknownMessageIsCountedAndNotAnswered() throws Refused {
    UnknownFieldSet.Field empty =
        UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build();
    ArenaMessage newer =
        ArenaMessage.newBuilder()
            .setUnknownFields(UnknownFieldSet.newBuilder().addField(99, empty).build())
            .build();
    assertEquals(Optional.empty(), session.handle(newer));
    assertEquals(1, session.hello("").getHello().getReceived());
  }

  @Test
  void theSameSeedGivesTheSameRandomNumbers() throws Refused {
    List<Long> drawn = new ArrayList<>();
    Bot drawing =
        new Bot() {
          @Override
          public int choose(Decision decision) {
            return 0;
          }

          @Override
          public void matchStarted(Match match) {
            drawn.add(match.random().nextLong());
          }
        };
    Session many = new Session(drawing, IDENTITY);
    for (long seed : new long[] {-1, -1, 1}) {
      many.handle(start(seed));
    }
    assertEquals(drawn.get(0), drawn.get(1));
    assertFalse(drawn.get(0).equals(drawn.get(2)));
  }

  @Test
  void anObservationIsDecodedOnlyAsTheMessageOfItsGame() {
    TzolkinObservation seen =
        TzolkinObservation.newBuilder().addPlayers(TzolkinPlayer.newBuilder().setCorn(4)).build();
    MatchStart start =
        MatchStart.newBuilder().setObservationType("ballcourt.v1.TzolkinObservation").build();
    View view = new View(new Match(start, null), seen.toByteString(), List.of());
    assertEquals(Optional.of(seen), view.observation(TzolkinObservation.class));
    assertEquals(Optional.empty(), view.observation(TzolkinPlayer.class));
  }

  @Test
  void thoughtsAreCutAtACharacterBoundary() {
    String thoughts = "x" + "é".repeat(2048);
    assertEquals("x" + "é".repeat(2047), Session.shortened(thoughts));
    assertEquals("short", Session.shortened("short"));
  }

  private static ArenaMessage start(long seed) {
    MatchStart.Builder start = MatchStart.newBuilder().setMatchId("m").setBotSeed(seed);
    return ArenaMessage.newBuilder().setMatchStart(start).build();
  }

  private static ArenaMessage ask(long id) {
    Decide.Builder decide = Decide.newBuilder().setDecisionId(id).addLegal(3).addLegal(5);
    return ArenaMessage.newBuilder().setDecide(decide).build();
  }

  private static ArenaMessage welcome(String name, long received) {
    Welcome.Builder welcome =
        Welcome.newBuilder().setSession(name).setReceived(received).setReconnectMs(1000);
    return ArenaMessage.newBuilder().setWelcome(welcome).build();
  }

  private static final class Watcher implements Observer {
    @Override
    public int choose(Decision decision) {
      return 0;
    }

    @Override
    public void observed(View view) {}
  }
}
