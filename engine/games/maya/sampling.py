"""Sampling: deals the tiles that a seat has not seen (RULES §10)."""

from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.state import Rows
from ballcourt.engine.games.maya.columns import CELLS_ROW, CITY, KINDS, PLANTATION, PLAYERS_ROW, RACK, UNSEEN
from ballcourt.engine.games.maya.tables import MIX
from ballcourt.engine.games.maya.turns.expanding import ExpandCell
from ballcourt.engine.games.maya.turns.planting import PlantCell

RACK_ROW, HIDDEN_ROW, HELD_ROW = 0, 1, 2
"""Indices of private rows."""


def draw_secrets(observation: Observation, chance: Stream) -> Rows:
    """Draw racks, supplies, face-down kinds and the tile held, so that they agree with an observation."""
    dealt = [_deal(observation, seat, chance) for seat in range(observation.seats)]
    racks, supplies, hidden = [[rows[part] for rows in dealt] for part in range(3)]
    return [*racks, *supplies, *hidden, [_held(observation, racks, chance)]]


def _deal(observation: Observation, seat: int, chance: Stream) -> Rows:
    """Draw the rack, the supply and the face-down kinds of one seat."""
    public = observation.public
    loose = _not_face_up(public[CELLS_ROW], seat)
    if seat == observation.seat:
        rack, known = observation.private[RACK_ROW][:], observation.private[HIDDEN_ROW]
    else:
        rack = _promised(observation, seat)
        known = [UNSEEN] * len(public[PLAYERS_ROW + observation.seats + seat])
    for kind in range(KINDS):
        loose[kind] -= rack[kind] + known.count(kind)
    deck = chance.shuffled([kind for kind, count in enumerate(loose) for _ in range(count)])
    for _ in range(public[PLAYERS_ROW + seat][RACK] - sum(rack)):
        rack[deck.pop()] += 1
    hidden = [deck.pop() if kind == UNSEEN else kind for kind in known]
    return [rack, deck, hidden]


def _not_face_up(cells: list[int], seat: int) -> list[int]:
    """Count by kind the tiles of a seat that do not lie face up."""
    loose = list(MIX)
    for content in cells:
        if PLANTATION <= content < CITY and (content - PLANTATION) // KINDS == seat:
            loose[content % KINDS] -= 1
    return loose


def _promised(observation: Observation, seat: int) -> list[int]:
    """Count by kind what the question shows of a rack: the tile about to be planted."""
    rack = [0] * KINDS
    question = _question(observation)
    if question[:2] == [PlantCell.kind, seat]:
        rack[question[2]] = 1
    return rack


def _held(observation: Observation, racks: Rows, chance: Stream) -> int:
    """Draw the tile that is about to be placed face down, if there is one."""
    question = _question(observation)
    if question[:1] != [ExpandCell.kind]:
        return UNSEEN
    seat = question[1]
    if seat == observation.seat:
        return observation.private[HELD_ROW][0]
    tiles = [kind for kind, count in enumerate(racks[seat]) for _ in range(count)]
    return chance.choice(tiles) if tiles else UNSEEN


def _question(observation: Observation) -> list[int]:
    """Return the row of the top frame, an empty one when the match is over."""
    waiting = observation.public[PLAYERS_ROW + 2 * observation.seats :]
    return waiting[-1] if waiting else []
