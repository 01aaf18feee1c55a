#include "instincts.h"

#include <algorithm>
#include <numeric>

#include "ballcourt/v1/ahau.pb.h"
#include "ballcourt/v1/maya.pb.h"
#include "ballcourt/v1/tzolkin.pb.h"

namespace v1 = ballcourt::v1;

namespace {

bool contains(const Actions& actions, uint32_t action) {
  return std::find(actions.begin(), actions.end(), action) != actions.end();
}

template <class Liked>
Actions those(const Actions& legal, Liked liked) {
  Actions found;
  std::copy_if(legal.begin(), legal.end(), std::back_inserter(found), liked);
  return found;
}

// Builds whenever it can, and saves corn to feed its workers.
Actions tzolkin(const Actions& legal, const v1::TzolkinPlayer& me) {
  if (legal.back() >= v1::TZOLKIN_ACTION_BUILD_1) return {legal.back()};
  if (contains(legal, v1::TZOLKIN_ACTION_END) && me.corn() < 2 * me.workers()) return {v1::TZOLKIN_ACTION_END};
  return {};
}

// Plants while it can, the kind it has most of, and fills the board from one corner because groups score.
Actions maya(const Actions& legal, const v1::MayaPrivate& own) {
  const uint32_t first_tile = v1::MAYA_ACTION_TILE_PEPPER_1;
  if (legal[0] == v1::MAYA_ACTION_ACT_PLANT || legal[0] >= v1::MAYA_ACTION_CELL_A1) return {legal[0]};
  const Actions tiles =
      those(legal, [=](uint32_t action) { return action >= first_tile && action < v1::MAYA_ACTION_STOP; });
  if (tiles.empty()) return {};
  return {*std::max_element(tiles.begin(), tiles.end(), [&](uint32_t one, uint32_t other) {
    return own.rack(one - first_tile) < own.rack(other - first_tile);
  })};
}

// Builds when it has enough resources, accepts offers, and never trades.
Actions ahau(const Actions& legal, const v1::AhauActor& me) {
  static const Actions declined = {v1::AHAU_ACTION_STAND_FAST, v1::AHAU_ACTION_NO_BONUS, v1::AHAU_ACTION_NO_SUMMON,
                                   v1::AHAU_ACTION_PASS, v1::AHAU_ACTION_STOP_BUILDING};
  constexpr uint32_t first_trade = v1::AHAU_ACTION_QUEEN_PASS;  // the first action of the Queen; trades follow
  constexpr uint32_t means = 3;
  const uint32_t resources = std::accumulate(me.resources().begin(), me.resources().end(), 0u);
  if (contains(legal, v1::AHAU_ACTION_BUILD) && resources >= means) return {v1::AHAU_ACTION_BUILD};
  return those(legal, [](uint32_t action) { return action < first_trade && !contains(declined, action); });
}

}  // namespace

Actions instinct(const ballcourt::Decision& decision) {
  const uint32_t seat = decision.match.seat();
  if (const auto seen = decision.observation<v1::TzolkinObservation>()) {
    return tzolkin(decision.legal, seen->players(seat));
  }
  if (const auto seen = decision.observation<v1::MayaObservation>()) return maya(decision.legal, seen->own());
  if (const auto seen = decision.observation<v1::AhauObservation>()) return ahau(decision.legal, seen->actors(seat));
  return {};
}
