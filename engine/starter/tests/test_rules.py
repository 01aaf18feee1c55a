"""The rules of Goofspiel, by their sections in RULES.md."""

from goofspiel import GAME
from goofspiel.state import GoofspielState


def at_table(*prizes: int, seats: int = 2) -> GoofspielState:
    """Return a match in which the prizes of 1 to 5 come in this order, then the others."""
    state = GAME.deal(seats, 1, {"cards": "5"})
    state.deck = [*prizes, *(card for card in range(1, 6) if card not in prizes)]
    state.settle()
    return state


def bid(state: GoofspielState, *cards: int) -> None:
    """Bid for the seats, from seat 0 on."""
    for seat, card in enumerate(cards):
        state.apply(seat, card)


def test_the_highest_bid_wins_the_prize() -> None:
    """§2.3."""
    state = at_table(4)
    bid(state, 3, 2)
    assert state.scores() == [4, 0]


def test_no_seat_wins_the_prize_if_the_highest_bid_is_shared() -> None:
    """§2.3."""
    state = at_table(4, seats=3)
    bid(state, 5, 1, 5)
    assert state.scores() == [0, 0, 0]


def test_a_card_is_used_once() -> None:
    """§2.4."""
    state = at_table(4)
    bid(state, 3, 2)
    assert state.legal_actions(0) == [1, 2, 4, 5]


def test_no_seat_sees_who_has_already_chosen() -> None:
    """§2.2."""
    state = at_table(4)
    before = state.public_rows()
    state.apply(1, 5)
    assert state.public_rows() == before
    assert (state.private_rows(0), state.private_rows(1)) == ([[0]], [[5]])


def test_the_most_points_win_after_the_last_round() -> None:
    """§3.1."""
    state = at_table(1, 2, 3, 4, 5)
    for card in (1, 2, 3, 4, 5):
        bid(state, card, card % 5 + 1)
    assert state.pending_seats() == []
    assert state.scores() == [5, 10]
    assert state.placements() == [[1], [0]]
