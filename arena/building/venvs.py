"""Makes the virtual environments of bots, once for all bots with the same Python and the same requirements.

    <cache>/venvs/<key>/        the environment; programs only read it
    <cache>/pip/                the cache of pip, which it keeps by address, for environments that bots may share

An environment that several bots share must not depend on any of them, nor on who was there first. So where requirements
name nothing but packages of registries, pip sees nothing of the bot but these, as we understood them, and it first
tries only wheels: fetching and unpacking these runs no code of theirs, so it may use its cache, and looks up the
available versions in the registries. If that fails, pip retries with source packages, whose own code builds them, and
without the cache. Requirements that name files of the bot's folder make an environment for it alone.
"""

import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from ballcourt.arena.bots import contents
from ballcourt.arena.bots.bot import NO_CONTENT, Bot, BotError
from ballcourt.arena.bots.interpreters import NoInterpreter
from ballcourt.arena.bots.packages import installed, read_package_list
from ballcourt.arena.bots.venv import SDK_NEEDS, Venv, give_sdk, program_in, venv_of
from ballcourt.arena.building.steps import BuildError, Step, carry_out, new_home, say
from ballcourt.arena.extras import needs_linux
from ballcourt.arena.printable import cut
from ballcourt.arena.processes.cache import (
    VENVS,
    BuildNotes,
    fill_once,
    lease,
    linked_pip_cache,
    notes_on,
    place_to_build,
    private_folder,
)
from ballcourt.arena.python import our_python
from ballcourt.arena.sandbox.tiers import BuildPlan, Sandbox
from ballcourt.arena.sandbox.trial import venv_failure

PIP: Final = ("--disable-pip-version-check", "--no-input")
LONGEST_REASON: Final = 400
NO_PIP: Final = "No module named pip"
ERROR: Final = re.compile(r"(?:.*\.py: )?error: (.+)", re.IGNORECASE)
STEPS: Final = ("\u00d7 ", "x ")
"""How pip begins the line on a step that failed, in UTF-8 and in ASCII."""
END_OF_OUTPUT: Final = "[end of output]"
"""How pip ends what it quotes of a program that failed."""
FOLDERS: Final = re.compile(r"(?<![\w:/.])/(?:[\w.+-]+/)+")
"""The folders in a path of this machine; addresses have none."""
CONFLICT: Final = "The conflict is caused by:\n"


def in_venv(bot: Bot, sandbox: Sandbox) -> Bot:
    """Return a bot that is started in its virtual environment; the bot itself if it needs none.

    Raises BotError and SandboxError.
    """
    if not (bot.python or bot.requirements):
        return bot
    try:
        venv = venv_of(bot.python, bot.requirements, bot.content_hash)
    except NoInterpreter as error:
        raise BotError(f"bot {bot.name} asks for python = '{bot.python}', and {error}") from error
    if venv is None:
        return bot.with_python(our_python())
    if bot.requirements and not bot.requirements.allows(venv.interpreter.version):
        raise BotError(
            f"bot {bot.name} gets Python {venv.interpreter.version}, and {bot.requirements.file} says requires-python "
            f"= '{cut(bot.requirements.python)}'; give another python in bot.toml, such as \"3.12\", or correct it"
        )
    if path := sandbox.build.packages:
        listed = read_package_list(Path(path))
        venv = replace(venv, listed=listed)
        if bot.requirements and (sentence := listed.objection(bot.requirements)):
            raise BuildError(f"bot {bot.name} cannot be built: {sentence}")
    needs_linux(f"bot {bot.name} has an environment of its own, which needs")
    kept = lease(bot.content_hash, venv.key)
    folder = private_folder(VENVS) / venv.key
    fill_once(folder, lambda: _make(bot, venv, folder, sandbox))
    if why := venv_failure(folder, sandbox):
        raise BuildError(f"bot {bot.name} cannot import the SDK in its environment: {why}; change its requirements")
    notes = notes_on(folder)
    packages = notes.packages if notes else ()
    return replace(bot.with_python(program_in(folder)), venv=folder, packages=packages, lease=kept)


def _make(bot: Bot, venv: Venv, folder: Path, sandbox: Sandbox) -> BuildNotes:
    """Make an environment; return what that took."""
    what = f"Python {venv.interpreter.version}" + (f" with {venv.requirements.file}" if venv.requirements else "")
    say(f"making an environment for {bot.name}: {what}; the first time this may take minutes ...")
    _begin(bot, venv, folder)
    with place_to_build(sandbox.build.at_once, bot.owner), new_home(venv.key) as home:
        notes = _Installer(bot, venv, folder, home, sandbox).install()
    say(f"made it in {notes.describe()}")
    return notes


