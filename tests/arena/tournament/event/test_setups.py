"""Events of several set-ups: several games, table sizes and options."""

from collections import Counter
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.reading import parse_event, read_event
from ballcourt.arena.tournament.event.setups import in_words
from ballcourt.arena.tournament.folder.events import Finished, MatchPlayed
from ballcourt.arena.tournament.folder.manifest import kept_plan
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.tournament.schedules.schedule import ScheduleError
from ballcourt.engine.core import WrongInput
from ballcourt.leaderboard.model.standings import by_ladder
from ballcourt.leaderboard.store.folder import results_in
from ballcourt.leaderboard.studies.combined import combined
from tests.arena.tournament.in_process import events
from tests.leaderboard.made import board


@pytest.fixture
def pool(settings: Event) -> Event:
    """Two table sizes, two lengths of the game."""
    return settings.replaced(seats=(2, 3), options={"rounds": ("1", "3")}, rounds=1)


def named(planned: Plan) -> list[str]:
    return [in_words(setup, planned.setups) for setup in planned.setups]


def test_lists_give_every_combination(pool: Event) -> None:
    assert named(plan(pool)) == [
        "bluff, 2 seats, rounds = 1",
        "bluff, 2 seats, rounds = 3",
        "bluff, 3 seats, rounds = 1",
        "bluff, 3 seats, rounds = 3",
    ]


def test_a_table_of_a_set_up_takes_from_the_file_what_it_leaves_out(settings: Event) -> None:
    written = {
        "game": "bluff",
        "seats": 2,
        "bots": list(settings.bots or ()),
        "setup": [{"options": {"rounds": 1}}, {"game": "maya", "seats": 3}],
    }
    planned = plan(parse_event(written, "cup.toml", Path()))
    assert [(setup.game, setup.seats) for setup in planned.setups] == [("bluff", 2), ("maya", 3)]
    assert (planned.games, planned.seats, planned.setups[0].options) == ("bluff, maya", 3, {"rounds": "1"})


def test_a_game_or_seats_on_the_command_line_replace_the_tables(settings: Event) -> None:
    written = parse_event({"setup": [{"game": "maya"}, {"game": "ahau"}]}, "cup.toml", Path())
    given = settings.replaced(options={})
    assert [setup.game for setup in plan(written.overridden_by(given)).setups] == ["bluff"]


@pytest.mark.parametrize(
    ("changes", "error", "sentence"),
    [
        (
            {"setup": [{"seats": [2, 3]}, {"seats": 3}]},
            ScheduleError,
            "'bluff, 3 seats' is asked for twice; name it once",
        ),
        ({"seats": [1, 2]}, ScheduleError, "tables of 1 seat and of 2 seats do not go together"),
        ({"seats": [2, 9]}, WrongInput, "bluff is not played by 9"),
        ({"seats": [2, 4]}, WrongInput, "4 seats cannot be filled by 3 different bots"),
        ({"game": ["bluff", "chess"]}, WrongInput, "there is no game 'chess'"),
        ({"options": {"rounds": ["1", "7"]}}, WrongInput, "'7'"),
    ],
)
def test_set_ups_that_do_not_fit_are_refused(
    settings: Event, changes: dict[str, object], error: type[Exception], sentence: str
) -> None:
    asked = settings.replaced(seats=None).overridden_by(parse_event(changes, "cup.toml", Path()))
    with pytest.raises(error, match=sentence):
        plan(asked)


def test_a_set_up_without_a_game_is_refused() -> None:
    with pytest.raises(SettingsError, match="no game is named"):
        plan(Event().replaced(setup=parse_event({"setup": [{"seats": 2}]}, "", Path()).setup))


def test_every_match_is_one_of_its_set_up_and_all_set_ups_have_tables(pool: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert [*events(out, pool)][-1] == Finished(matches=18, folder=out, placing=())
    found = results_in(out)
    assert (len(found.matches), found.left_out) == (18, [])
    counted = Counter((match.ladder.seats, dict(match.ladder.options)["rounds"]) for match in found.matches)
    assert counted == {(2, "1"): 6, (2, "3"): 6, (3, "1"): 3, (3, "3"): 3}
    boards = {ladder: board(matches) for ladder, matches in by_ladder(found.matches).items()}
    assert len(boards) == 4
    assert len(combined(boards)) == 3


def test_an_event_goes_on_from_its_manifest_with_the_same_matches(pool: Event, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert [*events(whole, pool)]
    for number, event in enumerate(events(cut, pool)):
        if number == 9:
            assert isinstance(event, MatchPlayed)
            break
    again = [*events(cut, read_event(cut / "tournament.toml").replaced(output=None))]
    assert sum(isinstance(event, MatchPlayed) and not event.is_new for event in again) >= 9
    assert [match.identity for match in results_in(whole).matches] == [
        match.identity for match in results_in(cut).matches
    ]


def test_the_manifest_keeps_the_set_ups_and_refuses_others(pool: Event, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert [*events(out, pool)]
    kept = kept_plan(out)
    assert kept and kept.setups == plan(pool).setups
    with pytest.raises(WrongInput, match="out holds another tournament: it has other set-ups"):
        next(events(out, pool.replaced(seats=(3, 2))))
