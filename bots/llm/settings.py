"""What the bot must know of its endpoint: from the environment, or from a file for bots that get no environment.

A local arena hands no variables of its own to bots, so that no bot reads the keys of another. There the file serves,
`llm.toml` in ~/.config/ballcourt: the same names with the same values.
"""

import json
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NoReturn
from urllib.parse import unquote, urlsplit

from ballcourt import CannotPlay
from ballcourt.arena.printable import redacted

FILE: Final = Path(".config/ballcourt/llm.toml")
"""Below the home folder."""


class SettingsError(CannotPlay):
    """A setting is missing or wrong; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """An endpoint, a model, and how much a match may take."""

    base_url: str
    api_key: str
    """Empty for endpoints without keys."""
    model: str
    temperature: float
    tokens: int
    """The most tokens that a match may take, both ways."""
    reply_tokens: int
    """The most tokens of one reply, with what a model thinks before it."""
    price_in: float
    """The price of a million tokens sent, in the currency of the owner."""
    price_out: float
    reasoning_effort: str = ""
    """How much a model thinks first, in the endpoint's own words, such as "low"; empty: as it does by itself."""
    disguise: int | None = None
    """The seed of the disguise in which the model sees the game; None: it sees it as it is."""

    def declared(self, prompts: Sequence[str]) -> str:
        """Return what an answer depends on, for a record: a hash of prompts and settings, and the settings."""
        names = ("model", "temperature", "tokens", "reply_tokens", "reasoning_effort", "disguise")
        given = {name: value for name in names if (value := getattr(self, name)) not in ("", None)}
        digest = sha256(json.dumps([prompts, given]).encode()).hexdigest()[:16]
        return f"prompts and settings {digest}: " + ", ".join(f"{name} {value}" for name, value in given.items())

    @property
    def host(self) -> str:
        """The host of the endpoint, which can be printed: an address may hold a password."""
        return str(urlsplit(self.base_url).hostname)

    def redact(self, text: str) -> str:
        """Return a string without the key, and without the user and password of the address, however they are spelt."""
        parts = urlsplit(self.base_url)
        user, password = parts.username or "", parts.password or ""
        both = (f"{user}:{password}", f"{unquote(user)}:{unquote(password)}")
        return redacted(text, (self.api_key, password, unquote(password), *(pair for pair in both if pair != ":")))


class _Arguments(ArgumentParser):
    """What an entrant may say of its model, so that one event has several.

    A key is not an argument, as results show those. An address that is one gets no key: a tournament file of a stranger
    must not send the user's key to an endpoint of its choice.
    """

    def __init__(self) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self.add_argument("--model", dest="OPENAI_MODEL")
        self.add_argument("--base-url", dest="OPENAI_BASE_URL")
        self.add_argument("--disguise", dest="LLM_DISGUISE")

    def error(self, message: str) -> NoReturn:
        """Raise SettingsError."""
        raise SettingsError(f"{message}; the bot llm takes --model NAME, --base-url URL and --disguise SEED")


def read_settings(environment: Mapping[str, str], home: Path, arguments: Sequence[str] = ()) -> Settings:
    """Read the settings. Arguments count more than variables of the environment, and these more than the file.

    Raises SettingsError.
    """
    given = {name: value for name, value in vars(_Arguments().parse_args(arguments)).items() if value is not None}
    values = {**_file(home / FILE), **environment, **given}
    if "OPENAI_BASE_URL" in given:
        values["OPENAI_API_KEY"] = ""
    settings = Settings(
        base_url=values.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/"),
        api_key=values.get("OPENAI_API_KEY", "").strip(),
        model=values.get("OPENAI_MODEL", ""),
        temperature=_number(values, "LLM_TEMPERATURE", 0.2, 2),
        tokens=int(_number(values, "LLM_TOKENS", 500_000, 1e12)),
        reply_tokens=int(_number(values, "LLM_REPLY_TOKENS", 1000, 1e6)),
        price_in=_number(values, "LLM_PRICE_IN", 0, 1e6),
        price_out=_number(values, "LLM_PRICE_OUT", 0, 1e6),
        reasoning_effort=values.get("LLM_REASONING_EFFORT", "").strip(),
        disguise=_seed(values.get("LLM_DISGUISE", "").strip()),
    )
    if not settings.model:
        raise SettingsError(
            f"no model is named; set OPENAI_MODEL, OPENAI_BASE_URL and OPENAI_API_KEY in ~/{FILE}, or in the "
            "environment of a remote bot: an arena hands no variables to bots that it starts, and a sandbox hides "
            "that file"
        )
    if not (settings.api_key.isascii() and settings.api_key.isprintable()):
        raise SettingsError("OPENAI_API_KEY has a character that no key has; copy it again")
    if not _is_address(settings.base_url):
        raise SettingsError("OPENAI_BASE_URL is not an address; it must be like http://localhost:8000/v1")
    return settings


def _seed(given: str) -> int | None:
    if not given:
        return None
    if re.fullmatch("[0-9]{1,20}", given) and int(given) < 1 << 64:
        return int(given)
    raise SettingsError(f"LLM_DISGUISE is '{given}'; it must be a seed, a whole number from 0 to {(1 << 64) - 1}")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is not a number, or a bracket is left open
        return False


def _file(path: Path) -> dict[str, str]:
    try:
        return {name: str(value) for name, value in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):  # its text is not quoted: it may hold a key
        raise SettingsError(f'~/{FILE} cannot be read; it must be TOML such as OPENAI_MODEL = "name"') from None


def _number(values: Mapping[str, str], name: str, default: float, most: float) -> float:
    try:
        number = float(values.get(name, default))
    except ValueError:
        number = -1
    if not 0 <= number <= most:
        raise SettingsError(f"{name} is '{values[name]}'; it must be a number from 0 to {most:g}")
    return number
