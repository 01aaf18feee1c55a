package ballcourt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddressTest {
  @Test
  void anEnvironmentWithoutAnArenaHasNoAddress() {
    assertEquals(Optional.empty(), Address.find(Map.of()));
    assertEquals(Optional.empty(), Address.find(Map.of("BALLCOURT_SOCKET", "")));
  }

  @Test
  void aSocketIsPreferredToAnAddress() {
    Address found = find(Map.of("BALLCOURT_SOCKET", "/tmp/a.sock", "BALLCOURT_ADDRESS", "arena:1"));
    assertEquals("unix:/tmp/a.sock", found.target());
    assertEquals("/tmp/a.sock", found.shown());
  }

  @Test
  void anAddressUsesTls() {
    Address found = find(Map.of("BALLCOURT_ADDRESS", "arena.example:7433"));
    assertEquals("arena.example:7433", found.target());
    assertTrue(found.credentials() instanceof TlsChannelCredentials);
  }

  @Test
  void tlsCanBeOffOnlyOnThisMachine() {
    Address found = find(Map.of("BALLCOURT_ADDRESS", "[::1]:7433", "BALLCOURT_TLS", "off"));
    assertTrue(found.credentials() instanceof InsecureChannelCredentials);
    assertTrue(
        complaint(Map.of("BALLCOURT_ADDRESS", "arena:7433", "BALLCOURT_TLS", "off"))
            .startsWith("BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is 'arena:7433'"));
  }

  @Test
  void anAddressWithoutAPortIsRefused() {
    assertEquals(
        "BALLCOURT_ADDRESS is 'arena'; it must be HOST:PORT, for example localhost:7433",
        complaint(Map.of("BALLCOURT_ADDRESS", "arena")));
  }

  @Test
  void aCertificateFileMustHaveACertificate(@TempDir Path folder) throws Exception {
    String absent = folder.resolve("absent.pem").toString();
    assertTrue(
        complaint(Map.of("BALLCOURT_ADDRESS", "arena:1", "BALLCOURT_CA", absent))
            .startsWith(
                "BALLCOURT_CA is '" + absent + "'; it must be the path of a readable PEM file"));
    String empty = Files.writeString(folder.resolve("empty.pem"), "nothing").toString();
    assertEquals(
        "BALLCOURT_CA is '" + empty + "'; it must be a PEM file with at least one certificate",
        complaint(Map.of("BALLCOURT_ADDRESS", "arena:1", "BALLCOURT_CA", empty)));
  }

  private static Address find(Map<String, String> environment) {
    return Address.find(environment).orElseThrow();
  }

  private static String complaint(Map<String, String> environment) {
    return assertThrows(IllegalArgumentException.class, () -> Address.find(environment))
        .getMessage();
  }
}
