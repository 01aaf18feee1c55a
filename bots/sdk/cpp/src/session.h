#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ballcourt/bot.h"

namespace ballcourt {

// The arena does not let the bot play; what() is its reason.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How the bot calls itself, as in its bot.toml.
struct Identity {
  std::string name;
  std::string version;
  std::vector<std::string> games = {};  // none: any
};

// A bot's half of the protocol, without input or output: messages in, messages out.
//
// It may outlive its stream: where resumable() is true, hello begins another stream on which it goes on.
class Session {
 public:
  Session(Bot& bot, Identity identity) : bot_(bot), identity_(std::move(identity)) {}

  // Introduces the bot: the first message of every stream.
  v1::BotMessage hello(const std::string& token) const;
  // Lets the bot see a message of the arena; returns its reply, if one is due. Throws Refused, and std::runtime_error
  // for what the protocol does not allow.
  std::optional<v1::BotMessage> handle(const v1::ArenaMessage& message);

  // The arena said Goodbye.
  bool ended() const { return ended_; }
  // The arena waits for a bot whose stream broke.
  bool resumable() const { return resumable_; }
  // On how many streams the bot was welcomed.
  int streams() const { return streams_; }

 private:
  std::optional<v1::BotMessage> answer(const v1::ArenaMessage& message);
  std::optional<v1::BotMessage> resume(const v1::Welcome& welcome);
  v1::BotMessage start(const v1::MatchStart& start);
  v1::BotMessage decide(const v1::Decide& decide);
  void observe(const v1::Observe& push);
  void end(const v1::MatchEnd& end);
  Match& current();

  Bot& bot_;
  Identity identity_;
  std::optional<Match> match_;
  bool ended_ = false;
  bool resumable_ = false;
  int streams_ = 0;

  std::string name_;
  // messages of this session; Hello, Welcome and Goodbye are not counted
  uint64_t received_ = 0;
  uint64_t sent_ = 0;
  std::optional<v1::BotMessage> last_;
};

// Cuts a text to the bytes a record keeps, never inside a character.
std::string shortened(std::string thoughts);

}  // namespace ballcourt
