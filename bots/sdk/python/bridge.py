"""Seats a program that speaks lines over its standard input and output, as the kits of other competitions do.

`python -m ballcourt.bridge json COMMAND` and `... text COMMAND` are commands for bot.toml. A program of another kit
needs a subclass of `Program` that writes its questions and reads its answers.
"""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from ballcourt.bots.sdk.python.bot import Bot, CannotPlay
from ballcourt.bots.sdk.python.decision import Decision
from ballcourt.bots.sdk.python.main import run
from ballcourt.bots.sdk.python.session import MOST_ACTION, MOST_SHOWN
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import MatchEnd

LONGEST: Final = 2**16
"""The bytes of the longest answer."""
PATIENCE_S: Final = 1.0
"""How long a program may take to end after its match."""


class ProgramError(CannotPlay):
    """The program cannot be started, has ended, or answered with something that is not an action."""


class Program(Bot):
    """A program that is started for each match. Its standard error goes to the log of the bot."""

    command: Sequence[str] = ()
    _process: "Popen[bytes]"

    def match_started(self) -> None:
        """Start the program. Raises ProgramError."""
        self.names = find_game(self.match.game).action_names
        try:
            # Python else keeps lines back that are printed into a pipe
            self._process = Popen(self.command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        except OSError as error:
            raise ProgramError(
                f"the program '{self.command[0]}' cannot be started: {error.strerror}; name one that this machine has, "
                "or the folder of the bot"
            ) from None
        self.greet()

    def greet(self) -> None:
        """Say what a program expects before the first question."""

    def choose(self, decision: Decision) -> int:
        """Put a question to the program. Raises ProgramError; an action that is not legal is the arena's to refuse."""
        self.send(self.question(decision))
        return self.action(decision, self.receive())

    def question(self, decision: Decision) -> Sequence[str]:
        """Return the lines of a question."""
        raise NotImplementedError

    def action(self, decision: Decision, line: str) -> int:
        """Return the action that a line means. Raises ProgramError."""
        return self.number(
            decision, line, int(line) if line.isdecimal() and len(line) <= len(str(MOST_ACTION)) else line
        )

    def number(self, decision: Decision, line: str, meant: object) -> int:
        """Return the number of an action, given that or its name, which stood in a line. Raises ProgramError."""
        if isinstance(meant, str) and meant in self.names:
            return self.names.index(meant)
        if isinstance(meant, int) and not isinstance(meant, bool) and 0 <= meant <= MOST_ACTION:
            return meant
        raise ProgramError(
            f"the program '{self.shown}' answered {line[:MOST_SHOWN]!r}; it must be one of the legal actions, such "
            f"as {decision.legal[0]} or {self.names[decision.legal[0]]}"
        )

    def send(self, lines: Sequence[str]) -> None:
        """Write lines."""
        stdin: Any = self._process.stdin
        with suppress(BrokenPipeError):  # if the program has ended, `receive` says so
            stdin.write("".join(f"{line}\n" for line in lines).encode())
            stdin.flush()

    def receive(self) -> str:
        """Return the next line that the program writes; the arena's clock limits the wait. Raises ProgramError."""
        stdout: Any = self._process.stdout
        line = stdout.readline(LONGEST + 1)
        if len(line) > LONGEST:
            raise ProgramError(
                f"the program '{self.shown}' wrote a line of more than {LONGEST} bytes; an answer is shorter"
            )
        if not line:
            raise ProgramError(
                f"the program '{self.shown}' ended with exit code {self._exit_code()} during the match; it must answer "
                "questions until its input ends"
            )
        return str(line, "utf-8", "replace").strip()

    def match_ended(self, end: MatchEnd) -> None:
        """Close the program's input, and end the program unless it does that itself."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(BrokenPipeError):  # it has ended without reading all
                pipe.close()  # type: ignore[union-attr]
        self._exit_code()

    @property
    def shown(self) -> str:
        """The command, as errors show it."""
        return " ".join(self.command)

    def _exit_code(self) -> int:
        """Wait until the program has ended; kill it if that takes long."""
        try:
            return self._process.wait(PATIENCE_S)
        except TimeoutExpired:
            self._process.kill()
            return self._process.wait()


class JsonProgram(Program):
    """A program of the shape of the kits of Lux AI: a question is a line of JSON, and so is an answer."""

    def question(self, decision: Decision) -> Sequence[str]:
        """Return one line: the observation in `obs`, and the actions to choose from in `legal`."""
        asked = {
            "step": decision.number,
            "player": f"player_{self.match.seat}",
            "remainingOverageTime": decision.bank_ms / 1000,
            "obs": fields(decision.observation),
            "events": [{"seat": event.seat, "action": event.action} for event in decision.events],
            "legal": decision.legal,
            "names": [self.names[action] for action in decision.legal],
            "rejected": decision.rejected,
            "info": {"env_cfg": fields(self.match)},
        }
        return [json.dumps(asked)]

    def action(self, decision: Decision, line: str) -> int:
        """Read `{"action": 12}`, or what it holds alone. Raises ProgramError."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        return self.number(decision, line, answer.get("action") if isinstance(answer, dict) else answer)


class TextProgram(Program):
    """A program of the shape of the kits of Halite III: lines of words and numbers, after the match's constants."""

    def greet(self) -> None:
        """Write the match as a line of JSON, and the numbers of seats and of the own seat; read the program's name."""
        self.send([json.dumps(fields(self.match)), f"{self.match.seats} {self.match.seat}"])
        self.receive()

    def question(self, decision: Decision) -> Sequence[str]:
        """Return the number of the question, the legal actions, how many values are observed, and these by name."""
        observed = [f"{name} {value}" for name, value in flat("", fields(decision.observation))]
        return [str(decision.number), " ".join(map(str, decision.legal)), str(len(observed)), *observed]


def fields(message: Message) -> "dict[str, Any]":
    """Return a message as JSON, with all of its fields, by their names in the .proto file."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def flat(name: str, value: object) -> "list[tuple[str, object]]":
    """List the single values in JSON, by paths such as `players.0.corn`; truth values are 1 and 0."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if parts is None:
        return [(name, int(value) if isinstance(value, bool) else value)]
    return [one for key, part in parts for one in flat(f"{name}.{key}" if name else str(key), part)]


FORMS: Final = {"json": JsonProgram, "text": TextProgram}


def main() -> None:
    """Play for the arena with the form and the command that the arguments give. Exit code 2 for wrong ones."""
    form, *command = sys.argv[1:] or [""]
    if form not in FORMS or not command:
        sys.stderr.write(
            f"the arguments are '{' '.join(sys.argv[1:])}'; they must be json or text, and the command of a program, "
            "such as: json python3 main.py\n"
        )
        sys.exit(2)
    run(type("Given", (FORMS[form],), {"command": command}))
