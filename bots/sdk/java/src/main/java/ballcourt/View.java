package ballcourt;

import ballcourt.v1.Protocol.Event;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** The observation of the bot's seat, and the events since its last observation. */
public class View {
  private final Match match;
  private final ByteString data;
  private final List<Event> events;

  View(Match match, ByteString data, List<Event> events) {
    this.match = match;
    this.data = data;
    this.events = events;
  }

  /** Returns the match that is being played. */
  public Match match() {
    return match;
  }

  /** Returns the serialized observation. */
  public ByteString data() {
    return data;
  }

  /**
   * Returns the actions of all seats since then, oldest first; an action is 0 while it is secret.
   */
  public List<Event> events() {
    return events;
  }

  /**
   * Returns the game's observation message, for example a {@code TzolkinObservation}; empty in a
   * match of another game.
   *
   * @throws UncheckedIOException if the bytes are not such a message
   */
  public <T extends Message> Optional<T> observation(Class<T> kind) {
    String name = "/" + match.start().getObservationType();
    Any any = Any.newBuilder().setTypeUrl(name).setValue(data).build();
    try {
      return any.is(kind) ? Optional.of(any.unpack(kind)) : Optional.empty();
    } catch (InvalidProtocolBufferException error) {
      throw new UncheckedIOException(error);
    }
  }
}
