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

/** Plays a session on one stream after another. */
final class Conversation {
  private static final MethodDescriptor<BotMessage, ArenaMessage> PLAY =
      MethodDescriptor.<BotMessage, ArenaMessage>newBuilder()
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName("ballcourt.v1.Arena/Play")
          .setRequestMarshaller(ProtoUtils.marshaller(BotMessage.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(ArenaMessage.getDefaultInstance()))
          .build();
  // it warns at every start that Unix sockets lack an option of TCP
  private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");
  private static final long FIRST_WAIT_MS = 100;
  private static final long LONGEST_WAIT_MS = 5_000;
  // how long to dial again after a stream broke
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
   * Plays until the arena says Goodbye or closes the stream. Dials again after a broken stream if
   * the session can be resumed.
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
      // at random, so that bots that lost the same arena do not dial all at once
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

  /** Sends Hello, then replies to messages until the stream ends. */
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
    closeBoth(stream);
  }

  /**
   * Closes the bot's side after Goodbye and waits for the arena to end the stream. The arena takes
   * a stream that breaks instead for a bot that will dial again.
   */
  private static void closeBoth(BlockingClientCall<BotMessage, ArenaMessage> stream)
      throws InterruptedException {
    stream.halfClose();
    try {
      while (stream.read() != null) {
        // nothing follows Goodbye
      }
    } catch (StatusException error) {
      // the arena said all it had to say
    }
  }

  private static String why(Status status) {
    Throwable cause = status.getCause();
    if (cause == null) {
      return status.getDescription();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
