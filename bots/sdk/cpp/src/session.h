#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ballcourt/bot.h"

namespace ballcourt {

// The arena refused the bot; what() is the reason.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Who the bot is, as in its bot.toml.
struct Identity {
  std::string name;
  std::string version;
  std::vector<std::string> games = {};  // empty: any game
};

// The bot's side of the protocol, without I/O: messages in, messages out.
//
// A session can outlive its stream: if resumable() is true, hello() starts another stream that continues the session.
class Session {
 public:
  Session(Bot& bot, Identity identity) : bot_(bot), identity_(std::move(identity)) {}

  // Returns the first message of every stream.
  v1::BotMessage hello(const std::string& token) const;
  // Passes a message of the arena to the bot and returns its reply, if one is due. Throws Refused, and
  // std::runtime_error if the protocol does not allow the message.
  std::optional<v1::BotMessage> handle(const v1::ArenaMessage& message);

  // Whether the arena said Goodbye.
  bool ended() const { return ended_; }
  // Whether the arena waits for the bot if the stream breaks.
  bool resumable() const { return resumable_; }
  // The number of streams on which the arena sent Welcome.
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
  // messages of this session, without Hello, Welcome and Goodbye
  uint64_t received_ = 0;
  uint64_t sent_ = 0;
  std::optional<v1::BotMessage> last_;
};

// Cuts the lists of an evaluation to the 64 entries that the protocol allows.
v1::Evaluation limited(v1::Evaluation evaluation);

// Cuts a string to the 4096 bytes that the protocol allows, at a character boundary.
std::string shortened(std::string thoughts);

}  // namespace ballcourt
