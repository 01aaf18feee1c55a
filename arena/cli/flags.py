"""Flags that several subcommands have."""

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
ClockFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--clock",
        metavar="NAME=MS",
        help="A time budget in milliseconds: bank_ms, increment_ms, cap_ms, startup_ms, match_start_ms or grace_ms; "
        "may be repeated.",
    ),
]
