"""The plan of a tournament."""

import shutil
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import BotError
from ballcourt.arena.bots.entries import remote_entry
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.tournament.event.model import Event, SettingsError
from ballcourt.arena.tournament.event.seeds import Seed
from ballcourt.arena.tournament.folder.plan import Plan
from ballcourt.arena.tournament.folder.planning import plan
from ballcourt.arena.workers.playable import Lifetime
from ballcourt.engine.core import InvalidOption, WrongInput
from tests.arena.tournament.conftest import write_bot


def specs(planned: Plan) -> list[MatchSpec]:
    """Return all matches, while no bot is suspended."""
    return [match.spec for due in planned.course().upcoming() for match in planned.playable(due)]


def test_every_pair_plays_every_block_in_both_seatings(planned: Plan) -> None:
    tables = [tuple(bot.bot.name for bot in spec.entrants) for spec in specs(planned)]
    assert planned.matches == len(tables) == 12
    assert sorted(set(tables)) == sorted((a, b) for a in ("ann", "bob", "cid") for b in ("ann", "bob", "cid") if a != b)
    [balance] = planned.balances()
    assert balance.even


def test_keys_are_stable_and_ordered_and_do_not_reveal_the_seed(settings: Event) -> None:
    keys = [[spec.key for spec in specs(plan(settings.replaced(seed=seed)))] for seed in (5, 6)]
    assert keys[0] == keys[1] == sorted(keys[0])
    assert keys[0][:3] == ["b000000-r0", "b000000-r1", "b000001-r0"]


def test_every_match_has_its_own_deal_which_follows_from_the_seed(settings: Event) -> None:
    seeds = [[spec.seed for spec in specs(plan(settings.replaced(seed=seed)))] for seed in (5, 5, 6)]
    assert seeds[0] == seeds[1]
    assert len({*seeds[0], *seeds[2]}) == 24


def test_the_rotations_of_a_block_share_a_deal_if_the_organiser_asks_for_it(settings: Event) -> None:
    planned = plan(settings.replaced(seeds="block"))
    seeds = [spec.seed for spec in specs(planned)]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 6


def test_bots_that_would_see_a_deal_again_do_not_live_that_long(settings: Event) -> None:
    assert plan(settings).lifetime is Lifetime.TOURNAMENT
    assert plan(settings.replaced(seeds="block")).lifetime is Lifetime.MATCH
    with pytest.raises(SettingsError, match=r'seeds is "block" and lifetime is "tournament", so bots would know'):
        plan(settings.replaced(seeds="block", lifetime="tournament"))


def test_remote_bots_never_see_a_deal_again(settings: Event) -> None:
    resolve = lambda name: remote_entry(name, "1", "ann")  # noqa: E731
    asked = settings.replaced(bots=("mia", "bob"), seeds="block")
    with pytest.raises(SettingsError, match='seeds is "block", but the remote bot mia may remember'):
        plan(asked, resolve)
    assert plan(asked.replaced(seeds=None), resolve).deals == "match"


def test_the_clocks_of_remote_bots_do_not_follow_the_speed_of_this_machine(settings: Event) -> None:
    asked = settings.replaced(clock={"scale": "reference"})
    assert plan(asked).clock.scale == "reference"
    with pytest.raises(SettingsError, match=r'clock\.scale is "reference", but the remote bot mia thinks'):
        plan(asked.replaced(bots=("mia", "bob")), lambda name: remote_entry(name, "1", "ann"))


def test_solo_results_are_compared_deal_by_deal(settings: Event) -> None:
    with pytest.raises(SettingsError, match='seeds is "match", but with one seat'):
        plan(settings.replaced(seats=1, seeds="match"))
    assert plan(settings.replaced(seats=1, seeds="block", lifetime="tournament")).lifetime is Lifetime.TOURNAMENT


def test_bots_of_a_one_seat_game_all_play_the_same_seeds(settings: Event) -> None:
    planned = plan(settings.replaced(seats=1))
    played = [(spec.seed, *(bot.bot.name for bot in spec.entrants)) for spec in specs(planned)]
    assert planned.matches == len(played) == 6
    assert [name for _, name in played] == ["ann", "bob", "cid"] * 2
    assert [len({seed for seed, _ in played[first : first + 3]}) for first in (0, 3)] == [1, 1]
    assert played[0][0] != played[3][0]


def test_the_seats_default_to_as_many_as_the_game_and_the_bots_allow(settings: Event) -> None:
    assert plan(settings.replaced(seats=None)).seats == 3


def test_a_seed_is_drawn_when_none_is_given(settings: Event) -> None:
    drawn = [plan(settings.replaced(seed=None)).seed for _ in range(2)]
    assert drawn[0] != drawn[1]
    assert all(seed and seed.is_secret and seed.number > 1 << 40 for seed in drawn)
    assert plan(settings).seed == Seed(5)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": None}, "no game is named"),
        ({"bots": None}, "no bots are named"),
        ({"seats": 4}, "4 seats cannot be filled by 3 different bots; name at least 4"),
    ],
)
def test_an_impossible_plan_is_refused(settings: Event, change: dict[str, object], sentence: str) -> None:
    with pytest.raises(WrongInput, match=sentence):
        plan(settings.replaced(**change))


def test_options_are_checked_by_the_game(settings: Event) -> None:
    with pytest.raises(InvalidOption, match="option rounds of bluff is '9'"):
        plan(settings.replaced(options={"rounds": "9"}))


def test_a_bot_named_twice_is_refused(settings: Event) -> None:
    assert settings.bots
    with pytest.raises(SettingsError, match=r'bot ann 1 is named twice; .* or give the copy a label: "twin=ann"'):
        plan(settings.replaced(bots=(*settings.bots, settings.bots[0])))


def test_a_labelled_copy_is_a_separate_entrant(settings: Event) -> None:
    assert settings.bots
    planned = plan(settings.replaced(bots=(settings.bots[0], f"twin={settings.bots[0]}")))
    ann, twin = planned.entrants
    assert (ann.bot.name, ann.own_name, twin.bot.name, twin.own_name) == ("ann", "", "twin", "ann")
    assert ann.bot.content_hash == twin.bot.content_hash
    assert planned.bots[ann] == planned.bots[twin]


def test_a_bot_that_does_not_play_the_game_is_refused(settings: Event, tmp_path: Path) -> None:
    dan = write_bot(tmp_path / "bots" / "dan", "dan", 'games = ["chess"]')
    with pytest.raises(BotError, match="bot dan does not play bluff; it plays chess"):
        plan(settings.replaced(bots=(*(settings.bots or ()), dan)))


def test_two_folders_with_one_name_are_both_named(settings: Event, tmp_path: Path) -> None:
    assert settings.bots
    copy = tmp_path / "copy"
    shutil.copytree(settings.bots[0], copy)
    with pytest.raises(SettingsError, match=r"and .*/copy are both called ann 1; .* or give it a label: .twin=.*/copy"):
        plan(settings.replaced(bots=(settings.bots[0], str(copy))))
