"""The placing by the rules of a format, kept in the folder: whatever happens, it follows from the records."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.folder.events import Finished, MatchPlayed
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.folder.placing import PLACING, read_placing
from ballcourt.arena.tournament.organiser.decide import Organiser, event_in
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.leaderboard.show import by_rules
from ballcourt.leaderboard.store.folder import field_in, results_in
from tests.arena.tournament.conftest import write_bot
from tests.arena.tournament.in_process import events
from tests.cli.conftest import validator


@pytest.fixture
def cup(tmp_path: Path) -> Event:
    bots = tuple(write_bot(tmp_path / name, name) for name in ("ann", "bob", "cid", "dan", "eve"))
    return Event().replaced(game="bluff", bots=bots, seats=2, rounds=3, seed=7, format="swiss")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def play(out: Path, cup: Event, until: int | None = None) -> Finished | None:
    """Play the event; stop after this number of new matches."""
    new = 0
    with closing(events(out, cup)) as running:  # type: ignore[type-var]
        for event in running:
            new += isinstance(event, MatchPlayed) and event.is_new
            if new == until:
                return None
    assert isinstance(event, Finished)
    return event


def written(out: Path) -> PlacingPage:
    page = read_placing(out)
    assert page
    return page


def known(out: Path) -> PlacingPage | None:
    """Return the placing that readers of the folder see."""
    return field_in(out, results_in(out).matches).placing


@pytest.mark.parametrize(
    "form",
    [
        {"format": "swiss"},
        {"format": "single-elimination", "rounds": None},
        {"format": "double-elimination", "rounds": None},
        {"format": "groups-final", "rounds": 1},
    ],
)
def test_the_placing_is_in_the_folder_has_every_entrant_and_keeps_to_its_schema(
    out: Path, cup: Event, form: dict[str, object]
) -> None:
    finished = play(out, cup.replaced(**form))
    page = written(out)
    assert finished
    assert page == known(out)
    assert page.is_over
    assert page.champions
    assert sorted(page.names) == ["ann", "bob", "cid", "dan", "eve"]
    assert finished.placing == page.names
    assert {row.entrant for turn in page.placing.rounds for table in turn.tables for row in table.entrants} <= {
        *range(5)
    }
    validator("placing").validate(json.loads((out / PLACING).read_text()))


def test_a_format_that_leaves_the_order_to_ratings_has_no_placing(out: Path, cup: Event) -> None:
    finished = play(out, cup.replaced(format="round-robin", rounds=1))
    assert finished
    assert not finished.placing
    assert known(out) is None
    assert not (out / PLACING).exists()


def test_a_run_that_was_cut_short_leaves_the_placing_of_its_last_round_and_the_next_run_ends_with_the_same(
    out: Path, cup: Event, tmp_path: Path
) -> None:
    play(out, cup, until=5)  # a round has four
    page = written(out)
    assert (page.is_over, len(page.placing.rounds)) == (False, 1)
    play(out, cup)
    play(tmp_path / "straight", cup)
    assert written(out) == written(tmp_path / "straight")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text("{"),
        lambda path: path.write_text(path.read_text().replace('"place": 1', '"place": 2')),
    ],
)
def test_a_placing_that_is_missing_or_does_not_follow_from_the_records_is_made_again(
    out: Path, cup: Event, spoil: Callable[[Path], object]
) -> None:
    play(out, cup)
    page = written(out)
    spoil(out / PLACING)
    assert known(out) == replace(page, is_over=False)
    play(out, cup)
    assert written(out) == page


@pytest.mark.parametrize(
    "decide",
    [
        lambda decides, page: decides.withdraw(page.names[0]),
        lambda decides, page: decides.withdraw(page.names[0], strike=True),
        lambda decides, _: decides.void("b000000"),
    ],
)
def test_after_a_decision_readers_and_the_next_run_have_the_same_placing(
    out: Path, cup: Event, decide: Callable[[Organiser, PlacingPage], object]
) -> None:
    play(out, cup, until=4)
    before = known(out)
    assert before
    decide(Organiser(out, "for a test"), before)
    play(out, cup)
    assert known(out) == written(out) != before
    assert sorted(written(out).names) == ["ann", "bob", "cid", "dan", "eve"]


def test_a_first_seed_that_withdraws_does_not_win_an_elimination(out: Path, cup: Event) -> None:
    cup = cup.replaced(format="single-elimination", rounds=None, bots=cup.bots[:4] if cup.bots else None)
    play(out, cup, until=2)
    assert record_files(out)
    Organiser(out, "for a test").withdraw("ann", strike=True)
    play(out, cup)
    page = written(out)
    assert page.bots[page.champions[0]].name != "ann"
    assert next(bot.status for bot in page.bots if bot.name == "ann") == "withdrawn"


def test_a_gap_at_a_table_is_filled_by_a_smaller_set_up_of_the_event(out: Path, cup: Event) -> None:
    cup = cup.replaced(seats=(2, 3))
    play(out, cup, until=9)
    play(out, cup)
    found = results_in(out)
    assert (len(found.matches), found.left_out) == (27, []), "3 rounds of 2 + 2 matches, and of 3 + 2"
    rounds = [turn for turn in written(out).placing.rounds if turn.name.startswith("bluff, 3 seats")]
    assert [[len(table.entrants) for table in turn.tables] for turn in rounds] == [[3, 2]] * 3
    assert not any(turn.byes for turn in rounds)
    small, large = written(out).placing.groups
    assert (small.name, large.name) == ("bluff, 2 seats", "bluff, 3 seats")
    assert "points" in by_rules.columns(written(out), large.places)
    assert known(out) == written(out)
    assert event_in(out).matches == 27


def test_a_bot_that_is_withdrawn_in_the_end_keeps_its_place_but_is_no_champion(out: Path, cup: Event) -> None:
    play(out, cup)
    first = written(out)
    Organiser(out, "for a test").withdraw(first.names[0])
    play(out, cup)
    page = written(out)
    assert page.names == first.names
    assert page.champions == (page.placing.order[1],)


GROUP_MATCHES = 6
"""Two blocks in the group of three bots, one in that of two."""


@pytest.fixture
def final(cup: Event) -> Event:
    return cup.replaced(format="groups-final", rounds=1, groups=2, advance=1)


def groups(page: PlacingPage) -> list[list[str]]:
    """Return the bots of each group from first to last."""
    return [[page.bots[row.entrant].name for row in group.places] for group in page.placing.groups]


def finalists(page: PlacingPage) -> set[str]:
    """Return who has a seat in the final."""
    rounds = [turn for turn in page.placing.rounds if turn.name.startswith("final")]
    return {page.bots[row.entrant].name for turn in rounds for table in turn.tables for row in table.entrants}


def test_the_next_of_its_group_plays_the_final_for_one_that_withdraws_before(
    out: Path, final: Event, tmp_path: Path
) -> None:
    play(tmp_path / "straight", final)
    (first, second, _), (rival, _) = groups(written(tmp_path / "straight"))
    assert finalists(written(tmp_path / "straight")) == {first, rival}
    play(out, final, until=GROUP_MATCHES)
    Organiser(out, "for a test").withdraw(first)
    play(out, final, until=1)
    play(out, final)
    assert finalists(written(out)) == {*written(out).names[:2]} == {second, rival}
    assert sorted(written(out).names) == ["ann", "bob", "cid", "dan", "eve"]
    assert known(out) == written(out)
    assert results_in(out).left_out == []


def test_one_that_withdraws_during_the_group_phase_is_not_in_the_final(out: Path, final: Event) -> None:
    play(out, final, until=2)
    so_far = known(out)
    assert so_far
    first = groups(so_far)[0][0]
    Organiser(out, "for a test").withdraw(first)
    play(out, final)
    assert first not in finalists(written(out))
    assert len(finalists(written(out))) == 2
    assert known(out) == written(out)


def test_a_finalist_that_withdraws_during_the_final_keeps_its_seat_and_what_it_achieved(
    out: Path, final: Event, tmp_path: Path
) -> None:
    final = final.replaced(rounds=3)
    play(tmp_path / "straight", final)
    before = finalists(written(tmp_path / "straight"))
    play(out, final, until=3 * GROUP_MATCHES + 1)
    (first, *_), _ = groups(written(tmp_path / "straight"))
    Organiser(out, "for a test").withdraw(first)
    play(out, final)
    assert finalists(written(out)) == before
    assert {*written(out).names[:2]} == before
    assert known(out) == written(out)
    assert len(results_in(out).matches) < 3 * (GROUP_MATCHES + 2)
