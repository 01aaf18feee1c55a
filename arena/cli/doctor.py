"""`ballcourt doctor`: shows what this machine offers an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ballcourt.arena.cli.failures import CHECK_FAILED
from ballcourt.arena.cli.flags import Json
from ballcourt.arena.cli.output import dump, note, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ballcourt.arena.sandbox.machine import Finding


def doctor(
    tier: Annotated[
        int | None, typer.Option(min=0, max=1, metavar="TIER", help="Fail unless this sandbox tier is available.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what this machine offers, and how to get more out of it.

    That is: sandbox tiers, resource limits, and the precision of the clocks.

    \b
    Exit codes: 0 success; 1 the tier of --tier is not available.
    Examples:
      ballcourt doctor
      ballcourt doctor --tier 1 --json
    """
    from ballcourt.arena.sandbox.machine import findings, tiers

    found, reasons = findings(), tiers()
    if as_json:
        dump(_values(found, reasons))
    else:
        say(_lines(found))
    if tier is not None and reasons[tier]:
        note(f"ballcourt: sandbox tier {tier} is not available: {reasons[tier]}")
        raise typer.Exit(CHECK_FAILED)


def _lines(found: Iterable[Finding]) -> Iterator[str]:
    topic = ""
    for finding in found:
        if finding.topic != topic:
            topic = finding.topic
            yield topic
        yield f"  {finding.name:<20} {finding.value}"
        if finding.advice:
            yield f"  {'':<20} -> {finding.advice}"


def _values(found: Iterable[Finding], reasons: dict[int, str]) -> dict[str, object]:
    from dataclasses import asdict

    tiers = [{"tier": tier, "available": not reason, "reason": reason} for tier, reason in reasons.items()]
    return {"tiers": tiers, "findings": [asdict(finding) for finding in found]}
