"""One match that is set up by words: bots, and seats that are played in this process."""

import secrets
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ballcourt.arena.bots.bot import Bot, BotError, check_plays
from ballcourt.arena.bots.entries import Entry, resolve_entry, split_label
from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.building.builds import ready, ready_entries
from ballcourt.arena.match.person import clock_of_person, person_entrant
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.branches import branch
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.terminal.saved import Setup
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.arena.tournament.event.setups import set_up
from ballcourt.arena.workers.playable import PlayableMatch
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

HUMAN: Final = "human"
"""What a person is called among the bots."""
DEFAULT_ADVISER: Final = "planner"
"""The bot that is asked for hints."""


def match_of(setup: Setup, person: str, begun: MatchRecord | None = None) -> PlayableMatch:
    """Check everything before a process is started. The key is unique, so no record is ever overwritten.

    `person` is the word for seats without a bot; `begun` is the record so far of a match to be continued. Raises
    WrongInput.
    """
    settings = setup.conditions
    rules = find_game(setup.game)
    played = set_up(rules, len(setup.bots), setup.options)
    entries = [_entry(name, person) for name in setup.bots]
    labels = Counter(label for label, _ in map(split_label, setup.bots) if label)
    if twice := next((label for label, times in labels.items() if times > 1), None):
        raise BotError(f"two seats are called {twice}; give one of them another label")
    for entry in entries:
        if entry.bot:
            check_plays(entry.bot, rules)
    confined = settings.sandbox.sandbox()
    seed = draw_seed().number if settings.seed is None else settings.seed
    clock, for_people = settings.clock.clock(), clock_of_person(setup.turn_s)
    people = seats_of_people(setup.bots, person)
    spec = MatchSpec(
        key=begun.key if begun else new_key(setup.game),
        game=played.game,
        options=played.options,
        seed=begun.seed if begun else seed,
        entrants=tuple(entry.entrant for entry in entries),
        clock=clock,
        seat_clocks=tuple(for_people if seat in people else clock for seat in range(len(entries))) if people else (),
    )
    bots = ready_entries(entries, confined, in_place=not people)  # a match of people may be continued
    return PlayableMatch(spec, bots, confined, logs=settings.logs)


def branched(setup: Setup, record: MatchRecord, number: int) -> tuple[Setup, MatchRecord]:
    """Return a set-up with the options of a record, and what is decided before a decision of it. Raises RecordError."""
    return setup.model_copy(update={"options": dict(record.options)}), branch(record, number, new_key(record.game))


def adviser_for(game: str, name: str, sandbox: Sandbox) -> Bot | None:
    """Return the bot that gives hints; None if the default one does not play the game. Raises BotError."""
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
    return f"{game}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"


def seats_of_people(bots: Sequence[str], person: str) -> list[int]:
    """Return the seats that are named by the word for people, or LABEL=word. Raises BotError for a bad label."""
    return [seat for seat, written in enumerate(bots) if _label(written, person) is not None]


def _entry(written: str, person: str) -> Entry:
    """Return the entry of a bot, or of a person. Raises BotError."""
    label = _label(written, person)
    if label is None:
        return resolve_entry(written)
    return Entry(person_entrant(label or person, person if label else ""))


def _label(written: str, person: str) -> str | None:
    """Return the label of a person, which may be empty; None for a bot."""
    label, name = split_label(written)
    return label if name == person else None
