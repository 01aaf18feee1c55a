"""Sets up one match from the words of a command: bots, and seats that are played in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ballcourt.cli.output import clock_table, note, pairs

if TYPE_CHECKING:
    from ballcourt.arena.bots.bot import Bot
    from ballcourt.arena.bots.entries import Entry
    from ballcourt.arena.sandbox.tiers import Sandbox
    from ballcourt.arena.terminal.saved import Setup
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.v1.record_pb2 import MatchRecord


HUMAN: Final = "human"
"""What a person is called among the bots."""
DEFAULT_ADVISER: Final = "planner"
"""The bot that is asked for hints."""


def setup_of(
    game: str,
    bots: Sequence[str],
    seed: int | None,
    option: Sequence[str] | None,
    clock: Sequence[str] | None,
    confined: Mapping[str, object],
    turn_s: int | None = None,
) -> Setup:
    """Return what the flags of a command say about a match. Raises BadParameter."""
    from ballcourt.arena.terminal.saved import Setup

    said: dict[str, object] = {"clock": clock_table(clock or ()), "sandbox": confined}
    if seed is not None:
        said["seed"] = seed
    return Setup(game, (*bots,), pairs("--option", option or ()), said, turn_s)


def match_of(setup: Setup, person: str, begun: MatchRecord | None = None) -> PlayableMatch:
    """Check everything before a process is started. The key is unique, so no record is ever overwritten.

    `person` is the word for seats without a bot; `begun` is the record so far of a match to be continued. Raises
    WrongInput.
    """
    from ballcourt.arena.bots.bot import check_plays
    from ballcourt.arena.match.person import clock_of_person
    from ballcourt.arena.match.spec import MatchSpec
    from ballcourt.arena.processes.builds import ready_entries
    from ballcourt.arena.tournament.event.reading import parse_event
    from ballcourt.arena.tournament.event.seeds import caution, draw_seed
    from ballcourt.arena.workers.playable import PlayableMatch
    from ballcourt.engine.registry import find_game

    settings = parse_event(setup.said, "the command line", Path())
    rules = find_game(setup.game)
    completed = rules.check(len(setup.bots), setup.options)
    entries = [_entry(name, person) for name in setup.bots]
    for entry in entries:
        if entry.bot:
            check_plays(entry.bot, rules)
    confined = settings.sandbox.sandbox()
    seed = draw_seed().number if settings.seed is None else settings.seed
    if settings.seed is not None and (sentence := caution(seed, confined.tier)):
        note(sentence)
    clock, for_people = settings.clock.clock(), clock_of_person(setup.turn_s)
    people = seats_of_people(setup.bots, person)
    spec = MatchSpec(
        key=begun.key if begun else new_key(setup.game),
        game=setup.game,
        options=completed,
        seed=begun.seed if begun else seed,
        entrants=tuple(entry.entrant for entry in entries),
        clock=clock,
        seat_clocks=tuple(for_people if seat in people else clock for seat in range(len(entries))) if people else (),
    )
    return PlayableMatch(spec, ready_entries(entries, confined), confined)


def branched(setup: Setup, record: MatchRecord, number: int) -> tuple[Setup, MatchRecord]:
    """Return a set-up with the options of a record, and what is decided before a decision of it. Raises RecordError."""
    from dataclasses import replace

    from ballcourt.arena.records.branches import branch

    return replace(setup, options=dict(record.options)), branch(record, number, new_key(record.game))


def adviser_for(game: str, name: str, sandbox: Sandbox) -> Bot | None:
    """Return the bot that gives hints; None if the default one does not play the game. Raises BotError."""
    from ballcourt.arena.bots.bot import BotError, check_plays
    from ballcourt.arena.bots.known import resolve_bot
    from ballcourt.arena.processes.builds import ready
    from ballcourt.engine.registry import find_game

    bot = resolve_bot(name)
    try:
        check_plays(bot, find_game(game))
    except BotError:
        if name != DEFAULT_ADVISER:
            raise
        return None
    (prepared,) = ready([bot], sandbox)
    return prepared


def new_key(game: str) -> str:
    """Return the key of a match that is played now."""
    import secrets
    import time

    return f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"


def seats_of_people(bots: Sequence[str], person: str) -> list[int]:
    """Return the seats that are named by the word for people, or LABEL=word. Raises BotError for a bad label."""
    return [seat for seat, written in enumerate(bots) if _label(written, person) is not None]


def _entry(written: str, person: str) -> Entry:
    """Return the entry of a bot, or of a person. Raises BotError."""
    from ballcourt.arena.bots.entries import Entry, resolve_entry
    from ballcourt.arena.match.person import person_entrant

    label = _label(written, person)
    if label is None:
        return resolve_entry(written)
    return Entry(person_entrant(label or person, person if label else ""))


def _label(written: str, person: str) -> str | None:
    """Return the label of a person, which may be empty; None for a bot."""
    from ballcourt.arena.bots.entries import split_label

    label, name = split_label(written)
    return label if name == person else None
