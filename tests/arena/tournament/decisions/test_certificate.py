"""What a certificate says of what was played."""

from ballcourt.arena.tournament.decisions.certificate import sentences, to_json
from ballcourt.arena.tournament.event.setups import SetUp
from ballcourt.arena.tournament.schedules.balance import balance


def test_a_ladder_without_bots_has_a_certificate() -> None:
    setups, counted = [SetUp(game="maya", seats=2, rules_version="1")], [balance(0, [])]
    assert [*sentences(setups, counted)] == ["there is no bot yet"]
    [found] = to_json(setups, counted)
    assert found.certificate and found.certificate.matches == []
