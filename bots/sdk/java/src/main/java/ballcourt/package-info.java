/**
 * The Java SDK: implement {@link ballcourt.Bot}, call {@link ballcourt.Ballcourt#run}.
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *   Ballcourt.run(() -> decision -> decision.legal().get(0));
 * }
 * }</pre>
 *
 * <p>The package {@code ballcourt.v1} has the messages and an enum of the actions of every game, in
 * one class per .proto file: for example {@code ballcourt.v1.Tzolkin.TzolkinAction}.
 */
package ballcourt;
