#pragma once

#include <stdexcept>
#include <string>

#include "address.h"
#include "session.h"

namespace ballcourt {

// The arena cannot be reached, or the stream broke.
struct Disconnected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Plays until the arena says Goodbye or closes the stream. Dials again after a broken stream if the session can be
// resumed. Throws Disconnected, and whatever the session throws.
void converse(Session& session, const Address& arena, const std::string& token);

}  // namespace ballcourt
