package ballcourt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ballcourt.v1.Protocol.ArenaMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusyTest {
  private String shown = "";

  @Test
  void onlyABotThatComputesIsShown() throws Refused {
    Session session = new Session(this::look, new Identity("mia", "2", List.of()));
    ArenaMessage.Builder start = ArenaMessage.newBuilder();
    start.getMatchStartBuilder().setMatchId("m");
    ArenaMessage.Builder question = ArenaMessage.newBuilder();
    question.getDecideBuilder().addLegal(3).addLegal(5);
    session.handle(start.build());
    session.handle(question.build());
    assertTrue(shown.contains("BusyTest.look"), shown);
    assertEquals("", Busy.stacks());
  }

  private int look(Decision decision) {
    shown = Busy.stacks();
    return 3;
  }
}
