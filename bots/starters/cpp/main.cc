// A bot to start from: it follows the rules of thumb in instincts.cc, else it plays at random.
#include <memory>
#include <random>

#include "ballcourt/bot.h"
#include "instincts.h"

class Starter : public ballcourt::Bot {
 public:
  ballcourt::Action choose(ballcourt::Decision& decision) override {
    const Actions liked = instinct(decision);
    const Actions& choices = liked.empty() ? decision.legal : liked;
    std::uniform_int_distribution<size_t> place(0, choices.size() - 1);
    return choices[place(decision.match.random)];
  }
};

int main() {
  return ballcourt::run([] { return std::make_unique<Starter>(); });
}
