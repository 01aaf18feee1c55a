"""Tables as they are printed."""

import io

import pytest
from rich.console import Console
from rich.table import Table

from ballcourt.cli.output import print_table


def table(*rows: tuple[str, ...]) -> Table:
    made = Table(title="bluff, rules 1, 3 seats", title_justify="left", title_style="bold")
    for heading in ("#", "bot", "a long heading"):
        made.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=heading != "bot")
    for row in rows:
        made.add_row(*row)
    return made


@pytest.mark.parametrize("width", [24, 39, 40, 160])
@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_a_table_is_printed_as_rich_would(width: int, terminal: bool, rows: int) -> None:
    printed = []
    for show in (Console.print, print_table):
        console = Console(file=io.StringIO(), width=width, force_terminal=terminal, highlight=False, markup=False)
        show(console, table(*[("1", "ann", "3.0"), ("12=", "日本 bot with spaces", "-"), ("3", "[b]", "")][:rows]))
        assert isinstance(console.file, io.StringIO)
        printed.append(console.file.getvalue())
    assert printed[0] == printed[1]


def test_a_table_has_the_borders_of_a_terminal_that_only_knows_ascii() -> None:
    printed = []
    for show in (Console.print, print_table):
        file = io.BytesIO()
        console = Console(file=io.TextIOWrapper(file, "ascii"), width=80, highlight=False, markup=False)
        show(console, table(("1", "ann", "3.0"), ("2", "bob", "2.0")))
        console.file.flush()
        printed.append(file.getvalue())
    assert printed[0] == printed[1]
