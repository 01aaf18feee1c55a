"""The conversation with the people at a terminal: the board, what others did, a question, numbers to choose from."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ballcourt.arena.faults import ArenaError, BotFault
from ballcourt.arena.match.adviser import Adviser
from ballcourt.arena.match.person import PendingQuestion, Person
from ballcourt.arena.match.turn import NothingToUndo
from ballcourt.arena.printable import cut, printable
from ballcourt.arena.terminal.boards import drawn, legend
from ballcourt.arena.terminal.keyboard import Keyboard

COMMANDS: Final = {
    "NUMBER": "choose this answer",
    "u": "undo your last answer, until the turn is over",
    "h": "hint: what another bot would do",
    "e": "explain all answers; e NUMBER explains one",
    "t": "a tour of the game for a first match",
    "b": "the board, with what you have done in this turn",
    "k": "key: what the places of the board are",
    "q": "save the match and quit",
    "?": "these commands",
}


class Quit(Exception):
    """A person wants to quit, or standard input has ended."""


class Dialogue:
    """Asks the people at one terminal, in turn. No one sees what only another seat may know, unless looking back."""

    def __init__(
        self,
        people: Sequence[Person],
        names: Sequence[str],
        console: Console,
        keyboard: Keyboard,
        adviser: Adviser | None,
        asked: Callable[[], None],
    ) -> None:
        """`names` are those of all seats. `asked` is called before the first question of each turn."""
        self._people = people
        self._names = [printable(name) for name in names]
        self._console = console
        self._keyboard = keyboard
        self._adviser = adviser
        self._asked = asked
        self._changed = asyncio.Event()
        self._shown = [0] * len(people)
        self._last: Person | None = None

    def changed(self) -> None:
        """Note that there is news for a person."""
        self._changed.set()

    async def hold(self) -> None:
        """Ask the people whose turn it is, until the match is over for all. Raises Quit."""
        while not all(person.is_over for person in self._people):
            person = next((person for person in self._people if person.question), None)
            if person is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            self._asked()
            await self._hand_over(person)
            self._show(person)
            await self._take_turn(person)

    async def _hand_over(self, person: Person) -> None:
        """Ask people to change places before one sees what only its seat may know."""
        if len(self._people) > 1 and person is not self._last:
            self._console.clear()
            self._say(f"{person.name} plays; press Enter when no one else looks")
            await self._line(person)
        self._last = person

    async def _take_turn(self, person: Person) -> None:
        """Ask until the turn is over, or the seat is lost."""
        while question := person.question:
            self._put(person, question)
            line = await self._line(person)
            if line is None:
                break
            await self._obey(person, question, line)
        if person.lost:
            self._say(f"{person.name} has lost the seat: {person.lost}")

    async def _line(self, person: Person) -> str | None:
        """Wait for a line; return None if the person is no longer asked. Raises Quit at the end of the input."""
        reading = asyncio.create_task(self._keyboard.line())
        try:
            while not reading.done() and person.question:
                self._changed.clear()
                changing = asyncio.create_task(self._changed.wait())
                await asyncio.wait((reading, changing), return_when=asyncio.FIRST_COMPLETED)
                changing.cancel()
            if not reading.done():
                return None
            line = reading.result()
            if line is None or not self._console.is_terminal:
                self._console.print()  # Enter was not pressed
            if line is None:
                raise Quit
            return line
        finally:
            reading.cancel()

    async def _obey(self, person: Person, question: PendingQuestion, line: str) -> None:
        number = _number(line)
        if 1 <= number <= len(question.legal):
            person.act(question.legal[number - 1])
            return
        about = _number(line[1:].strip()) if line[:1].lower() == "e" else 0
        if 1 <= about <= len(question.legal):
            self._explain(person, question, [about - 1])
            return
        match line.lower():
            case "e":
                self._explain(person, question, range(len(question.legal)))
            case "t":
                tour = [f"  {lesson['title']}. {lesson['text']}" for lesson in person.game.lessons()]
                self._say(*tour or ["there is no tour of this game; its rules: ballcourt games NAME --rules"])
            case "u":
                try:
                    person.undo()
                except NothingToUndo as error:
                    self._say(str(error))
            case "h":
                await self._hint(person, question)
            case "b":
                self._show(person)
            case "k":
                self._key(person)
            case "q":
                raise Quit
            case "" | "?":
                self._say(*[f"  {name:7} {meaning}" for name, meaning in COMMANDS.items()])
            case _:
                self._say(f"'{cut(line, 40)}' is not an answer; type a number from 1 to {len(question.legal)}, or ?")

    def _explain(self, person: Person, question: PendingQuestion, indices: Iterable[int]) -> None:
        for index in indices:
            explained = person.game.explain(question.state, person.seat, question.legal[index])
            label = person.game.choice(question.state, person.seat, question.legal[index])["label"]
            section = f" (rules, §{explained['section']})" if explained["section"] else ""
            self._say(f"  {index + 1} {label}: {explained['text'] or 'as it says.'}{section}")

    async def _hint(self, person: Person, question: PendingQuestion) -> None:
        if self._adviser is None or person.start is None:
            self._say("no bot gives hints in this game; name one with --hints BOT")
            return
        try:
            answer = await self._adviser.advise(person.start, question)
        except (BotFault, ArenaError) as error:
            self._say(f"{self._adviser.name} gives no hint: {error}")
            return
        if answer.action in question.legal:
            label = person.game.choice(question.state, person.seat, answer.action)["label"]
            self._say(f"{self._adviser.name} would choose {question.legal.index(answer.action) + 1}: {label}")
        if answer.thoughts:
            self._say(*(f"  {line}" for line in answer.thoughts.splitlines()))

    def _show(self, person: Person) -> None:
        """Show what was done since the board was shown last, and the board: one decides by its end."""
        scene = person.scene()
        if scene is None or person.scenery is None:
            return
        rivals = len(scene["players"]) - len(self._names)
        self._console.print()
        number = self._people.index(person)
        for news in person.news[self._shown[number] :]:
            if news.seat != person.seat:
                self._say(f"  {self._names[news.seat]}: {news.label}")
        self._shown[number] = len(person.news)
        self._console.print(legend(self._names, rivals, person.seat))
        self._console.print(drawn(person.game.drawing(), person.scenery, scene), soft_wrap=True)

    def _put(self, person: Person, question: PendingQuestion) -> None:
        scene = person.scene()
        asked = scene["question"]["text"] if scene and scene["question"] else "What to do?"
        left_s = question.left_s()
        limit = "" if left_s is None else f" ({left_s} s)"
        self._console.print(Text(f"\n{person.name}: {asked}{limit}", style="bold"))
        self._console.print(numbered(choice["label"] for choice in person.choices()))
        self._console.print(Text("number, e explain, u undo, h hint, ? more > "), end="")

    def _key(self, person: Person) -> None:
        if person.scenery:
            places = person.scenery["places"].items()
            self._say(*[f"  {name}: {place['label']}" for name, place in places if place["label"] not in ("", name)])

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(Text(printable(line)), soft_wrap=False)


def _number(line: str) -> int:
    """Return a number that was typed; 0 if the line is not one."""
    return int(line) if line.isdecimal() and line.isascii() and len(line) < 10 else 0


def numbered(labels: Iterable[str]) -> Columns:
    """Return choices in columns, each with its number, from 1."""
    return Columns((_choice(*choice) for choice in enumerate(labels, start=1)), padding=(0, 2), column_first=True)


def _choice(number: int, label: str) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))  # what is too long for a line goes on below the label, not the number
    grid.add_row(Text(f"{number:>2}"), Text(label))
    return grid
