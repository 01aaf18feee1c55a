/**
 * The Java SDK: write a {@link ballcourt.Bot}, call {@link ballcourt.Ballcourt#run}.
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *   Ballcourt.run(() -> decision -> decision.legal().get(0));
 * }
 * }</pre>
 *
 * <p>The messages, and an enum of every game's actions, are in the package {@code ballcourt.v1}, by
 * the file they come from: {@code ballcourt.v1.Tzolkin.TzolkinAction}, say.
 */
package ballcourt;
