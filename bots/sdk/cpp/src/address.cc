#include "address.h"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace ballcourt {
namespace {

bool is_loopback(const std::string& host) { return host == "127.0.0.1" || host == "[::1]" || host == "localhost"; }

// Returns the host of HOST:PORT; empty if the address is something else.
std::string host_of(const std::string& address) {
  static const std::regex kHostPort(R"((\[.+\]|[^:]+):([0-9]{1,5}))");
  std::smatch found;
  if (!std::regex_match(address, found, kHostPort)) return "";
  const int port = std::stoi(found[2]);
  return port >= 1 && port <= 65535 ? found[1].str() : "";
}

std::shared_ptr<grpc::ChannelCredentials> protection(const std::string& ca) {
  grpc::SslCredentialsOptions options;
  if (!ca.empty()) {
    std::ifstream file(ca);
    if (!file) throw std::runtime_error("BALLCOURT_CA is '" + ca + "'; it must be the path of a readable PEM file");
    std::ostringstream content;
    content << file.rdbuf();  // unlike an iterator, this does not throw if the path is that of a folder
    options.pem_root_certs = content.str();
    if (options.pem_root_certs.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
      throw std::runtime_error("BALLCOURT_CA is '" + ca + "'; it must be a PEM file with at least one certificate");
    }
  }
  return grpc::SslCredentials(options);
}

}  // namespace

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<Address> find_arena() {
  if (const std::string socket = variable("BALLCOURT_SOCKET"); !socket.empty()) {
    return Address{"unix:" + socket, socket, grpc::InsecureChannelCredentials()};
  }
  const std::string address = variable("BALLCOURT_ADDRESS");
  if (address.empty()) return std::nullopt;
  const std::string host = host_of(address);
  if (host.empty()) {
    throw std::runtime_error("BALLCOURT_ADDRESS is '" + address +
                             "'; it must be HOST:PORT, for example localhost:7433");
  }
  if (variable("BALLCOURT_TLS") != "off") return Address{address, address, protection(variable("BALLCOURT_CA"))};
  if (!is_loopback(host)) {
    throw std::runtime_error("BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '" + address +
                             "'; without TLS the host must be 127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS");
  }
  return Address{address, address, grpc::InsecureChannelCredentials()};
}

}  // namespace ballcourt
