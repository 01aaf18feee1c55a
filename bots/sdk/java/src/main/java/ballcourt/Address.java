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
 * The address of the arena, and how to secure the connection.
 *
 * @param target for gRPC
 * @param shown for messages to people
 */
record Address(String target, String shown, ChannelCredentials credentials) {
  private static final Pattern HOST_PORT = Pattern.compile("(\\[.+\\]|[^:]+):([0-9]{1,5})");
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "[::1]", "localhost");

  /**
   * Reads the address of the arena from the environment; empty if there is none.
   *
   * @throws IllegalArgumentException if a variable is invalid
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
    if (!read.matches() || !isPort(Integer.parseInt(read.group(2)))) {
      throw new IllegalArgumentException(
          "BALLCOURT_ADDRESS is '%s'; it must be HOST:PORT, for example localhost:7433"
              .formatted(address));
    }
    if (!"off".equals(environment.get("BALLCOURT_TLS"))) {
      return tls(environment.getOrDefault("BALLCOURT_CA", ""));
    }
    if (!LOOPBACK.contains(read.group(1))) {
      throw new IllegalArgumentException(
          ("BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '%s'; without TLS the host must be "
                  + "127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS")
              .formatted(address));
    }
    return InsecureChannelCredentials.create();
  }

  private static boolean isPort(int number) {
    return number >= 1 && number <= 65535;
  }

  /** Trusts the certificates in a PEM file, or those that Java trusts if {@code file} is empty. */
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
          "BALLCOURT_CA is '%s'; it must be the path of a readable PEM file: %s"
              .formatted(file, error));
    } catch (CertificateException error) {
      throw new IllegalArgumentException(
          "BALLCOURT_CA is '%s'; it must be a PEM file with at least one certificate"
              .formatted(file));
    }
  }
}
