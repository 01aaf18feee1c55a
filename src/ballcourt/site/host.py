"""Matches in a page that has no server: the arena runs in the page itself, in Pyodide, as `play --site` writes it.

The worker of the page unpacks the archives of the site, makes a `Host`, and passes on what the page asks. A page keeps
nothing from the person who plays in it, who could read everything with the tools of the browser.
"""

import asyncio
import json
import secrets
import sys
from base64 import b64encode
from collections.abc import Callable
from importlib import import_module, invalidate_caches
from pathlib import Path
from traceback import format_exception
from typing import Any, Final, TypedDict

from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.browser.personal import Feed, PersonalView
from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.in_process import UNLIMITED, LocalSeat, play_among
from ballcourt.arena.match.person import Person, PersonSeat, person_entrant
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.seats import Seat
from ballcourt.arena.match.spec import Clock, MatchSpec
from ballcourt.arena.records.store import SUFFIX, framed, serialised
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.tournament.event.seeds import draw_seed
from ballcourt.bots.sdk.python import Bot, Session
from ballcourt.bots.sdk.python.main import introduce
from ballcourt.engine.core import IllegalAction, WrongInput
from ballcourt.engine.registry import find_game
from ballcourt.v1.record_pb2 import MatchRecord

BOTS: Final = "site_bots"
"""The package of the bots of a site: one for each seat, by the names that follow."""
ADVISER: Final = "adviser"
HUMAN: Final = "human"
OWN: Final = "yours"
"""The bot that a person writes in the page, and its name."""
PROGRAM: Final = "bot.py"
ADVICE: Final = Clock()
Send = Callable[[str, str], None]
"""Takes the name of an event for the page, and its data as JSON."""


class SiteTable(TypedDict):
    """What is played on a page, and who sits where: of `seats`, that of the person has no name."""

    game: str
    options: dict[str, str]
    seats: list[str | None]
    hints: str


class NotInPage(WrongInput):
    """What is asked cannot be done in the page; the sentence says why."""


def package_of(seat: int) -> str:
    """Return the name of the package of the bot in a seat."""
    return f"seat{seat}"


