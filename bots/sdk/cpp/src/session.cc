#include "session.h"

#include <utility>

#include "busy.h"

namespace ballcourt {
namespace {

constexpr char kSdk[] = "ballcourt-cpp 0.1.0";
constexpr uint32_t kProtocol = 1;
constexpr size_t kThoughtsLimit = 4096;
constexpr int kMostEntries = 64;

}  // namespace

v1::BotMessage Session::hello(const std::string& token) const {
  v1::BotMessage message;
  v1::Hello& hello = *message.mutable_hello();
  hello.set_token(token);
  hello.set_protocol_min(kProtocol);
  hello.set_protocol_max(kProtocol);
  hello.set_sdk(kSdk);
  hello.mutable_bot()->set_name(identity_.name);
  hello.mutable_bot()->set_version(identity_.version);
  for (const std::string& game : identity_.games) hello.add_games()->set_game(game);
  hello.mutable_capabilities()->set_observe(bot_.observes());
  hello.mutable_capabilities()->set_work_limited(bot_.work_limited());
  hello.set_session(name_);
  hello.set_received(received_);
  return message;
}

std::optional<v1::BotMessage> Session::handle(const v1::ArenaMessage& message) {
  switch (message.message_case()) {
    case v1::ArenaMessage::kWelcome:
      return resume(message.welcome());
    case v1::ArenaMessage::kRefused:
      throw Refused(message.refused().reason());
    case v1::ArenaMessage::kGoodbye:
      ended_ = true;
      return std::nullopt;
    default:
      break;
  }
  ++received_;
  std::optional<v1::BotMessage> reply = answer(message);
  if (reply) {
    ++sent_;
    last_ = reply;
  }
  return reply;
}

std::optional<v1::BotMessage> Session::answer(const v1::ArenaMessage& message) {
  switch (message.message_case()) {
    case v1::ArenaMessage::kDecide:
      return decide(message.decide());
    case v1::ArenaMessage::kMatchStart:
      return start(message.match_start());
    case v1::ArenaMessage::kObserve:
      observe(message.observe());
      break;
    case v1::ArenaMessage::kMatchEnd:
      end(message.match_end());
      break;
    default:
      break;
  }
  return std::nullopt;
}

// Goes on where the last stream broke: returns the last reply if the arena lacks it.
std::optional<v1::BotMessage> Session::resume(const v1::Welcome& welcome) {
  ++streams_;
  resumable_ = welcome.reconnect_ms() > 0;
  if (welcome.session() != name_) {
    name_ = welcome.session();
    match_.reset();
    received_ = sent_ = 0;
    last_.reset();
  }
  return welcome.received() < sent_ ? last_ : std::nullopt;
}

v1::BotMessage Session::start(const v1::MatchStart& start) {
  match_.emplace(Match{start, std::mt19937_64(start.bot_seed())});
  bot_.match_started(*match_);
  v1::BotMessage message;
  message.mutable_ready()->set_match_id(start.match_id());
  return message;
}

v1::BotMessage Session::decide(const v1::Decide& decide) {
  Decision decision{{current(), decide.observation(), decide.events()},
                    {decide.legal().begin(), decide.legal().end()},
                    decide.bank_ms(),
                    decide.limit_ms(),
                    decide.rejected()};
  v1::BotMessage message;
  v1::Action& action = *message.mutable_action();
  action.set_decision_id(decide.decision_id());
  {
    const Computing here;
    action.set_action(bot_.choose(decision));
  }
  action.set_thoughts(shortened(std::move(decision.thoughts)));
  action.set_fallback(decision.fallback);
  if (decision.evaluation) *action.mutable_evaluation() = limited(*std::move(decision.evaluation));
  return message;
}

void Session::observe(const v1::Observe& push) { bot_.observed(View{current(), push.observation(), push.events()}); }

void Session::end(const v1::MatchEnd& end) {
  current();
  match_.reset();
  bot_.match_ended(end);
}

Match& Session::current() {
  if (!match_) throw std::runtime_error("the arena sent a message about a match before its MatchStart");
  return *match_;
}

v1::Evaluation limited(v1::Evaluation evaluation) {
  if (auto* ranked = evaluation.mutable_ranked(); ranked->size() > kMostEntries) {
    ranked->DeleteSubrange(kMostEntries, ranked->size() - kMostEntries);
  }
  if (auto* marks = evaluation.mutable_marks(); marks->size() > kMostEntries) {
    marks->DeleteSubrange(kMostEntries, marks->size() - kMostEntries);
  }
  return evaluation;
}

std::string shortened(std::string thoughts) {
  if (thoughts.size() <= kThoughtsLimit) return thoughts;
  size_t cut = kThoughtsLimit;
  while ((thoughts[cut] & 0xC0) == 0x80) --cut;
  thoughts.resize(cut);
  return thoughts;
}

}  // namespace ballcourt
