// The C++ SDK: derive from Bot, implement choose, call run.
//
//     struct First : ballcourt::Bot {
//       ballcourt::Action choose(ballcourt::Decision& decision) override { return decision.legal.front(); }
//     };
//     int main() { return ballcourt::run([] { return std::make_unique<First>(); }); }
//
// Each game has a header with its messages and an enum of its actions, for example "ballcourt/v1/tzolkin.pb.h".
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "ballcourt/parameters.h"
#include "ballcourt/v1/protocol.pb.h"

namespace ballcourt {

// The match that is being played.
struct Match {
  v1::MatchStart start;
  // Seeded by the arena. A match is reproducible if its bots use no other randomness.
  std::mt19937_64 random;

  uint32_t seat() const { return start.seat(); }
};

// The observation of the bot's seat, and the events since its last observation.
struct View {
  Match& match;
  // The serialized observation.
  const std::string& data;
  // The actions of all seats since then, oldest first. An action is 0 while it is secret.
  const google::protobuf::RepeatedPtrField<v1::Event>& events;

  // Returns the game's observation message, for example observation<v1::TzolkinObservation>(), or nullopt in a match of
  // another game.
  template <class Message>
  std::optional<Message> observation() const {
    Message message;
    if (match.start.observation_type() != Message::descriptor()->full_name()) return std::nullopt;
    if (!message.ParseFromString(data)) return std::nullopt;
    return message;
  }
};

// A question to the bot.
struct Decision : View {
  // The legal actions, ascending; at least two.
  std::vector<uint32_t> legal;
  // The think time left for the rest of the match, in milliseconds.
  uint32_t bank_ms;
  // The think time for this decision, in milliseconds.
  uint32_t limit_ms;
  // Why the previous answer to this question was rejected; empty on the first attempt.
  const std::string& rejected;
  // A note, saved with the action in the match record; cut to 4096 bytes.
  std::string thoughts = {};
  // What the bot makes of the position, in numbers, saved with the action in the match record.
  std::optional<v1::Evaluation> evaluation = {};
  // Whether the bot did not choose the action itself, as when a model gave no answer; the record keeps it.
  bool fallback = false;
};

template <class Number>
concept Whole = (std::is_integral_v<Number> && !std::is_same_v<Number, bool>) || std::is_enum_v<Number>;

// What a bot chooses: a whole number that fits into 32 bits. Fractions, truth values and strings do not compile; other
// integers throw std::out_of_range.
class Action {
 public:
  template <Whole Number>
  Action(Number number) : number_(static_cast<uint32_t>(number)) {
    if (static_cast<uint64_t>(number) <= std::numeric_limits<uint32_t>::max()) return;
    const std::string type = (std::is_signed_v<Number> ? "int" : "uint") + std::to_string(8 * sizeof(number)) + "_t";
    throw std::out_of_range("choose returned " + std::to_string(number) + " (" + type +
                            "); return one of the numbers in decision.legal");
  }
  operator uint32_t() const { return number_; }

 private:
  uint32_t number_;
};

// A player. It plays one match at a time, and only one thread calls it.
class Bot {
 public:
  virtual ~Bot() = default;
  // Returns one of decision.legal, within decision.limit_ms milliseconds.
  virtual Action choose(Decision& decision) = 0;
  // Called at the start of a match. This time does not count as think time.
  virtual void match_started(Match&) {}
  // Called at the end of a match, with the results of all seats.
  virtual void match_ended(const v1::MatchEnd&) {}
  // Whether `observed` is to be called.
  virtual bool observes() const { return false; }
  // Whether `choose` limits itself to clock().work() units per decision, where that is not 0. The unit is the bot's own
  // (positions, playouts). No clock runs, so it plays alike on every machine.
  virtual bool work_limited() const { return false; }
  // Called after every decision of another seat, if `observes` returns true.
  virtual void observed(const View&) {}
};

using NewBot = std::function<std::unique_ptr<Bot>()>;

// Plays in the arena that the environment names. Calls new_bot once per stream. Returns the exit code of the process:
// 0 if the arena said Goodbye or closed the stream; 1 if the arena refused the bot, the connection was lost or the bot
// failed; 2 if the environment names no arena. SIGTERM ends the process with 0 at any time.
int run(const NewBot& new_bot);

}  // namespace ballcourt
