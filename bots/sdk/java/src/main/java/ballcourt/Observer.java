package ballcourt;

/** A bot that is called after every decision of another seat. */
public interface Observer extends Bot {
  /** Called after every decision of another seat. */
  void observed(View view);
}
