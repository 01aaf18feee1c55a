"""The specification of the protocol says what the code does: keys, variables, terminations, budgets and limits."""

import dataclasses
import re
from pathlib import Path

import pytest

from ballcourt.arena.bots import parameters
from ballcourt.arena.bots.bot import OPTIONAL, REQUIRED
from ballcourt.arena.match.spec import Clock
from ballcourt.arena.remote.limits import HostLimits
from ballcourt.arena.remote.proxy import LENIENCY
from ballcourt.arena.remote.sessions import KEEPALIVE_S, MOST_UNREAD, MOST_UNREAD_BYTES, SILENT_S
from ballcourt.v1.protocol_pb2 import Termination

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs" / "pages" / "reference"
TEXT = (REFERENCE / "protocol.md").read_text(encoding="utf-8")
BOT_TOML = (REFERENCE / "bot-toml.md").read_text(encoding="utf-8")
SENTENCES = " ".join(TEXT.split())
LIMITS = HostLimits()


def test_every_key_of_a_bot_file_is_in_its_table() -> None:
    section = BOT_TOML.split("## Keys")[1].split("\n## ")[0]
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE)))
    assert sorted(named) == sorted((*REQUIRED, *OPTIONAL))
    assert [key for key in parameters.KEYS if f"`{key}`" not in section] == []


def test_every_variable_that_the_sdk_reads_is_described() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "bots" / "sdk" / "python").glob("*.py")]
    read = {name for source in sources for name in re.findall(r"BALLCOURT_[A-Z]+", source)}
    assert read and [name for name in read if f"| `{name}`" not in TEXT and f"`{name}`, `" not in TEXT] == []


def test_every_fault_is_in_the_table() -> None:
    faults = [name.removeprefix("TERMINATION_") for name, _ in Termination.items()]
    table = TEXT.split("## Faults")[1]
    assert [name for name in faults if name not in ("UNSPECIFIED", "OK") and f"| `{name}` |" not in table] == []


@pytest.mark.parametrize("budget", ["startup_ms", "match_start_ms", "cap_ms", "bank_ms", "increment_ms", "grace_ms"])
def test_the_budgets_have_the_defaults_of_the_table(budget: str) -> None:
    [default] = re.findall(rf"^\| `{budget}` \|.*\| ([\d ]+) \|$", TEXT, re.MULTILINE)
    assert int(default.replace(" ", "")) == {each.name: each.default for each in dataclasses.fields(Clock)}[budget]


@pytest.mark.parametrize(
    "sentence",
    [
        f"has more than {LIMITS.first_message} bytes",
        f"names more than {LIMITS.games} games",
        f"already has {LIMITS.streams_per_bot} streams",
        f"used in {LIMITS.hellos} Hellos in the last {LIMITS.window_s:g} s",
        f"closed after {LENIENCY * LIMITS.hello_s:g} s, after {LIMITS.unproven_bytes // 1024} KiB, "
        f"or after more than {LIMITS.refusals} refused Hellos",
        f"At most {LIMITS.unproven} connections are not proven at a time",
        f"once it has had {LIMITS.grace_s:g} s",
        f"{LIMITS.per_s:g} connections a second are served",
        f"At most {LIMITS.waiting} wait",
        f"read at up to {LIMITS.bytes_per_s // 1024**2} MiB/s",
        f"after {LIMITS.failures} of one address in {LIMITS.window_s:g} s",
        f"on which nothing has come for {KEEPALIVE_S:g} s, and closes it if no answer comes in {KEEPALIVE_S:g} s",
        f"silent for {SILENT_S:g} s gets no new match",
        f"more than {MOST_UNREAD} messages or {MOST_UNREAD_BYTES // 1024} KiB",
    ],
)
def test_the_limits_of_a_host_are_those_of_the_specification(sentence: str) -> None:
    assert sentence in SENTENCES
