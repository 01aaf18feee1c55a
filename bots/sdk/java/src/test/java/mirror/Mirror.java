package mirror;

import ballcourt.Ballcourt;
import ballcourt.Decision;
import ballcourt.Match;
import ballcourt.Observer;
import ballcourt.Parameters;
import ballcourt.View;
import ballcourt.v1.Ahau.AhauAction;
import ballcourt.v1.Ahau.AhauObservation;
import ballcourt.v1.Maya.MayaAction;
import ballcourt.v1.Maya.MayaObservation;
import ballcourt.v1.Protocol.Evaluation;
import ballcourt.v1.Protocol.Event;
import ballcourt.v1.Protocol.MatchEnd;
import ballcourt.v1.Tzolkin.TzolkinAction;
import ballcourt.v1.Tzolkin.TzolkinObservation;
import java.util.List;
import java.util.Optional;

/** The mirror bot of the contract: its answers show what the SDK passed to it. */
public final class Mirror implements Observer {
  private int started;
  private int ended;
  private int pushed;
  private String settings = "";

  public static void main(String[] arguments) {
    Ballcourt.run(Mirror::new);
  }

  @Override
  public void matchStarted(Match match) {
    started++;
    pushed = 0;
    settings = settings(Parameters.own());
  }

  @Override
  public void observed(View view) {
    pushed++;
  }

  @Override
  public boolean workLimited() {
    return true;
  }

  @Override
  public void matchEnded(MatchEnd end) {
    ended++;
  }

  @Override
  public int choose(Decision decision) {
    int figure = figure(decision);
    long place = Long.remainderUnsigned(decision.match().start().getBotSeed(), 1000);
    place += decision.match().seat() + figure;
    place += decision.events().stream().mapToLong(Event::getAction).sum();
    List<Integer> legal = decision.legal();
    int action = legal.get((int) (place % legal.size()));
    long work = decision.match().start().getClock().getWork();
    String name = name(decision, action);
    decision.setThoughts(
        "%s %d started %d ended %d pushed %d".formatted(name, figure, started, ended, pushed)
            + (work == 0 ? "" : " work " + work)
            + settings);
    decision.setFallback(action == legal.get(0));
    if (action == legal.get(legal.size() - 1)) {
      decision.setEvaluation(evaluation(decision, name));
    }
    return action;
  }

  /** Returns what the thoughts show of the parameters, if there are any. */
  private static String settings(Parameters given) {
    if (given.names().isEmpty()) {
      return "";
    }
    long thousandths = (long) Math.floor(1000 * given.number("weight"));
    return " shift %d weight %d".formatted(given.whole("shift"), thousandths);
  }

  private static Evaluation evaluation(Decision decision, String name) {
    Evaluation.Builder evaluation = Evaluation.newBuilder();
    for (int seat = 0; seat < decision.match().start().getSeats(); seat++) {
      evaluation.addValues(seat == decision.match().seat() ? 0.5 : -0.5);
    }
    for (int i = 0; i < decision.legal().size(); i++) {
      evaluation
          .addRankedBuilder()
          .setAction(decision.legal().get(i))
          .setValue(i / 4.0)
          .setVisits(i);
    }
    evaluation.addMarksBuilder().setPlace("mirror").setLabel(name);
    return evaluation.build();
  }

  /** Returns the figure from the typed observation, or 0 in another game. */
  private static int figure(Decision decision) {
    int seat = decision.match().seat();
    Optional<Integer> tzolkin =
        decision.observation(TzolkinObservation.class).map(seen -> seen.getPlayers(seat).getCorn());
    Optional<Integer> maya =
        decision.observation(MayaObservation.class).map(seen -> seen.getPlayers(seat).getScore());
    Optional<Integer> ahau =
        decision.observation(AhauObservation.class).map(seen -> seen.getActors(seat).getFame());
    return tzolkin.or(() -> maya).or(() -> ahau).orElse(0);
  }

  private static String name(Decision decision, int action) {
    Enum<?> known =
        switch (decision.match().start().getGame()) {
          case "tzolkin" -> TzolkinAction.forNumber(action);
          case "maya" -> MayaAction.forNumber(action);
          case "ahau" -> AhauAction.forNumber(action);
          default -> null;
        };
    return known == null ? Integer.toString(action) : known.name();
  }
}
