"""Bots on their way to other machines."""

import io
import sys
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from ballcourt.arena.bots.bot import Bot, BotError, load_bot
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.cluster import parcels
from ballcourt.arena.cluster.parcels import Traveller, pack, unpack
from ballcourt.arena.cluster.security import ClusterError
from ballcourt.arena.processes.cache import cached


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bot:
    """A bot with a program, a link and what does not belong to it."""
    monkeypatch.setenv("BALLCOURT_CACHE", str(tmp_path / "elsewhere"))
    folder = tmp_path / "mia"
    (folder / "deep" / ".git").mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "mia"\nversion = "1"\ncommand = ["{python}", "deep/play"]\n')
    (folder / "deep" / "play").write_text("print()\n")
    (folder / "deep" / "play").chmod(0o700)
    (folder / "link").symlink_to("/nowhere")
    return load_bot(folder)


def unreachable(content_hash: str) -> bytes:
    raise AssertionError(f"{content_hash} is there already")


def test_a_bot_arrives_with_its_content_and_the_words_that_the_organiser_added(bot: Bot) -> None:
    traveller, parcel = pack(replace(bot, command=(*bot.command, "--depth", "2")))
    assert traveller == Traveller(bot.entrant.bot, ("--depth", "2"))
    arrived = unpack(traveller, {bot.content_hash: parcel}.__getitem__)
    assert arrived.folder != bot.folder
    assert (arrived.content_hash, arrived.command) == (bot.content_hash, (sys.executable, "deep/play", "--depth", "2"))
    assert (arrived.folder / "link").readlink() == Path("/nowhere")
    assert (arrived.folder / "deep" / "play").stat().st_mode & 0o111
    assert not (arrived.folder / "deep" / ".git").exists()
    assert [(entry.name, entry.in_use) for entry in cached()] == [("mia", True)]


def test_a_machine_asks_only_for_what_it_lacks(bot: Bot) -> None:
    traveller, parcel = pack(bot)
    unpack(traveller, lambda _: parcel)
    assert unpack(traveller, unreachable).content_hash == bot.content_hash


def test_files_that_were_changed_in_the_cache_are_asked_for_again(bot: Bot) -> None:
    traveller, parcel = pack(bot)
    kept = unpack(traveller, lambda _: parcel)
    (kept.folder / "bot.toml").write_text("")
    assert unpack(traveller, lambda _: parcel).content_hash == bot.content_hash


def test_another_bot_in_the_parcel_is_refused(bot: Bot, tmp_path: Path) -> None:
    _, parcel = pack(bot)
    with pytest.raises(ClusterError, match="the files of bot 000000000000 were damaged on their way"):
        unpack(Traveller(BotVersion("mia", "1", "0" * 64)), lambda _: parcel)


def archive(*entries: tuple[str, bytes, str]) -> bytes:
    """Return an archive of empty entries: their names, kinds and the targets of links."""
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as made:
            for name, kind, target in entries:
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, target
                made.addfile(entry)
        return file.getvalue()


@pytest.mark.parametrize(
    "entries",
    [
        [("../outside", tarfile.REGTYPE, "")],
        [("{folder}/outside", tarfile.REGTYPE, "")],
        [("link", tarfile.SYMTYPE, "{folder}"), ("link/outside", tarfile.REGTYPE, "")],
        [("link", tarfile.SYMTYPE, "{folder}/outside"), ("./link", tarfile.REGTYPE, "")],
        [("outside", tarfile.LNKTYPE, "{folder}/mia/bot.toml")],
        [("outside", tarfile.FIFOTYPE, "")],
    ],
)
def test_a_parcel_writes_and_reads_nothing_outside_of_its_folder(
    entries: list[tuple[str, bytes, str]], bot: Bot, tmp_path: Path
) -> None:
    parcel = archive(*((name.format(folder=tmp_path), kind, to.format(folder=tmp_path)) for name, kind, to in entries))
    with pytest.raises(ClusterError, match="the files of bot 000000000000 were damaged on their way"):
        unpack(Traveller(BotVersion("mia", "1", "0" * 64)), lambda _: parcel)
    assert not [*tmp_path.rglob("outside")]


def test_what_is_not_an_archive_is_refused(bot: Bot) -> None:
    with pytest.raises(ClusterError, match="the files of bot 000000000000 were damaged on their way"):
        unpack(Traveller(BotVersion("mia", "1", "0" * 64)), lambda _: b"not an archive")


def test_a_bot_that_cannot_travel_is_refused_with_the_reason(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BotError, match="bot mia starts in /, outside of its folder, so it cannot play elsewhere"):
        pack(replace(bot, directory=Path("/")))
    monkeypatch.setattr(parcels, "MOST_BYTES", 0)
    with pytest.raises(BotError, match="bot mia has 0 MB, and at most 0 MB travel; put large files on every machine"):
        pack(bot)
    (bot.folder / "new").touch()
    with pytest.raises(BotError, match="the files of bot mia changed since it was loaded"):
        pack(bot)