def _begin(bot: Bot, venv: Venv, folder: Path) -> None:
    """Make an environment that has the SDK and nothing else. Raises BuildError."""
    command = [str(venv.interpreter.program), "-I", "-m", "venv", "--without-pip", str(folder)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise BuildError(f"bot {bot.name} cannot be built: {venv.interpreter.program} makes no environment: {words}")
    give_sdk(folder, venv.interpreter)


@dataclass(frozen=True)
class _Installer:
    """Runs pip for an environment."""

    bot: Bot
    venv: Venv
    folder: Path
    home: Path
    sandbox: Sandbox

    def install(self) -> BuildNotes:
        """Install what the SDK needs and what the bot requires; return what that took. Raises BuildError."""
        notes = BuildNotes(0.0, {})
        for name, text in self._files():
            (self.home / name).write_text(text, encoding="utf-8")
        if not self.venv.interpreter.is_ours:  # ours come from the arena
            notes += self._pip("--requirement", str(self.home / "sdk.txt"))
        if required := self.venv.requirements:
            source = self.home / "bot"
            self._fill(source)  # before any code of strangers has run: afterwards, only the sandbox may enter the home
            file = source / required.file if self.venv.files and required.is_own_format else self.home / "bot.txt"
            words = ["--requirement", str(file), "--constraint", str(self.home / "sdk.txt")]
            words += ["--no-deps"] if required.is_lock else []
            notes += self._pip(*words)
        return notes

    def _files(self) -> Iterator[tuple[str, str]]:
        yield "sdk.txt", "".join(f"{line}\n" for line in SDK_NEEDS)
        if self.venv.requirements:
            yield "bot.txt", self.venv.requirements.text
        if self.venv.listed:
            yield "listed.txt", self.venv.listed.constraints

    def _fill(self, source: Path) -> None:
        """Make the folder in which pip runs: a copy of the bot's if its requirements name files of it."""
        if not self.venv.files:
            source.mkdir()
        elif contents.copy(self.bot.folder, source, (*NO_CONTENT, *self.bot.ignore)) != self.bot.content_hash:
            raise BuildError(f"bot {self.bot.name} cannot be built: its files changed meanwhile; run the command again")

    def _pip(self, *words: str) -> BuildNotes:
        # those of the arena do not count: the environment is to be the same on every machine
        install = ("install", *(["--ignore-installed"] if self.venv.interpreter.is_ours else []))
        if self.venv.listed:  # wheels alone: then nothing has run before they are compared with it
            words = ("--only-binary", ":all:", "--constraint", str(self.home / "listed.txt"), *words)
        elif self.sandbox.tier and not self.venv.files:
            own = self.home / "pip"
            # something may be there as sources alone
            with suppress(BuildError), linked_pip_cache(own, self.sandbox.build.disk_mb):
                return self._run(own, *install, "--cache-dir", str(own), "--only-binary", ":all:", *words)
        return self._run(None, *install, *words)

    def _run(self, cache: Path | None, *words: str) -> BuildNotes:
        interpreter = self.venv.interpreter
        with_pip = interpreter.program if interpreter.has_pip else our_python()
        isolated = "-P" if with_pip == Path(our_python()) else "-I"
        into = ("--python", str(program_in(self.folder)))
        report = self.home / "report.json"
        directory = self.home / "bot" if (self.home / "bot").is_dir() else self.home
        command = (str(with_pip), isolated, "-m", "pip", *into, *PIP, *words, "--report", str(report))
        plan = BuildPlan(command, directory, self.folder)
        notes = carry_out(
            Step(self.bot.name, plan, self.folder, cache, partial(why_pip_failed, home=self.home), f"pip {words[0]}"),
            self.home,
            self.sandbox,
        )
        found = installed(report)
        if self.venv.listed and (sentence := self.venv.listed.objection_to_installed(found)):
            raise BuildError(f"bot {self.bot.name} cannot be built: its requirements cannot be installed: {sentence}")
        return replace(notes, packages=tuple(map(str, found or ())))


def why_pip_failed(output: str, home: Path) -> str:
    """Return why pip failed, in its own words or those of the program that it ran, without paths of this machine.

    `home` is the folder in which it ran.
    """
    if NO_PIP in output:
        return f"there is no pip to install its requirements with; run {our_python()} -m ensurepip"
    printed = output.replace(f"{home}/bot/", "").replace(f"{home}/", "")
    lines = [line.strip() for line in FOLDERS.sub("", printed).splitlines() if line.strip()]
    errors = [(number, found[1]) for number, line in enumerate(lines) if (found := ERROR.fullmatch(line))]
    _, _, conflict = printed.partition(CONFLICT)
    causes = [line.strip() for line in conflict.partition("\n\n")[0].splitlines()]
    if causes:
        why = f"they conflict: {'; '.join(causes)}"
    elif step := next((line[2:] for line in lines if line.startswith(STEPS)), ""):
        last = lines.index(END_OF_OUTPUT) if END_OF_OUTPUT in lines else errors[0][0] if errors else 0
        why = f"{lines[last - 1]} ({cut(step)})" if last else step
    else:
        why = errors[0][1] if errors else lines[-1] if lines else "pip said nothing"
    return f"its requirements cannot be installed: {cut(why, LONGEST_REASON)}"
