// The rules of the games, for bots that search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballcourt/bot.h"
#include "ballcourt/v1/rules.pb.h"

namespace ballcourt {

// As RulesCall.playout: it goes on until the match is over.
constexpr uint32_t kToTheEnd = UINT32_MAX;

// A process that knows the rules of the games and draws positions from what the bot sees. It ends with the bot, and the
// bot pays for its time. Only one thread at a time may use it.
class Rules {
 public:
  // Starts the rules. That takes a third of a second: do it in match_started, once. Throws std::runtime_error.
  Rules();
  // Ends the process.
  ~Rules();
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  // Carries out calls about positions that fit a view, in order, and returns an answer for each. Ask as much as you can
  // at once. A view with another observation forgets the positions that were kept. Throws std::runtime_error.
  std::vector<v1::RulesAnswer> ask(const View& view, const std::vector<v1::RulesCall>& calls);

 private:
  v1::RulesReply exchange(const v1::RulesRequest& request);

  int process_ = 0;
  int requests_ = -1;
  int replies_ = -1;
  std::string seen_;
};

}  // namespace ballcourt
