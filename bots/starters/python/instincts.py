"""What the bot likes, by game: the legal actions it would take, none where it has no opinion."""

from collections.abc import Sequence

from ballcourt.v1 import ahau_pb2 as ahau
from ballcourt.v1 import maya_pb2 as maya
from ballcourt.v1 import tzolkin_pb2 as tzolkin


def like_tzolkin(legal: Sequence[int], seen: tzolkin.TzolkinObservation, seat: int) -> list[int]:
    """Build whatever can be built, and save corn to feed the workers."""
    me = seen.players[seat]
    if legal[-1] >= tzolkin.TZOLKIN_ACTION_BUILD_1:
        return [legal[-1]]
    if tzolkin.TZOLKIN_ACTION_END in legal and me.corn < 2 * me.workers:
        return [tzolkin.TZOLKIN_ACTION_END]
    return []


def like_maya(legal: Sequence[int], seen: maya.MayaObservation, seat: int) -> list[int]:
    """Plant as long as that goes, the kind there is most of, and fill the board from one corner: groups pay."""
    if legal[0] == maya.MAYA_ACTION_ACT_PLANT or legal[0] >= maya.MAYA_ACTION_CELL_A1:
        return [legal[0]]
    first = maya.MAYA_ACTION_TILE_PEPPER_1
    tiles = [action for action in legal if first <= action < maya.MAYA_ACTION_STOP]
    return [max(tiles, key=lambda action: seen.own.rack[action - first])] if tiles else []


DECLINED = (
    ahau.AHAU_ACTION_STAND_FAST,
    ahau.AHAU_ACTION_NO_BONUS,
    ahau.AHAU_ACTION_NO_SUMMON,
    ahau.AHAU_ACTION_PASS,
    ahau.AHAU_ACTION_STOP_BUILDING,
)
FIRST_TRADE = ahau.AHAU_ACTION_QUEEN_PASS  # from here on: the Queen and trades
MEANS = 3


def like_ahau(legal: Sequence[int], seen: ahau.AhauObservation, seat: int) -> list[int]:
    """Do what is offered, build once there are means, and do not trade."""
    if ahau.AHAU_ACTION_BUILD in legal and sum(seen.actors[seat].resources) >= MEANS:
        return [ahau.AHAU_ACTION_BUILD]
    return [action for action in legal if action < FIRST_TRADE and action not in DECLINED]


INSTINCTS = {"tzolkin": like_tzolkin, "maya": like_maya, "ahau": like_ahau}
