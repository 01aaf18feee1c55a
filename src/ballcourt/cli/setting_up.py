"""What the flags of a command say about one match."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ballcourt.arena.extras import needs_linux
from ballcourt.arena.terminal.saved import Setup
from ballcourt.arena.tournament.event.seeds import caution
from ballcourt.cli.flags import Treatment
from ballcourt.cli.given import OF_BOTS, pairs, settings_table
from ballcourt.cli.output import note


def setup_of(
    game: str,
    bots: Sequence[str],
    seed: int | None,
    option: Sequence[str] | None,
    treatment: Treatment,
    turn_s: int | None = None,
    known: Collection[str] = OF_BOTS,
) -> Setup:
    """Return what the flags of a command say about a match; `known` are the keys of --set. Raises BadParameter."""
    given = settings_table(treatment, known)
    demand_walls(given, strict=treatment.strict)
    if seed is not None:
        given["seed"] = seed
    setup = Setup(game=game, bots=(*bots,), options=pairs("--option", option or ()), said=given, turn_s=turn_s)
    if seed is not None and (sentence := caution(seed, setup.conditions.sandbox.sandbox().tier)):
        note(sentence)
    return setup


def demand_walls(given: Mapping[str, Any], *, strict: bool) -> None:
    """Raise SandboxError if a command is `strict` and this machine lacks something that the sandbox tier promises."""
    if strict:
        needs_linux("--strict needs")
        from ballcourt.arena.sandbox import walls  # it reads the kernel

        walls.demand(given.get("sandbox", {}).get("tier", 0))
