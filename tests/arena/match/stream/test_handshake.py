import pytest

from ballcourt.arena.match.stream.handshake import objection
from ballcourt.v1.protocol_pb2 import GameSupport, Hello
from tests.bluff import GAME


def hello(lowest: int = 1, highest: int = 1, *games: tuple[str, str]) -> Hello:
    support = [GameSupport(game=game, rules_version=version) for game, version in games]
    return Hello(protocol_min=lowest, protocol_max=highest, games=support)


@pytest.mark.parametrize(
    "accepted",
    [
        hello(),
        hello(1, 5),
        hello(0, 1),
        hello(1, 1, ("bluff", "")),
        hello(1, 1, ("chess", "3"), ("bluff", GAME.rules_version)),
    ],
)
def test_a_bot_with_matching_protocol_game_and_rules_is_accepted(accepted: Hello) -> None:
    assert objection(accepted, GAME) == ""


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (hello(2, 4), "the bot speaks protocol 2 to 4 and this arena speaks 1; use an SDK that speaks 1"),
        (hello(3, 3), "the bot speaks protocol 3 and this arena speaks 1; use an SDK that speaks 1"),
        (hello(1, 1, ("chess", "")), "the bot plays chess (rules any) and this match is bluff (rules 1)"),
        (hello(1, 1, ("bluff", "9")), "the bot plays bluff (rules 9) and this match is bluff (rules 1)"),
    ],
)
def test_a_refusal_names_what_both_sides_support(refused: Hello, sentence: str) -> None:
    assert objection(refused, GAME) == sentence
