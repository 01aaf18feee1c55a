#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>
#include <optional>
#include <string>

namespace ballcourt {

// Where the arena is, and how the way there is protected.
struct Address {
  std::string target;  // as gRPC writes it
  std::string shown;
  std::shared_ptr<grpc::ChannelCredentials> credentials;
};

// A variable of the environment; empty where it is not set.
std::string variable(const char* name);

// Reads where the arena is; nothing where the environment does not say it. Throws std::runtime_error with a sentence.
std::optional<Address> find_arena();

}  // namespace ballcourt
