"""A ladder goes on after its rules have changed: the past stays, and strengths begin where they were."""

from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.ladder.score import Score
from ballcourt.arena.tournament.decisions.trail import read_trail
from ballcourt.arena.tournament.event.model import SettingsError
from ballcourt.arena.tournament.event.stages import read_stages
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.organiser.decide import Organiser, OrganiserError
from ballcourt.arena.tournament.schedules.schedule import PlayedMatch, SeatOutcome
from ballcourt.arena.tournament.schedules.strengths import PRIOR_PRECISION, Meetings, Strengths
from ballcourt.engine.registry import find_game
from ballcourt.leaderboard.store.folder import results_in
from tests.arena.ladder.in_process import play, put, settings_in


@pytest.fixture
def settings(tmp_path: Path) -> LadderFile:
    """A ladder with four bots that has played 42 matches under rules 1, and is in the middle of a stage."""
    found = settings_in(tmp_path)
    for name in ("ann", "bob", "cid", "dan"):
        put(found.bots, name)
    with closing(play(found)) as run:
        for _ in islice((event for event in run if isinstance(event, MatchPlayed)), 43):
            pass
    return found


def install(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """Install this version of the rules."""
    monkeypatch.setattr(type(find_game("bluff")), "rules_version", version)


def played(settings: LadderFile) -> list[tuple[str, str, str]]:
    """Return key, rules version and identity of each match that counts."""
    found = results_in(settings.output)
    assert not found.left_out
    return [(match.key, match.ladder.rules_version, match.identity) for match in found.matches]


def renew(settings: LadderFile) -> None:
    assert Organiser(settings.output, "rules 2 mend a gap").renew()


@pytest.mark.slow
def test_other_rules_are_refused_until_the_organiser_decides(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, "2")
    with pytest.raises(SettingsError, match=r"played under rules 1 of bluff.* rules 2 are installed.*event renew"):
        list(play(settings, matches=80))
    renew(settings)
    list(play(settings, matches=80))
    assert read_trail(settings.output)[-1].sentence.startswith("bluff goes on under rules 2 (")


@pytest.mark.slow
def test_the_past_stays_and_all_bots_play_on(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    before = played(settings)
    install(monkeypatch, "2")
    renew(settings)
    list(play(settings, matches=100))
    after = played(settings)
    renewal = read_trail(settings.output)[-1].block
    assert renewal is not None
    assert [one for one in after if one[1] == "1"] == [one for one in before if int(one[0][1:7]) < renewal]
    assert {int(key[1:7]) >= renewal for key, version, _ in after if version == "2"} == {True}
    assert len([one for one in after if one[1] == "1"]) >= 40
    assert len(after) == 100


@pytest.mark.slow
def test_a_ladder_goes_on_under_third_rules_and_back_again(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, version in enumerate(("2", "3", "1"), 1):
        install(monkeypatch, version)
        renew(settings)
        list(play(settings, matches=50 + 20 * number))
    assert [version for _, version, _ in played(settings)][-20:] == ["1"] * 20
    assert sorted({stage.setup for stage, _ in read_stages(settings.output)}) == [0, 1, 2, 3]


@pytest.mark.slow
def test_strengths_are_less_certain_once_however_often_a_run_begins(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, "2")
    renew(settings)
    renewed = list[int]()
    monkeypatch.setattr(Score, "renew", lambda score: renewed.append(score.matches))
    for matches in (60, 60, 80):
        list(play(settings, matches=matches))
    old = [version for _, version, _ in played(settings)].count("1")
    assert renewed == [old] * 3, "each run counts what was before, and then begins with that"


def test_deciding_it_again_changes_nothing(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "2")
    renew(settings)
    assert not Organiser(settings.output, "again").renew()
    list(play(settings, matches=60))
    assert not Organiser(settings.output, "and again").renew()


def test_it_is_not_decided_while_a_run_plays(settings: LadderFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.tournament.organiser.decide.holder", lambda _: 17)
    with pytest.raises(OrganiserError, match=r"process 17 plays .* end it first"):
        Organiser(settings.output, "now").renew()


@pytest.mark.slow
def test_wherever_a_run_is_killed_after_a_change_the_next_one_ends_alike(
    settings: LadderFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, "2")
    renew(settings)
    for events in (1, 2, 3, 5, 8):
        with closing(play(settings, matches=100)) as run:
            list(islice(run, events))
    list(play(settings, matches=100))
    keys = [key for key, _, _ in played(settings)]
    assert len(keys) == len({*keys}) == 100
    renewals = [decision for decision in read_trail(settings.output) if decision.action == "renew"]
    assert len(renewals) == 1


def test_strengths_begin_where_they_were_but_less_certain() -> None:
    better, worse = SeatOutcome(1, 0.0, False), SeatOutcome(2, 0.0, False)
    before = Meetings((0, 1, 2))
    before.add(PlayedMatch(f"m{number}", (0, 1), (better, worse)) for number in range(30))
    old, after = Strengths.of(before), before.renewed()
    new = Strengths.of(after)
    assert new.most_probable == pytest.approx(old.most_probable, abs=1e-3)
    assert new.deviation[0] > 1.3 * old.deviation[0]
    assert new.deviation[2] == pytest.approx(PRIOR_PRECISION**-0.5), "never less certain than of a newcomer"
    after.add(PlayedMatch(f"n{number}", (1, 0), (better, worse)) for number in range(30))
    assert Strengths.of(after).order == [1, 2, 0], "what is played now outweighs it"
    joined = Strengths.of(before.renewed().among((0, 1, 5)))
    assert joined.most_probable == pytest.approx([*old.most_probable[:2], 0.0], abs=1e-3)
