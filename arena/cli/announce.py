"""What is said of a tournament before it is played: how much there is of it, how fair it is, what is unusual."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ballcourt.arena.cli.output import note

if TYPE_CHECKING:
    from ballcourt.arena.tournament.plan import Tournament


def announce(planned: Tournament, played: int) -> None:
    """Say it on stderr; `played` matches have been played before."""
    from ballcourt.arena.sandbox.tiers import NO_SANDBOX
    from ballcourt.arena.workers.playable import Lifetime

    bots = ", ".join(bot.name for bot in planned.entrants)
    note(f"{planned.matches} matches of {planned.game.name} with {_seats(planned.seats)}: {bots}")
    note(_balance(planned))
    if planned.lifetime is Lifetime.MATCH:
        note("every bot has a fresh process in every match")
    if planned.policy.judges:
        note(f"rounds, after each of which it is judged who has to sit out: {len([*planned.stages()])}")
    if planned.sandbox != NO_SANDBOX:
        note(planned.sandbox.describe())
    if played:
        note(f"{played} of them have been played before" + ("" if played == planned.matches else "; going on"))


def _seats(count: int) -> str:
    return "1 seat" if count == 1 else f"{count} seats"


def _balance(planned: Tournament) -> str:
    if planned.seats == 1:
        return f"each bot plays the same {planned.blocks} {'seed' if planned.blocks == 1 else 'seeds'} alone"
    counted = planned.balance()
    if counted.even:
        return (
            f"balanced: each bot plays {counted.matches[0]} matches, equally often in every seat and with every other"
        )
    pairs = counted.pairs.values()
    return (
        f"each bot plays {min(counted.matches)} to {max(counted.matches)} matches, equally often in every seat; "
        f"each pair meets {min(pairs)} to {max(pairs)} times"
    )
