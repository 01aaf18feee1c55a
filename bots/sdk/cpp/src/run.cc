#include <algorithm>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "address.h"
#include "ballcourt/bot.h"
#include "busy.h"
#include "session.h"
#include "stream.h"

namespace ballcourt {
namespace {

constexpr int kMostStreams = 16;
constexpr char kByHand[] =
    "This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.\n"
    "To see it play, run \"ballcourt check bot FOLDER\", where FOLDER has its bot.toml.\n";

// Writes a line to stderr in one call, so that lines of several streams do not mix.
void tell(const std::string& sentence) { std::cerr << sentence + "\n"; }

// Returns the games in BALLCOURT_PLAYS; empty means any game.
std::vector<std::string> games() {
  std::vector<std::string> found;
  std::istringstream given(variable("BALLCOURT_PLAYS"));
  for (std::string game; std::getline(given, game, ',');) {
    if (!game.empty()) found.push_back(game);
  }
  return found;
}

// Returns the number in BALLCOURT_STREAMS, 1 if it is not one that is allowed.
int count_streams() {
  const std::string asked = variable("BALLCOURT_STREAMS");
  for (int count = 1; count <= kMostStreams; ++count) {
    if (std::to_string(count) == asked) return count;
  }
  return 1;
}

// Plays on one stream and returns an exit code.
int play(const NewBot& new_bot, const Address& arena, const std::string& token) {
  try {
    const std::unique_ptr<Bot> bot = new_bot();
    Session session(*bot, {variable("BALLCOURT_NAME"), variable("BALLCOURT_VERSION"), games()});
    converse(session, arena, token);
    return 0;
  } catch (const Refused& refusal) {
    tell(std::string("the arena refused the bot: ") + refusal.what());
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return 1;
}

// Plays on BALLCOURT_STREAMS streams at once, each with its own bot. Returns the highest exit code.
int play_all(const NewBot& new_bot, const Address& arena, const std::string& token) {
  const int streams = count_streams();
  std::vector<int> codes(streams);
  std::vector<std::jthread> others;
  for (int i = 1; i < streams; ++i) {
    others.emplace_back([&, i] { codes[i] = play(new_bot, arena, token); });
  }
  codes[0] = play(new_bot, arena, token);
  others.clear();  // waits for them
  return *std::max_element(codes.begin(), codes.end());
}

}  // namespace

int run(const NewBot& new_bot) {
  leave_on_sigterm();
  try {
    const std::optional<Address> arena = find_arena();
    const std::string token = variable("BALLCOURT_TOKEN");
    if (arena && !token.empty()) {
      parameters();  // throws if they are not as the protocol says
      return play_all(new_bot, *arena, token);
    }
    tell(kByHand);
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return 2;
}

}  // namespace ballcourt