class Host:
    """Matches of one person against the bots of a site, one after the other, and matches of that person's own bot."""

    def __init__(self, table: SiteTable, folder: Path, send: Send) -> None:
        """`folder` holds the package of the bots, and is in Python's import path."""
        self._table = table
        self._bots = folder / BOTS
        self._game = find_game(table["game"])
        self._send = send
        self._again = asyncio.Event()
        self._view: PersonalView | None = None

    async def hold(self) -> None:
        """Play with the person until the page is closed."""
        while True:
            await self._play()
            await self._again.wait()
            self._again.clear()

    async def _play(self) -> None:
        """Play one match with the person, and send the page what the person sees."""

        def send() -> None:
            for event, data in feed.events():
                self._send(event, json.dumps(data))

        def changed() -> None:
            view.changed()
            send()

        person = Person(self._game, HUMAN, changed)
        match = self._match(person)
        adviser = Adviser(self._table["hints"], self._game, ADVICE, self._adviser) if self._table["hints"] else None
        self._view = view = PersonalView(match.spec, person, match.so_far(), lambda: None, adviser)
        feed = Feed(view)
        view.end(await match.play(), ["The match is over."], may_follow=True)
        send()

    async def respond(self, path: str, body: str) -> str:
        """Return the `answer` to a request of the page as JSON, or the reason why there is none as `detail`."""
        try:
            return json.dumps({"answer": await self._answer(path, json.loads(body))})
        except (WrongInput, IllegalAction, BotFault, ArenaError) as error:
            return json.dumps({"detail": str(error)})

    async def _answer(self, path: str, asked: Any) -> Any:  # noqa: ANN401  # JSON
        if path == "tour":
            return [*self._game.lessons()]
        if path == "match":
            return await self._match_of(asked["program"], asked["seed"])
        if (view := self._view) is None:
            raise NotInPage("the match has not begun; wait until it has")
        if path == "answer":
            return view.answer(asked["number"], asked["action"])
        if path == "hint":
            return await view.hint(asked["number"])
        if view.record is None:
            raise NotInPage("the match is not over; ask again when it is")
        return self._again.set() if path == "again" else _kept(view.record)

    def _match(self, person: Person) -> Match:
        """Return a new match of a person."""
        clock = UNLIMITED
        seats: list[Seat] = []
        entrants: list[Entrant] = []
        for number, name in enumerate(self._table["seats"]):
            if name is None:
                seats.append(PersonSeat(person))
                entrants.append(person_entrant(HUMAN))
            else:
                seat = LocalSeat(self._bot(package_of(number), name), self._game, clock)
                seats.append(seat)
                entrants.append(seat.entrant())
        key = f"{self._game.name}-{secrets.token_hex(4)}"
        options, seed = self._table["options"], draw_seed().number
        return Match(self._game, MatchSpec(key, self._game.name, options, seed, tuple(entrants), clock), seats)

    def _adviser(self) -> LocalSeat:
        return LocalSeat(self._bot(ADVISER, self._table["hints"]), self._game, ADVICE)

    async def _match_of(self, program: str, seed: int) -> dict[str, Any]:
        """Play the bot that a person wrote in that person's seat. Raises NotInPage with what is wrong with it."""
        own = self._bots / OWN
        own.mkdir(exist_ok=True)
        (own / PROGRAM).write_text(program, encoding="utf-8")
        try:
            bots = [
                self._bot(OWN, OWN) if name is None else self._bot(package_of(seat), name)
                for seat, name in enumerate(self._table["seats"])
            ]
            key = f"{self._game.name}-{OWN}-{seed}"
            record = await play_among(self._game.name, bots, seed, self._table["options"], key=key)
        except NotInPage:
            raise
        except (Exception, SystemExit) as error:
            raise NotInPage(_where(error, own / PROGRAM)) from error
        return _kept(record)

    def _bot(self, package: str, name: str) -> Session:
        """Return the bot of a package, under its name in the match. Raises NotInPage if its program defines none."""
        bot = _class_of(package, self._bots / package)()
        bot.name = name
        introduce(bot, self._bots / package)
        bot.version = bot.version or "1"
        return Session(bot)


def host(table: str, folder: str, send: Send) -> Host:
    """Return the host for a `SiteTable` as JSON. The worker of the page calls it."""
    return Host(json.loads(table), Path(folder), send)


def _class_of(package: str, folder: Path) -> type[Bot]:
    """Import the program of a bot again, with its own modules; return the class of the bot."""
    full = f"{BOTS}.{package}"
    for name in [name for name in sys.modules if name.startswith(f"{full}.")]:
        del sys.modules[name]
    invalidate_caches()
    before = {*sys.modules}
    sys.path.insert(0, str(folder))
    try:
        module = import_module(f"{full}.{Path(PROGRAM).stem}")
    finally:
        sys.path.remove(str(folder))
        for name in {*sys.modules} - before:  # another bot may have a module of this name
            if "." not in name and str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
    classes = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Bot) and one.__module__ == module.__name__
    ]
    if len(classes) != 1:
        raise NotInPage(f"{PROGRAM} defines {len(classes)} subclasses of Bot; it must define one")
    return classes[0]


def _where(error: BaseException, program: Path) -> str:
    """Return an error as Python prints it, from the first line of a program on."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != str(program):
        frames = frames.tb_next
    shown = "".join(format_exception(type(error), error, frames, chain=False))
    return shown.replace(str(program), PROGRAM).strip()


def _kept(record: MatchRecord) -> dict[str, Any]:
    """Return all views of a match that is over, and its record as a file in Base64."""
    views = [document(record, observer) for observer in observers(record)]
    return {"replays": views, "name": f"{record.key}{SUFFIX}", "record": b64encode(framed(serialised(record))).decode()}
