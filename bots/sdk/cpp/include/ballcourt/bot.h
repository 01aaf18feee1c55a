// The C++ SDK: derive from Bot, write choose, call run.
//
//     struct First : ballcourt::Bot {
//       uint32_t choose(ballcourt::Decision& decision) override { return decision.legal.front(); }
//     };
//     int main() { return ballcourt::run([] { return std::make_unique<First>(); }); }
//
// The messages, and an enum of every game's actions, are in "ballcourt/v1/tzolkin.pb.h" and its neighbours.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ballcourt/v1/protocol.pb.h"

namespace ballcourt {

// The match being played.
struct Match {
  v1::MatchStart start;
  // Seeded by the arena: a bot that draws from nothing else can play a match again.
  std::mt19937_64 random;

  uint32_t seat() const { return start.seat(); }
};

// What the bot's seat may know, and what happened since it was last shown anything.
struct View {
  Match& match;
  // The observation as it came over the wire.
  const std::string& data;
  // What the seats did, oldest first; an action is 0 while it is secret.
  const google::protobuf::RepeatedPtrField<v1::Event>& events;

  // The game's own message, for example observation<v1::TzolkinObservation>(); nothing in a match of another game.
  template <class Message>
  std::optional<Message> observation() const {
    Message message;
    if (match.start.observation_type() != Message::descriptor()->full_name()) return std::nullopt;
    if (!message.ParseFromString(data)) return std::nullopt;
    return message;
  }
};

// One question to the bot.
struct Decision : View {
  // The actions to choose from, ascending; at least two.
  std::vector<uint32_t> legal;
  // The thinking time left for the rest of the match, and that of this decision.
  uint32_t bank_ms;
  uint32_t limit_ms;
  // Asked again: what was wrong with the last answer to this question; else empty.
  const std::string& rejected;
  // A note of at most 4096 bytes, kept beside the action in the match record.
  std::string thoughts = {};
};

// A player. It plays one seat at a time, match after match, and is used by one thread.
class Bot {
 public:
  virtual ~Bot() = default;
  // Answers a question with one of decision.legal, within decision.limit_ms milliseconds.
  virtual uint32_t choose(Decision& decision) = 0;
  // Prepares for a match; this time does not count as thinking time.
  virtual void match_started(Match&) {}
  // Learns how a match ended.
  virtual void match_ended(const v1::MatchEnd&) {}
  // Whether the arena shall push what the decisions of other seats led to.
  virtual bool observes() const { return false; }
  // Is shown what a decision of another seat led to.
  virtual void observed(const View&) {}
};

using NewBot = std::function<std::unique_ptr<Bot>()>;

// Plays for the arena that the environment names; new_bot is called once for every stream. Returns the exit code of the
// process: 0 the arena said Goodbye or closed the stream, 1 it refused the bot or went away, 2 the environment names no
// arena. SIGTERM ends the process with 0, in the middle of a thought too.
int run(const NewBot& new_bot);

}  // namespace ballcourt
