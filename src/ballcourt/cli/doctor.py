"""`ballcourt doctor`: shows what this machine offers an arena."""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from ballcourt.arena.extras import needs_linux
from ballcourt.arena.sandbox.machine import Finding, findings, tiers
from ballcourt.arena.workers.capacity import tightest
from ballcourt.arena.workers.speed import speed
from ballcourt.cli.declaring import option, switch
from ballcourt.cli.failures import CHECK_FAILED
from ballcourt.cli.flags import Json
from ballcourt.cli.output import dump, note, say

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
    """
    found, reasons = findings(), tiers()
    if sys.platform == "linux":
        found += [_capacity(), Finding("workers", "speed", f"{speed():g} times that of the reference machine")]
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
