// The mirror bot of the contract: its answers show what the SDK passed to it.
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
  }

  void match_ended(const v1::MatchEnd&) override { ++ended_; }

  bool observes() const override { return true; }

  bool work_limited() const override { return true; }

  void observed(const ballcourt::View&) override { ++pushed_; }

  uint32_t choose(ballcourt::Decision& decision) override {
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
    decision.thoughts = thoughts.str();
    decision.fallback = action == decision.legal[0];
    return action;
  }

 private:
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
  const google::protobuf::EnumDescriptor* names_ = nullptr;
};

}  // namespace

int main() {
  return ballcourt::run([] { return std::make_unique<Mirror>(); });
}
