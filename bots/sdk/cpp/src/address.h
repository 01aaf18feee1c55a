#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>
#include <optional>
#include <string>

namespace ballcourt {

// The address of the arena, and how to secure the connection.
struct Address {
  std::string target;  // for gRPC
  std::string shown;   // for messages to people
  std::shared_ptr<grpc::ChannelCredentials> credentials;
};

// Returns an environment variable, or an empty string if it is not set.
std::string variable(const char* name);

// Reads the address of the arena from the environment; nullopt if there is none. Throws std::runtime_error if a
// variable is invalid.
std::optional<Address> find_arena();

}  // namespace ballcourt
