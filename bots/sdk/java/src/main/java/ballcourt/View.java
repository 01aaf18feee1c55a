package ballcourt;

import ballcourt.v1.Protocol.Event;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** What the bot's seat may know, and what happened since it was last shown anything. */
public class View {
  private final Match match;
  private final ByteString data;
  private final List<Event> events;

  View(Match match, ByteString data, List<Event> events) {
    this.match = match;
    this.data = data;
    this.events = events;
  }

  /** The match being played. */
  public Match match() {
    return match;
  }

  /** The observation as it came over the wire. */
  public ByteString data() {
    return data;
  }

  /** What the seats did, oldest first; an action is 0 while it is secret. */
  public List<Event> events() {
    return events;
  }

  /**
   * Decodes the observation as a game's own message, {@code TzolkinObservation.class} for example;
   * empty in a match of another game.
   *
   * @throws UncheckedIOException when it is no such message, whatever the arena says
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
