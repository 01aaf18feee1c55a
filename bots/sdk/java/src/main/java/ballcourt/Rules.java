package ballcourt;

import ballcourt.v1.Rules.RulesAnswer;
import ballcourt.v1.Rules.RulesCall;
import ballcourt.v1.Rules.RulesReply;
import ballcourt.v1.Rules.RulesRequest;
import com.google.protobuf.ByteString;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A process that knows the rules of the games and draws positions from what the bot sees. It ends
 * with the bot, and the bot pays for its time. Only one thread at a time may use it.
 */
public final class Rules implements AutoCloseable {
  /** As the playout of a call: it goes on until the match is over. */
  public static final int TO_THE_END = -1; // unsigned

  private final Process process;
  private final OutputStream requests;
  private final DataInputStream replies;
  private ByteString seen = ByteString.EMPTY;

  private Rules(Process process) {
    this.process = process;
    this.requests = process.getOutputStream();
    this.replies = new DataInputStream(process.getInputStream());
  }

  /**
   * Starts the rules. That takes a third of a second: do it in {@code matchStarted}, once.
   *
   * @throws IllegalStateException if the arena offers none
   */
  public static Rules start() {
    String python = System.getenv().getOrDefault("BALLCOURT_PYTHON", "");
    if (python.isEmpty()) {
      throw new IllegalStateException(
          "BALLCOURT_PYTHON is not set; the arena that starts a bot sets it");
    }
    try {
      return new Rules(
          new ProcessBuilder(python, "-I", "-m", "ballcourt.bots.sdk.python.rules")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /**
   * Carries out calls about positions that fit a view, in order, and returns an answer for each.
   * Ask as much as you can at once. A view with another observation forgets the positions that were
   * kept.
   *
   * @throws IllegalStateException if the request is refused
   */
  public List<RulesAnswer> ask(View view, List<RulesCall> calls) {
    RulesRequest.Builder request =
        RulesRequest.newBuilder().setGame(view.match().start().getGame()).addAllCalls(calls);
    if (!view.data().equals(seen)) {
      request.setObservation(view.data());
    }
    RulesReply reply;
    try {
      reply = exchange(request.build());
    } catch (IOException error) {
      throw new UncheckedIOException("the rules do not answer", error);
    }
    if (!reply.getRefused().isEmpty()) {
      throw new IllegalStateException("the rules refuse the request: " + reply.getRefused());
    }
    seen = view.data();
    return reply.getAnswersList();
  }

  /** Ends the process. */
  @Override
  public void close() {
    process.destroy();
  }

  private RulesReply exchange(RulesRequest request) throws IOException {
    int size = request.getSerializedSize();
    ByteBuffer message = ByteBuffer.allocate(4 + size).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(size).put(request.toByteArray());
    requests.write(message.array());
    requests.flush();
    byte[] data = new byte[Integer.reverseBytes(replies.readInt())];
    if (replies.readNBytes(data, 0, data.length) < data.length) {
      throw new EOFException();
    }
    return RulesReply.parseFrom(data);
  }
}
