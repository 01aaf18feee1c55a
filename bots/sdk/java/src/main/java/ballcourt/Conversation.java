package ballcourt;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import ballcourt.v1.Protocol.ArenaMessage;
import ballcourt.v1.Protocol.BotMessage;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A session over as many streams as it takes. */
final class Conversation {
  private static final MethodDescriptor<BotMessage, ArenaMessage> PLAY =
      MethodDescriptor.<BotMessage, ArenaMessage>newBuilder()
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName("ballcourt.v1.Arena/Play")
          .setRequestMarshaller(ProtoUtils.marshaller(BotMessage.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(ArenaMessage.getDefaultInstance()))
          .build();
  // warns on every start that a Unix socket lacks an option of TCP's
  private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");
  private static final long FIRST_WAIT_MS = 100;
  private static final long LONGEST_WAIT_MS = 5_000;
  // so long a remote bot that lost its arena goes on dialling
  private static final long PATIENCE_NS = MINUTES.toNanos(1);

  static {
    NETTY.setLevel(Level.SEVERE);
  }

  private final Session session;
  private final Address arena;
  private final String token;

  Conversation(Session session, Address arena, String token) {
    this.session = session;
    this.arena = arena;
    this.token = token;
  }

  /**
   * Plays until the arena says Goodbye or closes the stream; dials again after a break where that
   * is allowed.
   */
  void play() throws Refused, Disconnected, InterruptedException {
    long wait = FIRST_WAIT_MS;
    long welcomed = System.nanoTime();
    while (true) {
      int met = session.streams();
      try {
        playStream();
        return;
      } catch (Disconnected lost) {
        if (session.streams() > met) {
          wait = FIRST_WAIT_MS;
          welcomed = System.nanoTime();
        }
        if (!session.resumable() || System.nanoTime() - welcomed > PATIENCE_NS) {
          throw lost;
        }
      }
      // others may have lost the same arena
      Thread.sleep(ThreadLocalRandom.current().nextLong(wait / 2, wait + 1));
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  }

  private void playStream() throws Refused, Disconnected, InterruptedException {
    ManagedChannel channel =
        Grpc.newChannelBuilder(arena.target(), arena.credentials())
            .keepAliveTime(20, SECONDS)
            .keepAliveTimeout(10, SECONDS)
            .build();
    try {
      exchange(ClientCalls.blockingBidiStreamingCall(channel, PLAY, CallOptions.DEFAULT));
    } catch (StatusException error) {
      throw new Disconnected(
          "no connection to the arena at %s: %s".formatted(arena.shown(), why(error.getStatus())),
          error);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Says Hello, then answers message after message until either side ends the stream. */
  private void exchange(BlockingClientCall<BotMessage, ArenaMessage> stream)
      throws Refused, StatusException, InterruptedException {
    stream.write(session.hello(token));
    while (!session.ended()) {
      ArenaMessage message = stream.read();
      if (message == null) {
        return;
      }
      Optional<BotMessage> reply = session.handle(message);
      if (reply.isPresent()) {
        stream.write(reply.get());
      }
    }
    stream.halfClose();
  }

  private static String why(Status status) {
    Throwable cause = status.getCause();
    if (cause == null) {
      return status.getDescription();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
