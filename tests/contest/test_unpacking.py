"""Archives of strangers: what is unpacked, and a corpus of hostile ones that leave nothing outside of the folder."""

import gzip
import io
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ballcourt.contest.examining.unpacker import ArchiveRefused, main, unpack
from ballcourt.contest.examining.unpacking import GridError
from ballcourt.contest.examining.unpacking import unpack as unpack_confined
from tests.arena.conftest import need_sandbox

MB = 1 << 20


def tar(
    *entries: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, link: str = "", mode: str = "w", encoding: str = ""
) -> bytes:
    stream = io.BytesIO()
    options = {"encoding": encoding, "format": tarfile.GNU_FORMAT} if encoding else {}
    with tarfile.open(fileobj=stream, mode=mode, **options) as archive:  # type: ignore[call-overload]
        for name, data in entries:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.size = kind, link, len(data)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def zipped(*entries: tuple[str, bytes], mode: int = 0, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type = mode << 16, kind
            archive.writestr(info, data)
    return stream.getvalue()


def lying(data: bytes) -> bytes:
    """Return a zip file whose headers say that its file is small."""
    size = (200 * MB).to_bytes(4, "little")
    assert data.count(size) == 2
    return data.replace(size, (10).to_bytes(4, "little"))


def many(count: int) -> bytes:
    return tar(*((f"f{number}", b"") for number in range(count)))


HOSTILE: dict[str, Callable[[], bytes]] = {
    "tar with ..": lambda: tar(("../evil", b"x")),
    "tar with .. inside": lambda: tar(("a/../../evil", b"x")),
    "tar with an absolute path": lambda: tar(("/tmp/evil", b"x")),
    "tar with a link": lambda: tar(("a", b""), kind=tarfile.SYMTYPE, link="/etc/passwd"),
    "tar with a hard link": lambda: tar(("a", b""), kind=tarfile.LNKTYPE, link="../evil"),
    "tar with a device": lambda: tar(("a", b""), kind=tarfile.CHRTYPE),
    "tar with a pipe": lambda: tar(("a", b""), kind=tarfile.FIFOTYPE),
    "tar with a contiguous file": lambda: tar(("a", b""), kind=tarfile.CONTTYPE),
    "tar with a sparse file": lambda: tar(("a", b""), kind=tarfile.GNUTYPE_SPARSE),
    "tar with a name twice": lambda: tar(("a", b"1"), ("a", b"2")),
    "tar with names of one case": lambda: tar(("bot.py", b"1"), ("BOT.py", b"2")),
    "tar with names of one form": lambda: tar(("caf\u00e9", b"1"), ("cafe\u0301", b"2")),
    "tar with names of one look": lambda: tar(("\ufb01le", b"1"), ("file", b"2")),
    "tar with a file that is a folder": lambda: tar(("a", b"1"), ("a/b", b"2")),
    "tar with folders of one case": lambda: tar(("a/x", b"1"), ("A/y", b"2")),
    "tar with a line end": lambda: tar(("a\nb", b"1")),
    "tar with an escape": lambda: tar(("a\x1b[2J", b"1")),
    "tar with a name from right to left": lambda: tar(("a\u202egpj.exe", b"1")),
    "tar with a backslash": lambda: tar(("a\\..\\b", b"1")),
    "tar with a drive": lambda: tar(("C:evil", b"1")),
    "tar that is deep": lambda: tar(("/".join("d" * 41), b"1")),
    "tar with a long part": lambda: tar(("n" * 300, b"1")),
    "tar with a long path": lambda: tar(("/".join(["n" * 100] * 11), b"1")),
    "tar with an empty name": lambda: tar(("./", b"1")),
    "tar with many names": lambda: many(60),
    "tar with many folders": lambda: tar(
        ("/".join("abcdefghijklmnopqrstuvwxyz"), b""), ("/".join("0123456789" * 3), b"")
    ),
    "tar that is cut": lambda: tar(("a", b"x" * 10_000))[:3000],
    "tar that is noise": lambda: b"\0" * 257 + b"ustar" + b"\xff" * 5000,
    "tar.gz that is cut": lambda: gzip.compress(tar(("a", b"x" * 10_000)))[:60],
    "tar.gz that is a bomb": lambda: gzip.compress(tar(("a", bytes(40 * MB)))),
    "tar.gz of zeros": lambda: gzip.compress(b"x" * 1000),
    "zip with ..": lambda: zipped(("../evil", b"x")),
    "zip with an absolute path": lambda: zipped(("/tmp/evil", b"x")),
    "zip with a link": lambda: zipped(("a", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777),
    "zip with a device": lambda: zipped(("a", b""), mode=stat.S_IFCHR | 0o666),
    "zip with a folder that is a file": lambda: zipped(("a", b"x"), mode=stat.S_IFDIR | 0o755),
    "zip with names of one case": lambda: zipped(("a", b"1"), ("A", b"2")),
    "zip that is a bomb": lambda: zipped(("a", bytes(40 * MB))),
    "zip of bzip2": lambda: zipped(("a", b"x"), kind=zipfile.ZIP_BZIP2),
    "zip of lzma": lambda: zipped(("a", b"x"), kind=zipfile.ZIP_LZMA),
    "zip that lies about a size": lambda: lying(zipped(("a", bytes(200 * MB)))),
    "zip that is cut": lambda: zipped(("a", b"x" * 1000))[:40],
    "zip with many names": lambda: zipped(*((f"f{number}", b"") for number in range(60))),
    "zip with a NUL": lambda: zipped(("ab.py", b"x")).replace(b"ab.py", b"a\0.py"),
    "zip that is encrypted": lambda: _encrypted(zipped(("a", b"x"))),
}


def _encrypted(data: bytes) -> bytes:
    central = data.index(b"PK\x01\x02")
    return data[: central + 8] + b"\x01\x00" + data[central + 10 :]


@pytest.mark.parametrize("name", [name for name in HOSTILE if "lies" not in name])
def test_a_hostile_archive_is_refused_and_leaves_nothing_outside(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, archive = tmp_path / "home" / "new", tmp_path / "archive"
    folder.mkdir(parents=True)
    archive.write_bytes(HOSTILE[name]())
    limits = (str(32 * MB), "50")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("resource.setrlimit", lambda *_: None)  # it is for a process of its own
        assert main([str(archive), str(folder), *limits]) == 1
    assert capsys.readouterr().out.startswith("refused: ")
    assert {path.name for path in tmp_path.iterdir()} == {"home", "archive"}
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["new"]
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in written) <= 32 * MB
    assert not any(path.is_symlink() for path in folder.rglob("*"))


@pytest.mark.parametrize("pack", [tar, lambda *entries: gzip.compress(tar(*entries)), zipped])
def test_folders_files_and_the_right_to_execute_are_unpacked(tmp_path: Path, pack: Callable[..., bytes]) -> None:
    archive, folder = tmp_path / "archive", tmp_path / "new"
    folder.mkdir()
    archive.write_bytes(pack(("./mine/bot.toml", b"toml"), ("mine/a/b.py", "ü".encode()), ("mine/empty", b"")))
    unpack(str(archive), str(folder), MB, 50)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert files == {"mine/bot.toml": b"toml", "mine/a/b.py": "ü".encode(), "mine/empty": b""}


def test_programs_stay_programs(tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(zipped(("run.sh", b"x"), mode=stat.S_IFREG | 0o4755))
    (tmp_path / "new").mkdir()
    unpack(str(tmp_path / "archive"), str(tmp_path / "new"), MB, 50)
    assert (tmp_path / "new" / "run.sh").stat().st_mode & 0o7777 == 0o755


UNIX, WINDOWS = 3, 0
NO_FLAGS = b"\0\0\0\0\0\0!\0"  # with method, time and the date of 1980


def of_system(name: bytes, system: int, *, flag: bool = False, extra: bytes = b"", data: bytes = b"x") -> bytes:
    """Return a zip file with one entry as a system writes it, with the bytes of its name as they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo("#" * len(name))
        info.create_system, info.extra = system, extra
        archive.writestr(info, data)
        info.external_attr = 0o100644 << 16 if system == UNIX else 0x20
    raw = stream.getvalue().replace(b"#" * len(name), name)
    return raw.replace(NO_FLAGS, b"\0\x08\0\0\0\0!\0") if flag else raw


def unpacked(tmp_path: Path, data: bytes) -> dict[str, bool]:
    """Unpack an archive; return the files by their paths, and whether they are programs."""
    (tmp_path / "new").mkdir(parents=True)
    (tmp_path / "archive").write_bytes(data)
    unpack(str(tmp_path / "archive"), str(tmp_path / "new"), MB, 50)
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    return {str(path.relative_to(tmp_path / "new")): bool(path.stat().st_mode & 0o111) for path in files}


OEM = "donn\u00e9es/\u00fc".encode("cp850")
UNICODE_PATH = b"up" + struct.pack("<HBL", 5 + 11, 1, zlib.crc32(OEM)) + "donn\u00e9es/\u00fc".encode()


@pytest.mark.parametrize(
    "archive",
    [
        of_system("donne\u0301es/u\u0308".encode(), UNIX),
        of_system("donn\u00e9es/\u00fc".encode(), UNIX),
        of_system("donn\u00e9es\\\u00fc".encode(), WINDOWS),
        of_system("donne\u0301es/u\u0308".encode(), UNIX, flag=True),
        of_system(OEM, WINDOWS, extra=b"\x99\x99\2\0ab" + UNICODE_PATH),
        tar(("donne\u0301es/u\u0308", b"x")),
    ],
    ids=["macOS", "Linux", "Windows", "a flag", "an extra field", "tar"],
)
def test_names_of_every_system_are_those_that_a_keyboard_writes(tmp_path: Path, archive: bytes) -> None:
    assert [*unpacked(tmp_path, archive)] == ["donn\u00e9es/\u00fc"]


@pytest.mark.parametrize(
    "archive",
    [
        of_system(OEM, WINDOWS),
        of_system(OEM, WINDOWS, extra=UNICODE_PATH.replace(struct.pack("<L", zlib.crc32(OEM)), b"evil")),
        tar(("d\u00fcnn", b"x"), encoding="latin-1"),
    ],
)
def test_names_in_the_encoding_of_one_system_are_refused_in_a_sentence(tmp_path: Path, archive: bytes) -> None:
    with pytest.raises(ArchiveRefused, match=r"the name 'd.*' is not UTF-8; rename it, or enter it with"):
        unpacked(tmp_path, archive)


@pytest.mark.parametrize("names", [("caf\u00e9", "cafe\u0301"), ("cafe\u0301/a", "CAF\u00c9/b"), ("a.PY", "a.py")])
def test_two_names_that_are_one_on_some_systems_are_both_named(tmp_path: Path, names: tuple[str, str]) -> None:
    with pytest.raises(ArchiveRefused, match="are one name on some systems"):
        unpacked(tmp_path, zipped(*((name, b"") for name in names)))


def test_a_name_is_measured_as_it_is_written(tmp_path: Path) -> None:
    name = "\ud55c\uae00" * 40
    decomposed = unicodedata.normalize("NFD", name)
    assert len(decomposed.encode()) > 255 > len(name.encode())
    assert [*unpacked(tmp_path, zipped((decomposed, b"")))] == [name]


@pytest.mark.parametrize(
    ("data", "is_program"), [(b"#!/bin/sh", True), (b"\x7fELF.", True), (b"x #!", False), (b"", False)]
)
def test_scripts_and_programs_from_a_system_without_the_right_to_execute_get_it(
    tmp_path: Path, data: bytes, *, is_program: bool
) -> None:
    assert unpacked(tmp_path, of_system(b"run", WINDOWS, data=data)) == {"run": is_program}


def test_a_script_without_the_right_to_execute_of_a_system_that_has_it_gets_none(tmp_path: Path) -> None:
    assert unpacked(tmp_path, zipped(("run", b"#!/bin/sh"), mode=stat.S_IFREG | 0o644)) == {"run": False}


def test_a_backslash_in_a_name_of_windows_leads_nowhere_else(tmp_path: Path) -> None:
    for name in (b"..\\evil", b"a\\..\\..\\evil", b"\\evil", b"C:\\evil"):
        with pytest.raises(ArchiveRefused, match=r"leads out of the archive|is an absolute path"):
            unpacked(tmp_path / name.hex(), of_system(name, WINDOWS))


def test_the_icon_of_a_folder_of_macos_is_left_out(tmp_path: Path) -> None:
    entries = (("mine/Icon\r", b""), ("__MACOSX/mine/._Icon\r", b"x"), ("mine/bot.toml", b"x"))
    assert [*unpacked(tmp_path, zipped(*entries))] == ["mine/bot.toml"]


def test_more_bytes_than_are_allowed_are_refused_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(tar(("a", b"x" * 700_000), ("b", b"x" * 700_000)))
    (tmp_path / "new").mkdir()
    with pytest.raises(ArchiveRefused, match="more than 1 MB"):
        unpack(str(tmp_path / "archive"), str(tmp_path / "new"), MB, 50)


@pytest.mark.slow
def test_archives_are_unpacked_inside_the_sandbox(tmp_path: Path) -> None:
    need_sandbox()
    good, bomb = tmp_path / "good", tmp_path / "bomb"
    good.write_bytes(tar(("mine/bot.toml", b"toml"), ("mine/bot.py", b"x")))
    bomb.write_bytes(gzip.compress(tar(("a", bytes(40 * MB)))))
    for name in "12":
        (tmp_path / name).mkdir()
    home = unpack_confined(good, tmp_path / "1", 32, 1)
    assert home.name == "mine" and (home / "bot.toml").read_bytes() == b"toml"
    with pytest.raises(GridError, match="the archive is refused: its files have more than 16 MB"):
        unpack_confined(bomb, tmp_path / "2", 32, 1)


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("mine/bot.toml", "desktop.ini", "Thumbs.db", ".DS_Store", "__MACOSX/mine/._bot.toml"), "mine"),
        (("mine/bot.toml", "README.md", "LICENSE", ".gitignore"), "mine"),
        (("bot.toml", "other/bot.toml"), "unpacked"),
        (("mine/bot.toml", "common.py"), "it has common.py, mine at its top; pack the folder of one bot"),
        (("one/bot.toml", "two/bot.toml"), "it has one, two at its top; pack the folder of one bot"),
        (("a/b/bot.toml", "README"), "there is one in a/b; give that folder itself"),
        (("mine/bot.toml.txt",), "rename mine/bot.toml.txt to bot.toml"),
        (("Bot.toml",), "rename Bot.toml to bot.toml"),
        (("mine.zip",), "there is an archive, mine.zip; unpack it, and give what is in it"),
        (("bot.py",), "nor in its only folder$"),
    ],
)
def test_the_folder_of_the_bot_is_found_or_the_cause_is_named(
    tmp_path: Path, names: tuple[str, ...], found: str
) -> None:
    (tmp_path / "archive").write_bytes(zipped(*((name, b"") for name in names)))
    if " " not in found:
        assert unpack_confined(tmp_path / "archive", tmp_path, 32, 0).name == found
        return
    with pytest.raises(GridError, match=f"it has no bot.toml, neither at its top.*{found}"):
        unpack_confined(tmp_path / "archive", tmp_path, 32, 0)
