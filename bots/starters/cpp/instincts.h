#pragma once

#include <vector>

#include "ballcourt/bot.h"

using Actions = std::vector<uint32_t>;

// The legal actions the bot likes; none where it has no opinion.
Actions instinct(const ballcourt::Decision& decision);
