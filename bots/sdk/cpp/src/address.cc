#include "address.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ballcourt {
namespace {

bool is_loopback(const std::string& host) { return host == "127.0.0.1" || host == "[::1]" || host == "localhost"; }

std::shared_ptr<grpc::ChannelCredentials> protection(const std::string& ca) {
  grpc::SslCredentialsOptions options;
  if (!ca.empty()) {
    std::ifstream file(ca);
    if (!file) throw std::runtime_error("BALLCOURT_CA is '" + ca + "'; it must be the path of a readable PEM file");
    options.pem_root_certs.assign(std::istreambuf_iterator<char>(file), {});
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
  const size_t colon = address.rfind(':');
  const bool has_port = colon != std::string::npos && colon + 1 < address.size() &&
                        address.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  if (!has_port || colon == 0) {
    throw std::runtime_error("BALLCOURT_ADDRESS is '" + address +
                             "'; it must be HOST:PORT, for example localhost:7433");
  }
  if (variable("BALLCOURT_TLS") != "off") return Address{address, address, protection(variable("BALLCOURT_CA"))};
  if (!is_loopback(address.substr(0, colon))) {
    throw std::runtime_error("BALLCOURT_TLS is 'off' and BALLCOURT_ADDRESS is '" + address +
                             "'; without TLS the host must be 127.0.0.1, [::1] or localhost: unset BALLCOURT_TLS");
  }
  return Address{address, address, grpc::InsecureChannelCredentials()};
}

}  // namespace ballcourt
