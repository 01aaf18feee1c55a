package ballcourt;

/** A bot that asks the arena to be shown what every decision of another seat led to. */
public interface Observer extends Bot {
  /** Sees what another seat's decision led to. */
  void observed(View view);
}
