package ballcourt;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the arena is, and how the way there is protected.
 *
 * @param target as gRPC writes it
 */
record Address(String target, String shown, ChannelCredentials credentials) {
  private static final Pattern HOST_PORT = Pattern.compile("(.+):[0-9]{1,5}");
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "[::1]", "localhost");

  /**
   * Reads where the arena is; empty where nothing says it.
   *
   * @throws IllegalArgumentException with a sentence for what cannot be
   */
  static Optional<Address> find(Map<String, String> environment) {
    String socket = environment.getOrDefault("BALLCOURT_SOCKET", "");
    if (!socket.isEmpty()) {
      String target = "unix:" + Path.of(socket).toUri().getRawPath();
      return Optional.of(new Address(target, socket, InsecureChannelCredentials.create()));
    }
    String address = environment.getOrDefault("BALLCOURT_ADDRESS", "");
    if (address.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Address(address, address, protection(address, environment)));
  }

  private static ChannelCredentials protection(String address, Map<String, String> environment) {
    Matcher read = HOST_PORT.matcher(address);
    if (!read.matches()) {
      throw new IllegalArgumentException(
          "BALLCOURT_ADDRESS is '%s'; it must be HOST:PORT".formatted(address));
    }
    if (!"off".equals(environment.get("BALLCOURT_TLS"))) {
      return tls(environment.getOrDefault("BALLCOURT_CA", ""));
    }
    if (!LOOPBACK.contains(read.group(1))) {
      throw new IllegalArgumentException(
          "BALLCOURT_TLS=off is for %s alone, and BALLCOURT_ADDRESS is %s"
              .formatted(String.join(", ", LOOPBACK), address));
    }
    return InsecureChannelCredentials.create();
  }

  /** Trusts the certificates in a file, or, where none is named, those that Java trusts. */
  private static ChannelCredentials tls(String file) {
    if (file.isEmpty()) {
      return TlsChannelCredentials.create();
    }
    try {
      byte[] pem = Files.readAllBytes(Path.of(file));
      CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
      return TlsChannelCredentials.newBuilder().trustManager(new ByteArrayInputStream(pem)).build();
    } catch (IOException error) {
      throw new IllegalArgumentException(
          "BALLCOURT_CA names '%s', which cannot be read: %s".formatted(file, error));
    } catch (CertificateException error) {
      throw new IllegalArgumentException(
          "BALLCOURT_CA names '%s', which holds no certificate".formatted(file));
    }
  }
}
