#pragma once

#include <vector>

#include "ballcourt/bot.h"

using Actions = std::vector<uint32_t>;

// Returns the legal actions that the bot prefers; empty if it has no preference.
Actions instinct(const ballcourt::Decision& decision);
