"""`ballcourt doctor`: shows what this machine offers an arena."""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from ballcourt.arena.bots.known import resolve_bot
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.python import our_python
from ballcourt.arena.sandbox.machine import Finding, findings, tiers
from ballcourt.arena.sandbox.tiers import SandboxError, unavailable
from ballcourt.arena.temporary import scratch_folder
from ballcourt.arena.workers.capacity import tightest
from ballcourt.arena.workers.speed import speed
from ballcourt.cli.declaring import option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, note, say, working

SEATS = 4
"""The seats of a match for which the capacity is shown."""
FEW = 4
"""Workers below which a limit is worth raising."""


def doctor(
    tier: Annotated[int | None, option("Fail unless this sandbox tier is available.", "TIER", min=0, max=2)] = None,
    strict: Annotated[
        bool,
        switch("--strict", "Fail unless this machine can enforce all that the tier promises; tier 1 by default."),
    ] = False,
    bot: Annotated[
        str, option("Play with this bot in tier 1 under strace, and name the calls that it is refused.", "BOT")
    ] = "",
    as_json: Json = False,
) -> None:
    """Show what this machine offers, and how to get more out of it.

    That is: sandbox tiers, resource limits, the precision of the clocks, how many workers fit, and how fast
    the machine is.

    \b
    Exit codes: 0 success; 1 the tier of --tier is not available, or with --strict one of its walls.
    Examples:
      ballcourt doctor
      ballcourt doctor --tier 1 --json
      ballcourt doctor --bot ./mine
    """
    found, reasons = findings(), tiers()
    if sys.platform == "linux":
        found += [_capacity(), Finding("workers", "speed", f"{speed():g} times that of the reference machine")]
    if bot:
        found += _refused(bot)
    if as_json:
        available = [{"tier": tier, "available": not reason, "reason": reason} for tier, reason in reasons.items()]
        dump({"tiers": available, "findings": found})
    else:
        say(_lines(found))
    if tier is not None and reasons[tier]:
        note(f"ballcourt: sandbox tier {tier} is not available: {reasons[tier]}")
        raise typer.Exit(CHECK_FAILED)
    if strict:
        needs_linux("--strict needs")
        from ballcourt.arena.sandbox.walls import shortcoming  # other systems lack what it looks at

        if sentence := shortcoming(tier or 1):
            note(f"ballcourt: {sentence}")
            raise typer.Exit(CHECK_FAILED)


def _refused(bot: str) -> list[Finding]:
    """Return which calls a bot is refused in a match. Raises SandboxError, and BotError for an unknown bot."""
    needs_linux("--bot needs")
    from ballcourt.arena.sandbox.refused import refused_calls

    entry = resolve_bot(bot)
    if sentence := unavailable(1):
        raise SandboxError(sentence)
    play = f"--sandbox 1 --clock startup_ms=60000 --matches 1 --seats 2 --game {(*entry.games, 'maya')[0]}"
    with scratch_folder() as place, working("playing under strace ..."):
        table = ["--bot", f"it={bot}", "--bot", "other=random", "--output", str(place / "out")]
        counts = refused_calls([our_python(), "-m", "ballcourt", "tournament", *play.split(), *table])
    calls = [Finding("refused calls", name, f"{error}, {times} times") for (name, error), times in counts.items()]
    return calls or [Finding("refused calls", "none", f"in a match of {bot}")]


def _capacity() -> Finding:
    found = tightest(SEATS)
    advice = "" if found.workers >= FEW else "raise the limit: tournaments with more workers are refused"
    return Finding("workers", "at most", f"{found.workers} with {SEATS} seats each, by {found.limit}", advice)


def _lines(found: Iterable[Finding]) -> Iterator[str]:
    topic = ""
    for finding in found:
        if finding.topic != topic:
            topic = finding.topic
            yield topic
        yield f"  {finding.name:<20} {finding.value}"
        if finding.advice:
            yield f"  {'':<20} -> {finding.advice}"
