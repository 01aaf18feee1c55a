#include "session.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "address.h"
#include "busy.h"

namespace {

using namespace ballcourt;

struct Highest : Bot {
  Action choose(Decision& decision) override {
    decision.thoughts = "why not" + decision.rejected;
    return decision.legal.back();
  }
};

v1::ArenaMessage welcome(const std::string& session, uint64_t received) {
  v1::ArenaMessage message;
  message.mutable_welcome()->set_session(session);
  message.mutable_welcome()->set_received(received);
  message.mutable_welcome()->set_reconnect_ms(1000);
  return message;
}

v1::ArenaMessage start() {
  v1::ArenaMessage message;
  message.mutable_match_start()->set_match_id("m");
  return message;
}

v1::ArenaMessage ask(uint64_t id) {
  v1::ArenaMessage message;
  message.mutable_decide()->set_decision_id(id);
  message.mutable_decide()->add_legal(3);
  message.mutable_decide()->add_legal(5);
  return message;
}

TEST(Session, RepliesWithTheDecisionIdAndTheThoughts) {
  Highest bot;
  Session session(bot, {"mia", "2"});
  session.handle(start());
  const v1::Action action = session.handle(ask(7))->action();
  EXPECT_EQ(action.decision_id(), 7u);
  EXPECT_EQ(action.action(), 5u);
  EXPECT_EQ(action.thoughts(), "why not");
}

template <class Number>
concept Chooses = std::is_convertible_v<Number, Action>;

static_assert(Chooses<int> && Chooses<uint64_t> && Chooses<char>);
static_assert(!Chooses<double> && !Chooses<float> && !Chooses<bool> && !Chooses<const char*> && !Chooses<std::string>);

template <class Number>
std::string complaint(Number number) {
  try {
    static_cast<void>(Action(number));
    return "";
  } catch (const std::out_of_range& error) {
    return error.what();
  }
}

TEST(Action, FitsInto32BitsOrIsRefusedWithItsValueAndType) {
  const std::string advice = "; return one of the numbers in decision.legal";
  EXPECT_EQ(complaint(-1), "choose returned -1 (int32_t)" + advice);
  EXPECT_EQ(complaint(int64_t{1} << 32), "choose returned 4294967296 (int64_t)" + advice);
  EXPECT_EQ(complaint(~uint64_t{0}), "choose returned 18446744073709551615 (uint64_t)" + advice);
  EXPECT_EQ(Action(int64_t{4294967295}), 4294967295u);
  EXPECT_EQ(Action(v1::TERMINATION_UNSPECIFIED), 0u);
}

TEST(Session, TellsTheBotWhyItsAnswerWasRejected) {
  Highest bot;
  Session session(bot, {"mia", "2"});
  session.handle(start());
  v1::ArenaMessage again = ask(8);
  again.mutable_decide()->set_rejected("? 9 is not legal");
  EXPECT_EQ(session.handle(again)->action().thoughts(), "why not? 9 is not legal");
}

TEST(Session, RepeatsItsLastReplyOnlyIfTheArenaLacksIt) {
  Highest bot;
  Session session(bot, {"mia", "2"});
  session.handle(welcome("s", 0));
  session.handle(start());
  session.handle(ask(1));
  EXPECT_EQ(session.hello("t").hello().received(), 2u);
  EXPECT_TRUE(session.handle(welcome("s", 1)).has_value());
  EXPECT_FALSE(session.handle(welcome("s", 2)).has_value());
}

TEST(Session, StartsOverUnderANewSessionId) {
  Highest bot;
  Session session(bot, {"mia", "2"});
  session.handle(welcome("s", 0));
  session.handle(start());
  session.handle(welcome("t", 0));
  EXPECT_THROW(session.handle(ask(1)), std::runtime_error);
}

TEST(Session, ThrowsRefusedWithTheReason) {
  Highest bot;
  v1::ArenaMessage refused;
  refused.mutable_refused()->set_reason("no such token");
  EXPECT_THROW(Session(bot, {"mia", "2"}).handle(refused), Refused);
}

struct Stuck : Bot {
  Action choose(Decision&) override {
    std::raise(SIGTERM);
    return 0;
  }
};

TEST(Busy, SaysWhereItComputesWhenItIsAskedToEnd) {
  const auto stuck = [] {
    leave_on_sigterm();
    Stuck bot;
    Session session(bot, {"mia", "2"});
    session.handle(start());
    session.handle(ask(1));
  };
  EXPECT_EXIT(stuck(), testing::ExitedWithCode(0), "it was here.*Session6decide");
}

TEST(Busy, SaysNothingWhileItWaitsForTheArena) {
  const auto waiting = [] {
    leave_on_sigterm();
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(waiting(), testing::ExitedWithCode(0), "^$");
}

TEST(Thoughts, AreCutAtACharacterBoundary) {
  std::string thoughts = "x";
  for (int i = 0; i < 2048; ++i) thoughts += "\u00e9";
  EXPECT_EQ(shortened(thoughts), thoughts.substr(0, 4095));
  EXPECT_EQ(shortened("short"), "short");
}

TEST(Address, IsASocketOrHostAndPort) {
  unsetenv("BALLCOURT_SOCKET");
  unsetenv("BALLCOURT_ADDRESS");
  EXPECT_FALSE(find_arena().has_value());
  setenv("BALLCOURT_ADDRESS", "arena.example:7433", 1);
  EXPECT_EQ(find_arena()->target, "arena.example:7433");
  setenv("BALLCOURT_TLS", "off", 1);
  EXPECT_THROW(find_arena(), std::runtime_error);
  setenv("BALLCOURT_ADDRESS", "arena", 1);
  EXPECT_THROW(find_arena(), std::runtime_error);
  setenv("BALLCOURT_SOCKET", "/tmp/a.sock", 1);
  EXPECT_EQ(find_arena()->target, "unix:/tmp/a.sock");
}

}  // namespace
