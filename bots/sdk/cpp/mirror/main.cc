// The mirror bot of the contract: its answers show what the SDK passed to it.
#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include "ballcourt/bot.h"
#include "ballcourt/v1/ahau.pb.h"
#include "ballcourt/v1/maya.pb.h"
#include "ballcourt/v1/tzolkin.pb.h"

namespace v1 = ballcourt::v1;

namespace {

class Mirror : public ballcourt::Bot {
 public:
  void match_started(ballcourt::Match&) override {
    ++started_;
    pushed_ = 0;
    settings_ = settings(ballcourt::parameters());
  }

  void match_ended(const v1::MatchEnd&) override { ++ended_; }

  bool observes() const override { return true; }

  bool work_limited() const override { return true; }

  void observed(const ballcourt::View&) override { ++pushed_; }

  ballcourt::Action choose(ballcourt::Decision& decision) override {
    const uint32_t seat = decision.match.seat();
    look(decision, seat);
    uint64_t place = decision.match.start.bot_seed() % 1000 + seat + figure_;
    for (const v1::Event& event : decision.events) place += event.action();
    const uint32_t action = decision.legal[place % decision.legal.size()];
    const std::string name = names_ && names_->FindValueByNumber(action) ? names_->FindValueByNumber(action)->name()
                                                                         : std::to_string(action);
    std::ostringstream thoughts;
    thoughts << name << " " << figure_ << " started " << started_ << " ended " << ended_ << " pushed " << pushed_;
    if (const uint64_t work = decision.match.start.clock().work()) thoughts << " work " << work;
    decision.thoughts = thoughts.str() + settings_;
    decision.fallback = action == decision.legal[0];
    if (action == decision.legal.back()) decision.evaluation = evaluation(decision, name);
    return action;
  }

 private:
  // Returns what the thoughts show of the parameters, if there are any.
  static std::string settings(const ballcourt::Parameters& given) {
    if (given.names().empty()) return "";
    const auto thousandths = static_cast<int64_t>(std::floor(1000 * given.number("weight")));
    return " shift " + std::to_string(given.whole("shift")) + " weight " + std::to_string(thousandths);
  }

  static v1::Evaluation evaluation(const ballcourt::Decision& decision, const std::string& name) {
    v1::Evaluation found;
    for (uint32_t seat = 0; seat < decision.match.start.seats(); ++seat) {
      found.add_values(seat == decision.match.seat() ? 0.5 : -0.5);
    }
    for (size_t i = 0; i < decision.legal.size(); ++i) {
      v1::RankedAction& entry = *found.add_ranked();
      entry.set_action(decision.legal[i]);
      entry.set_value(i / 4.0);
      entry.set_visits(i);
    }
    v1::Mark& mark = *found.add_marks();
    mark.set_place("mirror");
    mark.set_label(name);
    return found;
  }

  // Sets the figure from the typed observation, and the names of the game's actions.
  void look(const ballcourt::Decision& decision, uint32_t seat) {
    figure_ = 0;
    names_ = nullptr;
    if (const auto seen = decision.observation<v1::TzolkinObservation>()) {
      figure_ = seen->players(seat).corn();
      names_ = v1::TzolkinAction_descriptor();
    } else if (const auto seen = decision.observation<v1::MayaObservation>()) {
      figure_ = seen->players(seat).score();
      names_ = v1::MayaAction_descriptor();
    } else if (const auto seen = decision.observation<v1::AhauObservation>()) {
      figure_ = seen->actors(seat).fame();
      names_ = v1::AhauAction_descriptor();
    }
  }

  int started_ = 0;
  int ended_ = 0;
  int pushed_ = 0;
  uint32_t figure_ = 0;
  std::string settings_;
  const google::protobuf::EnumDescriptor* names_ = nullptr;
};

}  // namespace

int main() {
  return ballcourt::run([] { return std::make_unique<Mirror>(); });
}
