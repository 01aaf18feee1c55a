#pragma once

#include <stdexcept>
#include <string>

#include "address.h"
#include "session.h"

namespace ballcourt {

// The arena cannot be reached, or went away in the middle of the stream.
struct Disconnected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Plays until the arena says Goodbye or closes the stream; dials again after a break where that is allowed. Throws
// Disconnected, and whatever the session throws.
void converse(Session& session, const Address& arena, const std::string& token);

}  // namespace ballcourt
