"""What strangers write reaches terminals, spreadsheets and programs harmlessly."""

import ast
import csv
import html
import io
import json
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import ballcourt.cli
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.printable import FORMULA, LEAST_CODED, as_json, csv_text, printable, redacted
from ballcourt.leaderboard.show.terminal import to_csv, to_table
from tests.leaderboard.made import board, match

PRINTERS = {"output.py"}
"""The modules of the command line that may print."""
SHAPELESS = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that move the cursor, turn the direction of writing or cannot be encoded."""

strange = st.text(st.characters(codec=None), max_size=30)


def test_escapes_stand_for_control_characters_and_letters_stay() -> None:
    assert printable("a\x1b[2Jb\u202ec é\n\x7f\x9b\udc80") == r"a\x1b[2Jb\u202ec é\n\x7f\x9b\udc80"


@given(strange)
def test_what_is_printable_is_one_line_that_can_be_encoded(text: str) -> None:
    shown = printable(text)
    assert not {unicodedata.category(char) for char in shown} & set(SHAPELESS)
    assert len(shown.splitlines()) <= 1
    shown.encode()


@given(strange)
def test_no_cell_of_csv_is_a_formula(text: str) -> None:
    assert not csv_text(text).startswith(FORMULA)


def test_numbers_of_csv_stay_numbers_and_names_that_look_like_formulas_do_not() -> None:
    played = [match("m1", "=1+1 bob"), match("m2", "+SUM(A1) -1 @x")]
    named = [cell for one in played for cell in _cells(to_csv({one.ladder: board([one])}))]
    assert {"'=1+1", "'+SUM(A1)", "'-1", "'@x"} <= set(named)
    assert not any(cell.startswith(FORMULA) and not is_number(cell) for cell in named)


@pytest.mark.slow
@given(st.recursive(strange | st.floats() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(strange, inner)))
def test_json_is_readable_by_every_program(value: object) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    read = json.loads(as_json(value), parse_constant=refuse)
    json.dumps(read, ensure_ascii=False).encode()


def test_a_table_shows_a_name_with_escapes_as_text() -> None:
    ladder = match("m", "ann", "bob", options=(("evil\x1b[2J", "\u202e"),)).ladder
    rows = board([match("m", "ann", "bob")]).rows
    rows = [replace(row, entrant=BotVersion("x\x1b[31m", "1\x07", "")) for row in rows]
    console = Console(width=200, file=io.StringIO())
    with console.capture() as captured:
        console.print(to_table(ladder, rows))
    assert r"x\x1b[31m" in captured.get()
    assert not set("\x1b\x07\u202e") & set(captured.get())


@pytest.mark.parametrize("module", sorted(Path(ballcourt.cli.__path__[0]).glob("*.py")), ids=lambda path: path.name)
def test_only_the_module_for_output_prints(module: Path) -> None:
    """So that nothing is printed that is not escaped."""
    if module.name in PRINTERS:
        return
    calls = [ast.unparse(node.func) for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call)]
    assert not {"print", "typer.echo", "typer.secho", "sys.stdout.write", "sys.stderr.write"} & set(calls)


def _cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _escaped(secret: str) -> str:
    return "".join(f"\\u{unit:04X}" for unit in memoryview(secret.encode("utf-16-le")).cast("H"))


SPELLINGS: list[Callable[[str], str]] = [
    str,
    lambda secret: json.dumps(secret)[1:-1],
    lambda secret: json.dumps(json.dumps(secret))[3:-3],
    lambda secret: json.dumps(secret)[1:-1].replace("/", r"\/"),
    lambda secret: json.dumps(secret, ensure_ascii=False)[1:-1],
    _escaped,
    lambda secret: _escaped(secret).lower(),
    lambda secret: quote(secret, safe=""),
    quote_plus,
    lambda secret: quote(quote(secret, safe=""), safe=""),
    lambda secret: "".join(f"%{octet:02x}" for octet in secret.encode()),
    html.escape,
    lambda secret: "".join(f"&#{ord(char)};" for char in secret),
    lambda secret: "".join(f"&#x{ord(char):X};" for char in secret),
    lambda secret: html.escape(html.escape(secret)),
]
"""How JSON, addresses and HTML may write a secret."""
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="«»*"), min_size=1, max_size=12)


@pytest.mark.parametrize("way", range(len(SPELLINGS)))
@given(secret=TEXT, before=st.sampled_from(["", "«"]), after=st.sampled_from(["", "»"]))
def test_a_secret_is_hidden_however_it_is_spelt(way: int, secret: str, before: str, after: str) -> None:
    assert redacted(f"{before}{SPELLINGS[way](secret)}{after}", [secret]) == f"{before}***{after}"


@given(secret=TEXT.filter(lambda text: len(text.encode()) >= LEAST_CODED), around=st.tuples(st.binary(), st.binary()))
def test_a_secret_is_hidden_in_base64_of_longer_text(secret: str, around: tuple[bytes, bytes]) -> None:
    whole = around[0] + secret.encode() + around[1]
    for coded in (b64encode(whole).decode(), urlsafe_b64encode(whole).decode()):
        assert "***" in redacted(coded, [secret])
        assert "***" in redacted("\n".join(coded[at : at + 5] for at in range(0, len(coded), 5)), [secret])
        assert "***" in redacted(coded.replace("/", r"\/"), [secret])


def test_nothing_is_hidden_where_there_is_no_secret() -> None:
    assert redacted("an error of the endpoint", ["", "sk-key"]) == "an error of the endpoint"
