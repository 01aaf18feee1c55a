"""Sampling: positions that agree with what a seat has observed."""

from typing import Final

from ballcourt.engine.core.bits import members
from ballcourt.engine.core.chance import Stream
from ballcourt.engine.core.observation import Observation
from ballcourt.engine.core.state import Rows
from ballcourt.engine.errors import MalformedRows
from ballcourt.engine.games.ahau import columns as at
from ballcourt.engine.games.ahau.audit import buildings_in_game, open_buildings, open_tiles, tiles_in_game
from ballcourt.engine.games.ahau.pieces.people import hand, stuck
from ballcourt.engine.games.ahau.state import HALF, AhauState
from ballcourt.engine.games.ahau.tables import ROLE_NAMES

DEALS: Final = 1000
"""How many deals of Role cards to try; at least a third of them agree with the observation."""


def draw_secrets(known: AhauState, observation: Observation, chance: Stream) -> Rows:
    """Draw the secret rows of a position whose public part is `known`.

    While cards are being selected, no other seat has answered in the sample. Raises MalformedRows for an observation
    that play cannot lead to.
    """
    seen = {*open_tiles(known)}
    bag = chance.shuffled([tile for tile in tiles_in_game(known.seats) if tile not in seen])
    visible = {*open_buildings(known)}
    buildings = buildings_in_game(known.seats, known.table[at.MODE])
    stack = chance.shuffled([building for building in buildings if building not in visible])
    roles, left, answers = [0] * known.seats, [0] * known.seats, [0] * known.seats
    if observation.private:
        roles[observation.seat], left[observation.seat], answers[observation.seat] = observation.private[0]
    deck = _roles(known, roles, left, chance)
    key = chance.next64()
    return [[key & (1 << HALF) - 1, key >> HALF, 0], bag, stack, deck, _cards(known, chance), roles, left, answers]


def _roles(known: AhauState, roles: list[int], left: list[int], chance: Stream) -> list[int]:
    """Deal the unseen Role cards to the deck and to the seats that have taken one; return the deck.

    Raises MalformedRows for an observation that play cannot lead to.
    """
    if known.table[at.MODE] == at.FAMILY:
        return []
    order = [known.actors[seat][at.ROLE_ORDER] for seat in range(known.seats)]
    for seat in range(known.seats):
        roles[seat] = roles[seat] or known.actors[seat][at.ROLE_SEEN]
    searched = [seat for seat in range(known.seats) if left[seat]]
    takers = [seat for seat in range(known.seats) if order[seat] and not roles[seat]]
    last = order[searched[0]] or known.seats + 1 if searched else 0
    earlier = [seat for seat in takers if order[seat] < last]
    later = [seat for seat in takers if order[seat] >= last]
    unseen = [role for role in range(1, len(ROLE_NAMES) + 1) if at.ROLE + role not in roles and role != _his(known)]
    there = [role for role in unseen if not searched or left[searched[0]] >> role & 1]
    gone = [role for role in unseen if role not in there]
    count = known.table[at.ROLE_DECK]
    if len(gone) < len(earlier) or len(there) < len(later) + count:
        raise MalformedRows(f"seats {takers} and a deck of {count} cannot share the Role cards {unseen} of ahau")
    _deal(known, roles, earlier, gone, chance)
    deck = _deal(known, roles, later, there, chance)[:count]  # the others are out of the game
    for seat in range(known.seats):
        if order[seat] and seat not in searched:
            after = [roles[other] - at.ROLE for other in range(known.seats) if order[other] > order[seat]]
            left[seat] = sum([1 << role for role in [*deck, *after]])
    return deck


def _deal(known: AhauState, roles: list[int], takers: list[int], cards: list[int], chance: Stream) -> list[int]:
    """Deal a card to each seat until all of them could have kept theirs; return the rest.

    Raises MalformedRows after `DEALS` attempts.
    """
    for _ in range(DEALS):
        dealt = chance.shuffled(cards)
        if all(_keeps(known, seat, at.ROLE + card) for seat, card in zip(takers, dealt, strict=False)):
            for seat, card in zip(takers, dealt, strict=False):
                roles[seat] = at.ROLE + card
            return dealt[len(takers) :]
    raise MalformedRows(f"no deal of Role cards to seats {takers} agrees with this observation of ahau")


def _keeps(known: AhauState, seat: int, card: int) -> bool:
    """Return whether a seat can hold an unseen Role card: a stuck hand would have taken the discards back (§5.6)."""
    return known.actors[seat][at.PLAYED] != 0 or not stuck(known, hand(known, seat) | 1 << card)


def _cards(known: AhauState, chance: Stream) -> list[int]:
    """Shuffle the cards an automaton has not drawn yet."""
    if not known.table[at.DECK]:
        return []
    row = known.actors[known.seats]
    cards = at.REGION_CARDS | (1 << at.ROLE + _his(known) if _his(known) else 0)
    return chance.shuffled(members(cards & ~(row[at.PLAYED] | row[at.DISCARD])))


def _his(known: AhauState) -> int:
    """Return the Role of King Pakal, 0 if he does not take part."""
    return known.actors[known.seats][at.PERSONALITY] + 1 if known.table[at.MODE] == at.SOLO else 0
