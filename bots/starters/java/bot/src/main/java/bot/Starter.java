package bot;

import ballcourt.Ballcourt;
import ballcourt.Bot;
import ballcourt.Decision;
import java.util.List;

/** A bot to start from: it follows the rules of thumb in {@link Instincts}, else it plays at random. */
public final class Starter implements Bot {
  public static void main(String[] arguments) {
    Ballcourt.run(Starter::new);
  }

  @Override
  public int choose(Decision decision) {
    List<Integer> liked = Instincts.of(decision);
    List<Integer> choices = liked.isEmpty() ? decision.legal() : liked;
    return choices.get(decision.match().random().nextInt(choices.size()));
  }
}
